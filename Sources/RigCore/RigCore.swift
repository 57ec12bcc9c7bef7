public import RigConfiguration
import RigModel

/// The whole rig as one value: devices, sessions, displays, apps, clients, what is under way and who is told.
///
/// Events and the time go in, actions come out. There is no clock, socket, file, randomness or logging inside, and
/// nothing depends on the order of a `Dictionary`, so the same events give the same actions in the daemon, in a
/// simulation and in the replay of a recording.
///
/// The caller calls `handle` for everything that happens and once more when `nextDeadline` has come, performs the
/// actions in order, and empties the buffer. Time must not go backwards; if it does, it is taken to stand still.
public struct RigCore: Sendable {
    let identity: CoreIdentity
    var settings: CoreSettings
    var generator: SeededGenerator
    /// Nanoseconds from the daemon's start: the `now` of the event at hand.
    var now: UInt64 = 0
    /// The sequence number of the last published event.
    var sequence: UInt64 = 0
    var vehicle: Vehicle
    var decider = VehicleDecider()
    var playback: TrackPlayback?

    var devices = DeviceTable()
    var links = IDTable<LinkID, DeviceLink>()
    var sessions = IDTable<SessionID, SessionEntry>()
    /// What a link noticed, while it is acted on: the memory is used again.
    var noticesInHand: [RigNotice] = []
    /// What of a report belongs to whom, while it is published.
    var partsInHand: [HeldInputs.Part] = []
    /// The last touch of a real device and the last one over a link, which may be the same: their memory is for the next
    /// ones, when nobody has them any more.
    var touchInHand = TouchEvent(contacts: [])
    var linkTouchInHand = TouchEvent(contacts: [])
    var lastLink: UInt32 = 0
    var lastSession: UInt32 = 0
    var front = FrontState()

    var clients = IDTable<ClientID, ClientEntry>()
    var subscribers = IDTable<ClientID, EventFilter>()
    var captures = IDTable<ClientID, CaptureEntry>()
    var apps = IDTable<AppID, AppEntry>()
    var lastApp: UInt32 = 0

    var faults = IDTable<FaultID, FaultEntry>()
    var lastFault: UInt32 = 0

    var gestures = IDTable<UInt64, ActiveGesture>()
    var lastGesture: UInt64 = 0
    var sequences = IDTable<UInt64, ActiveSequence>()
    var lastSequence: UInt64 = 0
    /// What is down by injected single inputs.
    var holds = InjectedHolds()
    var lastInput: UInt64 = 0
    var waits = IDTable<UInt64, InputWait>()
    var lastWait: UInt64 = 0
    /// Answers that wait for the signer; at most one for each client.
    var heldAnswers: [HeldAnswer] = []

    var runs = IDTable<UInt64, RunEntry>()
    var lastRun: UInt64 = 0
    /// Whether a run has ended since those that wait were looked at.
    var freedRuns = false

    var deadlines = DeadlineQueue()

    /// A rig with nothing plugged in.
    public init(settings: CoreSettings, identity: CoreIdentity = CoreIdentity()) {
        self.identity = identity
        self.settings = settings
        self.generator = SeededGenerator(seed: identity.seed)
        self.vehicle = settings.vehicle
        beginVehicle()
    }

    /// When `handle` wants to be called next, in nanoseconds from the daemon's start, if nothing happens before.
    public var nextDeadline: UInt64? {
        mutating get { deadlines.next }
    }

