import ControlProtocol
import RigTestKit
import Testing
import WireBytes

@Suite("AccessoryControlMachine")
struct AccessoryControlMachineTests {
    private func end(_ change: (inout AccessoryConfiguration) -> Void = { _ in }) -> ControlEnd<AccessoryControlMachine>
    {
        var configuration = HandshakeExamples.accessory()
        change(&configuration)
        var end = ControlEnd(AccessoryControlMachine(configuration: configuration))
        end.start()
        return end
    }

    @Test("it answers with its certificate, and asks its owner to sign what the phone sent")
    func authentication() throws {
        let certificate = FixedTestSigner.certificate(.rsa1024)
        var end = end { $0.certificate = certificate }
        #expect(end.notices == [.phaseChanged(.authenticating)])
        end.receive(.requestAuthenticationCertificate)
        #expect(end.output.messages == [try AuthenticationCertificate(certificate: certificate).message()])
        let challenge = hex("BE F8 9E 87 2A 32 E7 95 28 DB A7 F8 7B 67 BB 2F F3 DF A7 0C")
        try end.receive(AuthenticationChallenge(challenge: challenge))
        #expect(end.notices == [.needSignature(challenge: challenge, shape: .rsa1024)])
        end.call { $0.signatureReady([1, 2, 3], now: 0, into: &$1) }
        #expect(end.output.messages == [try AuthenticationResponse(signature: [1, 2, 3]).message()])
        end.receive(.authenticationSucceeded)
        #expect(end.notices == [.phaseChanged(.identifying)])
    }

    @Test("phases are told in the phone's order", arguments: HandshakeOrder.allCases)
    func phases(order: HandshakeOrder) throws {
        var end = end()
        var phases: [ControlPhase] = []
        func note() { for case .phaseChanged(let phase) in end.notices { phases.append(phase) } }
        func authenticate() throws {
            end.receive(.requestAuthenticationCertificate)
            note()
            try end.receive(AuthenticationChallenge(challenge: [1]))
            end.call { $0.signatureReady([1], now: 0, into: &$1) }
            end.receive(.authenticationSucceeded)
            note()
        }
        func identify() {
            end.receive(.startIdentification)
            note()
            end.receive(.identificationAccepted)
            note()
        }
        switch order {
        case .authenticationFirst:
            try authenticate()
            identify()
            #expect(phases == [.identifying, .starting])
        case .identificationFirst:
            identify()
            try authenticate()
            #expect(phases == [.identifying, .authenticating, .starting])
        }
        try end.receive(CarPlayAvailability(wired: .init(isAvailable: true)))
        #expect(end.notices == [.phaseChanged(.active), .active])
    }

