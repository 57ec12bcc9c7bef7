import RigModel
import Testing

@testable import EvdevInput

/// A knob with a button whose stream is fed by hand.
private struct Feed {
    static let knob = InputDeviceDescription(ev: [0, 1, 2], key: [0x100], rel: [7])
    var stream = EvdevStream(EvdevStanding(Feed.knob))
    var time: UInt64 = 0

    mutating func send(_ type: UInt16, _ code: UInt16, _ value: Int32) -> EvdevStream.Step {
        time += 1_000
        return stream.take(EvdevEvent(type: type, code: code, value: value, time: time))
    }

    mutating func turn() -> EvdevStream.Step { send(2, 7, 1) }
    mutating func press(_ value: Int32 = 1) -> EvdevStream.Step { send(1, 0x100, value) }
    mutating func report() -> EvdevStream.Step { send(0, 0, 0) }
    mutating func drop() -> EvdevStream.Step { send(0, 3, 0) }

    var codes: [UInt16] { stream.frame.events.map(\.code) }
}

@Suite struct EvdevStreamTests {
    /// A node that was never quiet while it was opened: what waits is older than its state or newer, nobody knows.
    @Test func whatWaitedWhileAnUnquietNodeWasOpenedIsReadBack() {
        let pad = InputDeviceDescription(
            ev: [0, 1, 2, 3], key: [0x14A], rel: [7], abs: [0x2F, 0x35, 0x39],
            axes: [AbsoluteRange(code: 0x2F, minimum: 0, maximum: 1)])
        var before = EvdevStanding(pad)
        before.setValue(0x39, ofSlot: 0, to: 5)
        var stream = EvdevStream(before, isSettled: false)
        #expect(stream.isDraining && !stream.isWhole)
        let waiting: [(UInt16, UInt16, Int32)] = [(3, 0x39, 5), (3, 0x35, 9), (2, 7, 1), (1, 0x14A, 1)]
        for (type, code, value) in waiting {
            #expect(stream.take(EvdevEvent(type: type, code: code, value: value, time: 1)) == .gathered)
        }
        #expect(stream.take(EvdevEvent(type: 0, code: 0, value: 0, time: 1)) == .frame)
        #expect(stream.frame.events.map(\.code) == [7], "motion counts")
        var now = before
        now.setValue(0x35, ofSlot: 0, to: 12)
        let told = stream.recover(now, time: 2)
        #expect(told.map(\.cause) == [.recovered] && told.first?.events.map(\.code) == [0x35])
        #expect(stream.isWhole)
    }

    enum Standing: CaseIterable { case empty, gathering, torn, draining, drainingPart }
    enum Happening: CaseIterable { case turn, press, report, drop, configuration, touchReport, recovery }

    private static func feed(_ standing: Standing) -> Feed {
        var feed = Feed()
        switch standing {
        case .empty: break
        case .gathering: _ = feed.turn()
        case .torn: _ = feed.drop()
        case .draining, .drainingPart:
            _ = feed.drop()
            _ = feed.report()
            if standing == .drainingPart { _ = feed.turn() }
        }
        return feed
    }

    /// The step, the codes in the frame afterwards, and whether recovery is awaited.
    private static let outcomes: [(Standing, Happening, EvdevStream.Step, [UInt16], Bool)] = [
        (.empty, .turn, .gathered, [7], false),
        (.empty, .press, .gathered, [0x100], false),
        (.empty, .report, .gathered, [], false),
        (.empty, .drop, .lost, [], false),
        (.empty, .configuration, .gathered, [], false),
        (.empty, .touchReport, .gathered, [2], false),
        (.empty, .recovery, .gathered, [], false),
        (.gathering, .turn, .gathered, [7, 7], false),
        (.gathering, .press, .gathered, [7, 0x100], false),
        (.gathering, .report, .frame, [7], false),
        (.gathering, .drop, .lost, [], false),
        (.gathering, .configuration, .gathered, [7], false),
        (.gathering, .touchReport, .gathered, [7, 2], false),
        (.gathering, .recovery, .gathered, [7], false),
        (.torn, .turn, .gathered, [], false),
        (.torn, .press, .gathered, [], false),
        (.torn, .report, .gathered, [], true),
        (.torn, .drop, .gathered, [], false),
        (.torn, .configuration, .gathered, [], false),
        (.torn, .touchReport, .gathered, [], false),
        (.torn, .recovery, .gathered, [], false),
        (.draining, .turn, .gathered, [7], true),
        (.draining, .press, .gathered, [], true),
        (.draining, .report, .gathered, [], true),
        (.draining, .drop, .gathered, [], false),
        (.draining, .configuration, .gathered, [], true),
        (.draining, .touchReport, .gathered, [], true),
        (.draining, .recovery, .gathered, [], false),
        (.drainingPart, .turn, .gathered, [7, 7], true),
        (.drainingPart, .press, .gathered, [7], true),
        (.drainingPart, .report, .frame, [7], true),
        (.drainingPart, .drop, .gathered, [], false),
        (.drainingPart, .configuration, .gathered, [7], true),
        (.drainingPart, .touchReport, .gathered, [7], true),
        // Motion is true whenever it happened, so it stays.
        (.drainingPart, .recovery, .gathered, [7], false),
    ]

