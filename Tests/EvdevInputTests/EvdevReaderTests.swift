import DeviceTestKit
import EvdevInput
import Glibc
import LinuxIO
import RigModel
import Testing

@Suite(.serialized, .enabled(if: DeviceTestbed.isAvailable, Comment(rawValue: DeviceTestbed.skipReason)))
struct EvdevReaderTests {
    /// A knob whose ring outlasts a busy machine, for tests that are about exact sums.
    private var patient: EvdevProfile {
        var profile = EvdevProfile.powerMate
        profile.ringSize = 8_192
        return profile
    }

    @Test func theNodeSaysWhatItIs() throws {
        let testbed = try DeviceTestbed()
        let profiles: [EvdevProfile] = [.powerMate, .wheelEncoder, .mouse, .keyboard, .touchpad]
        for profile in profiles {
            let knob = try testbed.addInput(profile)
            let harness = try EvdevHarness()
            let description = try harness.open(knob.node).description
            #expect(description.name == profile.name && description.phys == "mock/input0" && description.uniq.isEmpty)
            #expect(description.bus == profile.id.bus && description.vendor == profile.id.vendor)
            #expect(description.product == profile.id.product && description.version == profile.id.version)
            #expect(description.axes.map(\.code) == profile.absolute)
            #expect(description.key == profile.keys && description.rel == profile.relative)
            #expect(description.abs == profile.absolute && description.props == profile.properties)
            #expect(description.ev.first == 0)
            testbed.remove(knob)
            #expect(try harness.run { harness.gone == .unplugged })
        }
    }

    @Test func oneHundredDetentsEachWayAreExact() throws {
        let testbed = try DeviceTestbed()
        let knob = try testbed.addKnob(patient)
        let harness = try EvdevHarness()
        try harness.open(knob.node)
        knob.rotate(10, pace: .atOnce)
        #expect(try harness.run { harness.detents == 10 })
        // One hundred at 1 kHz, with the loop turning meanwhile.
        let turner = Turner { knob.rotate(90, pace: .interval(1_000_000)) }
        #expect(try harness.run { harness.detents == 100 })
        turner.join()
        let back = Turner { knob.rotate(-100, pace: .interval(1_000_000)) }
        #expect(try harness.run { harness.detents == 0 && harness.events.count >= 200 })
        back.join()
        try harness.run(for: 20_000_000)
        #expect(harness.detents == 0 && harness.losses == 0)
        #expect(harness.events.count == 200, "one event per detent: frames are not merged")
    }

    @Test func aPressHasTheKernelsTimes() throws {
        let testbed = try DeviceTestbed()
        let knob = try testbed.addKnob()
        let harness = try EvdevHarness()
        try harness.open(knob.node)
        let start = SystemClock.monotonicNow() / 1_000 * 1_000
        knob.report([(1, 0x100, 1)], time: start)
        knob.report([(1, 0x100, 2)], time: start + 400_000_000)
        knob.report([(1, 0x100, 0)], time: start + 650_000_000)
        #expect(try harness.run { harness.events.count == 2 })
        #expect(harness.events == [.knob(.pressed), .knob(.released(held: 650_000_000, long: true))])
        let first = try #require(harness.frames.first?.events.first)
        #expect(first == EvdevEvent(type: 1, code: 0x100, value: 1, time: start), "CLOCK_MONOTONIC, not CLOCK_REALTIME")
    }

    @Test(arguments: [false, true])
    func aWheelIsCountedOnce(highResolution: Bool) throws {
        let testbed = try DeviceTestbed()
        let knob = try testbed.addKnob(.wheelEncoder)
        let harness = try EvdevHarness()
        try harness.open(knob.node, highResolution: highResolution)
        for _ in 0..<20 { knob.turn(1) }
        #expect(try harness.run { harness.detents >= 20 })
        try harness.run(for: 20_000_000)
        #expect(harness.detents == 20)
    }

    @Test func aKnobTurnedAsFastAsItIsReadLosesNothing() throws {
        let testbed = try DeviceTestbed()
        let knob = try testbed.addKnob()
        let harness = try EvdevHarness()
        try harness.open(knob.node)
        let turner = Turner { knob.rotate(1_000) }
        #expect(try harness.run { turner.isDone && knob.fullestRing == 0 })
        turner.join()
        try harness.run(for: 5_000_000)
        #expect(harness.detents == 1_000 && harness.losses == 0)
    }

