import InputCore
import RigModel
import Testing

/// Feeds a decoder and gathers what comes out.
struct Feed {
    var decoder: KnobDecoder
    var events: [InputEvent] = []
    var notices: [KnobDecoder.Notice] = []
    var time: UInt64 = 1_000

    init(_ layout: KnobLayout = KnobLayout(axis: EvdevCode.dial, press: EvdevCode.button0)) {
        decoder = KnobDecoder(layout: layout)
    }

    mutating func send(_ type: UInt16, _ code: UInt16, _ value: Int32) {
        if let notice = decoder.decode(type: type, code: code, value: value, time: time, into: &events) {
            notices.append(notice)
        }
    }

    mutating func turn(_ value: Int32, axis: UInt16 = EvdevCode.dial) { send(EvdevCode.relative, axis, value) }
    mutating func button(_ value: Int32) { send(EvdevCode.key, EvdevCode.button0, value) }
    mutating func report() { send(EvdevCode.synchronization, EvdevCode.report, 0) }
    mutating func dropped() { send(EvdevCode.synchronization, EvdevCode.dropped, 0) }
    mutating func resynchronize(_ down: [UInt16]) {
        decoder.resynchronize(keysDown: down, time: time, into: &events)
    }

    /// What came out since the last call.
    mutating func take() -> [InputEvent] {
        defer { events = [] }
        return events
    }

    var detents: Int64 {
        events.reduce(0) { sum, event in
            if case .knob(.rotate(let detents)) = event { sum + Int64(detents) } else { sum }
        }
    }
}

@Suite struct KnobDecoderTests {
    @Test func aFrameCountsAtItsReport() {
        var feed = Feed()
        feed.turn(3)
        #expect(feed.events.isEmpty)
        feed.report()
        #expect(feed.take() == [.knob(.rotate(detents: 3))])
        feed.report()
        #expect(feed.take() == [])
    }

    @Test func rotationOfOneFrameIsSummedAndComesBeforeTheButton() {
        var feed = Feed()
        feed.button(1)
        feed.turn(1)
        feed.turn(-4)
        feed.report()
        #expect(feed.take() == [.knob(.rotate(detents: -3)), .knob(.pressed)])
    }

    @Test func aFrameThatTurnsBackAndForthIsNoRotation() {
        var feed = Feed()
        feed.turn(2)
        feed.turn(-2)
        feed.report()
        #expect(feed.take() == [])
    }

    @Test func tenThousandDetentsAreExact() {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SplitMix(state: seed)
        var feed = Feed()
        var expected: Int64 = 0
        var turned = 0
        while turned < 10_000 {
            let value = Int32.random(in: 1...5, using: &generator) * (Bool.random(using: &generator) ? 1 : -1)
            feed.turn(value)
            if Bool.random(using: &generator) { feed.button(Bool.random(using: &generator) ? 1 : 0) }
            feed.report()
            expected += Int64(value)
            turned += abs(Int(value))
        }
        #expect(feed.detents == expected, "seed \(seed)")
    }

    @Test func highResolutionKeepsTheRemainder() {
        var feed = Feed(
            KnobLayout(axis: EvdevCode.wheelHighResolution, unitsPerDetent: 120, press: nil))
        for _ in 0..<10_000 * 4 {
            feed.turn(30, axis: EvdevCode.wheelHighResolution)
            feed.report()
        }
        #expect(feed.detents == 10_000)
        feed.events = []
        feed.turn(119, axis: EvdevCode.wheelHighResolution)
        feed.report()
        #expect(feed.take() == [])
        feed.turn(1, axis: EvdevCode.wheelHighResolution)
        feed.report()
        #expect(feed.take() == [.knob(.rotate(detents: 1))])
        for value: Int32 in [-60, -60, 60, 60, -119, -2] {
            feed.turn(value, axis: EvdevCode.wheelHighResolution)
            feed.report()
        }
        #expect(feed.take() == [.knob(.rotate(detents: -1)), .knob(.rotate(detents: 1)), .knob(.rotate(detents: -1))])
    }

