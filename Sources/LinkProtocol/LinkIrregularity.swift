/// Something on a link that is against the rules, or damaged, and does not have to end it.
///
/// Told in `LinkNotice.irregularity`, at most `LinkOutput.irregularityLimit` per output.
public struct LinkIrregularity: Hashable, Sendable {
    /// Which rule was broken. Raw values are stable names for logs, scenarios and sockets.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// Bytes that belong to no packet.
        case garbage
        /// A packet whose header checksum is wrong.
        case headerChecksum = "header-checksum"
        /// A sound header with a length that no packet has: less than 9, or 10.
        case headerLength = "header-length"
        /// A packet whose payload checksum is wrong.
        case payloadChecksum = "payload-checksum"
        /// A packet longer than this side takes; `value` is its length.
        case packetTooLong = "packet-too-long"
        /// A packet that has no meaning in this phase; `value` is its control byte.
        case unexpectedPacket = "unexpected-packet"
        /// Bits of the control byte that nothing is known of; `value` is the control byte.
        case unknownControlBits = "unknown-control-bits"
        /// The sleep bit, which nothing is known of beyond its name; `value` is the control byte.
        case sleep
        /// An acknowledgement of a packet that was never sent, or no longer waits; `value` is its number.
        case staleAcknowledgement = "stale-acknowledgement"
        /// A packet is named as missing that is not in flight; `value` is its number.
        case missingNotInFlight = "missing-not-in-flight"
        /// A payload packet whose number is neither in the receive window nor just behind it; `value` is its number.
        case outsideWindow = "outside-window"
        /// Without acknowledgements: a payload packet came twice; `value` is its number.
        case duplicate
        /// Without acknowledgements: payload packets before this one are missing for good; `value` is how many.
        case gap
        /// More bytes arrived out of order than may be held; `value` is the number of the packet that was dropped.
        case receiveBufferFull = "receive-buffer-full"
        /// A payload on a channel that was not negotiated; `value` is the channel's id.
        case unknownChannel = "unknown-channel"
        /// A payload in a packet without the acknowledgement bit; `value` is the control byte.
        case payloadWithoutAcknowledgement = "payload-without-acknowledgement"
    }

    /// What was done about it.
    public enum Reaction: String, Hashable, Sendable, CaseIterable {
        /// The bytes have no effect.
        case drop
        /// The peer is told again where this side is, so that it sends again what is missing.
        case `repeat`
        /// The link ends, and the peer is sent a reset packet.
        case reset
        /// The link ends.
        case close
        /// What was wrong is passed over; the rest of the packet counts.
        case ignore
    }

    /// Which rule.
    public var rule: Rule
    /// The first byte it is about, counted from the first byte received on this link.
    public var offset: UInt64
    /// How many bytes of the stream it is about.
    public var length: Int
    /// The number that the rule is about, as each rule says.
    public var value: Int?
    /// Whose doing it was. Damage counts as the transport's.
    public var fault: LinkFault
    /// What was done about it.
    public var reaction: Reaction

    /// States an irregularity.
    public init(
        _ rule: Rule, offset: UInt64, length: Int, value: Int? = nil, fault: LinkFault = .peer, reaction: Reaction
    ) {
        self.rule = rule
        self.offset = offset
        self.length = length
        self.value = value
        self.fault = fault
        self.reaction = reaction
    }

    init(_ dropped: LinkPacketDecoder.Dropped) {
        let rule: Rule =
            switch dropped.cause {
            case .garbage: .garbage
            case .headerChecksum: .headerChecksum
            case .headerLength: .headerLength
            case .payloadChecksum: .payloadChecksum
            }
        self.init(
            rule, offset: dropped.offset, length: dropped.length,
            fault: dropped.cause == .headerLength ? .peer : .transport, reaction: .drop)
    }

    /// What happened, for people.
    public var reason: String {
        let what =
            switch rule {
            case .garbage: "\(length) bytes belong to no packet"
            case .headerChecksum: "the header checksum is wrong"
            case .headerLength: "no packet has the length that the header tells"
            case .payloadChecksum: "the payload checksum is wrong"
            case .packetTooLong: "a packet of \(number) bytes is longer than this side takes"
            case .unexpectedPacket: "a packet with control byte \(number) has no meaning now"
            case .unknownControlBits: "the control byte \(number) has bits of no known meaning"
            case .sleep: "the sleep bit is known by name only"
            case .staleAcknowledgement: "packet \(number) is acknowledged and is not in flight"
            case .missingNotInFlight: "packet \(number) is named as missing and is not in flight"
            case .outsideWindow: "packet \(number) is outside the window"
            case .duplicate: "packet \(number) came twice on a link without acknowledgements"
            case .gap: "\(number) packets are missing on a link without acknowledgements"
            case .receiveBufferFull: "packet \(number) came out of order and there is no room to hold it"
            case .unknownChannel: "the channel \(number) was not negotiated"
            case .payloadWithoutAcknowledgement: "a payload came without the acknowledgement bit"
            }
        return "\(what), at byte \(offset) of the stream"
    }

    private var number: String { value.map { String($0) } ?? "?" }
}

/// Where in the received stream a packet stands.
struct LinkPlace {
    /// Its first byte.
    var offset: UInt64
    /// Its bytes.
    var length: Int
}
