extension MessageCatalogue {
    /// How a wireless network is closed (LIVI; 0...2 WIO as well).
    static let wiFiSecurity = [
        FieldChoice(0, "none"), FieldChoice(1, "wep"), FieldChoice(2, "wpa"), FieldChoice(3, "wpa3Transition"),
        FieldChoice(4, "wpa3"),
    ]

    /// Wireless networks [2+], 5703 [C].
    static let wiFi: [MessageLayout] = [
        MessageLayout(0x5700, "RequestWiFiInformation", .accessory),
        MessageLayout(
            0x5701, "WiFiInformation", .device,
            [MessageField(0, "status", .u8), MessageField(1, "ssid", .text), MessageField(2, "passphrase", .text)]),
        MessageLayout(0x5702, "RequestAccessoryWiFiConfigurationInformation", .device),
        MessageLayout(
            0x5703, "AccessoryWiFiConfigurationInformation", .accessory,
            [
                MessageField(1, "ssid", .text), MessageField(2, "passphrase", .text),
                MessageField(3, "security", .choice(wiFiSecurity)), MessageField(4, "channel", .u8),
            ]),
    ]

    /// Input devices on the link [2+].
    static let input: [MessageLayout] = [
        MessageLayout(StartHID.self, "StartHID", .accessory),
        MessageLayout(DeviceHIDReport.self, "DeviceHIDReport", .device),
        MessageLayout(AccessoryHIDReport.self, "AccessoryHIDReport", .accessory),
        MessageLayout(StopHID.self, "StopHID", .accessory),
        MessageLayout(0x6806, "StartNativeHID", .device),
        MessageLayout(
            0x6807, "HIDComponentUpdate", .device,
            [MessageField(0, "component", .u16), MessageField(1, "isEnabled", .boolean)]),
    ]

    /// What the vehicle tells of itself [2+].
    static let vehicle: [MessageLayout] = [
        MessageLayout(0xA100, "StartVehicleStatusUpdates", .device, VehicleStatusUpdate.fields.map(\.asked)),
        MessageLayout(VehicleStatusUpdate.self, "VehicleStatusUpdate", .accessory),
        MessageLayout(0xA102, "StopVehicleStatusUpdates", .device),
    ]

    /// Power (LIVI, POD), and audio over USB (POD).
    static let power: [MessageLayout] = [
        MessageLayout(0xAE00, "StartPowerUpdates", .accessory, PowerUpdate.fields.map(\.asked)),
        MessageLayout(PowerUpdate.self, "PowerUpdate", .device),
        MessageLayout(0xAE02, "StopPowerUpdates", .accessory),
        MessageLayout(PowerSourceUpdate.self, "PowerSourceUpdate", .accessory),
        MessageLayout(0xAE05, "AccessoryPowerUpdate", .accessory),
        MessageLayout(0xDA00, "StartUSBDeviceModeAudio", .accessory),
        MessageLayout(
            0xDA01, "USBDeviceModeAudioInformation", .device,
            [
                .choice(
                    0, "sampleRate", "hz8000", "hz11025", "hz12000", "hz16000", "hz22050", "hz24000", "hz32000",
                    "hz44100", "hz48000"), MessageField(1, "volumeAdjustment", .u32),
                MessageField(2, "soundCheckAdjustment", .u32),
            ]),
        MessageLayout(0xDA02, "StopUSBDeviceModeAudio", .accessory),
    ]

    /// Sessions of apps with the unit [2+].
    static let externalAccessory: [MessageLayout] = [
        MessageLayout(StartExternalAccessorySession.self, "StartExternalAccessoryProtocolSession", .device),
        MessageLayout(StopExternalAccessorySession.self, "StopExternalAccessoryProtocolSession", .device),
        MessageLayout(
            0xEA02, "RequestAppLaunch", .accessory,
            [MessageField(0, "bundleIdentifier", .text), .choice(1, "method", "withAlert", "withoutAlert")]),
        MessageLayout(ExternalAccessorySessionStatus.self, "StatusExternalAccessoryProtocolSession", .accessory),
    ]

    /// The vehicle's place (LIVI); FFF0 [1], a real unit lists it [C] (V851).
    static let location: [MessageLayout] = [
        MessageLayout(0xFFF0, "GPRMCDataStatusValuesNotification", .device),
        MessageLayout(StartLocationInformation.self, "StartLocationInformation", .device),
        MessageLayout(LocationInformation.self, "LocationInformation", .accessory),
        MessageLayout(0xFFFC, "StopLocationInformation", .device),
    ]
}
