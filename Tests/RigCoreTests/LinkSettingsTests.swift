import LinkProtocol
import RigConfiguration
import RigModel
import Testing

@testable import RigCore

/// What `[link]` means for the links of the rig.
@Suite struct LinkSettingsTests {
    private static func settings(_ link: String, _ more: String = "") throws -> CoreSettings {
        let file = ConfigurationFile(name: "rig.ini", text: "[link]\n\(link)\n\(more)\n")
        return CoreSettings(try Configuration.parse(settings: [file]), version: "test")
    }

    /// The words may name what the protocol takes, no more and no less.
    @Test func theRangesAreThoseOfTheProtocol() {
        func milliseconds(_ range: ClosedRange<UInt16>) -> ClosedRange<UInt64> {
            UInt64(range.lowerBound) * 1_000_000...UInt64(range.upperBound) * 1_000_000
        }
        func wide(_ range: ClosedRange<UInt8>) -> ClosedRange<Int> { Int(range.lowerBound)...Int(range.upperBound) }
        #expect(LinkSettings.versions == wide(LinkSynchronization.legalVersions))
        #expect(PhoneConditions.linkVersions == wide(LinkSynchronization.legalVersions))
        #expect(LinkSettings.windows == wide(LinkSynchronization.legalOutstandingPackets))
        let lengths = LinkSynchronization.legalPacketLength
        #expect(LinkSettings.packetLengths == Int(lengths.lowerBound)...Int(lengths.upperBound))
        #expect(LinkSettings.retransmissionTimeouts == milliseconds(LinkSynchronization.legalRetransmissionTimeout))
        #expect(LinkSettings.acknowledgementTimeouts == milliseconds(LinkSynchronization.legalAcknowledgementTimeout))
        #expect(LinkSettings.retransmissionCounts == wide(LinkSynchronization.legalRetransmissions))
        #expect(LinkSettings.cumulativeCounts == wide(LinkSynchronization.legalCumulativeAcknowledgements))
        #expect(LinkSettings.rounds == LinkParameters.legalNegotiationRounds)
        #expect(LinkSettings.backoffs == LinkParameters.legalRetransmissionBackoff)
        #expect(LinkSettings.queuePackets == LinkParameters.legalSendQueueLimit)
        #expect(LinkSettings.queueBytes == LinkParameters.legalSendQueueByteLimit)
        #expect(LinkSettings.queueBytes == LinkParameters.legalReceiveBufferByteLimit)
    }

    @Test func theDefaultsAreThoseThatWereCaptured() throws {
        let settings = CoreSettings(Configuration.shipped, version: "test")
        var unit = LinkSynchronization.accessoryDefault
        unit.acknowledgementTimeout = 500
        #expect(settings.link.synchronization == unit)
        #expect(settings.link.fallback == nil && settings.link.acceptance == .any)
        unit.maximumOutstandingPackets = 127
        unit.maximumPacketLength = 65_535
        #expect(settings.phoneLink == unit)
        // Nothing but what the rig's deadlines say differs from what the protocol has.
        var link = LinkParameters(synchronization: settings.link.synchronization)
        link.detectBudget = settings.link.detectBudget
        link.synchronizationBudget = settings.link.synchronizationBudget
        #expect(settings.link == link)
        #expect(CoreSettings().link.synchronization == settings.link.synchronization)
        #expect(CoreSettings().phoneLink == settings.phoneLink)
    }

    @Test func everythingThatIsConfiguredArrives() throws {
        let settings = try Self.settings(
            """
            version = 3
            phone-version = 2
            window = 4
            phone-window = 5
            packet-length = 1KiB
            phone-packet-length = 2000B
            channels = external-accessory, control
            first-channel = 10
            retransmission-timeout = 1035ms
            retransmissions = 3
            retransmission-backoff = 1.25
            count-named-retransmissions = no
            acknowledgement-timeout = 23ms
            cumulative-acknowledgements = 2
            extended-acknowledgement = off
            negotiation-rounds = 7
            restatement = answer
            begin-with-offer = yes
            detect-interval = 200ms
            synchronize-interval = 1s
            accept-retransmission-timeout = 1s..6s
            accept-acknowledgement-timeout = 30ms..3s
            accept-retransmissions = 30
            accept-cumulative-acknowledgements = 3..6
            accept-without-acknowledgements = no
            accept-channels = control, file-transfer
            send-queue-packets = 16
            send-queue-bytes = 128KiB
            receive-buffer-bytes = 256KiB
            """)
        var offer = LinkSynchronization(
            version: 3, maximumOutstandingPackets: 4, maximumPacketLength: 1_024, retransmissionTimeout: 1_035,
            acknowledgementTimeout: 23, maximumRetransmissions: 3, maximumCumulativeAcknowledgements: 2,
            channels: [
                LinkChannelDeclaration(id: 10, channel: .externalAccessory, version: 1),
                LinkChannelDeclaration(id: 11, channel: .control, version: 1),
            ])
        var wanted = LinkParameters(
            synchronization: offer,
            acceptance: LinkAcceptance(
                retransmissionTimeout: 1_000...6_000, acknowledgementTimeout: 30...3_000,
                maximumRetransmissions: 30...30, maximumCumulativeAcknowledgements: 3...6,
                withoutAcknowledgements: false, channels: [.control, .fileTransfer]),
            negotiationRounds: 7, restatement: .answer, beginsWithOffer: true, detectInterval: 200_000_000,
            synchronizationInterval: 1_000_000_000, extendedAcknowledgement: .off, countsNamedRetransmissions: false,
            retransmissionBackoff: 125, sendQueueLimit: 16, sendQueueByteLimit: 131_072,
            receiveBufferByteLimit: 262_144)
        wanted.synchronizationBudget = 5_000_000_000
        #expect(settings.link == wanted)
        offer.version = 2
        offer.maximumOutstandingPackets = 5
        offer.maximumPacketLength = 2_000
        #expect(settings.phoneLink == offer)
    }

