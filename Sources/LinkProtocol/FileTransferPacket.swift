public import WireBytes

/// One payload of the file transfer channel. [2+] (NOC, LIVI, POD)
///
/// Layout: transfer id u8, operation u8, then what belongs to the operation. The device's transfers have the ids
/// 0x80...0xFF.
public struct FileTransferPacket: Equatable, Sendable {
    /// What a packet says.
    public enum Operation: Equatable, Sendable {
        /// 0x04: the sender has a file of `size` bytes; `type` says what it is, 2 being artwork. Some leave it out.
        case setup(size: UInt64, type: UInt16?)
        /// 0x01: the receiver takes it.
        case start
        /// 0x80 first, 0x00 middle, 0x40 last, 0xC0 first and only: bytes of the file.
        case data(ArraySlice<UInt8>, isFirst: Bool, isLast: Bool)
        /// 0x02: either side gives the transfer up.
        case cancel
        /// 0x03: the receiver wants no bytes for now; `start` goes on.
        case pause
        /// 0x05: the receiver has all of it.
        case success
        /// Something that is not known, with all that follows it.
        case unknown(UInt8, ArraySlice<UInt8>)
    }

    /// Bytes before those of the operation. [2+]
    public static let headerLength = 2
    /// The ids of a device's transfers. [2+]
    public static let deviceIDs: ClosedRange<UInt8> = 0x80...0xFF
    /// The ids of an accessory's transfers: the others [D].
    public static let accessoryIDs: ClosedRange<UInt8> = 0x00...0x7F

    /// Which transfer.
    public var id: UInt8
    /// What about it.
    public var operation: Operation

    /// Makes a packet.
    public init(id: UInt8, _ operation: Operation) {
        self.id = id
        self.operation = operation
    }

    /// Reads a payload. Throws `.truncated` or `.excess` when it does not have the length that its operation has.
    public init(parsing payload: ArraySlice<UInt8>) throws(WireError) {
        var reader = ByteReader(payload)
        do throws(WireError) {
            id = try reader.read()
            let code: UInt8 = try reader.read()
            switch code {
            case 0x04:
                let size: UInt64 = try reader.read()
                operation = .setup(size: size, type: reader.isAtEnd ? nil : try reader.read())
                try reader.expectEnd()
            case 0x01, 0x02, 0x03, 0x05:
                try reader.expectEnd()
                operation =
                    switch code {
                    case 0x01: .start
                    case 0x02: .cancel
                    case 0x03: .pause
                    default: .success
                    }
            case 0x80, 0x00, 0x40, 0xC0:
                operation = .data(reader.readRest(), isFirst: code & 0x80 != 0, isLast: code & 0x40 != 0)
            default:
                operation = .unknown(code, reader.readRest())
            }
        } catch {
            throw error.naming("file transfer")
        }
    }

    /// Appends the payload's bytes.
    public func encode(into payload: inout [UInt8]) {
        payload.append(id)
        switch operation {
        case .setup(let size, let type):
            payload.append(0x04)
            for shift in stride(from: 48, through: 0, by: -16) {
                payload.appendBigEndian(UInt16(truncatingIfNeeded: size >> UInt64(shift)))
            }
            if let type { payload.appendBigEndian(type) }
        case .start: payload.append(0x01)
        case .data(let bytes, let isFirst, let isLast):
            payload.append((isFirst ? 0x80 : 0) | (isLast ? 0x40 : 0))
            payload.append(contentsOf: bytes)
        case .cancel: payload.append(0x02)
        case .pause: payload.append(0x03)
        case .success: payload.append(0x05)
        case .unknown(let code, let bytes):
            payload.append(code)
            payload.append(contentsOf: bytes)
        }
    }

    /// The payload's bytes.
    public var encoded: [UInt8] {
        var payload: [UInt8] = []
        encode(into: &payload)
        return payload
    }
}
