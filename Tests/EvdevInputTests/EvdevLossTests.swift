import LinuxIO
import RigModel
import Testing

@testable import DeviceTestKit
@testable import EvdevInput

/// A device, its ring of 64 places and a reader that comes when it likes: whatever is lost, what was told is in the end
/// how the device stands, and no motion is told that was not made.
@Suite struct EvdevLossTests {
    private static let profile: EvdevProfile = {
        var profile = EvdevProfile(
            name: "all", id: (3, 1, 1, 1), keys: [0x100, 0x14A], relative: [7],
            absolute: [0, 0x2F, 0x35, 0x39])
        profile.ranges = [EvdevRange(0x2F, 0...2)]
        return profile
    }()
    private static let device = InputDeviceDescription(
        ev: [0, 1, 2, 3], key: [0x100, 0x14A], rel: [7], abs: [0, 0x2F, 0x35, 0x39],
        axes: [AbsoluteRange(code: 0x2F, minimum: 0, maximum: 2)])

    private struct Bench {
        var random: UInt64
        var ring = EvdevRing(size: 64)
        var absolute = EvdevAbsoluteState(EvdevLossTests.profile)
        var keys: Set<UInt16> = []
        var stream = EvdevStream(EvdevStanding(EvdevLossTests.device))
        var told = EvdevStanding(EvdevLossTests.device)
        var made: Int32 = 0
        var heard: Int32 = 0
        var losses = 0
        var clock: UInt64 = 0

        mutating func next(_ bound: UInt64) -> UInt64 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (random >> 33) % bound
        }

        /// One report of the device.
        mutating func report() {
            clock += 1_000
            var items: [EvdevRing.Item] = []
            func add(_ type: UInt16, _ code: UInt16, _ value: Int32) {
                items.append(EvdevRing.Item(type: type, code: code, value: value, time: clock))
            }
            for _ in 0...next(4) {
                switch next(5) {
                case 0:
                    let key: UInt16 = next(2) == 0 ? 0x100 : 0x14A
                    let isDown = keys.remove(key) == nil
                    if isDown { keys.insert(key) }
                    add(1, key, isDown ? 1 : 0)
                case 1:
                    made += 1
                    add(2, 7, 1)
                case 2: for change in absolute.changes(0, Int32(next(9))) { add(3, change.code, change.value) }
                case 3:
                    _ = absolute.changes(0x2F, Int32(next(3)))
                    for change in absolute.changes(0x35, Int32(next(9))) { add(3, change.code, change.value) }
                default:
                    _ = absolute.changes(0x2F, Int32(next(3)))
                    for change in absolute.changes(0x39, Int32(next(9)) - 1) { add(3, change.code, change.value) }
                }
            }
            if items.isEmpty { return }
            add(0, 0, 0)
            for item in items { ring.put(item) }
        }

        /// What the kernel would say now; the queue loses its key events over it.
        mutating func state() -> EvdevStanding {
            var standing = EvdevStanding(EvdevLossTests.device)
            ring.flushKeys()
            for key in keys { standing.setKey(key, down: true) }
            standing.setAxis(0, to: absolute.information(0)?[0] ?? 0)
            for code in [UInt16(0x35), 0x39] {
                for (slot, value) in (absolute.values(code) ?? []).enumerated() {
                    standing.setValue(code, ofSlot: slot, to: value)
                }
            }
            standing.setSlot(absolute.information(0x2F)?[0] ?? 0)
            return standing
        }

        /// Reads some of the queue, or all of it, and recovers when it is empty.
        mutating func read(_ count: Int) {
            for item in ring.take(count) {
                let event = EvdevEvent(type: item.type, code: item.code, value: item.value, time: item.time)
                switch stream.take(event) {
                case .gathered: break
                case .frame: hear(stream.frame)
                case .lost: losses += 1
                }
            }
            if stream.isDraining && ring.readable == 0 {
                for frame in stream.recover(state(), time: clock) { hear(frame) }
            }
        }

        mutating func hear(_ frame: EvdevFrame) {
            for event in frame.events {
                told.note(event)
                if event.type == 2 { heard += event.value }
            }
        }
    }

    @Test(arguments: [UInt64](1...40))
    func whatWasToldIsHowTheDeviceStands(seed: UInt64) {
        var bench = Bench(random: seed &* 0x9E37_79B9_7F4A_7C15)
        for round in 0..<400 {
            for _ in 0..<bench.next(bench.next(8) == 0 ? 60 : 6) { bench.report() }
            bench.read(bench.next(3) == 0 ? 1 << 20 : Int(bench.next(20)))
            if bench.next(5) == 0 {
                bench.read(1 << 20)
                bench.read(1 << 20)
                let truth = bench.state()
                #expect(bench.told == truth, "seed \(seed), round \(round)")
                #expect(bench.stream.standing == truth, "seed \(seed), round \(round)")
                if bench.told != truth { return }
            }
        }
        #expect(bench.losses > 5, "seed \(seed): the ring was meant to overflow")
        #expect(bench.heard <= bench.made && bench.heard > bench.made / 4, "seed \(seed)")
    }
}
