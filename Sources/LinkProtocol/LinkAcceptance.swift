/// Which proposals of a peer a side takes as they are. What lies outside is countered with the nearest value inside.
public struct LinkAcceptance: Equatable, Sendable {
    /// Milliseconds after which a packet is sent again.
    public var retransmissionTimeout: ClosedRange<UInt16>
    /// Milliseconds for which an acknowledgement is held back.
    public var acknowledgementTimeout: ClosedRange<UInt16>
    /// How many times a packet is sent again.
    public var maximumRetransmissions: ClosedRange<UInt8>
    /// Packets after which an acknowledgement is sent.
    public var maximumCumulativeAcknowledgements: ClosedRange<UInt8>
    /// Whether a link without acknowledgements is taken when the peer proposes it. An accessory takes only what it
    /// offered itself.
    public var withoutAcknowledgements: Bool
    /// The channels taken; the control channel must be one of them. `nil` takes all, of unknown types too.
    public var channels: [LinkChannel]?

    /// Makes an acceptance; by default of everything that is legal, as real phones were seen to do [C].
    public init(
        retransmissionTimeout: ClosedRange<UInt16> = LinkSynchronization.legalRetransmissionTimeout,
        acknowledgementTimeout: ClosedRange<UInt16> = LinkSynchronization.legalAcknowledgementTimeout,
        maximumRetransmissions: ClosedRange<UInt8> = LinkSynchronization.legalRetransmissions,
        maximumCumulativeAcknowledgements: ClosedRange<UInt8> = LinkSynchronization.legalCumulativeAcknowledgements,
        withoutAcknowledgements: Bool = true, channels: [LinkChannel]? = nil
    ) {
        self.retransmissionTimeout = retransmissionTimeout
        self.acknowledgementTimeout = acknowledgementTimeout
        self.maximumRetransmissions = maximumRetransmissions
        self.maximumCumulativeAcknowledgements = maximumCumulativeAcknowledgements
        self.withoutAcknowledgements = withoutAcknowledgements
        self.channels = channels
    }

    /// Everything that is legal.
    public static let any = LinkAcceptance()

    /// The timings of `synchronization` and nothing else; all channels.
    public static func only(_ synchronization: LinkSynchronization) -> LinkAcceptance {
        guard !synchronization.isWithoutAcknowledgements else { return LinkAcceptance() }
        return LinkAcceptance(
            retransmissionTimeout: synchronization.retransmissionTimeout...synchronization.retransmissionTimeout,
            acknowledgementTimeout: synchronization.acknowledgementTimeout...synchronization.acknowledgementTimeout,
            maximumRetransmissions: synchronization.maximumRetransmissions...synchronization.maximumRetransmissions,
            maximumCumulativeAcknowledgements: synchronization
                .maximumCumulativeAcknowledgements...synchronization
                .maximumCumulativeAcknowledgements,
            withoutAcknowledgements: false)
    }
}

/// A peer's proposal as this side sees it.
struct LinkReview {
    /// The proposal with everything brought into what this side takes.
    private(set) var adapted: LinkSynchronization
    /// The first thing that had to be changed; nil when the proposal is taken as it is.
    private(set) var objection: LinkParameterError?

    /// - Parameters:
    ///   - own: What this side would propose on a link with acknowledgements.
    ///   - offered: Accessory: what it offered last, of which the device may leave out channels.
    ///   - newestVersion: The newest version that this side takes.
    init(
        _ proposal: LinkSynchronization, acceptance: LinkAcceptance, own: LinkSynchronization,
        offered: LinkSynchronization?, newestVersion: UInt8
    ) {
        adapted = proposal
        reviewVersion(newestVersion)
        let takesNone = offered?.isWithoutAcknowledgements ?? acceptance.withoutAcknowledgements
        if proposal.isWithoutAcknowledgements, takesNone {
            clamp(.maximumPacketLength, \.maximumPacketLength, LinkSynchronization.legalPacketLength)
        } else {
            reviewTimings(acceptance, own: own)
        }
        reviewChannels(acceptance, own: own, offered: offered)
    }

