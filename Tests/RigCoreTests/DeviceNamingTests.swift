import RigConfiguration
import RigModel
import Testing

@testable import RigCore

/// Devices are addressed by name, and by generation where the caller says which one it means.
@Suite struct DeviceNamingTests {
    /// Every command that names a device and its generation, if it takes one.
    static func commands(_ device: String, _ generation: UInt32?) -> [Command] {
        [
            .unplug(device: device, surprise: true, generation: generation),
            .unplug(device: device, surprise: false, generation: generation),
            .setPhone(device: device, generation: generation, PhoneChange(locked: true)),
            .inject(Injection(.press(hold: 0), device: device, generation: generation)),
        ]
    }

    @Test(arguments: [0, 1, 2, 3]) func anOldGenerationIsRefusedByName(index: Int) {
        var bench = Bench()
        bench.plug("iphone", "phone")
        bench.unplug("phone")
        bench.plug("iphone", "phone")
        let before = bench.events.count
        for wrong in [UInt32(0), 1, 3, .max] {
            #expect(
                bench.failure(of: Self.commands("phone", wrong)[index]) == .staleDevice("phone", generation: wrong))
        }
        #expect(bench.events.count == before, "nothing happened")
        #expect(bench.failure(of: Self.commands("phone", 2)[index]) == nil)
        #expect(bench.events.count > before)
    }

    @Test(arguments: [0, 1, 2, 3]) func aDeviceThatIsGoneIsStale(index: Int) {
        var bench = Bench()
        bench.plug("iphone", "phone")
        bench.unplug("phone")
        #expect(bench.failure(of: Self.commands("phone", nil)[index]) == .staleDevice("phone", generation: 1))
        #expect(bench.failure(of: Self.commands("phone", 1)[index]) == .staleDevice("phone", generation: 1))
        #expect(bench.failure(of: .setFront(device: "phone")) == .staleDevice("phone", generation: 1))
    }

    @Test func anUnknownDeviceIsAnsweredWithThoseThatAreThere() {
        var bench = Bench()
        bench.plug("iphone", "zeta")
        bench.plug("iphone", "alpha")
        bench.plug("iphone", "gone")
        bench.unplug("gone")
        let expected = CommandFailure.unknownDevice("phone", known: ["alpha", "zeta"])
        for command in Self.commands("phone", nil) + [.setFront(device: "phone")] {
            #expect(bench.failure(of: command) == expected)
        }
        let client = bench.launch(device: "phone")
        #expect(bench.failures[client] == [expected])
        #expect(expected.text == "there is no device 'phone'; there is alpha, zeta")
    }

    @Test func whatIsPluggedInCannotBePluggedInAgain() {
        var bench = Bench()
        bench.plug("iphone", "phone")
        #expect(
            bench.failure(of: .plug(PlugRequest(profile: "iphone", name: "phone")))
                == .busy(owner: "phone, which is plugged in already; unplug it or choose another name", since: 0))
        bench.attach(.iPhone("A1B2C3D4", port: "1-1"))
        bench.detach("1-1")
        #expect(
            bench.failure(of: .plug(PlugRequest(profile: "iphone", name: "iphone-1")))
                == .invalidParameter("name", text: "'iphone-1' is the name of a real device"))
        bench.unplug("phone")
        #expect(
            bench.failure(of: .plug(PlugRequest(profile: "android", name: "phone")))
                == .invalidParameter("name", text: "'phone' was a iphone before; use another name"))
    }

    @Test func aRealDeviceIsNotUnpluggedByACommand() {
        var bench = Bench()
        bench.attach(.iPhone("A1B2C3D4", port: "1-1"))
        let before = bench.events.count
        for surprise in [true, false] {
            guard
                case .notPermitted? = bench.failure(
                    of: .unplug(device: "iphone-1", surprise: surprise, generation: nil))
            else {
                Issue.record("only a hand pulls a real cable")
                return
            }
        }
        #expect(bench.events.count == before)
    }

    @Test func aFreshNameStepsOverThoseThatAreTaken() {
        var bench = Bench()
        bench.plug("iphone", "iphone-1")
        bench.plug("iphone", "iphone-3")
        bench.plug("iphone")
        bench.plug("iphone")
        #expect(bench.deviceNames() == ["iphone-1", "iphone-3", "iphone-2", "iphone-4"])
    }

    struct Wrong: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let request: PlugRequest
        let field: String
    }

    static let wrong = [
        Wrong(testDescription: "profile", request: PlugRequest(profile: "iphon"), field: "profile"),
        Wrong(testDescription: "no name", request: PlugRequest(profile: "iphone", name: ""), field: "name"),
        Wrong(testDescription: "a slash", request: PlugRequest(profile: "iphone", name: "a/b"), field: "name"),
        Wrong(testDescription: "a dash first", request: PlugRequest(profile: "iphone", name: "-a"), field: "name"),
        Wrong(
            testDescription: "33 bytes",
            request: PlugRequest(profile: "iphone", name: String(repeating: "a", count: 33)), field: "name"),
        Wrong(testDescription: "displays", request: PlugRequest(profile: "iphone", displays: "x"), field: "displays"),
        Wrong(testDescription: "empty serial", request: PlugRequest(profile: "iphone", serial: ""), field: "serial"),
        Wrong(
            testDescription: "127 bytes of serial",
            request: PlugRequest(profile: "iphone", serial: String(repeating: "a", count: 127)), field: "serial"),
        Wrong(
            testDescription: "too slow",
            request: PlugRequest(profile: "iphone", phone: PhoneConditions(slow: Gesture.maximumDuration + 1)),
            field: "slowMilliseconds"),
    ]

    @Test(arguments: wrong) func aWrongPlugNamesItsField(_ wrong: Wrong) {
        var bench = Bench()
        guard case .invalidParameter(let field, let text)? = bench.failure(of: .plug(wrong.request)) else {
            Issue.record("it is refused")
            return
        }
        #expect(field == wrong.field)
        #expect(!text.isEmpty)
        #expect(bench.events.isEmpty)
        #expect(bench.deviceNames().isEmpty)
    }

    @Test func whatIsJustRightIsTaken() {
        var bench = Bench()
        let name = String(repeating: "a", count: 32)
        let serial = String(repeating: "s", count: 126)
        bench.command(
            .plug(
                PlugRequest(
                    profile: "iphone", name: name, serial: serial,
                    phone: PhoneConditions(slow: Gesture.maximumDuration))))
        #expect(bench.deviceNames() == [name])
        #expect(bench.device(name)?.value(at: "serial")?.text == serial)
        #expect(bench.device(name)?.value(at: "phone.slowMilliseconds")?.int == 60_000)
    }

    @Test func aReturningPhoneHasTheConditionsOfItsNewPlug() {
        var bench = Bench()
        bench.plug("iphone", "phone", phone: PhoneConditions(locked: true))
        bench.unplug("phone")
        bench.plug("iphone", "phone")
        #expect(bench.device("phone")?.value(at: "phone.locked") == .bool(false))
        #expect(bench.phase() == "active")
    }

    @Test func theSlownessOfAPhoneHasALimit() {
        var bench = Bench()
        bench.plug("iphone", "phone")
        let slow = Gesture.maximumDuration
        #expect(bench.failure(of: .setPhone(device: "phone", generation: nil, PhoneChange(slow: slow))) == nil)
        #expect(
            bench.failure(of: .setPhone(device: "phone", generation: nil, PhoneChange(locked: true, slow: slow + 1)))
                == .invalidParameter("slowMilliseconds", text: "a phone is at most 60 s slow"))
        #expect(bench.device("phone")?.value(at: "phone.locked") == .bool(false), "it is all or nothing")
    }
}
