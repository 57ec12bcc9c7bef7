import ClientTestKit
import DashrigClient
import Foundation
import Glibc
import LinuxIO
import RigModel
import ScenarioCore
import Testing
import VarlinkProtocol

@testable import DashrigCommands

/// A rig that tells its state and some events to whoever subscribes.
func withStream(_ events: [JSON], body: (FakeRig) throws -> Void) throws {
    try withRig { _, peer in
        peer.reply(["state": .object(SampleRig.full), "complete": true], continues: true)
        for event in events { peer.reply(["event": event], continues: true) }
    } body: { rig throws in
        try body(rig)
    }
}

func knobEvent(_ sequence: UInt64, _ detents: Int32) -> JSON {
    SampleRig.event(sequence, .inputKnob, device: SampleRig.device(), .input(.knob(.rotate(detents: detents))))
}

@Suite struct WatchCommandTests {
    @Test func eventsAreLinesWithTheirTime() throws {
        try withStream([knobEvent(42, 3), SampleRig.event(43, .mark, .text("here\u{7}"))]) { rig throws in
            let result = tool("watch --until mark", rig: rig)
            #expect(result.code == .done && result.err.isEmpty)
            #expect(
                result.lines == [
                    "   192.000  -- 1 device, 1 session, 1 display, 1 app; epoch e1",
                    "   192.042  input.knob        iphone-1   rotate +3",
                    "   192.043  mark                         here\\u{7}",
                ])
        }
    }

    @Test func inJSONEachLineHasAKind() throws {
        let lost: JSON = ["sequence": 50, "kind": "stream.lost", "lost": ["first": 44, "last": 49, "merged": 2]]
        try withStream([knobEvent(42, 3), lost, SampleRig.event(51, .mark)]) { rig throws in
            let objects = try tool("watch --json --until mark", rig: rig).objects
            #expect(objects.map { $0["kind"] } == ["stream.state", "input.knob", "stream.lost", "mark"])
            #expect(objects[0]["epoch"] == "e1" && objects[0]["state"] == .object(SampleRig.full))
            #expect(.object(objects[1]) == knobEvent(42, 3))
            #expect(objects[2]["lost"] == ["first": 44, "last": 49, "merged": 2])
        }
    }

    @Test func filtersGoToTheRig() throws {
        try withStream([SampleRig.event(42, .mark)]) { rig throws in
            #expect(tool("watch --kinds input,mark --device a,b --until mark", rig: rig).code == .done)
            #expect(
                rig.parameters(of: "Subscribe") == ["kinds": ["input", "mark", "mark"], "devices": ["a", "b"]]
                    || rig.parameters(of: "Subscribe") == ["kinds": ["input", "mark"], "devices": ["a", "b"]])
        }
    }

    @Test func theEventOfUntilIsAskedForBesideTheKindsShown() throws {
        try withStream([
            SampleRig.event(42, .mark, .text("x")), SampleRig.event(43, .vehicleChanged, .vehicle(Vehicle())),
        ]) {
            rig throws in
            let result = tool("watch --kinds mark --until 'vehicle changed'", rig: rig)
            #expect(rig.parameters(of: "Subscribe") == ["kinds": ["mark", "vehicle.changed"]])
            #expect(result.lines.count == 3)
        }
    }

    @Test func forEndsItAndUntilDecides() throws {
        try withStream([knobEvent(42, 1)]) { rig throws in
            #expect(tool("watch --for 80ms", rig: rig).code == .done)
            let missed = tool("watch --for 80ms --until session.closed", rig: rig)
            #expect(missed.code == .failed)
            #expect(missed.err.hasPrefix("dashrig: session.closed did not come within 80ms"))
            let json = try tool("watch --for 80ms --until session.closed --json", rig: rig).objects
            #expect(json.last?["error"] == "eventDidNotCome")
        }
    }

    @Test func conditionsAreThoseOfAScenario() throws {
        try withStream([knobEvent(42, 1), knobEvent(43, -4)]) { rig throws in
            let line = "watch --until 'input.knob where knob.detents < -3' --for 5s"
            #expect(tool(line, rig: rig).lines.count == 3)
            let near = tool("watch --until 'input.knob where knob.detents = 9' --for 80ms", rig: rig)
            #expect(near.code == .failed && near.err.contains("knob.detents"))
            let own = tool("watch --until 'input.knob where knob.detents = 9 within 60ms'", rig: rig)
            #expect(own.code == .failed && own.err.contains("60ms"))
        }
    }

    @Test(arguments: [
        "sesion.active", "session", "input.knob where knob.turns = 1", "'mark\nplug iphone'", "nonsense here",
    ])
    func anEventThatCannotBeIsUsage(_ event: String) throws {
        try withStream([]) { rig throws in
            let result = tool("watch --until '\(event)'", rig: rig)
            #expect(result.code == .usage, "\(result.err)")
            #expect(rig.calls.isEmpty)
        }
    }

    @Test func aKindThatTheRigDoesNotKnowIsSuggested() throws {
        try withRig { _, peer in
            peer.fail("org.varlink.service.InvalidParameter", ["parameter": "kinds.1"], text: "kinds.1: no such kind")
        } body: { rig throws in
            let slip = tool("watch --kinds mark,sesion", rig: rig)
            #expect(slip.code == .usage)
            #expect(slip.err.contains("--kinds: there is no kind of event \"sesion\"; did you mean \"session\"?"))
            let newer = tool("watch --kinds mark", rig: rig)
            #expect(newer.code == .usage && newer.err.contains("kinds.1: no such kind"))
        }
    }

    @Test func aSlipInTheEventIsSuggested() {
        #expect(tool("watch --until sesion.active").err.contains("did you mean \"session.active\"?"))
    }

    @Test func aRestartIsToldAndWatchedOn() throws {
        let folder = try TestFolder()
        let first = try FakeRig(folder.path) { _, peer in
            peer.reply(["state": .object(SampleRig.state(epoch: "one")), "complete": true], continues: true)
            peer.close()
        }
        let directory = first.directory
        let second = Thread {
            // Only the first connection is closed: what is watched on is another rig.
            while first.closed == 0 { usleep(5_000) }
            first.stop()
            guard
                let rig = try? FakeRig(
                    directory.path,
                    handler: { _, peer in
                        peer.reply(
                            ["state": .object(SampleRig.state(epoch: "two")), "complete": true], continues: true)
                        peer.reply(["event": SampleRig.event(3, .mark)], continues: true)
                    })
            else { return }
            while rig.closed == 0 { usleep(5_000) }
            rig.stop()
        }
        second.start()
        let objects = try tool("watch --json --until mark --for 10s --socket-dir \(directory.path)").objects
        let kinds = objects.compactMap { $0["kind"]?.stringValue }
        #expect(kinds.first == "stream.state" && kinds.contains("stream.disconnected") && kinds.last == "mark")
        #expect(objects.contains { $0["epoch"] == "two" })
        while !second.isFinished { usleep(5_000) }
    }

    @Test func aSlowSubscriberIsToldInWords() throws {
        let folder = try TestFolder()
        let rig = try FakeRig(folder.path) { _, peer in
            peer.reply(["state": .object(SampleRig.full), "complete": true], continues: true)
            peer.fail("org.dashrig.Rig.SubscriberTooSlow", ["sequence": 9])
        }
        defer { rig.stop() }
        let result = tool("watch --for 300ms", rig: rig)
        #expect(result.out.contains("the rig is gone (org.dashrig.Rig.SubscriberTooSlow)"))
    }
}

