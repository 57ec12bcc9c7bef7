import ControlProtocol
import RigModel

/// What the owner of an endpoint is told.
enum EndpointNotice: Equatable, Sendable {
    /// The handshake reached another phase.
    case phase(SessionPhase)
    /// The handshake waits for a person, or no longer.
    case waiting(SessionWait?)
    /// The phone accepted a head unit of this name.
    case identified(String)
    /// The phone's side: the head unit declared its displays.
    case displays([DisplayDescription])
    /// The session runs.
    case active
    /// Something was damaged or against the rules.
    case irregularity(Irregularity)
    /// The other side said something that is no part of the handshake.
    case message(ControlMessage)
    /// The other side sent a whole file.
    case file(transfer: UInt8, type: UInt16?, size: Int)
    /// The phone's side: something came of an input device of the head unit.
    case hid(HIDArrival)
    /// It is over. Told once, and nothing is told after it.
    case ended(Reason)
    /// An outside signer is to answer this question, which has this number; it goes on with `answer`.
    case question(SignerQuestion, UInt64)
    /// The phone's side: what it says of the head unit.
    case verdict(CertificateVerdict)
}

/// What the owner of an endpoint is told, with what it tells of.
struct EndpointNotices: Sendable {
    /// Oldest first.
    var list: [EndpointNotice] = []
    /// The bytes of the reports that came of input devices, behind each other.
    var reports: [UInt8] = []

    /// The most notices and bytes that memory is kept for. Ours: far more than a usual read brings.
    private static let keptCapacity = 4_096

    /// Empties it, and keeps its memory unless a burst made it large.
    mutating func removeAll() {
        list.removeAll(keepingCapacity: list.capacity <= Self.keptCapacity)
        reports.removeAll(keepingCapacity: reports.capacity <= Self.keptCapacity)
    }
}

/// Which side of the handshake an endpoint plays, with what it brings.
enum EndpointSide: Sendable {
    /// The head unit.
    case accessory(AccessoryConfiguration)
    /// The phone.
    case device(DeviceConfiguration)
}
