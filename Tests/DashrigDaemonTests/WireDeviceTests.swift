import DeviceTestKit
import Glibc
import LinuxIO
import RigTestKit
import Testing
import VarlinkProtocol

/// Devices that are spoken to over their own bulk pipes: the daemon as its own process, real libusb, mock devices with a
/// machine of the protocol behind them.
@Suite(.serialized, .enabled(if: DeviceTestbed.isAvailable, Comment(rawValue: DeviceTestbed.skipReason)))
struct WireDeviceTests {
    static let phone = "phone-iap-05ac-12a8"
    static let headUnit = "headunit-iap-25e1-4351"

    private static func watch(_ daemon: RunningDaemon) throws -> TestClient {
        let client = try daemon.connect()
        try client.send("org.dashrig.Rig.Subscribe", more: true)
        while try client.reply().parameters["complete"]?.boolValue != true {}
        return client
    }

    private static func code(_ event: JSONObject?) -> String? {
        event?["reason"]?.objectValue?["code"]?.stringValue
    }

    private static func state(_ event: JSONObject?) -> String? {
        event?["deviceState"]?.objectValue?["state"]?.stringValue
    }

    // MARK: Handshakes

    @Test func aPhoneOnItsWireBecomesActive() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        let mock = try testbed.plug(Self.phone)
        WirePeers.phone().attach(to: mock)
        let events = try watcher.events(until: "session.active")
        let device = try #require(
            events.first { $0["kind"]?.stringValue == "device.attached" }?["deviceState"]?.objectValue)
        #expect(device["kind"]?.stringValue == "iPhone" && device["role"]?.stringValue == "headUnit")
        #expect(device["peer"]?.stringValue == "wire" && device["phone"]?.objectValue == nil)
        let session = try #require(events.last?["sessionState"]?.objectValue)
        #expect(session["peer"]?.stringValue == "wire" && session["role"]?.stringValue == "headUnit")
        #expect(mock.deeds.isEmpty, "nothing was detached or selected")
        testbed.unplug(mock)
        let leaving = try watcher.events(until: "device.detached")
        let closed = leaving.filter { $0["kind"]?.stringValue == "session.closed" }
        #expect(closed.count == 1 && Self.code(closed.first) == "surpriseRemoval")
    }

    @Test func aHeadUnitOnItsWireBecomesActive() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        let mock = try testbed.plug(Self.headUnit)
        WirePeers.headUnit().attach(to: mock)
        let events = try watcher.events(until: "display.added")
        let session = try #require(
            events.first { $0["kind"]?.stringValue == "session.active" }?["sessionState"]?.objectValue)
        #expect(session["peer"]?.stringValue == "wire" && session["role"]?.stringValue == "phone")
        let display = try #require(events.last?["displayState"]?.objectValue)
        #expect(display["width"]?.intValue == 1_920 && display["origin"]?.stringValue == "observed")
    }

    @Test func twoDevicesAtOnceDoNotMeet() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        let unit = try testbed.plug(Self.headUnit, port: "1-1")
        WirePeers.headUnit().attach(to: unit)
        let phone = try testbed.plug(Self.phone, port: "1-2")
        WirePeers.phone().attach(to: phone)
        var roles: [String] = []
        while roles.count < 2 {
            let session = try #require(try watcher.events(until: "session.active").last?["sessionState"]?.objectValue)
            roles.append(try #require(session["role"]?.stringValue))
        }
        #expect(roles.sorted() == ["headUnit", "phone"])
        testbed.unplug(unit)
        let gone = try #require(try watcher.events(until: "device.detached").last)
        #expect(gone["device"]?.stringValue == "head-unit-1")
        let state = try #require(try daemon.call("GetState").parameters["state"]?.objectValue)
        #expect(state["sessions"]?.arrayValue?.count == 1)
    }

    // MARK: Unplug

    /// Where the handshake stands still, and by what it does.
    static let phases: [(phase: String, answers: TestAnswers?)] = {
        var silent = TestAnswers()
        silent.challengeByte = nil
        var deaf = TestAnswers()
        deaf.verifies = false
        return [("detecting", nil), ("authenticating", silent), ("authenticating", deaf), ("active", TestAnswers())]
    }()

    @Test(arguments: 0..<4)
    func unplugInEveryPhaseAndBackAgain(index: Int) throws {
        let (phase, answers) = Self.phases[index]
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        for generation in 1...5 {
            let mock = try testbed.plug(Self.phone)
            if let answers { WirePeers.phone(answers: answers).attach(to: mock) }
            let before: [JSONObject]
            switch phase {
            case "active": before = try watcher.events(until: "session.active")
            case "detecting": before = try watcher.events(until: "session.opened")
            default:
                var found: [JSONObject] = []
                while found.last?["sessionState"]?.objectValue?["phase"]?.stringValue != phase {
                    found += try watcher.events(until: "session.phase")
                }
                before = found
            }
            let attached = before.first { $0["kind"]?.stringValue == "device.attached" }
            #expect(attached?["generation"]?.intValue == Int64(generation))
            testbed.unplug(mock)
            let leaving = try watcher.events(until: "device.detached")
            let closed = leaving.filter { $0["kind"]?.stringValue == "session.closed" }
            #expect(closed.map { Self.code($0) } == ["surpriseRemoval"], "\(phase), generation \(generation)")
        }
        #expect(try daemon.call("GetState").parameters["state"]?.objectValue?["sessions"]?.arrayValue?.isEmpty == true)
    }

    // MARK: Trouble

    @Test func aStallInTheHandshakeIsMended() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        let mock = try testbed.plug(Self.phone)
        mock.halt(0x81)
        mock.halt(0x02)
        WirePeers.phone().attach(to: mock)
        _ = try watcher.events(until: "session.active")
        #expect(mock.deeds.count == 2)
    }

    @Test func anEndpointThatStallsForEverIsAReason() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        var behaviour = USBBehaviour()
        behaviour.haltsAgain = true
        let mock = try testbed.plug(Self.phone, behaviour: behaviour)
        mock.halt(0x02)
        let closed = try #require(try watcher.events(until: "session.closed").last)
        #expect(Self.code(closed) == "stalled")
        let failed = try #require(try watcher.events(until: "device.changed").last)
        #expect(Self.state(failed) == "failed")
        // Mended, the next try succeeds.
        mock.behaviour.haltsAgain = false
        WirePeers.phone().attach(to: mock)
        _ = try watcher.events(until: "session.active")
    }

    @Test func staleBytesBeforeDetectAreNoHindrance() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        // Before the daemon sees it: garbage, half a packet, and a whole one of an earlier session.
        let mock = try testbed.plug(
            try DeviceFixture.load(Self.headUnit),
            prepare: { mock in
                mock.send([0x00, 0xAA, 0xFF, 0x00, 0xFF, 0x55])
                mock.send([0xFF, 0x5A, 0x00, 0x1A, 0x80, 0x00, 0x00])
                mock.send([0xFF, 0x5A, 0x00, 0x09, 0x40, 0x38, 0x05, 0x00, 0x21])
            })
        WirePeers.headUnit().attach(to: mock)
        _ = try watcher.events(until: "session.active")
    }

    @Test func whoeverHoldsTheInterfaceIsNamedAndWaitedFor() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        var behaviour = USBBehaviour()
        behaviour.claim = .busy(driver: "cdc_ncm")
        let mock = try testbed.plug(Self.phone, behaviour: behaviour)
        WirePeers.phone().attach(to: mock)
        var busy: JSONObject?
        while Self.state(busy) != "busy" { busy = try watcher.events(until: "device.changed").last }
        let reason = busy?["deviceState"]?.objectValue?["reason"]?.objectValue
        #expect(reason?["code"]?.stringValue == "busy")
        #expect(reason?["text"]?.stringValue?.contains("cdc_ncm") == true)
        mock.behaviour.claim = .granted
        _ = try watcher.events(until: "session.active")
    }

    @Test func aDriverIsSentAwayWhereTheConfigurationSaysSo() throws {
        let testbed = try DeviceTestbed()
        // The phone behind the mock verifies with the test signer.
        let file = try Self.configuration(
            "[usb]\ndetach-driver = yes\nselect-configuration = yes\n[authentication]\nsigner = test\n")
        defer { unlink(file) }
        let daemon = try RunningDaemon(["--config", file], environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        var behaviour = USBBehaviour()
        behaviour.claim = .busy(driver: "cdc_ncm")
        let mock = try testbed.plug(
            try DeviceFixture.load(Self.phone), behaviour: behaviour, prepare: { $0.configuration = 0 })
        WirePeers.phone().attach(to: mock)
        _ = try watcher.events(until: "session.active")
        #expect(mock.deeds == [.setConfiguration(1), .detachDriver(0)])
    }

    @Test func aClaimThatHangsIsStuckAndTheOtherDeviceWorks() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        var behaviour = USBBehaviour()
        behaviour.claim = .hangs
        let mock = try testbed.plug(Self.phone, port: "1-1", behaviour: behaviour)
        let unit = try testbed.plug(Self.headUnit, port: "1-2")
        WirePeers.headUnit().attach(to: unit)
        let active = try #require(try watcher.events(until: "session.active").last)
        #expect(active["device"]?.stringValue == "head-unit-1")
        var stuck: JSONObject?
        while Self.state(stuck) != "stuck" { stuck = try watcher.events(until: "device.changed").last }
        #expect(stuck?["device"]?.stringValue == "iphone-1")
        testbed.unplug(mock)
        _ = try watcher.events(until: "device.detached")
        mock.releaseHangs()
    }

    private static func configuration(_ text: String) throws -> String {
        let folder = try RunningDaemon.privateFolder()
        try FileContents.write("\(folder)/dashrig.ini", Array(text.utf8))
        return "\(folder)/dashrig.ini"
    }

    // MARK: Modes

    @Test func anAndroidPhoneComesBackAsAnAccessoryAndIsTheSamePhone() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        var behaviour = USBBehaviour()
        behaviour.accessoryProtocol = 2
        let mock = try testbed.plug("pixel-mtp-4ee1", behaviour: behaviour)
        let first = try #require(try watcher.events(until: "session.active").last?["device"]?.stringValue)
        let answer = try daemon.call("StartAccessory", ["device": .string(first)])
        #expect(answer.error == nil)
        #expect(mock.sentStrings.prefix(2) == ["Android", "Android Auto"] && mock.sentStrings.count == 6)
        #expect(mock.requests.contains { $0.request == 53 })
        var changed: JSONObject?
        while Self.state(changed) != "reenumerating" { changed = try watcher.events(until: "device.changed").last }
        testbed.unplug(mock)
        try testbed.plug("aoa-adb-2d01")
        let events = try watcher.events(until: "device.attached")
        #expect(!events.contains { $0["kind"]?.stringValue == "device.detached" })
        let back = try #require(events.last?["deviceState"]?.objectValue)
        #expect(back["id"]?.stringValue == first && back["generation"]?.intValue == 2)
        #expect(back["kind"]?.stringValue == "androidAccessory")
        _ = try watcher.events(until: "session.active")
    }

    @Test func aPhoneThatIsInAccessoryModeAlreadyIsDrained() throws {
        let testbed = try DeviceTestbed()
        let file = try Self.configuration("[usb]\naccessory-mode = yes\n")
        defer { unlink(file) }
        let daemon = try RunningDaemon(["--config", file], environment: testbed.environment, devices: true)
        let mock = try testbed.plug(
            try DeviceFixture.load("aoa-2d00"), prepare: { $0.send([UInt8](repeating: 7, count: 700)) })
        let isDrained = try daemon.process.waitForOutput("700 bytes of an earlier use", until: RunningDaemon.soon())
        #expect(isDrained)
        #expect(!mock.requests.contains { $0.request == 51 }, "it is not asked again")
    }

    @Test func aPhoneThatDoesNotComeBackIsDetachedByName() throws {
        let testbed = try DeviceTestbed()
        let file = try Self.configuration("[rig]\nreenumeration-window = 300ms\n[usb]\naccessory-mode = yes\n")
        defer { unlink(file) }
        let daemon = try RunningDaemon(["--config", file], environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        var behaviour = USBBehaviour()
        behaviour.accessoryProtocol = 2
        let mock = try testbed.plug("pixel-mtp-4ee1", behaviour: behaviour)
        var changed: JSONObject?
        while Self.state(changed) != "reenumerating" { changed = try watcher.events(until: "device.changed").last }
        testbed.unplug(mock)
        let gone = try #require(try watcher.events(until: "device.detached").last)
        #expect(Self.code(gone) == "notReturned")
    }

    @Test func aPhoneThatRefusesIsAnError() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        let mock = try testbed.plug("pixel-mtp-4ee1")
        let name = try #require(try watcher.events(until: "session.active").last?["device"]?.stringValue)
        let answer = try daemon.call("StartAccessory", ["device": .string(name)])
        #expect(answer.error == "org.dashrig.Rig.DeviceRefused")
        #expect(answer.parameters["code"]?.stringValue == "accessoryNotSupported")
        let wrong = try daemon.call("SwitchRole", ["device": .string(name)])
        #expect(wrong.error == "org.varlink.service.InvalidParameter")
        testbed.unplug(mock)
    }

    @Test func anAppleDeviceIsProbedAndSwitchedOnlyOnCommand() throws {
        let testbed = try DeviceTestbed()
        let file = try Self.configuration("[usb]\napple-probes = yes\n")
        defer { unlink(file) }
        let daemon = try RunningDaemon(["--config", file], environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        var behaviour = USBBehaviour()
        behaviour.appleMode = [3, 3, 3, 0]
        behaviour.appleCapabilities = [1, 0, 0, 0]
        behaviour.takesRoleSwitch = true
        let mock = try testbed.plug("iphone-12a8", behaviour: behaviour)
        var changed: JSONObject?
        while changed?["deviceState"]?.objectValue?["mode"]?.stringValue == nil {
            changed = try watcher.events(until: "device.changed").last
        }
        let device = try #require(changed?["deviceState"]?.objectValue)
        #expect(device["mode"]?.stringValue == "03030300" && device["carPlayCapable"]?.boolValue == true)
        #expect(!mock.requests.contains { $0.request == 0x51 })
        let answer = try daemon.call("SwitchRole", ["device": "iphone-1"])
        #expect(answer.error == nil)
        #expect(mock.requests.last?.request == 0x51)
        testbed.unplug(mock)
        let gone = try #require(try watcher.events(until: "device.detached").last)
        #expect(Self.code(gone) == "roleSwitched")
    }
}
