import InputCore
import RigConfiguration
import RigCore
import RigModel

/// A rig with an input device, a subscriber of input and at most one session, on a clock of its own.
struct BenchmarkRig {
    private static let device = "device"
    private static let millisecond: UInt64 = 1_000_000

    private var core: RigCore
    private var now: UInt64 = 0
    private var actions = ActionBuffer()

    /// - Parameters:
    ///   - kind: of the events that the subscriber asks for.
    ///   - profile: the simulated other end; without one there is no session.
    ///   - first: what is done with the device when all is there; it has to reach the session.
    init(_ facts: DeviceFacts, _ kind: String, _ profile: String?, first: [DeviceInput]) {
        var settings = CoreSettings(Configuration.shipped, version: "benchmark")
        // No shipped head unit has a touchpad.
        for unit in settings.headUnits.indices {
            for display in settings.headUnits[unit].displays.indices {
                settings.headUnits[unit].displays[display].inputs = DisplayInput.allCases
            }
        }
        core = RigCore(settings: settings)
        handle(.deviceAttached(key: Self.device, facts))
        let (subscriber, caller) = (ClientID(1), ClientID(2))
        connect(subscriber)
        guard let filter = try? EventFilter(kinds: [kind], devices: nil) else {
            preconditionFailure("BenchmarkRig: the filter is wrong")
        }
        handle(.clientCalled(subscriber, .subscribe(filter)))
        if let profile {
            connect(caller)
            handle(.clientCalled(caller, .command(.plug(PlugRequest(profile: profile)))))
            pass(1_000 * Self.millisecond)
        }
        var published: [Event] = []
        for input in first { published = use(input) }
        precondition(
            (published.last?.session != nil) == (profile != nil) && published.last?.kind.rawValue == kind,
            "BenchmarkRig: \(kind) does not reach \(profile ?? "the subscriber")")
    }

    /// Does something with the device, a millisecond after what was before.
    ///
    /// - Returns: what was published.
    @discardableResult mutating func use(_ input: DeviceInput) -> [Event] {
        pass(Self.millisecond)
        actions.removeAll()
        core.handle(.deviceInput(key: Self.device, input, time: now), at: now, into: &actions)
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
