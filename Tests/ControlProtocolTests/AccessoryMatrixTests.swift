import ControlProtocol
import RigTestKit
import Testing
import WireBytes

/// Every state of the unit meets every event, and every cell says what comes of it; see `ControlEnd.outcome`.
@Suite("AccessoryControlMachine: every event in every state")
struct AccessoryMatrixTests {
    static let events = [
        "start", "AA00", "AA02", "AA02 empty", "AA04", "AA05", "1D00", "1D02", "1D03 component", "1D03 message",
        "1D03 mandatory", "4300", "4300 none", "D501 locked", "D501 proceeding", "D501 refused", "AA01", "AE03", "4E09",
        "unknown", "signature", "no signature", "update", "cancel", "broken stream", "deadline early", "deadline",
        "send", "close",
    ]

    static let states = [
        "idle", "asked for nothing", "certificate sent", "signing", "signature sent", "authenticated",
        "identification sent", "both sent", "identified first", "locked", "waiting for 4E09",
        "waiting for 4E09, offered",
        "starting", "starting, locked", "CarPlay off", "active", "closed",
    ]

    static let challenge = AuthenticationChallenge(challenge: [UInt8](repeating: 1, count: 32))

    static func machine(in state: String) throws -> AccessoryControlMachine {
        var configuration = HandshakeExamples.accessory()
        configuration.identification.components = [
            try .usbHostTransport(id: 1, name: "usb", sessionInterface: 1)
        ]
        if state.hasPrefix("waiting") { configuration.awaited = [.deviceInformationUpdate] }
        var end = ControlEnd(AccessoryControlMachine(configuration: configuration))
        if state == "idle" { return end.machine }
        end.start()
        switch state {
        case "asked for nothing": return end.machine
        case "identification sent", "identified first":
            end.receive(.startIdentification)
            if state == "identified first" { end.receive(.identificationAccepted) }
            return end.machine
        case "both sent":
            end.receive(.requestAuthenticationCertificate)
            end.receive(.startIdentification)
            return end.machine
        default: break
        }
        end.receive(.requestAuthenticationCertificate)
        if state == "certificate sent" { return end.machine }
        try end.receive(challenge)
        if state == "signing" { return end.machine }
        end.call { $0.signatureReady([9], now: 0, into: &$1) }
        if state == "signature sent" { return end.machine }
        end.receive(.authenticationSucceeded)
        if state == "authenticated" { return end.machine }
        end.receive(.startIdentification)
        if state == "locked" {
            try end.receive(PhoneCondition(progress: .locked))
            return end.machine
        }
        end.receive(.identificationAccepted)
        if state == "starting, locked" { try end.receive(PhoneCondition(progress: .locked)) }
        if state.hasSuffix("offered") { try end.receive(CarPlayAvailability(wired: .init(isAvailable: true))) }
        if state.hasPrefix("starting") || state.hasPrefix("waiting") { return end.machine }
        if state == "CarPlay off" {
            try end.receive(CarPlayAvailability(wired: .init(isAvailable: false)))
            return end.machine
        }
        try end.receive(CarPlayAvailability(wired: .init(isAvailable: true)))
        if state == "active" { return end.machine }
        end.close()
        return end.machine
    }

    static func outcome(of event: String, on machine: AccessoryControlMachine) throws -> String {
        var end = ControlEnd(machine)
        let now: UInt64 = 1
        var refused: ControlPhase?
        switch event {
        case "start": end.start(at: now)
        case "AA00": end.receive(.requestAuthenticationCertificate, at: now)
        case "AA01": end.receive(.authenticationCertificate, at: now)
        case "AA02": try end.receive(challenge, at: now)
        case "AA02 empty": end.receive(.requestAuthenticationChallengeResponse, at: now)
        case "AA04": end.receive(.authenticationFailed, at: now)
        case "AA05": end.receive(.authenticationSucceeded, at: now)
        case "1D00": end.receive(.startIdentification, at: now)
        case "1D02": end.receive(.identificationAccepted, at: now)
        case "1D03 component": try end.receive(IdentificationRejection(parameters: [16]), at: now)
        case "1D03 message":
            try end.receive(IdentificationRejection([ParameterRefusal(6, messages: [.powerSourceUpdate])]), at: now)
        case "1D03 mandatory": try end.receive(IdentificationRejection(parameters: [16, 3]), at: now)
        case "4300": try end.receive(CarPlayAvailability(wired: .init(isAvailable: true)), at: now)
        case "4300 none": try end.receive(CarPlayAvailability(wired: .init(isAvailable: false)), at: now)
        case "D501 locked": try end.receive(PhoneCondition(progress: .locked), at: now)
        case "D501 proceeding": try end.receive(PhoneCondition(progress: .proceeding), at: now)
        case "D501 refused": try end.receive(PhoneCondition(progress: .refused), at: now)
        case "AE03": try end.receive(PowerSourceUpdate(availableCurrent: 1, chargesBattery: true), at: now)
        case "update":
            var update = IdentificationUpdate()
            update.name = "other"
            refused = end.attempt { machine, output throws(ControlSendError) in
                try machine.updateIdentification(update, into: &output)
            }
        case "cancel":
            refused = end.attempt { machine, output throws(ControlSendError) in
                try machine.cancelIdentification(into: &output)
            }
        case "4E09": try end.receive(DeviceInformationUpdate(name: "n"), at: now)
        case "unknown": end.receive(MessageID(0x0001), at: now)
        case "signature": end.call { $0.signatureReady([1], now: now, into: &$1) }
        case "no signature": end.call { $0.signatureFailed(reason: "r", into: &$1) }
        case "broken stream": end.call { $0.streamFailed(.noMessage(offset: 0), into: &$1) }
        case "deadline early": end.deadline(at: now)
        case "deadline": end.deadline(at: 31 * second)
        case "send":
            refused = end.attempt { machine, output throws(ControlSendError) in
                try machine.send(ControlMessage(MessageID(1)), into: &output)
            }
        case "close": end.close(at: now)
        default: preconditionFailure("no event \(event)")
        }
        if let refused {
            #expect(refused == machine.phase && end.output.isEmpty)
            return "refused"
        }
        return end.outcome(since: machine)
    }