    private mutating func object(_ field: LinkParameterError.Field, _ reason: String) {
        if objection == nil { objection = LinkParameterError(field, reason) }
    }

    private mutating func clamp<Value: FixedWidthInteger>(
        _ field: LinkParameterError.Field, _ path: WritableKeyPath<LinkSynchronization, Value>,
        _ range: ClosedRange<Value>
    ) {
        let value = adapted[keyPath: path]
        guard !range.contains(value) else { return }
        object(field, "\(value) is outside \(range.lowerBound)...\(range.upperBound)")
        adapted[keyPath: path] = min(max(value, range.lowerBound), range.upperBound)
    }

    private mutating func reviewVersion(_ newest: UInt8) {
        let oldest = LinkSynchronization.supportedVersion
        guard newest > oldest else {
            guard adapted.version != oldest else { return }
            object(.version, "\(adapted.version), only \(oldest) is spoken")
            adapted.version = oldest
            return
        }
        clamp(.version, \.version, oldest...newest)
    }

    private mutating func reviewTimings(_ acceptance: LinkAcceptance, own: LinkSynchronization) {
        clamp(.maximumOutstandingPackets, \.maximumOutstandingPackets, LinkSynchronization.legalOutstandingPackets)
        clamp(.maximumPacketLength, \.maximumPacketLength, LinkSynchronization.legalPacketLength)
        if adapted.isWithoutAcknowledgements {
            object(.retransmissionTimeout, "0 with all other acknowledgement values 0 is not taken")
            adapted.retransmissionTimeout = own.retransmissionTimeout
            adapted.acknowledgementTimeout = own.acknowledgementTimeout
            adapted.maximumRetransmissions = own.maximumRetransmissions
            adapted.maximumCumulativeAcknowledgements = own.maximumCumulativeAcknowledgements
        }
        clamp(.retransmissionTimeout, \.retransmissionTimeout, acceptance.retransmissionTimeout)
        clamp(.acknowledgementTimeout, \.acknowledgementTimeout, acceptance.acknowledgementTimeout)
        clamp(.maximumRetransmissions, \.maximumRetransmissions, acceptance.maximumRetransmissions)
        clamp(
            .maximumCumulativeAcknowledgements, \.maximumCumulativeAcknowledgements,
            acceptance.maximumCumulativeAcknowledgements)
    }

    private mutating func reviewChannels(
        _ acceptance: LinkAcceptance, own: LinkSynchronization, offered: LinkSynchronization?
    ) {
        do throws(LinkParameterError) {
            try adapted.validateChannels()
        } catch {
            object(error.field, error.reason)
            if let offered { adapted.channels = offered.channels }
        }
        if let offered {
            guard
                let other = adapted.channels.first(where: { channel in
                    !offered.channels.contains { $0.includes(channel) }
                })
            else { return }
            object(.channels, "the answer lists id \(other.id), which was not offered like that")
            adapted.channels = offered.channels
            return
        }
        var taken: [LinkChannelDeclaration] = []
        for channel in adapted.channels where channel.id != 0 && !taken.contains(where: { $0.id == channel.id }) {
            if let channels = acceptance.channels, !channels.contains(where: { $0 == channel.channel }) {
                object(.channels, "id \(channel.id) of type \(channel.type) is not taken")
            } else {
                taken.append(channel)
            }
        }
        // What is left without a control channel is no link: this side's own list is proposed then.
        adapted.channels = taken.contains { $0.channel == .control } ? taken : own.channels
    }
}

extension LinkChannelDeclaration {
    /// Whether `answer` is this channel, of this version or an older one.
    func includes(_ answer: LinkChannelDeclaration) -> Bool {
        id == answer.id && type == answer.type && answer.version <= version
    }
}
