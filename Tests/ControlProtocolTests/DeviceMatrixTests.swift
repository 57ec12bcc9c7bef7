import ControlProtocol
import RigTestKit
import Testing
import WireBytes

/// Every state of the phone meets every event, and every cell says what comes of it; see `ControlEnd.outcome`.
@Suite("DeviceControlMachine: every event in every state")
struct DeviceMatrixTests {
    static let events = [
        "start", "AA00", "AA01", "AA01 empty", "AA03", "AA06", "1D01", "1D01 incomplete", "1D01 broken", "1D05", "1D06",
        "1D06 broken", "4301", "D500", "D500 broken", "AE03", "AE01", "6802", "unknown", "challenge", "right", "wrong",
        "unlocked", "locked", "undecided", "trusting soon", "refused", "CarPlay off", "refuses session",
        "broken stream", "deadline early", "deadline", "send", "close",
    ]

    static let states = [
        "idle", "delaying", "certificate", "bytes", "response", "verification", "identification", "locked", "undecided",
        "trusting soon", "CarPlay off", "refuses session", "power", "offering", "start of session", "displays",
        "active",
        "closed",
    ]

    static let identification = HandshakeExamples.accessory().sentIdentification
    static let power = PowerSourceUpdate(availableCurrent: 1, chargesBattery: true)

    static func machine(in state: String) throws -> DeviceControlMachine {
        var configuration = HandshakeExamples.device()
        if state == "delaying" { configuration.conditions.answerDelay = 5 * second }
        if state == "locked" { configuration.conditions.isLocked = true }
        if state == "undecided" || state == "trusting soon" { configuration.conditions.trust = .undecided }
        if state == "trusting soon" { configuration.conditions.trustAfter = second }
        if state == "CarPlay off" { configuration.conditions.isCarPlayOn = false }
        if state == "refuses session" { configuration.conditions.refusal = .session }
        var end = ControlEnd(DeviceControlMachine(configuration: configuration))
        if state == "idle" { return end.machine }
        end.start()
        if state == "delaying" || state == "certificate" { return end.machine }
        try end.receive(AuthenticationCertificate(certificate: [1]))
        if state == "bytes" { return end.machine }
        end.call { $0.challengeReady([UInt8](repeating: 7, count: 32), now: 0, into: &$1) }
        if state == "response" { return end.machine }
        try end.receive(AuthenticationResponse(signature: [UInt8](repeating: 1, count: 64)))
        if state == "verification" { return end.machine }
        end.call { $0.verificationResult(.right, now: 0, into: &$1) }
        if state == "identification" { return end.machine }
        try end.receive(identification)
        let waits = ["locked", "undecided", "trusting soon", "CarPlay off", "refuses session", "power"]
        if waits.contains(state) { return end.machine }
        try end.receive(power)
        if state == "offering" { return end.machine }
        end.deadline(at: second / 50)
        if state == "start of session" { return end.machine }
        try end.receive(CarPlayStartSession(wiredAddresses: ["fe80::1"]), at: second / 50)
        if state == "displays" { return end.machine }
        try end.receive(DisplayDeclarations(displays: [HandshakeExamples.display]), at: second / 50)
        if state == "active" { return end.machine }
        end.close()
        return end.machine
    }

