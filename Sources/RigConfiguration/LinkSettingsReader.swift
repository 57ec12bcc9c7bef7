extension LinkSettings {
    private typealias Parse<Value> = (String) throws(ConfigurationValueError) -> Value

    /// Takes what a `[link]` section says.
    mutating func read(_ reader: inout SectionReader) {
        reader.read("version", into: &version, Self.integer(Self.versions))
        reader.read("phone-version", into: &phoneVersion, Self.integer(Self.versions))
        reader.read("window", into: &window, Self.integer(Self.windows))
        reader.read("phone-window", into: &phoneWindow, Self.integer(Self.windows))
        reader.read("packet-length", into: &packetLength, Self.byteCount(Self.packetLengths))
        reader.read("phone-packet-length", into: &phonePacketLength, Self.byteCount(Self.packetLengths))
        reader.read("channels", into: &channels) { (text) throws(ConfigurationValueError) in
            guard let channels = try Self.channels(text) else {
                throw ConfigurationValueError("at least the channel \"control\" must be there")
            }
            return channels
        }
        reader.read("first-channel", into: &firstChannel, Self.integer(Self.firstChannels))
        readAcknowledgements(&reader)
        readNegotiation(&reader)
        readAcceptance(&reader)
        reader.read("send-queue-packets", into: &sendQueuePackets, Self.integer(Self.queuePackets))
        reader.read("send-queue-bytes", into: &sendQueueBytes, Self.byteCount(Self.queueBytes))
        reader.read("receive-buffer-bytes", into: &receiveBufferBytes, Self.byteCount(Self.queueBytes))
    }

    private mutating func readAcknowledgements(_ reader: inout SectionReader) {
        reader.read(
            "retransmission-timeout", into: &retransmissionTimeout, Self.milliseconds(Self.retransmissionTimeouts))
        reader.read("retransmissions", into: &retransmissions, Self.integer(Self.retransmissionCounts))
        reader.read("retransmission-backoff", into: &retransmissionBackoff) { (text) throws(ConfigurationValueError) in
            try ConfigurationValue.hundredths(text, in: Self.backoffs)
        }
        reader.read("count-named-retransmissions", into: &countsNamedRetransmissions, ConfigurationValue.bool)
        reader.read("acknowledgements", into: &usesAcknowledgements, ConfigurationValue.bool)
        reader.read(
            "acknowledgement-timeout", into: &acknowledgementTimeout, Self.milliseconds(Self.acknowledgementTimeouts))
        reader.read(
            "cumulative-acknowledgements", into: &cumulativeAcknowledgements, Self.integer(Self.cumulativeCounts))
        reader.read("extended-acknowledgement", into: &extendedAcknowledgement) {
            (text) throws(ConfigurationValueError) in
            try ConfigurationValue.choice(text, of: ExtendedAcknowledgementForm.self)
        }
    }

    private mutating func readNegotiation(_ reader: inout SectionReader) {
        reader.read("negotiation-rounds", into: &negotiationRounds, Self.integer(Self.rounds))
        reader.read("restatement", into: &restatement) { (text) throws(ConfigurationValueError) in
            try ConfigurationValue.choice(text, of: LinkRestatement.self)
        }
        reader.read("begin-with-offer", into: &beginsWithOffer, ConfigurationValue.bool)
        let interval: Parse<UInt64> = { (text) throws(ConfigurationValueError) in
            try ConfigurationValue.duration(text, in: Self.intervals)
        }
        reader.read("detect-interval", into: &detectInterval, interval)
        reader.read("synchronize-interval", into: &synchronizeInterval, interval)
    }

    private mutating func readAcceptance(_ reader: inout SectionReader) {
        reader.read(
            "accept-retransmission-timeout", into: &acceptance.retransmissionTimeout,
            Self.range(Self.milliseconds(Self.retransmissionTimeouts)))
        reader.read(
            "accept-acknowledgement-timeout", into: &acceptance.acknowledgementTimeout,
            Self.range(Self.milliseconds(Self.acknowledgementTimeouts)))
        reader.read(
            "accept-retransmissions", into: &acceptance.retransmissions,
            Self.range(Self.integer(Self.retransmissionCounts)))
        reader.read(
            "accept-cumulative-acknowledgements", into: &acceptance.cumulativeAcknowledgements,
            Self.range(Self.integer(Self.cumulativeCounts)))
        reader.read(
            "accept-without-acknowledgements", into: &acceptance.withoutAcknowledgements, ConfigurationValue.bool)
        reader.read("accept-channels", into: &acceptance.channels, Self.channels)
    }

    // MARK: Values

    private static func integer(_ range: ClosedRange<Int>) -> Parse<Int> {
        { (text) throws(ConfigurationValueError) in try ConfigurationValue.integer(text, in: range) }
    }

    private static func byteCount(_ range: ClosedRange<Int>) -> Parse<Int> {
        { (text) throws(ConfigurationValueError) in try ConfigurationValue.byteCount(text, in: range) }
    }

    /// A duration that travels as a number of milliseconds.
    private static func milliseconds(_ range: ClosedRange<UInt64>) -> Parse<UInt64> {
        { (text) throws(ConfigurationValueError) in
            let value = try ConfigurationValue.duration(text, in: range)
            guard value.isMultiple(of: 1_000_000) else {
                throw ConfigurationValueError("\(ConfigurationValue.quoted(text)) is not whole milliseconds")
            }
            return value
        }
    }

    /// `LOW..HIGH`, or one value for both.
    private static func range<Bound: Comparable>(_ bound: @escaping Parse<Bound>) -> Parse<ClosedRange<Bound>> {
        { (text) throws(ConfigurationValueError) in
            let parts = try ConfigurationValue.bounds(text)
            let low = try bound(parts.low)
            let high = try bound(parts.high)
            guard low <= high else {
                throw ConfigurationValueError("\(ConfigurationValue.quoted(text)) ends before it begins")
            }
            return low...high
        }
    }

    /// Channels between commas, the control channel among them; `nil` for none.
    private static func channels(_ text: String) throws(ConfigurationValueError) -> [LinkChannelKind]? {
        var channels: [LinkChannelKind] = []
        for part in try ConfigurationValue.list(text) {
            let channel = try ConfigurationValue.choice(part, of: LinkChannelKind.self)
            guard !channels.contains(channel) else { throw ConfigurationValueError("\"\(part)\" comes twice") }
            channels.append(channel)
        }
        guard !channels.isEmpty else { return nil }
        guard channels.contains(.control) else {
            throw ConfigurationValueError("no link is without the channel \"control\"")
        }
        return channels
    }
}

extension ConfigurationValue {
    /// The two ends of `LOW..HIGH` as they are written; one value stands for both.
    static func bounds(_ text: String) throws(ConfigurationValueError) -> (low: String, high: String) {
        var rest = text[...]
        var low = ""
        while let first = rest.first {
            if rest.hasPrefix("..") {
                let high = String(trimmed(rest.dropFirst(2)))
                let left = String(trimmed(low[...]))
                guard !left.isEmpty, !high.isEmpty else {
                    throw ConfigurationValueError("\(quoted(text)) is not LOW..HIGH as in 1..30")
                }
                return (left, high)
            }
            low.append(first)
            rest = rest.dropFirst()
        }
        return (text, text)
    }
}
