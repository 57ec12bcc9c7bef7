import ClientTestKit
import DashrigClient
import Foundation
import ScenarioCore
import Testing
import VarlinkProtocol

@testable import DashrigCommands

/// `dashrig scenario`, and what `dashrig run` sends along.
@Suite struct ScenarioCommandTests {
    /// A file in a folder of the test.
    private static func write(_ folder: TestFolder, _ name: String, _ text: String) throws -> String {
        let path = "\(folder.path)/\(name)"
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test func checkTellsEveryMistakeOfEveryFile() throws {
        let folder = try TestFolder()
        let right = try Self.write(folder, "a.rig", "table n\nrow 1\nrow 2\nknob rotate ${n}\n")
        let wrong = try Self.write(folder, "b.rig", "include lib/c.rig\nmrk x\n")
        _ = try Self.write(folder, "lib/c.rig", "mark c\nplg iphone\n")
        let result = tool("scenario check \(right) \(wrong)")
        #expect(result.code == .usage)
        #expect(result.lines == ["\(right): 1 step in each of 2 runs, nothing wrong"])
        #expect(result.err.contains("\(folder.path)/lib/c.rig:2:1: there is no step 'plg'"))
        #expect(result.err.contains("included by \(wrong):1"))
        #expect(result.err.contains("b.rig:2:1: there is no step 'mrk'"))
        #expect(tool("scenario check \(right)").code == .done)
        let json = try tool("scenario check --json \(right)").json
        #expect(json["problems"]?.arrayValue?.isEmpty == true && json["file"] == .string(right))
    }

    @Test func aFileThatIsNotThereIsToldWithItsLine() throws {
        let folder = try TestFolder()
        let path = try Self.write(folder, "a.rig", "mark x\ninclude none.rig\n")
        let result = tool("scenario check \(path)")
        #expect(result.code == .usage)
        #expect(result.err.contains("\(path):2:9: ") && result.err.contains("none.rig"))
        let track = try Self.write(folder, "t.rig", "vehicle track none.csv\n")
        #expect(tool("run --check \(track)").err.contains("\(track):1:15: "))
    }

    @Test func formatWritesTheUsualForm() throws {
        let folder = try TestFolder()
        let text = "repeat  2 {\nmark  a  b   # c\n}\n\n\n"
        let form = "repeat 2 {\n    mark a  b  # c\n}\n"
        let path = try Self.write(folder, "a.rig", text)
        let checked = tool("scenario format --check \(path)")
        #expect(checked.code == .failed && checked.out.contains("not formatted"))
        #expect(tool("scenario format --print \(path)").out == form)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        #expect(tool("scenario format \(path)").lines == ["\(path): formatted"])
        #expect(try String(contentsOfFile: path, encoding: .utf8) == form)
        #expect(tool("scenario format \(path)").lines == ["\(path): formatted already"])
        #expect(tool("scenario format --check \(path)").code == .done)
        let wrong = try Self.write(folder, "b.rig", "repeat 2 {\nmark a\n")
        #expect(tool("scenario format \(wrong)").code == .usage)
        #expect(try String(contentsOfFile: wrong, encoding: .utf8) == "repeat 2 {\nmark a\n")
    }

    @Test func explainTellsWhatAndWhen() throws {
        let folder = try TestFolder()
        let path = try Self.write(
            folder, "a.rig", "param n = 3\nrepeat 2 {\n    knob rotate ${n}\n}\nat +1s unplug p surprise\n")
        #expect(
            tool("scenario explain \(path) --set n=-4").out == """
                parameter n: -4, when nobody says 3
                    3  knob rotate -4
                       at the start (the first of 2 times): turns the knob counterclockwise by 4 detents, at once, \
                for the session in front
                    5  at +1s unplug p surprise
                       1s after the start: pulls the cable of 'p'

                """)
        let objects = try tool("scenario explain --json \(path)").objects
        #expect(objects.count == 2 && objects[0]["count"] == 2 && objects[1]["when"] == "1s after the start")
        #expect(tool("scenario explain \(path) --set m=1").err.contains("there is no parameter 'm'"))
        #expect(tool("scenario explain \(path) --set m").err.contains("is not NAME=VALUE"))
    }

    @Test func runSendsWhatTheScenarioNeeds() throws {
        let folder = try TestFolder()
        _ = try Self.write(folder, "lib/c.rig", "include d.rig\n")
        _ = try Self.write(folder, "lib/d.rig", "mark d\n")
        let path = try Self.write(folder, "a.rig", "param x\nparam y = 1\ninclude lib/c.rig\nmark ${x}${y}\n")
        try withRig(.rig, RunCommandTests.handler(.passed)) { rig throws in
            #expect(tool("run \(path) --set x=a=b --set y=2 --seed 7", rig: rig).code == .done)
            let parameters = try #require(rig.parameters(of: "Run"))
            let names = parameters["includes"]?.arrayValue?.compactMap { $0.objectValue?["name"]?.stringValue }
            #expect(names == ["lib/c.rig", "lib/d.rig"])
            #expect(
                parameters["values"]
                    == .array([
                        .object(["name": "x", "value": "a=b"]), .object(["name": "y", "value": "2"]),
                    ]))
            #expect(parameters["seed"] == 7 && parameters["row"] == nil)
        }
    }

    @Test func eachRowIsARunWithItsOwnTestCase() throws {
        let folder = try TestFolder()
        let path = try Self.write(folder, "a.rig", "table n\nrow 1\nrow 2\nknob rotate ${n}\n")
        let report = "\(folder.path)/report.xml"
        try withRig(.rig, RunCommandTests.handler(.failed)) { rig throws in
            let result = tool("run \(path) --junit \(report)", rig: rig)
            #expect(result.code == .failed)
            #expect(result.out.contains("row 1: n=1") && result.out.contains("FAILED  a [2: n=2]"))
            #expect(rig.calls.compactMap { $0.parameters["row"] } == [1, 2])
            let xml = try String(contentsOfFile: report, encoding: .utf8)
            #expect(xml.contains("tests=\"2\"") && xml.contains("<testcase name=\"a [1: n=1]\""))
            #expect(tool("run \(path) --row 2", rig: rig).out.contains("row 1: n=1") == false)
            #expect(rig.calls.compactMap { $0.parameters["row"] } == [1, 2, 2])
        }
    }
}
