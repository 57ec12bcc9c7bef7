import LinkProtocol
import RigConfiguration

extension LinkParameters {
    /// What a configuration says about a link, with what the head unit offers. The configuration's ranges are the legal
    /// ones, so that a link can be run with whatever it says.
    init(_ settings: LinkSettings) {
        self.init(
            acceptance: LinkAcceptance(settings.acceptance), negotiationRounds: settings.negotiationRounds,
            restatement: Restatement(settings.restatement), beginsWithOffer: settings.beginsWithOffer,
            detectInterval: settings.detectInterval, synchronizationInterval: settings.synchronizeInterval,
            extendedAcknowledgement: ExtendedAcknowledgement(settings.extendedAcknowledgement),
            countsNamedRetransmissions: settings.countsNamedRetransmissions,
            retransmissionBackoff: settings.retransmissionBackoff, sendQueueLimit: settings.sendQueuePackets,
            sendQueueByteLimit: settings.sendQueueBytes, receiveBufferByteLimit: settings.receiveBufferBytes)
        synchronization = LinkSynchronization(unit: settings)
        guard !settings.usesAcknowledgements else { return }
        // What is offered to a phone that takes no link without acknowledgements: at once in the version that stays.
        var fallback = synchronization
        fallback.version = LinkSynchronization.supportedVersion
        self.fallback = fallback
        synchronization.retransmissionTimeout = 0
        synchronization.acknowledgementTimeout = 0
        synchronization.maximumRetransmissions = 0
        synchronization.maximumCumulativeAcknowledgements = 0
    }
}

extension LinkSynchronization {
    /// What the rig's head unit offers when nobody says: as captured from an accessory, but acknowledging within 500 ms
    /// (WIO and the keyboard of CLK do so). With the captured 2 s, acknowledgement and retransmission would fall due
    /// together.
    static let rigAccessory = LinkSynchronization(unit: LinkSettings())

    /// What the rig's phone takes when nobody says: as captured from a phone, with the head unit's timings.
    static let rigDevice = LinkSynchronization(phone: LinkSettings())

    /// What the head unit offers on a link with acknowledgements.
    init(unit settings: LinkSettings) {
        self.init(
            version: UInt8(clamping: settings.version), maximumOutstandingPackets: UInt8(clamping: settings.window),
            maximumPacketLength: UInt16(clamping: settings.packetLength),
            retransmissionTimeout: UInt16(milliseconds: settings.retransmissionTimeout),
            acknowledgementTimeout: UInt16(milliseconds: settings.acknowledgementTimeout),
            maximumRetransmissions: UInt8(clamping: settings.retransmissions),
            maximumCumulativeAcknowledgements: UInt8(clamping: settings.cumulativeAcknowledgements),
            channels: settings.channels.enumerated().map { place, channel in
                LinkChannelDeclaration(
                    id: UInt8(clamping: settings.firstChannel + place), channel: LinkChannel(channel), version: 1)
            })
    }

    /// What a phone takes; the timings are for proposals that it has to make itself.
    init(phone settings: LinkSettings) {
        self.init(unit: settings)
        version = UInt8(clamping: settings.phoneVersion)
        maximumOutstandingPackets = UInt8(clamping: settings.phoneWindow)
        maximumPacketLength = UInt16(clamping: settings.phonePacketLength)
    }
}

extension LinkAcceptance {
    fileprivate init(_ settings: LinkSettings.Acceptance) {
        func milliseconds(_ range: ClosedRange<UInt64>) -> ClosedRange<UInt16> {
            UInt16(milliseconds: range.lowerBound)...UInt16(milliseconds: range.upperBound)
        }
        func counts(_ range: ClosedRange<Int>) -> ClosedRange<UInt8> {
            UInt8(clamping: range.lowerBound)...UInt8(clamping: range.upperBound)
        }
        self.init(
            retransmissionTimeout: milliseconds(settings.retransmissionTimeout),
            acknowledgementTimeout: milliseconds(settings.acknowledgementTimeout),
            maximumRetransmissions: counts(settings.retransmissions),
            maximumCumulativeAcknowledgements: counts(settings.cumulativeAcknowledgements),
            withoutAcknowledgements: settings.withoutAcknowledgements,
            channels: settings.channels.map { $0.map(LinkChannel.init) })
    }
}

extension LinkParameters.ExtendedAcknowledgement {
    fileprivate init(_ form: ExtendedAcknowledgementForm) {
        switch form {
        case .withAcknowledge: self = .withAcknowledge
        case .alone: self = .alone
        case .off: self = .off
        }
    }
}

extension LinkParameters.Restatement {
    fileprivate init(_ restatement: LinkRestatement) {
        switch restatement {
        case .offer: self = .offer
        case .answer: self = .answer
        }
    }
}

extension LinkChannel {
    fileprivate init(_ kind: LinkChannelKind) {
        switch kind {
        case .control: self = .control
        case .fileTransfer: self = .fileTransfer
        case .externalAccessory: self = .externalAccessory
        }
    }
}

extension UInt16 {
    /// Nanoseconds as the milliseconds that a proposal carries.
    fileprivate init(milliseconds nanoseconds: UInt64) { self.init(clamping: nanoseconds / 1_000_000) }
}
