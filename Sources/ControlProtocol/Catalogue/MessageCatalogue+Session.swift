extension MessageCatalogue {
    /// Calls and the state of the network (NOC).
    static let telephony: [MessageLayout] = [
        MessageLayout(0x4154, "StartCallStateUpdates", .accessory, CallStateUpdate.fields.map(\.asked)),
        MessageLayout(CallStateUpdate.self, "CallStateUpdate", .device),
        MessageLayout(0x4156, "StopCallStateUpdates", .accessory),
        MessageLayout(0x4157, "StartCommunicationsUpdates", .accessory, communications.map(\.asked)),
        MessageLayout(0x4158, "CommunicationsUpdate", .device, communications),
        MessageLayout(0x4159, "StopCommunicationsUpdates", .accessory),
        MessageLayout(
            0x415A, "InitiateCall", .accessory,
            [
                MessageField(0, "kind", .u8), MessageField(1, "destination", .text), MessageField(2, "service", .u8),
                MessageField(3, "addressBookIdentifier", .text),
            ]),
        MessageLayout(
            0x415B, "AcceptCall", .accessory,
            [.choice(0, "action", "accept", "endAndAccept"), MessageField(1, "callUUID", .text)]),
        MessageLayout(
            0x415C, "EndCall", .accessory, [.choice(0, "action", "end", "endAll"), MessageField(1, "callUUID", .text)]),
        MessageLayout(0x415D, "SwapCalls", .accessory),
        MessageLayout(0x415E, "MergeCalls", .accessory),
        MessageLayout(
            0x415F, "HoldStatusUpdate", .accessory,
            [MessageField(0, "isHeld", .boolean), MessageField(1, "callUUID", .text)]),
        MessageLayout(0x4160, "MuteStatusUpdate", .accessory, [MessageField(0, "isMuted", .boolean)]),
        MessageLayout(
            0x4161, "SendDTMF", .accessory,
            [
                .choice(
                    0, "tone", "digit0", "digit1", "digit2", "digit3", "digit4", "digit5", "digit6", "digit7", "digit8",
                    "digit9", "star", "pound"), MessageField(1, "callUUID", .text),
            ]),
    ]

    private static let communications = [
        MessageField(0, "signalStrength", .u8), MessageField(1, "registrationStatus", .u8),
        MessageField(2, "isInAirplaneMode", .boolean), MessageField(4, "carrierName", .text),
        MessageField(5, "isCellularSupported", .boolean), MessageField(6, "isTelephonyEnabled", .boolean),
        MessageField(7, "isFaceTimeAudioEnabled", .boolean), MessageField(8, "isFaceTimeVideoEnabled", .boolean),
        MessageField(9, "isMuted", .boolean), MessageField(10, "callCount", .u8),
        MessageField(11, "newVoicemailCount", .u8), MessageField(12, "canInitiateCall", .boolean),
        MessageField(13, "canEndAndAccept", .boolean), MessageField(14, "canHoldAndAccept", .boolean),
        MessageField(15, "canSwap", .boolean), MessageField(16, "canMerge", .boolean),
        MessageField(17, "canHold", .boolean),
    ]

    /// What plays, and the library. Of the library's messages only the names are agreed on.
    static let media: [MessageLayout] = [
        MessageLayout(0x4C00, "StartMediaLibraryInformation", .accessory),
        MessageLayout(0x4C01, "MediaLibraryInformation", .device),
        MessageLayout(0x4C02, "StopMediaLibraryInformation", .accessory),
        MessageLayout(0x4C03, "StartMediaLibraryUpdates", .accessory),
        MessageLayout(0x4C04, "MediaLibraryUpdate", .device),
        MessageLayout(0x4C05, "StopMediaLibraryUpdates", .accessory),
        MessageLayout(0x4C06, "PlayMediaLibraryCurrentSelection", .accessory),
        MessageLayout(0x4C07, "PlayMediaLibraryItems", .accessory),
        MessageLayout(0x4C08, "PlayMediaLibraryCollection", .accessory),
        MessageLayout(0x4C09, "PlayMediaLibrarySpecial", .accessory),
        MessageLayout(0x5000, "StartNowPlayingUpdates", .accessory, NowPlayingUpdate.fields.map(\.asked)),
        MessageLayout(NowPlayingUpdate.self, "NowPlayingUpdate", .device),
        MessageLayout(0x5002, "StopNowPlayingUpdates", .accessory),
        MessageLayout(
            0x5003, "SetNowPlayingInformation", .accessory,
            [
                MessageField(0, "elapsed", .u32), MessageField(1, "queueIndex", .u32),
                MessageField(2, "queueListStart", .u32),
            ]),
    ]

    /// What the phone tells of itself, and its connections over Bluetooth.
    static let device: [MessageLayout] = [
        MessageLayout(0x4E01, "BluetoothComponentInformation", .accessory),
        MessageLayout(0x4E03, "StartBluetoothConnectionUpdates", .accessory),
        MessageLayout(0x4E04, "BluetoothConnectionUpdate", .device),
        MessageLayout(0x4E05, "StopBluetoothConnectionUpdates", .accessory),
        MessageLayout(DeviceInformationUpdate.self, "DeviceInformationUpdate", .device),
        MessageLayout(DeviceLanguageUpdate.self, "DeviceLanguageUpdate", .device),
        MessageLayout(DeviceTimeUpdate.self, "DeviceTimeUpdate", .device),
        MessageLayout(DeviceUUIDUpdate.self, "DeviceUUIDUpdate", .device),
        MessageLayout(WirelessSessionUpdate.self, "WirelessCarPlayUpdate", .device),
        MessageLayout(DeviceTransportIdentifiers.self, "DeviceTransportIdentifierNotification", .device),
    ]

    /// The guidance (LIVI, OCBM). How 5200, 5203 and 5204 [1] name displays and lanes is taken from 5201 and 5202 [?].
    static let routeGuidance: [MessageLayout] = [
        MessageLayout(
            0x5200, "StartRouteGuidanceUpdates", .accessory,
            [
                MessageField(0, "displays", .u16, isRepeated: true), MessageField(1, "source", .flag),
                MessageField(2, "sourceSupportsGuidance", .flag),
            ]),
        MessageLayout(RouteGuidanceUpdate.self, "RouteGuidanceUpdate", .device),
        MessageLayout(RouteGuidanceManeuver.self, "RouteGuidanceManeuverInformation", .device),
        MessageLayout(
            0x5203, "StopRouteGuidanceUpdates", .accessory, [MessageField(0, "displays", .u16, isRepeated: true)]),
        MessageLayout(
            0x5204, "LaneGuidanceInformation", .device,
            [
                MessageField(0, "displays", .u16, isRepeated: true), MessageField(1, "index", .u16),
                MessageField(
                    2, "lane",
                    .group([
                        MessageField(0, "index", .u16), MessageField(1, "status", .u8),
                        MessageField(2, "angles", .i16, isRepeated: true),
                    ]), isRepeated: true),
                MessageField(3, "description", .text),
            ]),
    ]
}
