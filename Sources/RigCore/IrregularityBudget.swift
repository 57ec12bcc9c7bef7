import ControlProtocol
import LinkProtocol
import RigModel

/// How many irregularities of one link are published: a peer that sends nothing but damage must not fill everybody's
/// streams. What is not published is counted and told with the next one that is.
struct IrregularityBudget: Sendable {
    /// How many may come at once. Ours: more than any fault of a test makes, few enough for every subscriber.
    static let burst: UInt64 = 64
    /// How long it takes until one more may be published, in nanoseconds: 20 in a second.
    static let interval: UInt64 = 50_000_000

    private var left = Self.burst
    private var since: UInt64 = 0
    private(set) var suppressed: UInt64 = 0

    /// Whether one more may be published at `now`, and how many were held back before it; `nil` when it may not.
    mutating func take(now: UInt64) -> UInt64? {
        let earned = (now - min(since, now)) / Self.interval
        if earned > 0 {
            left = min(Self.burst, left + earned)
            since = left == Self.burst ? now : since + earned * Self.interval
        }
        guard left > 0 else {
            suppressed += 1
            return nil
        }
        if left == Self.burst { since = now }
        left -= 1
        defer { suppressed = 0 }
        return suppressed
    }
}

extension Irregularity {
    /// One of the link's, noticed by the rig's end until somebody knows better.
    init(_ found: LinkIrregularity) {
        let party: Party =
            switch found.fault {
            case .local: .local
            case .peer: .peer
            case .transport: .device
            }
        self.init(
            layer: .link, end: .rig, rule: found.rule.rawValue, offset: found.offset, length: found.length,
            party: party, reaction: found.reaction.rawValue, text: found.reason)
    }

    /// One of the control session's, noticed by the rig's end until somebody knows better.
    init(_ found: ControlIrregularity) {
        let party: Party =
            switch found.fault {
            case .local: .local
            case .peer: .peer
            }
        self.init(
            layer: .control, end: .rig, rule: found.rule.rawValue, offset: found.offset, party: party,
            reaction: found.reaction.rawValue, text: found.description)
    }
}
