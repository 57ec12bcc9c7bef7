import RigModel
import Testing

@testable import ScenarioCore

/// Cycles as seen from a client, whose device is plugged in by somebody else.
@Suite struct CycleRunTests {
    private static func event(
        _ kind: EventKind, device: String = "d", generation: Int = 1, phase: String? = nil, reason: String? = nil
    ) -> RecordValue {
        var fields = [
            RecordField("kind", .string(kind.rawValue)), RecordField("device", .string(device)),
            RecordField("generation", .number(generation)),
        ]
        if let phase {
            fields.append(RecordField("sessionState", .record([RecordField("phase", .string(phase))])))
        }
        if let reason {
            fields.append(
                RecordField(
                    "reason", .record([RecordField("code", .string(reason)), RecordField("text", .string(""))])))
        }
        return .record(fields)
    }

    @Test func whatComesIsMeasuredFromTheSwitch() {
        var run = CycleRun(CyclePlan(count: 1))
        var actions: [CycleAction] = []
        run.start(now: 100, into: &actions)
        #expect(actions == [.connect])
        run.connected(.success(nil), now: 110, into: &actions)
        run.received(record: Self.event(.deviceAttached), now: 150, into: &actions)
        run.received(record: Self.event(.deviceAttached, device: "other"), now: 155, into: &actions)
        run.received(record: Self.event(.deviceAttached, generation: 9), now: 156, into: &actions)
        run.received(record: Self.event(.sessionActive, device: "x"), now: 160, into: &actions)
        run.received(record: Self.event(.sessionActive, generation: 7), now: 170, into: &actions)
        #expect(actions == [.connect], "others' sessions are not this one's")
        run.received(record: Self.event(.sessionActive), now: 180, into: &actions)
        #expect(actions == [.connect, .disconnect])
        run.received(record: Self.event(.deviceDetached), now: 200, into: &actions)
        var result = CycleResult(number: 1)
        (result.appeared, result.ready, result.released) = (50, 80, 20)
        #expect(actions.dropFirst(2) == [.report(result), .finished(isInterrupted: false)])
        #expect(run.isFinished && run.nextDeadline == nil)
    }

    @Test func whatDoesNotComeIsAFailureAndTheNextCycleBegins() {
        var run = CycleRun(CyclePlan(count: 2, interval: 10, within: 1_000))
        var actions: [CycleAction] = []
        run.start(now: 0, into: &actions)
        run.deadlineReached(now: 999, into: &actions)
        #expect(actions == [.connect], "too early a call does nothing")
        run.deadlineReached(now: 1_000, into: &actions)
        var failed = CycleResult(number: 1)
        failed.failure = CycleFailure(step: "plug", code: "timedOut", text: "the session was not active within 1us")
        #expect(actions == [.connect, .disconnect, .report(failed)])
        #expect(run.nextDeadline == 1_010)
        actions = []
        run.deadlineReached(now: 1_010, into: &actions)
        run.received(record: Self.event(.deviceAttached, generation: 2), now: 1_020, into: &actions)
        run.received(record: Self.event(.sessionPhase, generation: 2, phase: "identifying"), now: 1_030, into: &actions)
        run.received(record: Self.event(.sessionClosed, generation: 2, reason: "refused"), now: 1_040, into: &actions)
        #expect(actions == [.connect, .disconnect])
        run.deadlineReached(now: 1_040 + CyclePlan.releaseLimit, into: &actions)
        guard case .report(let second)? = actions.dropFirst(2).first else {
            Issue.record("\(actions)")
            return
        }
        #expect(second.failure == CycleFailure(step: "identifying", code: "refused", text: ""))
        #expect(actions.last == .finished(isInterrupted: false))
    }

    @Test func somebodyMayStopItAnywhere() {
        var created = CycleRun(CyclePlan(count: 1))
        var actions: [CycleAction] = []
        created.cancel(now: 0, into: &actions)
        #expect(actions == [.finished(isInterrupted: true)])
        created.start(now: 1, into: &actions)
        #expect(actions.count == 1, "it is over")

        var run = CycleRun(CyclePlan(count: 1, moment: .step("starting")))
        actions = []
        run.start(now: 0, into: &actions)
        run.received(record: Self.event(.deviceAttached), now: 1, into: &actions)
        run.cancel(now: 2, into: &actions)
        #expect(actions == [.arm(step: "starting"), .connect, .disarm, .disconnect])
        run.received(record: Self.event(.deviceDetached), now: 3, into: &actions)
        #expect(actions.last == .finished(isInterrupted: true), "and says nothing of the cycle")
    }

    @Test func randomStepsHangOnSeedAndNumberAlone() {
        let plan = CyclePlan(count: 1_000, moment: .random, seed: 5)
        let later = CyclePlan(count: 1_000, first: 500, moment: .random, seed: 5)
        let steps = (1...1_000).map { plan.step(of: $0) }
        #expect(steps == (1...1_000).map { later.step(of: $0) })
        #expect(Set(steps) == Set(CycleMoment.randomSteps.map(Optional.some) + [nil]))
        #expect(steps != (1...1_000).map { CyclePlan(count: 1_000, moment: .random, seed: 6).step(of: $0) })
    }

    @Test func resultsAreReadAsTheyAreWritten() throws {
        var result = CycleResult(number: 7, pulledAt: "starting")
        (result.ready, result.appeared, result.released) = (1, 2, 3)
        #expect(try CycleResult(record: result.record) == result)
        result.failure = CycleFailure(step: "unplug", code: "timedOut", text: "x")
        #expect(try CycleResult(record: result.record) == result)
        #expect(throws: RecordProblem.self) { try CycleResult(record: .record([])) }
    }
}
