import RigConfiguration
import Testing

@Suite struct LinkSettingsTests {
    private func read(_ text: String) throws -> LinkSettings {
        try RigSettings.parse([ConfigurationFile(name: "rig.ini", text: "[link]\n\(text)\n")]).link
    }

    @Test func readsEveryKey() throws {
        let link = try read(
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
            acknowledgements = no
            acknowledgement-timeout = 23ms
            cumulative-acknowledgements = 2
            extended-acknowledgement = alone
            negotiation-rounds = 7
            restatement = answer
            begin-with-offer = yes
            detect-interval = 200ms
            synchronize-interval = 1s
            accept-retransmission-timeout = 1s..6s
            accept-acknowledgement-timeout = 30ms .. 3s
            accept-retransmissions = 30
            accept-cumulative-acknowledgements = 3..6
            accept-without-acknowledgements = no
            accept-channels = control
            send-queue-packets = 16
            send-queue-bytes = 128KiB
            receive-buffer-bytes = 256KiB
            """)
        #expect([link.version, link.phoneVersion, link.window, link.phoneWindow] == [3, 2, 4, 5])
        #expect([link.packetLength, link.phonePacketLength, link.firstChannel] == [1_024, 2_000, 10])
        #expect(link.channels == [.externalAccessory, .control])
        #expect([link.retransmissionTimeout, link.acknowledgementTimeout] == [1_035_000_000, 23_000_000])
        #expect([link.retransmissions, link.retransmissionBackoff, link.cumulativeAcknowledgements] == [3, 125, 2])
        #expect(!link.countsNamedRetransmissions && !link.usesAcknowledgements && link.beginsWithOffer)
        #expect(link.extendedAcknowledgement == .alone && link.restatement == .answer)
        #expect(link.negotiationRounds == 7)
        #expect([link.detectInterval, link.synchronizeInterval] == [200_000_000, 1_000_000_000])
        #expect(link.acceptance.retransmissionTimeout == 1_000_000_000...6_000_000_000)
        #expect(link.acceptance.acknowledgementTimeout == 30_000_000...3_000_000_000)
        #expect(link.acceptance.retransmissions == 30...30 && link.acceptance.cumulativeAcknowledgements == 3...6)
        #expect(!link.acceptance.withoutAcknowledgements && link.acceptance.channels == [.control])
        #expect([link.sendQueuePackets, link.sendQueueBytes, link.receiveBufferBytes] == [16, 131_072, 262_144])
    }

    @Test func whatIsLeftOutIsTheDefault() throws {
        #expect(try read("") == LinkSettings())
        #expect(try read("accept-channels =").acceptance.channels == nil)
    }

    /// Keys with the ends of their ranges, and what lies just outside.
    static let bounds: [(key: String, low: String, high: String, below: String, above: String)] = [
        ("version", "1", "3", "0", "4"), ("phone-version", "1", "3", "0", "4"),
        ("window", "1", "127", "0", "128"), ("phone-window", "1", "127", "0", "128"),
        ("packet-length", "24B", "65535B", "23B", "64KiB"), ("phone-packet-length", "24B", "65535B", "23B", "64KiB"),
        ("first-channel", "1", "253", "0", "254"),
        ("retransmission-timeout", "20ms", "65535ms", "19ms", "65536ms"), ("retransmissions", "1", "30", "0", "31"),
        ("retransmission-backoff", "1", "4", "0.99", "4.01"),
        ("acknowledgement-timeout", "10ms", "65535ms", "9ms", "65536ms"),
        ("cumulative-acknowledgements", "1", "127", "0", "128"), ("negotiation-rounds", "1", "100", "0", "101"),
        ("detect-interval", "10ms", "1min", "9ms", "61s"), ("synchronize-interval", "10ms", "1min", "9ms", "61s"),
        ("send-queue-packets", "1", "4096", "0", "4097"),
        ("send-queue-bytes", "65535B", "64MiB", "65534B", "67108865B"),
        ("receive-buffer-bytes", "65535B", "64MiB", "65534B", "67108865B"),
        ("accept-retransmission-timeout", "20ms", "65535ms", "19ms", "65536ms"),
        ("accept-acknowledgement-timeout", "10ms", "65535ms", "9ms", "65536ms"),
        ("accept-retransmissions", "1", "30", "0", "31"),
        ("accept-cumulative-acknowledgements", "1", "127", "0", "128"),
    ]

    @Test(arguments: bounds.indices) func everyRangeEndsWhereItIsLegal(_ index: Int) throws {
        let (key, low, high, below, above) = Self.bounds[index]
        _ = try read("\(key) = \(low)")
        _ = try read("\(key) = \(high)")
        let isRange = key.hasPrefix("accept-")
        if isRange { _ = try read("\(key) = \(low)..\(high)") }
        for wrong in [below, above] + (isRange ? ["\(below)..\(high)", "\(low)..\(above)"] : []) {
            let found = problems { _ = try read("\(key) = \(wrong)") }
            let start = "rig.ini:2: [link] \(key): "
            #expect(found.count == 1 && found[0].hasPrefix(start) && found[0].contains(" is not between "), "\(found)")
        }
    }

    @Test(arguments: [
        (
            "windw = 3", "rig.ini:2: [link] windw: this section has no such key; did you mean \"window\"?"
        ),
        (
            "retransmission-timout = 1s",
            "rig.ini:2: [link] retransmission-timout: this section has no such key; did you mean "
                + "\"retransmission-timeout\"?"
        ),
        (
            "retransmission-timeout = 2000",
            "rig.ini:2: [link] retransmission-timeout: \"2000\" has no unit; write it as in 80ms or 2s"
        ),
        (
            "acknowledgement-timeout = 20500us",
            "rig.ini:2: [link] acknowledgement-timeout: \"20500us\" is not whole milliseconds"
        ),
        (
            "packet-length = 4096",
            "rig.ini:2: [link] packet-length: \"4096\" has no unit; write it as in 64KiB or 1MiB"
        ),
        ("acknowledgements = maybe", "rig.ini:2: [link] acknowledgements: \"maybe\" is neither yes nor no"),
        (
            "extended-acknowledgement = alnoe",
            "rig.ini:2: [link] extended-acknowledgement: \"alnoe\" is none of with-acknowledge, alone, off; did you "
                + "mean \"alone\"?"
        ),
        (
            "restatement = ofer",
            "rig.ini:2: [link] restatement: \"ofer\" is none of offer, answer; did you mean \"offer\"?"
        ),
        ("channels = file-transfer", "rig.ini:2: [link] channels: no link is without the channel \"control\""),
        ("channels =", "rig.ini:2: [link] channels: at least the channel \"control\" must be there"),
        ("channels = control, control", "rig.ini:2: [link] channels: \"control\" comes twice"),
        (
            "channels = control, files",
            "rig.ini:2: [link] channels: \"files\" is none of control, file-transfer, external-accessory"
        ),
        (
            "accept-channels = external-accessory",
            "rig.ini:2: [link] accept-channels: no link is without the channel \"control\""
        ),
        ("accept-retransmissions = 9..3", "rig.ini:2: [link] accept-retransmissions: \"9..3\" ends before it begins"),
        (
            "accept-retransmissions = 3..",
            "rig.ini:2: [link] accept-retransmissions: \"3..\" is not LOW..HIGH as in 1..30"
        ),
        (
            "accept-retransmissions = ..3",
            "rig.ini:2: [link] accept-retransmissions: \"..3\" is not LOW..HIGH as in 1..30"
        ),
        (
            "accept-retransmissions = 3...9",
            "rig.ini:2: [link] accept-retransmissions: \".9\" is not a whole number"
        ),
        (
            "accept-acknowledgement-timeout = 10ms..500us",
            "rig.ini:2: [link] accept-acknowledgement-timeout: \"500us\" is not between 10ms and 65535ms"
        ),
    ])
    func tellsWhatIsWrongAndWhere(text: String, line: String) {
        #expect(problems { _ = try read(text) } == [line])
    }

    @Test func theLaterFileWinsKeyByKey() throws {
        let link = try RigSettings.parse([
            ConfigurationFile(name: "a.ini", text: "[link]\nwindow = 3\nretransmissions = 4\n"),
            ConfigurationFile(name: "b.ini", text: "[link]\nwindow = 5\n"),
        ]).link
        #expect(link.window == 5 && link.retransmissions == 4)
    }
}
