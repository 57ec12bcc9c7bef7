public import RigCore
public import RigModel

/// A rig in this process on a clock of its own: whatever it waits for comes at once, so that minutes take milliseconds.
///
/// Whoever has one tells it what happens with `handle`, looks at `wanted`, and lets time go by with `wake`. Devices are
/// those that are plugged in by commands, with their partners inside the rig; there is no bus and no socket.
public struct VirtualRig: Sendable {
    /// The rig itself.
    public private(set) var core: RigCore
    /// Nanoseconds from its start.
    public private(set) var now: UInt64 = 0
    /// How many events it was given, deadlines among them.
    public private(set) var turns = 0
    /// What the last event has the rig do; the next event replaces it.
    public private(set) var wanted = ActionBuffer()
    private var lateness: Lateness
    private var lastClient: UInt64 = 0

    /// A rig with nothing plugged in.
    ///
    /// - Parameters:
    ///   - seed: the rig's own, and that of its lateness.
    ///   - lateness: by how many nanoseconds at most the rig is woken later than it wanted to be, as by a busy machine.
    ///     Each time by another part of it.
    public init(settings: CoreSettings, seed: UInt64, lateness: UInt64 = 0) {
        core = RigCore(settings: settings, identity: CoreIdentity(seed: seed))
        self.lateness = Lateness(most: lateness, seed: seed)
    }

    /// Tells the rig what happens now.
    public mutating func handle(_ event: CoreEvent) {
        wanted.removeAll()
        core.handle(event, at: now, into: &wanted)
        turns += 1
    }

    /// Goes on to the next time that the rig waits for and lets it do what is due.
    ///
    /// - Returns: false when it waits for nothing until `end`; then it is `end`, unless it was later before.
    public mutating func wake(until end: UInt64) -> Bool {
        guard let deadline = core.nextDeadline, deadline <= end else {
            wanted.removeAll()
            now = max(now, end)
            return false
        }
        if deadline > now {
            let (late, isBeyondTime) = deadline.addingReportingOverflow(lateness.next())
            now = isBeyondTime ? .max : late
        }
        handle(.deadlineReached)
        return true
    }

    /// A new client.
    ///
    /// - Parameter uid: its user; limits are counted for each.
    public mutating func connect(uid: UInt32 = 1_000) -> ClientID {
        lastClient += 1
        let client = ClientID(lastClient)
        handle(.clientConnected(client, ClientCredentials(pid: 1, uid: uid, gid: uid)))
        return client
    }
}
