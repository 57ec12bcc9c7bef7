import ControlProtocol
import RigTestKit
import Testing
import WireBytes

@Suite("Identification")
struct IdentificationTests {
    static func captured() throws -> Identification {
        try Identification(try ControlMessage(parsing: hex(ControlVector.identification)[...]))
    }

    @Test("the accepted identification is read")
    func reads() throws {
        let value = try Self.captured()
        #expect(value.name == "Bench-HU-001")
        #expect(value.modelIdentifier == "Magic-Car-Link-1.00")
        #expect(value.manufacturer == "Magic Tec.")
        #expect(value.serialNumber == "2025.02.25.1521626a")
        #expect(value.firmwareVersion == "1.0.0")
        #expect(value.hardwareVersion == "1.0.0")
        #expect(value.messagesSent.map(\.rawValue) == [0x5703])
        #expect(value.messagesReceived.map(\.rawValue) == [0x4E0A, 0x4E0B, 0x5702, 0x4E0D, 0x4E0E])
        #expect(value.powerProvidingCapability == 2)
        #expect(value.maximumCurrentDrawn == 0)
        #expect(value.currentLanguage == "en")
        #expect(value.supportedLanguages == ["en"])
        #expect(value.components.map(\.kind) == [17, 20, 24, 30])
        #expect(try value.components.map { try $0.id() } == [1, 1, 2, 42])
        #expect(
            try value.components.map { try $0.name() } == [
                "IAP2-Bluetooth", "Bench-HU-001", "IAP2-Wireless", "RouteGuidance",
            ])
        #expect(!value.startsSessionOnLink)
        #expect(!value.declaresDisplays)
        #expect(value.refusedParameters == [])
    }

    @Test("the accepted identification is written byte for byte, alone and in its link packet's payload")
    func writes() throws {
        #expect(try Self.captured().message().encoded() == hex(ControlVector.identification))
    }

    @Test("built components have the bytes of the known ones")
    func components() throws {
        let captured = try Self.captured()
        #expect(
            try IdentificationComponent.bluetoothTransport(id: 1, name: "IAP2-Bluetooth", address: [2, 0, 0, 0, 0, 1])
                == captured.components[0])
        #expect(
            try IdentificationComponent.vehicleInformation(
                id: 1, name: "Bench-HU-001", engine: 0, displayName: "Bench-HU-001") == captured.components[1])
        var parameters = ControlParameters()
        let host = try IdentificationComponent.usbHostTransport(id: 0, name: "USBHostTransport", sessionInterface: 3)
        try parameters.append(host.kind, group: host.parameters)
        #expect(
            Array(parameters.encoded)
                == hex(
                    """
                    00 2C 00 10 00 06 00 00 00 00 00 15 00 01 55 53 42 48 6F 73 74 54 72 61 6E 73 70 6F 72 74 00
                    00 04 00 02 00 05 00 03 03 00 04 00 04
                    """))
        let plain = try IdentificationComponent.usbHostTransport(id: 0, name: "x", sessionInterface: nil)
        #expect(try plain.parameters.first(3) == nil)
    }

    @Test("components before and after the languages keep their place")
    func order() throws {
        var value = try Self.captured()
        value.components.insert(IdentificationComponent(kind: 10, parameters: ControlParameters()), at: 0)
        let again = try Identification(try value.message())
        #expect(again == value)
        #expect(
            try value.message().parameters.all().map(\.id) == [
                0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 17, 20, 24, 30,
            ])
    }

    @Test("each mandatory parameter is missed", arguments: Identification.mandatoryParameters)
    func missing(id: UInt16) throws {
        let whole = try ControlMessage(parsing: hex(ControlVector.identification)[...])
        var parameters = ControlParameters()
        for parameter in try whole.parameters.all() where parameter.id != id {
            try parameters.append(parameter.id, bytes: parameter.value)
        }
        #expect("parameter \(id)") {
            _ = try Identification(parameters: parameters)
        } throws: {
            guard let error = $0 as? WireError else { return false }
            return error.kind == .missing && error.field == "parameter \(id)"
        }
    }

    @Test("lists are taken up to their number")
    func limits() throws {
        func check(_ limit: Int, _ change: (inout Identification, Int) -> Void) throws {
            var value = try Self.captured()
            change(&value, limit)
            #expect(try Identification(try value.message()) == value)
            change(&value, limit + 1)
            #expect(throws: WireError.self) { try Identification(try value.message()) }
        }
        try check(512) { $0.messagesSent = [MessageID](repeating: MessageID(1), count: $1) }
        try check(512) { $0.messagesReceived = [MessageID](repeating: MessageID(1), count: $1) }
        try check(64) { $0.supportedLanguages = [String](repeating: "en", count: $1) }
        try check(64) {
            $0.components = [IdentificationComponent](
                repeating: IdentificationComponent(kind: 40, parameters: ControlParameters()), count: $1)
        }
        try check(256) { $0.name = String(repeating: "n", count: $1) }
        var none = try Self.captured()
        none.supportedLanguages = []
        #expect(throws: WireError.self) { try Identification(try none.message()) }
    }

    @Test("what a phone refuses is named")
    func refused() throws {
        var value = try Self.captured()
        value.messagesSent.append(.authenticationCertificate)
        value.messagesReceived.append(.startIdentification)
        value.components.removeAll { $0.kind == IdentificationComponent.bluetoothTransport }
        #expect(value.refusedParameters == [6, 7, 24])
    }

    @Test("a session starts on the link only when both messages are listed")
    func startsSessionOnLink() throws {
        var value = try Self.captured()
        value.messagesSent.append(.carPlayStartSession)
        #expect(!value.startsSessionOnLink)
        value.messagesReceived.append(.carPlayAvailability)
        #expect(value.startsSessionOnLink)
        value.messagesSent.removeLast()
        #expect(!value.startsSessionOnLink)
    }

    @Test("a unit lists Dashrig's own messages when it uses them")
    func ownMessages() {
        var configuration = HandshakeExamples.accessory()
        #expect(configuration.sentIdentification.declaresDisplays)
        #expect(configuration.sentIdentification.messagesReceived.contains(.phoneCondition))
        configuration.displays = []
        #expect(!configuration.sentIdentification.declaresDisplays)
        configuration = HandshakeExamples.accessory()
        configuration.usesOwnMessages = false
        #expect(configuration.sentIdentification == configuration.identification)
        configuration.identification.messagesSent.append(.displayDeclaration)
        configuration.usesOwnMessages = true
        #expect(configuration.sentIdentification.messagesSent.filter { $0 == .displayDeclaration }.count == 1)
    }
}
