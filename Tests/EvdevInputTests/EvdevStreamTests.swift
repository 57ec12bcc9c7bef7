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
