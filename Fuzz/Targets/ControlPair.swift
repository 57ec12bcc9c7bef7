import ControlProtocol
import LinkProtocol
import RigTestKit

/// Two whole ends on a cable that loses, doubles, spoils and delays packets, while the phone's user and the cable do
/// something: it comes to rest, and if nothing was done to it the session is active on both ends.
///
/// Input: two bytes of configuration, three for the cuts, then decisions.
enum ControlPair {
    /// Later packets arrive as they are, so that an end is reached.
    private static let maximumFaults = 24

    static func run(_ input: inout FuzzInput) throws(FuzzFinding) {
        let flags = input.byte()
        var conditions = PhoneConditions(isLocked: flags & 4 != 0, answerDelay: flags & 8 == 0 ? 0 : 100_000_000)
        if flags & 32 != 0 { conditions.delays[input.pick(PhoneAnswer.allCases)] = AnswerDelays.maximum }
        var accessory = HandshakeExamples.accessory(startsSessionOnLink: flags & 1 == 0)
        if flags & 64 != 0 { accessory.certificate = FixedTestSigner.certificate(.rsa1024) }
        if flags & 128 != 0 { accessory.awaited = [.deviceTransportIdentifierNotification, .deviceLanguageUpdate] }
        var pair = EndpointPair(
            accessory: accessory,
            device: HandshakeExamples.device(
                order: flags & 2 == 0 ? .authenticationFirst : .identificationFirst, conditions: conditions),
            chunker: flags & 16 == 0 ? .whole : .pieces(1 + Int(input.byte())))
        let faults = faults(&input)
        pair.fate = { _, number, _ in number < faults.count ? faults[number] : .deliver }
        var isMeddled = flags & 4 != 0
        pair.start()
        while !input.isAtEnd {
            switch input.int(0...11) {
            case 0:
                isMeddled = true
                pair.unplug()
            case 1, 2:
                let decisions = input.byte()
                let conditions = PhoneConditions(
                    isLocked: decisions & 1 != 0, trust: input.pick(PhoneConditions.Trust.allCases),
                    trustAfter: decisions & 2 == 0 ? nil : 60_000_000_000, isCarPlayOn: decisions & 4 == 0)
                isMeddled = true
                pair.withDevice { end, now in
                    end.withControl(now: now) { control, output in
                        control.setConditions(conditions, now: now, into: &output)
                    }
                }
            default: _ = pair.step()
            }
        }
        try require(pair.drive(limit: 5_000), "two ends never come to rest")
        let phases = (pair.accessory.control.phase, pair.device.control.phase)
        if faults.isEmpty && !isMeddled {
            try require(phases == (.active, .active), "on a good cable the ends are \(phases)")
        }
        if phases.0 == .active && phases.1 == .active {
            try require(
                pair.accessory.failure == nil && pair.device.failure == nil, "a session is active on an end that failed"
            )
        }
    }

    private static func faults(_ input: inout FuzzInput) -> [EndpointPair.Fate] {
        (0..<input.int(0...maximumFaults)).map { _ in
            switch input.int(0...7) {
            case 0: .drop
            case 1: .duplicate
            case 2: .corrupt(offset: input.int(0...63))
            case 3: .delay(UInt64(input.byte()) << 24)
            default: .deliver
            }
        }
    }
}
