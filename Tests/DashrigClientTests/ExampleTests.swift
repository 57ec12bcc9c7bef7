import ClientTestKit
import DashrigClient
import RigModel
import Testing
import VarlinkProtocol

/// The app of README, as a newcomer would write it.
private func hello(_ folder: SocketDirectory, said: (String) -> Void) throws {
    let app = AppConnection(socketDirectory: folder, manifest: AppManifest(name: "Hello"))
    while case .update(let update) = try app.next(until: deadline()) {
        switch update {
        case .launched(let id): said("I am \(id)")
        case .state(let state): said("I see \(state.displays.map(\.id))")
        case .event(let event):
            said(event.kind)
            if let id = event.acknowledgeableID { try app.acknowledge([id]) }
        case .lost: continue
        case .disconnected: return
        }
    }
}

@Suite struct ExampleTests {
    @Test func theAppOfTheREADMEWorks() throws {
        let launch = AppConnectionTests.app("t")
        try withRig(.app) { call, peer in
            launch(call, peer)
            if call.method.hasSuffix("Acknowledge") { launched.value?.close() } else { launched.value = peer }
        } body: { rig in
            var said: [String] = []
            try hello(rig.directory) { said.append($0) }
            #expect(said == ["I am app-7", "I see [\"s1/main\"]", "input.knob"])
            #expect(rig.parameters(of: "Acknowledge")?["ids"] == [31])
        }
    }

    @Test func onlyInputItselfIsAcknowledged() {
        func id(_ kind: String) -> UInt64? {
            let input = RecordValue.object([RecordField("id", .int(4))])
            return EventView(.object([RecordField("kind", .string(kind)), RecordField("input", input)]))
                .acknowledgeableID
        }
        #expect(id("input.knob") == 4 && id("input.touch") == 4 && id("input.pedal") == 4)
        #expect(id("input.step") == nil && id("input.lost") == nil && id("mark") == nil)
    }
}

private let launched = Held<FakeRig.Peer>()
