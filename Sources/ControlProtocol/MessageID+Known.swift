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
    /// Phone: one of its calls. [2+]
    public static let callStateUpdate = MessageID(0x4155)
    /// Phone: whether a session could start without a cable. [C]
    public static let wirelessSessionUpdate = MessageID(0x4E0D)
    /// Phone: what it plays. [2+]
    public static let nowPlayingUpdate = MessageID(0x5001)
    /// Phone: how the guidance goes. [2+]
    public static let routeGuidanceUpdate = MessageID(0x5201)
    /// Phone: one manoeuvre of the route. [2+]
    public static let routeGuidanceManeuverInformation = MessageID(0x5202)
    /// Phone: tell me your wireless network. [C]
    public static let requestAccessoryWiFiConfiguration = MessageID(0x5702)
    /// Unit: an input device on the link. [2+]
    public static let startHID = MessageID(0x6800)
    /// Phone: an output report for an input device. [2+]
    public static let deviceHIDReport = MessageID(0x6801)
    /// Unit: an input report. [2+]
    public static let accessoryHIDReport = MessageID(0x6802)
    /// Unit: an input device is gone. [2+]
    public static let stopHID = MessageID(0x6803)
    /// Unit: what the vehicle tells of itself. [2+]
    public static let vehicleStatusUpdate = MessageID(0xA101)
    /// Phone: its power. [2+]
    public static let powerUpdate = MessageID(0xAE01)
    /// Phone: an app opens a session. [2+]
    public static let startExternalAccessorySession = MessageID(0xEA00)
    /// Phone: an app closes its session. [2+]
    public static let stopExternalAccessorySession = MessageID(0xEA01)
    /// Unit: what it says of a session. [2+]
    public static let externalAccessorySessionStatus = MessageID(0xEA03)
    /// Phone: tell me where you are. [2+]
    public static let startLocationInformation = MessageID(0xFFFA)
    /// Unit: where it is. [2+]
    public static let locationInformation = MessageID(0xFFFB)
}