    /// Takes one event and what has come due by `now`: all of it, or as much as one call does. Then `nextDeadline` has
    /// passed already, and the caller sees to everything else before it calls again.
    ///
    /// - Parameters:
    ///   - event: what happened.
    ///   - now: nanoseconds from the daemon's start.
    ///   - actions: gets what is to be done, behind what it holds.
    public mutating func handle(_ event: CoreEvent, at now: UInt64, into actions: inout ActionBuffer) {
        self.now = max(self.now, now)
        beginTurnOfRuns(actions)
        switch event {
        case .deviceAttached(let key, let facts): deviceAttached(key: key, facts, held: nil, into: &actions)
        case .deviceAttachedBusy(let key, let facts, let reason):
            deviceAttached(key: key, facts, held: reason, into: &actions)
        case .deviceChanged(let key, let facts): deviceChanged(key: key, facts, into: &actions)
        case .deviceDetached(let key, let reason): deviceDetached(key: key, reason, into: &actions)
        case .deviceBusy(let key, let reason): deviceHeld(key: key, .busy, reason, into: &actions)
        case .deviceStuck(let key, let reason): deviceHeld(key: key, .stuck, reason, into: &actions)
        case .deviceUsable(let key): deviceUsable(key: key, into: &actions)
        case .modeAnswered(let key, let mode, let refusal):
            modeAnswered(key: key, mode, refusal: refusal, into: &actions)
        case .wireOpened(let link): change(link, into: &actions) { $0.wireOpened(now: $1) }
        case .wireReceived(let link, let bytes): change(link, into: &actions) { $0.wireReceived(bytes, now: $1) }
        case .wireSent(let link, let count): change(link, into: &actions) { link, _ in link.wireSent(count) }
        case .wireEnded(let link, let reason): change(link, into: &actions) { $0.wireEnded(reason, now: $1) }
        case .signerAnswered(let ticket, let answer):
            change(ticket.link, into: &actions) { $0.answer(answer, to: ticket, now: $1) }
        case .signerChanged(let signer): signerChanged(signer, into: &actions)
        case .input(let key, let input, let time): inputArrived(key: key, input, time: time, into: &actions)
        case .deviceInput(let key, let input, let time): deviceInputArrived(key: key, input, time: time, into: &actions)
        case .inputLost(let key): inputLost(key: key, into: &actions)
        case .resynchronized(let reason):
            publish(Event(time: self.now, kind: .resync, origin: .observed, reason: reason), into: &actions)
        case .clientConnected(let client, let credentials): clientConnected(client, credentials, into: &actions)
        case .clientClosed(let client): clientClosed(client, into: &actions)
        case .clientCalled(let client, let call): clientCalled(client, call, into: &actions)
        case .clientTook(let client, let sequence): clientTook(client, sequence, into: &actions)
        case .reconfigured(let settings): reconfigured(settings, into: &actions)
        case .configurationRefused(let text):
            publish(
                Event(time: self.now, kind: .configurationRefused, origin: .declared, payload: .text(text)),
                into: &actions)
        case .deadlineReached: break
        }
        // A scenario's next step begins only when it has seen everything that happened before.
        feedRuns(into: &actions)
        fireDeadlines(into: &actions)
        releaseAnswers(into: &actions)
    }

    /// How many deadlines one `handle` serves: a thousand gestures at once must not keep clients waiting.
    static let maximumDue = 256

    private mutating func fireDeadlines(into actions: inout ActionBuffer) {
        for _ in 0..<Self.maximumDue {
            guard let key = deadlines.popDue(now: now) else { return }
            switch key {
            case .link(let number): linkDeadlineReached(LinkID(number), into: &actions)
            case .retry(let number): retryDeadlineReached(DeviceID(number), into: &actions)
            case .reenumeration(let number): reenumerationDeadlineReached(DeviceID(number), into: &actions)
            case .gesture(let number): gestureDeadlineReached(number, into: &actions)
            case .sequence(let number): sequenceDeadlineReached(number, into: &actions)
            case .wait(let number): waitDeadlineReached(number, into: &actions)
            case .run(let number): runDeadlineReached(number, into: &actions)
            case .track: trackDeadlineReached(into: &actions)
            }
            feedRuns(into: &actions)
        }
    }

    private mutating func reconfigured(_ settings: CoreSettings, into actions: inout ActionBuffer) {
        // Keys are made once, at the start; a configuration does not bring them.
        let signer = self.settings.signer
        self.settings = settings
        self.settings.signer = signer
        publish(Event(time: now, kind: .configurationReloaded, origin: .declared), into: &actions)
        rulesChanged(into: &actions)
    }
}

extension RigCore {
    /// The head units that can be declared, the one that the rig plays when nobody says first.
    public var headUnits: [HeadUnitProfile] { settings.headUnits }
}