    @Test("on the classic path it is active when both parts are done, and declares its displays")
    func classic() throws {
        var end = ControlEnd(
            AccessoryControlMachine(configuration: HandshakeExamples.accessory(startsSessionOnLink: false)))
        end.start()
        end.receive(.startIdentification)
        end.receive(.identificationAccepted)
        end.receive(.requestAuthenticationCertificate)
        try end.receive(AuthenticationChallenge(challenge: [1]))
        end.call { $0.signatureReady([1], now: 0, into: &$1) }
        end.receive(.authenticationSucceeded)
        #expect(end.sent == [.displayDeclaration])
        #expect(end.notices == [.phaseChanged(.starting), .phaseChanged(.active), .active])
        #expect(
            try DisplayDeclarations(end.output.messages[0]).displays == [HandshakeExamples.display])
    }

    @Test("power is told only when it is listed and configured", arguments: [true, false], [true, false])
    func power(listed: Bool, configured: Bool) {
        var end = end {
            if !listed { $0.identification.messagesSent.removeAll { $0 == .powerSourceUpdate } }
            if !configured { $0.power = nil }
        }
        end.receive(.startIdentification)
        end.receive(.identificationAccepted)
        #expect(end.sent == (listed && configured ? [.powerSourceUpdate] : []))
    }

    @Test("a refused component is dropped and the rest identified again, until nothing is left to drop")
    func reducedIdentification() throws {
        let components: [IdentificationComponent] = [
            try .usbHostTransport(id: 1, name: "usb", sessionInterface: 1),
            try .bluetoothTransport(id: 2, name: "bt", address: [2, 0, 0, 0, 0, 1]),
        ]
        var end = end { $0.identification.components = components }
        end.receive(.startIdentification)
        #expect(try Identification(end.output.messages[0]).components.map(\.kind) == [16, 17])
        try end.receive(IdentificationRejection(parameters: [17]))
        #expect(try Identification(end.output.messages[0]).components.map(\.kind) == [16])
        try end.receive(IdentificationRejection(parameters: [16]))
        #expect(try Identification(end.output.messages[0]).components == [])
        try end.receive(IdentificationRejection(parameters: [16]))
        #expect(end.failure == .identificationRefused(parameters: [16]))
    }

    @Test(
        "a refusal that names nothing or what cannot be dropped is the end",
        arguments: [[], [3], [6, 7]] as [[UInt16]])
    func refused(parameters: [UInt16]) throws {
        var end = end()
        end.receive(.startIdentification)
        try end.receive(IdentificationRejection(parameters: parameters))
        #expect(end.failure == .identificationRefused(parameters: parameters))
        #expect(end.failure?.fault == .local)
        #expect(end.notices.last == .phaseChanged(.closed))
    }

    @Test("an offer that comes before both parts are done is taken up when they are")
    func earlyAvailability() throws {
        var end = end()
        end.receive(.startIdentification)
        end.receive(.identificationAccepted)
        try end.receive(CarPlayAvailability(wired: .init(isAvailable: true)))
        #expect(end.output.isEmpty)
        end.receive(.requestAuthenticationCertificate)
        try end.receive(AuthenticationChallenge(challenge: [1]))
        end.call { $0.signatureReady([1], now: 0, into: &$1) }
        end.receive(.authenticationSucceeded)
        #expect(end.sent == [.carPlayStartSession, .displayDeclaration])
        #expect(end.machine.phase == .active)
    }

    @Test("an offer over another transport counts, one without any is waited out")
    func availability() throws {
        var end = ControlEnd(try AccessoryMatrixTests.machine(in: "starting"))
        try end.receive(CarPlayAvailability(wired: nil))
        #expect(end.machine.phase == .starting)
        try end.receive(CarPlayAvailability(wired: .init(isAvailable: false), wireless: .init(isAvailable: true)))
        #expect(end.machine.phase == .active)
    }

    @Test("every step has its deadline, set anew by progress only")
    func deadlines() throws {
        var deadlines = ControlDeadlines()
        deadlines[.request] = 1000
        deadlines[.challenge] = 2000
        deadlines[.signature] = 3000
        var end = end { $0.deadlines = deadlines }
        #expect(end.machine.nextDeadline == 1000)
        try end.receive(DeviceInformationUpdate(name: "n"), at: 500)
        try end.receive(CarPlayAvailability(wired: .init(isAvailable: true)), at: 500)
        try end.receive(PhoneCondition(progress: .proceeding), at: 500)
        #expect(end.machine.nextDeadline == 1000)
        end.receive(.requestAuthenticationCertificate, at: 900)
        #expect(end.machine.nextDeadline == 2900)
        try end.receive(AuthenticationChallenge(challenge: [1]), at: 1000)
        #expect(end.machine.nextDeadline == 4000)
        end.deadline(at: 3999)
        #expect(end.output.isEmpty)
        end.deadline(at: 4000)
        #expect(end.notices == [.failed(.stepTimedOut(.signature)), .phaseChanged(.closed)])
        #expect(end.machine.nextDeadline == nil)
    }

    @Test("while the phone waits for its user no deadline runs, then the step's own runs anew")
    func waiting() throws {
        var end = ControlEnd(try AccessoryMatrixTests.machine(in: "locked"))
        #expect(end.machine.wait == .locked)
        #expect(end.machine.nextDeadline == nil)
        end.deadline(at: 3600 * second)
        #expect(end.output.isEmpty)
        try end.receive(PhoneCondition(progress: .trustUndecided), at: 3600 * second)
        #expect(end.notices == [.waiting(.trust)])
        try end.receive(PhoneCondition(progress: .proceeding), at: 3601 * second)
        #expect(end.notices == [.resumed])
        #expect(end.machine.wait == nil)
        #expect(end.machine.nextDeadline == 3631 * second)
    }

    @Test("a challenge out of limits or an unreadable verdict names the message and the place")
    func malformed() throws {
        var end = ControlEnd(try AccessoryMatrixTests.machine(in: "certificate sent"))
        end.receive(
            ControlMessage(
                .requestAuthenticationChallengeResponse,
                parameters: ControlParameters(encoded: [0, 9, 0, 0], offset: 6)))
        guard case .malformedMessage(.requestAuthenticationChallengeResponse, let error) = end.failure else {
            Issue.record("\(end.notices)")
            return
        }
        #expect(error == WireError(.truncated(needed: 5, available: 0), offset: 10, field: "parameter 0"))
        #expect(end.failure?.fault == .peer)
    }

    @Test("an own value that fits no message is this side's failure, and can be found before")
    func unencodable() throws {
        var configuration = HandshakeExamples.accessory()
        configuration.identification.name = "a\0b"
        #expect(throws: WireError.self) { try configuration.validate() }
        var end = ControlEnd(AccessoryControlMachine(configuration: configuration))
        end.start()
        end.receive(.startIdentification)
        #expect(end.failure?.name == "control.unencodable")
        #expect(end.failure?.fault == .local)
        try HandshakeExamples.accessory().validate()
        for change: (inout AccessoryConfiguration) -> Void in [
            { $0.certificate = [UInt8](repeating: 0, count: 4097) },
            {
                $0.startSession.port = 1; $0.startSession.sourceVersion = "\0"
            },
            { $0.displays[0].pixelWidth = 0 },
        ] {
            var other = HandshakeExamples.accessory()
            change(&other)
            let copy = other
            #expect(throws: WireError.self) { try copy.validate() }
        }
    }

    @Test("a signature that cannot be made tells the signer's reason")
    func noSignature() throws {
        var end = ControlEnd(try AccessoryMatrixTests.machine(in: "signing"))
        end.call { $0.signatureFailed(reason: "no key", into: &$1) }
        #expect(end.failure == .signatureUnavailable("no key"))
        #expect(end.failure?.reason.contains("no key") == true)
    }

    @Test("every failure has a name, a fault and a reason")
    func failures() {
        let error = WireError(.missing, offset: 6, field: "parameter 0")
        let all: [(ControlFailure, String, ControlFault)] = [
            (.stepTimedOut(.challenge), "control.step-timed-out", .peer),
            (.stepTimedOut(.signature), "control.step-timed-out", .local),
            (.authenticationRefused, "control.authentication-refused", .local),
            (.identificationRefused(parameters: []), "control.identification-refused", .local),
            (.identificationRefused(parameters: [3]), "control.identification-refused", .local),
            (.credentialRefused(.signatureInvalid, nil), "control.signature-invalid", .peer),
            (.identificationUnacceptable(parameters: [1], attempts: 3), "control.identification-unacceptable", .peer),
            (.trustRefused(by: .local), "control.trust-refused", .local),
            (.trustRefused(by: .peer), "control.trust-refused", .peer),
            (.signatureUnavailable("r"), "control.signature-unavailable", .local),
            (.unexpectedMessage(.startIdentification, during: nil), "control.unexpected-message", .peer),
            (.unexpectedMessage(.startIdentification, during: .challenge), "control.unexpected-message", .peer),
            (.malformedMessage(.startIdentification, error), "control.malformed-message", .peer),
            (.unencodable(.startIdentification, error), "control.unencodable", .local),
            (.brokenStream(.noMessage(offset: 3)), "control.broken-stream", .peer),
        ]
        for (failure, name, fault) in all {
            #expect(failure.name == name)
            #expect(failure.fault == fault)
            #expect(!failure.reason.isEmpty)
        }
        #expect(Set(all.map { $0.0.reason }).count == all.count)
        for step in ControlStep.allCases {
            #expect(ControlDeadlines()[step] == (step.isLocal ? 10 : 30) * second)
            #expect(!ControlFailure.stepTimedOut(step).reason.isEmpty)
        }
    }
}
