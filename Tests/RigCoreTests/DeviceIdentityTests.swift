import RigModel
import Testing

@testable import RigCore

/// By what a returning device is recognised (field reports B16, B23).
@Suite struct DeviceIdentityTests {
    static let serial = "A1B2C3D4E5F6"

    /// What is published of the only device.
    private func only(_ bench: inout Bench) throws -> (name: String, generation: Int64, rule: String) {
        let names = bench.deviceNames()
        try #require(names.count == 1)
        let published = bench.device(names[0])
        let device = try #require(published)
        return (
            names[0], try #require(device.value(at: "generation")?.int),
            try #require(device.value(at: "identity")?.text)
        )
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let first: DeviceFacts
        let second: DeviceFacts
        /// How long nothing is plugged in.
        var gap = 60 * Bench.second
        /// The rule by which the second is the first again, or `new`.
        let rule: IdentityRule
    }

    static let window = CoreSettings().reenumerationWindow

    static let cases = [
        Case(
            testDescription: "serial and port agree, however long it was away", first: .iPhone(serial, port: "1-1"),
            second: .iPhone(serial, port: "1-1"), gap: 100_000 * Bench.second, rule: .serialAndPort),
        Case(
            testDescription: "serial and port agree although the serial is implausible",
            first: .iPhone("1", port: "1-1"), second: .iPhone("1", port: "1-1"), rule: .serialAndPort),
        Case(
            testDescription: "serial and port are stronger than the window", first: .iPhone(serial, port: "1-1"),
            second: .iPhone(serial, port: "1-1"), gap: 0, rule: .serialAndPort),
        Case(
            testDescription: "the port, at the window's edge", first: .iPhone(serial, port: "1-1"),
            second: .iPhone("0", port: "1-1"), gap: window, rule: .portWithinWindow),
        Case(
            testDescription: "the port, one nanosecond too late", first: .iPhone(serial, port: "1-1"),
            second: .iPhone("0", port: "1-1"), gap: window + 1, rule: .new),
        Case(
            testDescription: "the port, without serials", first: .iPhone("", port: "1-1"),
            second: .iPhone("", port: "1-1"), gap: window, rule: .portWithinWindow),
        Case(
            testDescription: "empty serials are no serials", first: .iPhone("", port: "1-1"),
            second: .iPhone("", port: "1-1"), gap: window + 1, rule: .new),
        Case(
            testDescription: "the port within the window, another kind and serial (mode change)",
            first: .android(serial, port: "1-1"),
            second: DeviceFacts.android("XYZ", port: "1-1").shown(as: .androidAccessory), gap: Bench.second,
            rule: .portWithinWindow),
        Case(
            testDescription: "the serial on another port", first: .iPhone(serial, port: "1-1"),
            second: .iPhone(serial, port: "2-4.1"), rule: .serial),
        Case(
            testDescription: "a serial of eight characters", first: .iPhone("12345678", port: "1-1"),
            second: .iPhone("12345678", port: "1-2"), rule: .serial),
        Case(
            testDescription: "a serial of seven characters", first: .iPhone("1234567", port: "1-1"),
            second: .iPhone("1234567", port: "1-2"), rule: .new),
        Case(
            testDescription: "a serial of one character over and over", first: .iPhone("0000000000", port: "1-1"),
            second: .iPhone("0000000000", port: "1-2"), rule: .new),
        Case(
            testDescription: "a knob is never a phone, wherever it is plugged in",
            first: .iPhone(serial, port: "1-1"), second: .knob(serial, port: "1-1"), gap: 0, rule: .new),
    ]

    @Test(arguments: cases) func aReturnIsRecognisedByTheRule(_ example: Case) throws {
        var bench = Bench()
        bench.attach(example.first)
        let first = try only(&bench)
        #expect(first.generation == 1)
        #expect(first.rule == "new")
        bench.detach(example.first.port)
        bench.pass(example.gap)
        let before = bench.events.count
        bench.attach(example.second)
        let second = try only(&bench)
        #expect(second.rule == example.rule.rawValue)
        #expect(second.generation == (example.rule == .new ? 1 : 2))
        #expect((second.name == first.name) == (example.rule != .new))
        let attached = try #require(bench.events(.deviceAttached, from: before).first)
        #expect(attached.device == DeviceReference(name: second.name, generation: UInt32(second.generation)))
        guard case .device(let device) = attached.payload else {
            Issue.record("device.attached carries the device")
            return
        }
        #expect(device.identity == example.rule)
        #expect(device.facts == example.second)
    }

    @Test func aSerialThatTwoHadSaysNothing() {
        var bench = Bench()
        bench.attach(.iPhone(Self.serial, port: "1-1"))
        bench.attach(.iPhone(Self.serial, port: "1-2"))
        bench.detach("1-1")
        bench.pass(60 * Bench.second)
        bench.attach(.iPhone(Self.serial, port: "1-3"))
        #expect(bench.deviceNames() == ["iphone-2", "iphone-3"], "it may be another one with the same serial")
        #expect(bench.device("iphone-3")?.value(at: "identity")?.text == "new")
    }

