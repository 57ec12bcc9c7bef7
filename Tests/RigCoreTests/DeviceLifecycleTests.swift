import RigModel
import Testing

@testable import RigCore

/// What buses tell of devices that are there, and what is told of it.
@Suite struct DeviceLifecycleTests {
    static let busy = Reason("busy", .device, "gvfsd-mtp holds it")
    static let stuck = Reason("stuck", .device, "its driver does not answer")

    @Test func aDeviceThatIsToldOfTwiceIsThereOnce() {
        var bench = Bench()
        let facts = DeviceFacts.iPhone("A1B2C3D4", port: "1-1")
        bench.attach(facts)
        let before = bench.events.count
        for _ in 1...4 { bench.attach(facts) }
        bench.handle(.deviceChanged(key: "1-1", facts))
        #expect(bench.events.count == before)
        #expect(bench.names(of: "sessions") == ["s1"])
    }

    @Test func whatARepeatedPlugKnowsMoreIsPublished() {
        var bench = Bench()
        var facts = DeviceFacts.iPhone("A1B2C3D4", port: "1-1")
        bench.attach(facts)
        let before = bench.events.count
        facts.model = "iPhone 17"
        bench.attach(facts)
        #expect(bench.kinds(from: before) == [.deviceChanged])
        #expect(bench.device("iphone-1")?.value(at: "model")?.text == "iPhone 17")
        #expect(bench.device("iphone-1")?.value(at: "generation")?.int == 1)
        #expect(bench.phase() == "active", "facts alone end no session")
    }

    @Test func aRemovalThatIsToldTwiceHappensOnce() {
        var bench = Bench()
        bench.attach(.iPhone("A1B2C3D4", port: "1-1"))
        bench.detach("1-1")
        let count = bench.events.count
        bench.detach("1-1")
        bench.detach("1-9")
        bench.handle(.deviceChanged(key: "1-1", .iPhone("A1B2C3D4", port: "1-1")))
        bench.handle(.deviceBusy(key: "1-1", Self.busy))
        bench.handle(.deviceStuck(key: "1-1", Self.stuck))
        bench.handle(.deviceUsable(key: "1-1"))
        bench.handle(.input(key: "1-1", .knob(.pressed), time: 0))
        bench.handle(.inputLost(key: "1-1"))
        #expect(bench.events.count == count, "nothing is said of what is not there")
    }

    @Test func aModeChangeThatKeepsTheRoleKeepsTheSession() {
        var bench = Bench()
        let facts = DeviceFacts.android("A1B2C3D4", port: "1-1")
        bench.attach(facts)
        let before = bench.events.count
        bench.handle(.deviceChanged(key: "1-1", facts.shown(as: .androidAccessory)))
        #expect(bench.kinds(from: before) == [.deviceChanged])
        #expect(bench.device("android-1")?.value(at: "kind")?.text == "androidAccessory")
        #expect(bench.names(of: "sessions") == ["s1"])
    }