    @Test func withoutAcknowledgementsOnlyTheFallbackHasTimings() throws {
        let link = try Self.settings("acknowledgements = no\nversion = 2\nwindow = 9").link
        #expect(link.synchronization.isWithoutAcknowledgements)
        #expect(link.synchronization.version == 2 && link.synchronization.maximumOutstandingPackets == 9)
        #expect(link.fallback?.retransmissionTimeout == 2_000 && link.fallback?.acknowledgementTimeout == 500)
        #expect(link.fallback?.version == 1 && link.fallback?.maximumOutstandingPackets == 9)
    }

    /// Each key at both ends of its range, and each word.
    static let extremes = [
        "version = 1", "version = 3", "phone-version = 1", "phone-version = 3", "window = 1", "window = 127",
        "phone-window = 1", "phone-window = 127", "packet-length = 24B", "packet-length = 65535B",
        "phone-packet-length = 24B", "phone-packet-length = 65535B", "channels = control",
        "channels = external-accessory, file-transfer, control", "first-channel = 1", "first-channel = 253",
        "retransmission-timeout = 20ms", "retransmission-timeout = 65535ms", "retransmissions = 1",
        "retransmissions = 30", "retransmission-backoff = 1", "retransmission-backoff = 4",
        "count-named-retransmissions = no", "acknowledgements = no",
        "acknowledgements = no\naccept-without-acknowledgements = no", "acknowledgement-timeout = 10ms",
        "acknowledgement-timeout = 65535ms", "cumulative-acknowledgements = 1", "cumulative-acknowledgements = 127",
        "extended-acknowledgement = with-acknowledge", "extended-acknowledgement = alone",
        "extended-acknowledgement = off", "negotiation-rounds = 1", "negotiation-rounds = 100",
        "restatement = answer\nversion = 3\nphone-version = 3", "begin-with-offer = yes", "detect-interval = 10ms",
        "detect-interval = 1min", "synchronize-interval = 10ms", "synchronize-interval = 1min",
        "accept-retransmission-timeout = 20ms", "accept-retransmission-timeout = 65535ms",
        "accept-acknowledgement-timeout = 10ms", "accept-acknowledgement-timeout = 65535ms",
        "accept-retransmissions = 1", "accept-cumulative-acknowledgements = 127", "accept-channels = control",
        "send-queue-bytes = 65535B", "send-queue-bytes = 64MiB", "receive-buffer-bytes = 65535B",
        "receive-buffer-bytes = 64MiB", "send-queue-packets = 4096",
    ]

    @Test(arguments: extremes, ["iphone", "head-unit"])
    func aSessionIsActiveWithEachLegalValue(_ link: String, _ profile: String) throws {
        let settings = try Self.settings(link)
        var bench = Bench { $0 = settings }
        bench.plug(profile, "x")
        // A window of one packet and acknowledgements that are held back as long as they may take their time.
        bench.pass(600 * Bench.second)
        #expect(bench.phase() == "active", "\(bench.events(.sessionClosed).map(\.reason))")
        #expect(bench.events(.sessionClosed).isEmpty)
        #expect(bench.events(.linkIrregularity).isEmpty)
    }

    @Test func whatIsTooSmallForAMessageEndsWithAName() throws {
        // A certificate of more packets than may wait.
        let settings = try Self.settings("send-queue-packets = 1\npacket-length = 24B\nphone-packet-length = 24B")
        var bench = Bench { $0 = settings }
        bench.plug("iphone", "x")
        #expect(bench.events(.sessionClosed).first?.reason?.code == "unsendable")
    }

    @Test func aReloadCountsFromTheNextLinkOn() throws {
        var bench = Bench()
        bench.plug("iphone", "a")
        #expect(bench.phase() == "active")
        bench.handle(
            .reconfigured(try Self.settings("send-queue-packets = 1\npacket-length = 24B\nphone-packet-length = 24B")))
        bench.pass(Bench.second)
        #expect(bench.phase() == "active", "a link keeps what it was made with")
        bench.plug("iphone", "b")
        #expect(bench.events(.sessionClosed).map(\.reason?.code) == ["unsendable"])
        bench.handle(.reconfigured(try Self.settings("")))
        bench.pass(10 * Bench.second)
        #expect(
            bench.device("b")?.value(at: "state")?.text == "active", "a handshake that is tried again is a new link")
    }

    @Test(arguments: [false, true], ["iphone", "head-unit"])
    func everyHandshakeSynchronizesWhateverItBeginsWith(isOffer: Bool, profile: String) {
        var bench = Bench { $0.link.beginsWithOffer = isOffer }
        bench.plug(profile, "other")
        let phases = bench.events.compactMap { event -> SessionPhase? in
            if case .session(let session) = event.payload { session.phase } else { nil }
        }
        var order: [SessionPhase] = []
        for phase in phases where phase != order.last { order.append(phase) }
        #expect(order == [.detecting, .synchronizing, .authenticating, .identifying, .starting, .active])
    }
}
