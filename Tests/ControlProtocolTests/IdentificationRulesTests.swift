import ControlProtocol
import RigTestKit
import Testing
import WireBytes

@Suite("Identification: what a phone refuses and what a unit tries again")
struct IdentificationRulesTests {
    static let base = HandshakeExamples.accessory().sentIdentification

    @Test("what starts something is listed with what stops it")
    func startsAndStops() {
        var unit = Self.base
        unit.messagesSent += [MessageID(0xAE00), MessageID(0x5000), MessageID(0x5002), .startHID]
        unit.messagesReceived += [.startLocationInformation, MessageID(0xA100), MessageID(0xA102)]
        #expect(
            unit.refusals == [
                ParameterRefusal(6, messages: [MessageID(0xAE00), .startHID]),
                ParameterRefusal(7, messages: [.startLocationInformation]),
            ])
        unit.messagesSent += [MessageID(0xAE02), .stopHID]
        unit.messagesReceived += [MessageID(0xFFFC)]
        #expect(unit.refusals == [])
    }

    @Test("numbers are packed, and none is seen across two of them")
    func packed() throws {
        var unit = Self.base
        unit.messagesReceived = [0x1D02, 0x4E0E, 0xAE00, 0x4E0A].map { MessageID($0) }
        let value = try unit.message().parameters.required(7).value
        #expect(Array(value) == hex("1D 02 4E 0E AE 00 4E 0A"))
        #expect(!unit.messagesReceived.contains(MessageID(0x024E)))
    }

    @Test("the lists of a real unit, by the classic path, are accepted")
    func realLists() throws {
        var unit = Self.base
        unit.messagesSent = [0xAE00, 0xAE02, 0xAE03, 0xFFFB, 0x5000, 0x5002, 0x4154, 0x4156].map { MessageID($0) }
        unit.messagesReceived = [
            0xAE01, 0xFFFA, 0xFFFC, 0xFFF0, 0x5001, 0x4E09, 0x4E0A, 0x4E0B, 0x4E0C, 0x4E0E, 0x4155,
        ].map { MessageID($0) }
        unit.components = [try .usbHostTransport(id: 1, name: "usb", sessionInterface: 1)]
        #expect(unit.refusals == [])
        #expect(!unit.startsSessionOnLink)
    }

    @Test("a component that cannot be read is refused whole, once for its kind")
    func components() throws {
        var unit = Self.base
        var filled = try IdentificationComponent.bluetoothTransport(id: 1, name: "bt", address: [1, 2, 3, 4, 5, 6])
        filled.parameters = ControlParameters()
        filled.parameters.append(0, 1 as UInt16)
        try filled.parameters.append(1, text: "bt")
        filled.parameters.append(2, true)
        unit.components = [filled, filled, try .vehicleInformation(id: 2, name: "v", engine: 0, displayName: "v")]
        #expect(unit.refusals == [ParameterRefusal(17)])
    }

    @Test("what was refused is left out, and nothing else")
    func reduced() throws {
        var unit = Self.base
        unit.appMatchTeamIdentifier = "TEAM"
        unit.components = [
            try .usbHostTransport(id: 1, name: "usb", sessionInterface: 1),
            try .vehicleInformation(id: 2, name: "v", engine: 0, displayName: "v"),
        ]
        var expected = unit
        expected.components.removeLast()
        expected.appMatchTeamIdentifier = nil
        expected.messagesSent.removeAll { $0 == .powerSourceUpdate }
        #expect(
            unit.reduced(by: [
                ParameterRefusal(6, messages: [.powerSourceUpdate]), ParameterRefusal(11), ParameterRefusal(20),
            ]) == expected)
        // Nothing named, a whole list, a message that is not in it, a component or a team that is not there.
        for refusals: [ParameterRefusal] in [
            [], [ParameterRefusal(6)], [ParameterRefusal(7)], [ParameterRefusal(6, messages: [.startHID])],
            [ParameterRefusal(0)], [ParameterRefusal(24)], [ParameterRefusal(20), ParameterRefusal(3)],
        ] {
            #expect(unit.reduced(by: refusals) == nil, "\(refusals)")
        }
        expected.appMatchTeamIdentifier = nil
        #expect(expected.reduced(by: [ParameterRefusal(11)]) == nil)
    }

    @Test("the team travels as text")
    func team() throws {
        var unit = Self.base
        unit.appMatchTeamIdentifier = "ABCDE12345"
        let message = try unit.message()
        #expect(try Identification(message) == unit)
        #expect(try message.parameters.required(11).text() == "ABCDE12345")
    }

    @Test("a refusal names the messages, or not, as the phone is set", arguments: [true, false])
    func rejection(named: Bool) throws {
        var unit = Self.base
        unit.messagesSent.append(MessageID(0x415A))
        unit.messagesSent.append(MessageID(0xAE00))
        var configuration = HandshakeExamples.device()
        configuration.order = .identificationFirst
        configuration.namesRefusedMessages = named
        var end = ControlEnd(DeviceControlMachine(configuration: configuration))
        end.start()
        try end.receive(unit)
        #expect(end.sent == [.identificationRejected])
        let expected = hex(named ? "40 40 00 0C 1D 03 00 06 00 06 AE 00" : "40 40 00 0A 1D 03 00 04 00 06")
        #expect(try end.output.messages[0].encoded() == expected)
    }

    @Test("case 13: an identification is refused and tried again without its optional parts, until it is accepted")
    func retried() throws {
        var accessory = HandshakeExamples.accessory()
        accessory.identification.messagesSent.append(MessageID(0x5000))
        accessory.identification.components = [
            try .usbHostTransport(id: 1, name: "usb", sessionInterface: 1),
            try .vehicleInformation(id: 2, name: "car", engine: 2, displayName: "car"),
        ]
        var device = HandshakeExamples.device()
        device.refusedParameters = [20]
        var pair = EndpointPair(accessory: accessory, device: device)
        pair.start()
        drive(&pair, until: HandshakeTests.isActive)
        #expect(HandshakeTests.isActive(pair))
        #expect(pair.accessory.control.identification?.components.map(\.kind) == [16])
        #expect(pair.accessory.control.identification?.messagesSent.contains(MessageID(0x5000)) == false)
        #expect(
            pair.accessory.controlNotices.contains(
                .identificationReduced([
                    ParameterRefusal(6, messages: [MessageID(0x5000)]), ParameterRefusal(20),
                ])))
    }

    @Test("case 13: a list that is refused whole cannot be tried again, and that is told with its number")
    func refusedWhole() {
        var accessory = HandshakeExamples.accessory()
        accessory.identification.messagesSent.append(MessageID(0x5000))
        var device = HandshakeExamples.device()
        device.namesRefusedMessages = false
        var pair = EndpointPair(accessory: accessory, device: device)
        pair.start()
        drive(&pair)
        #expect(pair.accessory.failure == .identificationRefused(parameters: [6]))
        #expect(pair.accessory.failure?.fault == .local)
    }

    @Test("case 13: a phone that looks at one identification only says so")
    func impatient() throws {
        var accessory = HandshakeExamples.accessory()
        accessory.identification.components = [try .vehicleInformation(id: 2, name: "c", engine: 2, displayName: "c")]
        var device = HandshakeExamples.device()
        device.refusedParameters = [20]
        device.maximumIdentifications = 1
        var pair = EndpointPair(accessory: accessory, device: device)
        pair.start()
        drive(&pair)
        #expect(pair.device.failure == .identificationUnacceptable(parameters: [20], attempts: 1))
    }

    @Test("a message that was dropped from the lists is not sent: a refused D500 makes a session without displays")
    func droppedDisplays() throws {
        var end = ControlEnd(AccessoryControlMachine(configuration: HandshakeExamples.accessory()))
        end.start()
        end.receive(.startIdentification)
        try end.receive(IdentificationRejection([ParameterRefusal(6, messages: [.displayDeclaration])]))
        end.receive(.identificationAccepted)
        end.receive(.requestAuthenticationCertificate)
        try end.receive(AccessoryMatrixTests.challenge)
        end.call { $0.signatureReady([1], now: 0, into: &$1) }
        end.receive(.authenticationSucceeded)
        try end.receive(CarPlayAvailability(wired: .init(isAvailable: true)))
        #expect(end.sent == [.carPlayStartSession])
        #expect(end.machine.phase == .active)
    }

    @Test("a unit that is something else while it runs is published so on both sides")
    func update() throws {
        var pair = HandshakeTests.pair()
        drive(&pair, until: HandshakeTests.isActive)
        var update = IdentificationUpdate()
        update.name = "Other"
        update.currentLanguage = "ko"
        pair.withAccessory { end, now in
            end.withControl(now: now) { control, output in
                do throws(ControlSendError) {
                    try control.updateIdentification(update, into: &output)
                } catch {
                    Issue.record("\(error.reason)")
                }
            }
        }
        drive(&pair)
        #expect(pair.accessory.control.identification?.name == "Other")
        guard case .identificationUpdated(let unit)? = pair.device.controlNotices.last else {
            Issue.record("nothing was told")
            return
        }
        #expect(unit.name == "Other" && unit.currentLanguage == "ko" && unit.manufacturer == "Dashrig")
        #expect(pair.device.control.phase == .active)
    }

    @Test("an identification that is taken back ends both sides by name")
    func cancelled() throws {
        var pair = HandshakeTests.pair(conditions: PhoneConditions(isLocked: true))
        drive(&pair) { $0.device.control.wait == .locked }
        pair.withAccessory { end, now in
            end.withControl(now: now) { control, output in
                try? control.cancelIdentification(into: &output)
            }
        }
        drive(&pair)
        #expect(pair.accessory.failure == .identificationCancelled(by: .local))
        #expect(pair.device.failure == .identificationCancelled(by: .peer))
        #expect(pair.nextDue == nil)
    }
}
