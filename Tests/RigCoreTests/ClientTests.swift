import RigConfiguration
import RigModel
import Testing

@testable import RigCore

/// Who may connect, what a connection may be used for, and what its end releases.
@Suite struct ClientTests {
    private func connect(_ bench: inout Bench, _ number: UInt64, uid: UInt32) -> CloseCause? {
        let client = ClientID(number)
        bench.handle(.clientConnected(client, ClientCredentials(pid: 1, uid: uid, gid: 1)))
        return bench.closed[client]
    }

    @Test func oneUserHasALimit() {
        var bench = Bench { $0.maximumClientsPerUser = 3 }
        for number in UInt64(1)...3 { #expect(connect(&bench, number, uid: 1) == nil) }
        #expect(connect(&bench, 4, uid: 1) == .limit("clientsPerUser", 3))
        #expect(connect(&bench, 5, uid: 2) == nil, "others are not concerned")
        bench.handle(.clientCalled(ClientID(4), .getState))
        #expect(bench.replies[ClientID(4)] == nil, "who was refused is not served")
        bench.handle(.clientClosed(ClientID(4)))
        #expect(connect(&bench, 6, uid: 1) == .limit("clientsPerUser", 3), "it never counted")
        bench.handle(.clientClosed(ClientID(2)))
        #expect(connect(&bench, 7, uid: 1) == nil)
    }

    @Test func allTogetherHaveALimit() {
        var bench = Bench { $0.maximumClients = 4 }
        for number in UInt64(1)...4 { #expect(connect(&bench, number, uid: UInt32(number)) == nil) }
        #expect(connect(&bench, 5, uid: 5) == .limit("clients", 4))
        bench.handle(.clientClosed(ClientID(1)))
        #expect(connect(&bench, 6, uid: 6) == nil)
        #expect(bench.core.clients.count == 4)
    }

    @Test func subscriptionsHaveALimit() throws {
        var bench = Bench { $0.maximumSubscriptions = 2 }
        let first = try bench.subscribe()
        _ = try bench.subscribe()
        let third = try bench.subscribe()
        #expect(bench.failures[third] == [.limitReached("subscriptions", 2)])
        bench.command(.mark("m"))
        #expect(bench.streams[third] == nil)
        bench.handle(.clientClosed(first))
        bench.handle(.clientCalled(third, .subscribe(.everything)))
        #expect(bench.replies[third]?.count == 1)
    }

    @Test func appsHaveALimit() {
        var bench = Bench { $0.maximumApps = 2 }
        let first = bench.launch(token: "1")
        _ = bench.launch(token: "2")
        let third = bench.launch(token: "3")
        #expect(bench.failures[third] == [.limitReached("apps", 2)])
        bench.handle(.clientCalled(third, .getState))
        #expect(bench.replies[third]?.count == 1, "the connection serves for something else")
        bench.handle(.clientClosed(first))
        let fourth = bench.launch(token: "4")
        #expect(bench.replies[fourth]?.first?.value(at: "id")?.text == "app-3")
    }

    @Test func aScenariosNameHasALimitSinceEveryProblemRepeatsIt() {
        var bench = Bench()
        let client = bench.connect()
        let limit = RigCore.maximumRunName
        let long = String(repeating: "n", count: limit + 1)
        bench.handle(.clientCalled(client, .run(name: long, text: "mark x\n")))
        #expect(
            bench.failures[client] == [
                .invalidParameter("name", text: "a scenario's name has at most \(limit) bytes")
            ])
        bench.handle(.clientCalled(client, .run(name: String(long.dropLast()), text: "mark x\n")))
        #expect(bench.replies[client]?.last?.value(at: "verdict.outcome")?.text == "passed")
    }

    @Test func runsHaveALimit() {
        var bench = Bench { $0.maximumRuns = 2 }
        let clients = (1...3).map { _ in bench.connect() }
        for client in clients { bench.handle(.clientCalled(client, .run(name: "r", text: "wait 1s\n"))) }
        #expect(bench.failures[clients[2]] == [.limitReached("runs", 2)])
        bench.pass(2 * Bench.second)
        bench.handle(.clientCalled(clients[2], .run(name: "r", text: "wait 1s\n")))
        bench.pass(2 * Bench.second)
        #expect(bench.replies[clients[2]]?.last?.value(at: "verdict.outcome")?.text == "passed")
    }

    @Test func gesturesHaveALimit() {
        var bench = Bench { $0.maximumGestures = 2 }
        let gesture = Command.inject(Injection(.press(hold: Bench.second)))
        #expect(bench.failure(of: gesture) == nil)
        #expect(bench.failure(of: gesture) == nil)
        #expect(bench.failure(of: gesture) == .limitReached("gestures", 2))
        bench.pass(Bench.second)
        #expect(bench.failure(of: gesture) == nil)
        let ids = bench.events.compactMap(\.input?.id.number)
        #expect(ids == [1, 3, 2, 4, 5], "what was refused took no numbers")
    }

    @Test func aClientAndAUserHaveSoManyGesturesOfTheirOwn() {
        var bench = Bench {
            $0.maximumGestures = 6
            $0.maximumGesturesPerClient = 2
            $0.maximumGesturesPerUser = 3
        }
        let (one, two, stranger) = (bench.connect(uid: 1), bench.connect(uid: 1), bench.connect(uid: 2))
        let press = Gesture.press(hold: Bench.second)
        func begin(_ client: ClientID, _ call: ClientCall) -> CommandFailure? {
            let before = bench.failures[client]?.count ?? 0
            bench.handle(.clientCalled(client, call))
            return bench.failures[client]?.dropFirst(before).first
        }
        func begin(_ client: ClientID) -> CommandFailure? { begin(client, .command(.inject(Injection(press)))) }
        func beginTwo(_ client: ClientID) -> CommandFailure? {
            let steps: [InjectionSequence.Step] = [
                .init(at: 0, .gesture(press)), .init(at: 1, .gesture(.key(.home, hold: Bench.second))),
            ]
            return begin(client, .injectSequence(InjectionSequence(steps), wait: .accepted, within: 0))
        }
        #expect(begin(one) == nil)
        #expect(
            beginTwo(one) == .limitReached("gesturesPerClient", 2), "a sequence counts with all that it has at once")
        #expect(begin(one) == nil)
        #expect(begin(one) == .limitReached("gesturesPerClient", 2))
        bench.handle(.clientClosed(one))
        #expect(beginTwo(two) == .limitReached("gesturesPerUser", 3), "what a client leaves goes on and is its user's")
        #expect(begin(two) == nil)
        #expect(begin(two) == .limitReached("gesturesPerUser", 3))
        #expect(beginTwo(stranger) == nil)
        let another = bench.connect(uid: 3)
        #expect(begin(another) == nil)
        #expect(begin(another) == .limitReached("gestures", 6))
        bench.pass(3 * Bench.second)
        #expect(bench.core.heldGestures == 0)
        #expect(beginTwo(two) == nil, "what is over is free again")
    }

