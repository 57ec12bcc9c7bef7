/// The sending side of one file: its setup, then, once the receiver takes it, its pieces.
///
/// Call `next` until it gives nothing, send what it gives, and give it what the receiver sends.
public struct FileTransferSender: Sendable {
    /// How far a file is. Every case names its exits.
    public enum Phase: Hashable, Sendable {
        /// The setup was not sent. Exits: `offered` (next), `over` (cancel).
        case idle
        /// The receiver's answer is awaited. Exits: `sending` (start), `over` (cancel).
        case offered
        /// Pieces are sent. Exits: `paused` (pause), `sent` (next), `over` (cancel).
        case sending
        /// The receiver wants no bytes for now. Exits: `sending` (start), `over` (cancel).
        case paused
        /// All pieces were sent, the receiver's word is awaited. Exits: `over` (success, cancel).
        case sent
        /// It is over, for better or worse. No exits.
        case over(success: Bool)
    }

    /// The transfer's id.
    public let id: UInt8
    /// How far it is.
    public private(set) var phase: Phase = .idle
    private let type: UInt16?
    private let bytes: [UInt8]
    private let maximumPayload: Int
    private var position = 0

    /// A file that was not offered.
    ///
    /// - Parameters:
    ///   - id: In the range of this side, see `FileTransferPacket`; not in use.
    ///   - maximumPayload: What `LinkAgreement` says; at least 12, for the setup has to fit.
    public init(id: UInt8, type: UInt16?, bytes: [UInt8], maximumPayload: Int) {
        self.id = id
        self.type = type
        self.bytes = bytes
        self.maximumPayload = max(12, maximumPayload)
    }

    /// The next packet to send; nil when the receiver has to say something first, or all is said.
    public mutating func next() -> FileTransferPacket? {
        switch phase {
        case .idle:
            phase = .offered
            return FileTransferPacket(id: id, .setup(size: UInt64(bytes.count), type: type))
        case .sending:
            let piece = bytes[position...].prefix(maximumPayload - FileTransferPacket.headerLength)
            let isFirst = position == 0
            position += piece.count
            let isLast = position == bytes.count
            if isLast { phase = .sent }
            return FileTransferPacket(id: id, .data(piece, isFirst: isFirst, isLast: isLast))
        case .offered, .paused, .sent, .over:
            return nil
        }
    }

    /// Takes what the receiver says. Throws the rule that the packet breaks; the transfer goes on unharmed then.
    public mutating func receive(_ packet: FileTransferPacket) throws(FileTransferRule) {
        guard packet.id == id else { throw .unknownTransfer }
        switch (packet.operation, phase) {
        case (.start, .offered), (.start, .paused): phase = .sending
        case (.pause, .sending): phase = .paused
        // A pause that crosses the last piece, and a start that is repeated, mean nothing any more.
        case (.pause, .sent), (.pause, .paused), (.start, .sending), (.start, .sent): break
        case (.success, .sent): phase = .over(success: true)
        case (.cancel, .offered), (.cancel, .sending), (.cancel, .paused), (.cancel, .sent):
            phase = .over(success: false)
        case (.unknown, _): throw .unknownOperation
        case (.setup, _), (.data, _), (.start, _), (.pause, _), (.success, _), (.cancel, _): throw .wrongOrder
        }
    }

    /// Gives it up from this side.
    ///
    /// - Returns: What tells the receiver, if it knows of the transfer.
    public mutating func cancel() -> FileTransferPacket? {
        switch phase {
        case .idle:
            phase = .over(success: false)
            return nil
        case .offered, .sending, .paused, .sent:
            phase = .over(success: false)
            return FileTransferPacket(id: id, .cancel)
        case .over:
            return nil
        }
    }
}
