import DeviceTestKit
import Glibc
import LinuxIO
import Testing
import VarlinkProtocol

/// The daemon as its own process on a machine of mock devices: real libudev, real libusb, real evdev reading.
@Suite(.serialized, .enabled(if: DeviceTestbed.isAvailable, Comment(rawValue: DeviceTestbed.skipReason)))
struct DaemonDeviceTests {
    static let phones: [(fixture: String, kind: String, role: String)] = [
        ("iphone-12a8", "iPhone", "headUnit"), ("iphone-12a8-valeria", "iPhone", "headUnit"),
        ("pixel-mtp-4ee1", "androidPhone", "headUnit"), ("aoa-2d00", "androidAccessory", "headUnit"),
        ("aoa-adb-2d01", "androidAccessory", "headUnit"), ("carlinkit-1314-1520", "dongle", "headUnit"),
        ("carlinkit-1314-1521", "dongle", "headUnit"),
    ]

    private static func watch(_ daemon: RunningDaemon) throws -> TestClient {
        let client = try daemon.connect()
        try client.send("org.dashrig.Rig.Subscribe", more: true)
        while try client.reply().parameters["complete"]?.boolValue != true {}
        return client
    }

    @Test func allSevenFixturesAreThere() throws {
        let simulated = try DeviceFixture.names().filter { !$0.contains("-iap-") }
        #expect(simulated.sorted() == Self.phones.map(\.fixture).sorted())
    }

    @Test(arguments: phones)
    func eachIsClassifiedAndComesBackTwentyTimesAsTheSameDevice(
        fixture: String, kind: String, role: String
    ) throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        var name: String?
        for generation in 1...21 {
            let mock = try testbed.plug(fixture)
            let events = try watcher.events(until: "front.changed")
            let attached = events.filter { $0["kind"]?.stringValue == "device.attached" }
            #expect(attached.count == 1)
            let device = try #require(attached.first?["deviceState"]?.objectValue)
            #expect(device["kind"]?.stringValue == kind)
            #expect(device["role"]?.stringValue == role)
            #expect(device["peer"]?.stringValue == "simulated")
            #expect(device["origin"]?.stringValue == "observed")
            #expect(device["port"]?.stringValue == "1-1")
            #expect(device["generation"]?.intValue == Int64(generation))
            if let name { #expect(device["id"]?.stringValue == name) }
            name = device["id"]?.stringValue
            testbed.unplug(mock)
            let leaving = try watcher.events(until: "device.detached")
            #expect(leaving.count { $0["kind"]?.stringValue == "session.closed" } == 1)
            #expect(leaving.last?["device"]?.stringValue == name)
        }
        let state = try #require(try daemon.call("GetState").parameters["state"]?.objectValue)
        for list in ["devices", "sessions", "displays"] { #expect(state[list]?.arrayValue?.isEmpty == true) }
    }

    @Test func aPhoneThatWasThereBeforeIsFoundOnceAtEachStart() throws {
        let testbed = try DeviceTestbed()
        try testbed.plug("iphone-12a8")
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        for _ in 0..<5 {
            let watcher = try daemon.connect()
            try watcher.send("org.dashrig.Rig.Subscribe", more: true)
            var found = 0
            while found == 0 {
                let reply = try watcher.reply().parameters
                found += reply["state"]?.objectValue?["devices"]?.arrayValue?.count ?? 0
                if reply["event"]?.objectValue?["kind"]?.stringValue == "device.attached" { found += 1 }
            }
            _ = try daemon.call("Mark", ["text": "end"])
            while true {
                let event = try watcher.reply().parameters["event"]?.objectValue
                #expect(event?["kind"]?.stringValue != "device.attached")
                if event?["text"]?.stringValue == "end" { break }
            }
            let state = try #require(try daemon.call("GetState").parameters["state"]?.objectValue)
            #expect(state["devices"]?.arrayValue?.count == 1)
            try daemon.process.signal(SIGKILL)
            _ = try daemon.process.wait(until: RunningDaemon.soon())
            try daemon.restart()
        }
    }

    @Test func aKnobIsExactByAHundredDetentsEachWayAndPressesReachAnApp() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        let knob = try testbed.addKnob()
        let attached = try #require(try watcher.events(until: "device.attached").last?["deviceState"]?.objectValue)
        #expect(attached["kind"]?.stringValue == "knob")
        #expect(attached["role"] == nil)
        _ = try daemon.call("Plug", ["profile": "iphone", "name": "phone"])
        let app = try daemon.connect(RunningDaemon.app)
        try app.send("org.dashrig.App.Launch", ["manifest": ["name": "demo"]], more: true)
        _ = try app.reply()
        for detents in [100, -100] {
            knob.rotate(detents)
            knob.press()
            knob.release()
            var sum: Int64 = 0
            var gestures: [String] = []
            while gestures.last != "release" {
                let event = try #require(try app.events(until: "input.knob").last)
                let what = try #require(event["knob"]?.objectValue)
                sum += what["detents"]?.intValue ?? 0
                let gesture = try #require(what["gesture"]?.stringValue)
                if gesture != "rotate" { gestures.append(gesture) }
                #expect(event["origin"]?.stringValue == "observed")
                #expect(event["input"]?.objectValue?["source"]?.stringValue == attached["id"]?.stringValue)
                #expect(event["session"]?.stringValue == "s1")
            }
            #expect(sum == Int64(detents))
            #expect(gestures == ["press", "release"])
        }
        testbed.remove(knob)
        let gone = try #require(try watcher.events(until: "device.detached").last)
        #expect(gone["device"]?.stringValue == attached["id"]?.stringValue)
        // A knob that returns is the same one.
        _ = try testbed.addKnob()
        let back = try #require(try watcher.events(until: "device.attached").last)
        #expect(back["device"] != nil)
    }

