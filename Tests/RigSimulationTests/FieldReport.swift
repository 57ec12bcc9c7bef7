import Foundation

/// A scenario of `scenarios/field`: what somebody met with, and what a rig does about it.
struct FieldReport {
    let id: String
    let title: String
    let source: String
    let symptom: String
    let expected: String
    /// What it needs beside the rig: `nothing`, or a word and what it stands for.
    let needs: String
    /// Tests that check what the scenario cannot, by name.
    let tests: [String]
    let text: String

    /// What it can need, with what that means for who runs it.
    static let needWords = ["nothing", "VM", "hardware", "hub", "uinput", "an app"]

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let folder = root.appending(path: "scenarios/field")

    var needsNothing: Bool { needs == "nothing" }

    /// Every one of them, in the order of their numbers.
    static func all() throws -> [FieldReport] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".rig") }
        return try names.map { try FieldReport(folder.appending(path: $0)) }.sorted {
            (Int($0.id.dropFirst()) ?? 0, $0.id) < (Int($1.id.dropFirst()) ?? 0, $1.id)
        }
    }

    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    /// Reads the comment at a file's head: `# B13: a title`, then `# key: text` with lines that go on behind four spaces.
    init(_ file: URL) throws {
        text = try String(contentsOf: file, encoding: .utf8)
        id = file.deletingPathExtension().lastPathComponent
        let head = text.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("#") }
            .map { String($0.dropFirst(2)) }
        var fields: [(key: String, text: String)] = []
        for line in head {
            if line.hasPrefix("    "), !fields.isEmpty {
                fields[fields.count - 1].text += " " + line.trimmingCharacters(in: .whitespaces)
            } else if let colon = line.range(of: ": ") {
                fields.append((String(line[..<colon.lowerBound]), String(line[colon.upperBound...])))
            } else {
                throw Problem(description: "\(id): '\(line)' is no 'key: text'")
            }
        }
        let id = id
        func field(_ key: String) throws -> String {
            guard let found = fields.first(where: { $0.key == key })?.text, !found.isEmpty else {
                throw Problem(description: "\(id): there is no '\(key)'")
            }
            return found
        }
        title = try field(id)
        source = try field("source")
        symptom = try field("symptom")
        expected = try field("expected")
        needs = try field("needs")
        tests = fields.filter { $0.key == "checked by" }.map(\.text)
    }

    /// The state as the table tells it.
    var state: String {
        let also = tests.isEmpty ? "" : tests.map { "`\($0)`" }.joined(separator: ", ")
        if needsNothing { return also.isEmpty ? "runs in every test run" : "runs in every test run; also \(also)" }
        return also.isEmpty ? "needs \(needs)" : "needs \(needs); without it \(also)"
    }

    var command: String {
        needsNothing ? "dashrig simulate scenarios/field/\(id).rig" : "dashrig run scenarios/field/\(id).rig"
    }

    /// `docs/field-reports.md`.
    static func page(_ reports: [FieldReport]) -> String {
        let running = reports.count(where: \.needsNothing)
        var page = """
            # Field reports

            What people met with in programs like this one, as scenarios in `scenarios/field/`: each begins with where it was
            reported, what was seen and what a rig does instead. \(running) of the \(reports.count) need no hardware and run, with
            several seeds, in every `swift test`; `dashrig run` runs the same file against a rig. The others say what they need,
            and the tests that check the same without it. This page is written by those tests
            (`DASHRIG_WRITE_DOCS=1 swift test --filter FieldReportTests`).

            | id | what happened elsewhere | what happens here | state | command |
            |---|---|---|---|---|

            """
        for report in reports {
            page += "| \(report.id) | **\(report.title)**: \(cell(report.symptom)) (\(cell(report.source))) "
            page += "| \(cell(report.expected)) | \(cell(report.state)) | `\(report.command)` |\n"
        }
        return page
    }

    private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