@Suite struct LaunchCommandTests {
    static func input(_ id: UInt64) -> JSON {
        let event = Event(
            sequence: id + 100, time: 192_500_000_000, kind: .inputKnob, origin: .simulated,
            device: SampleRig.device().reference, input: InputReference(id: InputID(id), source: "injected"),
            payload: .input(.knob(.pressed)))
        return JSON(event.record)
    }

    static func handler(_ events: [JSON]) -> FakeRig.Handler {
        { call, peer in
            switch call.method {
            case "org.dashrig.App.Launch":
                peer.reply(["app": "t", "id": "app-1"], continues: true)
                peer.reply(["state": .object(SampleRig.full), "complete": true], continues: true)
                for event in events { peer.reply(["event": event], continues: true) }
            default: peer.reply(["acknowledged": 1])
            }
        }
    }

    @Test func itShowsWhatItIsToldAndAcknowledgesInput() throws {
        // What others are told about an input event is nothing to acknowledge.
        let told = Event(
            sequence: 60, time: 1, kind: .inputStep, origin: .simulated,
            input: InputReference(id: InputID(5), source: "injected"), payload: .step(.delivered, app: nil))
        let step = JSON(told.record)
        try withRig(.app, Self.handler([Self.input(7), step, Self.input(8)])) { rig throws in
            let result = tool("launch Demo --bundle x.demo --device iphone-1 --for 300ms", rig: rig)
            #expect(result.code == .done && result.err.isEmpty)
            #expect(result.lines.first == "            -- Demo is launched as app-1")
            #expect(result.lines.contains("   192.500  input.knob        iphone-1   press"))
            #expect(
                rig.parameters(of: "Launch") == [
                    "manifest": ["name": "Demo", "bundle": "x.demo"], "device": "iphone-1",
                ])
            let ids = rig.calls.filter { $0.method.hasSuffix("Acknowledge") }.flatMap {
                $0.parameters["ids"]?.arrayValue ?? []
            }
            #expect(ids == [7, 8])
        }
    }

    @Test func itCanBeSilent() throws {
        try withRig(.app, Self.handler([Self.input(7)])) { rig throws in
            #expect(tool("launch Demo --no-acknowledge --for 200ms", rig: rig).code == .done)
            #expect(!rig.calls.contains { $0.method.hasSuffix("Acknowledge") })
        }
    }

    @Test func inJSONEachLineHasAKind() throws {
        try withRig(.app, Self.handler([Self.input(7)])) { rig throws in
            let kinds = try tool("launch Demo --json --for 200ms", rig: rig).objects.map { $0["kind"] }
            #expect(kinds == ["app.launched", "stream.state", "input.knob"])
        }
    }

    @Test func aRefusedLaunchIsAFailure() throws {
        try withRig(.app) { _, peer in
            peer.fail("org.dashrig.App.UnknownDevice", ["id": "iphnoe-1", "known": ["iphone-1"]])
        } body: { rig throws in
            let result = tool("launch Demo --device iphnoe-1", rig: rig)
            #expect(result.code == .failed && result.err.contains("did you mean \"iphone-1\"?"))
        }
    }
}

