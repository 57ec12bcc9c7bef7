/// A value of a synchronisation payload that is outside its legal range.
public struct LinkParameterError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fields of a synchronisation payload and of `LinkParameters`, as messages name them. `layout` stands for a
    /// payload whose bytes do not add up.
    public enum Field: String, Hashable, Sendable, CaseIterable {
        case layout
        case version
        case maximumOutstandingPackets
        case maximumPacketLength
        case retransmissionTimeout
        case acknowledgementTimeout
        case maximumRetransmissions
        case maximumCumulativeAcknowledgements
        case channels
        case detectInterval
        case detectBudget
        case synchronizationInterval
        case synchronizationBudget
        case fallback
        case negotiationRounds
        case acceptedRetransmissionTimeout
        case acceptedAcknowledgementTimeout
        case acceptedRetransmissions
        case acceptedCumulativeAcknowledgements
        case acceptedChannels
        case retransmissionBackoff
        case sendQueueLimit
        case sendQueueByteLimit
        case receiveBufferByteLimit
    }

    /// The field that was refused.
    public var field: Field
    /// Why, in plain words, with the value and what would be legal.
    public var reason: String

    /// Makes an error about `field`.
    public init(_ field: Field, _ reason: String) {
        self.field = field
        self.reason = reason
    }

    /// One line for people.
    public var description: String { "\(field.rawValue): \(reason)" }
}

extension LinkParameters {
    /// Throws the first value that no link can be run with. Call it on values that come from outside.
    public func validate() throws(LinkParameterError) {
        try synchronization.validate()
        guard detectInterval > 0 else { throw LinkParameterError(.detectInterval, "0, must be more") }
        guard detectBudget > 0 else { throw LinkParameterError(.detectBudget, "0, must be more") }
        guard synchronizationInterval > 0 else {
            throw LinkParameterError(.synchronizationInterval, "0, must be more")
        }
        guard synchronizationBudget > 0 else { throw LinkParameterError(.synchronizationBudget, "0, must be more") }
        try validateNegotiation()
        try legal(.retransmissionBackoff, retransmissionBackoff, Self.legalRetransmissionBackoff)
        try legal(.sendQueueLimit, sendQueueLimit, Self.legalSendQueueLimit)
        try legal(.sendQueueByteLimit, sendQueueByteLimit, Self.legalSendQueueByteLimit)
        try legal(.receiveBufferByteLimit, receiveBufferByteLimit, Self.legalReceiveBufferByteLimit)
    }

    private func validateNegotiation() throws(LinkParameterError) {
        if let fallback {
            guard !fallback.isWithoutAcknowledgements else {
                throw LinkParameterError(.fallback, "is without acknowledgements itself")
            }
            do throws(LinkParameterError) {
                try fallback.validate()
            } catch {
                throw LinkParameterError(.fallback, "\(error)")
            }
        }
        try legal(.negotiationRounds, negotiationRounds, Self.legalNegotiationRounds)
        try within(
            .acceptedRetransmissionTimeout, acceptance.retransmissionTimeout,
            LinkSynchronization.legalRetransmissionTimeout)
        try within(
            .acceptedAcknowledgementTimeout, acceptance.acknowledgementTimeout,
            LinkSynchronization.legalAcknowledgementTimeout)
        try within(
            .acceptedRetransmissions, acceptance.maximumRetransmissions, LinkSynchronization.legalRetransmissions)
        try within(
            .acceptedCumulativeAcknowledgements, acceptance.maximumCumulativeAcknowledgements,
            LinkSynchronization.legalCumulativeAcknowledgements)
        guard acceptance.channels?.contains(.control) ?? true else {
            throw LinkParameterError(.acceptedChannels, "the control channel is not among them")
        }
    }

    /// Legal numbers of rounds: ours, so that a negotiation ends. 10: CAT.
    public static let legalNegotiationRounds = 1...100
    /// Legal growth of the retransmission timeout, in percent: ours.
    public static let legalRetransmissionBackoff = 100...400
    /// Legal receive buffers in bytes: ours, at least the longest packet.
    public static let legalReceiveBufferByteLimit = 65_535...(64 << 20)

    /// Legal send queue limits in packets: ours, so that the memory of one link stays bounded.
    public static let legalSendQueueLimit = 1...4096
    /// Legal send queue limits in bytes: ours, at least the longest packet.
    public static let legalSendQueueByteLimit = 65_535...(64 << 20)
}