    /// The steps of a scenario are its client's.
    @Test func theGesturesOfAScenarioAreThoseOfItsUser() {
        for (uid, outcome) in [(UInt32(1), "rigFailed"), (2, "passed")] {
            var bench = Bench { $0.maximumGesturesPerUser = 1 }
            let (other, client) = (bench.connect(uid: 1), bench.connect(uid: uid))
            bench.handle(.clientCalled(other, .command(.inject(Injection(.press(hold: 10 * Bench.second))))))
            bench.handle(.clientCalled(client, .run(name: "r", text: "knob press for 1s\n")))
            bench.pass(5 * Bench.second)
            #expect(bench.replies[client]?.last?.value(at: "verdict.outcome")?.text == outcome)
        }
    }

    @Test func aSubscriberThatClosesIsToldNoMore() throws {
        var bench = Bench()
        let client = try bench.subscribe()
        bench.handle(.clientClosed(client))
        bench.plug("iphone", "phone")
        #expect(bench.streams[client] == nil)
        #expect(bench.core.subscribers.isEmpty)
        #expect(bench.core.clients.isEmpty)
    }

    @Test func aClientThatClosesWhileItWaitsIsNotAnswered() {
        var bench = Bench()
        bench.plug("iphone", "phone")
        let app = bench.launch(token: "t")
        bench.pass(Bench.second)
        let client = bench.connect()
        bench.handle(
            .clientCalled(client, .inject(Injection(.key(.voice, hold: 0)), wait: .read, within: Bench.second)))
        #expect(bench.core.waits.count == 1)
        bench.handle(.clientClosed(client))
        #expect(bench.core.waits.isEmpty)
        #expect(bench.core.nextDeadline == nil)
        bench.takeAll()
        bench.handle(.clientCalled(bench.connect(), .acknowledge(token: "t", ids: [1, 2])))
        #expect(bench.replies[client] == nil)
        #expect(bench.streams[app]?.count == 2, "the gesture goes on without it")
    }

