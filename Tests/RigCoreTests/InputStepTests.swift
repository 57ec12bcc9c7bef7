import RigModel
import Testing

@testable import RigCore

/// How far injected input has come, and who is told.
@Suite struct InputStepTests {
    /// A step as it is published: which input, which step, by which app.
    struct Step: Equatable, CustomStringConvertible {
        let input: UInt64
        let step: InputStep
        let app: UInt32

        var description: String { "\(input) \(step.rawValue) by app-\(app)" }
    }

    private func steps(_ bench: Bench, from index: Int = 0) -> [Step] {
        bench.events.dropFirst(index).compactMap { event in
            guard case .step(let step, let app) = event.payload else { return nil }
            return Step(input: event.input?.id.number ?? 0, step: step, app: app?.number ?? 0)
        }
    }

    private func bench() -> Bench {
        var bench = Bench()
        bench.plug("iphone", "phone")
        bench.pass(Bench.second)
        return bench
    }

    /// No device of the head unit has this key, so that the link has no word in it.
    static let gesture = Gesture.key(.voice, hold: 0)

    private func inject(
        _ bench: inout Bench, wait: InputStep, within: UInt64 = Bench.second, gesture: Gesture = gesture,
        device: String? = nil
    ) -> ClientID {
        let client = bench.connect()
        bench.handle(.clientCalled(client, .inject(Injection(gesture, device: device), wait: wait, within: within)))
        return client
    }

    private func acknowledge(_ bench: inout Bench, _ ids: [UInt64], token: String = "token") -> Int64? {
        let client = bench.connect()
        bench.handle(.clientCalled(client, .acknowledge(token: token, ids: ids)))
        defer { bench.handle(.clientClosed(client)) }
        return bench.replies[client]?.last?.value(at: "acknowledged")?.int
    }

    private func reached(_ bench: Bench, _ client: ClientID) -> String? {
        let all = bench.replies[client] ?? []
        #expect(all.count <= 1, "answered once")
        return all.first?.value(at: "reached")?.text
    }

    @Test func acceptedIsAnsweredAtOnce() {
        var bench = bench()
        _ = bench.launch()
        let client = inject(&bench, wait: .accepted)
        #expect(reached(bench, client) == "accepted")
        #expect(bench.replies[client]?.first?.value(at: "reaches")?.text == "read")
        #expect(bench.core.waits.isEmpty)
    }

    @Test(arguments: InputStep.allCases) func withoutAnAppAndADeviceNothingCanBeWaitedFor(step: InputStep) {
        var bench = bench()
        let client = inject(&bench, wait: step)
        #expect(reached(bench, client) == "accepted")
        #expect(bench.replies[client]?.first?.value(at: "reaches")?.text == "accepted")
        #expect(bench.core.waits.isEmpty)
    }