    @Test func everyStateHasAnAnswerToEveryEvent() throws {
        #expect(Self.outcomes.count == Standing.allCases.count * Happening.allCases.count)
        for (standing, happening, step, codes, drains) in Self.outcomes {
            var feed = Self.feed(standing)
            var told = EvdevStream.Step.gathered
            switch happening {
            case .turn: told = feed.turn()
            case .press: told = feed.press()
            case .report: told = feed.report()
            case .drop: told = feed.drop()
            case .configuration: told = feed.send(0, 1, 0)
            case .touchReport: told = feed.send(0, 2, 0)
            case .recovery: _ = feed.stream.recover(EvdevStanding(Feed.knob), time: 0)
            }
            #expect(told == step, "\(standing) × \(happening)")
            #expect(feed.codes == codes, "\(standing) × \(happening)")
            #expect(feed.stream.isDraining == drains, "\(standing) × \(happening)")
        }
    }

    @Test func aFrameHasTheTimeOfItsReportAndIsEmptiedByTheNextEvent() {
        var feed = Feed()
        _ = feed.turn()
        #expect(feed.report() == .frame)
        #expect(feed.stream.frame.time == 2_000 && feed.stream.frame.events.map(\.time) == [1_000])
        #expect(feed.press() == .gathered)
        #expect(feed.codes == [0x100])
    }

    @Test func aFrameThatNeverEndsIsALoss() {
        var feed = Feed()
        for index in 0..<EvdevFrame.maximumEvents { #expect(feed.turn() == .gathered, "event \(index)") }
        #expect(feed.turn() == .lost)
        #expect(feed.codes == [])
        _ = feed.turn()
        #expect(feed.report() == .gathered)
        #expect(feed.stream.isDraining)
    }

    @Test func aKeyThatWasDownAndIsNotComesUpOnce() {
        var feed = Feed()
        _ = feed.press()
        _ = feed.report()
        _ = feed.drop()
        _ = feed.report()
        // It is older than what the kernel says below.
        _ = feed.press(0)
        _ = feed.report()
        let frames = feed.stream.recover(EvdevStanding(Feed.knob), time: 9_000)
        let release = EvdevEvent(type: 1, code: 0x100, value: 0, time: 9_000)
        #expect(frames == [EvdevFrame(cause: .recovered, events: [release], time: 9_000)])
        #expect(feed.stream.standing.downCount == 0)
        #expect(feed.stream.recover(EvdevStanding(Feed.knob), time: 10_000) == [])
    }

    @Test func aSecondLossIsToldAfterRecoveryOnly() {
        var feed = Feed()
        #expect(feed.drop() == .lost)
        #expect(feed.drop() == .gathered)
        _ = feed.report()
        #expect(feed.drop() == .gathered)
        _ = feed.report()
        _ = feed.stream.recover(EvdevStanding(Feed.knob), time: 0)
        #expect(feed.drop() == .lost)
    }
}

@Suite struct UnsettledStreamTests {
    /// Something older than the answer still waits, without the slot that it speaks of: it is drained, and the next answer
    /// says the rest.
    @Test func whatWaitsBehindAnUnsettledAnswerIsNotTold() {
        let pad = InputDeviceDescription(
            ev: [0, 3], abs: [0x2F, 0x39], axes: [AbsoluteRange(code: 0x2F, minimum: 0, maximum: 1)])
        var stream = EvdevStream(EvdevStanding(pad))
        func event(_ type: UInt16, _ code: UInt16, _ value: Int32) -> EvdevEvent {
            EvdevEvent(type: type, code: code, value: value, time: 1)
        }
        let drop = stream.take(event(0, 3, 0))
        _ = stream.take(event(0, 0, 0))
        var now = EvdevStanding(pad)
        now.setSlot(1)
        now.setValue(0x39, ofSlot: 1, to: 4)
        let told = stream.recover(now, isSettled: false, time: 2)
        #expect(drop == .lost && told.count == 1)
        #expect(stream.isDraining && !stream.isWhole)
        // Of slot 0, which was chosen when it was put into the queue.
        let waiting = [stream.take(event(3, 0x39, -1)), stream.take(event(0, 0, 0))]
        #expect(waiting == [.gathered, .gathered])
        let again = stream.recover(now, time: 3)
        #expect(again.isEmpty && stream.isWhole)
    }

