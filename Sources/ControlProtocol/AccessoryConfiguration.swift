public import WireBytes

/// What a head unit brings into the handshake.
public struct AccessoryConfiguration: Equatable, Sendable {
    /// What it says it is. The session starts on the link if it lists 4300 and 4301, else the classic way.
    public var identification: Identification
    /// Its certificate, opaque here but for the kind of key that it names.
    public var certificate: [UInt8]
    /// The serial number of its authentication part, told behind the certificate (AA06); nil tells none.
    public var authenticationSerial: String?
    /// Messages of the phone without which it does not go on when it was accepted, as a unit that waits for 4E0E and 4E0A
    /// [C] (V851). They are to be in the list of what it receives.
    public var awaited: [MessageID]
    /// Where a session is to be started; sent on 4300.
    public var startSession: CarPlayStartSession
    /// Its displays; none are declared when empty.
    public var displays: [DisplayDeclaration]
    /// The current it provides; sent when the identification was accepted, if the identification lists AE03.
    public var power: PowerSourceUpdate?
    /// True to list and use Dashrig's own messages (D500, D501).
    public var usesOwnMessages: Bool
    /// How long each step may take.
    public var deadlines: ControlDeadlines

    /// Makes a configuration.
    public init(
        identification: Identification, certificate: [UInt8], authenticationSerial: String? = nil,
        awaited: [MessageID] = [],
        startSession: CarPlayStartSession = CarPlayStartSession(wiredAddresses: ["fe80::1"]),
        displays: [DisplayDeclaration] = [], power: PowerSourceUpdate? = nil, usesOwnMessages: Bool = true,
        deadlines: ControlDeadlines = ControlDeadlines()
    ) {
        self.identification = identification
        self.certificate = certificate
        self.authenticationSerial = authenticationSerial
        self.awaited = awaited
        self.startSession = startSession
        self.displays = displays
        self.power = power
        self.usesOwnMessages = usesOwnMessages
        self.deadlines = deadlines
    }

    /// The identification as it is sent: with Dashrig's own messages in its lists when they are used.
    public var sentIdentification: Identification {
        var sent = identification
        guard usesOwnMessages else { return sent }
        if !displays.isEmpty, !sent.messagesSent.contains(.displayDeclaration) {
            sent.messagesSent.append(.displayDeclaration)
        }
        if !sent.messagesReceived.contains(.phoneCondition) { sent.messagesReceived.append(.phoneCondition) }
        return sent
    }

    /// Throws the first value that fits no message, so that a configuration can be refused before anything is plugged.
    public func validate() throws(WireError) {
        _ = try sentIdentification.message()
        _ = try AuthenticationCertificate(certificate: certificate).message()
        if let authenticationSerial {
            _ = try AccessoryAuthenticationSerialNumber(serialNumber: authenticationSerial).message()
        }
        _ = try startSession.message()
        _ = try DisplayDeclarations(displays: displays).message()
    }
}
