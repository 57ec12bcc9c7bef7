import ControlProtocol
import LinkProtocol
import RigTestKit
import Testing
import WireBytes

/// What a phone's user and surroundings do, on whole ends.
@Suite("Phone behaviour")
struct PhoneBehaviourTests {
    private func set(_ conditions: PhoneConditions, on pair: inout EndpointPair) {
        pair.withDevice { end, now in
            end.withControl(now: now) { $0.setConditions(conditions, now: now, into: &$1) }
        }
    }

    /// The numbers of the control messages that one side sent, in order.
    private func sent(by side: EndpointPair.Side, in pair: EndpointPair) -> [MessageID] {
        pair.sent.filter { $0.from == side && $0.bytes.count > 15 && $0.bytes[9...10] == [0x40, 0x40] }
            .map { MessageID(UInt16($0.bytes[13]) << 8 | UInt16($0.bytes[14])) }
    }

    @Test("case 17: both orders end in an active session", arguments: HandshakeOrder.allCases)
    func orders(order: HandshakeOrder) {
        var pair = HandshakeTests.pair(order: order)
        drive(&pair, until: HandshakeTests.isActive)
        let asked = sent(by: .device, in: pair).filter(\.isFramework)
        let authentication: [MessageID] = [
            .requestAuthenticationCertificate, .requestAuthenticationChallengeResponse, .authenticationSucceeded,
        ]
        let identification: [MessageID] = [.startIdentification, .identificationAccepted]
        #expect(
            asked == (order == .authenticationFirst ? authentication + identification : identification + authentication)
        )
    }

    // MARK: Classic path, case 14

    @Test("the phone pushes what the unit listed, in the order of real phones, and nothing else")
    func pushes() {
        var accessory = HandshakeExamples.accessory(startsSessionOnLink: false, displays: [])
        accessory.identification.messagesReceived = [
            .deviceTransportIdentifierNotification, .wirelessSessionUpdate, .deviceInformationUpdate,
            .deviceLanguageUpdate, .deviceTimeUpdate, .deviceUUIDUpdate, .requestAccessoryWiFiConfiguration,
        ]
        var device = HandshakeExamples.device()
        device.uuid = "550e8400-e29b-41d4-a716-446655440000"
        device.time = DeviceTimeUpdate(seconds: 1, zoneMinutes: 0, daylightSavingMinutes: 0)
        device.wirelessSession = .available
        var pair = EndpointPair(accessory: accessory, device: device)
        pair.start()
        drive(&pair, until: HandshakeTests.isActive)
        #expect(HandshakeTests.isActive(pair))
        #expect(sent(by: .device, in: pair).filter { !$0.isFramework } == DeviceConfiguration.pushes)
        #expect(sent(by: .accessory, in: pair).filter { !$0.isFramework } == [.powerSourceUpdate])
    }

    @Test("case 14: a unit that waits for 4E0E and 4E0A goes on when both have come", arguments: [true, false])
    func waits(startsSessionOnLink: Bool) {
        var accessory = HandshakeExamples.accessory(startsSessionOnLink: startsSessionOnLink)
        accessory.awaited = [.deviceTransportIdentifierNotification, .deviceLanguageUpdate]
        var device = HandshakeExamples.device()
        device.conditions.delays[.information] = 2 * second
        var pair = EndpointPair(accessory: accessory, device: device)
        pair.start()
        drive(&pair) { $0.accessory.control.step == .information }
        #expect(pair.accessory.control.step == .information)
        drive(&pair, until: HandshakeTests.isActive)
        #expect(HandshakeTests.isActive(pair))
    }

    @Test("case 14: a phone that never tells it is a timeout of that name", arguments: [true, false])
    func waitsInVain(startsSessionOnLink: Bool) {
        var accessory = HandshakeExamples.accessory(startsSessionOnLink: startsSessionOnLink)
        accessory.awaited = [.deviceTransportIdentifierNotification, .deviceLanguageUpdate]
        var device = HandshakeExamples.device()
        device.pushes.removeAll { $0 == .deviceTransportIdentifierNotification }
        device.deadlines = ControlDeadlines(remote: 60 * second)
        var pair = EndpointPair(accessory: accessory, device: device)
        pair.start()
        drive(&pair)
        #expect(pair.accessory.failure == .stepTimedOut(.information))
        #expect(pair.accessory.failure?.fault == .peer)
    }

    @Test("a unit that lists 4300 and 4301 and never sends 4301 is a timeout of that name")
    func neverStarts() throws {
        var end = ControlEnd(try DeviceMatrixTests.machine(in: "start of session"))
        let deadline = try #require(end.machine.nextDeadline)
        end.deadline(at: deadline)
        #expect(end.failure == .stepTimedOut(.startSession))
        #expect(end.failure?.fault == .peer)
    }

    // MARK: AE03 before 4300

    @Test("4300 goes a while behind the unit's AE03, never before it")
    func powerFirst() throws {
        var configuration = HandshakeExamples.device()
        configuration.startDelay = 0
        configuration.powerQuiet = 5_000_000
        func identified() throws -> ControlEnd<DeviceControlMachine> {
            var end = ControlEnd(DeviceControlMachine(configuration: configuration))
            end.start()
            try end.receive(AuthenticationCertificate(certificate: [1]))
            end.call { $0.challengeReady([UInt8](repeating: 1, count: 32), now: 0, into: &$1) }
            try end.receive(AuthenticationResponse(signature: [UInt8](repeating: 1, count: 64)))
            end.call { $0.verificationResult(.right, now: 0, into: &$1) }
            try end.receive(DeviceMatrixTests.identification)
            return end
        }
        var end = try identified()
        #expect(end.machine.pendingAnswer == .sessionOffer)
        #expect(end.machine.nextDeadline == second)
        end.deadline(at: second / 2)
        #expect(end.output.isEmpty)
        try end.receive(DeviceMatrixTests.power, at: second / 2)
        #expect(!end.sent.contains(.carPlayAvailability))
        #expect(end.machine.nextDeadline == second / 2 + 5_000_000)
        end.deadline(at: second / 2 + 5_000_000)
        #expect(end.sent == [.carPlayAvailability])
        // A unit that lists AE03 and never sends it is odd, and gets its offer.
        end = try identified()
        end.deadline(at: second)
        #expect(end.sent == [.carPlayAvailability])
        guard case .irregularity(let odd)? = end.notices.first else {
            Issue.record("nothing odd")
            return
        }
        #expect(odd.rule == .powerNotTold && odd.fault == .peer && odd.reaction == .keep)
        // Told before its turn, in the other order.
        configuration.order = .identificationFirst
        configuration.powerQuiet = 0
        end = ControlEnd(DeviceControlMachine(configuration: configuration))
        end.start()
        try end.receive(DeviceMatrixTests.identification)
        try end.receive(DeviceMatrixTests.power)
        try end.receive(AuthenticationCertificate(certificate: [1]))
        end.call { $0.challengeReady([UInt8](repeating: 1, count: 32), now: 0, into: &$1) }
        try end.receive(AuthenticationResponse(signature: [UInt8](repeating: 1, count: 64)))
        end.call { $0.verificationResult(.right, now: 0, into: &$1) }
        #expect(end.sent.last == .carPlayAvailability)
    }

    @Test("on whole ends 4300 leaves at least the quiet time behind AE03", arguments: HandshakeOrder.allCases)
    func powerFirstOnEnds(order: HandshakeOrder) throws {
        var device = HandshakeExamples.device(order: order)
        device.startDelay = 0
        var pair = EndpointPair(accessory: HandshakeExamples.accessory(), device: device)
        pair.start()
        drive(&pair, until: HandshakeTests.isActive)
        func time(_ id: UInt16) -> UInt64? {
            pair.sent.first {
                $0.bytes.count > 14 && $0.bytes[13] == UInt8(id >> 8) && $0.bytes[14] == UInt8(id & 0xFF)
            }?
            .time
        }
        let power = try #require(time(0xAE03))
        let offer = try #require(time(0x4300))
        #expect(offer >= power + device.powerQuiet)
    }

    // MARK: Waiting

    @Test("a user who is slow to trust does it after the time that was set", arguments: [0, 1, 60, 90] as [UInt64])
    func slowToTrust(seconds: UInt64) {
        var pair = HandshakeTests.pair(
            conditions: PhoneConditions(trust: .undecided, trustAfter: seconds * second))
        if seconds > 0 {
            drive(&pair) { $0.accessory.control.wait == .trust }
            #expect(pair.accessory.control.wait == .trust)
        }
        drive(&pair, until: HandshakeTests.isActive)
        #expect(HandshakeTests.isActive(pair))
        // At most 60 s, whatever is set.
        #expect(pair.now >= min(seconds, 60) * second && pair.now < (min(seconds, 60) + 2) * second)
    }

    @Test(
        "CarPlay that is switched off holds the session without a deadline and lets it go on", arguments: [true, false])
    func carPlayOff(startsSessionOnLink: Bool) {
        var pair = HandshakeTests.pair(
            startsSessionOnLink: startsSessionOnLink, conditions: PhoneConditions(isCarPlayOn: false))
        run(&pair, for: 3600 * second)
        #expect(pair.device.control.wait == .carPlayOff)
        #expect(pair.device.control.phase == .starting)
        if startsSessionOnLink { #expect(pair.accessory.control.wait == .carPlayOff) }
        #expect(pair.device.failure == nil && pair.accessory.failure == nil)
        set(PhoneConditions(), on: &pair)
        drive(&pair, until: HandshakeTests.isActive)
        #expect(HandshakeTests.isActive(pair))
        #expect(pair.device.controlNotices.filter { $0 == .resumed }.count == 1)
    }

    @Test("CarPlay that is switched off just before the offer holds it as well")
    func carPlayOffLate() throws {
        var end = ControlEnd(try DeviceMatrixTests.machine(in: "offering"))
        end.call { $0.setConditions(PhoneConditions(isCarPlayOn: false), now: 0, into: &$1) }
        #expect(end.output.isEmpty)
        end.deadline(at: second)
        #expect(end.notices == [.waiting(.carPlayOff)])
        #expect(try CarPlayAvailability(end.output.messages[0]).isOffer == false)
        end.call { $0.setConditions(PhoneConditions(), now: second, into: &$1) }
        end.deadline(at: 2 * second)
        #expect(try CarPlayAvailability(end.output.messages[0]).isOffer)
    }

    @Test("a phone with no transport to offer waits by the same name")
    func nothingToOffer() {
        var device = HandshakeExamples.device()
        device.availability = CarPlayAvailability(wired: .init(isAvailable: false))
        var pair = EndpointPair(accessory: HandshakeExamples.accessory(), device: device)
        pair.start()
        run(&pair, for: 100 * second)
        #expect(pair.device.control.wait == .carPlayOff && pair.accessory.control.wait == .carPlayOff)
    }

    @Test("every answer can be delayed on its own, by up to 2 s", arguments: PhoneAnswer.allCases)
    func delays(answer: PhoneAnswer) {
        var conditions = PhoneConditions()
        conditions.delays[answer] = 5 * second
        #expect(conditions.delays[answer] == 2 * second)
        var pair = HandshakeTests.pair(conditions: conditions)
        drive(&pair) { $0.device.control.pendingAnswer == answer }
        #expect(pair.device.control.pendingAnswer == answer)
        drive(&pair, until: HandshakeTests.isActive)
        #expect(HandshakeTests.isActive(pair))
        #expect(pair.now >= 2 * second && pair.now < 4 * second, "\(pair.now)")
    }

    // MARK: Refusing

    @Test("a phone that is set to refuse a step does so by name, and the unit knows", arguments: PhoneRefusal.allCases)
    func refusals(refusal: PhoneRefusal) {
        var pair = HandshakeTests.pair(conditions: PhoneConditions(refusal: refusal))
        drive(&pair)
        switch refusal {
        case .certificate, .signature:
            #expect(pair.device.failure == .setToRefuse(refusal))
            #expect(pair.accessory.failure == .authenticationRefused)
            #expect(pair.device.failure?.kind == .authentication)
        case .identification:
            #expect(pair.device.failure == .setToRefuse(.identification))
            #expect(pair.accessory.failure == .identificationRefused(parameters: []))
        case .trust:
            #expect(pair.device.failure == .trustRefused(by: .local))
            #expect(pair.accessory.failure == .trustRefused(by: .peer))
        case .session:
            #expect(pair.device.controlNotices.contains(.waiting(.sessionRefused)))
            #expect(pair.accessory.failure == .stepTimedOut(.availability))
        }
        #expect(pair.nextDue == nil)
        #expect(pair.device.failure?.fault != .peer)
    }

    @Test("a phone that offers no session offers one when it may")
    func refusesSession() {
        var pair = HandshakeTests.pair(conditions: PhoneConditions(refusal: .session))
        drive(&pair) { $0.device.control.wait == .sessionRefused }
        set(PhoneConditions(), on: &pair)
        drive(&pair, until: HandshakeTests.isActive)
        #expect(HandshakeTests.isActive(pair))
    }

    // MARK: Wrong order

    @Test(
        "a phone in the wrong order is lived with where that is possible, and is a violation of its own elsewhere",
        arguments: PhoneMisorder.allCases, HandshakeOrder.allCases)
    func misorders(misorder: PhoneMisorder, order: HandshakeOrder) {
        var pair = HandshakeTests.pair(order: order, conditions: PhoneConditions(misorder: misorder))
        drive(&pair)
        switch misorder {
        case .identificationEarly, .offerFirst:
            #expect(HandshakeTests.isActive(pair))
            return
        case .challengeFirst:
            #expect(
                pair.accessory.failure
                    == .unexpectedMessage(.requestAuthenticationChallengeResponse, during: .request))
        case .resultFirst:
            #expect(pair.accessory.failure == .unexpectedMessage(.authenticationSucceeded, during: .challenge))
        case .acceptanceFirst:
            #expect(pair.accessory.failure == .unexpectedMessage(.identificationAccepted, during: .request))
        }
        #expect(pair.accessory.failure?.fault == .peer)
        #expect(pair.accessory.failure?.irregularity?.rule == .outOfPlace)
        #expect(pair.device.linkFailure == .resetByPeer)
    }

    @Test("1D00 and AA00 together: both parts run side by side")
    func early() {
        var pair = HandshakeTests.pair(conditions: PhoneConditions(misorder: .identificationEarly))
        drive(&pair, until: HandshakeTests.isActive)
        #expect(
            sent(by: .device, in: pair).filter(\.isFramework) == [
                .requestAuthenticationCertificate, .startIdentification, .requestAuthenticationChallengeResponse,
                .authenticationSucceeded, .identificationAccepted,
            ])
    }

    @Test("every wait says what has to happen")
    func reasons() {
        #expect(Set(ControlWait.allCases.map(\.reason)).count == ControlWait.allCases.count)
    }
}