@Suite struct RunCommandTests {
    static let entries: [TimelineEntry] = [
        TimelineEntry(time: 0, kind: .step, text: "plug iphone as phone", line: 1),
        TimelineEntry(
            time: 1_000_000, kind: .event, text: "touch",
            event: RecordValue(
                [
                    "kind": "input.touch", "touch": ["contacts": [["id": 0, "x": 1, "y": 2, "phase": "moved"]]],
                ] as JSON)),
        TimelineEntry(time: 2_000_000, kind: .expectation, text: "session.active within 2s", line: 2),
    ]

    static func verdict(_ outcome: Outcome) -> Verdict {
        let place = SourcePlace(file: "t.rig", line: 2, column: 1)
        let failures =
            outcome == .passed
            ? [] : [RunFailure(outcome: outcome, place: place, step: "expect session active", text: "it did not come")]
        var counts = RunCounts()
        counts.steps = 2
        return Verdict(
            name: "t.rig", file: "t.rig", outcome: outcome, duration: 2_500_000_000, counts: counts, failures: failures)
    }

    static func handler(_ outcome: Outcome) -> FakeRig.Handler {
        { _, peer in
            for entry in entries { peer.reply(["entry": JSON(entry.record)], continues: true) }
            peer.reply(["verdict": JSON(verdict(outcome).record)])
        }
    }

