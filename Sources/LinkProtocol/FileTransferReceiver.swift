import WireBytes

/// What a file transfer did with one packet.
public enum FileTransferEvent: Equatable, Sendable {
    /// A file is offered; its bytes come once `reply` was sent.
    case offered(id: UInt8, size: UInt64, type: UInt16?)
    /// Bytes came; `received` of `size` are there.
    case progress(id: UInt8, received: Int, size: UInt64)
    /// All of it is there.
    case finished(id: UInt8, type: UInt16?, bytes: [UInt8])
    /// The peer gave it up.
    case cancelled(id: UInt8)
    /// The packet is about a transfer of this side: see `FileTransferSender`.
    case concernsSender
    /// The packet broke a rule. A transfer that it belongs to is given up.
    case refused(id: UInt8?, FileTransferRule)
}

/// What a file transfer's packet can break. Raw values are stable names.
public enum FileTransferRule: String, Error, Hashable, Sendable, CaseIterable {
    /// The payload is shorter or longer than its operation.
    case malformed
    /// The operation is not known.
    case unknownOperation = "unknown-operation"
    /// Bytes for a transfer that was not offered, or is over.
    case unknownTransfer = "unknown-transfer"
    /// A transfer with this id runs already.
    case repeatedSetup = "repeated-setup"
    /// More transfers at once than are taken.
    case tooManyTransfers = "too-many-transfers"
    /// A file larger than is taken.
    case fileTooLarge = "file-too-large"
    /// More bytes came than the setup told.
    case moreThanOffered = "more-than-offered"
    /// The last bytes came before the told size was reached.
    case lessThanOffered = "less-than-offered"
    /// First, middle and last pieces in an order that makes no file.
    case wrongOrder = "wrong-order"
}

/// The receiving side of the file transfer channel: bytes of several files at once, put together in bounded memory.
public struct FileTransferReceiver: Sendable {
    private struct Transfer: Sendable {
        var id: UInt8
        var size: UInt64
        var type: UInt16?
        var bytes: [UInt8] = []
        var hasBegun = false
    }

    /// The ids of the peer's transfers.
    public let peerIDs: ClosedRange<UInt8>
    /// The most transfers at once. Ours: 4, enough for artwork that is replaced while it comes.
    public let maximumTransfers: Int
    /// The largest file, in bytes. Ours: 4 MiB, far more than artwork has.
    public let maximumSize: Int
    private var transfers: [Transfer] = []

    /// A receiver of what a `side` peer sends.
    public init(
        peer side: LinkMachine.Side, maximumTransfers: Int = 4, maximumSize: Int = 4 << 20
    ) {
        peerIDs = side == .device ? FileTransferPacket.deviceIDs : FileTransferPacket.accessoryIDs
        self.maximumTransfers = max(1, maximumTransfers)
        self.maximumSize = max(0, maximumSize)
    }

    /// The ids of the transfers that run, in the order in which they were offered.
    public var running: [UInt8] { transfers.map(\.id) }
    /// Bytes held: at most `maximumTransfers` times `maximumSize`.
    public var heldBytes: Int { transfers.reduce(0) { $0 + $1.bytes.count } }

    /// Takes one payload of the channel.
    ///
    /// - Returns: What it did, and what is to be sent because of it: `start` for an offer, `success` for a whole file,
    ///   `cancel` for one that is given up.
    public mutating func receive(
        _ payload: ArraySlice<UInt8>
    ) -> (event: FileTransferEvent, reply: FileTransferPacket?) {
        let packet: FileTransferPacket
        do throws(WireError) {
            packet = try FileTransferPacket(parsing: payload)
        } catch {
            return refuse(payload.first, .malformed)
        }
        guard peerIDs.contains(packet.id) else { return (.concernsSender, nil) }
        let index = transfers.firstIndex { $0.id == packet.id }
        switch packet.operation {
        case .setup(let size, let type): return offer(packet.id, size: size, type: type, index: index)
        case .data(let bytes, let isFirst, let isLast):
            guard let index else { return refuse(packet.id, .unknownTransfer) }
            return take(bytes, isFirst: isFirst, isLast: isLast, index: index)
        case .cancel:
            guard let index else { return (.refused(id: packet.id, .unknownTransfer), nil) }
            transfers.remove(at: index)
            return (.cancelled(id: packet.id), nil)
        case .unknown: return refuse(packet.id, .unknownOperation)
        // These are for the sender to hear, and the sender is the peer.
        case .start, .pause, .success: return refuse(packet.id, .wrongOrder)
        }
    }

    /// Forgets all transfers, as with the end of a link.
    public mutating func removeAll() { transfers = [] }

    private mutating func offer(
        _ id: UInt8, size: UInt64, type: UInt16?, index: Int?
    ) -> (event: FileTransferEvent, reply: FileTransferPacket?) {
        guard index == nil else { return refuse(id, .repeatedSetup) }
        guard transfers.count < maximumTransfers else { return refuse(id, .tooManyTransfers) }
        guard size <= UInt64(maximumSize) else { return refuse(id, .fileTooLarge) }
        transfers.append(Transfer(id: id, size: size, type: type))
        return (.offered(id: id, size: size, type: type), FileTransferPacket(id: id, .start))
    }

    private mutating func take(
        _ bytes: ArraySlice<UInt8>, isFirst: Bool, isLast: Bool, index: Int
    ) -> (event: FileTransferEvent, reply: FileTransferPacket?) {
        let id = transfers[index].id
        let size = transfers[index].size
        guard isFirst != transfers[index].hasBegun else { return refuse(id, .wrongOrder) }
        // The told size is at most `maximumSize`, so nothing here is larger.
        guard UInt64(transfers[index].bytes.count + bytes.count) <= size else { return refuse(id, .moreThanOffered) }
        transfers[index].hasBegun = true
        transfers[index].bytes.append(contentsOf: bytes)
        let received = transfers[index].bytes.count
        guard isLast else { return (.progress(id: id, received: received, size: size), nil) }
        guard UInt64(received) == size else { return refuse(id, .lessThanOffered) }
        let transfer = transfers.remove(at: index)
        return (
            .finished(id: id, type: transfer.type, bytes: transfer.bytes), FileTransferPacket(id: id, .success)
        )
    }

    private mutating func refuse(
        _ id: UInt8?, _ rule: FileTransferRule
    ) -> (event: FileTransferEvent, reply: FileTransferPacket?) {
        guard let id, peerIDs.contains(id) else { return (.refused(id: id, rule), nil) }
        transfers.removeAll { $0.id == id }
        return (.refused(id: id, rule), FileTransferPacket(id: id, .cancel))
    }
}
