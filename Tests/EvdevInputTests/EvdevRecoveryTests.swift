import DeviceTestKit
import EvdevInput
import LinuxIO
import RigModel
import Testing

/// What a reader makes of a ring that overflowed, of a device that fails and of keys that are held.
@Suite(.serialized, .enabled(if: DeviceTestbed.isAvailable, Comment(rawValue: DeviceTestbed.skipReason)))
struct EvdevRecoveryTests {
    private typealias Frame = [(type: UInt16, code: UInt16, value: Int32)]

    private static func contact(_ slot: Int32, _ id: Int32, _ x: Int32) -> Frame {
        [(3, 0x2F, slot), (3, 0x39, id), (3, 0x35, x)]
    }

    private static func move(_ slot: Int32, _ x: Int32) -> Frame { [(3, 0x2F, slot), (3, 0x35, x)] }

    /// Fills a pad's ring of 256 by moves that nobody reads, and ends where it began.
    private func overflow(_ pad: EvdevMock, slot: Int32 = 0) {
        for index in 0..<400 { pad.report(Self.move(slot, 2_000 + Int32(index % 2))) }
    }

    @Test func aPadIsDescribedWithItsRangesAndHowItStands() throws {
        let testbed = try DeviceTestbed()
        let pad = try testbed.addInput(.touchpad)
        pad.report(Self.contact(1, 9, 3_000) + [(1, 0x14A, 1)])
        let harness = try EvdevHarness()
        let reader = try harness.open(pad.node)
        #expect(
            reader.description.range(of: 0x36)
                == AbsoluteRange(code: 0x36, minimum: 1_408, maximum: 5_062, resolution: 136))
        let first = reader.initialFrame
        #expect(first.cause == .initial && first.events.first?.code == 0x14A)
        #expect(first.events.contains { $0.code == 0x39 && $0.value == 9 })
        #expect(first.events.last?.code == 0x2F && first.events.last?.value == 1)
    }

    @Test func aContactThatIsLiftedInTheHoleEndsOnce() throws {
        let testbed = try DeviceTestbed()
        let pad = try testbed.addInput(.touchpad)
        let harness = try EvdevHarness()
        try harness.open(pad.node)
        pad.report(Self.contact(0, 1, 2_000) + [(1, 0x14A, 1)])
        #expect(try harness.run { harness.frames.count == 1 })
        pad.report([(3, 0x2F, 0), (3, 0x39, -1), (1, 0x14A, 0), (3, 0, 3_333)])
        overflow(pad)
        #expect(try harness.run { !harness.recovered.isEmpty })
        #expect(harness.losses == 1)
        #expect(harness.recovered == [[[1, 0x14A, 0], [3, 0, 3_333], [3, 0x35, 2_001], [3, 0x39, -1]]])
        try harness.run(for: 20_000_000)
        #expect(harness.frames.count == 2, "what waited in the queue was older than the state: it is not told")
    }

    @Test func aContactThatIsExchangedInTheHoleEndsBeforeTheOtherBegins() throws {
        let testbed = try DeviceTestbed()
        let pad = try testbed.addInput(.touchpad)
        let harness = try EvdevHarness()
        try harness.open(pad.node)
        pad.report(Self.contact(0, 1, 2_000) + Self.contact(2, 2, 4_000))
        #expect(try harness.run { harness.frames.count == 1 })
        pad.report([(3, 0x2F, 0), (3, 0x39, -1)])
        pad.report([(3, 0x2F, 0), (3, 0x39, 3)])
        overflow(pad)
        #expect(try harness.run { harness.recovered.count == 2 })
        #expect(harness.recovered.first == [[3, 0x2F, 0], [3, 0x39, -1]])
        #expect(harness.recovered.last == [[3, 0x35, 2_001], [3, 0x39, 3]])
        // The stream goes on with the slot that the device has chosen.
        pad.report([(3, 0x2F, 0), (3, 0x35, 2_500)])
        #expect(try harness.run { harness.frames.count == 4 })
        #expect(harness.frames.last?.events.map(\.code) == [0x35])
        #expect(harness.losses == 1)
    }

    @Test func motionThatWaitsBehindTheHoleCounts() throws {
        let testbed = try DeviceTestbed()
        let knob = try testbed.addKnob()
        let harness = try EvdevHarness()
        try harness.open(knob.node)
        knob.rotate(40, pace: .atOnce)
        knob.press()
        knob.rotate(3, pace: .atOnce)
        #expect(try harness.run { harness.events.contains(.knob(.pressed)) })
        // Of 40 detents in a ring of 64 the first 31 fill it; the 32nd drops them and is torn itself; 8 and 3 follow.
        #expect(harness.detents == 11 && harness.losses == 1)
        #expect(harness.recovered == [[[1, 0x100, 1]]])
    }

    @Test func aReaderThatStoodStillForTwoSecondsIsRightAfterwards() throws {
        let testbed = try DeviceTestbed()
        let knob = try testbed.addKnob()
        let harness = try EvdevHarness()
        try harness.open(knob.node)
        knob.press()
        #expect(try harness.run { harness.events == [.knob(.pressed)] })
        let turner = Turner {
            knob.rotate(1_000, pace: .interval(1_000_000))
            knob.release()
            knob.rotate(1_000, pace: .interval(1_000_000))
        }
        // Nobody turns the loop meanwhile.
        turner.join()
        #expect(knob.fullestRing < 64)
        #expect(try harness.run { harness.losses == 1 && !harness.recovered.isEmpty })
        let buttons = harness.events.filter { if case .knob(.rotate) = $0 { false } else { true } }
        #expect(buttons.count == 2 && buttons.first == .knob(.pressed), "one release, no phantom press")
        let before = harness.detents
        knob.rotate(20, pace: .atOnce)
        #expect(try harness.run { harness.detents == before + 20 })
        #expect(harness.losses == 1)
    }

    @Test func aRevokedDeviceIsNotAnUnpluggedOneAndCanBeOpenedAgain() throws {
        let testbed = try DeviceTestbed()
        let knob = try testbed.addKnob()
        let harness = try EvdevHarness()
        try harness.open(knob.node, grab: true)
        knob.press()
        #expect(try harness.run { harness.events == [.knob(.pressed)] })
        knob.revoke()
        #expect(try harness.run { harness.gone == .revoked })
        #expect(harness.events.count == 2, "the button is let go")
        #expect(try harness.run { knob.opens == 0 })
        let again = try EvdevHarness()
        try again.open(knob.node, grab: true)
        knob.release()
        knob.rotate(2, pace: .atOnce)
        #expect(try again.run { again.detents == 2 })
        #expect(again.events.count == 2, "a button that was held at the opening is no press, and its release nothing")
    }

    @Test func aDeviceThatFailsEndsAloneAndTheOtherGoesOn() throws {
        let testbed = try DeviceTestbed()
        let (bad, good) = (try testbed.addKnob(), try testbed.addKnob())
        let (first, second) = (try EvdevHarness(), try EvdevHarness())
        try first.open(bad.node)
        try second.open(good.node)
        bad.failReads(5)
        #expect(try first.run { first.gone != nil })
        guard case .failed(let error) = first.gone else {
            Issue.record("\(String(describing: first.gone))")
            return
        }
        #expect(error.number == 5)
        good.rotate(3, pace: .atOnce)
        #expect(try second.run { second.detents == 3 })
        #expect(second.gone == nil)
    }

    @Test func aDeviceThatGoesWhileItsStateIsReadBackIsGone() throws {
        let testbed = try DeviceTestbed()
        let pad = try testbed.addInput(.touchpad)
        let harness = try EvdevHarness()
        try harness.open(pad.node)
        overflow(pad)
        pad.revoke()
        #expect(try harness.run { harness.gone == .revoked })
    }

    @Test func aHeldKeyPutsTheGrabOffUntilItIsUp() throws {
        let testbed = try DeviceTestbed()
        let knob = try testbed.addKnob()
        let (ours, other) = (try EvdevHarness(), try EvdevHarness())
        try other.open(knob.node)
        let reader = try ours.open(knob.node)
        knob.press()
        #expect(try ours.run { ours.events == [.knob(.pressed)] })
        try reader.setGrab(true)
        #expect(!reader.isGrabbed && !knob.isGrabbed)
        knob.release()
        #expect(try ours.run { reader.isGrabbed && knob.isGrabbed })
        #expect(try other.run { other.events.count == 2 }, "whoever heard the press hears the release")
        // Given back with the button held: the release is ours all the same, once.
        knob.press()
        #expect(try ours.run { ours.events.count == 3 })
        try reader.setGrab(false)
        knob.release()
        #expect(try ours.run { ours.events.count == 4 })
        #expect(ours.events.filter { $0 == .knob(.pressed) }.count == 2)
    }

    @Test func aButtonHeldAtTheOpeningPutsTheGrabOffToo() throws {
        let testbed = try DeviceTestbed()
        let knob = try testbed.addKnob()
        let other = try EvdevHarness()
        try other.open(knob.node)
        knob.press()
        let ours = try EvdevHarness()
        let reader = try ours.open(knob.node, grab: true)
        #expect(!reader.isGrabbed)
        #expect(try other.run { other.events == [.knob(.pressed)] })
        knob.release()
        #expect(try ours.run { reader.isGrabbed })
        #expect(try other.run { other.events.count == 2 })
        #expect(ours.events.isEmpty)
    }

    @Test func aGrabThatComesTooLateIsToldAndTheDeviceIsReadAllTheSame() throws {
        let testbed = try DeviceTestbed()
        let knob = try testbed.addKnob()
        let (ours, other) = (try EvdevHarness(), try EvdevHarness())
        let theirs = try other.open(knob.node)
        knob.press()
        let reader = try ours.open(knob.node, grab: true)
        // The other one is quicker: it saw the release first.
        knob.release()
        #expect(try other.run { other.events.count == 2 })
        try theirs.setGrab(true)
        #expect(try ours.run { ours.notices.contains(.grabRefused(.busy(knob.node))) })
        #expect(!reader.isGrabbed && ours.gone == nil)
        try theirs.setGrab(false)
        knob.rotate(2, pace: .atOnce)
        #expect(try ours.run { ours.detents == 2 })
    }

    @Test func eightDevicesAtOneKilohertzEachLoseNothing() throws {
        let testbed = try DeviceTestbed()
        var profile = EvdevProfile.powerMate
        profile.ringSize = 8_192
        let knobs = try (0..<8).map { _ in try testbed.addKnob(profile) }
        let harnesses = try knobs.map { knob in
            let harness = try EvdevHarness()
            try harness.open(knob.node)
            return harness
        }
        let turners = knobs.map { knob in Turner { knob.rotate(1_000, pace: .interval(1_000_000)) } }
        let end = SystemClock.monotonicNow() + 60_000_000_000
        while harnesses.contains(where: { $0.detents < 1_000 }) && SystemClock.monotonicNow() < end {
            for harness in harnesses { try harness.run(for: 1_000_000) }
        }
        for turner in turners { turner.join() }
        #expect(harnesses.map(\.detents) == Array(repeating: 1_000, count: 8))
        #expect(harnesses.allSatisfy { $0.losses == 0 })
    }
}