    @Test func aKnobPulledWhilePressedLetsGo() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        let knob = try testbed.addKnob()
        _ = try watcher.events(until: "device.attached")
        knob.press()
        _ = try watcher.events(until: "input.knob")
        testbed.remove(knob)
        let events = try watcher.events(until: "device.detached")
        let gestures = events.compactMap { $0["knob"]?.objectValue?["gesture"]?.stringValue }
        #expect(gestures == ["release"])
    }

    @Test func whatIsNoPhoneIsLeftAlone() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        _ = try testbed.addInput(.mouse)
        _ = try testbed.addInput(.keyboard)
        // The root hub comes with the first device; the knob comes last, so all others were seen before it.
        try testbed.plug("iphone-12a8")
        _ = try testbed.addKnob()
        var names: [String] = []
        while names.last?.hasPrefix("knob") != true {
            let event = try #require(try watcher.events(until: "device.attached").last)
            names.append(try #require(event["device"]?.stringValue))
        }
        #expect(names.sorted() == ["iphone-1", "knob-1"])
    }

    @Test func aSlowSilentOrStuckDeviceNeverHoldsTheOthersUp() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        var behaviour = USBBehaviour()
        behaviour.openHangs = true
        let stuck = try testbed.plug("carlinkit-1314-1520", port: "1-1", serial: "", behaviour: behaviour)
        _ = try watcher.events(until: "device.attached")
        let begin = SystemClock.monotonicNow()
        try testbed.plug("iphone-12a8", port: "1-2")
        _ = try watcher.events(until: "device.attached")
        _ = try daemon.call("GetState")
        #expect(SystemClock.monotonicNow() - begin < 2_000_000_000, "the phone waited for the dongle")
        testbed.unplug(stuck)
        _ = try watcher.events(until: "device.detached")
        stuck.releaseHangs()
    }

    @Test func twoInstancesShareAPortNever() throws {
        let testbed = try DeviceTestbed()
        let folder = try RunningDaemon.privateFolder()
        // The other instance: its claim is what this one meets.
        let claim = try LockFile("\(folder)/1-1", owner: "left")
        let daemon = try RunningDaemon(["--ports-dir", folder], environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        try testbed.plug("iphone-12a8", port: "1-1")
        let device = try #require(try watcher.events(until: "device.attached").last?["deviceState"]?.objectValue)
        #expect(device["state"]?.stringValue == "busy")
        #expect(device["reason"]?.objectValue?["text"]?.stringValue?.contains("left") == true)
        release(claim)
        let events = try watcher.events(until: "session.active")
        #expect(events.last?["device"]?.stringValue == device["id"]?.stringValue)
        unlink("\(folder)/1-1")
        rmdir(folder)
    }

    @Test func aKnobOfAnotherInstanceIsTakenOverWhenThatLeaves() throws {
        let testbed = try DeviceTestbed()
        let folder = try RunningDaemon.privateFolder()
        let first = try RunningDaemon(["--ports-dir", folder], environment: testbed.environment, devices: true)
        let seen = try Self.watch(first)
        let knob = try testbed.addKnob()
        let device = try #require(try seen.events(until: "device.attached").last?["deviceState"]?.objectValue)
        let port = try #require(device["port"]?.stringValue)
        testbed.remove(knob)
        _ = try seen.events(until: "device.detached")
        // From now on another instance has the port.
        let name = String(port.map { $0 == "/" ? "_" : $0 })
        let claim = try LockFile("\(folder)/\(name)", owner: "left")
        let again = try testbed.addKnob()
        let held = try #require(try seen.events(until: "device.attached").last?["deviceState"]?.objectValue)
        #expect(held["state"]?.stringValue == "busy")
        release(claim)
        var state = "busy"
        while state == "busy" {
            state =
                try seen.events(until: "device.changed").last?["deviceState"]?.objectValue?["state"]?.stringValue ?? ""
        }
        #expect(state == "attached")
        again.rotate(1)
        #expect(try seen.events(until: "input.knob").last?["knob"]?.objectValue?["detents"]?.intValue == 1)
        unlink("\(folder)/\(name)")
        rmdir(folder)
    }

    private func release(_ claim: consuming LockFile) {}

    @Test func aReloadJudgesWhatIsPluggedInAnew() throws {
        let testbed = try DeviceTestbed()
        let folder = try RunningDaemon.privateFolder()
        let file = "\(folder)/dashrig.ini"
        try FileContents.write(file, Array("[usb]\nports = 1-1\n".utf8))
        let daemon = try RunningDaemon(["--config", file], environment: testbed.environment, devices: true)
        let watcher = try Self.watch(daemon)
        try testbed.plug("pixel-mtp-4ee1", port: "1-2")
        try testbed.plug("iphone-12a8", port: "1-1")
        let first = try #require(try watcher.events(until: "device.attached").last)
        #expect(first["deviceState"]?.objectValue?["port"]?.stringValue == "1-1", "port 1-2 is not this rig's")
        _ = try watcher.events(until: "session.active")
        try FileContents.write(file, Array("[usb]\nports = 1-2\n".utf8))
        try daemon.process.signal(SIGHUP)
        let events = try watcher.events(until: "device.attached")
        #expect(events.last?["device"]?.stringValue == "android-1")
        // A session is not lost by a reload: what is no longer this rig's stays until it is unplugged.
        #expect(!events.contains { $0["kind"]?.stringValue == "session.closed" })
        let state = try #require(try daemon.call("GetState").parameters["state"]?.objectValue)
        #expect(state["devices"]?.arrayValue?.count == 2)
        unlink(file)
        rmdir(folder)
    }
}
