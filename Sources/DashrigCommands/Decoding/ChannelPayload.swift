internal import LinkProtocol
internal import WireBytes

/// The payloads of the channels that carry no messages.
enum ChannelPayload {
    /// One packet of a file transfer.
    static func fileTransfer(_ payload: ArraySlice<UInt8>) -> DecodedPart {
        let start = payload.startIndex
        let packet: FileTransferPacket
        do throws(WireError) {
            packet = try FileTransferPacket(parsing: payload)
        } catch {
            return unreadable(payload, "no packet of a file transfer: \(error.moved(by: start))")
        }
        var part = DecodedPart("fileTransfer", at: start, length: payload.count)
        part.id = UInt64(packet.id)
        part.idDigits = 2
        let code = UInt64(payload[start + 1])
        let operation = DecodedPart("operation", at: start + 1, length: 1, .code(code, digits: 2))
        part.parts = [operation] + content(of: packet.operation, at: start + FileTransferPacket.headerLength)
        part.title = title(packet.operation)
        return part
    }

    private static func title(_ operation: FileTransferPacket.Operation) -> String {
        switch operation {
        case .setup: "setup"
        case .start: "start"
        case .data(_, isFirst: true, isLast: true): "onlyData"
        case .data(_, isFirst: true, isLast: false): "firstData"
        case .data(_, isFirst: false, isLast: true): "lastData"
        case .data(_, isFirst: false, isLast: false): "data"
        case .cancel: "cancel"
        case .pause: "pause"
        case .success: "success"
        case .unknown: "unknown"
        }
    }

    private static func content(of operation: FileTransferPacket.Operation, at place: Int) -> [DecodedPart] {
        switch operation {
        case .setup(let size, let type):
            let size = DecodedPart("size", at: place, length: 8, .number(size), note: "bytes")
            return [size] + (type.map { [DecodedPart("type", at: place + 8, length: 2, .number(UInt64($0)))] } ?? [])
        case .data(let bytes, _, _), .unknown(_, let bytes):
            return [DecodedPart("data", at: place, length: bytes.count, .bytes(Array(bytes)))]
        case .start, .cancel, .pause, .success: return []
        }
    }

    /// A piece of an accessory's stream: the stream's number, then bytes. [2+] (WIO, NOC)
    static func externalAccessory(_ payload: ArraySlice<UInt8>) -> DecodedPart {
        let start = payload.startIndex
        guard payload.count >= 2 else {
            return unreadable(payload, "too short for an accessory's stream, which begins with its number")
        }
        let rest = payload.dropFirst(2)
        var part = DecodedPart("externalAccessory", at: start, length: payload.count)
        part.id = UInt64(payload[start]) << 8 | UInt64(payload[start + 1])
        part.parts = [DecodedPart("data", at: rest.startIndex, length: rest.count, .bytes(Array(rest)))]
        return part
    }

    private static func unreadable(_ payload: ArraySlice<UInt8>, _ problem: String) -> DecodedPart {
        DecodedPart("payload", at: payload.startIndex, length: payload.count, .bytes(Array(payload)), problem: problem)
    }
}
