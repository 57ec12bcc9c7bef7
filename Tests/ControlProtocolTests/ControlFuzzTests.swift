import ControlProtocol
import RigTestKit
import Testing
import WireBytes

@Suite("Control machines under random operations")
struct ControlFuzzTests {
    /// What the owner of a control machine may rely on, whatever comes in.
    struct Model {
        var phase = ControlPhase.idle
        var isActive = false
        var failed = false

        mutating func take(_ output: ControlOutput, _ machine: some ControlMachine, _ context: String) {
            #expect(phase != .closed || output.isEmpty, "something after the end, \(context)")
            for notice in output.notices {
                switch notice {
                case .phaseChanged(let next):
                    #expect(next != phase, "\(context)")
                    phase = next
                case .active:
                    #expect(!isActive && phase == .active, "\(context)")
                    isActive = true
                case .failed:
                    #expect(!failed && phase != .closed, "\(context)")
                    failed = true
                case .needSignature, .needChallenge, .verify, .authenticated, .identified, .identificationReduced,
                    .identificationUpdated, .irregularity, .waiting, .resumed, .displaysDeclared, .received:
                    #expect(phase != .closed && phase != .idle, "\(context)")
                }
            }
            #expect(phase == machine.phase, "\(context)")
            #expect(!failed || phase == .closed, "\(context)")
            if phase == .closed || phase == .active || phase == .idle {
                #expect(machine.nextDeadline == nil && machine.step == nil && machine.wait == nil, "\(context)")
            } else {
                #expect(machine.nextDeadline != nil || machine.wait != nil, "a wait without an end, \(context)")
            }
            for message in output.messages {
                #expect(throws: Never.self, "\(context)") { try message.encoded() }
            }
        }
    }

