import RigModel

/// A client that is shown the bytes of links.
struct CaptureEntry: Sendable {
    /// The device whose links are shown, which need not be there yet; all when absent.
    let device: String?

    func concerns(_ name: String) -> Bool { device == nil || device == name }
}

extension RigCore {
    /// Shows a client the bytes of a device's links from now on, or those of all.
    mutating func startCapture(of device: String?, for client: ClientID, into actions: inout ActionBuffer) {
        if let device, !DisplayDescription.isName(device) {
            actions.append(
                .fail(
                    client,
                    .invalidParameter("device", text: "a name has 1 to 32 letters, digits, '-', '_' or '.'")))
            return
        }
        guard captures.count < settings.maximumCaptures else {
            actions.append(.fail(client, .limitReached("captures", settings.maximumCaptures)))
            return
        }
        clients.update(client) { $0.use = .capture }
        captures[client] = CaptureEntry(device: device)
        markCaptured()
        let start = RecordValue.record([
            RecordField("epoch", .string(identity.epoch)), RecordField("time", .number(now)),
            RecordField("realtime", .number(identity.realtime)), RecordField("version", .string(settings.version)),
        ])
        actions.append(.open(client, first: [.record([RecordField("start", start)])]))
        for link in links.values where device == nil || sessions[link.session]?.session.device.name == device {
            guard let session = sessions[link.session]?.session else { continue }
            actions.append(.capture(client, record(.joined(session.role, session.peer), of: session)))
        }
    }

    /// A client that captured is gone.
    mutating func captureEnded(_ client: ClientID) {
        captures[client] = nil
        markCaptured()
    }

    func isCaptured(_ device: String) -> Bool { captures.values.contains { $0.concerns(device) } }

    /// Links keep what passes only while somebody is shown it.
    private mutating func markCaptured() {
        for id in links.ids {
            let name = links[id].flatMap { sessions[$0.session]?.session.device.name } ?? ""
            let isCaptured = isCaptured(name)
            links.update(id) { $0.setCaptured(isCaptured) }
        }
    }

    /// Shows what has passed over a link since it was last asked.
    mutating func showCaptured(of id: LinkID, into actions: inout ActionBuffer) {
        guard !captures.isEmpty, let link = links[id], link.isCaptured,
            let session = sessions[link.session]?.session
        else { return }
        for piece in links.update(id, { $0.takeCaptured() }) ?? [] {
            show(.bytes(piece.direction, piece.bytes), of: session, into: &actions)
        }
    }

    /// Tells everybody who captures a session's device.
    func show(_ kind: CapturedRecord.Kind, of session: Session, into actions: inout ActionBuffer) {
        guard !captures.isEmpty else { return }
        for (client, entry) in zip(captures.ids, captures.values) where entry.concerns(session.device.name) {
            actions.append(.capture(client, record(kind, of: session)))
        }
    }

    private func record(_ kind: CapturedRecord.Kind, of session: Session) -> CapturedRecord {
        CapturedRecord(time: now, device: session.device, session: session.id, kind: kind)
    }
}