    @Test func twoThatChangedTheirPortsAreToldApartByTheirSerials() {
        var bench = Bench()
        bench.attach(.iPhone("AAAAAAAA0001", port: "1-1"))
        bench.attach(.iPhone("AAAAAAAA0002", port: "1-2"))
        bench.detach("1-1")
        bench.detach("1-2")
        bench.pass(Bench.second)
        bench.attach(.iPhone("AAAAAAAA0002", port: "1-1"))
        bench.attach(.iPhone("AAAAAAAA0001", port: "1-2"))
        #expect(bench.device("iphone-2")?.value(at: "port")?.text == "1-1")
        #expect(bench.device("iphone-1")?.value(at: "port")?.text == "1-2")
        #expect(bench.deviceNames().count == 2, "nobody is taken for a third one")
        #expect(bench.device("iphone-2")?.value(at: "identity")?.text == "serial")
    }

    @Test func onOnePortTheOneThatLeftLastReturns() {
        var bench = Bench()
        // Both used port 1-1: iphone-2 first, then iphone-1, which left it last.
        bench.attach(.iPhone("AAAAAAAA0001", port: "1-2"))
        bench.attach(.iPhone("AAAAAAAA0002", port: "1-1"))
        bench.detach("1-1")
        bench.detach("1-2")
        bench.pass(10 * Bench.second)
        bench.attach(.iPhone("AAAAAAAA0001", port: "1-1"))
        #expect(bench.deviceNames() == ["iphone-1"])
        bench.detach("1-1")
        bench.attach(.iPhone("0", port: "1-1"))
        #expect(bench.deviceNames() == ["iphone-1"], "a mode change of the one that was there just now")
    }

    @Test func ofTwoGoneFromOnePortWithinTheWindowTheLaterOneReturns() {
        var bench = Bench { $0.reenumerationWindow = 20 * Bench.second }
        bench.attach(.knob(port: "1-2"))
        bench.attach(.knob(port: "1-1"))
        bench.detach("1-1")
        bench.pass(Bench.second)
        // The older knob moves to the port that the younger one has just left; nothing but the order tells them apart.
        bench.handle(.deviceChanged(key: "1-2", .knob(port: "1-1")))
        bench.detach("1-2")
        bench.pass(Bench.second)
        bench.attach(.knob(port: "1-1"))
        #expect(bench.deviceNames() == ["knob-1"])
    }

    @Test func aVirtualDeviceReturnsByItsNameOnly() {
        var bench = Bench()
        bench.plug("iphone", "phone")
        bench.unplug("phone")
        bench.plug("iphone")
        #expect(bench.deviceNames() == ["iphone-1"], "a plug without a name is another phone")
        bench.plug("iphone", "phone")
        let device = bench.device("phone")
        #expect(device?.value(at: "identity")?.text == "name")
        #expect(device?.value(at: "generation")?.int == 2)
    }

    @Test func aRealDeviceIsNeverTakenForAVirtualOne() {
        var bench = Bench()
        bench.plug("iphone", "phone")
        let serial = bench.device("phone")?.value(at: "serial")?.text ?? ""
        #expect(!serial.isEmpty)
        bench.unplug("phone")
        bench.attach(.iPhone(serial, port: "1-1"))
        #expect(bench.deviceNames() == ["iphone-1"])
    }

    @Test func generationsCountReturnsOneByOne() {
        var bench = Bench()
        for turn in 1...20 {
            bench.attach(.iPhone(Self.serial, port: "1-1"))
            #expect(bench.device("iphone-1")?.value(at: "generation")?.int == Int64(turn))
            bench.detach("1-1")
        }
        #expect(bench.events(.deviceDetached).compactMap(\.device?.generation) == Array(1...20))
    }

    @Test func whatReturnsAsSomethingElseIsThatFromThenOn() throws {
        var bench = Bench()
        bench.attach(.iPhone(Self.serial, port: "1-1"))
        bench.detach("1-1")
        bench.attach(.headUnit(Self.serial, port: "1-1"))
        let published = bench.device("iphone-1")
        let device = try #require(published)
        #expect(device.value(at: "role")?.text == "phone")
        #expect(device.value(at: "phone.locked") == .bool(false), "the phone at a head unit's link is the rig's own")
        #expect(bench.failure(of: .setPhone(device: "iphone-1", generation: nil, PhoneChange(locked: true))) == nil)
        bench.detach("1-1")
        bench.attach(.iPhone(Self.serial, port: "1-1"))
        #expect(bench.device("iphone-1")?.value(at: "phone.locked") == .bool(false))
        #expect(bench.device("iphone-1")?.value(at: "state")?.text == "active")
    }
}
