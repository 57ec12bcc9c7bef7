import LinkProtocol
import RigModel

/// What one end receives on the file transfer channel: whole files are told, and their bytes forgotten.
struct FileIntake: Sendable {
    /// The most files at once and the largest, in bytes: ours. Artwork has some 100 KB, and every link may hold as much.
    static let limits = (transfers: 2, size: 1 << 20)

    private var receiver: FileTransferReceiver

    init(for side: EndpointSide) {
        let peer: LinkMachine.Side
        switch side {
        case .accessory: peer = .device
        case .device: peer = .accessory
        }
        receiver = FileTransferReceiver(
            peer: peer, maximumTransfers: Self.limits.transfers, maximumSize: Self.limits.size)
    }

    /// Takes one payload of the channel, and gives what it was and what is to be sent for it.
    mutating func receive(_ payload: ArraySlice<UInt8>) -> (notice: EndpointNotice?, reply: [UInt8]?) {
        let (event, reply) = receiver.receive(payload)
        let notice: EndpointNotice?
        switch event {
        case .finished(let id, let type, let bytes): notice = .file(transfer: id, type: type, size: bytes.count)
        case .refused(let id, let rule):
            notice = .irregularity(
                Irregularity(
                    layer: .link, end: .rig, rule: "transfer-\(rule.rawValue)", party: .peer, reaction: "drop",
                    text: id.map { "file transfer \($0) is given up" } ?? "a payload is no file transfer"))
        case .offered, .progress, .cancelled, .concernsSender: notice = nil
        }
        guard let reply else { return (notice, nil) }
        var bytes: [UInt8] = []
        reply.encode(into: &bytes)
        return (notice, bytes)
    }
}
