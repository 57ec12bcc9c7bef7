import RigConfiguration
import RigModel
import Testing

@testable import RigCore

/// What an app is told: that of its session, and nothing else.
@Suite struct AppTests {
    @Test func launchingWithoutAnythingPluggedIn() throws {
        var bench = Bench()
        let app = bench.launch("music", token: "secret")
        let reply = try #require(bench.replies[app]?.first)
        #expect(bench.replies[app]?.count == 1)
        #expect(reply.value(at: "app")?.text == "secret")
        #expect(reply.value(at: "id")?.text == "app-1")
        #expect(reply.value(at: "complete") == .bool(true))
        #expect(reply.value(at: "state.front") == nil)
        for list in ["devices", "sessions", "displays"] { #expect(reply.value(at: "state.\(list)")?.count == 0) }
        #expect(reply.value(at: "state.apps.0.name")?.text == "music")
        #expect(reply.value(at: "state.apps.0.uid")?.int == 1000)
        #expect(reply.value(at: "state.apps.0.session") == nil)
        #expect(bench.kinds() == [.appLaunched])
    }

    @Test func launchingIntoARunningSession() throws {
        var bench = Bench()
        let unit = try #require(bench.core.headUnits.first { $0.displays.count > 1 })
        bench.plug("iphone", "phone", displays: unit.name)
        bench.plug("iphone", "other")
        let app = bench.launch("music")
        let state = try #require(bench.replies[app]?.first?.value(at: "state"))
        #expect(state.value(at: "devices")?.count == 1)
        #expect(state.value(at: "devices.0.id")?.text == "phone")
        #expect(state.value(at: "sessions")?.count == 1)
        #expect(state.value(at: "sessions.0.phase")?.text == "active")
        #expect(state.value(at: "displays")?.count == unit.displays.count)
        #expect(state.value(at: "front")?.text == "s1")
        #expect(state.value(at: "apps.0.session")?.text == "s1")
        #expect(bench.streams[app] == nil, "everything else is still to come")
        #expect(state.value(at: "sequence")?.int == Int64(bench.events.count))
        let launched = try #require(bench.events.last)
        #expect(launched.kind == .appLaunched)
        #expect(launched.session == SessionID(1))
    }

    @Test func anAppIsToldOfItsSessionOnly() throws {
        var bench = Bench()
        let app = bench.launch()
        bench.plug("iphone", "phone")
        #expect(bench.streams[app]?.map(\.kind) == [.sessionActive, .displayAdded, .frontChanged])
        bench.plug("iphone", "other")
        bench.attach(.knob(port: "1-1"))
        bench.command(.mark("a mark"))
        bench.command(.setPhone(device: "other", generation: nil, PhoneChange(locked: true)))
        bench.command(.inject(Injection(.rotate(detents: 1, interval: 0), device: "other")))
        bench.unplug("other")
        _ = bench.launch("another")
        bench.handle(.inputLost(key: "1-1"))
        bench.handle(.resynchronized(Reason("overflow", .local, "")))
        bench.handle(.reconfigured(bench.core.settings))
        bench.handle(.configurationRefused("no"))
        #expect(bench.streams[app]?.count == 3, "nothing of that is its own")
        let before = bench.streams[app]?.count ?? 0
        bench.command(.setPhone(device: "phone", generation: nil, PhoneChange(locked: true)))
        bench.command(.setVehicle(VehicleChange(appearance: .dark)))
        bench.command(.inject(Injection(.rotate(detents: 1, interval: 0))))
        bench.command(.inject(Injection(.key(.home, hold: 0))))
        bench.command(.inject(Injection(.touch([ContactPath(id: 0, points: [PixelPoint(x: 1, y: 1)])], duration: 0))))
        bench.command(.inject(Injection(.touchpad([ContactPath(id: 0, points: [PadPoint(x: 1, y: 1)])], duration: 0))))
        bench.handle(.input(key: "1-1", .knob(.rotate(detents: 1)), time: 0))
        bench.unplug("phone")
        #expect(
            bench.streams[app]?.dropFirst(before).map(\.kind) == [
                .phoneChanged, .vehicleChanged, .displayChanged, .inputKnob, .inputKey, .inputKey, .inputTouch,
                .inputTouch, .inputTouchpad, .inputTouchpad, .inputKnob, .displayRemoved, .sessionClosed,
                .frontChanged,
            ])
    }

