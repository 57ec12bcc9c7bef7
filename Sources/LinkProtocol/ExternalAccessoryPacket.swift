public import WireBytes

/// One payload of the external accessory channel: bytes of one of its streams. [2+] (WIO, NOC)
///
/// Layout: stream id u16 big-endian, then the bytes. Streams are opened and closed by control messages.
public struct ExternalAccessoryPacket: Equatable, Sendable {
    /// Bytes before those of the stream. [2+]
    public static let headerLength = 2

    /// The stream, as the control message that opened it named it.
    public var stream: UInt16
    /// Bytes of the stream, none included.
    public var bytes: ArraySlice<UInt8>

    /// Makes a packet.
    public init(stream: UInt16, bytes: ArraySlice<UInt8>) {
        self.stream = stream
        self.bytes = bytes
    }

    /// Reads a payload. Throws `.truncated` when it is shorter than its header.
    public init(parsing payload: ArraySlice<UInt8>) throws(WireError) {
        var reader = ByteReader(payload)
        do throws(WireError) {
            stream = try reader.read()
        } catch {
            throw error.naming("stream")
        }
        bytes = reader.readRest()
    }

    /// Appends the payload's bytes.
    public func encode(into payload: inout [UInt8]) {
        payload.appendBigEndian(stream)
        payload.append(contentsOf: bytes)
    }

    /// The payload's bytes.
    public var encoded: [UInt8] {
        var payload: [UInt8] = []
        payload.reserveCapacity(Self.headerLength + bytes.count)
        encode(into: &payload)
        return payload
    }
}
