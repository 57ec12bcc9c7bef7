import LinkProtocol

/// Packets for the other end, one behind the other.
struct OutgoingPackets: Equatable, Sendable {
    /// Their bytes.
    private(set) var bytes: [UInt8] = []
    /// For every packet, the offset of the byte behind it.
    private(set) var ends: [Int] = []

    var isEmpty: Bool { bytes.isEmpty }

    /// The packets, one slice each.
    var packets: [ArraySlice<UInt8>] {
        var start = 0
        return ends.map { end in
            defer { start = end }
            return bytes[start..<end]
        }
    }

    /// Adds bytes that go out in one piece.
    mutating func append(_ piece: ArraySlice<UInt8>) {
        bytes += piece
        ends.append(bytes.count)
    }

    mutating func append(_ output: LinkOutput) {
        let base = bytes.count
        bytes += output.transmit
        for end in output.packetEnds { ends.append(base + end) }
    }

    /// The most memory kept while there are none, in bytes. Ours: as a link's queue keeps.
    private static let keptCapacity = 65_536

    /// Empties it, and keeps its memory unless a burst made it large.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
        ends.removeAll(keepingCapacity: bytes.capacity > 0)
    }
}
