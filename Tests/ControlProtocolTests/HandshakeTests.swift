import ControlProtocol
import LinkProtocol
import RigTestKit
import Testing
import WireBytes

/// Whole ends against each other: link, assembler and control machine on both sides of a virtual cable.
@Suite("Handshake of both ends")
struct HandshakeTests {
    static func isActive(_ pair: EndpointPair) -> Bool {
        pair.accessory.control.phase == .active && pair.device.control.phase == .active
    }

    static func pair(
        order: HandshakeOrder = .authenticationFirst, startsSessionOnLink: Bool = true,
        conditions: PhoneConditions = PhoneConditions(), chunker: Chunker = .whole
    ) -> EndpointPair {
        var pair = EndpointPair(
            accessory: HandshakeExamples.accessory(startsSessionOnLink: startsSessionOnLink),
            device: HandshakeExamples.device(order: order, conditions: conditions), chunker: chunker)
        pair.start()
        return pair
    }

    @Test(
        "both orders and both paths end in an active session, however the bytes are cut",
        arguments: HandshakeOrder.allCases, [true, false])
    func normal(order: HandshakeOrder, startsSessionOnLink: Bool) {
        for chunker in [Chunker.whole, .pieces(1), .random(seed: 1, maximum: 20), .random(seed: 2, maximum: 300)] {
            var pair = Self.pair(order: order, startsSessionOnLink: startsSessionOnLink, chunker: chunker)
            drive(&pair, until: Self.isActive)
            #expect(Self.isActive(pair), "\(chunker)")
            let first: [ControlPhase] =
                order == .authenticationFirst
                ? [.authenticating, .identifying, .starting, .active]
                : [.identifying, .authenticating, .starting, .active]
            #expect(pair.device.phases == first, "\(chunker)")
            #expect(pair.accessory.phases == (order == .authenticationFirst ? first : [.authenticating] + first))
            #expect(
                pair.device.controlNotices.contains(.displaysDeclared([HandshakeExamples.display])), "\(chunker)")
            #expect(pair.accessory.controlNotices.filter { $0 == .active }.count == 1)
            #expect(pair.device.controlNotices.filter { $0 == .active }.count == 1)
            // Acknowledgements still go; then nothing is due any more.
            drive(&pair, limit: 100)
            #expect(pair.nextDue == nil)
            #expect(pair.accessory.link.outstanding == (0, 0))
            #expect(pair.device.link.outstanding == (0, 0))
            #expect(pair.accessory.link.statistics.retransmitted == 0)
        }
    }

    @Test("every control message travels in a packet of its own")
    func onePerPacket() throws {
        var pair = Self.pair()
        drive(&pair, until: Self.isActive)
        var messages = 0
        for packet in pair.sent {
            var decoder = LinkPacketDecoder(maximumLength: 65_535)
            var input = packet.bytes[...]
            while case .packet(let found) = decoder.next(from: &input) {
                guard found.channelID == 1, !found.payload.isEmpty else { continue }
                _ = try ControlMessage(parsing: found.payload)
                messages += 1
            }
        }
        // AA00 AA01 AA02 AA03 AA05 1D00 1D01 1D02 4E09 4E0A 4E0E AE03 4300 4301 D500.
        #expect(messages == 15)
    }

    @Test("the bytes of the first steps are the captured ones")
    func capturedBytes() {
        var pair = Self.pair()
        drive(&pair, until: Self.isActive)
        let expected = [
            "FF 55 02 00 EE 10", "FF 55 02 00 EE 10",
            "FF 5A 00 1A 80 00 00 00 0D 01 20 10 00 07 D0 07 D0 1E 06 01 00 01 02 01 01 F7",
            "FF 5A 00 1A C0 2D 00 00 A0 01 7F FF FF 07 D0 07 D0 1E 06 01 00 01 02 01 01 AA",
            "FF 5A 00 09 40 00 2D 00 31", "FF 5A 00 10 40 2E 00 01 28 40 40 00 06 AA 00 D0",
        ]
        #expect(pair.sent.prefix(6).map(\.bytes) == expected.map(hex))
    }

    @Test("the accepted identification travels in the packet it was captured in")
    func capturedIdentification() throws {
        let message = hex(ControlVector.identification)
        let stream = hex("FF 5A 01 3D 40 03 C5 01 60") + message + [0x18]
        var decoder = LinkPacketDecoder(maximumLength: 4096)
        var input = stream[...]
        guard case .packet(let packet) = decoder.next(from: &input) else {
            Issue.record("no packet")
            return
        }
        #expect(Array(packet.payload) == message)
        #expect(packet.encoded == stream)
        #expect(try Identification(try ControlMessage(parsing: packet.payload)).message().encoded() == message)
    }

    // MARK: The phone's user

    @Test(
        "a locked phone holds the session for an hour and then lets it go on", arguments: HandshakeOrder.allCases,
        [true, false])
    func locked(order: HandshakeOrder, startsSessionOnLink: Bool) {
        var pair = Self.pair(
            order: order, startsSessionOnLink: startsSessionOnLink, conditions: PhoneConditions(isLocked: true))
        run(&pair, for: 3600 * second)
        #expect(pair.device.control.wait == .locked)
        #expect(pair.accessory.control.wait == .locked)
        #expect(pair.device.failure == nil && pair.accessory.failure == nil)
        #expect(pair.accessory.controlNotices.last == .waiting(.locked))
        pair.withDevice { end, now in
            end.withControl(now: now) { $0.setConditions(PhoneConditions(), now: now, into: &$1) }
        }
        drive(&pair, until: Self.isActive)
        #expect(Self.isActive(pair))
        #expect(pair.accessory.controlNotices.filter { $0 == .resumed }.count == 1)
    }

    @Test("a unit that is not told waits no longer than its own deadline")
    func lockedUntold() {
        var configuration = HandshakeExamples.accessory()
        configuration.usesOwnMessages = false
        var pair = EndpointPair(
            accessory: configuration, device: HandshakeExamples.device(conditions: PhoneConditions(isLocked: true)))
        pair.start()
        run(&pair, for: 60 * second)
        #expect(pair.accessory.failure == .stepTimedOut(.identificationResult))
        #expect(pair.device.linkFailure == .resetByPeer)
        #expect(pair.device.failure == nil)
        #expect(pair.device.control.phase == .closed)
    }

    @Test("a user who refuses ends both sides by name", arguments: HandshakeOrder.allCases)
    func refused(order: HandshakeOrder) {
        var pair = Self.pair(order: order, conditions: PhoneConditions(trust: .refused))
        drive(&pair)
        #expect(pair.device.failure == .trustRefused(by: .local))
        #expect(pair.accessory.failure == .trustRefused(by: .peer))
        #expect(pair.nextDue == nil)
    }

    @Test("a user who refuses ends a unit that knows nothing of D501 as well", arguments: HandshakeOrder.allCases)
    func refusedUntold(order: HandshakeOrder) {
        var configuration = HandshakeExamples.accessory()
        configuration.usesOwnMessages = false
        var pair = EndpointPair(
            accessory: configuration,
            device: HandshakeExamples.device(order: order, conditions: PhoneConditions(trust: .refused)))
        pair.start()
        drive(&pair)
        #expect(
            pair.accessory.failure
                == (order == .authenticationFirst ? .identificationRefused(parameters: []) : .authenticationRefused))
    }

    @Test("a slow phone is waited for up to the unit's deadline", arguments: [(29 as UInt64, true), (31, false)])
    func slow(seconds: UInt64, succeeds: Bool) {
        var pair = Self.pair(conditions: PhoneConditions(answerDelay: seconds * second))
        drive(&pair, until: Self.isActive)
        #expect(Self.isActive(pair) == succeeds)
        if !succeeds { #expect(pair.accessory.failure == .stepTimedOut(.request)) }
    }

    // MARK: What goes wrong

    @Test("a wrong signature fails on both sides by name")
    func wrongSignature() {
        var pair = EndpointPair(accessory: HandshakeExamples.accessory(), device: HandshakeExamples.device())
        pair.accessory.answers.spoilsSignature = true
        pair.start()
        drive(&pair)
        #expect(pair.device.failure?.name == "control.signature-invalid")
        #expect(pair.accessory.failure == .authenticationRefused)
    }

    @Test("a signer that never answers is this side's own timeout, the phone's is a reset or its own")
    func noSigner() {
        var pair = EndpointPair(accessory: HandshakeExamples.accessory(), device: HandshakeExamples.device())
        pair.accessory.answers.signs = false
        pair.start()
        drive(&pair)
        #expect(pair.accessory.failure == .stepTimedOut(.signature))
        #expect(pair.device.linkFailure == .resetByPeer)
    }

    @Test("a verifier or a source of bytes that never answers is the phone's own timeout", arguments: [true, false])
    func noVerifier(bytes: Bool) {
        var pair = EndpointPair(accessory: HandshakeExamples.accessory(), device: HandshakeExamples.device())
        if bytes { pair.device.answers.challengeByte = nil } else { pair.device.answers.verifies = false }
        pair.start()
        drive(&pair)
        #expect(pair.device.failure == .stepTimedOut(bytes ? .challengeBytes : .verification))
        #expect(pair.accessory.linkFailure == .resetByPeer)
    }

    @Test("a refused component is left out and the session starts without it")
    func reducedIdentification() throws {
        var accessory = HandshakeExamples.accessory()
        accessory.identification.components = [
            try .usbHostTransport(id: 1, name: "usb", sessionInterface: 1),
            try .vehicleInformation(id: 2, name: "car", engine: 2, displayName: "car"),
        ]
        var device = HandshakeExamples.device()
        device.refusedParameters = [IdentificationComponent.vehicleInformation]
        var pair = EndpointPair(accessory: accessory, device: device)
        pair.start()
        drive(&pair, until: Self.isActive)
        #expect(Self.isActive(pair))
        for notice in pair.accessory.controlNotices + pair.device.controlNotices {
            if case .identified(let unit) = notice { #expect(unit.components.map(\.kind) == [16]) }
        }
    }

    @Test("unplugging in any step leaves nothing behind")
    func unplugInEveryStep() {
        for order in HandshakeOrder.allCases {
            var phases: Set<ControlPhase> = []
            for steps in 0..<60 {
                var pair = Self.pair(order: order)
                for _ in 0..<steps { _ = pair.step() }
                phases.formUnion([pair.accessory.control.phase, pair.device.control.phase])
                pair.unplug()
                #expect(pair.accessory.control.phase == .closed || pair.accessory.control.phase == .idle)
                #expect(pair.device.control.phase == .closed || pair.device.control.phase == .idle)
                #expect(pair.accessory.link.phase == .closed && pair.device.link.phase == .closed)
                #expect(pair.nextDue == nil, "\(order) after \(steps) steps")
                #expect(pair.accessory.failure == nil && pair.device.failure == nil)
                #expect(pair.accessory.linkNotices.filter { $0 == .closed(.closedLocally) }.count == 1)
            }
            #expect(phases.isSuperset(of: [.authenticating, .identifying, .starting, .active]))
        }
    }

    @Test("closing one side closes the other by a reset, in any step", arguments: LinkMachine.Side.allCases)
    func closeInEveryStep(side: LinkMachine.Side) {
        for steps in 6..<60 {
            var pair = Self.pair()
            for _ in 0..<steps { _ = pair.step() }
            switch side {
            case .accessory: pair.withAccessory { $0.close(now: $1) }
            case .device: pair.withDevice { $0.close(now: $1) }
            }
            drive(&pair)
            #expect(pair.nextDue == nil, "after \(steps) steps")
            let other = side == .accessory ? pair.device.linkFailure : pair.accessory.linkFailure
            #expect(other == .resetByPeer, "after \(steps) steps")
        }
    }

    @Test("a phone that is not there is a named failure of detection, and the other way round")
    func nobodyThere() {
        var pair = EndpointPair(accessory: HandshakeExamples.accessory(), device: HandshakeExamples.device())
        pair.fate = { _, _, _ in .drop }
        pair.start()
        drive(&pair)
        #expect(pair.accessory.linkFailure == .detectTimedOut)
        #expect(pair.device.linkFailure == .detectTimedOut)
        #expect(pair.now == 30 * second)
    }

    @Test("an accessory that begins again gets a new session on the same link")
    func restart() {
        var pair = Self.pair()
        drive(&pair, until: Self.isActive)
        let parameters = pair.accessory.link.parameters
        let configuration = HandshakeExamples.accessory()
        pair.withAccessory { end, now in
            end = HandshakeEnd(
                link: LinkMachine(side: .accessory, parameters: parameters, initialSequence: 0x55),
                control: AccessoryControlMachine(configuration: configuration))
            end.start(now: now)
        }
        drive(&pair, until: { Self.isActive($0) && $0.device.linkNotices.contains(.restarted) })
        #expect(Self.isActive(pair))
        #expect(pair.device.controlNotices.filter { $0 == .active }.count == 2)
    }

    // MARK: A bad cable

    @Test("what is lost, doubled, late or spoiled is made good, and every seed ends in an active session")
    func badCable() {
        for seed in 0..<200 as Range<UInt64> {
            let order: HandshakeOrder = seed % 2 == 0 ? .authenticationFirst : .identificationFirst
            var accessory = HandshakeExamples.accessory(startsSessionOnLink: seed % 3 != 0)
            var device = HandshakeExamples.device(order: order)
            // A lost packet costs seconds; the steps wait long enough for several.
            accessory.deadlines = ControlDeadlines(remote: 600 * second)
            device.deadlines = ControlDeadlines(remote: 600 * second)
            var pair = EndpointPair(
                accessory: accessory, device: device, latency: 3_000_000,
                chunker: seed % 5 == 0 ? .pieces(1) : .random(seed: seed, maximum: 50))
            let cable = Cable(seed: seed)
            pair.fate = { _, _, _ in cable.fate() }
            pair.start()
            let ended = pair.drive(limit: 50_000, until: Self.isActive)
            let story =
                "\(pair.accessory.linkFailure as Any) \(pair.device.linkFailure as Any) "
                + "\(pair.accessory.failure as Any) \(pair.device.failure as Any)"
            #expect(ended && Self.isActive(pair), "seed \(seed): \(story)")
        }
    }

    /// Fates from a seed, in the order in which packets are sent.
    final class Cable {
        private var generator: SeededGenerator

        init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

        func fate() -> EndpointPair.Fate {
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<8: .drop
            case 8..<14: .duplicate
            case 14..<20: .corrupt(offset: .random(in: 0..<60, using: &generator))
            case 20..<28: .delay(.random(in: 1...20_000_000, using: &generator))
            default: .deliver
            }
        }
    }
}

/// Lets the pair run until `condition` holds or nothing is due; a pair that never comes to rest fails the test.
func drive(
    _ pair: inout EndpointPair, limit: Int = 10_000, sourceLocation: SourceLocation = #_sourceLocation,
    until condition: (EndpointPair) -> Bool = { _ in false }
) {
    let ended = pair.drive(limit: limit, until: condition)
    #expect(ended, "the pair never comes to rest", sourceLocation: sourceLocation)
}

/// Lets everything happen that is due within `duration` nanoseconds.
func run(_ pair: inout EndpointPair, for duration: UInt64, sourceLocation: SourceLocation = #_sourceLocation) {
    let ended = pair.run(for: duration)
    #expect(ended, "too much happens", sourceLocation: sourceLocation)
}
