public import WireBytes

/// 1D01: what a unit is, and which messages it sends and takes.
///
/// Parameters [C][2+]: 0 name, 1 model, 2 manufacturer, 3 serial number, 4 firmware, 5 hardware (text); 6 messages sent,
/// 7 messages received (u16 lists); 8 power providing (u8); 9 current drawn (u16 mA); 12 current language, 13 supported
/// languages (text, repeated). All of these are mandatory [1] (OCBM). 11 is the team of the apps that belong to the unit
/// (text). Every other parameter is a component: a group with 0 id (u16) and 1 name (text), kept as it came.
public struct Identification: TypedControlMessage {
    /// The number of the message.
    public static let messageID = MessageID.identificationInformation
    /// The longest text taken, in bytes of UTF-8: ours.
    public static let maximumTextLength = 256
    /// The most message numbers in one list: ours, several times what is known.
    public static let maximumMessages = 512
    /// The most components: ours; 4 in a captured one [C].
    public static let maximumComponents = 64
    /// The most languages: ours.
    public static let maximumLanguages = 64

    /// Parameter 0.
    public var name: String
    /// Parameter 1.
    public var modelIdentifier: String
    /// Parameter 2.
    public var manufacturer: String
    /// Parameter 3.
    public var serialNumber: String
    /// Parameter 4.
    public var firmwareVersion: String
    /// Parameter 5.
    public var hardwareVersion: String
    /// Parameter 6: what the unit sends, without authentication and identification.
    public var messagesSent: [MessageID]
    /// Parameter 7: what the unit takes, without authentication and identification.
    public var messagesReceived: [MessageID]
    /// Parameter 8: 0 none, 1 reserved, 2 advanced.
    public var powerProvidingCapability: UInt8
    /// Parameter 9, in mA.
    public var maximumCurrentDrawn: UInt16
    /// Parameter 12, as "en".
    public var currentLanguage: String
    /// Parameter 13.
    public var supportedLanguages: [String]
    /// Parameter 11.
    public var appMatchTeamIdentifier: String?
    /// Everything else, in order.
    public var components: [IdentificationComponent]

    /// Makes an identification.
    public init(
        name: String, modelIdentifier: String, manufacturer: String, serialNumber: String, firmwareVersion: String,
        hardwareVersion: String, messagesSent: [MessageID] = [], messagesReceived: [MessageID] = [],
        powerProvidingCapability: UInt8 = 0, maximumCurrentDrawn: UInt16 = 0, currentLanguage: String = "en",
        supportedLanguages: [String] = ["en"], appMatchTeamIdentifier: String? = nil,
        components: [IdentificationComponent] = []
    ) {
        self.name = name
        self.modelIdentifier = modelIdentifier
        self.manufacturer = manufacturer
        self.serialNumber = serialNumber
        self.firmwareVersion = firmwareVersion
        self.hardwareVersion = hardwareVersion
        self.messagesSent = messagesSent
        self.messagesReceived = messagesReceived
        self.powerProvidingCapability = powerProvidingCapability
        self.maximumCurrentDrawn = maximumCurrentDrawn
        self.currentLanguage = currentLanguage
        self.supportedLanguages = supportedLanguages
        self.appMatchTeamIdentifier = appMatchTeamIdentifier
        self.components = components
    }

    /// Reads the parameters; the type tells the layout.
    public init(parameters: ControlParameters) throws(WireError) {
        func text(_ id: UInt16) throws(WireError) -> String {
            try parameters.required(id).text(limit: Self.maximumTextLength)
        }
        func list(_ id: UInt16) throws(WireError) -> [MessageID] {
            let parameter = try parameters.required(id)
            let list = try parameter.messageIDs()
            guard list.count <= Self.maximumMessages else {
                throw WireError(
                    .tooMany(limit: Self.maximumMessages), offset: parameter.offset, field: "parameter \(id)")
            }
            return list
        }
        name = try text(0)
        modelIdentifier = try text(1)
        manufacturer = try text(2)
        serialNumber = try text(3)
        firmwareVersion = try text(4)
        hardwareVersion = try text(5)
        messagesSent = try list(6)
        messagesReceived = try list(7)
        powerProvidingCapability = try parameters.required(8).integer()
        maximumCurrentDrawn = try parameters.required(9).integer()
        currentLanguage = try text(12)
        supportedLanguages = []
        appMatchTeamIdentifier = try parameters.first(11)?.text(limit: Self.maximumTextLength)
        components = []
        for parameter in try parameters.all() {
            switch parameter.id {
            case 0...9, 11, 12:
                break
            case 13:
                supportedLanguages.append(try parameter.text(limit: Self.maximumTextLength))
            default:
                components.append(IdentificationComponent(kind: parameter.id, parameters: parameter.group()))
            }
            guard supportedLanguages.count <= Self.maximumLanguages, components.count <= Self.maximumComponents else {
                throw WireError(
                    .tooMany(limit: Self.maximumComponents), offset: parameter.offset,
                    field: "parameter \(parameter.id)")
            }
        }
        guard !supportedLanguages.isEmpty else {
            throw WireError(.missing, offset: parameters.offset, field: "parameter 13")
        }
    }