    /// A message that is likely to have a meaning, now and then with spoiled parameters.
    static func message(_ generator: inout SeededGenerator, toward device: Bool) -> ControlMessage {
        do throws(WireError) {
            let message: ControlMessage
            if device {
                switch Int.random(in: 0..<9, using: &generator) {
                case 0, 1: message = try AuthenticationCertificate(certificate: [1]).message()
                case 2: message = try AuthenticationResponse(signature: [2]).message()
                case 3, 4:
                    message = try HandshakeExamples.accessory(startsSessionOnLink: generator.chance(percent: 50))
                        .sentIdentification.message()
                case 5: message = try CarPlayStartSession(wiredAddresses: []).message()
                case 6, 7: message = try DisplayDeclarations(displays: [HandshakeExamples.display]).message()
                default: message = ControlMessage(MessageID.known.randomElement(using: &generator) ?? MessageID(1))
                }
            } else {
                switch Int.random(in: 0..<12, using: &generator) {
                case 0: message = ControlMessage(.requestAuthenticationCertificate)
                case 1: message = try AuthenticationChallenge(challenge: [1]).message()
                case 2: message = ControlMessage(.authenticationSucceeded)
                case 3: message = ControlMessage(.startIdentification)
                case 4: message = ControlMessage(.identificationAccepted)
                case 5:
                    message = try IdentificationRejection(parameters: [.random(in: 0...30, using: &generator)])
                        .message()
                case 6, 7:
                    message = try CarPlayAvailability(wired: .init(isAvailable: generator.chance(percent: 70)))
                        .message()
                case 8, 9:
                    message = try PhoneCondition(
                        progress: generator.chance(percent: 5)
                            ? .refused : (generator.chance(percent: 50) ? .locked : .proceeding)
                    ).message()
                default: message = ControlMessage(MessageID.known.randomElement(using: &generator) ?? MessageID(1))
                }
            }
            guard generator.chance(percent: 4) else { return message }
            var bytes = Array(message.parameters.encoded)
            if bytes.isEmpty { bytes = generator.bytes(3) }
            bytes[.random(in: 0..<bytes.count, using: &generator)] ^= .random(in: 1...255, using: &generator)
            return ControlMessage(message.id, parameters: ControlParameters(encoded: bytes[...], offset: 6))
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// The message that the other side would send next, which leads into the later states.
    static func expected(by step: ControlStep?) -> ControlMessage? {
        do throws(WireError) {
            switch step {
            case .request: return ControlMessage(.requestAuthenticationCertificate)
            case .challenge: return try AuthenticationChallenge(challenge: [1]).message()
            case .authenticationResult: return ControlMessage(.authenticationSucceeded)
            case .identificationResult: return ControlMessage(.identificationAccepted)
            case .availability: return try CarPlayAvailability(wired: .init(isAvailable: true)).message()
            case .certificate: return try AuthenticationCertificate(certificate: [1]).message()
            case .response: return try AuthenticationResponse(signature: [1]).message()
            case .identification: return try DeviceMatrixTests.identification.message()
            case .startSession: return try CarPlayStartSession(wiredAddresses: []).message()
            case .displays: return try DisplayDeclarations(displays: []).message()
            case .information: return try DeviceLanguageUpdate(language: "en").message()
            case .signature, .challengeBytes, .verification, nil: return nil
            }
        } catch {
            preconditionFailure("\(error)")
        }
    }

    private func run<Machine: ControlMachine>(
        toward device: Bool, make: (inout SeededGenerator) -> Machine,
        answer: (inout Machine, inout SeededGenerator, UInt64, inout ControlOutput) -> Void
    ) {
        var phases: Set<ControlPhase> = []
        for seed in 0..<3000 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var machine = make(&generator)
            var model = Model()
            var now: UInt64 = 0
            for step in 0..<40 {
                var output = ControlOutput()
                switch Int.random(in: 0..<40, using: &generator) {
                case 0...2: machine.start(now: now, into: &output)
                case 3...18:
                    if let message = Self.expected(by: machine.step) {
                        machine.receive(message, now: now, into: &output)
                    }
                case 19...24:
                    machine.receive(Self.message(&generator, toward: device), now: now, into: &output)
                case 25...32: answer(&machine, &generator, now, &output)
                case 33...35:
                    now += .random(in: 0...50_000_000, using: &generator)
                    machine.deadlineReached(now: now, into: &output)
                case 36:
                    if generator.chance(percent: 20) {
                        now = max(now, machine.nextDeadline ?? now)
                        machine.deadlineReached(now: now, into: &output)
                    }
                case 37: try? machine.send(ControlMessage(MessageID(1)), into: &output)
                case 38: if generator.chance(percent: 10) { machine.streamFailed(.noMessage(offset: 0), into: &output) }
                default: if generator.chance(percent: 10) { machine.close(now: now, into: &output) }
                }
                phases.insert(machine.phase)
                model.take(output, machine, "seed \(seed) step \(step)")
            }
        }
        #expect(phases.count == ControlPhase.allCases.count)
    }

    @Test("the unit keeps its promises under any order of calls and messages")
    func accessory() {
        run(toward: false) { generator in
            AccessoryControlMachine(
                configuration: HandshakeExamples.accessory(startsSessionOnLink: generator.chance(percent: 50)))
        } answer: { machine, generator, now, output in
            if generator.chance(percent: 95) {
                machine.signatureReady([1], now: now, into: &output)
            } else {
                machine.signatureFailed(reason: "none", into: &output)
            }
        }
    }

    @Test("the phone keeps its promises under any order of calls and messages")
    func device() {
        run(toward: true) { generator in
            var configuration = HandshakeExamples.device(
                order: generator.chance(percent: 50) ? .authenticationFirst : .identificationFirst)
            if generator.chance(percent: 20) { configuration.conditions.isLocked = true }
            if generator.chance(percent: 20) { configuration.conditions.answerDelay = 10_000_000 }
            return DeviceControlMachine(configuration: configuration)
        } answer: { machine, generator, now, output in
            switch machine.step {
            case .challengeBytes: machine.challengeReady([UInt8](repeating: 1, count: 32), now: now, into: &output)
            case .verification:
                machine.verificationResult(generator.chance(percent: 95) ? .right : .wrong, now: now, into: &output)
            default:
                machine.setConditions(
                    PhoneConditions(
                        isLocked: generator.chance(percent: 30),
                        trust: PhoneConditions.Trust.allCases.randomElement(using: &generator) ?? .trusted),
                    now: now, into: &output)
            }
        }
    }
}