    static func outcome(of event: String, on machine: DeviceControlMachine) throws -> String {
        var end = ControlEnd(machine)
        let now = second / 50
        func set(_ conditions: PhoneConditions) {
            end.call { $0.setConditions(conditions, now: now, into: &$1) }
        }
        switch event {
        case "start": end.start(at: now)
        case "AA00": end.receive(.requestAuthenticationCertificate, at: now)
        case "AA01": try end.receive(AuthenticationCertificate(certificate: [1]), at: now)
        case "AA01 empty": end.receive(.authenticationCertificate, at: now)
        case "AA03": try end.receive(AuthenticationResponse(signature: [UInt8](repeating: 1, count: 64)), at: now)
        case "AA06": try end.receive(AccessoryAuthenticationSerialNumber(serialNumber: "1"), at: now)
        case "1D01": try end.receive(identification, at: now)
        case "1D01 incomplete": end.receive(.identificationInformation, at: now)
        case "1D01 broken":
            end.receive(
                ControlMessage(.identificationInformation, parameters: ControlParameters(encoded: [0, 9, 0])), at: now)
        case "4301": try end.receive(CarPlayStartSession(wiredAddresses: []), at: now)
        case "D500": try end.receive(DisplayDeclarations(displays: [HandshakeExamples.display]), at: now)
        case "D500 broken":
            end.receive(ControlMessage(.displayDeclaration, parameters: ControlParameters(encoded: [0])), at: now)
        case "1D05": end.receive(.cancelIdentification, at: now)
        case "1D06": end.receive(.identificationInformationUpdate, at: now)
        case "1D06 broken":
            var parameters = ControlParameters()
            parameters.appendFlag(9)
            end.receive(ControlMessage(.identificationInformationUpdate, parameters: parameters), at: now)
        case "AE03": try end.receive(power, at: now)
        case "AE01": end.receive(.powerUpdate, at: now)
        case "6802": try end.receive(AccessoryHIDReport(component: 1, report: []), at: now)
        case "unknown": end.receive(MessageID(0x0001), at: now)
        case "challenge": end.call { $0.challengeReady([UInt8](repeating: 1, count: 32), now: now, into: &$1) }
        case "right": end.call { $0.verificationResult(.right, now: now, into: &$1) }
        case "wrong": end.call { $0.verificationResult(.wrong, now: now, into: &$1) }
        case "unlocked": set(PhoneConditions())
        case "locked": set(PhoneConditions(isLocked: true))
        case "undecided": set(PhoneConditions(trust: .undecided))
        case "trusting soon": set(PhoneConditions(trust: .undecided, trustAfter: 2 * second))
        case "refused": set(PhoneConditions(trust: .refused))
        case "CarPlay off": set(PhoneConditions(isCarPlayOn: false))
        case "refuses session": set(PhoneConditions(refusal: .session))
        case "broken stream": end.call { $0.streamFailed(.noMessage(offset: 0), into: &$1) }
        case "deadline early": end.deadline(at: now - 1)
        case "deadline": end.deadline(at: 31 * second)
        case "send":
            let refused = end.attempt { machine, output throws(ControlSendError) in
                try machine.send(ControlMessage(MessageID(1)), into: &output)
            }
            if let refused {
                #expect(refused == machine.phase && end.output.isEmpty)
                return "refused"
            }
        case "close": end.close(at: now)
        default: preconditionFailure("no event \(event)")
        }
        return end.outcome(since: machine)
    }

    static let unexpected = "closed: failed(unexpected-message)"
    static let oddUnexpected = "closed: odd(brokenParameters) failed(unexpected-message)"
    static let brokenDisplays = "closed: odd(brokenParameters) failed(malformed-message)"

    /// What holds in every state between start and end that says nothing else. "=" stands for the state's own phase and
    /// step.
    static let common: [String: String] = [
        "start": "-", "AA00": unexpected, "AA01": unexpected, "AA01 empty": unexpected, "AA03": unexpected,
        "AA06": "=: received", "1D01": unexpected, "1D01 incomplete": unexpected, "1D01 broken": oddUnexpected,
        "1D05": unexpected, "1D06": unexpected,
        "1D06 broken": "closed: odd(malformedParameter) failed(unexpected-message)",
        "4301": unexpected, "D500": unexpected, "D500 broken": oddUnexpected, "AE03": "=: received",
        "AE01": "=: odd(wrongSender)", "6802": "=: received", "unknown": "=: odd(unknownMessage) received",
        "challenge": "-", "right": "-", "wrong": "-", "unlocked": "-", "locked": "-", "undecided": "-",
        "trusting soon": "-", "refused": "-", "CarPlay off": "-", "refuses session": "-",
        "broken stream": "closed: failed(broken-stream)", "deadline early": "-",
        "deadline": "closed: failed(step-timed-out)", "send": "refused", "close": "closed:",
    ]

    /// What holds besides once the unit was accepted.
    static let identified: [String: String] = [
        "1D05": "=: odd(outOfPlace)", "1D06": "=: updated",
        "1D06 broken": "=: odd(malformedParameter) odd(identificationUpdate)", "6802": "=: odd(notListed) received",
    ]
    static let identifiedStates = [
        "CarPlay off", "refuses session", "power", "offering", "start of session", "displays", "active",
    ]

    static let cancelled = "closed: failed(identification-cancelled)"
    static let accepted = "starting: D501 1D02 4E0A 4E09 4E0E resumed identified"

