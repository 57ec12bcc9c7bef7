import RigModel
import Testing

@testable import RigCore

/// Devices that are told to change their mode.
@Suite struct ModeSwitchTests {
    private static let window = 5 * Bench.second

    private static func android(_ kind: DeviceKind = .androidPhone, serial: String = "ABCDEF123456") -> DeviceFacts {
        DeviceFacts(
            kind: kind, profile: kind == .androidPhone ? "android-mtp" : "android-accessory", namePrefix: "android",
            serial: serial, port: "1-1", origin: .observed)
    }

    private static func bench(_ facts: DeviceFacts = android()) -> Bench {
        var bench = Bench { $0.reenumerationWindow = window }
        bench.attach(facts)
        return bench
    }

    /// A client asks; it waits until `modeAnswered`.
    private static func ask(_ bench: inout Bench, _ mode: ModeSwitch, _ name: String = "android-1") -> ClientID {
        let client = bench.connect()
        bench.handle(.clientCalled(client, .switchMode(device: name, generation: nil, mode)))
        return client
    }

    private static func device(_ bench: inout Bench) -> (state: String?, generation: Int64?) {
        let device = bench.device("android-1")
        return (device?.value(at: "state")?.text, device?.value(at: "generation")?.int)
    }

    @Test func itLeavesAndComesBackAsTheSame() {
        var bench = Self.bench()
        let client = Self.ask(&bench, .accessory)
        #expect(bench.outside.last == .switchMode(key: "1-1", .accessory))
        #expect(bench.replies[client] == nil, "answered when the phone has")
        bench.handle(.modeAnswered(key: "1-1", .accessory, refusal: nil))
        #expect(bench.replies[client]?.count == 1)
        #expect(Self.device(&bench) == ("reenumerating", 1))
        #expect(bench.events(.sessionClosed).map(\.reason?.code) == ["modeChanged"])
        bench.detach("1-1")
        #expect(Self.device(&bench) == ("reenumerating", 1), "it is still shown")
        #expect(bench.events(.deviceDetached).isEmpty)
        bench.pass(Self.window - 1)
        bench.attach(Self.android(.androidAccessory), key: "second")
        #expect(bench.events(.deviceDetached).isEmpty)
        #expect(Self.device(&bench) == ("active", 2))
        #expect(bench.device("android-1")?.value(at: "kind")?.text == "androidAccessory")
        bench.pass(3 * Self.window)
        #expect(Self.device(&bench) == ("active", 2), "its time is forgotten")
    }

    @Test func anotherSerialAtThePortIsTheSameWithinTheWindow() {
        var bench = Self.bench()
        _ = Self.ask(&bench, .accessory)
        bench.handle(.modeAnswered(key: "1-1", .accessory, refusal: nil))
        bench.detach("1-1")
        bench.attach(Self.android(.androidAccessory, serial: "QWERTZ098765"), key: "second")
        #expect(bench.device("android-1")?.value(at: "identity")?.text == "portWithinWindow")
    }

    @Test func whatDoesNotComeBackIsDetachedByName() {
        var bench = Self.bench()
        _ = Self.ask(&bench, .accessory)
        bench.handle(.modeAnswered(key: "1-1", .accessory, refusal: nil))
        bench.pass(Bench.second)
        bench.detach("1-1")
        bench.pass(Self.window - 1)
        #expect(bench.events(.deviceDetached).isEmpty)
        bench.pass(1)
        #expect(bench.events(.deviceDetached).map(\.reason?.code) == ["notReturned"])
        #expect(bench.device("android-1") == nil)
    }

    @Test func whatDoesNotLeaveHasFailed() {
        var bench = Self.bench()
        _ = Self.ask(&bench, .accessory)
        bench.handle(.modeAnswered(key: "1-1", .accessory, refusal: nil))
        bench.pass(Self.window)
        #expect(Self.device(&bench) == ("failed", 1))
        #expect(bench.device("android-1")?.value(at: "reason.code")?.text == "modeNotChanged")
        bench.detach("1-1")
        #expect(bench.events(.deviceDetached).map(\.reason?.code) == ["surpriseRemoval"])
    }

    @Test func aRefusalIsToldAndChangesNothing() {
        var bench = Self.bench()
        let client = Self.ask(&bench, .accessory)
        let reason = Reason("accessoryNotSupported", .device, "it has none")
        bench.handle(.modeAnswered(key: "1-1", .accessory, refusal: reason))
        #expect(bench.failures[client] == [.deviceRefused(reason)])
        #expect(Self.device(&bench) == ("active", 1))
    }