    @Test func anAppWithADeviceHearsOfThatDeviceOnly() {
        var bench = Bench()
        bench.plug("iphone", "front")
        bench.plug("iphone", "mine", phone: PhoneConditions(locked: true))
        let app = bench.launch(device: "mine")
        let state = bench.replies[app]?.first?.value(at: "state")
        #expect(state?.value(at: "devices.0.id")?.text == "mine")
        #expect(state?.value(at: "sessions")?.count == 0, "it is not active yet")
        #expect(state?.value(at: "front")?.text == "s1", "which one is in front is everybody's business")
        bench.command(.inject(Injection(.rotate(detents: 1, interval: 0))))
        bench.command(.setPhone(device: "front", generation: nil, PhoneChange(locked: true)))
        #expect(bench.streams[app] == nil)
        bench.command(.setPhone(device: "mine", generation: nil, PhoneChange(locked: false)))
        #expect(bench.streams[app]?.map(\.kind) == [.sessionActive, .displayAdded, .deviceChanged])
        let before = bench.streams[app]?.count ?? 0
        bench.command(.inject(Injection(.rotate(detents: 2, interval: 0), device: "mine")))
        bench.command(.inject(Injection(.rotate(detents: 1, interval: 0))))
        bench.unplug("front")
        bench.unplug("mine")
        bench.plug("iphone", "mine")
        #expect(
            bench.streams[app]?.dropFirst(before).map(\.kind) == [
                .inputKnob, .frontChanged, .displayRemoved, .sessionClosed, .frontChanged, .deviceDetached,
                .deviceAttached, .deviceChanged, .sessionActive, .displayAdded, .deviceChanged, .frontChanged,
            ])
    }

    @Test func anAppMovesWithTheFrontAndIsIntroduced() throws {
        var bench = Bench()
        let unit = try #require(bench.core.headUnits.first { $0.displays.count > 1 })
        bench.plug("iphone", "one")
        bench.plug("iphone", "two", displays: unit.name)
        let app = bench.launch()
        let bound = bench.launch("bound", device: "one", token: "2")
        bench.command(.setFront(device: "two"))
        let told = try #require(bench.streams[app])
        #expect(
            told.map(\.kind) == [.frontChanged, .sessionActive] + unit.displays.map { _ in EventKind.displayAdded })
        #expect(told.dropFirst().allSatisfy { $0.session == SessionID(2) })
        #expect(told.compactMap(\.display) == unit.displays.map { "s2/\($0.name)" })
        guard case .session(let session)? = told.dropFirst().first?.payload else {
            Issue.record("session.active carries the session")
            return
        }
        #expect(session.phase == .active)
        #expect(bench.streams[bound]?.map(\.kind) == [.frontChanged], "who has a device stays with it")
        bench.command(.inject(Injection(.rotate(detents: 1, interval: 0))))
        #expect(bench.streams[app]?.last?.kind == .inputKnob)
        #expect(bench.streams[bound]?.count == 1)
        bench.unplug("two")
        #expect(
            bench.streams[app]?.suffix(4).map(\.kind) == [
                .sessionClosed, .frontChanged, .sessionActive, .displayAdded,
            ])
        #expect(bench.streams[app]?.last?.session == SessionID(1))
        #expect(bench.state().value(at: "apps.0.session")?.text == "s1")
        #expect(bench.events.map(\.sequence) == Array(1...UInt64(bench.events.count)), "introductions are numbered too")
    }

    @Test func anIntroductionIsToldToThoseWhoMovedOnly() throws {
        var bench = Bench()
        bench.plug("iphone", "one")
        bench.plug("iphone", "two")
        let everything = try bench.subscribe()
        let first = bench.launch("a", token: "1")
        let second = bench.launch("b", token: "2")
        let before = bench.streams[everything]?.count ?? 0
        bench.command(.setFront(device: "two"))
        #expect(bench.streams[everything]?.dropFirst(before).map(\.kind) == [.frontChanged])
        #expect(bench.streams[first] == bench.streams[second])
        #expect(bench.streams[first]?.map(\.kind) == [.frontChanged, .sessionActive, .displayAdded])
    }

    @Test func aNewFrontSessionIsToldOnceToThoseWhoMoveIntoIt() {
        var bench = Bench { $0.front = .last }
        bench.plug("iphone", "one")
        let app = bench.launch()
        bench.plug("iphone", "two")
        #expect(bench.streams[app]?.map(\.kind) == [.sessionActive, .displayAdded, .frontChanged])
        #expect(bench.streams[app]?.first?.session == SessionID(2))
    }

    @Test func anAppLivesAsLongAsItsConnection() throws {
        var bench = Bench()
        let subscriber = try bench.subscribe(kinds: ["app"])
        let app = bench.launch("music", token: "secret")
        bench.plug("iphone", "phone")
        #expect(bench.state().value(at: "apps.0.id")?.text == "app-1")
        bench.handle(.clientClosed(app))
        #expect(bench.state().value(at: "apps")?.count == 0)
        let told = try #require(bench.streams[subscriber])
        #expect(told.map(\.kind) == [.appLaunched, .appEnded])
        #expect(told.last?.session == SessionID(1), "where it was when it ended")
        guard case .app(let last) = try #require(told.last).payload else {
            Issue.record("app.ended carries the app")
            return
        }
        #expect(last.id == AppID(1))
        let count = bench.streams[app]?.count
        bench.unplug("phone")
        #expect(bench.streams[app]?.count == count)
        let caller = bench.connect()
        bench.handle(.clientCalled(caller, .acknowledge(token: "secret", ids: [1])))
        #expect(bench.failures[caller] == [.unknownApp])
        let next = bench.launch("music", token: "secret")
        #expect(bench.replies[next]?.first?.value(at: "id")?.text == "app-2", "numbers are not used again")
    }

    @Test func aTokenOfNobodyIsUnknown() {
        var bench = Bench()
        _ = bench.launch(token: "secret")
        for token in ["", "secre", "secret2", "Secret"] {
            let caller = bench.connect()
            bench.handle(.clientCalled(caller, .acknowledge(token: token, ids: [])))
            #expect(bench.failures[caller] == [.unknownApp])
        }
    }

    @Test func severalAppsAreToldTheSame() {
        var bench = Bench()
        bench.plug("iphone", "phone")
        let apps = (1...3).map { bench.launch("app", token: "\($0)") }
        bench.command(.inject(Injection(.press(hold: 0), tag: "t")))
        for app in apps {
            #expect(bench.streams[app]?.map(\.kind) == [.inputKnob, .inputKnob])
            #expect(bench.streams[app] == bench.streams[apps[0]])
        }
        #expect(bench.events(.inputKnob).count == 2)
    }

    @Test(arguments: [(0, false), (1, true), (128, true), (129, false)]) func aNameHasOneToAHundredAndTwentyEightBytes(
        bytes: Int, taken: Bool
    ) {
        var bench = Bench()
        let app = bench.launch(String(repeating: "n", count: bytes))
        #expect((bench.replies[app] != nil) == taken)
        if !taken {
            #expect(
                bench.failures[app] == [.invalidParameter("manifest.name", text: "a name has 1 to 128 bytes")])
            #expect(bench.events.isEmpty)
        }
    }

    @Test func aDeviceThatIsUnpluggedCanBeWaitedFor() {
        var bench = Bench()
        bench.plug("iphone", "phone")
        bench.unplug("phone")
        let app = bench.launch(device: "phone")
        #expect(bench.replies[app]?.first?.value(at: "state.devices")?.count == 0)
        bench.plug("iphone", "phone")
        #expect(bench.streams[app]?.first?.kind == .deviceAttached)
        #expect(bench.streams[app]?.contains { $0.kind == .sessionActive } == true)
    }
}