    /// What a state says besides `common` and `identified`.
    static let special: [String: [String: String]] = [
        "delaying": ["deadline": "authenticating certificate: AA00"],
        "certificate": [
            "AA01": "authenticating challengeBytes: needChallenge", "AA01 empty": "closed: failed(malformed-message)",
        ],
        "bytes": ["challenge": "authenticating response: AA02"],
        "response": ["AA03": "authenticating verification: verify"],
        "verification": [
            "right": "identifying identification: AA05 1D00 authenticated",
            "wrong": "closed: AA04 failed(signature-invalid)",
        ],
        "identification": [
            "1D01": "starting: 1D02 4E0A 4E09 4E0E identified", "1D01 incomplete": "=: 1D03",
            "1D01 broken": "closed: odd(brokenParameters) failed(malformed-message)", "1D05": cancelled,
        ],
        "locked": [
            "unlocked": accepted, "undecided": "=: D501 waiting(trust)", "trusting soon": "=: D501 waiting(trust)",
            "refused": "closed: D501 1D03 failed(trust-refused)", "1D05": cancelled, "deadline": "-",
            "CarPlay off": "starting: D501 1D02 4E0A 4E09 4E0E 4300 resumed identified waiting(carPlayOff)",
            "refuses session": accepted + " waiting(sessionRefused)",
        ],
        "undecided": [
            "unlocked": accepted, "locked": "=: D501 waiting(locked)",
            "refused": "closed: D501 1D03 failed(trust-refused)", "1D05": cancelled, "deadline": "-",
            "CarPlay off": "starting: D501 1D02 4E0A 4E09 4E0E 4300 resumed identified waiting(carPlayOff)",
            "refuses session": accepted + " waiting(sessionRefused)",
        ],
        "trusting soon": [
            "unlocked": accepted, "locked": "=: D501 waiting(locked)",
            "refused": "closed: D501 1D03 failed(trust-refused)", "1D05": cancelled, "deadline": accepted,
            "CarPlay off": "starting: D501 1D02 4E0A 4E09 4E0E 4300 resumed identified waiting(carPlayOff)",
            "refuses session": accepted + " waiting(sessionRefused)",
        ],
        "CarPlay off": [
            "unlocked": "=: resumed", "locked": "=: resumed", "undecided": "=: resumed",
            "trusting soon": "=: resumed", "refused": "=: resumed", "refuses session": "=: waiting(sessionRefused)",
            "D500": "=: displays", "D500 broken": brokenDisplays, "deadline": "-",
        ],
        "refuses session": [
            "unlocked": "=: resumed", "locked": "=: resumed", "undecided": "=: resumed",
            "trusting soon": "=: resumed", "refused": "=: resumed", "CarPlay off": "=: 4300 waiting(carPlayOff)",
            "D500": "=: displays", "D500 broken": brokenDisplays, "deadline": "-",
        ],
        "power": [
            "D500": "=: displays", "D500 broken": brokenDisplays,
            "deadline": "starting startSession: 4300 odd(powerNotTold)",
        ],
        "offering": [
            "D500": "=: displays", "D500 broken": brokenDisplays, "deadline": "starting startSession: 4300",
        ],
        "start of session": [
            "4301": "starting displays: received", "D500": "=: displays", "D500 broken": brokenDisplays,
        ],
        "displays": ["D500": "active: displays active!", "D500 broken": brokenDisplays],
        "active": [
            "4301": "=: received", "D500": "=: displays", "D500 broken": brokenDisplays, "deadline": "-",
            "send": "=: 1",
        ],
    ]

    @Test("cell", arguments: states)
    func cells(state: String) throws {
        let machine = try Self.machine(in: state)
        let position = machine.phase.rawValue + (machine.step.map { " \($0.name)" } ?? "")
        for event in Self.events {
            let expected: String?
            switch (state, event) {
            case ("idle", "start"): expected = "authenticating certificate: AA00"
            case ("idle", "close"): expected = "closed:"
            case ("idle", "send"), ("closed", "send"): expected = "refused"
            case ("idle", _), ("closed", _): expected = "-"
            default:
                let identified = Self.identifiedStates.contains(state) ? Self.identified[event] : nil
                expected = (Self.special[state]?[event] ?? identified ?? Self.common[event])?
                    .replacing("=", with: position)
            }
            let outcome = try Self.outcome(of: event, on: machine)
            #expect(outcome == expected, "\(event) in \(state)")
        }
    }
}
