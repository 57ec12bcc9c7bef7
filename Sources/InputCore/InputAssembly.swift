public import RigModel

/// One input device of several nodes: what its nodes tell, put together.
///
/// A knob can be spread over nodes, its turns on one and its button on the other; and one press can come twice, from the
/// keyboard and from the consumer keys of the same device. A control is down from the first node that presses it to the
/// last that lets it go, and what another node repeats within `echo` is the same once more: a press, or as many detents
/// the same way, each of them once. A surface belongs to the node that touched it first, until all of its fingers are
/// lifted and their echo is over. Finds the intents of the knob too, since a press and a turn may come from different
/// nodes.
public struct InputAssembly: Sendable {
    private enum Control: Equatable, Sendable {
        case press
        case nudge(NudgeDirection)
        case key(Key)
    }

    private struct Holding: Sendable {
        let control: Control
        /// One bit for each node that holds it, and for each whose press was a repetition.
        var holders: UInt16 = 0
        var echoes: UInt16 = 0
        /// Who pressed it last, and when.
        var node: Int
        var since: UInt64
    }

    /// A turn that was told, and how much of it each other node has said as well.
    private struct Turn: Sendable {
        let node: Int
        let time: UInt64
        let detents: Int32
        var repeated = SIMD16<Int32>(repeating: 0)
    }

    /// What is known of fingers: no node has any, or one has.
    private struct Touch: Sendable {
        let node: Int
        /// When fingers last came down.
        var began: UInt64
        var isDown = true
    }

    /// Within this time the same from another node is the same once more: ours. The reports of one device's interfaces
    /// are a polling interval apart, 10 ms at most for full speed, and nobody presses twice in 30 ms.
    public static let echo: UInt64 = 30_000_000
    /// The most nodes that are told apart; those above count as the last. A Surface Dial has three.
    public static let maximumNodes = 16
    /// The most turns that are compared with what other nodes say: as many as a device at 1 kHz tells within `echo`, and
    /// as many again; and twice as many as a kernel's queue of a knob holds, where one node is read before the other.
    static let maximumTurns = 64

    private let longPress: UInt64
    private var knob: KnobIntents
    /// Never more than there are controls: one press, eight nudges and the keys of a car.
    private var holdings: [Holding] = []
    /// The last turns that were told; a new one takes the place of the oldest.
    private var turns: [Turn] = []
    private var oldestTurn = 0
    private var touch: Touch?
    /// One bit for each node whose fingers are those of another, and are still down; and for each whose last frame was
    /// such a one, so that what was meant by it is too.
    private var repeatedTouches: UInt16 = 0
    private var repeatedFrames: UInt16 = 0

    /// A device whose nodes come one after the other.
    public init(limits: IntentLimits = IntentLimits()) {
        longPress = limits.longPress
        knob = KnobIntents(limits)
    }

    /// Takes what the decoder of a node told at a time and appends what the device did.
    public mutating func take(
        _ inputs: [DeviceInput], from node: Int, at time: UInt64, into told: inout [DeviceInput]
    ) {
        let node = min(max(node, 0), Self.maximumNodes - 1)
        for input in inputs {
            switch input {
            case .event(.knob(.rotate(let detents))): turn(detents, node, time, &told)
            case .event(.knob(.pressed)): down(.press, node, time, input, &told)
            case .event(.knob(.released(let held, _))): up(.press, node, time, held, input, &told)
            case .event(.knob(.nudge(let direction, let isDown))):
                if isDown {
                    down(.nudge(direction), node, time, input, &told)
                } else {
                    up(.nudge(direction), node, time, 0, input, &told)
                }
            case .event(.key(let key)):
                if key.down {
                    down(.key(key.key), node, time, input, &told)
                } else {
                    up(.key(key.key), node, time, 0, input, &told)
                }
            case .event(.touch(let event)): touched(event.contacts.lazy.map(\.phase), node, time, input, &told)
            case .event(.touchpad(let event)): touched(event.contacts.lazy.map(\.phase), node, time, input, &told)
            case .touch(let contacts): touched(contacts.lazy.map(\.phase), node, time, input, &told)
            case .intent: if repeatedFrames & Self.bit(node) == 0 { told.append(input) }
            }
        }
    }

    /// When `deadlineReached` is to be called; `nil` when nothing waits.
    public var nextDeadline: UInt64? { knob.nextDeadline }

