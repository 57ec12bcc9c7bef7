extension MessageCatalogue {
    /// Parameters of an identification; those of an update are some of them. [2+], components as their types tell.
    static let identificationFields: [MessageField] = [
        MessageField(0, "name", .text), MessageField(1, "modelIdentifier", .text),
        MessageField(2, "manufacturer", .text), MessageField(3, "serialNumber", .text),
        MessageField(4, "firmwareVersion", .text), MessageField(5, "hardwareVersion", .text),
        MessageField(6, "messagesSent", .messageIDs), MessageField(7, "messagesReceived", .messageIDs),
        .choice(8, "powerProvidingCapability", "none", "reserved", "advanced"),
        MessageField(9, "maximumCurrentDrawn", .u16),
        component(ExternalAccessoryProtocol.self, "externalAccessoryProtocol"),
        MessageField(11, "appMatchTeamIdentifier", .text), MessageField(12, "currentLanguage", .text),
        MessageField(13, "supportedLanguage", .text, isRepeated: true),
        component(SerialTransport.self, "serialTransport"), component(USBDeviceTransport.self, "usbDeviceTransport"),
        component(USBHostTransport.self, "usbHostTransport"), component(BluetoothTransport.self, "bluetoothTransport"),
        component(HIDComponent.self, "hid"), component(VehicleInformation.self, "vehicleInformation"),
        component(VehicleStatusComponent.self, "vehicleStatus"),
        component(LocationComponent.self, "locationInformation"),
        component(USBHostHIDComponent.self, "usbHostHID"), component(WirelessTransport.self, "wirelessTransport"),
        component(RouteGuidanceDisplay.self, "routeGuidanceDisplay"),
    ]

    private static func component(_ type: (some TypedComponent).Type, _ name: String) -> MessageField {
        MessageField(type.kind, name, .group(type.fields), isRepeated: true)
    }

    /// Identification, and pairing over Bluetooth.
    static let connection: [MessageLayout] = [
        MessageLayout(0x0B00, "StartBluetoothPairing", .device),
        MessageLayout(0x0B01, "BluetoothPairingAccessoryInformation", .accessory),
        MessageLayout(0x0B02, "BluetoothPairingStatus", .accessory),
        MessageLayout(0x0B03, "StopBluetoothPairing", .device),
        MessageLayout(0x1D00, "StartIdentification", .device),
        MessageLayout(0x1D01, "IdentificationInformation", .accessory, identificationFields),
        MessageLayout(0x1D02, "IdentificationAccepted", .device),
        // What is refused is there, empty or with the refused parts; a list of messages has those that are refused.
        MessageLayout(
            0x1D03, "IdentificationRejected", .device,
            identificationFields.map { MessageField($0.id, $0.name, .bytes, isRepeated: true) }),
        MessageLayout(0x1D05, "CancelIdentification", .accessory),
        MessageLayout(0x1D06, "IdentificationInformationUpdate", .accessory, identificationFields),
    ]

    /// Authentication [C]: of bytes of any length, the types tell which lengths were seen.
    static let authentication: [MessageLayout] = [
        MessageLayout(0xAA00, "RequestAuthenticationCertificate", .device),
        MessageLayout(0xAA01, "AuthenticationCertificate", .accessory, [MessageField(0, "certificate", .bytes)]),
        MessageLayout(
            0xAA02, "RequestAuthenticationChallengeResponse", .device, [MessageField(0, "challenge", .bytes)]),
        MessageLayout(0xAA03, "AuthenticationResponse", .accessory, [MessageField(0, "signature", .bytes)]),
        MessageLayout(0xAA04, "AuthenticationFailed", .device),
        MessageLayout(0xAA05, "AuthenticationSucceeded", .device),
        MessageLayout(
            AccessoryAuthenticationSerialNumber.self, "AccessoryAuthenticationSerialNumber", .accessory),
    ]

    /// The start of a session on the link (LIVI, POD). What 4300 says in parameter 2 and 4301 in 6...8 is not known.
    static let session: [MessageLayout] = [
        MessageLayout(
            0x4300, "CarPlayAvailability", .device,
            [
                MessageField(
                    0, "wired",
                    .group([MessageField(0, "isAvailable", .boolean), MessageField(1, "identifier", .text)])
                ),
                MessageField(
                    1, "wireless",
                    .group([MessageField(0, "isAvailable", .boolean), MessageField(1, "identifier", .text)])),
            ]),
        MessageLayout(
            0x4301, "CarPlayStartSession", .accessory,
            [
                MessageField(0, "wired", .group([MessageField(0, "address", .text, isRepeated: true)])),
                MessageField(
                    1, "wireless",
                    .group([
                        MessageField(0, "ssid", .text), MessageField(1, "passphrase", .text),
                        MessageField(2, "channel", .u8), MessageField(3, "address", .text, isRepeated: true),
                        MessageField(4, "security", .choice(wiFiSecurity)),
                    ])),
                MessageField(2, "port", .u32), MessageField(3, "deviceIdentifier", .text),
                MessageField(4, "publicKey", .text), MessageField(5, "sourceVersion", .text),
            ]),
    ]

    /// Dashrig's own.
    static let own: [MessageLayout] = [
        MessageLayout(
            0xD500, "DisplayDeclaration", .accessory,
            [MessageField(0, "display", .group(displayFields), isRepeated: true)]),
        MessageLayout(
            0xD501, "PhoneCondition", .device,
            [MessageField(0, "progress", .choice(PhoneCondition.Progress.fieldChoices))]),
    ]

    private static let rectangle = [
        MessageField(0, "x", .u16), MessageField(1, "y", .u16), MessageField(2, "width", .u16),
        MessageField(3, "height", .u16),
    ]

    private static let displayFields = [
        MessageField(0, "name", .text), MessageField(1, "role", .choice(DisplayDeclaration.Role.fieldChoices)),
        MessageField(2, "pixelWidth", .u16), MessageField(3, "pixelHeight", .u16),
        MessageField(4, "scaleHundredths", .u16), MessageField(5, "framesPerSecond", .u16),
        MessageField(6, "millimetreWidth", .u16), MessageField(7, "millimetreHeight", .u16),
        MessageField(
            8, "viewArea", .group(rectangle + [MessageField(4, "safeArea", .group(rectangle))]), isRepeated: true),
        MessageField(9, "primaryInput", .choice(DisplayDeclaration.PrimaryInput.fieldChoices)),
        MessageField(10, "inputs", .u8),
        MessageField(11, "touchFidelity", .choice(DisplayDeclaration.TouchFidelity.fieldChoices)),
        MessageField(12, "appearance", .choice(DisplayDeclaration.Appearance.fieldChoices)),
        MessageField(13, "driverSide", .choice(DisplayDeclaration.DriverSide.fieldChoices)),
    ]
}

extension DisplayDeclaration.Role: WireChoice {}
extension DisplayDeclaration.PrimaryInput: WireChoice {}
extension DisplayDeclaration.TouchFidelity: WireChoice {}
extension DisplayDeclaration.Appearance: WireChoice {}
extension DisplayDeclaration.DriverSide: WireChoice {}
extension PhoneCondition.Progress: WireChoice {}
