import ControlProtocol
import RigModel

extension RigCore {
    /// Has one side of a session send a message, and publishes what the rig's end sends. A number that the catalogue does
    /// not know has to come with its sender: whose it was meant to be cannot be guessed.
    mutating func send(_ request: SendRequest, into actions: inout ActionBuffer) throws(CommandFailure) {
        let entry = try attached(request.device, generation: request.generation)
        let message = try ControlMessage(described: request)
        guard !message.id.isFramework else {
            throw .notPermitted(
                "\(request.message) belongs to the handshake; a fault or a phone's conditions change that")
        }
        guard let id = entry.link, let link = links[id], let session = entry.device.session else {
            throw Self.notActive(request.device)
        }
        guard let sender = request.sender ?? message.id.sender.map(LinkSide.init) else {
            throw .invalidParameter(
                "sender", text: "nobody is known to send \(request.message); name the sender: phone or headUnit")
        }
        let isOurs = sender == link.side
        guard isOurs || !link.isWire else {
            throw .notPermitted(
                "'\(request.device)' is the \(sender.rawValue) and answers on its own wire; only it can send this")
        }
        guard links.update(id, { $0.send(message, from: isOurs ? .rig : .partner, now: now) }) == true else {
            throw Self.notActive(request.device)
        }
        if isOurs { publishMessage(.messageSent, LinkMessage(message, from: sender), session, into: &actions) }
        settle(id, into: &actions)
    }

    /// Who sends what an app wants to have sent: `nil` for whom the catalogue names, else the rig's side, for which it speaks.
    func senderForApp(of message: String, _ device: DeviceReference) -> LinkSide? {
        guard MessageCatalogue.id(named: message)?.sender == nil else { return nil }
        return devices.id(named: device.name).flatMap { devices[$0]?.link }.flatMap { links[$0]?.side }
    }

    private static func notActive(_ name: String) -> CommandFailure {
        .invalidParameter("device", text: "'\(name)' has no active session on which something could be sent")
    }

    /// Publishes a message of the rig's end.
    mutating func publishMessage(
        _ kind: EventKind, _ message: LinkMessage, _ id: SessionID, into actions: inout ActionBuffer
    ) {
        guard let session = sessions[id]?.session else { return }
        publish(
            Event(
                time: now, kind: kind, origin: session.peer == .simulated ? .simulated : .observed,
                device: session.device, session: id, payload: .message(message)), into: &actions)
    }
}

extension LinkSide {
    /// The side as the control protocol names it.
    init(_ sender: MessageID.Sender) {
        switch sender {
        case .accessory: self = .headUnit
        case .device: self = .phone
        }
    }
}