extension LinkSynchronization {
    /// The version whose layout is known, and that a link comes down to. [C]
    public static let supportedVersion: UInt8 = 1
    /// Versions that may be offered: a phone was seen to speak 3 and to step down to 1 [C] (OCBM).
    public static let legalVersions: ClosedRange<UInt8> = 1...3
    /// Legal packets outstanding. [1] OCBM; 4...127 seen [C].
    public static let legalOutstandingPackets: ClosedRange<UInt8> = 1...127
    /// Legal packet lengths in bytes: more than 23. [1] OCBM; 4096 and 65535 seen [C].
    public static let legalPacketLength: ClosedRange<UInt16> = 24...65_535
    /// Legal retransmission timeouts in ms. [1] OCBM; 1035...6000 seen [C].
    public static let legalRetransmissionTimeout: ClosedRange<UInt16> = 20...65_535
    /// Legal acknowledgement timeouts in ms. [1] OCBM; 23...3000 seen [C].
    public static let legalAcknowledgementTimeout: ClosedRange<UInt16> = 10...65_535
    /// Legal retransmission limits. [1] OCBM; 3...30 seen [C].
    public static let legalRetransmissions: ClosedRange<UInt8> = 1...30
    /// Legal cumulative acknowledgement counts: ours [D], at least 1 and no more than any window; 3 and 6 seen [C].
    public static let legalCumulativeAcknowledgements: ClosedRange<UInt8> = 1...127
    /// The most channels taken: ours, three types are known and one to three were seen [C].
    public static let maximumChannels = 16

    /// Throws the first field, in the order of the payload, that is outside its legal range. All four acknowledgement
    /// values 0 are the variant without acknowledgements, in which 0 packets outstanding are legal too [1] (OCBM).
    public func validate() throws(LinkParameterError) {
        try legal(.version, version, Self.legalVersions)
        if !isWithoutAcknowledgements || maximumOutstandingPackets != 0 {
            try legal(.maximumOutstandingPackets, maximumOutstandingPackets, Self.legalOutstandingPackets)
        }
        try legal(.maximumPacketLength, maximumPacketLength, Self.legalPacketLength)
        if !isWithoutAcknowledgements {
            try legal(.retransmissionTimeout, retransmissionTimeout, Self.legalRetransmissionTimeout)
            try legal(.acknowledgementTimeout, acknowledgementTimeout, Self.legalAcknowledgementTimeout)
            try legal(.maximumRetransmissions, maximumRetransmissions, Self.legalRetransmissions)
            try legal(
                .maximumCumulativeAcknowledgements, maximumCumulativeAcknowledgements,
                Self.legalCumulativeAcknowledgements)
        }
        try validateChannels()
    }

    func validateChannels() throws(LinkParameterError) {
        guard channels.count <= Self.maximumChannels else {
            throw LinkParameterError(.channels, "\(channels.count) listed, at most \(Self.maximumChannels) are taken")
        }
        for (index, channel) in channels.enumerated() {
            guard channel.id != 0 else {
                throw LinkParameterError(.channels, "number \(index + 1) has id 0, which stands for no channel")
            }
            guard !channels[..<index].contains(where: { $0.id == channel.id }) else {
                throw LinkParameterError(.channels, "id \(channel.id) is listed twice")
            }
        }
        guard id(of: .control) != nil else {
            throw LinkParameterError(.channels, "no control channel (type 0) is listed")
        }
    }
}

/// Throws unless `value` is in the legal range.
private func legal<Value: FixedWidthInteger>(
    _ field: LinkParameterError.Field, _ value: Value, _ legal: ClosedRange<Value>
) throws(LinkParameterError) {
    guard legal.contains(value) else {
        throw LinkParameterError(field, "\(value) is outside \(legal.lowerBound)...\(legal.upperBound)")
    }
}

/// Throws unless all of `range` is in the legal range.
private func within<Value: FixedWidthInteger>(
    _ field: LinkParameterError.Field, _ range: ClosedRange<Value>, _ legal: ClosedRange<Value>
) throws(LinkParameterError) {
    guard legal.contains(range.lowerBound), legal.contains(range.upperBound) else {
        throw LinkParameterError(
            field,
            "\(range.lowerBound)...\(range.upperBound) is not within \(legal.lowerBound)...\(legal.upperBound)")
    }
}