    @Test func stepsComeOneAfterTheOther() {
        var bench = bench()
        let app = bench.launch()
        let delivered = inject(&bench, wait: .delivered)
        let read = inject(&bench, wait: .read)
        #expect(bench.streams[app]?.map(\.input?.id.number) == [1, 2, 3, 4])
        #expect(bench.toTell.map(\.1) == bench.streams[app]?.map(\.sequence), "told of each")
        let before = bench.events.count
        bench.takeAll()
        #expect(reached(bench, delivered) == "delivered")
        #expect(reached(bench, read) == nil)
        #expect(steps(bench, from: before) == (1...4).map { Step(input: $0, step: .delivered, app: 1) })
        #expect(bench.events.last?.session == SessionID(1))
        #expect(bench.events.last?.device?.name == "phone")
        #expect(acknowledge(&bench, [3]) == 1)
        #expect(reached(bench, read) == nil, "half of it")
        #expect(acknowledge(&bench, [4, 1]) == 2)
        #expect(reached(bench, read) == "read")
        #expect(acknowledge(&bench, [1, 3, 4]) == 0, "each is acknowledged once")
        #expect(
            Array(steps(bench, from: before).dropFirst(4)) == [3, 4, 1].map { Step(input: $0, step: .read, app: 1) })
        #expect(bench.core.waits.isEmpty)
        #expect(bench.core.nextDeadline == nil)
    }

    @Test func whatWasReadWasDeliveredBefore() {
        // The app may answer before the kernel told that its socket took the last byte.
        var bench = bench()
        _ = bench.launch()
        let client = inject(&bench, wait: .read)
        let before = bench.events.count
        #expect(acknowledge(&bench, [1, 2]) == 2)
        #expect(reached(bench, client) == "read")
        bench.takeAll()
        #expect(
            steps(bench, from: before) == [
                Step(input: 1, step: .delivered, app: 1), Step(input: 1, step: .read, app: 1),
                Step(input: 2, step: .delivered, app: 1), Step(input: 2, step: .read, app: 1),
            ], "each step once, and never backwards")
    }

    @Test func oneTakenEventCoversThoseBeforeIt() {
        var bench = bench()
        let app = bench.launch()
        _ = inject(&bench, wait: .accepted)
        let last = bench.streams[app]?.last?.sequence ?? 0
        let before = bench.events.count
        bench.handle(.clientTook(app, sequence: last - 2))
        #expect(steps(bench, from: before).isEmpty)
        bench.handle(.clientTook(app, sequence: last))
        #expect(steps(bench, from: before).map(\.input) == [1, 2])
        bench.handle(.clientTook(app, sequence: .max))
        #expect(steps(bench, from: before).count == 2)
    }

    @Test func atTheEndOfItsTimeAWaitIsAnsweredWithWhatWasReached() {
        var bench = bench()
        _ = bench.launch()
        let client = inject(&bench, wait: .read, within: 300)
        bench.takeAll()
        _ = acknowledge(&bench, [1])
        bench.pass(299)
        #expect(reached(bench, client) == nil)
        bench.pass(1)
        #expect(reached(bench, client) == "delivered", "the second one was delivered only")
        #expect(bench.core.nextDeadline == nil)
    }

    @Test func waitingForNoTimeIsAnsweredAtOnce() {
        var bench = bench()
        _ = bench.launch()
        let client = inject(&bench, wait: .read, within: 0)
        #expect(reached(bench, client) == "accepted")
    }

    @Test func theLongestTimeIsNotInThePast() {
        var bench = bench()
        _ = bench.launch()
        let client = inject(&bench, wait: .read, within: .max)
        bench.pass(1_000 * Bench.second)
        #expect(reached(bench, client) == nil)
        _ = acknowledge(&bench, [1, 2])
        #expect(reached(bench, client) == "read")
    }

    @Test func theEndOfTheAppAnswers() {
        var bench = bench()
        let app = bench.launch()
        let client = inject(&bench, wait: .read)
        bench.takeAll()
        bench.handle(.clientClosed(app))
        #expect(reached(bench, client) == "delivered")
        #expect(bench.core.waits.isEmpty)
        #expect(bench.core.nextDeadline == nil)
    }

    @Test func theEndOfOneAppLeavesItToTheOthers() {
        var bench = bench()
        let app = bench.launch(token: "1")
        _ = bench.launch(token: "2")
        let client = inject(&bench, wait: .read)
        bench.handle(.clientClosed(app))
        #expect(reached(bench, client) == nil)
        #expect(acknowledge(&bench, [1, 2], token: "2") == 2)
        #expect(reached(bench, client) == "read")
    }

    @Test func theEndOfTheSessionAnswers() {
        var bench = bench()
        _ = bench.launch()
        let client = inject(&bench, wait: .read, gesture: .press(hold: Bench.second))
        bench.unplug("phone")
        #expect(reached(bench, client) == "accepted")
        #expect(bench.core.waits.isEmpty)
    }

    @Test func anAnswerThatComesAfterTheSessionNamesItNoMore() {
        var bench = bench()
        _ = bench.launch()
        _ = inject(&bench, wait: .accepted)
        bench.unplug("phone")
        let before = bench.events.count
        bench.takeAll()
        _ = acknowledge(&bench, [1, 2])
        #expect(steps(bench, from: before).isEmpty)
    }

    @Test func whenTheFrontChangedMeanwhileAStepIsOfTheSessionOfItsInput() {
        var bench = bench()
        bench.plug("iphone", "other")
        _ = bench.launch()
        let client = inject(&bench, wait: .read)
        bench.command(.setFront(device: "other"))
        let before = bench.events.count
        bench.takeAll()
        _ = acknowledge(&bench, [1, 2])
        #expect(reached(bench, client) == "read")
        let told = bench.events.dropFirst(before).filter { $0.kind == .inputStep }
        #expect(told.count == 4)
        #expect(told.allSatisfy { $0.session == SessionID(1) && $0.device?.name == "phone" })
    }

    @Test func ofSeveralAppsOneIsEnough() {
        var bench = bench()
        let first = bench.launch(token: "1")
        let second = bench.launch(token: "2")
        let client = inject(&bench, wait: .read)
        let before = bench.events.count
        #expect(acknowledge(&bench, [1], token: "1") == 1)
        #expect(acknowledge(&bench, [2], token: "2") == 1)
        #expect(reached(bench, client) == "read")
        bench.takeAll()
        #expect(acknowledge(&bench, [2, 1], token: "1") == 1)
        #expect(steps(bench, from: before).filter { $0.app == 1 }.count == 4)
        #expect(bench.streams[first] == bench.streams[second])
    }

    @Test func nobodyAcknowledgesWhatItWasNotSent() {
        var bench = bench()
        _ = bench.launch("a", token: "1")
        _ = bench.launch("b", device: "phone", token: "2")
        bench.plug("iphone", "other")
        bench.command(.setFront(device: "other"))
        _ = inject(&bench, wait: .accepted)
        #expect(acknowledge(&bench, [1, 2], token: "2") == 0)
        #expect(acknowledge(&bench, [0, 3, .max], token: "1") == 0)
        #expect(acknowledge(&bench, [], token: "1") == 0)
        #expect(acknowledge(&bench, [2, 1, 2], token: "1") == 2)
    }

    @Test func realInputIsNotWaitedFor() {
        var bench = bench()
        bench.attach(.knob(port: "3-1"))
        let app = bench.launch()
        bench.handle(.input(key: "3-1", .knob(.pressed), time: 0))
        #expect(bench.streams[app]?.count == 1)
        let before = bench.events.count
        bench.handle(.clientTook(app, sequence: .max))
        #expect(acknowledge(&bench, [1]) == 0)
        #expect(bench.events.count == before)
    }

    @Test func anAppThatNeverAnswersIsRememberedForAWhileOnly() {
        var bench = bench()
        let app = bench.launch()
        let limit = AppEntry.maximumOutstanding
        let client = inject(&bench, wait: .read, within: .max)
        for _ in 0..<(limit / 2 - 1) { bench.command(.inject(Injection(Self.gesture))) }
        #expect(bench.streams[app]?.count == limit)
        // One more, and the older half is given up.
        bench.handle(
            .clientCalled(
                bench.connect(), .inject(Injection(.rotate(detents: 1, interval: 0)), wait: .accepted, within: 0)))
        let before = bench.events.count
        bench.handle(.clientTook(app, sequence: .max))
        let told = steps(bench, from: before)
        #expect(told.count == limit / 2 + 1)
        #expect(told.first?.input == UInt64(limit / 2 + 1))
        #expect(acknowledge(&bench, [1, 2, UInt64(limit / 2)]) == 0)
        #expect(acknowledge(&bench, [UInt64(limit / 2 + 1), UInt64(limit + 1)]) == 2)
        #expect(reached(bench, client) == nil)
        bench.handle(.clientClosed(app))
        #expect(reached(bench, client) == "accepted")
    }

    @Test func whatIsReadOutOfOrderIsFound() {
        var bench = bench()
        _ = bench.launch()
        bench.command(.inject(Injection(.press(hold: 100), tag: "outer")))
        bench.command(.inject(Injection(.rotate(detents: 5, interval: 10))))
        bench.pass(Bench.second)
        bench.takeAll()
        #expect(acknowledge(&bench, [7, 2, 4, 1, 3, 6, 5]) == 7)
        #expect(acknowledge(&bench, [7, 2, 4, 1, 3, 6, 5]) == 0)
    }
}
