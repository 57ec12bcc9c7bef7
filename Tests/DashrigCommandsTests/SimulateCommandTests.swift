import ClientTestKit
import Foundation
import LinuxIO
import ScenarioCore
import Testing
import VarlinkProtocol

@testable import DashrigCommands

/// `dashrig simulate`: a scenario in this process, without a rig.
@Suite struct SimulateCommandTests {
    private static let good = "plug iphone as phone slow 20ms\nexpect session active within 2s\nwait 1h\n"
    private static let bad = "plug iphone as phone\nwait 10s\nexpect mark within 300ms\n"

    private func file(_ folder: TestFolder, _ text: String, _ name: String = "t.rig") throws -> String {
        let path = "\(folder.path)/\(name)"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// A configuration that says nothing: the machine's own must not decide a test.
    private func config(_ folder: TestFolder) throws -> String { try file(folder, "", "dashrig.ini") }

    @Test func aScenarioThatHoldsPassesWithoutARig() throws {
        let folder = try TestFolder()
        let path = try file(folder, Self.good)
        let result = tool("simulate \(path) --runs 5 --socket-dir /nowhere --config \(try config(folder))")
        #expect(result.code == .done && result.err.isEmpty, "\(result)")
        try #require(result.lines.count == 2, "no timeline of what passed: \(result.out)")
        #expect(result.lines[0].hasPrefix("PASSED  t: 3 of 3 steps"))
        #expect(result.lines[1].hasPrefix("5 of 5 runs passed, 18000."), "\(result.lines[1])")
        #expect(result.lines[1].hasSuffix(" times real time"))
    }

    @Test func theFirstSeedThatFailsIsToldWithWhatLedToIt() throws {
        let folder = try TestFolder()
        let path = try file(folder, Self.bad)
        let report = "\(folder.path)/report.xml"
        let result = tool(
            "simulate \(path) --seed 7 --runs 50 --config \(try config(folder)) --name short --junit \(report)")
        #expect(result.code == .failed)
        #expect(result.lines.contains { $0.contains("✗ mark did not come within 300ms") }, "\(result.out)")
        #expect(result.lines.contains { $0.hasPrefix("FAILED  short: ") })
        #expect(result.lines.last?.hasPrefix("seed 7 did not pass; it was the first, 10.3") == true)
        #expect(try String(contentsOfFile: report, encoding: .utf8).contains("<failure type=\"failed\""))
    }

    @Test func inJSONTheLastLineHasTheNumbersAndTheVerdict() throws {
        let folder = try TestFolder()
        let good = tool("simulate \(try file(folder, Self.good)) --runs 3 --config \(try config(folder)) --json")
        let object = try good.json
        #expect(object["simulation"]?.objectValue?["passed"] == 3)
        #expect(object["simulation"]?.objectValue?["failingSeed"] == nil)
        #expect(object["verdict"]?.objectValue?["outcome"] == "passed")
        let bad = tool("simulate \(try file(folder, Self.bad, "b.rig")) --seed 3 --config \(try config(folder)) --json")
        #expect(bad.code == .failed && bad.err.isEmpty)
        let objects = try bad.objects
        #expect(objects.dropLast().allSatisfy { $0["entry"] != nil } && objects.count > 5)
        #expect(objects.last?["simulation"]?.objectValue?["failingSeed"] == 3)
    }

    @Test func exitCodesAreThoseOfARun() throws {
        let folder = try TestFolder()
        let wrong = tool("simulate \(try file(folder, "fly away\n")) --config \(try config(folder))")
        #expect(wrong.code == .usage && wrong.err.contains("t.rig:1:1"))
        let unknown = tool("simulate \(try file(folder, "plug iphon\n")) --config \(try config(folder))")
        #expect(unknown.code == .usage && unknown.out.contains("SCRIPT WRONG"))
        let rig = tool(
            "simulate \(try file(folder, "plug iphone as a\nplug iphone as a\n")) --config \(try config(folder))")
        #expect(rig.code == .rig)
        #expect(tool("simulate /nowhere/t.rig").code == .usage)
        let pipe = try LinuxIO.Pipe()
        _ = pipe.writer.write([1])
        let stopped = tool(
            "simulate \(try file(folder, Self.good)) --config \(try config(folder))", interrupt: pipe.reader.rawValue)
        #expect(stopped.code == .interrupted)
    }

    @Test func artifactsAreLeftInAFolderOfTheirOwn() throws {
        let folder = try TestFolder()
        let path = try file(folder, Self.bad)
        let artifacts = "\(folder.path)/a/b"
        #expect(tool("simulate \(path) --config \(try config(folder)) --artifacts \(artifacts)").code == .failed)
        for file in RunReport.File.allCases {
            let text = try String(contentsOfFile: "\(artifacts)/\(file.rawValue)", encoding: .utf8)
            #expect(!text.isEmpty, "\(file.rawValue)")
        }
        let text = try String(contentsOfFile: "\(artifacts)/verdict.json", encoding: .utf8)
        #expect(try JSON.parse(text).objectValue?["outcome"] == "failed")
        #expect(try String(contentsOfFile: "\(artifacts)/scenario.rig", encoding: .utf8) == Self.bad)
        #expect(
            tool("simulate \(path) --config \(try config(folder)) --artifacts \(path)/x").code == .usage,
            "a file is in the way")
    }
}
