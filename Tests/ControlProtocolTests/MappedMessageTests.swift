import ControlProtocol
import RigTestKit
import Testing
import WireBytes

/// Typed messages and what the catalogue says of them are one.
@Suite("Typed messages and the catalogue")
struct MappedMessageTests {
    static func samples() throws -> [any TypedControlMessage] {
        var nowPlaying = NowPlayingUpdate()
        nowPlaying.mediaItem = NowPlayingUpdate.MediaItem()
        nowPlaying.mediaItem?.identifier = .max
        nowPlaying.mediaItem?.genre = "Jazz"
        nowPlaying.mediaItem?.isLiked = false
        nowPlaying.playback = NowPlayingUpdate.Playback()
        nowPlaying.playback?.repeats = .all
        nowPlaying.playback?.speed = 100
        var call = CallStateUpdate()
        call.status = .ringing
        call.direction = .incoming
        call.startTime = 1_777_777_777
        var vehicle = VehicleStatusUpdate()
        vehicle.range = 300
        vehicle.outsideTemperature = -12
        vehicle.isRangeLow = false
        var power = PowerUpdate()
        power.chargingState = .charging
        power.batteryLevel = 80
        var guidance = RouteGuidanceUpdate()
        guidance.displays = [1, 2]
        guidance.currentRoad = "A 1"
        guidance.currentManeuvers = [3, 4]
        var maneuver = RouteGuidanceManeuver()
        maneuver.index = 3
        maneuver.elementAngles = [-90, 0, 90]
        var location = StartLocationInformation()
        location.gga = true
        var update = IdentificationUpdate()
        update.currentLanguage = "ko"
        return [
            nowPlaying, call, vehicle, power, guidance, maneuver, location, update,
            LocationInformation(sentences: "$GPGGA\r\n"),
            StartHID(component: 1, vendor: 2, product: 3, descriptor: [5, 1], country: 33),
            DeviceHIDReport(component: 1, report: [1]), AccessoryHIDReport(component: 1, report: []),
            StopHID(component: 9), DeviceUUIDUpdate(uuid: "u"), WirelessSessionUpdate(status: .available),
            StartExternalAccessorySession(protocolID: 1, session: 2), StopExternalAccessorySession(session: 2),
            ExternalAccessorySessionStatus(session: 2, status: .close),
            HandshakeExamples.accessory().sentIdentification,
            try IdentificationRejection([ParameterRefusal(6, messages: [.powerUpdate]), ParameterRefusal(30)]),
            AuthenticationCertificate(certificate: [1]), AuthenticationChallenge(challenge: [1]),
            AuthenticationResponse(signature: [1]), AccessoryAuthenticationSerialNumber(serialNumber: "1"),
            DeviceInformationUpdate(name: "n"), DeviceLanguageUpdate(language: "en"),
            DeviceTimeUpdate(seconds: -1, zoneMinutes: -2, daylightSavingMinutes: -3),
            DeviceTransportIdentifiers(bluetooth: "b", usb: "u"),
            PowerSourceUpdate(availableCurrent: 1, chargesBattery: true),
            DisplayDeclarations(displays: [HandshakeExamples.display]),
            CarPlayAvailability(wired: .init(isAvailable: true, identifier: "u"), wireless: .init(isAvailable: false)),
            CarPlayStartSession(
                wiredAddresses: ["a", "b"], port: 7000, deviceIdentifier: "d", publicKey: "k", sourceVersion: "1"),
            PhoneCondition(progress: .locked),
        ]
    }

    @Test("what a typed message writes, it reads again, and the catalogue reads without an oddity")
    func agreement() throws {
        func check<Message: TypedControlMessage>(_ message: Message) throws {
            let written = try message.message()
            #expect(try Message(written) == message)
            let content = MessageContent(written)
            #expect(content.problems() == [], "\(Message.self)")
            #expect(try content.message() == written, "\(Message.self)")
        }
        for message in try Self.samples() { try check(message) }
    }