    /// Time has passed.
    public mutating func deadlineReached(now: UInt64, into told: inout [DeviceInput]) {
        knob.deadlineReached(now: now) { told.append(.intent($0)) }
    }

    /// The last node is gone; what it held was told by its decoder.
    public mutating func end(into told: inout [DeviceInput]) {
        knob.end { told.append(.intent($0)) }
        holdings = []
        turns = []
        oldestTurn = 0
        touch = nil
        repeatedTouches = 0
        repeatedFrames = 0
    }

    private static func bit(_ node: Int) -> UInt16 { 1 << UInt16(node) }

    private mutating func turn(_ detents: Int32, _ node: Int, _ time: UInt64, _ told: inout [DeviceInput]) {
        var rest = detents
        // Nodes are read one after the other: what one says may be older than what another has said already.
        for place in turns.indices where rest != 0 {
            let index = turns.count == Self.maximumTurns ? (oldestTurn + place) % Self.maximumTurns : place
            let turn = turns[index]
            guard turn.node != node, max(time, turn.time) - min(time, turn.time) < Self.echo else { continue }
            let open = turn.detents - turn.repeated[node]
            guard open.signum() == rest.signum() else { continue }
            let same = rest > 0 ? min(open, rest) : max(open, rest)
            turns[index].repeated[node] += same
            rest -= same
        }
        if rest == 0 { return }
        let turn = Turn(node: node, time: time, detents: rest)
        if turns.count < Self.maximumTurns {
            turns.append(turn)
        } else {
            turns[oldestTurn] = turn
            oldestTurn = (oldestTurn + 1) % Self.maximumTurns
        }
        told.append(.event(.knob(.rotate(detents: rest))))
        knob.turned(rest, at: time) { told.append(.intent($0)) }
    }

    /// A frame of fingers: told, or the same once more.
    private mutating func touched(
        _ phases: some Sequence<ContactPhase>, _ node: Int, _ time: UInt64, _ input: DeviceInput,
        _ told: inout [DeviceInput]
    ) {
        let bit = Self.bit(node)
        let begins = phases.contains(.began)
        let isDown = phases.contains { $0 != .ended && $0 != .cancelled }
        if let touch, touch.node != node, begins, touch.isDown || time.distance(after: touch.began) < Self.echo {
            repeatedTouches |= bit
        }
        let isRepeated = repeatedTouches & bit != 0
        repeatedFrames = isRepeated ? repeatedFrames | bit : repeatedFrames & ~bit
        if isRepeated {
            if !isDown { repeatedTouches &= ~bit }
            return
        }
        if touch?.node != node { touch = Touch(node: node, began: time) }
        if begins { touch?.began = time }
        touch?.isDown = isDown
        told.append(input)
    }

    private mutating func down(
        _ control: Control, _ node: Int, _ time: UInt64, _ input: DeviceInput, _ told: inout [DeviceInput]
    ) {
        let bit = Self.bit(node)
        if let place = holdings.firstIndex(where: { $0.control == control }) {
            if holdings[place].holders != 0 {
                holdings[place].holders |= bit
                return
            }
            if holdings[place].node != node && time.distance(after: holdings[place].since) < Self.echo {
                holdings[place].echoes |= bit
                return
            }
            holdings.remove(at: place)
        }
        holdings.append(Holding(control: control, holders: bit, node: node, since: time))
        told.append(input)
        if control == .press { knob.pressed(at: time) { told.append(.intent($0)) } }
    }

    private mutating func up(
        _ control: Control, _ node: Int, _ time: UInt64, _ ownHeld: UInt64, _ input: DeviceInput,
        _ told: inout [DeviceInput]
    ) {
        let bit = Self.bit(node)
        guard let place = holdings.firstIndex(where: { $0.control == control }) else { return }
        if holdings[place].echoes & bit != 0 {
            holdings[place].echoes &= ~bit
            return
        }
        guard holdings[place].holders & bit != 0 else { return }
        holdings[place].holders &= ~bit
        guard holdings[place].holders == 0 else { return }
        guard control == .press else {
            told.append(input)
            return
        }
        // Of one node alone its own word counts, which knows when a bouncing contact really opened.
        let held = holdings[place].node == node ? ownHeld : time.distance(after: holdings[place].since)
        told.append(.event(.knob(.released(held: held, long: held >= longPress))))
        knob.released(at: holdings[place].since.adding(held)) { told.append(.intent($0)) }
    }
}
