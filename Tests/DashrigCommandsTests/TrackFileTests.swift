import ClientTestKit
import Foundation
import Testing
import VarlinkProtocol

@testable import DashrigCommands

/// Files that a scenario names: what is wrong with them is told where they are named.
@Suite struct TrackFileTests {
    private static func file(_ folder: TestFolder, _ name: String, _ text: String) throws -> String {
        let path = "\(folder.path)/\(name)"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test func aTrackThatIsNotThereHasAPlace() throws {
        let folder = try TestFolder()
        let path = try Self.file(folder, "t.rig", "mark begin\n  vehicle track nowhere.csv\nlokc phone\n")
        let result = tool("run \(path) --junit \(folder.path)/report.xml --socket-dir /nowhere")
        #expect(result.code == .usage)
        #expect(
            result.err.hasPrefix(
                "dashrig: \(path):2:17: the track cannot be played: open \(folder.path)/nowhere.csv: "),
            "\(result.err)")
        #expect(
            result.err.contains(" 2 |   vehicle track nowhere.csv\n   |                 ^~~~~~~~~~~\n"), "\(result.err)"
        )
        // It is one of the file's problems, not the end of looking for them.
        #expect(result.err.contains("\(path):3:1: there is no step 'lokc'"), "\(result.err)")
        let report = try String(contentsOfFile: "\(folder.path)/report.xml", encoding: .utf8)
        #expect(report.contains("scriptWrong"))
        let json = try tool("run --check --json \(path)").json
        #expect(json["error"] == "scenarioWrong" && json["problems"]?.arrayValue?.count == 2)
    }

    @Test func aFileThatIsNoTextHasAPlace() throws {
        let folder = try TestFolder()
        let path = try Self.file(folder, "t.rig", "vehicle track bytes.csv\nvehicle track \"\(folder.path)\"\n")
        try Data([0xFF, 0xFE, 0x00]).write(to: URL(fileURLWithPath: "\(folder.path)/bytes.csv"))
        let result = tool("run --check \(path)")
        #expect(result.err.contains("\(path):1:15: the track cannot be played: "), "\(result.err)")
        #expect(result.err.contains("bytes.csv is no UTF-8 text"), "\(result.err)")
        #expect(result.err.contains("\(path):2:15: the track cannot be played: "), "\(result.err)")
    }

    @Test func oneTrackTooManyHasAPlace() throws {
        let folder = try TestFolder()
        for number in 0...64 { _ = try Self.file(folder, "\(number).csv", "time,fuel\n1,2\n") }
        let lines = (0...64).map { "vehicle track \($0).csv\n" }.joined()
        let result = tool("run --check \(try Self.file(folder, "t.rig", lines))")
        #expect(result.err.contains("t.rig:65:15: a scenario plays at most 64 tracks"), "\(result.err)")
        #expect(
            tool("run --check \(try Self.file(folder, "u.rig", lines.replacing("vehicle track 64.csv\n", with: "")))")
                .code == .done)
    }

    @Test func aTrackMayBeginWithAByteOrderMark() throws {
        let folder = try TestFolder()
        _ = try Self.file(folder, "a.csv", "\u{FEFF}time,fuel\n1,2\n")
        let path = try Self.file(folder, "t.rig", "\u{FEFF}vehicle track a.csv\n")
        let result = tool("run --check \(path)")
        #expect(result.code == .done, "\(result.err)")
    }
}
