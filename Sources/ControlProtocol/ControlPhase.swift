/// How far a session's handshake is.
public enum ControlPhase: String, Hashable, Sendable, CaseIterable {
    /// The link is not up.
    case idle
    /// Certificate, challenge and signature are exchanged.
    case authenticating
    /// The unit tells what it is.
    case identifying
    /// Both accepted each other; the session is being started and displays are declared.
    case starting
    /// The session runs.
    case active
    /// Over; nothing starts again.
    case closed
}

/// What is awaited, by name; each has a deadline in `ControlDeadlines`.
public enum ControlStep: Int, Hashable, Sendable, CaseIterable {
    /// Unit: the phone's next request, AA00 or 1D00.
    case request
    /// Unit: the phone's challenge, AA02.
    case challenge
    /// Unit: the signature, from its own signer.
    case signature
    /// Unit: the phone's verdict on the signature, AA05 or AA04.
    case authenticationResult
    /// Unit: the phone's verdict on the identification, 1D02 or 1D03.
    case identificationResult
    /// Unit: what its configuration waits for, as 4E0E and 4E0A.
    case information
    /// Unit: the phone's offer to start a session, 4300.
    case availability
    /// Phone: the unit's certificate, AA01.
    case certificate
    /// Phone: random bytes, from its own side.
    case challengeBytes
    /// Phone: the unit's signature, AA03.
    case response
    /// Phone: whether the signature is right, from its own verifier.
    case verification
    /// Phone: the unit's identification, 1D01.
    case identification
    /// Phone: the unit's start of the session, 4301.
    case startSession
    /// Phone: the unit's displays, D500.
    case displays

    /// A stable name for logs, scenarios and sockets.
    public var name: String { "\(self)" }

    /// True when this side itself owes the answer.
    public var isLocal: Bool {
        switch self {
        case .signature, .challengeBytes, .verification: true
        case .request, .challenge, .authenticationResult, .identificationResult, .information, .availability,
            .certificate, .response, .identification, .startSession, .displays:
            false
        }
    }

    /// What is awaited, in words that complete "waited too long for".
    var subject: String {
        switch self {
        case .request: "the phone's request for a certificate or an identification"
        case .challenge: "the phone's challenge"
        case .signature: "a signature from this side's signer"
        case .authenticationResult: "the phone's verdict on the signature"
        case .identificationResult: "the phone's verdict on the identification"
        case .information: "what this unit wants to know of the phone"
        case .availability: "the phone's offer to start a session"
        case .certificate: "the unit's certificate"
        case .challengeBytes: "random bytes from this side"
        case .response: "the unit's signature"
        case .verification: "this side's verification of the signature"
        case .identification: "the unit's identification"
        case .startSession: "the unit's start of the session"
        case .displays: "the unit's displays"
        }
    }
}

/// How long each step may take, in nanoseconds.
public struct ControlDeadlines: Equatable, Sendable {
    private var durations: [UInt64]

    /// The same duration for every step on which the other side owes an answer, and one for those of this side.
    ///
    /// 30 s is NOC's budget per stage; answers of a real phone took 6...41 ms [C] (OCBM). Signing took 1.77 s with a
    /// 2.0x chip [C] (OCBM); 10 s is five times that.
    public init(remote: UInt64 = 30_000_000_000, local: UInt64 = 10_000_000_000) {
        durations = ControlStep.allCases.map { $0.isLocal ? local : remote }
    }

    /// The duration of one step.
    public subscript(_ step: ControlStep) -> UInt64 {
        get { durations[step.rawValue] }
        set { durations[step.rawValue] = newValue }
    }
}

/// What holds a handshake up without being an error.
public enum ControlWait: String, Hashable, Sendable, CaseIterable {
    /// The phone is locked.
    case locked
    /// The phone asks its user whether to trust the unit.
    case trust
    /// CarPlay is switched off on the phone, or no transport is available.
    case carPlayOff
    /// The phone is set to offer no session.
    case sessionRefused

    /// What has to happen, for people.
    public var reason: String {
        switch self {
        case .locked: "the phone is locked; unlock it"
        case .trust: "the phone asks whether to trust the unit; answer it"
        case .carPlayOff: "CarPlay is switched off on the phone; switch it on"
        case .sessionRefused: "the phone is set to offer no session"
        }
    }
}