    static let unexpected = "closed: failed(unexpected-message)"

    /// What holds in every state between start and end that says nothing else.
    static let common: [String: String] = [
        "start": "-", "AA00": unexpected, "AA01": unexpected, "AA02": unexpected, "AA02 empty": unexpected,
        "AA04": unexpected, "AA05": unexpected, "1D00": unexpected, "1D02": unexpected, "1D03 component": unexpected,
        "1D03 mandatory": unexpected, "1D03 message": unexpected, "4300": "-", "4300 none": "-", "D501 proceeding": "-",
        "D501 refused": "closed: failed(trust-refused)", "AE03": "=: odd(wrongSender)", "4E09": "=: received",
        "unknown": "=: odd(unknownMessage) received", "update": "refused", "cancel": "refused", "signature": "-",
        "no signature": "-",
        "broken stream": "closed: failed(broken-stream)", "deadline early": "-",
        "deadline": "closed: failed(step-timed-out)", "send": "refused", "close": "closed:",
    ]

    /// What a state says besides `common`. "=" stands for the state's own phase and step.
    static let special: [String: [String: String]] = [
        "asked for nothing": [
            "AA00": "authenticating challenge: AA01", "1D00": "identifying identificationResult: 1D01",
        ],
        "certificate sent": [
            "AA02": "authenticating signature: needSignature", "AA02 empty": "closed: failed(malformed-message)",
            "AA04": "closed: failed(authentication-refused)", "1D00": "=: 1D01",
        ],
        "signing": [
            "AA04": "closed: failed(authentication-refused)", "1D00": "=: 1D01",
            "signature": "authenticating authenticationResult: AA03",
            "no signature": "closed: failed(signature-unavailable)",
        ],
        "signature sent": [
            "AA04": "closed: failed(authentication-refused)", "AA05": "identifying request:", "1D00": "=: 1D01",
        ],
        "authenticated": ["1D00": "identifying identificationResult: 1D01"],
        "identification sent": [
            "AA00": "authenticating challenge: AA01", "1D02": "authenticating request: AE03 identified",
            "1D03 component": "=: 1D01 reduced", "1D03 message": "=: 1D01 reduced",
            "cancel": "closed: 1D05 failed(identification-cancelled)",
            "1D03 mandatory": "closed: failed(identification-refused)",
        ],
        "both sent": [
            "AA02": "authenticating signature: needSignature", "AA02 empty": "closed: failed(malformed-message)",
            "AA04": "closed: failed(authentication-refused)", "1D02": "=: AE03 identified",
            "1D03 component": "=: 1D01 reduced", "1D03 message": "=: 1D01 reduced",
            "cancel": "closed: 1D05 failed(identification-cancelled)",
            "1D03 mandatory": "closed: failed(identification-refused)",
        ],
        "identified first": ["AA00": "authenticating challenge: AA01", "update": "=: 1D06"],
        "locked": [
            "1D02": "starting availability: AE03 identified resumed", "1D03 component": "=: 1D01 reduced resumed",
            "1D03 message": "=: 1D01 reduced resumed", "cancel": "closed: 1D05 failed(identification-cancelled)",
            "1D03 mandatory": "closed: failed(identification-refused)", "D501 locked": "-",
            "D501 proceeding": "=: resumed", "deadline": "-",
        ],
        "waiting for 4E09": ["4E09": "starting availability: received", "update": "=: 1D06"],
        "waiting for 4E09, offered": ["4E09": "active: 4301 D500 received active!", "update": "=: 1D06"],
        "starting": [
            "4300": "active: 4301 D500 active!", "4300 none": "=: waiting(carPlayOff)", "update": "=: 1D06",
        ],
        "CarPlay off": [
            "4300": "active: 4301 D500 resumed active!", "deadline": "-", "update": "=: 1D06",
        ],
        "starting, locked": [
            "4300": "active: 4301 D500 resumed active!", "4300 none": "=: waiting(carPlayOff)", "D501 locked": "-",
            "D501 proceeding": "=: resumed", "deadline": "-", "update": "=: 1D06",
        ],
        "active": [
            "4300": "=: received", "4300 none": "=: received", "D501 locked": "=: received",
            "D501 proceeding": "=: received", "D501 refused": "=: received", "deadline": "-", "send": "=: 1",
            "update": "=: 1D06",
        ],
    ]

    @Test("cell", arguments: states)
    func cells(state: String) throws {
        let machine = try Self.machine(in: state)
        let position = machine.phase.rawValue + (machine.step.map { " \($0.name)" } ?? "")
        for event in Self.events {
            let expected: String?
            switch (state, event) {
            case ("idle", "start"): expected = "authenticating request:"
            case ("idle", "close"): expected = "closed:"
            case ("idle", "send"), ("closed", "send"), ("idle", "update"), ("closed", "update"), ("idle", "cancel"),
                ("closed", "cancel"):
                expected = "refused"
            case ("idle", _), ("closed", _): expected = "-"
            case (_, "D501 locked"):
                expected = Self.special[state]?[event]?.replacing("=", with: position) ?? "\(position): waiting(locked)"
            default: expected = (Self.special[state]?[event] ?? Self.common[event])?.replacing("=", with: position)
            }
            let outcome = try Self.outcome(of: event, on: machine)
            #expect(outcome == expected, "\(event) in \(state)")
        }
    }
}
