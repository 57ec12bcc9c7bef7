import Foundation
import RigModel
import ScenarioCore
import Testing

/// The repository's root, from where this file stands.
private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

/// One fenced block of the reference.
struct DocumentBlock: CustomTestStringConvertible, Sendable {
    let info: String
    let line: Int
    let text: String
    /// The text of the block behind it, when that is plain text.
    var following: String?
    /// Whether that text is what a run of this block tells.
    var isTold = false
    /// Whether that text is what explains this block.
    var isExplained = false

    var testDescription: String { "line \(line)" }

    static func all(in file: String) -> [DocumentBlock] {
        guard let document = try? String(contentsOf: root.appendingPathComponent(file), encoding: .utf8) else {
            return []
        }
        var blocks: [DocumentBlock] = []
        var open: (info: String, line: Int, lines: [Substring])?
        for (index, line) in document.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if let block = open {
                if line == "```" {
                    let text = block.lines.joined(separator: "\n")
                    if block.info.hasPrefix("text"), let last = blocks.last, last.following == nil {
                        blocks[blocks.count - 1].following = text
                        blocks[blocks.count - 1].isTold = block.info == "text run"
                        blocks[blocks.count - 1].isExplained = block.info == "text explain"
                    }
                    blocks.append(DocumentBlock(info: block.info, line: block.line, text: text))
                    open = nil
                } else {
                    open?.lines.append(line)
                }
            } else if line.hasPrefix("```") {
                open = (String(line.dropFirst(3)), index + 1, [])
            }
        }
        return blocks
    }
}

@Suite struct ShippedScenarioTests {
    static let blocks = DocumentBlock.all(in: "docs/scenarios.md")
    /// What the examples include.
    static let included = blocks.compactMap { block in
        block.info.hasPrefix("rig file=")
            ? IncludedFile(name: String(block.info.dropFirst("rig file=".count)), text: block.text) : nil
    }
    static let files: [String] = {
        let folder = root.appendingPathComponent("scenarios").path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".rig") }.sorted()
    }()

    @Test func theReferenceHasExamples() {
        #expect(Self.blocks.filter { $0.info == "rig" }.count >= 14)
        #expect(Self.blocks.filter { $0.info == "rig wrong" }.count >= 2)
        #expect(Self.files.contains("demo.rig"))
    }

    @Test(arguments: blocks.filter { $0.info == "rig" })
    func anExampleOfTheReferencePasses(_ block: DocumentBlock) throws {
        var options = ScenarioOptions(includes: Self.included)
        let rows = try Scenario(parsing: block.text, file: "example.rig", options: options).rows
        for row in rows.isEmpty ? [nil] : rows.map({ $0.number as Int? }) {
            options.row = row
            let run = try VirtualRun(Scenario(parsing: block.text, file: "example.rig", options: options))
            #expect(
                run.verdict.outcome == .passed,
                "\(TimelineText.render(run.timeline))\n\(TimelineText.render(run.verdict))")
        }
    }

    @Test(arguments: blocks.filter(\.isExplained))
    func anExampleIsExplainedAsTheReferenceShows(_ block: DocumentBlock) throws {
        #expect(try Scenario(parsing: block.text, file: "example.rig").explanation == block.following)
    }

    /// What has programs cannot run here, but can be read.
    @Test(arguments: blocks.filter { $0.info == "rig programs" })
    func anExampleWithProgramsIsRight(_ block: DocumentBlock) throws {
        #expect(try Scenario(parsing: block.text, file: "example.rig").steps.count > 2)
    }

    /// The form of every example is the usual one, so that nobody learns another.
    @Test(arguments: blocks.filter { ["rig", "rig programs"].contains($0.info) || $0.info.hasPrefix("rig file=") })
    func anExampleIsFormatted(_ block: DocumentBlock) throws {
        #expect(try Scenario.formatted(Array(block.text.utf8), file: "example.rig") == "\(block.text)\n")
    }

    @Test(arguments: files)
    func aShippedScenarioIsFormatted(_ name: String) throws {
        let url = root.appendingPathComponent("scenarios").appendingPathComponent(name)
        let text = try String(contentsOf: url, encoding: .utf8)
        #expect(try Scenario.formatted(Array(text.utf8), file: name) == text)
    }

    @Test(arguments: blocks.filter(\.isTold))
    func aRunIsToldAsTheReferenceShows(_ block: DocumentBlock) throws {
        let run = try VirtualRun(block.text, file: "example.rig")
        let told = "\(TimelineText.render(run.timeline))\n\(TimelineText.render(run.verdict))"
        #expect(told == block.following)
    }

    @Test(arguments: blocks.filter { $0.info == "rig wrong" })
    func aWrongExampleIsToldAsTheReferenceSays(_ block: DocumentBlock) {
        #expect {
            _ = try Scenario(parsing: block.text, file: "example.rig")
        } throws: {
            ($0 as? ScenarioProblems)?.rendered == block.following
        }
    }

    @Test(arguments: files)
    func aShippedScenarioPasses(_ name: String) throws {
        let url = root.appendingPathComponent("scenarios").appendingPathComponent(name)
        let scenario = try Scenario(parsing: Array(try Data(contentsOf: url)), file: name)
        for latency: UInt64 in [0, .ms(2)] {
            let run = try VirtualRun(scenario, latency: latency)
            #expect(
                run.verdict.outcome == .passed,
                "\(TimelineText.render(run.timeline))\n\(TimelineText.render(run.verdict))")
            #expect(run.verdict.counts.maximumLateness <= .ms(8))
        }
    }

    @Test func theShippedTrackIsThatOfTheReference() throws {
        let text = try String(contentsOf: root.appendingPathComponent("scenarios/tunnel.csv"), encoding: .utf8)
        #expect(try VehicleTrack(parsing: text).points.count == 4)
        let rows = text.split(separator: "\n").dropFirst().joined(separator: "\n")
        let reference = try String(contentsOf: root.appendingPathComponent("docs/vehicle.md"), encoding: .utf8)
        #expect(reference.contains("# scenarios/tunnel.csv\n\(rows)\n```"))
    }

    @Test func theDemoTakesAboutTenSeconds() throws {
        let url = root.appendingPathComponent("scenarios/demo.rig")
        let run = try VirtualRun(try Scenario(parsing: Array(try Data(contentsOf: url)), file: "demo.rig"))
        #expect((8_000_000_000...11_000_000_000).contains(run.verdict.duration))
    }
}
