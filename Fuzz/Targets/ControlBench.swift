import ControlProtocol
import RigTestKit
import WireBytes

/// One control machine, and a peer and an owner that say anything at any time: it fails once, is quiet afterwards, sends
/// only what can be sent, and always waits for something with a deadline or a reason.
///
/// Input: one byte of configuration, then operations.
struct ControlBench<Machine: ControlMachine> {
    private var machine: Machine
    private var now: UInt64 = 0
    private var output = ControlOutput()
    private var told: [ControlPhase] = []
    private var failures = 0
    /// What the machine asked its owner for and did not get.
    private var signatures: [[UInt8]] = []
    private var challenges: [Int] = []
    private var verifications = 0

    private init(_ machine: Machine) { self.machine = machine }

    private mutating func operate(
        _ input: inout FuzzInput, own: (inout ControlBench, inout FuzzInput) -> Void
    ) throws(FuzzFinding) {
        switch input.int(0...15) {
        case 0: machine.start(now: now, into: &output)
        case 1...6:
            let message = FuzzMessages.message(&input)
            machine.receive(message, now: now, into: &output)
        case 7:
            machine.receive(FuzzMessages.anyMessage(&input), now: now, into: &output)
        case 8, 9, 10, 11: own(&self, &input)
        case 12: try reachDeadline()
        case 13:
            now += UInt64(input.byte()) << 28
            machine.deadlineReached(now: now, into: &output)
        case 14:
            let isActive = machine.phase == .active
            let isTaken = (try? machine.send(ControlMessage(.powerSourceUpdate), into: &output)) != nil
            try require(isTaken == isActive, "a message is \(isTaken ? "" : "not ")taken in phase \(machine.phase)")
        default:
            switch input.int(0...15) {
            case 0: machine.close(now: now, into: &output)
            case 1: machine.streamFailed(.noMessage(offset: input.wide()), into: &output)
            default: break
            }
        }
        try settle()
    }

    private mutating func reachDeadline() throws(FuzzFinding) {
        guard let deadline = machine.nextDeadline else { return }
        now = max(now, deadline)
        for _ in 0..<8 {
            machine.deadlineReached(now: now, into: &output)
            guard let next = machine.nextDeadline, next <= now else { return }
        }
        throw FuzzFinding("the same deadline comes over and over in phase \(machine.phase)")
    }

    private mutating func settle() throws(FuzzFinding) {
        let wasClosed = told.last == .closed
        for message in output.messages {
            try require(!wasClosed, "a closed machine sends \(message.id)")
            try require((try? message.encoded()) != nil, "\(message.id) fits no message")
        }
        for notice in output.notices {
            try require(told.last != .closed, "after the end is told \(notice)")
            switch notice {
            case .phaseChanged(let phase):
                try require(phase != told.last ?? .idle, "the phase \(phase) is told twice")
                told.append(phase)
            case .failed(let failure):
                failures += 1
                try require(failures == 1, "failed twice, now because \(failure.reason)")
                try require(!failure.reason.isEmpty, "a failure without text")
            case .needSignature(let challenge, _): signatures.append(challenge)
            case .needChallenge(let count): challenges.append(count)
            case .verify: verifications += 1
            case .irregularity(let oddity):
                try require(!oddity.description.isEmpty, "an irregularity without text")
            case .authenticated, .identificationReduced, .identificationUpdated, .identified, .waiting, .resumed,
                .displaysDeclared, .received, .active:
                break
            }
        }
        output.removeAll()
        try require(
            told.last ?? .idle == machine.phase, "phase \(machine.phase), and \(String(describing: told.last)) is told")
        if failures > 0 { try require(machine.phase == .closed, "failed and yet \(machine.phase)") }
        let isWaited = machine.nextDeadline != nil || machine.wait != nil
        switch machine.phase {
        case .idle, .closed, .active:
            try require(machine.nextDeadline == nil, "a deadline in phase \(machine.phase)")
        case .authenticating, .identifying, .starting:
            try require(
                isWaited, "nothing is waited for in phase \(machine.phase), step \(String(describing: machine.step))")
        }
    }

    private static func drive(
        _ machine: Machine, _ input: inout FuzzInput,
        own: (inout ControlBench, inout FuzzInput) -> Void
    ) throws(FuzzFinding) {
        var bench = ControlBench(machine)
        while !input.isAtEnd { try bench.operate(&input, own: own) }
        bench.machine.close(now: bench.now, into: &bench.output)
        try bench.settle()
        try require(bench.machine.phase == .closed, "closed and yet \(bench.machine.phase)")
    }
}