    /// The parameters; the type tells the layout.
    public func encodeParameters() throws(WireError) -> ControlParameters {
        var parameters = ControlParameters()
        let texts = [name, modelIdentifier, manufacturer, serialNumber, firmwareVersion, hardwareVersion]
        for (id, text) in texts.enumerated() {
            try parameters.append(UInt16(truncatingIfNeeded: id), text: text)
        }
        try parameters.append(6, messageIDs: messagesSent)
        try parameters.append(7, messageIDs: messagesReceived)
        parameters.append(8, powerProvidingCapability)
        parameters.append(9, maximumCurrentDrawn)
        for component in components where component.kind < 12 {
            try parameters.append(component.kind, group: component.parameters)
        }
        if let appMatchTeamIdentifier { try parameters.append(11, text: appMatchTeamIdentifier) }
        try parameters.append(12, text: currentLanguage)
        for language in supportedLanguages { try parameters.append(13, text: language) }
        for component in components where component.kind >= 12 {
            try parameters.append(component.kind, group: component.parameters)
        }
        return parameters
    }

    /// True when the unit uses both messages with which a session is started on this link (4300 and 4301). Without
    /// them the session starts outside of it, the "classic" path; a real unit of 2024 does that [C] (V851).
    public var startsSessionOnLink: Bool {
        messagesReceived.contains(.carPlayAvailability) && messagesSent.contains(.carPlayStartSession)
    }

    /// True when the unit will send its displays in Dashrig's own message.
    public var declaresDisplays: Bool { messagesSent.contains(.displayDeclaration) }

    /// The numbers of parameters without which no identification is accepted. [1] (OCBM)
    public static let mandatoryParameters: [UInt16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13]
}

// MARK: - What a phone refuses

extension Identification {
    /// The numbers of what a phone refuses, ascending; see `refusals`.
    public var refusedParameters: [UInt16] { refusals.map(\.parameter) }

    /// What a phone refuses, by ascending number. Missing parameters are found when it is parsed.
    ///
    /// 6 and 7: messages of authentication or identification (NOC), and messages that start something without the one
    /// that stops it [C] (OCBM). A component: 24 when there is no 17 [C] (OCBM), and one that cannot be read, as when a
    /// presence flag is not empty (NOC).
    public var refusals: [ParameterRefusal] {
        var refusals: [ParameterRefusal] = []
        for (parameter, list) in [(6 as UInt16, messagesSent), (7, messagesReceived)] {
            var refused = list.filter(\.isFramework)
            for pair in Subscription.startsAndStops where list.contains(pair.start) && !list.contains(pair.stop) {
                refused.append(pair.start)
            }
            if !refused.isEmpty { refusals.append(ParameterRefusal(parameter, messages: refused)) }
        }
        let kinds = components.map(\.kind)
        var refused: [UInt16] = []
        for component in components where !refused.contains(component.kind) {
            let lacksBluetooth =
                component.kind == WirelessTransport.kind && !kinds.contains(BluetoothTransport.kind)
            if lacksBluetooth || component.problem != nil { refused.append(component.kind) }
        }
        return refusals + refused.sorted().map { ParameterRefusal($0) }
    }

    /// The identification without what was refused, as a unit tries it again: components of the refused kinds, the team
    /// and the refused messages are left out. Nil when something was refused that it cannot do without, or that it does
    /// not have: nothing would change.
    public func reduced(by refusals: [ParameterRefusal]) -> Identification? {
        guard !refusals.isEmpty else { return nil }
        var reduced = self
        for refusal in refusals {
            switch refusal.parameter {
            case 6 where !refusal.messages.isEmpty && refusal.messages.allSatisfy(messagesSent.contains):
                reduced.messagesSent.removeAll(where: refusal.messages.contains)
            case 7 where !refusal.messages.isEmpty && refusal.messages.allSatisfy(messagesReceived.contains):
                reduced.messagesReceived.removeAll(where: refusal.messages.contains)
            case 11 where appMatchTeamIdentifier != nil:
                reduced.appMatchTeamIdentifier = nil
            default:
                guard components.contains(where: { $0.kind == refusal.parameter }) else { return nil }
                reduced.components.removeAll { $0.kind == refusal.parameter }
            }
        }
        return reduced
    }
}