    @Test func aModeChangeThatTurnsTheRolesEndsTheSessionAndBeginsAnother() throws {
        var bench = Bench()
        let facts = DeviceFacts.iPhone("A1B2C3D4", port: "1-1")
        bench.attach(facts)
        let before = bench.events.count
        bench.handle(.deviceChanged(key: "1-1", facts.shown(as: .headUnit)))
        #expect(
            bench.kinds(from: before).prefix(5) == [
                .displayRemoved, .sessionClosed, .frontChanged, .deviceChanged, .deviceChanged,
            ])
        #expect(bench.events(.sessionClosed).map(\.reason?.code) == ["modeChanged"])
        let state = bench.state()
        #expect(state.value(at: "devices.0.role")?.text == "phone")
        #expect(state.value(at: "devices.0.phone.locked") == .bool(false), "the phone is the rig's own")
        #expect(state.value(at: "devices.0.generation")?.int == 1)
        #expect(state.value(at: "sessions.0.id")?.text == "s2")
        #expect(state.value(at: "sessions.0.role")?.text == "phone")
        bench.handle(.deviceChanged(key: "1-1", facts))
        #expect(bench.state().value(at: "sessions.0.role")?.text == "headUnit")
        #expect(bench.device("iphone-1")?.value(at: "phone.trusted") == .bool(true))
    }

    @Test func aFailedDeviceThatBecomesSomethingWithoutALinkHasNoReasonAndNoTimerLeft() {
        var bench = Bench()
        let facts = DeviceFacts.iPhone("A1B2C3D4", port: "1-1")
        bench.attach(facts)
        bench.command(.setPhone(device: "iphone-1", generation: nil, PhoneChange(refuse: .session)))
        bench.detach("1-1")
        bench.attach(facts)
        while bench.device("iphone-1")?.value(at: "state")?.text != "failed", bench.now < 100 * Bench.second {
            bench.pass(Bench.second / 2)
        }
        #expect(bench.core.nextDeadline != nil, "the next try is due")
        bench.handle(.deviceChanged(key: "1-1", facts.shown(as: .knob)))
        #expect(bench.device("iphone-1")?.value(at: "state")?.text == "attached")
        #expect(bench.device("iphone-1")?.value(at: "reason") == nil)
        #expect(bench.device("iphone-1")?.value(at: "role") == nil)
        #expect(bench.device("iphone-1")?.value(at: "peer") == nil)
        #expect(bench.core.nextDeadline == nil)
    }

    @Test func aBusyDeviceWaitsUntilItIsUsable() {
        var bench = Bench()
        bench.attach(.iPhone("A1B2C3D4", port: "1-1"))
        let before = bench.events.count
        bench.handle(.deviceBusy(key: "1-1", Self.busy))
        #expect(
            bench.kinds(from: before) == [.displayRemoved, .sessionClosed, .frontChanged, .deviceChanged])
        #expect(bench.device("iphone-1")?.value(at: "state")?.text == "busy")
        #expect(bench.device("iphone-1")?.value(at: "reason.text")?.text == Self.busy.text)
        bench.handle(.deviceBusy(key: "1-1", Self.busy))
        #expect(bench.events.count == before + 4, "told once")
        bench.pass(1_000 * Bench.second)
        #expect(bench.names(of: "sessions") == [])
        bench.handle(.deviceUsable(key: "1-1"))
        #expect(bench.device("iphone-1")?.value(at: "state")?.text == "active")
        #expect(bench.device("iphone-1")?.value(at: "reason") == nil)
        let count = bench.events.count
        bench.handle(.deviceUsable(key: "1-1"))
        #expect(bench.events.count == count, "it already is")
    }

    @Test func aDeviceThatIsBusyFromTheStartIsPublishedAndWaits() throws {
        var bench = Bench()
        let facts = DeviceFacts.iPhone("A1B2C3D4", port: "1-1")
        bench.handle(.deviceAttachedBusy(key: "1-1", facts, Self.busy))
        #expect(bench.kinds() == [.deviceAttached])
        #expect(bench.events.first?.reason == Self.busy)
        #expect(bench.device("iphone-1")?.value(at: "state")?.text == "busy")
        bench.handle(.deviceAttachedBusy(key: "1-1", facts, Self.busy))
        #expect(bench.events.count == 1)
        bench.handle(.deviceUsable(key: "1-1"))
        #expect(bench.device("iphone-1")?.value(at: "state")?.text == "active")
        bench.detach("1-1")
        bench.handle(.deviceAttachedBusy(key: "1-1", facts, Self.busy))
        #expect(bench.device("iphone-1")?.value(at: "generation")?.int == 2)
        #expect(bench.device("iphone-1")?.value(at: "state")?.text == "busy")
        #expect(bench.core.nextDeadline == nil)
    }

    @Test func whileAFailedDeviceIsBusyNothingIsTriedAgain() {
        var bench = Bench()
        bench.attach(.iPhone("A1B2C3D4", port: "1-1"))
        bench.command(.setPhone(device: "iphone-1", generation: nil, PhoneChange(refuse: .session)))
        bench.detach("1-1")
        bench.attach(.iPhone("A1B2C3D4", port: "1-1"))
        while bench.device("iphone-1")?.value(at: "state")?.text != "failed", bench.now < 100 * Bench.second {
            bench.pass(Bench.second / 2)
        }
        bench.handle(.deviceBusy(key: "1-1", Self.busy))
        #expect(bench.core.nextDeadline == nil)
        bench.pass(1_000 * Bench.second)
        #expect(bench.device("iphone-1")?.value(at: "state")?.text == "busy")
    }

    @Test func aStuckDeviceIsLeftAloneUntilItIsReplugged() {
        var bench = Bench()
        let facts = DeviceFacts.iPhone("A1B2C3D4", port: "1-1")
        bench.attach(facts)
        bench.handle(.deviceStuck(key: "1-1", Self.stuck))
        #expect(bench.events(.sessionClosed).map(\.reason) == [Self.stuck])
        bench.handle(.deviceUsable(key: "1-1"))
        bench.handle(.deviceBusy(key: "1-1", Self.busy))
        bench.handle(.deviceUsable(key: "1-1"))
        bench.command(.setPhone(device: "iphone-1", generation: nil, PhoneChange(locked: true)))
        bench.command(.setPhone(device: "iphone-1", generation: nil, PhoneChange(locked: false)))
        #expect(bench.device("iphone-1")?.value(at: "state")?.text == "stuck")
        bench.handle(.deviceChanged(key: "1-1", facts.shown(as: .headUnit)))
        #expect(bench.device("iphone-1")?.value(at: "state")?.text == "stuck")
        #expect(bench.device("iphone-1")?.value(at: "reason.code")?.text == "stuck")
        #expect(bench.names(of: "sessions") == [])
        #expect(bench.core.nextDeadline == nil)
        bench.detach("1-1")
        bench.attach(facts)
        #expect(bench.device("iphone-1")?.value(at: "state")?.text == "active")
        #expect(bench.device("iphone-1")?.value(at: "generation")?.int == 2)
    }

    @Test func aBusyDeviceMayGetStuckAndABusyOneMayChange() {
        var bench = Bench()
        let facts = DeviceFacts.iPhone("A1B2C3D4", port: "1-1")
        bench.attach(facts)
        bench.handle(.deviceBusy(key: "1-1", Self.busy))
        bench.handle(.deviceChanged(key: "1-1", facts.shown(as: .headUnit)))
        #expect(bench.device("iphone-1")?.value(at: "state")?.text == "busy")
        #expect(bench.names(of: "sessions") == [])
        bench.handle(.deviceUsable(key: "1-1"))
        #expect(bench.state().value(at: "sessions.0.role")?.text == "phone")
        bench.handle(.deviceBusy(key: "1-1", Self.busy))
        bench.handle(.deviceStuck(key: "1-1", Self.stuck))
        #expect(bench.device("iphone-1")?.value(at: "state")?.text == "stuck")
    }

    @Test func whatHasNoLinkMakesNoSession() {
        var bench = Bench()
        bench.attach(.knob(port: "2-1"))
        #expect(bench.kinds() == [.deviceAttached])
        #expect(bench.device("knob-1")?.value(at: "role") == nil)
        #expect(bench.device("knob-1")?.value(at: "peer") == nil)
        #expect(bench.device("knob-1")?.value(at: "state")?.text == "attached")
    }

    @Test func aDeviceOnTheSamePortDoesNotDisturbARunningSession() {
        // Field report B28: a charger beside the phone.
        var bench = Bench()
        bench.attach(.iPhone("A1B2C3D4", port: "1-1"))
        let before = bench.events.count
        bench.attach(.knob(port: "1-1"), key: "another key")
        #expect(bench.kinds(from: before) == [.deviceAttached])
        #expect(bench.phase() == "active")
    }

    @Test func ofAHundredUnplugsEachSessionIsClosedOnce() {
        // Field report B51: the disconnect that never comes.
        var bench = Bench()
        for _ in 1...100 {
            bench.attach(.iPhone("A1B2C3D4", port: "1-1"))
            bench.detach("1-1")
        }
        let closed = bench.events(.sessionClosed).compactMap(\.session)
        #expect(closed == (1...100).map(SessionID.init))
    }

    @Test func aRescanIsPublished() {
        var bench = Bench()
        let reason = Reason("overflow", .local, "the udev monitor ran over")
        bench.handle(.resynchronized(reason))
        #expect(bench.events.map(\.kind) == [.resync])
        #expect(bench.events.first?.reason == reason)
    }
}
