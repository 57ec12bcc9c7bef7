import DeviceTestKit
import Glibc
import LinuxIO
import Testing
import VarlinkProtocol

/// Input devices behind the daemon as its own process: exact, each on its own, and let go of whatever happens.
@Suite(.serialized, .enabled(if: DeviceTestbed.isAvailable, Comment(rawValue: DeviceTestbed.skipReason)))
struct DaemonInputTests {
    /// A configuration of its own, with drop-ins for the device table.
    private final class Folder {
        let path: String
        var file: String { "\(path)/dashrig.ini" }

        init(settings: String = "", devices: String = "") throws {
            path = try RunningDaemon.privateFolder()
            mkdir("\(path)/devices", 0o755)
            try FileContents.write("\(path)/devices/test.ini", Array(devices.utf8))
            try write(settings)
        }

        func write(_ settings: String) throws { try FileContents.write(file, Array(settings.utf8)) }

        deinit {
            unlink("\(path)/devices/test.ini")
            rmdir("\(path)/devices")
            unlink(file)
            rmdir(path)
        }
    }

    private static func watch(_ daemon: RunningDaemon) throws -> TestClient {
        let client = try daemon.connect()
        try client.send("org.dashrig.Rig.Subscribe", more: true)
        while try client.reply().parameters["complete"]?.boolValue != true {}
        return client
    }

    /// A knob whose ring outlasts a busy machine, at a place of its own.
    private static func patient(_ number: Int) -> EvdevProfile {
        var profile = EvdevProfile.powerMate
        profile.ringSize = 8_192
        profile.phys = "mock-\(number)/input0"
        return profile
    }

    /// Whether something is so within ten seconds. A grab is the last thing that happens to a node that is opened: what
    /// it reports from then on is heard.
    private static func comes(_ condition: () -> Bool) -> Bool {
        let end = RunningDaemon.soon()
        while !condition() {
            if SystemClock.monotonicNow() > end { return false }
            usleep(1_000)
        }
        return true
    }

    private static func gesture(_ event: JSONObject) -> String? {
        event["knob"]?.objectValue?["gesture"]?.stringValue
    }

    private static func detents(_ event: JSONObject) -> Int64 {
        event["knob"]?.objectValue?["detents"]?.intValue ?? 0
    }

    private static func reason(_ event: JSONObject?) -> String? {
        event?["reason"]?.objectValue?["code"]?.stringValue
            ?? event?["deviceState"]?.objectValue?["reason"]?.objectValue?["code"]?.stringValue
    }

    @Test func tenThousandDetentsAtFiveHundredASecondArriveExactly() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        let knob = try testbed.addKnob(Self.patient(1))
        _ = try watcher.events(until: "device.attached")
        let turner = Turner {
            knob.rotate(10_000, pace: .interval(2_000_000))
            knob.press()
            knob.release()
        }
        var sum: Int64 = 0
        var kinds: Set<String> = []
        var last: String?
        while last != "release" {
            let event = try #require(try watcher.events(until: "input.knob").last)
            kinds.insert(try #require(event["kind"]?.stringValue))
            sum += Self.detents(event)
            last = Self.gesture(event)
        }
        turner.join()
        #expect(sum == 10_000)
        #expect(kinds == ["input.knob"])
    }

