import DeviceTestKit
import Glibc
import LinuxIO
import Testing
import VarlinkProtocol

/// Which nodes the daemon takes, which of them are one device, and what the device table makes of them.
@Suite(.serialized, .enabled(if: DeviceTestbed.isAvailable, Comment(rawValue: DeviceTestbed.skipReason)))
struct DaemonInputGroupTests {
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
        let folder = try InputStage.Folder(devices: Self.parts)
        let daemon = try RunningDaemon(["--config", folder.file], environment: testbed.environment, devices: true)
        let watcher = try InputStage.watch(daemon)
        var button: EvdevMock?
        let addButton = { button = try testbed.addInput(Self.part("Split Button", "usb-a/input1", keys: [28])) }
        // The button of another device: no device, and not ours.
        let stranger = try testbed.addInput(Self.part("Split Button", "usb-b/input1", keys: [28]))
        if buttonFirst { try addButton() }
        let dial = try testbed.addInput(Self.part("Split Dial", "usb-a/input0", relative: [7]))
        let attached = try #require(try watcher.events(until: "device.attached").last)
        if !buttonFirst { try addButton() }
        let press = try #require(button)
        #expect(InputStage.comes { press.isGrabbed })
        #expect(stranger.opens == 0)
        let name = try #require(attached["device"]?.stringValue)
        #expect(attached["deviceState"]?.objectValue?["model"]?.stringValue == "Split Dial")
        dial.turn(1)
        var event = try #require(try watcher.events(until: "input.knob").last)
        #expect(InputStage.detents(event) == 1)
        press.press()
        event = try #require(try watcher.events(until: "input.knob").last)
        #expect(InputStage.gesture(event) == "press")
        #expect(event["input"]?.objectValue?["source"]?.stringValue == name)
        // The dial goes with the button held: one release, then the device is gone, and the button's node is given back.
        testbed.remove(dial)
        let leaving = try watcher.events(until: "device.detached")
        #expect(leaving.compactMap(InputStage.gesture) == ["release"])
        #expect(InputStage.comes { press.opens == 0 })
        let state = try #require(try daemon.call("GetState").parameters["state"]?.objectValue)
        #expect(state["devices"]?.arrayValue?.isEmpty == true)
    }

    @Test func theButtonNodeGoesAloneAndTheKnobStays() throws {
        let testbed = try DeviceTestbed()
        let folder = try InputStage.Folder(devices: Self.parts)
        let daemon = try RunningDaemon(["--config", folder.file], environment: testbed.environment, devices: true)
        let watcher = try InputStage.watch(daemon)
        let dial = try testbed.addInput(Self.part("Split Dial", "usb-a/input0", relative: [7]))
        _ = try watcher.events(until: "device.attached")
        let button = try testbed.addInput(Self.part("Split Button", "usb-a/input1", keys: [28]))
        #expect(InputStage.comes { button.isGrabbed })
        button.press()
        _ = try watcher.events(until: "input.knob")
        testbed.remove(button)
        #expect(try watcher.events(until: "input.knob").compactMap(InputStage.gesture) == ["release"])
        dial.turn(2)
        let events = try watcher.events(until: "input.knob")
        #expect(InputStage.detents(try #require(events.last)) == 2)
        #expect(!events.contains { $0["kind"]?.stringValue == "device.detached" })
    }

    @Test func twoWholeNodesOfOnePlaceAreOneDevice() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try InputStage.watch(daemon)
        let first = try testbed.addInput(Self.part("Dial", "usb-a/input0", relative: [7]))
        _ = try watcher.events(until: "device.attached")
        let second = try testbed.addInput(Self.part("Wheel", "usb-a/input1", relative: [8]))
        #expect(InputStage.comes { second.isGrabbed })
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

    /// Both interfaces of a device say every turn, and every press.
    @Test func whatTwoWholeNodesSayIsToldOnce() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try InputStage.watch(daemon)
        let nodes = ["usb-a/input0", "usb-a/input1"].map { place in
            var node = Self.part("Dial", place, keys: [0x100], relative: [7])
            node.ringSize = 8_192
            return node
        }
        let first = try testbed.addInput(nodes[0])
        _ = try watcher.events(until: "device.attached")
        let second = try testbed.addInput(nodes[1])
        #expect(InputStage.comes { second.isGrabbed })
        let time = SystemClock.monotonicNow()
        for step in UInt64(0)..<200 {
            // The times are the device's: how late the daemon reads changes nothing.
            first.report([(2, 7, 1)], time: time + step * 12_000_000)
            second.report([(2, 7, 1)], time: time + step * 12_000_000 + 4_000_000)
            if step % 20 == 19 { usleep(20_000) }
        }
        first.report([(1, 0x100, 1)], time: time + 4_000_000_000)
        second.report([(1, 0x100, 1)], time: time + 4_004_000_000)
        first.report([(1, 0x100, 0)], time: time + 4_100_000_000)
        second.report([(1, 0x100, 0)], time: time + 4_104_000_000)
        var events: [JSONObject] = []
        while !events.contains(where: { InputStage.gesture($0) == "release" }) {
            events += try watcher.events(until: "input.knob")
        }
        #expect(events.compactMap(InputStage.detents).reduce(0, +) == 200)
        let gestures = events.compactMap(InputStage.gesture)
        #expect(gestures.filter { $0 != "rotate" } == ["press", "release"])
    }

    @Test func aContactThatBouncesIsLetGoWhenItHasSettled() throws {
        let testbed = try DeviceTestbed()
        let folder = try InputStage.Folder(
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
        let watcher = try InputStage.watch(daemon)
        let knob = try testbed.addKnob()
        _ = try watcher.events(until: "device.attached")
        knob.press()
        for _ in 0..<3 {
            knob.release()
            knob.press()
        }
        knob.release()
        // Nothing else happens at the device: only time passes.
        #expect(try watcher.events(until: "input.knob").compactMap(InputStage.gesture) == ["press"])
        #expect(try watcher.events(until: "input.knob").compactMap(InputStage.gesture) == ["release"])
    }

    private static func phases(_ event: JSONObject?) -> [String] {
        let contacts = event?["touchpad"]?.objectValue?["contacts"]?.arrayValue ?? []
        return contacts.compactMap { $0.objectValue?["phase"]?.stringValue }
    }

    @Test func aPadIsTakenWhenItIsChosenAndItsContactsEndWithIt() throws {
        let testbed = try DeviceTestbed()
        let folder = try InputStage.Folder(settings: "[input]\nnames = Test Touchpad\n")
        let daemon = try RunningDaemon(["--config", folder.file], environment: testbed.environment, devices: true)
        let watcher = try InputStage.watch(daemon)
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
        let watcher = try InputStage.watch(daemon)
        let pad = try testbed.addInput(.touchpad)
        _ = try testbed.addKnob()
        _ = try watcher.events(until: "device.attached")
        #expect(pad.opens == 0)
    }

    @Test func knobsCanBeLeftToOthersWhileAPadIsTaken() throws {
        let testbed = try DeviceTestbed()
        let folder = try InputStage.Folder(settings: "[input]\nknobs = no\nnames = Test Touchpad, Griffin PowerMate\n")
        let daemon = try RunningDaemon(["--config", folder.file], environment: testbed.environment, devices: true)
        let watcher = try InputStage.watch(daemon)
        let knob = try testbed.addKnob()
        _ = try testbed.addInput(.touchpad)
        let attached = try #require(try watcher.events(until: "device.attached").last)
        #expect(attached["deviceState"]?.objectValue?["kind"]?.stringValue == "touchpad")
        #expect(knob.opens == 0)
    }

    @Test func aTouchscreenHasThePixelsOfItsDisplayToTheCorners() throws {
        let testbed = try DeviceTestbed()
        let folder = try InputStage.Folder(
            settings: "[input]\nnames = Test Touchscreen\n[authentication]\nsigner = test\n")
        let daemon = try RunningDaemon(["--config", folder.file], environment: testbed.environment, devices: true)
        let watcher = try InputStage.watch(daemon)
        _ = try daemon.call("Plug", ["profile": "iphone", "name": "phone"])
        _ = try watcher.events(until: "front.changed")
        let state = try #require(try daemon.call("GetState").parameters["state"]?.objectValue)
        let display = try #require(state["displays"]?.arrayValue?.first?.objectValue)
        let width = try #require(display["width"]?.intValue)
        let height = try #require(display["height"]?.intValue)
        let screen = try testbed.addInput(.touchscreen)
        let attached = try #require(try watcher.events(until: "device.attached").last)
        #expect(attached["deviceState"]?.objectValue?["kind"]?.stringValue == "touchscreen")
        for (x, y) in [(Int32(0), Int32(0)), (4_095, 0), (0, 4_095), (4_095, 4_095)] {
            screen.report([(3, 0x2F, 0), (3, 0x39, 5 + x / 4_095), (3, 0x35, x), (3, 0x36, y), (1, 0x14A, 1)])
            let event = try #require(try watcher.events(until: "input.touch").last)
            let contact = event["touch"]?.objectValue?["contacts"]?.arrayValue?.first?.objectValue
            #expect(contact?["phase"]?.stringValue == "began")
            #expect(contact?["x"]?.intValue == (x == 0 ? 0 : width - 1))
            #expect(contact?["y"]?.intValue == (y == 0 ? 0 : height - 1))
            #expect(event["input"]?.objectValue?["revision"]?.intValue == display["revision"]?.intValue)
            screen.report([(3, 0x2F, 0), (3, 0x39, -1), (1, 0x14A, 0)])
            _ = try watcher.events(until: "input.touch")
        }
    }

    private static func touchPhases(_ event: JSONObject) -> [String] {
        let contacts = event["touch"]?.objectValue?["contacts"]?.arrayValue ?? []
        return contacts.compactMap { $0.objectValue?["phase"]?.stringValue }
    }

    @Test func aTouchIsTakenBackWhenItsDisplayChangesAndWhenItsSessionGoes() throws {
        let testbed = try DeviceTestbed()
        let folder = try InputStage.Folder(
            settings: "[input]\nnames = Test Touchscreen\n[authentication]\nsigner = test\n")
        let daemon = try RunningDaemon(["--config", folder.file], environment: testbed.environment, devices: true)
        let watcher = try InputStage.watch(daemon)
        let screen = try testbed.addInput(.touchscreen)
        _ = try watcher.events(until: "device.attached")
        _ = try daemon.call("Plug", ["profile": "iphone", "name": "phone"])
        _ = try watcher.events(until: "front.changed")
        screen.report([(3, 0x2F, 0), (3, 0x39, 5), (3, 0x35, 100), (3, 0x36, 100), (1, 0x14A, 1)])
        _ = try watcher.events(until: "input.touch")
        _ = try daemon.call("SetDisplay", ["display": "s1/main", "width": 400, "height": 240])
        let changing = try watcher.events(until: "display.changed")
        #expect(changing.map(Self.touchPhases) == [["cancelled"], []])
        #expect(changing.first?["input"]?.objectValue?["revision"]?.intValue == 1)
        // The same finger goes on, is lifted and comes again.
        screen.report([(3, 0x35, 200)])
        screen.report([(3, 0x39, -1), (1, 0x14A, 0)])
        screen.report([(3, 0x39, 6), (3, 0x35, 4_095), (1, 0x14A, 1)])
        let again = try watcher.events(until: "input.touch")
        #expect(again.map(Self.touchPhases) == [["began"]])
        #expect(again.first?["input"]?.objectValue?["revision"]?.intValue == 2)
        _ = try daemon.call("Unplug", ["device": "phone"])
        let leaving = try watcher.events(until: "session.closed")
        #expect(leaving.map(Self.touchPhases).filter { !$0.isEmpty } == [["cancelled"]])
        screen.report([(3, 0x39, -1), (1, 0x14A, 0)])
        testbed.remove(screen)
        let rest = try watcher.events(until: "device.detached") + watcher.events(until: "device.detached")
        #expect(!rest.contains { $0["touch"] != nil })
    }

    @Test func aLongPressIsToldWhileItLasts() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try InputStage.watch(daemon)
        let knob = try testbed.addKnob()
        _ = try watcher.events(until: "device.attached")
        knob.press()
        let events = try watcher.events(until: "input.intent")
        #expect(events.compactMap(InputStage.gesture) == ["press"])
        #expect(events.last?["intent"]?.objectValue?["meaning"]?.stringValue == "longPress", "\(events)")
        knob.release()
        let last = try watcher.events(until: "input.knob").last
        #expect(last?["knob"]?.objectValue?["long"]?.boolValue == true)
    }
}
