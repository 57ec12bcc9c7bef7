import DeviceTestKit
import Glibc
import LinuxIO
import Testing
import VarlinkProtocol

/// Input devices behind the daemon as its own process: exact, each on its own, and let go of whatever happens.
@Suite(.serialized, .enabled(if: DeviceTestbed.isAvailable, Comment(rawValue: DeviceTestbed.skipReason)))
struct DaemonInputTests {
    @Test func tenThousandDetentsAtFiveHundredASecondArriveExactly() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try InputStage.watch(daemon)
        let knob = try testbed.addKnob(InputStage.patient(1))
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
            sum += InputStage.detents(event)
            last = InputStage.gesture(event)
        }
        turner.join()
        #expect(sum == 10_000)
        #expect(kinds == ["input.knob"])
    }

    @Test func eightKnobsAtOneKilohertzEachAreExact() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try InputStage.watch(daemon)
        var knobs: [(mock: EvdevMock, id: String)] = []
        for number in 0..<8 {
            let mock = try testbed.addKnob(InputStage.patient(number))
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
            sums[source, default: 0] += InputStage.detents(event)
            if InputStage.gesture(event) == "release" { released += 1 }
        }
        for turner in turners { turner.join() }
        #expect(sums == Dictionary(uniqueKeysWithValues: knobs.map { ($0.id, 1_000) }))
    }

    @Test func aDaemonThatStoodStillForTwoSecondsTellsTheLossAndNoPhantomPress() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try InputStage.watch(daemon)
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
            if let gesture = InputStage.gesture(event) { gestures.append(gesture) }
        }
        #expect(kinds.filter { $0 == "input.lost" }.count == 1)
        #expect(gestures.filter { $0 != "rotate" } == ["release"])
        // And it goes on as before.
        knob.rotate(5)
        var sum: Int64 = 0
        while sum < 5 { sum += InputStage.detents(try #require(try watcher.events(until: "input.knob").last)) }
        #expect(sum == 5)
    }

    @Test func aRevokedKnobIsLetGoAndComesBack() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try InputStage.watch(daemon)
        let knob = try testbed.addKnob()
        let first = try #require(try watcher.events(until: "device.attached").last)
        knob.press()
        _ = try watcher.events(until: "input.knob")
        knob.revoke()
        let leaving = try watcher.events(until: "device.detached")
        #expect(leaving.compactMap(InputStage.gesture) == ["release"])
        #expect(InputStage.reason(leaving.last) == "revoked")
        let back = try #require(try watcher.events(until: "device.attached").last)
        #expect(back["device"]?.stringValue == first["device"]?.stringValue)
        #expect(back["deviceState"]?.objectValue?["generation"]?.intValue == 2)
        knob.rotate(2, pace: .atOnce)
        #expect(InputStage.detents(try #require(try watcher.events(until: "input.knob").last)) == 1)
        testbed.remove(knob)
        #expect(InputStage.reason(try watcher.events(until: "device.detached").last) == "surpriseRemoval")
    }

    @Test func aKnobThatCannotBeReadDoesNotStopTheOtherAndIsTriedAgain() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try InputStage.watch(daemon)
        let bad = try testbed.addKnob(InputStage.patient(1))
        let name = try #require(try watcher.events(until: "device.attached").last?["device"]?.stringValue)
        let good = try testbed.addKnob(InputStage.patient(2))
        _ = try watcher.events(until: "device.attached")
        bad.press()
        _ = try watcher.events(until: "input.knob")
        bad.failReads(EIO)
        let leaving = try watcher.events(until: "device.detached")
        #expect(leaving.compactMap(InputStage.gesture) == ["release"])
        #expect(leaving.last?["device"]?.stringValue == name && InputStage.reason(leaving.last) == "readFailed")
        good.rotate(3, pace: .atOnce)
        var sum: Int64 = 0
        while sum < 3 {
            let events = try watcher.events(until: "input.knob")
            sum += events.reduce(0) { $0 + InputStage.detents($1) }
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
        #expect(InputStage.gesture(try #require(events.last)) == "rotate")
    }

    @Test(.enabled(if: geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0, "needs root, and setpriv"))
    func permissionsThatComeLateAreWaitedFor() throws {
        let testbed = try DeviceTestbed()
        let wrapper = ["/usr/bin/setpriv", "--bounding-set=-dac_override,-dac_read_search"]
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true, wrapper: wrapper)
        let watcher = try InputStage.watch(daemon)
        let late = try testbed.addInput(InputStage.patient(1)) { $0.setMode(0) }
        _ = try testbed.addKnob(InputStage.patient(2))
        let first = try #require(try watcher.events(until: "device.attached").last)
        #expect(first["deviceState"]?.objectValue?["port"]?.stringValue == "mock-2/input0")
        #expect(late.opens == 0)
        // No event tells of it.
        late.setMode(0o660)
        let second = try #require(try watcher.events(until: "device.attached").last)
        #expect(second["deviceState"]?.objectValue?["port"]?.stringValue == "mock-1/input0")
        late.rotate(1)
        #expect(InputStage.detents(try #require(try watcher.events(until: "input.knob").last)) == 1)
        // And one whose permissions come with an event, as udev does it.
        let third = try testbed.addInput(InputStage.patient(3)) { $0.setMode(0) }
        usleep(300_000)
        third.setMode(0o660)
        testbed.uevent(third.syspath, "change")
        _ = try watcher.events(until: "device.attached")
        #expect(third.opens == 1)
    }

    @Test func aKnobIsGrabbedAndGivenBackByAReloadWithItsButtonHeld() throws {
        let testbed = try DeviceTestbed()
        let folder = try InputStage.Folder(settings: "[input]\ngrab = no\n")
        let daemon = try RunningDaemon(["--config", folder.file], environment: testbed.environment, devices: true)
        let watcher = try InputStage.watch(daemon)
        let knob = try testbed.addKnob()
        _ = try watcher.events(until: "device.attached")
        #expect(!knob.isGrabbed)
        for (grab, before) in [("yes", false), ("no", true)] {
            knob.press()
            #expect(try watcher.events(until: "input.knob").compactMap(InputStage.gesture) == ["press"])
            try folder.write("[input]\ngrab = \(grab)\n")
            try daemon.process.signal(SIGHUP)
            _ = try watcher.events(until: "configuration.reloaded")
            // Taken only once the button is up, so that others hear that as well; given back at once.
            #expect(knob.isGrabbed == false, "before: \(before)")
            knob.release()
            #expect(try watcher.events(until: "input.knob").compactMap(InputStage.gesture) == ["release"])
            #expect(knob.isGrabbed == !before)
        }
    }

    @Test func aGrabEndsWithTheDaemonHoweverItEnds() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try InputStage.watch(daemon)
        let knob = try testbed.addKnob()
        _ = try watcher.events(until: "device.attached")
        for signal in [SIGTERM, SIGKILL] {
            #expect(knob.isGrabbed)
            try daemon.process.signal(signal)
            _ = try daemon.process.wait(until: RunningDaemon.soon())
            #expect(InputStage.comes { !knob.isGrabbed && knob.opens == 0 })
            if signal == SIGTERM {
                try daemon.restart()
                #expect(InputStage.comes { knob.isGrabbed })
            }
        }
    }
}
