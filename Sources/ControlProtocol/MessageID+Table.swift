extension MessageID {
    /// What is known of one number.
    struct Entry: Sendable {
        var id: MessageID
        var name: String
        var sender: Sender
    }

    static func entry(of id: MessageID) -> Entry? {
        var low = 0
        var high = table.count
        while low < high {
            let middle = (low + high) / 2
            if table[middle].id < id { low = middle + 1 } else { high = middle }
        }
        guard low < table.count, table[low].id == id else { return nil }
        return table[low]
    }

    /// Every known number, ascending.
    public static var known: [MessageID] { table.map(\.id) }

    /// Ascending, for the search. D500 and D501 are Dashrig's own: a range that no source shows in use.
    static let table: [Entry] = [
        Entry(id: MessageID(0x0B00), name: "StartBluetoothPairing", sender: .device),
        Entry(id: MessageID(0x0B01), name: "BluetoothPairingAccessoryInformation", sender: .accessory),
        Entry(id: MessageID(0x0B02), name: "BluetoothPairingStatus", sender: .accessory),
        Entry(id: MessageID(0x0B03), name: "StopBluetoothPairing", sender: .device),
        Entry(id: MessageID(0x1D00), name: "StartIdentification", sender: .device),
        Entry(id: MessageID(0x1D01), name: "IdentificationInformation", sender: .accessory),
        Entry(id: MessageID(0x1D02), name: "IdentificationAccepted", sender: .device),
        Entry(id: MessageID(0x1D03), name: "IdentificationRejected", sender: .device),
        Entry(id: MessageID(0x1D05), name: "CancelIdentification", sender: .accessory),
        Entry(id: MessageID(0x1D06), name: "IdentificationInformationUpdate", sender: .accessory),
        Entry(id: MessageID(0x4154), name: "StartCallStateUpdates", sender: .accessory),
        Entry(id: MessageID(0x4155), name: "CallStateUpdate", sender: .device),
        Entry(id: MessageID(0x4156), name: "StopCallStateUpdates", sender: .accessory),
        Entry(id: MessageID(0x4157), name: "StartCommunicationsUpdates", sender: .accessory),
        Entry(id: MessageID(0x4158), name: "CommunicationsUpdate", sender: .device),
        Entry(id: MessageID(0x4159), name: "StopCommunicationsUpdates", sender: .accessory),
        Entry(id: MessageID(0x415A), name: "InitiateCall", sender: .accessory),
        Entry(id: MessageID(0x415B), name: "AcceptCall", sender: .accessory),
        Entry(id: MessageID(0x415C), name: "EndCall", sender: .accessory),
        Entry(id: MessageID(0x415D), name: "SwapCalls", sender: .accessory),
        Entry(id: MessageID(0x415E), name: "MergeCalls", sender: .accessory),
        Entry(id: MessageID(0x415F), name: "HoldStatusUpdate", sender: .accessory),
        Entry(id: MessageID(0x4160), name: "MuteStatusUpdate", sender: .accessory),
        Entry(id: MessageID(0x4161), name: "SendDTMF", sender: .accessory),
        Entry(id: MessageID(0x4300), name: "CarPlayAvailability", sender: .device),
        Entry(id: MessageID(0x4301), name: "CarPlayStartSession", sender: .accessory),
        Entry(id: MessageID(0x4C00), name: "StartMediaLibraryInformation", sender: .accessory),
        Entry(id: MessageID(0x4C01), name: "MediaLibraryInformation", sender: .device),
        Entry(id: MessageID(0x4C02), name: "StopMediaLibraryInformation", sender: .accessory),
        Entry(id: MessageID(0x4C03), name: "StartMediaLibraryUpdates", sender: .accessory),
        Entry(id: MessageID(0x4C04), name: "MediaLibraryUpdate", sender: .device),
        Entry(id: MessageID(0x4C05), name: "StopMediaLibraryUpdates", sender: .accessory),
        Entry(id: MessageID(0x4C06), name: "PlayMediaLibraryCurrentSelection", sender: .accessory),
        Entry(id: MessageID(0x4C07), name: "PlayMediaLibraryItems", sender: .accessory),
        Entry(id: MessageID(0x4C08), name: "PlayMediaLibraryCollection", sender: .accessory),
        Entry(id: MessageID(0x4C09), name: "PlayMediaLibrarySpecial", sender: .accessory),
        Entry(id: MessageID(0x4E01), name: "BluetoothComponentInformation", sender: .accessory),
        Entry(id: MessageID(0x4E03), name: "StartBluetoothConnectionUpdates", sender: .accessory),
        Entry(id: MessageID(0x4E04), name: "BluetoothConnectionUpdate", sender: .device),
        Entry(id: MessageID(0x4E05), name: "StopBluetoothConnectionUpdates", sender: .accessory),
        Entry(id: MessageID(0x4E09), name: "DeviceInformationUpdate", sender: .device),
        Entry(id: MessageID(0x4E0A), name: "DeviceLanguageUpdate", sender: .device),
        Entry(id: MessageID(0x4E0B), name: "DeviceTimeUpdate", sender: .device),
        Entry(id: MessageID(0x4E0C), name: "DeviceUUIDUpdate", sender: .device),
        Entry(id: MessageID(0x4E0D), name: "WirelessCarPlayUpdate", sender: .device),
        Entry(id: MessageID(0x4E0E), name: "DeviceTransportIdentifierNotification", sender: .device),
        Entry(id: MessageID(0x5000), name: "StartNowPlayingUpdates", sender: .accessory),
        Entry(id: MessageID(0x5001), name: "NowPlayingUpdate", sender: .device),
        Entry(id: MessageID(0x5002), name: "StopNowPlayingUpdates", sender: .accessory),
        Entry(id: MessageID(0x5003), name: "SetNowPlayingInformation", sender: .accessory),
        Entry(id: MessageID(0x5200), name: "StartRouteGuidanceUpdates", sender: .accessory),
        Entry(id: MessageID(0x5201), name: "RouteGuidanceUpdate", sender: .device),
        Entry(id: MessageID(0x5202), name: "RouteGuidanceManeuverInformation", sender: .device),
        Entry(id: MessageID(0x5203), name: "StopRouteGuidanceUpdates", sender: .accessory),
        Entry(id: MessageID(0x5204), name: "LaneGuidanceInformation", sender: .device),
        Entry(id: MessageID(0x5700), name: "RequestWiFiInformation", sender: .accessory),
        Entry(id: MessageID(0x5701), name: "WiFiInformation", sender: .device),
        Entry(id: MessageID(0x5702), name: "RequestAccessoryWiFiConfigurationInformation", sender: .device),
        Entry(id: MessageID(0x5703), name: "AccessoryWiFiConfigurationInformation", sender: .accessory),
        Entry(id: MessageID(0x6800), name: "StartHID", sender: .accessory),
        Entry(id: MessageID(0x6801), name: "DeviceHIDReport", sender: .device),
        Entry(id: MessageID(0x6802), name: "AccessoryHIDReport", sender: .accessory),
        Entry(id: MessageID(0x6803), name: "StopHID", sender: .accessory),
        Entry(id: MessageID(0x6806), name: "StartNativeHID", sender: .device),
        Entry(id: MessageID(0x6807), name: "HIDComponentUpdate", sender: .device),
        Entry(id: MessageID(0xA100), name: "StartVehicleStatusUpdates", sender: .device),
        Entry(id: MessageID(0xA101), name: "VehicleStatusUpdate", sender: .accessory),
        Entry(id: MessageID(0xA102), name: "StopVehicleStatusUpdates", sender: .device),
        Entry(id: MessageID(0xAA00), name: "RequestAuthenticationCertificate", sender: .device),
        Entry(id: MessageID(0xAA01), name: "AuthenticationCertificate", sender: .accessory),
        Entry(id: MessageID(0xAA02), name: "RequestAuthenticationChallengeResponse", sender: .device),
        Entry(id: MessageID(0xAA03), name: "AuthenticationResponse", sender: .accessory),
        Entry(id: MessageID(0xAA04), name: "AuthenticationFailed", sender: .device),
        Entry(id: MessageID(0xAA05), name: "AuthenticationSucceeded", sender: .device),
        Entry(id: MessageID(0xAA06), name: "AccessoryAuthenticationSerialNumber", sender: .accessory),
        Entry(id: MessageID(0xAE00), name: "StartPowerUpdates", sender: .accessory),
        Entry(id: MessageID(0xAE01), name: "PowerUpdate", sender: .device),
        Entry(id: MessageID(0xAE02), name: "StopPowerUpdates", sender: .accessory),
        Entry(id: MessageID(0xAE03), name: "PowerSourceUpdate", sender: .accessory),
        Entry(id: MessageID(0xAE05), name: "AccessoryPowerUpdate", sender: .accessory),
        Entry(id: MessageID(0xD500), name: "DisplayDeclaration", sender: .accessory),
        Entry(id: MessageID(0xD501), name: "PhoneCondition", sender: .device),
        Entry(id: MessageID(0xDA00), name: "StartUSBDeviceModeAudio", sender: .accessory),
        Entry(id: MessageID(0xDA01), name: "USBDeviceModeAudioInformation", sender: .device),
        Entry(id: MessageID(0xDA02), name: "StopUSBDeviceModeAudio", sender: .accessory),
        Entry(id: MessageID(0xEA00), name: "StartExternalAccessoryProtocolSession", sender: .device),
        Entry(id: MessageID(0xEA01), name: "StopExternalAccessoryProtocolSession", sender: .device),
        Entry(id: MessageID(0xEA02), name: "RequestAppLaunch", sender: .accessory),
        Entry(id: MessageID(0xEA03), name: "StatusExternalAccessoryProtocolSession", sender: .accessory),
        Entry(id: MessageID(0xFFF0), name: "GPRMCDataStatusValuesNotification", sender: .device),
        Entry(id: MessageID(0xFFFA), name: "StartLocationInformation", sender: .device),
        Entry(id: MessageID(0xFFFB), name: "LocationInformation", sender: .accessory),
        Entry(id: MessageID(0xFFFC), name: "StopLocationInformation", sender: .device),
    ]
}

