import Testing

@testable import USBTransport

@Suite struct USBPipeRecoveryTests {
    private static func recovery(_ limit: Int = 2) -> USBPipeRecovery {
        var settings = USBPipeSettings()
        settings.recoveries = limit
        settings.recoveryTime = 1_000
        settings.errorPause = 10
        return USBPipeRecovery(settings)
    }

    /// State × event; each line is a state and what it makes of: stall, error, settled, cleared, time.
    @Test func everyEventInEveryState() {
        typealias Flow = USBPipeRecovery.Flow
        func made(_ flow: Flow) -> USBPipeRecovery {
            var recovery = Self.recovery(9)
            switch flow {
            case .running: break
            case .settling(let trouble): _ = recovery.began(trouble, 0)
            case .clearing:
                _ = recovery.began(.stall, 0)
                _ = recovery.settled(0)
            case .pausing:
                _ = recovery.began(.error, 0)
                _ = recovery.settled(0)
            }
            return recovery
        }
        let table: [(Flow, stall: Flow, error: Flow, settled: Flow, cleared: Flow, time: Flow)] = [
            (.running, .settling(.stall), .settling(.error), .running, .running, .running),
            (
                .settling(.stall), .settling(.stall), .settling(.stall), .clearing, .settling(.stall),
                .settling(.stall)
            ),
            (
                .settling(.error), .settling(.stall), .settling(.error), .pausing(until: 15), .settling(.error),
                .settling(.error)
            ),
            (.clearing, .clearing, .clearing, .clearing, .running, .clearing),
            (
                .pausing(until: 10), .pausing(until: 10), .pausing(until: 10), .pausing(until: 10),
                .pausing(until: 10), .running
            ),
        ]
        for row in table {
            #expect(made(row.0).flow == row.0)
            var recovery = made(row.0)
            var mayGoOn = recovery.began(.stall, 5)
            #expect(mayGoOn && recovery.flow == row.stall, "\(row.0)")
            recovery = made(row.0)
            mayGoOn = recovery.began(.error, 5)
            #expect(mayGoOn && recovery.flow == row.error, "\(row.0)")
            recovery = made(row.0)
            let step = recovery.settled(5)
            #expect(recovery.flow == row.settled, "\(row.0)")
            #expect((step == .clearHalt) == (row.0 == .settling(.stall)))
            #expect((step == .pause(until: 15)) == (row.0 == .settling(.error)))
            recovery = made(row.0)
            recovery.cleared()
            #expect(recovery.flow == row.cleared, "\(row.0)")
            recovery = made(row.0)
            let goesOn = recovery.timePassed(10)
            #expect(goesOn == (row.time != row.0) && recovery.flow == row.time, "\(row.0)")
        }
    }

    @Test func tooOftenIsTooOften() {
        var recovery = Self.recovery(2)
        func once(_ now: UInt64) -> Bool {
            guard recovery.began(.stall, now) else { return false }
            _ = recovery.settled(now)
            recovery.cleared()
            return true
        }
        #expect(once(0) && once(500))
        #expect(!once(999))
        #expect(once(1_000), "the first one is forgotten")
        #expect(!once(1_001))
        #expect(once(1_500))
        var none = Self.recovery(0)
        let mayGoOn = none.began(.error, 0)
        #expect(!mayGoOn)
    }

    @Test func aPauseHasATime() {
        var recovery = Self.recovery()
        #expect(recovery.deadline == nil)
        _ = recovery.began(.error, 100)
        #expect(recovery.deadline == nil)
        _ = recovery.settled(100)
        #expect(recovery.deadline == 110)
        let early = recovery.timePassed(109)
        let due = recovery.timePassed(110)
        #expect(!early && due && recovery.deadline == nil)
    }
}
