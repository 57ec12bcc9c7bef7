public import RigModel
import WireBytes

/// Which way captured bytes went.
public enum CaptureDirection: String, Sendable, CaseIterable {
    /// From the rig to the device.
    case toDevice
    /// From the device to the rig.
    case fromDevice
}

/// What a capture tells of one session: that it began, the bytes of its link, that it ended.
public struct CapturedRecord: Equatable, Sendable {
    /// What is told.
    public enum Kind: Equatable, Sendable {
        /// The session began; all of its bytes follow.
        case opened(Role, Peer)
        /// The session was there when the capture began; its earlier bytes are missing.
        case joined(Role, Peer)
        /// Bytes of the link: one packet where the sender is known to have sent it as one, else as they came.
        case bytes(CaptureDirection, [UInt8])
        /// The session is over.
        case closed(Reason)
    }

    /// Nanoseconds from the daemon's start.
    public let time: UInt64
    /// Whose link it is.
    public let device: DeviceReference
    /// The session on it.
    public let session: SessionID
    /// What is told.
    public let kind: Kind

    /// As it goes onto the socket; the bytes as Base64 text.
    public var record: RecordValue {
        let fields: [RecordField]
        switch kind {
        case .opened(let role, let peer): fields = Self.fields("opened", role, peer)
        case .joined(let role, let peer): fields = Self.fields("joined", role, peer)
        case .bytes(let direction, let bytes):
            fields = [
                RecordField("kind", .string("bytes")), RecordField("direction", .string(direction.rawValue)),
                RecordField("bytes", .string(Base64Text.format(bytes))),
            ]
        case .closed(let reason):
            fields = [RecordField("kind", .string("closed")), RecordField("reason", reason.record)]
        }
        return .record(
            [
                RecordField("time", .number(time)), RecordField("device", .string(device.name)),
                RecordField("generation", .number(device.generation)), RecordField("session", .string(session.name)),
            ] + fields)
    }

    private static func fields(_ kind: String, _ role: Role, _ peer: Peer) -> [RecordField] {
        [
            RecordField("kind", .string(kind)), RecordField("role", .string(role.rawValue)),
            RecordField("peer", .string(peer.rawValue)),
        ]
    }

    /// How many bytes of the link it tells.
    public var byteCount: Int {
        switch kind {
        case .bytes(_, let bytes): bytes.count
        case .opened, .joined, .closed: 0
        }
    }
}
