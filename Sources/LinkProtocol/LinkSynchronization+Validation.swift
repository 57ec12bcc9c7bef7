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
        case sendQueueLimit
        case sendQueueByteLimit
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
        try Self.check(.sendQueueLimit, sendQueueLimit, Self.legalSendQueueLimit)
        try Self.check(.sendQueueByteLimit, sendQueueByteLimit, Self.legalSendQueueByteLimit)
    }

    private static func check(
        _ field: LinkParameterError.Field, _ value: Int, _ legal: ClosedRange<Int>
    ) throws(LinkParameterError) {
        guard legal.contains(value) else {
            throw LinkParameterError(field, "\(value) is outside \(legal.lowerBound)...\(legal.upperBound)")
        }
    }

    /// Legal send queue limits in packets: ours, so that the memory of one link stays bounded.
    public static let legalSendQueueLimit = 1...4096
    /// Legal send queue limits in bytes: ours, at least the longest packet.
    public static let legalSendQueueByteLimit = 65_535...(64 << 20)
}

extension LinkSynchronization {
    /// The version this side speaks. [C]
    public static let supportedVersion: UInt8 = 1
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

    /// Throws the first field, in the order of the payload, that is outside its legal range.
    ///
    /// The variant without acknowledgements is legal on the wire but not offered by this implementation; it is refused
    /// under the name of its first field.
    public func validate() throws(LinkParameterError) {
        guard version == Self.supportedVersion else {
            throw LinkParameterError(.version, "\(version), only \(Self.supportedVersion) is spoken")
        }
        try Self.check(.maximumOutstandingPackets, maximumOutstandingPackets, Self.legalOutstandingPackets)
        try Self.check(.maximumPacketLength, maximumPacketLength, Self.legalPacketLength)
        guard !isWithoutAcknowledgements else {
            throw LinkParameterError(
                .retransmissionTimeout, "0 with all other acknowledgement values 0 asks for no acknowledgements at all")
        }
        try Self.check(.retransmissionTimeout, retransmissionTimeout, Self.legalRetransmissionTimeout)
        try Self.check(.acknowledgementTimeout, acknowledgementTimeout, Self.legalAcknowledgementTimeout)
        try Self.check(.maximumRetransmissions, maximumRetransmissions, Self.legalRetransmissions)
        try Self.check(
            .maximumCumulativeAcknowledgements, maximumCumulativeAcknowledgements,
            Self.legalCumulativeAcknowledgements)
        try validateChannels()
    }

    private func validateChannels() throws(LinkParameterError) {
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

    private static func check<Value: FixedWidthInteger>(
        _ field: LinkParameterError.Field, _ value: Value, _ legal: ClosedRange<Value>
    ) throws(LinkParameterError) {
        guard legal.contains(value) else {
            throw LinkParameterError(field, "\(value) is outside \(legal.lowerBound)...\(legal.upperBound)")
        }
    }
}
