public import ControlProtocol

/// Configurations that tests start from. Nothing in them belongs to a real device.
public enum HandshakeExamples {
    /// A unit that starts the session on the link when `startsSessionOnLink`, else the classic way.
    public static func accessory(
        startsSessionOnLink: Bool = true, displays: [DisplayDeclaration] = [display]
    ) -> AccessoryConfiguration {
        var identification = Identification(
            name: "Bench unit", modelIdentifier: "BU-1", manufacturer: "Dashrig", serialNumber: "0001",
            firmwareVersion: "1.0", hardwareVersion: "1.0",
            messagesSent: [.powerSourceUpdate],
            messagesReceived: [
                .deviceInformationUpdate, .deviceLanguageUpdate, .deviceTransportIdentifierNotification,
            ])
        if startsSessionOnLink {
            identification.messagesSent.append(.carPlayStartSession)
            identification.messagesReceived.append(.carPlayAvailability)
        }
        return AccessoryConfiguration(
            identification: identification, certificate: FixedTestSigner.certificate, displays: displays,
            power: PowerSourceUpdate(availableCurrent: 1000, chargesBattery: true))
    }

    /// A phone that says yes to everything.
    public static func device(
        order: HandshakeOrder = .authenticationFirst, conditions: PhoneConditions = PhoneConditions()
    ) -> DeviceConfiguration {
        DeviceConfiguration(
            order: order, identifiers: DeviceTransportIdentifiers(bluetooth: "02:00:00:00:00:02", usb: "0000"),
            conditions: conditions)
    }

    /// A main display with a view area.
    public static let display = DisplayDeclaration(
        name: "main", pixelWidth: 1920, pixelHeight: 720, scaleHundredths: 300, millimetreWidth: 292,
        millimetreHeight: 110,
        viewAreas: [
            .init(
                area: .init(x: 0, y: 0, width: 1920, height: 720),
                safeArea: .init(x: 420, y: 0, width: 1080, height: 720))
        ],
        primaryInput: .knob, inputs: [.knob, .touchpad])
}
