import ClientTestKit
import DashrigClient
import Foundation
import RigModel
import ScenarioCore
import Testing
import VarlinkProtocol

@testable import DashrigCommands

/// `dashrig run` with a script for another console.
@Suite struct RunScriptTests {
    private static let script = "dpad up; dpad click\nsleep 1\n"
    private static let scenario = """
        knob nudge up               # 1
        knob press                  # 1
        wait 1s                     # 2

        """

    private static func file(_ folder: TestFolder, _ name: String, _ text: String = script) throws -> String {
        let path = "\(folder.path)/\(name)"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test(arguments: ["t.dhu", "t.txt"]) func theRigGetsOurWords(_ name: String) throws {
        let folder = try TestFolder()
        let path = try Self.file(folder, name)
        try withRig(.rig, RunCommandTests.handler(.passed)) { rig throws in
            let option = name.hasSuffix(".dhu") ? "" : "--dhu "
            let result = tool("run \(option)\(path)", rig: rig)
            #expect(result.code == .done && result.err.isEmpty)
            let parameters = try #require(rig.parameters(of: "Run"))
            #expect(parameters["scenario"] == .string(Self.scenario))
            #expect(parameters["name"] == .string("\(path) (translated)"))
            #expect(result.out.contains(name == "t.dhu" ? "  t: " : "  t.txt: "), "\(result.out)")
        }
    }

    @Test func theScenarioIsShownAndNotRun() throws {
        let folder = try TestFolder()
        let path = try Self.file(folder, "t.dhu")
        let result = tool("run --print \(path) --socket-dir /nowhere")
        #expect(result.code == .done && result.out == Self.scenario)
        #expect(
            try tool("run --print --json \(path)").json
                == ["file": .string(path), "steps": 3, "scenario": .string(Self.scenario)])
        let again = try Self.file(folder, "again.rig", result.out)
        #expect(tool("run --check \(again)").lines == ["\(again): 3 steps, nothing wrong"])
        #expect(tool("run --print \(again)").out == Self.scenario)
        #expect(tool("run --check \(path)").lines == ["\(path): 3 steps, nothing wrong"])
    }

    @Test func whatIsWrongHasItsPlaceInTheScript() throws {
        let folder = try TestFolder()
        let path = try Self.file(folder, "t.dhu", "day\ndpad up; accel 3\n")
        let result = tool("run \(path) --junit \(folder.path)/report.xml --socket-dir /nowhere")
        #expect(result.code == .usage && result.out.isEmpty)
        #expect(result.err.hasPrefix("dashrig: \(path):2:10: 'accel' has no meaning here: "))
        #expect(try String(contentsOfFile: "\(folder.path)/report.xml", encoding: .utf8).contains("scriptWrong"))
        let json = try tool("run --json \(path)").json
        #expect(json["error"] == "scenarioWrong" && json["problems"]?.arrayValue?.count == 1)
    }

    @Test func ourFilesHoldNoneOfItsWords() throws {
        let folder = try TestFolder()
        let path = try Self.file(folder, "t.rig", "dpad up\n")
        #expect(tool("run --check \(path)").err.contains("there is no step 'dpad'"))
    }
}