    /// A wheel reports the same motion on two axes in one frame; the two are never added.
    @Test(arguments: [false, true])
    func wheelAndHighResolutionAreNeverAdded(highResolution: Bool) throws {
        let layout = try #require(
            KnobLayout(
                relativeAxes: [EvdevCode.wheel, EvdevCode.wheelHighResolution], keys: [], highResolution: highResolution
            ))
        var feed = Feed(layout)
        for _ in 0..<100 {
            feed.turn(1, axis: EvdevCode.wheel)
            feed.turn(120, axis: EvdevCode.wheelHighResolution)
            feed.report()
        }
        #expect(feed.detents == 100)
    }

    @Test func aReversedKnobCountsTheOtherWay() {
        var feed = Feed(KnobLayout(axis: EvdevCode.dial, reversed: true, press: nil))
        feed.turn(2)
        feed.turn(.min)
        feed.report()
        #expect(feed.take() == [.knob(.rotate(detents: .max - 1))])
    }

    @Test func absurdValuesAreHeldAtTheLimit() {
        var feed = Feed()
        for _ in 0..<1_000 { feed.turn(.max) }
        feed.report()
        for _ in 0..<1_000 { feed.turn(.min) }
        feed.report()
        #expect(feed.take() == [.knob(.rotate(detents: .max)), .knob(.rotate(detents: -.max))])
    }

    @Test(arguments: [(499_999_999 as UInt64, false), (500_000_000, true), (500_000_001, true)])
    func aPressIsLongFromTheLimitOn(held: UInt64, long: Bool) {
        var feed = Feed()
        feed.button(1)
        feed.report()
        feed.time += held
        feed.button(0)
        feed.report()
        #expect(feed.take() == [.knob(.pressed), .knob(.released(held: held, long: long))])
    }

    @Test func aClockThatRunsBackwardsMakesNoEndlessPress() {
        var feed = Feed()
        feed.button(1)
        feed.report()
        feed.time = 1
        feed.button(0)
        feed.report()
        #expect(feed.take() == [.knob(.pressed), .knob(.released(held: 0, long: false))])
    }

    @Test func autorepeatIsIgnored() {
        var feed = Feed()
        for value: Int32 in [2, 1, 2, 2, 0, 2] {
            feed.button(value)
            feed.report()
        }
        #expect(feed.take() == [.knob(.pressed), .knob(.released(held: 0, long: false))])
    }

    @Test func oneFrameCanHoldAWholePress() {
        var feed = Feed()
        feed.button(1)
        feed.button(0)
        feed.report()
        #expect(feed.take() == [.knob(.pressed), .knob(.released(held: 0, long: false))])
    }

    @Test(arguments: [(16, 16), (17, 16)])
    func aFrameHoldsSixteenChanges(sent: Int, kept: Int) {
        var feed = Feed()
        for index in 0..<sent { feed.button(index % 2 == 0 ? 1 : 0) }
        feed.report()
        #expect(feed.events.count == kept)
    }

    @Test func otherKeysAndAxesAreNotTheKnobs() {
        var feed = Feed()
        feed.send(EvdevCode.key, EvdevCode.enter, 1)
        feed.turn(5, axis: EvdevCode.wheel)
        feed.send(4, 1, 7)
        feed.send(0xFFFF, 0xFFFF, .min)
        feed.report()
        #expect(feed.take() == [])
    }

    @Test func aLossIsToldAndNothingIsMadeUp() {
        var feed = Feed()
        feed.turn(7)
        feed.dropped()
        feed.turn(9)
        feed.button(1)
        feed.report()
        #expect(feed.notices == [.inputLost])
        feed.resynchronize([])
        #expect(feed.take() == [])
        feed.turn(1)
        feed.report()
        #expect(feed.take() == [.knob(.rotate(detents: 1))])
    }

    @Test func aPressInsideALossIsFoundByTheKeyState() {
        var feed = Feed()
        feed.dropped()
        feed.report()
        feed.resynchronize([EvdevCode.enter, EvdevCode.button0])
        #expect(feed.take() == [.knob(.pressed)])
        feed.time += 5
        feed.dropped()
        feed.report()
        feed.resynchronize([EvdevCode.enter])
        #expect(feed.take() == [.knob(.released(held: 5, long: false))])
        #expect(feed.notices == [.inputLost, .inputLost])
    }

    /// The key state is read while newer events wait in the reader's buffer: they are older than it, and must not
    /// press twice.
    @Test(arguments: [
        ([0, 1] as [Int32], true, false), ([1], true, false), ([1, 0], false, true), ([0], false, true),
        ([1, 0, 1], true, false),
    ])
    func eventsOlderThanTheKeyStateEndWhereItSays(changes: [Int32], downNow: Bool, downBefore: Bool) {
        var feed = Feed()
        if downBefore {
            feed.button(1)
            feed.report()
        }
        feed.dropped()
        feed.report()
        feed.resynchronize(downNow ? [EvdevCode.button0] : [])
        for change in changes {
            feed.button(change)
            feed.report()
        }
        let presses = feed.events.filter { $0 == .knob(.pressed) }.count
        let releases = feed.events.count - presses
        #expect(presses - releases == (downNow ? 1 : 0))
        #expect(presses <= 2 && releases <= 2)
    }

    @Test func unplugReleasesTheButton() {
        var feed = Feed()
        feed.button(1)
        feed.report()
        feed.turn(5)
        feed.time += 700_000_000
        feed.decoder.end(time: feed.time, into: &feed.events)
        #expect(feed.take() == [.knob(.pressed), .knob(.released(held: 700_000_000, long: true))])
        feed.decoder.end(time: feed.time, into: &feed.events)
        #expect(feed.take() == [])
    }

    @Test func randomEventsNeverUnbalanceTheButton() {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SplitMix(state: seed)
        var feed = Feed()
        for _ in 0..<50_000 {
            feed.time = UInt64.random(in: 0 ... .max, using: &generator)
            let type = UInt16.random(in: 0...4, using: &generator)
            let codes: [UInt16] = [0, 3, 7, 8, 0x100, UInt16.random(in: 0 ... .max, using: &generator)]
            let values: [Int32] = [0, 1, 2, -1, .max, .min]
            feed.send(
                type, codes.randomElement(using: &generator) ?? 0, values.randomElement(using: &generator) ?? 0)
            if Int.random(in: 0..<20, using: &generator) == 0 {
                feed.resynchronize(Bool.random(using: &generator) ? [EvdevCode.button0] : [])
            }
        }
        var down = false
        for event in feed.events {
            switch event {
            case .knob(.pressed):
                #expect(!down, "seed \(seed)")
                down = true
            case .knob(.released):
                #expect(down, "seed \(seed)")
                down = false
            case .knob(.rotate(let detents)): #expect(detents != 0, "seed \(seed)")
            case .knob(.nudge), .touch, .touchpad, .key: Issue.record("not a knob's event, seed \(seed)")
            }
        }
    }
}

/// A small seeded generator, so that a failure can be repeated.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
