/// What the owner of a control machine is told or asked for.
public enum ControlNotice: Equatable, Sendable {
    /// The phase is a new one.
    case phaseChanged(ControlPhase)
    /// Unit: sign this with the key of the configured certificate, whose shape this is; answer with `signatureReady` or
    /// `signatureFailed`.
    case needSignature(challenge: [UInt8], shape: AuthenticationShape)
    /// Phone: this many random bytes are needed; answer with `challengeReady`.
    case needChallenge(count: Int)
    /// Phone: check this; answer with `verificationResult`.
    case verify(certificate: [UInt8], challenge: [UInt8], signature: [UInt8])
    /// Phone: the unit's certificate and signature are right.
    case authenticated(CertificateFacts)
    /// The phone accepted the unit as this.
    case identified(Identification)
    /// Unit: the phone refused these; it is tried again without them.
    case identificationReduced([ParameterRefusal])
    /// Phone: the unit is this from now on.
    case identificationUpdated(Identification)
    /// The handshake waits for the phone's user; no deadline runs.
    case waiting(ControlWait)
    /// The phone's user has done it; the deadline runs again.
    case resumed
    /// Phone: the unit's displays, all of them, at the start or changed later.
    case displaysDeclared([DisplayDeclaration])
    /// A rule was broken that does not end the session; at most a few for one message.
    case irregularity(ControlIrregularity)
    /// A message that the handshake does not need, in the order in which it came.
    case received(ControlMessage)
    /// The session runs.
    case active
    /// The handshake or session is over because of this. Told at most once, before `phaseChanged(.closed)`.
    case failed(ControlFailure)
}

/// Where a control machine puts what its owner has to do: first send the messages, one link packet each, then deal with
/// the notices in order. Reuse one value: emptied, it keeps its memory.
public struct ControlOutput: Sendable {
    /// Messages for the other side, in order. Every one of them fits its length field.
    public var messages: [ControlMessage] = []
    /// What there is to know or to answer, oldest first.
    public var notices: [ControlNotice] = []

    /// An empty output.
    public init() {}

    /// True when there is nothing to do.
    public var isEmpty: Bool { messages.isEmpty && notices.isEmpty }

    /// Empties it, keeping the memory unless told otherwise.
    public mutating func removeAll(keepingCapacity: Bool = true) {
        messages.removeAll(keepingCapacity: keepingCapacity)
        notices.removeAll(keepingCapacity: keepingCapacity)
    }
}

/// What both control machines have in common, for owners that join one to a link.
///
/// The join: at `LinkNotice.established` make a new machine and an assembler and call `start`; feed payloads of the
/// control channel to the assembler and its messages to `receive`; give an assembler's error to `streamFailed`; send
/// every message as one payload on the control channel; close the link when the machine has failed, and the machine when
/// the link has closed. Time and deadlines work as in a link.
public protocol ControlMachine: Sendable {
    /// How far the handshake is.
    var phase: ControlPhase { get }
    /// What is awaited now; nil when nothing is.
    var step: ControlStep? { get }
    /// What holds the handshake up without a deadline; nil when nothing does.
    var wait: ControlWait? { get }
    /// When `deadlineReached` is to be called next; nil when nothing is awaited.
    var nextDeadline: UInt64? { get }
    /// Begins, once the link is up. Nothing happens when called again.
    mutating func start(now: UInt64, into output: inout ControlOutput)
    /// Takes one message from the other side. Ignored before `start` and after the end.
    mutating func receive(_ message: ControlMessage, now: UInt64, into output: inout ControlOutput)
    /// The control channel's bytes make no messages: the handshake or session fails.
    mutating func streamFailed(_ error: ControlStreamError, into output: inout ControlOutput)
    /// Does what is due at `now`; early, late and repeated calls are legal.
    mutating func deadlineReached(now: UInt64, into output: inout ControlOutput)
    /// Sends a message of the application. Throws unless the session is active.
    mutating func send(_ message: ControlMessage, into output: inout ControlOutput) throws(ControlSendError)
    /// Ends it from this side or because the link is gone. Not a failure; nothing happens when called again.
    mutating func close(now: UInt64, into output: inout ControlOutput)
}

extension UInt64 {
    /// `self + duration`, or the end of time.
    func adding(_ duration: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(duration)
        return overflow ? .max : sum
    }
}