    @Test func eightKnobsAtOneKilohertzEachAreExact() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        var knobs: [(mock: EvdevMock, id: String)] = []
        for number in 0..<8 {
            let mock = try testbed.addKnob(Self.patient(number))
            let event = try #require(try watcher.events(until: "device.attached").last)
            knobs.append((mock, try #require(event["device"]?.stringValue)))
        }
        #expect(Set(knobs.map(\.id)).count == 8)
        let turners = knobs.map { knob in
            Turner {
                knob.mock.rotate(1_000, pace: .interval(1_000_000))
                knob.mock.press()
                knob.mock.release()
            }
        }
        var sums: [String: Int64] = [:]
        var released = 0
        while released < 8 {
            let event = try #require(try watcher.events(until: "input.knob").last)
            let source = try #require(event["input"]?.objectValue?["source"]?.stringValue)
            sums[source, default: 0] += Self.detents(event)
            if Self.gesture(event) == "release" { released += 1 }
        }
        for turner in turners { turner.join() }
        #expect(sums == Dictionary(uniqueKeysWithValues: knobs.map { ($0.id, 1_000) }))
    }

    @Test func aDaemonThatStoodStillForTwoSecondsTellsTheLossAndNoPhantomPress() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        let knob = try testbed.addKnob()
        _ = try watcher.events(until: "device.attached")
        knob.press()
        _ = try watcher.events(until: "input.knob")
        try daemon.process.signal(SIGSTOP)
        knob.rotate(1_000, pace: .interval(1_000_000))
        knob.release()
        knob.rotate(1_000, pace: .interval(1_000_000))
        try daemon.process.signal(SIGCONT)
        var gestures: [String] = []
        var kinds: [String] = []
        while gestures.last != "release" {
            let event = try #require(try watcher.reply().parameters["event"]?.objectValue)
            kinds.append(try #require(event["kind"]?.stringValue))
            if let gesture = Self.gesture(event) { gestures.append(gesture) }
        }
        #expect(kinds.filter { $0 == "input.lost" }.count == 1)
        #expect(gestures.filter { $0 != "rotate" } == ["release"])
        // And it goes on as before.
        knob.rotate(5)
        var sum: Int64 = 0
        while sum < 5 { sum += Self.detents(try #require(try watcher.events(until: "input.knob").last)) }
        #expect(sum == 5)
    }

    @Test func aRevokedKnobIsLetGoAndComesBack() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        let knob = try testbed.addKnob()
        let first = try #require(try watcher.events(until: "device.attached").last)
        knob.press()
        _ = try watcher.events(until: "input.knob")
        knob.revoke()
        let leaving = try watcher.events(until: "device.detached")
        #expect(leaving.compactMap(Self.gesture) == ["release"])
        #expect(Self.reason(leaving.last) == "revoked")
        let back = try #require(try watcher.events(until: "device.attached").last)
        #expect(back["device"]?.stringValue == first["device"]?.stringValue)
        #expect(back["deviceState"]?.objectValue?["generation"]?.intValue == 2)
        knob.rotate(2, pace: .atOnce)
        #expect(Self.detents(try #require(try watcher.events(until: "input.knob").last)) == 1)
        testbed.remove(knob)
        #expect(Self.reason(try watcher.events(until: "device.detached").last) == "surpriseRemoval")
    }

    @Test func aKnobThatCannotBeReadDoesNotStopTheOtherAndIsTriedAgain() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        let bad = try testbed.addKnob(Self.patient(1))
        let name = try #require(try watcher.events(until: "device.attached").last?["device"]?.stringValue)
        let good = try testbed.addKnob(Self.patient(2))
        _ = try watcher.events(until: "device.attached")
        bad.press()
        _ = try watcher.events(until: "input.knob")
        bad.failReads(EIO)
        let leaving = try watcher.events(until: "device.detached")
        #expect(leaving.compactMap(Self.gesture) == ["release"])
        #expect(leaving.last?["device"]?.stringValue == name && Self.reason(leaving.last) == "readFailed")
        good.rotate(3, pace: .atOnce)
        var sum: Int64 = 0
        while sum < 3 {
            let events = try watcher.events(until: "input.knob")
            sum += events.reduce(0) { $0 + Self.detents($1) }
        }
        #expect(sum == 3)
        bad.failReads(nil)
        bad.release()
        var events: [JSONObject] = []
        // It may have come and gone a few times before it was whole again; now it stays.
        for _ in 0..<20 where events.last?["knob"] == nil {
            bad.rotate(1, pace: .atOnce)
            events = []
            while let event = try watcher.nextReply(within: 1)?.parameters["event"]?.objectValue {
                events.append(event)
                if event["knob"] != nil { break }
            }
        }
        #expect(events.last?["input"]?.objectValue?["source"]?.stringValue == name)
        #expect(Self.gesture(try #require(events.last)) == "rotate")
    }

    @Test(.enabled(if: geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0, "needs root, and setpriv"))
    func permissionsThatComeLateAreWaitedFor() throws {
        let testbed = try DeviceTestbed()
        let wrapper = ["/usr/bin/setpriv", "--bounding-set=-dac_override,-dac_read_search"]
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true, wrapper: wrapper)
        let watcher = try Self.watch(daemon)
        let late = try testbed.addInput(Self.patient(1)) { $0.setMode(0) }
        _ = try testbed.addKnob(Self.patient(2))
        let first = try #require(try watcher.events(until: "device.attached").last)
        #expect(first["deviceState"]?.objectValue?["port"]?.stringValue == "mock-2/input0")
        #expect(late.opens == 0)
        // No event tells of it.
        late.setMode(0o660)
        let second = try #require(try watcher.events(until: "device.attached").last)
        #expect(second["deviceState"]?.objectValue?["port"]?.stringValue == "mock-1/input0")
        late.rotate(1)
        #expect(Self.detents(try #require(try watcher.events(until: "input.knob").last)) == 1)
        // And one whose permissions come with an event, as udev does it.
        let third = try testbed.addInput(Self.patient(3)) { $0.setMode(0) }
        usleep(300_000)
        third.setMode(0o660)
        testbed.uevent(third.syspath, "change")
        _ = try watcher.events(until: "device.attached")
        #expect(third.opens == 1)
    }