    @Test func theConfigurationMayTellADeviceItself() {
        var bench = Self.bench()
        bench.handle(.modeAnswered(key: "1-1", .accessory, refusal: nil))
        #expect(Self.device(&bench) == ("reenumerating", 1))
        bench.handle(.modeAnswered(key: "nobody", .accessory, refusal: nil))
    }

    @Test func aRoleSwitchNamesItsRemoval() {
        var bench = Self.bench(
            DeviceFacts(kind: .iPhone, profile: "iphone", serial: "0123456789AB", port: "1-1", origin: .observed))
        let client = Self.ask(&bench, .carPlayHost, "iphone-1")
        bench.handle(.modeAnswered(key: "1-1", .carPlayHost, refusal: nil))
        #expect(bench.replies[client]?.count == 1)
        bench.detach("1-1")
        #expect(bench.events(.deviceDetached).map(\.reason?.code) == ["roleSwitched"])
        bench.attach(
            DeviceFacts(kind: .iPhone, profile: "iphone", serial: "0123456789AB", port: "1-1", origin: .observed))
        bench.detach("1-1")
        #expect(bench.events(.deviceDetached).last?.reason?.code == "surpriseRemoval")
    }

    @Test func whatCannotBeAskedIsRefusedAtOnce() {
        var bench = Self.bench()
        bench.plug("iphone", "virtual")
        func failure(_ name: String, _ mode: ModeSwitch) -> CommandFailure? {
            let client = Self.ask(&bench, mode, name)
            return bench.failures[client]?.first
        }
        guard case .unknownDevice = failure("nobody", .accessory),
            case .invalidParameter = failure("virtual", .plainHost),
            case .invalidParameter = failure("android-1", .carPlayHost)
        else {
            Issue.record("it was not refused")
            return
        }
        #expect(failure("android-1", .accessory) == nil)
        guard case .busy = failure("android-1", .accessory) else {
            Issue.record("asked twice at once")
            return
        }
    }

    @Test func aClientThatHungUpIsNotAnswered() {
        var bench = Self.bench()
        let client = Self.ask(&bench, .accessory)
        bench.handle(.clientClosed(client))
        bench.handle(.modeAnswered(key: "1-1", .accessory, refusal: nil))
        #expect(bench.replies[client] == nil)
        #expect(Self.device(&bench) == ("reenumerating", 1))
    }

    @Test func aDeviceThatIsPulledAnswersItsClient() {
        var bench = Self.bench()
        let client = Self.ask(&bench, .accessory)
        bench.detach("1-1")
        #expect(bench.failures[client] == [.deviceRefused(Bench.pulled)])
        bench.handle(.modeAnswered(key: "1-1", .accessory, refusal: nil))
        #expect(bench.events(.deviceDetached).count == 1)
    }

    /// What happens to a device while it is on its way: nothing takes it out of that state but its return or its time.
    @Test(arguments: [true, false]) func nothingElseMovesIt(hasLeft: Bool) {
        var bench = Self.bench()
        bench.handle(.modeAnswered(key: "1-1", .accessory, refusal: nil))
        if hasLeft { bench.detach("1-1") }
        let count = bench.events.count
        bench.handle(.deviceBusy(key: "1-1", Reason("busy", .local, "")))
        bench.handle(.deviceStuck(key: "1-1", Reason("stuck", .device, "")))
        bench.handle(.deviceUsable(key: "1-1"))
        #expect(bench.events.count == count)
        #expect(Self.device(&bench) == ("reenumerating", 1))
        if hasLeft {
            bench.detach("1-1")
            guard case .staleDevice = bench.failure(of: .unplug(device: "android-1", surprise: true, generation: nil))
            else {
                Issue.record("it is not there")
                return
            }
        }
    }

    @Test func itIsKeptWhileOthersAreForgotten() {
        var bench = Bench {
            $0.reenumerationWindow = Self.window
            $0.maximumRemembered = 1
        }
        bench.attach(Self.android())
        bench.handle(.modeAnswered(key: "1-1", .accessory, refusal: nil))
        bench.detach("1-1")
        for number in 2..<6 {
            var facts = Self.android(serial: "SERIAL00000\(number)")
            facts.port = "1-\(number)"
            bench.attach(facts)
            bench.detach("1-\(number)")
        }
        #expect(Self.device(&bench) == ("reenumerating", 1))
        bench.attach(Self.android(.androidAccessory), key: "second")
        #expect(Self.device(&bench) == ("active", 2))
    }
}