    @Test func aBurstAtOneKilohertzIsExact() throws {
        let testbed = try DeviceTestbed()
        let knob = try testbed.addKnob(patient)
        let harness = try EvdevHarness()
        try harness.open(knob.node)
        let turner = Turner {
            for round in 0..<1_000 {
                knob.rotate(round % 3 == 0 ? -1 : 2, pace: .interval(500_000))
                if round % 100 == 0 { knob.press() }
                if round % 100 == 50 { knob.release() }
                var rest = timespec(tv_sec: 0, tv_nsec: 500_000)
                nanosleep(&rest, nil)
            }
        }
        let expected = 666 * 2 - 334
        #expect(try harness.run { harness.detents == expected && turner.isDone })
        turner.join()
        try harness.run(for: 20_000_000)
        #expect(harness.detents == expected && harness.losses == 0)
        #expect(harness.events.filter { $0 == .knob(.pressed) }.count == 10)
    }

    @Test func anOverflowIsToldAndTheButtonIsRight() throws {
        let testbed = try DeviceTestbed()
        let knob = try testbed.addKnob()
        let harness = try EvdevHarness()
        try harness.open(knob.node)
        knob.press()
        #expect(try harness.run { harness.events == [.knob(.pressed)] })
        // Nobody reads: the ring of 64 overflows, and the release falls into the hole.
        knob.release()
        knob.rotate(200, pace: .atOnce)
        #expect(try harness.run { harness.events.count >= 2 })
        knob.rotate(5, pace: .atOnce)
        try harness.run(for: 20_000_000)
        #expect(harness.losses == 1)
        let presses = harness.events.filter { $0 == .knob(.pressed) }.count
        #expect(presses == 1, "no phantom press")
        #expect(harness.events.count { if case .knob(.released) = $0 { true } else { false } } == 1)
        // 200 detents are 400 events. A ring of 64 keeps what came after its last overflow: less than 32 detents.
        #expect(harness.detents > 5 && harness.detents < 5 + 32)
        #expect(harness.recovered == [[[1, 0x100, 0]]])
    }

    @Test func aPressThatFallsIntoTheHoleIsFound() throws {
        let testbed = try DeviceTestbed()
        let knob = try testbed.addKnob()
        let harness = try EvdevHarness()
        try harness.open(knob.node)
        knob.press()
        knob.rotate(200, pace: .atOnce)
        #expect(try harness.run { harness.events.contains(.knob(.pressed)) })
        knob.release()
        try harness.run(for: 20_000_000)
        #expect(harness.losses == 1)
        let buttons = harness.events.filter { if case .knob(.rotate) = $0 { false } else { true } }
        #expect(buttons.count == 2 && buttons.first == .knob(.pressed))
    }

    @Test func unplugEndsTheReaderAndReleasesTheButton() throws {
        let testbed = try DeviceTestbed()
        let harness = try EvdevHarness()
        for _ in 0..<20 {
            harness.notices = []
            harness.events = []
            let knob = try testbed.addKnob()
            try harness.open(knob.node, grab: true)
            knob.press()
            #expect(try harness.run { harness.events == [.knob(.pressed)] })
            testbed.remove(knob)
            #expect(try harness.run { harness.gone == .unplugged })
            #expect(harness.events.count == 2)
            #expect(try harness.run { knob.opens == 0 }, "the node is closed")
            let after = harness.notices.count
            try harness.run(for: 5_000_000)
            #expect(harness.notices.count == after, "nothing follows the end")
        }
    }

    @Test func aGrabKeepsOthersOutAndEndsWithTheReader() throws {
        let testbed = try DeviceTestbed()
        let knob = try testbed.addKnob()
        let first = try EvdevHarness()
        let second = try EvdevHarness()
        let reader = try first.open(knob.node, grab: true)
        #expect(reader.isGrabbed && knob.isGrabbed)
        #expect(throws: EvdevError.busy(knob.node)) { try second.open(knob.node, grab: true) }
        try second.open(knob.node)
        knob.rotate(3, pace: .atOnce)
        #expect(try first.run { first.detents == 3 })
        try second.run(for: 20_000_000)
        #expect(second.detents == 0)
        try reader.setGrab(false)
        #expect(!knob.isGrabbed)
        knob.rotate(2, pace: .atOnce)
        #expect(try second.run { second.detents == 2 })
        #expect(try first.run { first.detents == 5 })
        try reader.setGrab(true)
        reader.close()
        #expect(try first.run { !knob.isGrabbed })
        knob.rotate(1, pace: .atOnce)
        #expect(try second.run { second.detents == 3 })
        #expect(throws: EvdevError.gone(knob.node)) { try reader.setGrab(true) }
    }