    /// A file of a test, with a scenario that is right.
    static func file(_ folder: TestFolder, _ text: String = "plug iphone as phone\nexpect session active within 2s\n")
        throws -> String
    {
        let path = "\(folder.path)/t.rig"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test(arguments: Outcome.allCases) func theExitCodeIsTheVerdicts(_ outcome: Outcome) throws {
        let folder = try TestFolder()
        let path = try Self.file(folder)
        try withRig(.rig, Self.handler(outcome)) { rig throws in
            let result = tool("run \(path)", rig: rig)
            #expect(result.code.rawValue == outcome.exitCode && result.err.isEmpty)
            #expect(result.out.contains("▸ plug iphone as phone"))
            #expect(result.out.contains("t: "), "the verdict has the file's name: \(result.out)")
            let parameters = try #require(rig.parameters(of: "Run"))
            #expect(parameters["scenario"]?.stringValue?.hasPrefix("plug iphone as phone\n") == true)
            #expect(parameters["name"] == .string(path))
        }
    }

    @Test func routineLinesAreShownWhenAskedFor() throws {
        let folder = try TestFolder()
        let path = try Self.file(folder)
        try withRig(.rig, Self.handler(.passed)) { rig throws in
            #expect(!tool("run \(path)", rig: rig).out.contains("· touch"))
            #expect(tool("run --full \(path)", rig: rig).out.contains("· touch"))
        }
    }

    @Test func inJSONEveryLineIsThereAndTheVerdictIsLast() throws {
        let folder = try TestFolder()
        let path = try Self.file(folder)
        try withRig(.rig, Self.handler(.failed)) { rig throws in
            let result = tool("run --json --name nightly \(path)", rig: rig)
            #expect(result.code == .failed)
            let objects = try result.objects
            #expect(objects.count == 4)
            #expect(objects.dropLast().allSatisfy { $0["entry"] != nil })
            let verdict = try #require(objects.last?["verdict"]?.objectValue)
            #expect(verdict["outcome"] == "failed" && verdict["name"] == "nightly" && verdict["file"] == .string(path))
        }
    }

    @Test func theReportIsWritten() throws {
        let folder = try TestFolder()
        let path = try Self.file(folder)
        let report = "\(folder.path)/report.xml"
        try withRig(.rig, Self.handler(.failed)) { rig throws in
            #expect(tool("run \(path) --junit \(report)", rig: rig).code == .failed)
            let xml = try String(contentsOfFile: report, encoding: .utf8)
            #expect(xml.contains("<testcase name=\"t\"") && xml.contains("<failure type=\"failed\""))
            #expect(xml.contains("timestamp=\"20"))
        }
        try withRig(.rig, Self.handler(.passed)) { rig throws in
            let result = tool("run \(path) --junit /nowhere/report.xml", rig: rig)
            #expect(result.code == .usage && result.err.contains("the report cannot be written"))
        }
    }

    @Test func aReportDoesNotReplaceWhatIsNoFile() throws {
        let folder = try TestFolder()
        let path = try Self.file(folder, "nonsense\n")
        let fifo = "\(folder.path)/fifo"
        try #require(mkfifo(fifo, 0o600) == 0)
        // Opened for both, so that neither side waits for the other.
        let reader = OwnedDescriptor(adopting: open(fifo, O_RDWR | O_NONBLOCK))
        #expect(tool("run \(path) --junit \(fifo)").err.contains("t.rig:1:1"))
        var buffer = [UInt8](repeating: 0, count: 65_536)
        guard case .bytes(let count) = buffer.withUnsafeMutableBytes({ reader.read(into: $0) }) else {
            Issue.record("nothing came through the pipe")
            return
        }
        #expect(String(decoding: buffer[..<count], as: UTF8.self).hasSuffix("</testsuites>\n"))
        var facts = stat()
        #expect(lstat(fifo, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO)

        let target = "\(folder.path)/real.xml"
        try "old".write(toFile: target, atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/link.xml", withDestinationPath: "real.xml")
        _ = tool("run \(path) --junit \(folder.path)/link.xml")
        #expect(try String(contentsOfFile: target, encoding: .utf8).hasPrefix("<?xml"))
        #expect(lstat("\(folder.path)/link.xml", &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK)

        guard ProcessTests.hasFullDevice else { return }
        let full = tool("run \(path) --junit /dev/full")
        #expect(full.code == .usage && full.err.contains("No space left on device"))
    }

    @Test func aWrongFileShowsWhereBeforeARigIsAsked() throws {
        let folder = try TestFolder()
        let path = try Self.file(folder, "plug iphone\nexpcet session active\n")
        let report = "\(folder.path)/report.xml"
        let result = tool("run \(path) --junit \(report) --socket-dir /nowhere")
        #expect(result.code == .usage && result.out.isEmpty)
        let lines = result.err.split(separator: "\n")
        #expect(lines[0].hasPrefix("dashrig: \(path):2:1: "))
        #expect(lines[1] == " 2 | expcet session active")
        #expect(lines[2] == "   | ^~~~~~")
        #expect(try String(contentsOfFile: report, encoding: .utf8).contains("<error type=\"scriptWrong\""))
        let json = try tool("run \(path) --json --socket-dir /nowhere").json
        #expect(json["error"] == "scenarioWrong" && json["problems"]?.arrayValue?.count == 1)
    }

    @Test func checkingNeedsNoRig() throws {
        let folder = try TestFolder()
        let path = try Self.file(folder)
        #expect(tool("run --check \(path) --socket-dir /nowhere").lines == ["\(path): 2 steps, nothing wrong"])
        #expect(try tool("run --check --json \(path)").json["steps"] == 2)
    }

    @Test func aFileThatCannotBeReadIsUsage() throws {
        let folder = try TestFolder()
        #expect(tool("run \(folder.path)/none.rig").code == .usage)
        #expect(tool("run \(folder.path)").err.contains("not a regular file"))
        let path = try Self.file(folder, String(repeating: "#", count: Scenario.maximumBytes + 1))
        #expect(tool("run \(path)").err.contains("longer than \(Scenario.maximumBytes) bytes"))
    }

    @Test func theRigsProblemsAreShownToo() throws {
        let folder = try TestFolder()
        let path = try Self.file(folder)
        try withRig { _, peer in
            peer.fail("org.dashrig.Rig.ScenarioWrong", ["problems": ["t.rig:1:1: no such profile"]], text: "wrong")
        } body: { rig throws in
            let result = tool("run \(path)", rig: rig)
            #expect(result.code == .usage && result.err.contains("t.rig:1:1: no such profile"))
        }
    }

    @Test func aRigThatGoesAwayLeavesAReport() throws {
        let folder = try TestFolder()
        let path = try Self.file(folder)
        let report = "\(folder.path)/report.xml"
        try withRig { _, peer in
            peer.reply(["entry": JSON(Self.entries[0].record)], continues: true)
            peer.close()
        } body: { rig throws in
            let result = tool("run \(path) --junit \(report)", rig: rig)
            #expect(result.code == .rig && result.out.contains("plug iphone as phone"))
            #expect(try String(contentsOfFile: report, encoding: .utf8).contains("<error type=\"rigFailed\""))
        }
    }

    @Test func anInterruptionStopsTheRun() throws {
        let folder = try TestFolder()
        let path = try Self.file(folder)
        let report = "\(folder.path)/report.xml"
        let pipe = try LinuxIO.Pipe()
        try withRig { _, peer in
            peer.reply(["entry": JSON(Self.entries[0].record)], continues: true)
            _ = pipe.writer.write([1])
        } body: { rig throws in
            let result = tool("run \(path) --junit \(report)", rig: rig, interrupt: pipe.reader.rawValue)
            #expect(result.code == .interrupted)
            #expect(try String(contentsOfFile: report, encoding: .utf8).contains("<error type=\"interrupted\""))
            for _ in 0..<500 where rig.closed == 0 { usleep(10_000) }
            #expect(rig.closed == 1)
        }
    }

    @Test func aVerdictThatCannotBeReadIsTheRigsFault() throws {
        let folder = try TestFolder()
        let path = try Self.file(folder)
        try withRig { _, peer in
            peer.reply(["verdict": ["outcome": "maybe"]])
        } body: { rig throws in
            #expect(tool("run \(path)", rig: rig).code == .rig)
        }
    }
}
