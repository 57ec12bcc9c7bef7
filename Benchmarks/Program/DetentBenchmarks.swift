import InputCore
import RigConfiguration
import RigCore
import RigModel

/// One detent of a knob through the whole rig in memory: published to one subscriber, said by a report over the link of the
/// session in front, read by its other end and acknowledged. No daemon, no socket, no device.
enum DetentBenchmarks {
    static var all: [Benchmark] { [detent(nil), detent("iphone"), detent("head-unit")] }

    /// - Parameter profile: the simulated other end; without one there is no session.
    static func detent(_ profile: String?) -> Benchmark {
        let name = profile.map { "detent.to-\($0)" } ?? "detent.no-session"
        var rig = BenchmarkRig(profile)
        let detents = 64
        return Benchmark(
            name: name, unit: "", unitsPerRun: Double(detents), itemsPerRun: Double(detents),
            work: {
                for _ in 0..<detents { rig.turn() }
            })
    }
}

/// A rig with a knob, a subscriber of input and at most one session, on a clock of its own.
struct BenchmarkRig {
    private static let knob = "knob"
    private static let millisecond: UInt64 = 1_000_000

    private var core: RigCore
    private var now: UInt64 = 0
    private var actions = ActionBuffer()

    init(_ profile: String?) {
        core = RigCore(settings: CoreSettings(Configuration.shipped, version: "benchmark"))
        let facts = DeviceFacts(kind: .knob, profile: "knob", port: "1-1", origin: .observed)
        handle(.deviceAttached(key: Self.knob, facts))
        let (subscriber, caller) = (ClientID(1), ClientID(2))
        connect(subscriber)
        guard let filter = try? EventFilter(kinds: ["input.knob"], devices: nil) else {
            preconditionFailure("BenchmarkRig: the filter is wrong")
        }
        handle(.clientCalled(subscriber, .subscribe(filter)))
        guard let profile else { return }
        connect(caller)
        handle(.clientCalled(caller, .command(.plug(PlugRequest(profile: profile)))))
        pass(1_000 * Self.millisecond)
        let published = turn()
        precondition(
            published.last?.session != nil, "BenchmarkRig: the session of \(profile) is not in front of the knob")
    }

    /// Turns the knob by one detent, a millisecond after what was before.
    ///
    /// - Returns: what was published.
    @discardableResult mutating func turn() -> [Event] {
        pass(Self.millisecond)
        actions.removeAll()
        let detent = DeviceInput.event(.knob(.rotate(detents: 1)))
        core.handle(.deviceInput(key: Self.knob, detent, time: now), at: now, into: &actions)
        return actions.events
    }

    private mutating func connect(_ client: ClientID) {
        handle(.clientConnected(client, ClientCredentials(pid: 1, uid: 1_000, gid: 1_000)))
    }

    private mutating func pass(_ duration: UInt64) {
        let end = now + duration
        while let deadline = core.nextDeadline, deadline <= end {
            now = max(now, deadline)
            handle(.deadlineReached)
        }
        now = end
    }

    private mutating func handle(_ event: CoreEvent) {
        actions.removeAll()
        core.handle(event, at: now, into: &actions)
    }
}