    @Test func aLossBehindAnUnsettledAnswerIsToldAgain() {
        let knob = InputDeviceDescription(ev: [0, 2], rel: [7])
        var stream = EvdevStream(EvdevStanding(knob))
        let drop = EvdevEvent(type: 0, code: 3, value: 0, time: 1)
        let report = EvdevEvent(type: 0, code: 0, value: 0, time: 1)
        var steps = [drop, drop, report, drop, report].map { stream.take($0) }
        #expect(steps == [.lost, .gathered, .gathered, .gathered, .gathered])
        _ = stream.recover(EvdevStanding(knob), isSettled: false, time: 2)
        steps = [drop, report, drop].map { stream.take($0) }
        #expect(steps == [.lost, .gathered, .gathered])
    }
}

@Suite struct EvdevRecordsTests {
    private static let events = (0..<7).map { index in
        EvdevEvent(type: 2, code: UInt16(index), value: Int32(-index), time: 1_234_567_891_000 + UInt64(index) * 1_000)
    }

    static func bytes(_ event: EvdevEvent) -> [UInt8] {
        var bytes: [UInt8] = []
        withUnsafeBytes(of: Int64(event.time / 1_000_000_000)) { bytes += $0 }
        withUnsafeBytes(of: Int64(event.time % 1_000_000_000 / 1_000)) { bytes += $0 }
        withUnsafeBytes(of: event.type) { bytes += $0 }
        withUnsafeBytes(of: event.code) { bytes += $0 }
        withUnsafeBytes(of: event.value) { bytes += $0 }
        return bytes
    }

    @Test(arguments: Array(1...50) + [168, 400]) func theyAreTheSameHoweverTheyAreRead(size: Int) {
        let bytes = Self.events.flatMap(Self.bytes)
        var records = EvdevRecords()
        var told: [EvdevEvent] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            Array(bytes[start..<min(start + size, bytes.count)]).withUnsafeBytes { chunk in
                records.take(chunk) {
                    told.append($0)
                    return true
                }
            }
        }
        #expect(told == Self.events)
    }

    @Test func whoWantsNoMoreGetsNoMore() {
        let bytes = Self.events.flatMap(Self.bytes)
        var records = EvdevRecords()
        var count = 0
        bytes.withUnsafeBytes { bytes in
            records.take(bytes) { _ in
                count += 1
                return count < 3
            }
        }
        #expect(count == 3)
    }

    @Test func aClockOutOfRangeIsItsEnd() {
        var told: [UInt64] = []
        for (seconds, microseconds) in [(Int64(-1), Int64(-1)), (.max, .max), (1, .max), (0, 1)] {
            var bytes: [UInt8] = []
            withUnsafeBytes(of: seconds) { bytes += $0 }
            withUnsafeBytes(of: microseconds) { bytes += $0 }
            bytes += [UInt8](repeating: 0, count: 8)
            var records = EvdevRecords()
            bytes.withUnsafeBytes { bytes in
                records.take(bytes) {
                    told.append($0.time)
                    return true
                }
            }
        }
        #expect(told[0] == 0 && told[1] == .max && told[3] == 1_000)
    }
}
