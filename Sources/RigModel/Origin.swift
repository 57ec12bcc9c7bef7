/// Where a fact comes from. Published with every record, so that nobody takes a pretence for an observation.
public enum Origin: String, Sendable, CaseIterable {
    /// The kernel or a peer on a real wire said so.
    case observed
    /// The rig made it up: a virtual device, a simulated partner, injected input.
    case simulated
    /// A configuration or a client declared it.
    case declared
}

/// Which side the rig plays on a link.
public enum Role: String, Sendable, CaseIterable {
    /// A phone is plugged in; the rig is the head unit.
    case headUnit
    /// A head unit is plugged in; the rig is the phone.
    case phone
}

/// Who answers on a link.
public enum Peer: String, Sendable, CaseIterable {
    /// The device itself, over its bulk pipes.
    case wire
    /// A partner inside the daemon.
    case simulated
}

/// Who is to blame, and so who can mend it.
public enum Party: String, Sendable, CaseIterable {
    /// The rig or its configuration.
    case local
    /// The other end of the link.
    case peer
    /// The device or the cable.
    case device
    /// A program on one of the sockets.
    case client
}

/// Why something ended or failed, for a machine and for a person.
public struct Reason: Equatable, Sendable {
    /// A stable name in lower camel case: `surpriseRemoval`, `authenticationTimedOut`, ….
    public let code: String
    /// Whose fault it is.
    public let party: Party
    /// What happened and what to do, one or two sentences.
    public let text: String

    /// States a reason.
    public init(_ code: String, _ party: Party, _ text: String) {
        self.code = code
        self.party = party
        self.text = text
    }

    /// The reason as it is published.
    public var record: RecordValue {
        .record([
            RecordField("code", .string(code)), RecordField("party", .string(party.rawValue)),
            RecordField("text", .string(text)),
        ])
    }
}
