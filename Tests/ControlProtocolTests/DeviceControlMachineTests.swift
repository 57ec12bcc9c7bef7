import ControlProtocol
import RigTestKit
import Testing
import WireBytes

@Suite("DeviceControlMachine")
struct DeviceControlMachineTests {
    typealias End = ControlEnd<DeviceControlMachine>

    private func end(_ change: (inout DeviceConfiguration) -> Void = { _ in }) -> End {
        var configuration = HandshakeExamples.device()
        change(&configuration)
        var end = End(DeviceControlMachine(configuration: configuration))
        end.start()
        return end
    }

    private func authenticate(_ end: inout End, at now: UInt64 = 0) throws {
        try end.receive(AuthenticationCertificate(certificate: FixedTestSigner.certificate), at: now)
        end.call { $0.challengeReady([UInt8](repeating: 0xAA, count: 32), now: now, into: &$1) }
        try end.receive(AuthenticationResponse(signature: [UInt8](repeating: 1, count: 64)), at: now)
        end.call { $0.verificationResult(.right, now: now, into: &$1) }
    }

    @Test("it asks for a certificate, a signature of bytes it was given, and a verdict on all three")
    func authentication() throws {
        var end = end()
        #expect(end.notices == [.phaseChanged(.authenticating)])
        #expect(end.output.messages == [ControlMessage(.requestAuthenticationCertificate)])
        try end.receive(AuthenticationCertificate(certificate: [7]))
        #expect(end.notices == [.needChallenge(count: 32)])
        let challenge = [UInt8](repeating: 0xAA, count: 32)
        end.call { $0.challengeReady(challenge, now: 0, into: &$1) }
        #expect(try end.output.messages.map { try $0.encoded() } == [hex("4040002aaa0200240000") + challenge])
        try end.receive(AuthenticationResponse(signature: [UInt8](repeating: 9, count: 64)))
        #expect(
            end.notices == [
                .verify(certificate: [7], challenge: challenge, signature: [UInt8](repeating: 9, count: 64))
            ])
        end.call { $0.verificationResult(.right, now: 0, into: &$1) }
        #expect(end.sent == [.authenticationSucceeded, .startIdentification])
        guard case .accepted(let facts) = CertificateVerdict.right else { return }
        #expect(end.notices == [.authenticated(facts), .phaseChanged(.identifying)])
    }

    @Test("identification comes first when it is so ordered")
    func identificationFirst() throws {
        var end = end { $0.order = .identificationFirst }
        #expect(end.sent == [.startIdentification])
        try end.receive(DeviceMatrixTests.identification)
        #expect(end.sent == [.identificationAccepted, .requestAuthenticationCertificate])
        try authenticate(&end)
        #expect(
            end.sent == [
                .authenticationSucceeded, .deviceLanguageUpdate, .deviceInformationUpdate,
                .deviceTransportIdentifierNotification,
            ])
        #expect(end.machine.phase == .starting)
    }

    @Test("a wrong signature is answered and fails by name")
    func wrongSignature() throws {
        var end = ControlEnd(try DeviceMatrixTests.machine(in: "verification"))
        end.call { $0.verificationResult(.wrong, now: 0, into: &$1) }
        #expect(end.sent == [.authenticationFailed])
        #expect(end.notices == [.failed(.credentialRefused(.signatureInvalid, nil)), .phaseChanged(.closed)])
    }

    @Test("the unit is told only what it listed")
    func information() throws {
        var unit = DeviceMatrixTests.identification
        unit.messagesReceived = [.deviceTimeUpdate, .carPlayAvailability]
        var end = end { $0.time = DeviceTimeUpdate(seconds: 1, zoneMinutes: 2, daylightSavingMinutes: 3) }
        try authenticate(&end)
        try end.receive(unit)
        #expect(end.sent == [.identificationAccepted, .deviceTimeUpdate])
    }

    @Test("a session is offered after the delay of a real phone, and is active when displays came")
    func starting() throws {
        var end = end()
        try authenticate(&end)
        try end.receive(DeviceMatrixTests.identification, at: 100)
        try end.receive(DeviceMatrixTests.power, at: 200)
        #expect(end.machine.nextDeadline == 100 + 20_000_000)
        end.deadline(at: 100 + 20_000_000)
        #expect(end.sent == [.carPlayAvailability])
        try end.receive(CarPlayStartSession(wiredAddresses: ["fe80::1"]), at: second)
        #expect(end.machine.step == .displays)
        try end.receive(DisplayDeclarations(displays: [HandshakeExamples.display]), at: second)
        #expect(end.notices == [.displaysDeclared([HandshakeExamples.display]), .phaseChanged(.active), .active])
    }

    @Test("a unit that declares no displays is active without")
    func withoutDisplays() throws {
        var unit = DeviceMatrixTests.identification
        unit.messagesSent.removeAll { $0 == .displayDeclaration || $0 == .powerSourceUpdate }
        var end = end()
        try authenticate(&end)
        try end.receive(unit)
        end.deadline(at: second)
        try end.receive(CarPlayStartSession(wiredAddresses: []), at: second)
        #expect(end.notices.suffix(2) == [.phaseChanged(.active), .active])
    }

    @Test("on the classic path it is active after both parts, with or without displays", arguments: [true, false])
    func classic(displays: Bool) throws {
        var unit = HandshakeExamples.accessory(startsSessionOnLink: false).sentIdentification
        if !displays { unit.messagesSent.removeAll { $0 == .displayDeclaration } }
        var end = end()
        try authenticate(&end)
        try end.receive(unit)
        if displays {
            #expect(end.machine.step == .displays)
            try end.receive(DisplayDeclarations(displays: []))
        }
        #expect(end.machine.phase == .active)
    }

    @Test("displays that come before the session's start are kept, and not awaited again")
    func earlyDisplays() throws {
        var end = ControlEnd(try DeviceMatrixTests.machine(in: "start of session"))
        try end.receive(DisplayDeclarations(displays: [HandshakeExamples.display]))
        #expect(end.notices == [.displaysDeclared([HandshakeExamples.display])])
        try end.receive(CarPlayStartSession(wiredAddresses: []))
        #expect(end.machine.phase == .active)
    }

    // MARK: Refusals

    @Test("missing parameters are all named")
    func missing() throws {
        var end = ControlEnd(try DeviceMatrixTests.machine(in: "identification"))
        var parameters = ControlParameters()
        try parameters.append(0, text: "n")
        end.receive(ControlMessage(.identificationInformation, parameters: parameters))
        #expect(
            try IdentificationRejection(end.output.messages[0]).parameterIDs() == [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13])
    }

    @Test("what a scenario refuses is refused only when it is there")
    func scenarioRefusal() throws {
        var end = end { $0.refusedParameters = [16, 17] }
        try authenticate(&end)
        var unit = DeviceMatrixTests.identification
        unit.components = [try .usbHostTransport(id: 1, name: "usb", sessionInterface: 1)]
        try end.receive(unit)
        #expect(try IdentificationRejection(end.output.messages[0]).parameterIDs() == [16])
        unit.components = []
        try end.receive(unit)
        #expect(end.sent.first == .identificationAccepted)
    }

    @Test("a unit is refused as often as allowed, the last time is told and then it is over", arguments: 1...3)
    func attempts(maximum: Int) throws {
        var end = end { $0.maximumIdentifications = maximum }
        try authenticate(&end)
        var unit = DeviceMatrixTests.identification
        unit.messagesSent.append(.authenticationCertificate)
        for attempt in 1...maximum {
            try end.receive(unit)
            #expect(end.sent == [.identificationRejected])
            #expect((end.failure != nil) == (attempt == maximum))
        }
        #expect(end.failure == .identificationUnacceptable(parameters: [6], attempts: maximum))
    }

    // MARK: The phone's user

    @Test("a locked phone goes no further than its last verdict", arguments: HandshakeOrder.allCases)
    func locked(order: HandshakeOrder) throws {
        var end = end {
            $0.order = order
            $0.conditions.isLocked = true
        }
        switch order {
        case .authenticationFirst:
            try authenticate(&end)
            #expect(end.sent == [.authenticationSucceeded, .startIdentification])
            try end.receive(DeviceMatrixTests.identification)
        case .identificationFirst:
            try end.receive(DeviceMatrixTests.identification)
            #expect(end.sent == [.identificationAccepted, .requestAuthenticationCertificate])
            try authenticate(&end)
        }
        #expect(end.output.messages == [try PhoneCondition(progress: .locked).message()])
        #expect(end.notices.last == .waiting(.locked))
        #expect(end.machine.wait == .locked)
        #expect(end.machine.nextDeadline == nil)

        end.call { $0.setConditions(PhoneConditions(), now: 9, into: &$1) }
        let verdict: MessageID = order == .authenticationFirst ? .identificationAccepted : .authenticationSucceeded
        #expect(end.sent.prefix(2) == [.phoneCondition, verdict])
        #expect(end.notices.first == .resumed)
    }

    @Test("a unit that does not take D501 is told nothing of it")
    func silentWait() throws {
        var unit = DeviceMatrixTests.identification
        unit.messagesReceived.removeAll { $0 == .phoneCondition }
        var end = end { $0.conditions.isLocked = true }
        try authenticate(&end)
        try end.receive(unit)
        #expect(end.output.messages == [])
        #expect(end.notices == [.waiting(.locked)])
        end.call { $0.setConditions(PhoneConditions(trust: .refused), now: 0, into: &$1) }
        #expect(end.sent == [.identificationRejected])
    }

    @Test("unlocking a phone whose user has not decided shows the next thing to wait for")
    func lockedThenUndecided() throws {
        var end = ControlEnd(try DeviceMatrixTests.machine(in: "locked"))
        end.call { $0.setConditions(PhoneConditions(trust: .undecided), now: 0, into: &$1) }
        #expect(end.notices == [.waiting(.trust)])
        #expect(end.output.messages == [try PhoneCondition(progress: .trustUndecided).message()])
        end.call { $0.setConditions(PhoneConditions(trust: .refused), now: 0, into: &$1) }
        #expect(end.failure == .trustRefused(by: .local))
        #expect(end.sent == [.phoneCondition, .identificationRejected])
    }

    @Test("a locked phone cannot refuse before it is unlocked")
    func lockedAndRefused() throws {
        var end = end { $0.conditions = PhoneConditions(isLocked: true, trust: .refused) }
        try authenticate(&end)
        try end.receive(DeviceMatrixTests.identification)
        #expect(end.notices == [.waiting(.locked)])
        end.call { $0.setConditions(PhoneConditions(trust: .refused), now: 0, into: &$1) }
        #expect(end.failure == .trustRefused(by: .local))
    }

    @Test("refusal is an AA04 when the signature's verdict is the last")
    func refusedIdentificationFirst() throws {
        var end = end {
            $0.order = .identificationFirst
            $0.conditions.trust = .refused
        }
        try end.receive(DeviceMatrixTests.identification)
        try authenticate(&end)
        #expect(end.sent == [.phoneCondition, .authenticationFailed])
        #expect(end.failure == .trustRefused(by: .local))
    }

    @Test("what a phone refuses is decided when it gives its verdict", arguments: [true, false])
    func refusedWhileItTakesItsTime(isRefused: Bool) throws {
        var slow = PhoneConditions(answerDelay: 500)
        func end(_ refusal: PhoneRefusal, _ order: HandshakeOrder) -> End {
            var before = slow
            before.refusal = isRefused ? nil : refusal
            return self.end {
                $0.order = order
                $0.conditions = before
            }
        }
        var identified = end(.identification, .identificationFirst)
        identified.deadline(at: 500)
        try identified.receive(DeviceMatrixTests.identification, at: 600)
        slow.refusal = isRefused ? .identification : nil
        identified.call { $0.setConditions(slow, now: 700, into: &$1) }
        identified.deadline(at: 1_100)
        #expect(identified.failure == (isRefused ? .setToRefuse(.identification) : nil))
        #expect(identified.sent.last == (isRefused ? .identificationRejected : .identificationAccepted))

        var authenticated = end(.signature, .authenticationFirst)
        authenticated.deadline(at: 500)
        try authenticated.receive(AuthenticationCertificate(certificate: [1]), at: 600)
        authenticated.call { $0.challengeReady([UInt8](repeating: 1, count: 32), now: 600, into: &$1) }
        authenticated.deadline(at: 1_100)
        try authenticated.receive(AuthenticationResponse(signature: [1]), at: 1_200)
        let facts = CertificateFacts(subject: "CN=x", serial: "01", notAfter: 0, shape: .p256)
        authenticated.call { $0.verificationResult(.accepted(facts), now: 1_200, into: &$1) }
        slow.refusal = isRefused ? .signature : nil
        authenticated.call { $0.setConditions(slow, now: 1_300, into: &$1) }
        authenticated.deadline(at: 1_700)
        #expect(authenticated.failure == (isRefused ? .setToRefuse(.signature) : nil))
        #expect(authenticated.sent.last == (isRefused ? .authenticationFailed : .authenticationSucceeded))
    }

    @Test("a slow phone lets its delay pass before every answer, and no longer")
    func slow() throws {
        var end = end { $0.conditions.answerDelay = 500 }
        #expect(end.sent == [])
        #expect(end.machine.nextDeadline == 500)
        end.deadline(at: 499)
        #expect(end.output.isEmpty)
        end.deadline(at: 500)
        #expect(end.sent == [.requestAuthenticationCertificate])
        #expect(end.machine.nextDeadline == 500 + 30 * second)
        try end.receive(AuthenticationCertificate(certificate: [1]), at: 600)
        end.call { $0.challengeReady([UInt8](repeating: 1, count: 32), now: 600, into: &$1) }
        #expect(end.sent == [])
        #expect(end.machine.step == nil)
        end.deadline(at: 1100)
        #expect(end.sent == [.requestAuthenticationChallengeResponse])
        try end.receive(AuthenticationResponse(signature: [UInt8](repeating: 1, count: 64)), at: 1200)
        end.call { $0.verificationResult(.right, now: 1200, into: &$1) }
        end.deadline(at: 1700)
        #expect(end.sent == [.authenticationSucceeded])
        end.deadline(at: 2200)
        #expect(end.sent == [.startIdentification])
        try end.receive(DeviceMatrixTests.identification, at: 2200)
        end.deadline(at: 2700)
        #expect(end.sent.first == .identificationAccepted)
        // The longer of both delays counts.
        try end.receive(DeviceMatrixTests.power, at: 2700)
        #expect(end.machine.nextDeadline == 2700 + 20_000_000)
    }

    @Test("a phone that is slow for ever does not overflow")
    func endlesslySlow() {
        var configuration = HandshakeExamples.device()
        configuration.conditions.answerDelay = .max
        var end = End(DeviceControlMachine(configuration: configuration))
        end.start(at: 5)
        #expect(end.machine.nextDeadline == .max)
    }

    @Test(
        "every step of the unit has its deadline",
        arguments: [
            ("certificate", ControlStep.certificate), ("bytes", .challengeBytes), ("response", .response),
            ("verification", .verification), ("identification", .identification), ("start of session", .startSession),
            ("displays", .displays),
        ])
    func deadlines(state: String, step: ControlStep) throws {
        var end = ControlEnd(try DeviceMatrixTests.machine(in: state))
        let deadline = try #require(end.machine.nextDeadline)
        end.deadline(at: deadline - 1)
        #expect(end.output.isEmpty)
        end.deadline(at: deadline)
        #expect(end.failure == .stepTimedOut(step))
    }

    @Test("a configuration that no phone can run with is refused by name")
    func validation() throws {
        try HandshakeExamples.device().validate()
        for change: (inout DeviceConfiguration) -> Void in [
            { $0.challengeLength = 0 }, { $0.challengeLength = 257 }, { $0.maximumIdentifications = 0 },
            { $0.name = "\0" }, { $0.language = "\0" }, { $0.identifiers.usb = "\0" },
            { $0.availability.wired?.identifier = "\0" },
        ] {
            var configuration = HandshakeExamples.device()
            change(&configuration)
            let copy = configuration
            #expect(throws: WireError.self) { try copy.validate() }
        }
        var edge = HandshakeExamples.device()
        edge.challengeLength = 256
        edge.maximumIdentifications = 1
        try edge.validate()
    }
}