    @Test func aKnobIsGrabbedAndGivenBackByAReloadWithItsButtonHeld() throws {
        let testbed = try DeviceTestbed()
        let folder = try Folder(settings: "[input]\ngrab = no\n")
        let daemon = try RunningDaemon(["--config", folder.file], environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        let knob = try testbed.addKnob()
        _ = try watcher.events(until: "device.attached")
        #expect(!knob.isGrabbed)
        for (grab, before) in [("yes", false), ("no", true)] {
            knob.press()
            #expect(try watcher.events(until: "input.knob").compactMap(Self.gesture) == ["press"])
            try folder.write("[input]\ngrab = \(grab)\n")
            try daemon.process.signal(SIGHUP)
            _ = try watcher.events(until: "configuration.reloaded")
            // Taken only once the button is up, so that others hear that as well; given back at once.
            #expect(knob.isGrabbed == false, "before: \(before)")
            knob.release()
            #expect(try watcher.events(until: "input.knob").compactMap(Self.gesture) == ["release"])
            #expect(knob.isGrabbed == !before)
        }
    }

    @Test func aGrabEndsWithTheDaemonHoweverItEnds() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        let knob = try testbed.addKnob()
        _ = try watcher.events(until: "device.attached")
        for signal in [SIGTERM, SIGKILL] {
            #expect(knob.isGrabbed)
            try daemon.process.signal(signal)
            _ = try daemon.process.wait(until: RunningDaemon.soon())
            #expect(Self.comes { !knob.isGrabbed && knob.opens == 0 })
            if signal == SIGTERM {
                try daemon.restart()
                #expect(Self.comes { knob.isGrabbed })
            }
        }
    }

    /// A dial and its button as two nodes of one device.
    private static let parts = """
        [input part-button]
        kind = knob
        priority = 300
        match-name = Split Button
        match-key = KEY_ENTER
        press = KEY_ENTER
        part = addition
        """

    private static func part(_ name: String, _ place: String, keys: [UInt16] = [], relative: [UInt16] = [])
        -> EvdevProfile
    {
        var profile = EvdevProfile(name: name, id: (3, 0x1209, 1, 1), keys: keys, relative: relative)
        profile.phys = place
        return profile
    }