extension ControlBench where Machine == AccessoryControlMachine {
    static func runAccessory(_ input: inout FuzzInput) throws(FuzzFinding) {
        let flags = input.byte()
        var configuration = HandshakeExamples.accessory(
            startsSessionOnLink: flags & 1 == 0, displays: flags & 2 == 0 ? [HandshakeExamples.display] : [])
        configuration.usesOwnMessages = flags & 4 == 0
        if flags & 8 != 0 { configuration.power = nil }
        if flags & 16 != 0 { configuration.awaited = [.deviceLanguageUpdate, .deviceInformationUpdate] }
        if flags & 32 != 0 { configuration.authenticationSerial = "1" }
        if flags & 64 != 0 { configuration.certificate = FixedTestSigner.certificate(.rsa1024) }
        try drive(AccessoryControlMachine(configuration: configuration), &input) { bench, input in
            switch input.int(0...7) {
            case 6:
                var update = IdentificationUpdate()
                update.name = input.optional { $0.text(upTo: 4) }
                try? bench.machine.updateIdentification(update, into: &bench.output)
            case 7:
                guard input.int(0...3) == 0 else { return }
                try? bench.machine.cancelIdentification(into: &bench.output)
            case 0: bench.machine.signatureFailed(reason: "no key", into: &bench.output)
            case 1: bench.machine.signatureReady(input.bytes(upTo: 64), now: bench.now, into: &bench.output)
            case 2:
                let large = [UInt8](repeating: 1, count: input.pick([1_024, 1_025, 70_000]))
                bench.machine.signatureReady(large, now: bench.now, into: &bench.output)
            default:
                guard let challenge = bench.signatures.popLast() else { return }
                let signature = FixedTestSigner.signature(of: challenge)
                bench.machine.signatureReady(signature, now: bench.now, into: &bench.output)
            }
        }
    }
}

extension ControlBench where Machine == DeviceControlMachine {
    static func runDevice(_ input: inout FuzzInput) throws(FuzzFinding) {
        let flags = input.byte()
        var configuration = HandshakeExamples.device(
            order: flags & 1 == 0 ? .authenticationFirst : .identificationFirst, conditions: conditions(&input))
        configuration.refusedParameters = flags & 2 == 0 ? [] : [0, 6, 20]
        configuration.maximumIdentifications = flags & 4 == 0 ? 3 : 1
        configuration.startDelay = flags & 8 == 0 ? 0 : 20_000_000
        configuration.powerQuiet = flags & 16 == 0 ? 0 : 5_000_000
        configuration.namesRefusedMessages = flags & 32 == 0
        if flags & 64 != 0 { configuration.challengeLength = 20 }
        try drive(DeviceControlMachine(configuration: configuration), &input) { bench, input in
            switch input.int(0...5) {
            case 0, 1:
                guard let count = bench.challenges.popLast() else { return }
                let challenge = [UInt8](repeating: input.byte(), count: count)
                bench.machine.challengeReady(challenge, now: bench.now, into: &bench.output)
            case 2, 3: bench.machine.verificationResult(Self.accepted, now: bench.now, into: &bench.output)
            case 4:
                let verdict =
                    input.bool()
                    ? Self.accepted : CertificateVerdict.refused(input.pick(CertificateRefusal.allCases), nil)
                bench.machine.verificationResult(verdict, now: bench.now, into: &bench.output)
            default: bench.machine.setConditions(Self.conditions(&input), now: bench.now, into: &bench.output)
            }
        }
    }

    private static var accepted: CertificateVerdict {
        .accepted(CertificateFacts(subject: "fuzz", serial: "01", notAfter: .max, shape: .p256))
    }

    private static func conditions(_ input: inout FuzzInput) -> PhoneConditions {
        let flags = input.byte()
        var conditions = PhoneConditions(
            isLocked: flags & 1 != 0,
            trust: flags & 2 == 0 ? .trusted : flags & 4 == 0 ? .undecided : .refused,
            trustAfter: flags & 16 == 0 ? nil : 3_000_000_000,
            answerDelay: flags & 8 == 0 ? 0 : 50_000_000, isCarPlayOn: flags & 32 == 0)
        if flags & 64 != 0 { conditions.refusal = input.pick(PhoneRefusal.allCases) }
        if flags & 128 != 0 { conditions.misorder = input.pick(PhoneMisorder.allCases) }
        return conditions
    }
}
