import RigModel
import Testing

@testable import EvdevInput

@Suite struct EvdevStandingTests {
    private static let pad = InputDeviceDescription(
        ev: [0, 1, 3], key: [0x14A], abs: [0, 0x2F, 0x35, 0x36, 0x39],
        axes: [AbsoluteRange(code: 0x2F, minimum: 0, maximum: 1)])

    private static func standing(_ events: [(UInt16, UInt16, Int32)], of device: InputDeviceDescription = pad)
        -> EvdevStanding
    {
        var standing = EvdevStanding(device)
        for (type, code, value) in events {
            standing.note(EvdevEvent(type: type, code: code, value: value, time: 0))
        }
        return standing
    }

    private static func flat(_ frames: [EvdevFrame]) -> [[[Int32]]] {
        frames.map { frame in frame.events.map { [Int32($0.type), Int32($0.code), $0.value] } }
    }

    @Test func theFirstFrameTellsEverything() {
        let standing = Self.standing([
            (1, 0x14A, 1), (3, 0, 7), (3, 0x2F, 1), (3, 0x39, 42), (3, 0x35, 100), (3, 0x36, 200), (2, 7, 1),
        ])
        let frame = standing.initialFrame(time: 5)
        #expect(frame.cause == .initial && frame.events.allSatisfy { $0.time == 5 })
        #expect(
            Self.flat([frame]) == [
                [
                    [1, 0x14A, 1], [3, 0, 7], [3, 0x2F, 0], [3, 0x35, 0], [3, 0x36, 0], [3, 0x39, -1],
                    [3, 0x2F, 1], [3, 0x35, 100], [3, 0x36, 200], [3, 0x39, 42], [3, 0x2F, 1],
                ]
            ])
    }

    @Test func whatDiffersIsToldAndNothingElse() {
        let old = Self.standing([(3, 0x39, 1), (3, 0x35, 10), (3, 0x36, 20)])
        let same = Self.standing([(3, 0x39, 1), (3, 0x35, 10), (3, 0x36, 20)])
        #expect(old.frames(leadingTo: same, time: 0) == [])
        let moved = Self.standing([(3, 0x39, 1), (3, 0x35, 11), (3, 0x36, 20), (3, 0, 3), (1, 0x14A, 1)])
        #expect(Self.flat(old.frames(leadingTo: moved, time: 0)) == [[[1, 0x14A, 1], [3, 0, 3], [3, 0x35, 11]]])
        let lifted = Self.standing([(3, 0x35, 10), (3, 0x36, 20)])
        #expect(Self.flat(old.frames(leadingTo: lifted, time: 0)) == [[[3, 0x39, -1]]])
    }

    @Test func aContactThatWasExchangedEndsInAFrameOfItsOwn() {
        let old = Self.standing([(3, 0x39, 1), (3, 0x35, 10), (3, 0x2F, 1), (3, 0x39, 2), (3, 0x35, 30)])
        let new = Self.standing([(3, 0x39, 5), (3, 0x35, 11), (3, 0x2F, 1), (3, 0x39, -1), (3, 0x35, 30)])
        #expect(
            Self.flat(old.frames(leadingTo: new, time: 0)) == [
                [[3, 0x2F, 0], [3, 0x39, -1]], [[3, 0x35, 11], [3, 0x39, 5], [3, 0x2F, 1], [3, 0x39, -1]],
            ])
    }

    @Test func theChosenSlotIsToldLast() {
        let old = Self.standing([(3, 0x2F, 1)])
        let new = Self.standing([(3, 0x2F, 1), (3, 0x39, 4), (3, 0x2F, 0)])
        #expect(Self.flat(old.frames(leadingTo: new, time: 0)) == [[[3, 0x39, 4], [3, 0x2F, 0]]])
    }

    @Test(arguments: [Int32.min, -1, 0, 3, 127, 128, 10_000, .max])
    func slotsAreBounded(maximum: Int32) {
        var device = Self.pad
        device.axes = [AbsoluteRange(code: 0x2F, minimum: 0, maximum: maximum)]
        let expected = min(max(Int(maximum), 0), 127) + 1
        #expect(EvdevStanding(device).slotCount == expected)
    }

    @Test func aDeviceWithEveryCodeHasNoSlots() {
        var device = Self.pad
        device.abs = Array(0...0x3F)
        #expect(EvdevStanding(device).slotCount == 0)
        device.abs.removeAll { $0 == 0x2E }
        #expect(EvdevStanding(device).slotCount == 2)
    }

    @Test func codesAndSlotsThatDoNotExistChangeNothing() {
        let empty = Self.standing([])
        var far = Self.standing([
            (1, 0x300, 1), (1, .max, 1), (1, 0x14A, 2), (3, 0x40, 9), (3, 0x2F, -1), (3, 0x39, 4), (3, 0x2F, .max),
            (3, 0x35, 4), (3, 0x3A, 4), (9, 9, 9),
        ])
        far.setSlot(0)
        #expect(far == empty && far.downCount == 0)
    }

    /// Whoever hears the frames knows the new standing, whatever both are.
    @Test(arguments: [UInt64](1...20))
    func theFramesLeadThere(seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15
        func next(_ bound: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % bound
        }
        func events() -> [(UInt16, UInt16, Int32)] {
            (0..<next(40)).map { _ in
                switch next(6) {
                case 0: (1, UInt16(0x140 + next(16)), Int32(next(2)))
                case 1: (3, 0, Int32(next(4)))
                case 2: (3, 0x2F, Int32(next(2)))
                case 3: (3, 0x39, Int32(next(4)) - 1)
                case 4: (3, 0x35, Int32(next(4)))
                default: (3, 0x36, Int32(next(4)))
                }
            }
        }
        for _ in 0..<100 {
            let (old, new) = (Self.standing(events()), Self.standing(events()))
            let frames = old.frames(leadingTo: new, time: 1)
            var told = old
            for frame in frames { for event in frame.events { told.note(event) } }
            #expect(told == new, "seed \(seed)")
            #expect(frames.count <= 2 && frames.allSatisfy { $0.cause == .recovered }, "seed \(seed)")
            var fresh = EvdevStanding(Self.pad)
            for event in new.initialFrame(time: 0).events { fresh.note(event) }
            #expect(fresh == new, "seed \(seed)")
        }
    }
}