    @Test func aNodeThatIsNotThereIsGoneAndAFileIsNoDevice() throws {
        let testbed = try DeviceTestbed()
        let harness = try EvdevHarness()
        #expect(throws: EvdevError.gone("/dev/input/event99")) { try harness.open("/dev/input/event99") }
        let file = testbed.root + "/plain"
        try FileContents.write(file, [1])
        #expect(throws: EvdevError.notEvdev(file)) { try harness.open(file) }
    }

    @Test func aQuietKnobCostsNoTurns() throws {
        let testbed = try DeviceTestbed()
        let knob = try testbed.addKnob()
        let harness = try EvdevHarness()
        try harness.open(knob.node)
        knob.rotate(1, pace: .atOnce)
        #expect(try harness.run { harness.detents == 1 })
        var turns = 0
        harness.loop.beforeWait = { turns += 1 }
        try harness.run(for: 200_000_000)
        #expect(turns < 5)
    }

    // MARK: What happens while it is opened

    private static let contact: [(type: UInt16, code: UInt16, value: Int32)] = [
        (3, 0x2F, 0), (3, 0x39, 7), (3, 0x35, 2_500), (1, 0x14A, 1),
    ]

    @Test(arguments: [EvdevMock.Question.keys, .slots])
    func whatComesWhileItIsOpenedIsToldOnce(_ question: EvdevMock.Question) throws {
        let testbed = try DeviceTestbed()
        let pad = try testbed.addInput(.touchpad)
        pad.report(Self.contact, duringNext: question)
        let harness = try EvdevHarness()
        let reader = try harness.open(pad.node)
        let first = reader.initialFrame.events
        #expect(first.contains { $0.code == 0x39 && $0.value == 7 } && first.contains { $0.code == 0x14A })
        try harness.run(for: 20_000_000)
        #expect(harness.frames.isEmpty && harness.losses == 0)
        pad.report([(3, 0x35, 2_600)])
        #expect(try harness.run { harness.frames.count == 1 })
        #expect(harness.frames.last?.events.map(\.code) == [0x35])
        #expect(harness.frames.last?.cause == .reported)
    }

    @Test func anAxisThatMovesWhileItIsOpenedDoesNotGoBack() throws {
        let testbed = try DeviceTestbed()
        var dial = EvdevProfile(name: "Absolute", id: (3, 0x1209, 3, 1), keys: [0x100], absolute: [7])
        dial.ranges = [EvdevRange(7, 0...23)]
        let mock = try testbed.addInput(dial)
        // Each reading of the keys is followed by that of the axis.
        for place in Int32(1)...2 { mock.report([(3, 7, place)], duringNext: .keys) }
        let harness = try EvdevHarness()
        let reader = try harness.open(mock.node)
        #expect(reader.initialFrame.events.last?.value == 2)
        try harness.run(for: 20_000_000)
        #expect(harness.frames.isEmpty)
    }

    @Test func aDeviceThatIsNeverQuietIsReadBack() throws {
        let testbed = try DeviceTestbed()
        let pad = try testbed.addInput(.touchpad)
        pad.report(Self.contact)
        for x in Int32(0)..<40 { pad.report([(3, 0x35, 3_000 + x)], duringNext: .slots) }
        let harness = try EvdevHarness()
        let reader = try harness.open(pad.node)
        let before = reader.initialFrame.events.first { $0.code == 0x35 }?.value ?? 0
        #expect(try harness.run { !harness.frames.isEmpty })
        #expect(harness.losses == 0)
        #expect(harness.frames.first?.cause == .recovered)
        let places = harness.frames.flatMap { $0.events.filter { $0.code == 0x35 }.map(\.value) }
        #expect(places == places.sorted() && places.allSatisfy { $0 > before }, "\(places) after \(before)")
        #expect(!harness.frames.contains { $0.events.contains { $0.code == 0x39 } })
    }

    @Test func motionWhileAKnobIsOpenedCounts() throws {
        let testbed = try DeviceTestbed()
        let knob = try testbed.addKnob()
        knob.report([(2, 7, 3), (1, 0x100, 1)], duringNext: .keys)
        let harness = try EvdevHarness()
        let reader = try harness.open(knob.node)
        #expect(reader.initialFrame.events.map(\.code) == [0x100])
        #expect(try harness.run { !harness.frames.isEmpty })
        let told = harness.frames.flatMap(\.events).map { [Int32($0.type), Int32($0.code), $0.value] }
        #expect(told == [[2, 7, 3]])
    }
}
