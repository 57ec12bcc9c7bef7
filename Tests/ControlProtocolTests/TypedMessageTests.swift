import ControlProtocol
import Testing
import WireBytes

@Suite("Typed control messages")
struct TypedMessageTests {
    /// Reads `vector` as `Message`, expects `value`, and expects the same bytes back.
    private func check<Message: TypedControlMessage>(
        _ name: String, _ value: Message, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let vector = try #require(ControlVector.all.first { $0.name == name }, sourceLocation: sourceLocation)
        let message = try ControlMessage(parsing: vector.bytes[...])
        #expect(try Message(message) == value, sourceLocation: sourceLocation)
        #expect(try value.message().encoded() == vector.bytes, sourceLocation: sourceLocation)
    }

    @Test("known messages have the known values, both ways")
    func vectors() throws {
        try check("AA01, short certificate [T]", AuthenticationCertificate(certificate: hex("30820540422199")))
        try check(
            "AA02, 20 bytes [C]",
            AuthenticationChallenge(challenge: hex("BE F8 9E 87 2A 32 E7 95 28 DB A7 F8 7B 67 BB 2F F3 DF A7 0C")))
        try check("AA02, 32 bytes [T]", AuthenticationChallenge(challenge: [UInt8](repeating: 0xAA, count: 32)))
        try check("AA03, 64 bytes [T]", AuthenticationResponse(signature: [UInt8](repeating: 0xBB, count: 64)))
        try check("1D03, 3 and 7 refused [T]", IdentificationRejection(parameters: [3, 7]))
        try check("4E09 [T]", DeviceInformationUpdate(name: "Nocturne Phone"))
        try check("4E0A en [C][T]", DeviceLanguageUpdate(language: "en"))
        try check(
            "4E0B [T]", DeviceTimeUpdate(seconds: 1_777_777_777, zoneMinutes: -360, daylightSavingMinutes: 60))
        // 2026-07-25 19:29:52 UTC.
        try check(
            "4E0B [C]", DeviceTimeUpdate(seconds: 1_785_007_792, zoneMinutes: -480, daylightSavingMinutes: 60))
        try check(
            "4E0E [D]", DeviceTransportIdentifiers(bluetooth: "02:00:00:00:00:02", usb: "000080300000000000000" + "02E")
        )
        try check("AE03 [D]", PowerSourceUpdate(availableCurrent: 1000, chargesBattery: true))
    }

