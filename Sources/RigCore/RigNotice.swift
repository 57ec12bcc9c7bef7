import ControlProtocol
import RigModel

/// What the rig's end of a link noticed, and what either end asks.
enum RigNotice: Equatable, Sendable {
    /// The handshake reached another phase.
    case phase(SessionPhase)
    /// The handshake waits for a person, or no longer.
    case waiting(SessionWait?)
    /// The phone accepted a head unit of this name.
    case identified(String)
    /// The session runs, with these displays from there.
    case active([DisplayDescription], Origin)
    /// It is over.
    case ended(Reason)
    /// Something was damaged or against the rules.
    case irregularity(Irregularity)
    /// The other side said something that is no part of the handshake.
    case message(ControlMessage)
    /// A device of the head unit was used.
    case input(LinkInput)
    /// Input came as far as this.
    case step(InputID, InputStep)
    /// The other side has sent a whole file.
    case file(LinkFile)
    /// The signer is to answer this end the question of this number.
    case question(SignerQuestion, LinkEnd, UInt64)
    /// The phone, at either end, has judged the head unit.
    case verdict(CertificateVerdict)
    /// A fault did something to what went this way.
    case fault(FaultNotice, FaultDirection)

    /// Whether nothing of the session is left behind it.
    var isLast: Bool {
        switch self {
        case .ended, .fault(.unplug, _): true
        case .phase, .waiting, .identified, .active, .irregularity, .message, .file, .input, .step, .question, .verdict,
            .fault:
            false
        }
    }

    /// Whether a fault did something that does not end the session.
    var isStrike: Bool {
        switch self {
        case .fault: !isLast
        case .phase, .waiting, .identified, .active, .ended, .irregularity, .message, .file, .input, .step, .question,
            .verdict:
            false
        }
    }
}
