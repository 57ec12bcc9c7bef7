import ControlProtocol
import LinkProtocol
import RigTestKit
import Testing

/// Two whole ends on cables from seeds: packets are lost (0...30 %), doubled, spoiled, delayed and overtake each other,
/// and arrive in pieces down to single bytes. Every seed ends in an active session on both ends, in a failure with a
/// name, or in a wait for the phone's user; none goes on for ever. 10,000 seeds in 20 parts.
@Suite("Handshakes on bad cables")
struct BadCableTests {
    static let seedsPerPart: UInt64 = 500

    /// What becomes of packets, from a seed, in the order in which they are sent.
    final class Cable {
        private var generator: SeededGenerator
        private let loss: Int

        init(seed: UInt64) {
            generator = SeededGenerator(seed: seed)
            loss = Int(seed % 31)
        }

        func fate() -> EndpointPair.Fate {
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<loss: .drop
            case 40..<46: .duplicate
            case 50..<56: .corrupt(offset: .random(in: 0..<60, using: &generator))
            case 60..<72: .delay(.random(in: 1...20_000_000, using: &generator))
            default: .deliver
            }
        }
    }

    static func pair(seed: UInt64) -> EndpointPair {
        var generator = SeededGenerator(seed: ~seed)
        var accessory = HandshakeExamples.accessory(startsSessionOnLink: generator.chance(percent: 70))
        accessory.certificate = FixedTestSigner.certificate(generator.chance(percent: 50) ? .rsa1024 : .p256)
        if generator.chance(percent: 20) { accessory.awaited = [.deviceLanguageUpdate] }
        if generator.chance(percent: 20) { accessory.identification.messagesSent.append(.startHID) }
        var device = HandshakeExamples.device(
            order: generator.chance(percent: 50) ? .authenticationFirst : .identificationFirst)
        if generator.chance(percent: 10) {
            device.conditions.trust = .undecided
            device.conditions.trustAfter = .random(in: 0...60_000_000_000, using: &generator)
        }
        if generator.chance(percent: 20) {
            for answer in PhoneAnswer.allCases {
                device.conditions.delays[answer] = .random(in: 0...2_000_000_000, using: &generator)
            }
        }
        if generator.chance(percent: 5) { device.conditions.misorder = .identificationEarly }
        if generator.chance(percent: 5) {
            device.conditions.refusal = PhoneRefusal.allCases.randomElement(using: &generator)
        }
        // A lost packet costs seconds; the steps wait long enough for several.
        accessory.deadlines = ControlDeadlines(remote: 600_000_000_000)
        device.deadlines = ControlDeadlines(remote: 600_000_000_000)
        let chunker: Chunker =
            switch seed % 16 {
            case 0: .pieces(1)
            case 1...4: .random(seed: seed, maximum: 50)
            default: .whole
            }
        var pair = EndpointPair(
            accessory: accessory, device: device, latency: .random(in: 0...5_000_000, using: &generator),
            chunker: chunker)
        let cable = Cable(seed: seed)
        pair.fate = { _, _, _ in cable.fate() }
        pair.start()
        return pair
    }

    @Test("every seed is active on both ends or has failed by name", arguments: 0..<20 as Range<UInt64>)
    func ends(part: UInt64) {
        var active = 0
        for seed in part * Self.seedsPerPart..<(part + 1) * Self.seedsPerPart {
            var pair = Self.pair(seed: seed)
            let refusal = pair.device.control.configuration.conditions.refusal
            let ended = pair.drive(limit: 20_000, until: HandshakeTests.isActive)
            #expect(ended, "seed \(seed) never comes to rest")
            if HandshakeTests.isActive(pair) {
                active += 1
                #expect(refusal == nil, "seed \(seed): active in spite of \(String(describing: refusal))")
                continue
            }
            if let wait = pair.device.control.wait {
                // On the classic path the unit does not know that its phone waits.
                #expect(refusal == .session && wait == .sessionRefused, "seed \(seed): \(wait)")
                continue
            }
            // Both ends are over, and somebody said why.
            let names = [pair.accessory.failure?.name, pair.device.failure?.name].compactMap(\.self)
            let links = [pair.accessory.linkFailure?.name, pair.device.linkFailure?.name].compactMap(\.self)
            #expect(!names.isEmpty || !links.isEmpty, "seed \(seed): no reason")
            #expect(pair.nextDue == nil, "seed \(seed): something is due")
            if refusal == nil {
                // Nobody said no: only the cable is to blame, never a message.
                #expect(
                    names.allSatisfy { $0 == "control.step-timed-out" }, "seed \(seed): \(names) \(links)")
            }
        }
        #expect(active > Int(Self.seedsPerPart) * 8 / 10, "only \(active) of \(Self.seedsPerPart) were active")
    }
}