    @Test("a refusal names parameters and the parts of them")
    func rejection() throws {
        let vector = try #require(ControlVector.all.first { $0.name.hasPrefix("1D03, 30") })
        let rejection = try IdentificationRejection(try ControlMessage(parsing: vector.bytes[...]))
        #expect(try rejection.parameterIDs() == [30, 6, 20])
        #expect(try rejection.refused.required(6).messageIDs() == [MessageID(0x415A)])
        #expect(try rejection.message().encoded() == vector.bytes)
        #expect(throws: WireError.self) {
            try IdentificationRejection(parameters: ControlParameters(encoded: [0, 3, 0, 1]))
        }
    }

    @Test("a session's start is read and written as built from its layout")
    func session() throws {
        let available = hex(
            """
            40 40 00 35 43 00 00 26 00 00 00 05 00 00 01 00 1D 00 01 30 30 30 30 38 30 33 30 30 30 30 30 30 30 30 30
            30 30 30 30 30 30 32 45 00 00 09 00 01 00 05 00 00 00
            """)
        let availability = CarPlayAvailability(
            wired: .init(isAvailable: true, identifier: "00008030000000000000002E"),
            wireless: .init(isAvailable: false))
        #expect(try CarPlayAvailability(try ControlMessage(parsing: available[...])) == availability)
        #expect(try availability.message().encoded() == available)

        let started = hex(
            """
            40 40 00 68 43 01 00 10 00 00 00 0C 00 00 66 65 38 30 3A 3A 31 00 00 08 00 02 00 00 1B 58 00 16 00 03 30
            32 3A 30 30 3A 30 30 3A 30 30 3A 30 30 3A 30 31 00 00 29 00 04 30 30 30 30 30 30 30 30 2D 30 30 30 30 2D
            34 30 30 30 2D 38 30 30 30 2D 30 30 30 30 30 30 30 30 30 30 30 31 00 00 0B 00 05 34 35 30 2E 31 34 00
            """)
        let start = CarPlayStartSession(
            wiredAddresses: ["fe80::1"], port: 7000, deviceIdentifier: "02:00:00:00:00:01",
            publicKey: "00000000-0000-4000-8000-000000000001", sourceVersion: "450.14")
        #expect(try CarPlayStartSession(try ControlMessage(parsing: started[...])) == start)
        #expect(try start.message().encoded() == started)
        let empty = try CarPlayStartSession(parameters: ControlParameters())
        #expect(empty == CarPlayStartSession(wiredAddresses: []))
        #expect(try CarPlayAvailability(parameters: ControlParameters()) == CarPlayAvailability(wired: nil))
    }

    @Test("addresses are taken up to their number")
    func addresses() throws {
        func parameters(_ count: Int) throws -> ControlParameters {
            try CarPlayStartSession(wiredAddresses: [String](repeating: "fe80::1", count: count)).encodeParameters()
        }
        #expect(try CarPlayStartSession(parameters: try parameters(16)).wiredAddresses.count == 16)
        #expect(throws: WireError.self) { try CarPlayStartSession(parameters: try parameters(17)) }
    }

    @Test("challenge, certificate and signature are taken up to their length")
    func lengths() throws {
        func parameters(_ count: Int) throws -> ControlParameters {
            var parameters = ControlParameters()
            try parameters.append(0, bytes: [UInt8](repeating: 1, count: count))
            return parameters
        }
        for count in [1, 20, 32, 256] {
            #expect(try AuthenticationChallenge(parameters: try parameters(count)).challenge.count == count)
        }
        for count in [0, 257] {
            #expect(throws: WireError.self) { try AuthenticationChallenge(parameters: try parameters(count)) }
        }
        #expect(try AuthenticationCertificate(parameters: try parameters(4096)).certificate.count == 4096)
        #expect(throws: WireError.self) { try AuthenticationCertificate(parameters: try parameters(4097)) }
        #expect(try AuthenticationResponse(parameters: try parameters(1024)).signature.count == 1024)
        #expect(throws: WireError.self) { try AuthenticationResponse(parameters: try parameters(1025)) }
        #expect(throws: WireError.self) { try AuthenticationCertificate(parameters: ControlParameters()) }
        _ = try AuthenticationCertificate(certificate: [UInt8](repeating: 0, count: 4096)).message()
        #expect(throws: WireError.self) {
            try AuthenticationCertificate(certificate: [UInt8](repeating: 0, count: 4097)).message()
        }
        #expect(throws: WireError.self) {
            try AuthenticationResponse(signature: [UInt8](repeating: 0, count: 1025)).message()
        }
    }

    @Test("serial number and phone condition go both ways")
    func others() throws {
        let serial = AccessoryAuthenticationSerialNumber(serialNumber: "42")
        #expect(try AccessoryAuthenticationSerialNumber(try serial.message()) == serial)
        for progress in PhoneCondition.Progress.allCases {
            let condition = PhoneCondition(progress: progress)
            #expect(try PhoneCondition(try condition.message()) == condition)
        }
        let unknown = hex("40 40 00 0B D5 01 00 05 00 00 04")
        #expect(
            throws: WireError(.outOfRange(value: 4, minimum: 0, maximum: 3), offset: 10, field: "parameter 0")
        ) { try PhoneCondition(try ControlMessage(parsing: unknown[...])) }
    }

    @Test("a message of another number is not read")
    func otherNumber() {
        #expect(throws: WireError.self) { try DeviceLanguageUpdate(ControlMessage(.deviceInformationUpdate)) }
    }

    @Test("unknown parameters are skipped, repeated ones are not")
    func unknownParameters() throws {
        var parameters = ControlParameters()
        parameters.appendFlag(99)
        try parameters.append(0, text: "en")
        parameters.appendFlag(99)
        #expect(try DeviceLanguageUpdate(parameters: parameters).language == "en")
        try parameters.append(0, text: "de")
        #expect(throws: WireError.self) { try DeviceLanguageUpdate(parameters: parameters) }
    }
}

@Suite("FixedTestSigner")
struct FixedTestSignerTests {
    @Test(
        "a challenge of each seen length gets a signature of the seen length",
        arguments: [(20, 128), (32, 64), (1, 64)])
    func lengths(challenge: Int, signature: Int) {
        let bytes = [UInt8](repeating: 0xAA, count: challenge)
        #expect(FixedTestSigner.signature(of: bytes).count == signature)
        #expect(
            FixedTestSigner.isValid(
                certificate: FixedTestSigner.certificate, challenge: bytes,
                signature: FixedTestSigner.signature(of: bytes)))
    }

    @Test("any changed bit of challenge or signature is found, and so is another certificate")
    func changes() {
        let challenge = (0..<32).map { UInt8($0 * 7) }
        let signature = FixedTestSigner.signature(of: challenge)
        let certificate = FixedTestSigner.certificate
        for index in challenge.indices {
            for bit in 0..<8 as Range<UInt8> {
                var other = challenge
                other[index] ^= 1 << bit
                #expect(!FixedTestSigner.isValid(certificate: certificate, challenge: other, signature: signature))
            }
        }
        for index in signature.indices {
            var other = signature
            other[index] ^= 1
            #expect(!FixedTestSigner.isValid(certificate: certificate, challenge: challenge, signature: other))
        }
        #expect(!FixedTestSigner.isValid(certificate: [1], challenge: challenge, signature: signature))
        #expect(!FixedTestSigner.isValid(certificate: certificate, challenge: [], signature: []))
    }

    @Test("the documented function gives these bytes")
    func knownBytes() {
        // Challenge 01 02: exclusive-or 03. Byte 0: 01 + 'D' + 03, byte 1: 02 + 'A' + 06, byte 7: 02 + '-' + 81.
        let signature = FixedTestSigner.signature(of: [1, 2])
        #expect(signature[0] == 0x01 + 0x44 + 0x03)
        #expect(signature[1] == 0x02 + 0x41 + 0x06)
        #expect(signature[7] == 0x02 + 0x2D + 0x81)
    }
}