    @Test func closingTwiceAndClosingStrangersDoesNothing() {
        var bench = Bench()
        let app = bench.launch()
        bench.handle(.clientClosed(app))
        let count = bench.events.count
        bench.handle(.clientClosed(app))
        bench.handle(.clientClosed(ClientID(999)))
        bench.handle(.clientTook(ClientID(999), sequence: 1))
        bench.handle(.clientCalled(ClientID(999), .getState))
        #expect(bench.events.count == count)
        #expect(bench.replies[ClientID(999)] == nil)
    }

    @Test func aStreamIsAllThatItsConnectionDoes() throws {
        var bench = Bench { $0.maximumApps = 10 }
        let app = bench.launch(token: "1")
        let subscriber = try bench.subscribe()
        let runner = bench.connect()
        bench.handle(.clientCalled(runner, .run(name: "r", text: "wait 1s\n")))
        for client in [app, subscriber, runner] {
            // The socket's side reads no call while a stream is open; the core does not depend on it.
            for call: ClientCall in [
                .launch(AppManifest(name: "x"), device: nil, token: "2"), .subscribe(.everything),
                .run(name: "r", text: "wait 1s\n"), .getState,
            ] {
                bench.handle(.clientCalled(client, call))
            }
            #expect(
                bench.failures[client] == Array(repeating: .busy(owner: "this connection's stream", since: 0), count: 4)
            )
            bench.handle(.clientClosed(client))
        }
        bench.pass(5 * Bench.second)
        #expect(bench.core.apps.isEmpty)
        #expect(bench.core.subscribers.isEmpty)
        #expect(bench.core.runs.isEmpty)
        #expect(bench.core.clients.isEmpty)
    }

    @Test func profilesAreListed() throws {
        var bench = Bench()
        let client = bench.connect()
        bench.handle(.clientCalled(client, .listProfiles))
        let reply = try #require(bench.replies[client]?.first)
        #expect(reply.value(at: "profiles")?.count == bench.core.settings.profiles.count)
        #expect(reply.value(at: "profiles.0.name")?.text == "iphone")
        #expect(reply.value(at: "profiles.0.kind")?.text == "iPhone")
        #expect(reply.value(at: "headUnits")?.count == bench.core.headUnits.count)
        #expect(reply.value(at: "headUnits.0.name")?.text == bench.core.headUnits.first?.name)
        #expect(reply.value(at: "headUnits.0.displays.0")?.text == "main")
    }

    @Test func aMarkHasALimit() {
        var bench = Bench()
        let longest = String(repeating: "m", count: Command.maximumMark)
        #expect(bench.failure(of: .mark(longest)) == nil)
        #expect(
            bench.failure(of: .mark(longest + "m"))
                == .invalidParameter("text", text: "a mark has at most 1024 bytes"))
        #expect(bench.events.map(\.payload) == [.text(longest)])
    }
}