extension MessageID {
    /// Phone: identify yourself. [C]
    public static let startIdentification = MessageID(0x1D00)
    /// Unit: what it is and which messages it uses. [C]
    public static let identificationInformation = MessageID(0x1D01)
    /// Phone: accepted. [C]
    public static let identificationAccepted = MessageID(0x1D02)
    /// Phone: refused, with the refused parameters. [2+]
    public static let identificationRejected = MessageID(0x1D03)
    /// Unit: identification cancelled. [2+] name only
    public static let cancelIdentification = MessageID(0x1D05)
    /// Unit: identification changed. [2+] name only
    public static let identificationInformationUpdate = MessageID(0x1D06)
    /// Phone: over which transports a session may start. [2+]
    public static let carPlayAvailability = MessageID(0x4300)
    /// Unit: start the session here. [2+]
    public static let carPlayStartSession = MessageID(0x4301)
    /// Phone: its name. [2+]
    public static let deviceInformationUpdate = MessageID(0x4E09)
    /// Phone: its language. [C]
    public static let deviceLanguageUpdate = MessageID(0x4E0A)
    /// Phone: its time. [C]
    public static let deviceTimeUpdate = MessageID(0x4E0B)
    /// Phone: its UUID. [2+]
    public static let deviceUUIDUpdate = MessageID(0x4E0C)
    /// Phone: its transport identifiers. [C]
    public static let deviceTransportIdentifierNotification = MessageID(0x4E0E)
    /// Phone: send your certificate. [C]
    public static let requestAuthenticationCertificate = MessageID(0xAA00)
    /// Unit: its certificate. [C]
    public static let authenticationCertificate = MessageID(0xAA01)
    /// Phone: sign this challenge. [C]
    public static let requestAuthenticationChallengeResponse = MessageID(0xAA02)
    /// Unit: the signature. [C]
    public static let authenticationResponse = MessageID(0xAA03)
    /// Phone: the signature is wrong. [2+]
    public static let authenticationFailed = MessageID(0xAA04)
    /// Phone: authentication is done. [C]
    public static let authenticationSucceeded = MessageID(0xAA05)
    /// Unit: serial number of its authentication part. [2+]
    public static let accessoryAuthenticationSerialNumber = MessageID(0xAA06)
    /// Unit: how much current it gives. [2+]
    public static let powerSourceUpdate = MessageID(0xAE03)
    /// Unit: its displays. Dashrig's own message.
    public static let displayDeclaration = MessageID(0xD500)
    /// Phone: it waits for its user. Dashrig's own message.
    public static let phoneCondition = MessageID(0xD501)
}