    @Test("a required parameter that is missing, one given twice, and a value of another type are named")
    func errors() throws {
        func refused(_ text: String, as type: (some TypedControlMessage).Type) -> WireError? {
            do throws(WireError) {
                _ = try type.init(parameters: ControlParameters(encoded: hex(text)[...], offset: 6))
                return nil
            } catch {
                return error
            }
        }
        #expect(
            refused("", as: StopHID.self) == WireError(.missing, offset: 6, field: "parameter 0"))
        #expect(
            refused("00 06 00 00 00 01 00 06 00 00 00 01", as: StopHID.self)
                == WireError(.repeated, offset: 16, field: "parameter 0"))
        #expect(
            refused("00 05 00 00 01", as: StopHID.self)
                == WireError(.truncated(needed: 2, available: 1), offset: 10, field: "parameter 0"))
        #expect(
            refused("00 05 00 02 09", as: CallStateUpdate.self)
                == WireError(.outOfRange(value: 9, minimum: 0, maximum: 6), offset: 10, field: "parameter 2"))
        let displays = String(repeating: "00 06 00 00 00 01 ", count: 17)
        #expect(
            refused(displays, as: RouteGuidanceUpdate.self)
                == WireError(.tooMany(limit: 16), offset: 6 + 16 * 6 + 4, field: "parameter 0"))
        #expect(refused("00 05 00 01 01", as: StartLocationInformation.self)?.offset == 10)
        // Unknown ones are skipped.
        #expect(refused("00 05 00 63 01", as: CallStateUpdate.self) == nil)
    }

    @Test("a component is the typed one that it was made of")
    func components() throws {
        var bluetooth = BluetoothTransport()
        bluetooth.id = 7
        bluetooth.name = "bt"
        bluetooth.supportsLink = true
        bluetooth.address = [2, 0, 0, 0, 0, 1]
        let component = try IdentificationComponent(bluetooth)
        #expect(component.kind == 17)
        #expect(component.problem == nil)
        #expect(try component.decoded(as: BluetoothTransport.self) == bluetooth)
        #expect(try component.decoded(as: USBHostTransport.self) == nil)
        #expect(try component.id() == 7)
        // The vector of the fact sheet: parameter 16 with session interface 4.
        let usb = try IdentificationComponent.usbHostTransport(id: 0, name: "USBHostTransport", sessionInterface: 4)
        var parameters = ControlParameters()
        try parameters.append(usb.kind, group: usb.parameters)
        let expected = """
            00 2C 00 10 00 06 00 00 00 00 00 15 00 01 55 53 42 48 6F 73 74 54 72 61 6E 73 70 6F 72 74 00 00 04 00 02 00
            05 00 03 04 00 04 00 04
            """
        #expect(Array(parameters.encoded) == hex(expected))
    }

    @Test("a vehicle's engines and connectors are kept, whatever they say")
    func vehicle() throws {
        var vehicle = VehicleInformation()
        vehicle.id = 3
        vehicle.name = "car"
        vehicle.engines = [0, 2, 9]
        vehicle.chargeConnectors = [1]
        vehicle.connectorPowers[0] = [0, 50]
        vehicle.connectorPowers[8] = [0, 11]
        vehicle.connectorPowers[9] = [1]
        vehicle.connectorPowers[-1] = [1]
        let component = try IdentificationComponent(vehicle)
        #expect(try component.parameters.all().map(\.id) == [0, 1, 2, 2, 2, 11, 12, 20])
        #expect(component.problem == nil)
        #expect(try component.decoded(as: VehicleInformation.self) == vehicle)
        vehicle.engines = [0, 0, 0, 0, 0]
        #expect(throws: WireError.self) {
            try IdentificationComponent(vehicle).decoded(as: VehicleInformation.self)
        }
    }

    @Test("a component that is no such is a problem: no number, no name, a flag with a value, a text without end")
    func componentProblems() throws {
        var parameters = ControlParameters()
        #expect(IdentificationComponent(kind: 17, parameters: parameters).problem?.kind == .missing)
        parameters.append(0, 1 as UInt16)
        #expect(IdentificationComponent(kind: 17, parameters: parameters).problem?.kind == .missing)
        try parameters.append(1, text: "n")
        #expect(IdentificationComponent(kind: 17, parameters: parameters).problem == nil)
        var filled = parameters
        filled.append(2, true)
        #expect(IdentificationComponent(kind: 17, parameters: filled).problem?.kind == .excess(limit: 0, actual: 1))
        #expect(IdentificationComponent(kind: 99, parameters: filled).problem == nil)
        var text = parameters
        try text.append(6, bytes: [1])
        #expect(IdentificationComponent(kind: 20, parameters: text).problem?.kind == .invalidText)
    }
}