    @Test(arguments: [true, false])
    func twoNodesAreOneKnob(buttonFirst: Bool) throws {
        let testbed = try DeviceTestbed()
        let folder = try Folder(devices: Self.parts)
        let daemon = try RunningDaemon(["--config", folder.file], environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        var button: EvdevMock?
        let addButton = { button = try testbed.addInput(Self.part("Split Button", "usb-a/input1", keys: [28])) }
        // The button of another device: no device, and not ours.
        let stranger = try testbed.addInput(Self.part("Split Button", "usb-b/input1", keys: [28]))
        if buttonFirst { try addButton() }
        let dial = try testbed.addInput(Self.part("Split Dial", "usb-a/input0", relative: [7]))
        let attached = try #require(try watcher.events(until: "device.attached").last)
        if !buttonFirst { try addButton() }
        let press = try #require(button)
        #expect(Self.comes { press.isGrabbed })
        #expect(stranger.opens == 0)
        let name = try #require(attached["device"]?.stringValue)
        #expect(attached["deviceState"]?.objectValue?["model"]?.stringValue == "Split Dial")
        dial.turn(1)
        var event = try #require(try watcher.events(until: "input.knob").last)
        #expect(Self.detents(event) == 1)
        press.press()
        event = try #require(try watcher.events(until: "input.knob").last)
        #expect(Self.gesture(event) == "press")
        #expect(event["input"]?.objectValue?["source"]?.stringValue == name)
        // The dial goes with the button held: one release, then the device is gone, and the button's node is given back.
        testbed.remove(dial)
        let leaving = try watcher.events(until: "device.detached")
        #expect(leaving.compactMap(Self.gesture) == ["release"])
        #expect(Self.comes { press.opens == 0 })
        let state = try #require(try daemon.call("GetState").parameters["state"]?.objectValue)
        #expect(state["devices"]?.arrayValue?.isEmpty == true)
    }

    @Test func theButtonNodeGoesAloneAndTheKnobStays() throws {
        let testbed = try DeviceTestbed()
        let folder = try Folder(devices: Self.parts)
        let daemon = try RunningDaemon(["--config", folder.file], environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        let dial = try testbed.addInput(Self.part("Split Dial", "usb-a/input0", relative: [7]))
        _ = try watcher.events(until: "device.attached")
        let button = try testbed.addInput(Self.part("Split Button", "usb-a/input1", keys: [28]))
        #expect(Self.comes { button.isGrabbed })
        button.press()
        _ = try watcher.events(until: "input.knob")
        testbed.remove(button)
        #expect(try watcher.events(until: "input.knob").compactMap(Self.gesture) == ["release"])
        dial.turn(2)
        let events = try watcher.events(until: "input.knob")
        #expect(Self.detents(try #require(events.last)) == 2)
        #expect(!events.contains { $0["kind"]?.stringValue == "device.detached" })
    }

    @Test func twoWholeNodesOfOnePlaceAreOneDevice() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        let first = try testbed.addInput(Self.part("Dial", "usb-a/input0", relative: [7]))
        _ = try watcher.events(until: "device.attached")
        let second = try testbed.addInput(Self.part("Wheel", "usb-a/input1", relative: [8]))
        #expect(Self.comes { second.isGrabbed })
        first.turn(1)
        // The same from another node at once would be the same once more.
        usleep(100_000)
        second.turn(1)
        let events = try watcher.events(until: "input.knob") + watcher.events(until: "input.knob")
        #expect(Set(events.compactMap { $0["input"]?.objectValue?["source"]?.stringValue }).count == 1)
        testbed.remove(first)
        second.turn(3)
        let rest = try watcher.events(until: "input.knob")
        #expect(!rest.contains { $0["kind"]?.stringValue == "device.detached" })
        testbed.remove(second)
        _ = try watcher.events(until: "device.detached")
    }

    @Test func aContactThatBouncesIsLetGoWhenItHasSettled() throws {
        let testbed = try DeviceTestbed()
        let folder = try Folder(
            devices: """
                [input bouncing]
                kind = knob
                priority = 300
                match-name = Griffin PowerMate
                axis = REL_DIAL
                press = BTN_0
                bounce = 40ms
                """)
        let daemon = try RunningDaemon(["--config", folder.file], environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        let knob = try testbed.addKnob()
        _ = try watcher.events(until: "device.attached")
        knob.press()
        for _ in 0..<3 {
            knob.release()
            knob.press()
        }
        knob.release()
        // Nothing else happens at the device: only time passes.
        #expect(try watcher.events(until: "input.knob").compactMap(Self.gesture) == ["press"])
        #expect(try watcher.events(until: "input.knob").compactMap(Self.gesture) == ["release"])
    }

    private static func phases(_ event: JSONObject?) -> [String] {
        let contacts = event?["touchpad"]?.objectValue?["contacts"]?.arrayValue ?? []
        return contacts.compactMap { $0.objectValue?["phase"]?.stringValue }
    }

    @Test func aPadIsTakenWhenItIsChosenAndItsContactsEndWithIt() throws {
        let testbed = try DeviceTestbed()
        let folder = try Folder(settings: "[input]\nnames = Test Touchpad\n")
        let daemon = try RunningDaemon(["--config", folder.file], environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        let pad = try testbed.addInput(.touchpad)
        let attached = try #require(try watcher.events(until: "device.attached").last)
        #expect(attached["deviceState"]?.objectValue?["kind"]?.stringValue == "touchpad")
        let down: [(type: UInt16, code: UInt16, value: Int32)] = [
            (3, 0x2F, 0), (3, 0x39, 7), (3, 0x35, 3_620), (3, 0x36, 3_235), (1, 0x14A, 1), (1, 0x145, 1),
        ]
        pad.report(down)
        let event = try watcher.events(until: "input.touchpad").last
        #expect(Self.phases(event) == ["began"])
        let place = event?["touchpad"]?.objectValue?["contacts"]?.arrayValue?.first?.objectValue
        #expect(place?["x"]?.doubleValue.map { abs($0 - 50) < 0.1 } == true, "the ranges come from the open node")
        // It is lifted while nobody reads, and another finger comes: the ring of 256 places overflows.
        try daemon.process.signal(SIGSTOP)
        pad.report([(3, 0x2F, 0), (3, 0x39, -1)])
        pad.report([(3, 0x2F, 0), (3, 0x39, 8)])
        for index in 0..<400 { pad.report([(3, 0x35, 2_000 + Int32(index % 2))]) }
        try daemon.process.signal(SIGCONT)
        _ = try watcher.events(until: "input.lost")
        #expect(Self.phases(try watcher.events(until: "input.touchpad").last) == ["ended"])
        #expect(Self.phases(try watcher.events(until: "input.touchpad").last) == ["began"])
        testbed.remove(pad)
        let leaving = try watcher.events(until: "device.detached").filter { $0["touchpad"] != nil }
        #expect(leaving.map(Self.phases).count == 1)
        #expect(["ended", "cancelled"].contains(Self.phases(leaving.first).first ?? ""))
    }

    @Test func aPadThatNobodyChoseIsLeftAlone() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        let pad = try testbed.addInput(.touchpad)
        _ = try testbed.addKnob()
        _ = try watcher.events(until: "device.attached")
        #expect(pad.opens == 0)
    }

    @Test func knobsCanBeLeftToOthersWhileAPadIsTaken() throws {
        let testbed = try DeviceTestbed()
        let folder = try Folder(settings: "[input]\nknobs = no\nnames = Test Touchpad, Griffin PowerMate\n")
        let daemon = try RunningDaemon(["--config", folder.file], environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        let knob = try testbed.addKnob()
        _ = try testbed.addInput(.touchpad)
        let attached = try #require(try watcher.events(until: "device.attached").last)
        #expect(attached["deviceState"]?.objectValue?["kind"]?.stringValue == "touchpad")
        #expect(knob.opens == 0)
    }
}
