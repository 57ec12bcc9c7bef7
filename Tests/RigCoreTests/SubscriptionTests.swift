import RigConfiguration
import RigModel
import Testing

@testable import RigCore

/// What a subscriber selects, and the state that it gets first.
@Suite struct SubscriptionTests {
    @Test func everythingIsToldInOrder() throws {
        var bench = Bench()
        let client = try bench.subscribe()
        bench.plug("iphone", "phone")
        bench.command(.inject(Injection(.press(hold: 0))))
        bench.unplug("phone")
        #expect(bench.streams[client] == bench.events)
    }

    @Test(arguments: EventKind.allCases) func aKindSelectsItself(kind: EventKind) throws {
        let filter = try EventFilter(kinds: [kind.rawValue], devices: nil)
        for other in EventKind.allCases {
            let event = Event(time: 0, kind: other, origin: .declared)
            #expect(filter.passes(event) == (other == kind || other == .resync || other == .streamLost))
        }
    }

    @Test(arguments: ["device", "session", "display", "input", "app", "configuration", "phone", "front", "vehicle"])
    func aBeginningSelectsAllThatFollow(beginning: String) throws {
        let filter = try EventFilter(kinds: [beginning], devices: nil)
        for kind in EventKind.allCases {
            let event = Event(time: 0, kind: kind, origin: .declared)
            let selected = kind.rawValue.hasPrefix("\(beginning).") || kind == .resync || kind == .streamLost
            #expect(filter.passes(event) == selected)
        }
    }

    @Test func severalSelectAllOfTheirs() throws {
        let filter = try EventFilter(kinds: ["mark", "input.knob", "device"], devices: nil)
        let selected = EventKind.allCases.filter { filter.passes(Event(time: 0, kind: $0, origin: .declared)) }
        #expect(
            selected == [
                .deviceAttached, .deviceChanged, .deviceDetached, .deviceRefused, .inputKnob, .mark, .resync,
                .streamLost,
            ])
        let none = try EventFilter(kinds: [], devices: nil)
        #expect(EventKind.allCases.filter { none.passes(Event(time: 0, kind: $0, origin: .declared)) }.count == 2)
    }

    @Test(arguments: ["", ".", "devic", "device.", "device.attache", "Device", "input.knob.", "*", "stream.lost2"])
    func anUnknownKindIsNamedWithItsPlace(name: String) {
        let failure = #expect(throws: CommandFailure.self) { try EventFilter(kinds: ["device", name], devices: nil) }
        guard case .invalidParameter(let field, let text)? = failure else { return }
        #expect(field == "kinds.1")
        #expect(text.hasPrefix("no kind of event is called '\(name)'"))
    }

    @Test func aListOfKindsHasALimit() throws {
        let most = Array(repeating: "mark", count: EventFilter.maximumKinds)
        _ = try EventFilter(kinds: most, devices: nil)
        #expect(throws: CommandFailure.invalidParameter("kinds", text: "at most 64 kinds, not 65")) {
            try EventFilter(kinds: most + ["mark"], devices: nil)
        }
    }

    @Test func aListOfDevicesHasALimit() throws {
        let most = (1...EventFilter.maximumDevices).map { "d\($0)" }
        _ = try EventFilter(kinds: nil, devices: most)
        #expect(throws: CommandFailure.invalidParameter("devices", text: "at most 1024 devices, not 1025")) {
            try EventFilter(kinds: nil, devices: most + ["x"])
        }
    }

    @Test func devicesSelectTheirEventsOnly() throws {
        var bench = Bench()
        let client = try bench.subscribe(devices: ["b", "a", "b"])
        let nobody = try bench.subscribe(devices: [])
        bench.plug("iphone", "a")
        bench.plug("iphone", "c")
        bench.command(.setVehicle(VehicleChange(appearance: .dark)))
        bench.command(.mark("m"))
        bench.unplug("c")
        bench.unplug("a")
        bench.handle(.resynchronized(Reason("overflow", .local, "")))
        let told = bench.streams[client] ?? []
        #expect(told == bench.events.filter { $0.device?.name == "a" || $0.kind == .resync })
        #expect(told.contains { $0.kind == .inputKnob } == false)
        #expect(told.count > 10)
        #expect(bench.streams[nobody]?.map(\.kind) == [.resync], "who reads must know that a bus was read again")
    }

    @Test func kindsAndDevicesBothMustFit() throws {
        var bench = Bench()
        let client = try bench.subscribe(kinds: ["session.active"], devices: ["b"])
        bench.plug("iphone", "a")
        bench.plug("iphone", "b")
        #expect(bench.streams[client]?.map(\.device?.name) == ["b"])
        #expect(bench.streams[client]?.map(\.kind) == [.sessionActive])
    }

    @Test(arguments: [0, 1, 31, 32, 33, 64, 65, 100]) func theStateComesInPartsThatMakeTheWhole(count: Int) throws {
        var bench = Bench()
        for number in 0..<count {
            // Some with sessions, so that the lists differ in length.
            if number % 9 == 0 {
                bench.plug("iphone")
            } else {
                bench.attach(.knob("SERIAL-\(number)", port: "2-\(number)"))
            }
        }
        if count > 1 { _ = bench.launch() }
        let client = try bench.subscribe()
        let parts = try #require(bench.replies[client])
        #expect(parts.count == max(1, (count + 31) / 32))
        for (index, part) in parts.enumerated() {
            #expect(part.value(at: "complete") == .bool(index == parts.count - 1))
        }
        let whole = bench.state()
        for list in ["devices", "sessions", "displays", "apps"] {
            var joined: [RecordValue] = []
            for part in parts {
                guard case .array(let piece)? = part.value(at: "state.\(list)") else {
                    Issue.record("every part has \(list)")
                    continue
                }
                #expect(piece.count <= 32)
                joined += piece
            }
            #expect(whole.value(at: list) == .array(joined))
        }
        for field in ["epoch", "sequence", "time", "base", "realtime", "version", "front", "vehicle"] {
            for part in parts { #expect(part.value(at: "state.\(field)") == whole.value(at: field)) }
        }
        #expect(whole.value(at: "devices")?.count == count)
    }

    @Test func theStateTellsTheRigItself() {
        let identity = CoreIdentity(epoch: "e", base: 5, realtime: 6, bootID: "boot", seed: 9)
        var core = RigCore(settings: CoreSettings(.shipped, version: "1.2"), identity: identity)
        var buffer = ActionBuffer()
        let client = ClientID(1)
        core.handle(.clientConnected(client, ClientCredentials(pid: 1, uid: 1, gid: 1)), at: 3, into: &buffer)
        core.handle(.clientCalled(client, .getState), at: 7, into: &buffer)
        guard case .reply(_, let reply, continues: false)? = buffer.actions.last else {
            Issue.record("GetState is answered")
            return
        }
        let expected: [(String, RecordValue)] = [
            ("epoch", .string("e")), ("sequence", .int(0)), ("time", .int(7)), ("base", .int(5)), ("realtime", .int(6)),
            ("bootID", .string("boot")), ("version", .string("1.2")),
        ]
        for (field, value) in expected { #expect(reply.value(at: "state.\(field)") == value) }
    }

    @Test func timeStandsStillWhenItIsToldToGoBack() {
        var bench = Bench()
        bench.now = 100
        bench.command(.mark("a"))
        bench.now = 50
        bench.command(.mark("b"))
        #expect(bench.events.map(\.time) == [100, 100])
    }
}
