import ClientTestKit
import DashrigClient
import RigModel
import Testing
import VarlinkProtocol

@Suite struct AppConnectionTests {
    static func app(_ token: String) -> FakeRig.Handler {
        { call, peer in
            switch call.method {
            case "org.dashrig.App.Launch":
                peer.reply(["app": .string(token), "id": "app-7"], continues: true)
                peer.reply(["state": .object(SampleRig.full), "complete": true], continues: true)
                let reference = InputReference(id: InputID(31), source: "injected")
                let event = Event(
                    sequence: 42, time: 1, kind: .inputKnob, origin: .simulated, input: reference,
                    payload: .input(.knob(.rotate(detents: 2))))
                peer.reply(["event": JSON(event.record)], continues: true)
            case "org.dashrig.App.Acknowledge":
                if call.parameters["app"] == .string(token) {
                    peer.reply(["acknowledged": .int(Int64(call.parameters["ids"]?.arrayValue?.count ?? 0))])
                } else {
                    peer.fail("org.dashrig.App.UnknownApp")
                }
            default: peer.fail("org.varlink.service.MethodNotFound")
            }
        }
    }

    static func update(_ app: AppConnection) throws -> AppUpdate {
        guard case .update(let update) = try app.next(until: deadline()) else { throw NothingCame() }
        return update
    }

    @Test func anAppIsLaunchedAndAcknowledgesWithItsToken() throws {
        try withRig(.app, Self.app("t1")) { rig in
            let app = AppConnection(
                socketDirectory: rig.directory, manifest: AppManifest(name: "Maps", bundle: "x.maps"), device: "a")
            #expect(try app.acknowledge([1]) == 0)
            #expect(try Self.update(app) == .launched(id: "app-7"))
            guard case .state(let state) = try Self.update(app) else { Issue.record("no state"); return }
            #expect(state.displays.count == 1)
            guard case .event(let event) = try Self.update(app) else { Issue.record("no event"); return }
            #expect(event.inputID == 31)
            #expect(try app.acknowledge([31]) == 1)
            #expect(try app.acknowledge([]) == 0)
            #expect(
                rig.parameters(of: "Launch") == ["manifest": ["name": "Maps", "bundle": "x.maps"], "device": "a"])
            #expect(rig.parameters(of: "Acknowledge") == ["app": "t1", "ids": [31]])
            #expect(rig.calls.map(\.more) == [true, false])
        }
    }

    @Test func afterARestartTheAppHasANewToken() throws {
        let folder = try TestFolder()
        let first = try FakeRig(folder.path, .app, handler: Self.app("t1"))
        let app = AppConnection(socketDirectory: first.directory, manifest: AppManifest(name: "Maps"))
        for _ in 0..<3 { _ = try Self.update(app) }
        #expect(try app.acknowledge([31]) == 1)
        first.stop()
        guard case .disconnected = try Self.update(app) else { Issue.record("not told"); return }
        #expect(try app.acknowledge([31]) == 0)
        let second = try FakeRig(folder.path, .app, handler: Self.app("t2"))
        defer { second.stop() }
        #expect(try Self.update(app) == .launched(id: "app-7"))
        #expect(try app.acknowledge([32]) == 1)
        #expect(second.parameters(of: "Acknowledge")?["app"] == "t2")
    }

    @Test func aRefusedLaunchIsThrown() throws {
        try withRig(.app) { _, peer in
            peer.fail("org.dashrig.App.UnknownDevice", ["id": "x", "known": []])
        } body: { rig in
            let app = AppConnection(socketDirectory: rig.directory, manifest: AppManifest(name: "Maps"), device: "x")
            #expect(throws: ClientFailure.self) { try app.next(until: deadline()) }
        }
    }

    @Test func aFailedAcknowledgementMakesTheNextOneConnectAnew() throws {
        let calls = Held<Int>()
        try withRig(.app) { call, peer in
            if call.method.hasSuffix("Launch") { return Self.app("t")(call, peer) }
            calls.value = (calls.value ?? 0) + 1
            if calls.value == 1 { peer.close() } else { peer.reply(["acknowledged": 1]) }
        } body: { rig in
            let app = AppConnection(socketDirectory: rig.directory, manifest: AppManifest(name: "Maps"))
            for _ in 0..<3 { _ = try Self.update(app) }
            #expect(throws: ClientFailure.self) { try app.acknowledge([31]) }
            #expect(try app.acknowledge([31]) == 1)
        }
    }
}

@Suite struct RunStreamTests {
    @Test func linesThenAVerdict() throws {
        try withRig { _, peer in
            peer.reply(["entry": ["time": 0, "kind": "step", "text": "a"]], continues: true)
            peer.reply(["entry": ["time": 5, "kind": "note", "text": "b"]], continues: true)
            peer.reply(["verdict": ["outcome": "passed"]])
        } body: { rig in
            let run = try RunStream(socketDirectory: rig.directory, scenario: "wait 1s", name: "x.rig")
            guard case .entry(let first) = try run.next(until: deadline()) else { Issue.record("no entry"); return }
            #expect(first.text("text") == "a")
            guard case .entry = try run.next(until: deadline()) else { Issue.record("no second entry"); return }
            #expect(try run.next(until: deadline()) == .verdict(.object([RecordField("outcome", .string("passed"))])))
            #expect(
                rig.calls == [
                    VarlinkCall(
                        method: "org.dashrig.Rig.Run", parameters: ["scenario": "wait 1s", "name": "x.rig"], more: true)
                ])
        }
    }

    @Test func anEndWithoutAVerdictIsAViolation() throws {
        try withRig { _, peer in
            peer.reply([:])
        } body: { rig in
            let run = try RunStream(socketDirectory: rig.directory, scenario: "", name: "x")
            #expect(throws: ClientFailure.protocolViolation("the run ended without a verdict")) {
                try run.next(until: deadline())
            }
        }
    }

    @Test func goingAwayClosesTheConnection() throws {
        try withRig { _, peer in
            peer.reply(["entry": ["text": "a"]], continues: true)
        } body: { rig in
            do {
                let run = try RunStream(socketDirectory: rig.directory, scenario: "", name: "x")
                _ = try run.next(until: deadline())
            }
            for _ in 0..<500 where rig.closed == 0 { pause() }
            #expect(rig.closed == 1)
        }
    }

    @Test func aWrongScenarioIsRefusedWithItsProblems() throws {
        try withRig { _, peer in
            peer.fail("org.dashrig.Rig.ScenarioWrong", ["problems": ["x:1:1: no", "x:2:1: no"]], text: "it is wrong")
        } body: { rig in
            let run = try RunStream(socketDirectory: rig.directory, scenario: "", name: "x")
            let failure = #expect(throws: ClientFailure.self) { try run.next(until: deadline()) }
            #expect(failure?.text == "x:1:1: no\nx:2:1: no")
        }
    }
}
