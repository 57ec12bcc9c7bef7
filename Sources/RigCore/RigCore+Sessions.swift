import ControlProtocol
import RigConfiguration
import RigModel

/// A session and what the rig holds for it beside what it publishes.
struct SessionEntry: Sendable {
    var session: Session
    /// The displays that were declared; none before the session is active.
    var displays: [Display] = []
    /// What the head unit calls itself; published with the session's next change.
    var headUnit: String?
    /// What is held by input that came over the link.
    var held = HeldInputs()
    /// What the phone said of the head unit. Published with what follows from it, the next phase or the end.
    var verdict: CertificateVerdict?

    /// Puts it into the session that is published next.
    mutating func takeVerdict() {
        guard let verdict else { return }
        self.verdict = nil
        session.authentication?.take(verdict)
    }
}

extension RigCore {
    /// Opens a link to a device and begins the handshake, if the device is there and nothing stands in the way.
    mutating func connect(_ id: DeviceID, into actions: inout ActionBuffer) {
        guard let entry = devices[id], entry.isAttached, entry.link == nil, let role = entry.device.facts.kind.role
        else { return }
        switch entry.device.state {
        case .attached, .failed: break
        case .connecting, .active, .busy, .stuck, .reenumerating, .detached: return
        }
        deadlines.set(.retry(id.number), at: nil)
        lastLink += 1
        lastSession += 1
        let link = LinkID(lastLink)
        let session = SessionID(lastSession)
        links[link] = newLink(link, session, to: id, entry, role: role)
        var value = Session(
            id: session, device: entry.device.reference, link: link, role: role, peer: entry.device.peer ?? .simulated,
            openedAt: now)
        value.authentication = authentication(of: value)
        sessions[session] = SessionEntry(session: value)
        devices.update(id) {
            $0.link = link
            $0.device.session = session
        }
        setState(id, .connecting, nil, into: &actions)
        publishSession(.sessionOpened, value, into: &actions)
        show(.opened(value.role, value.peer), of: value, into: &actions)
        switch settings.signer {
        case .fixedTest, .ready: begin(link, key: entry.key, into: &actions)
        case .preparing:
            updateSession(session, .sessionWaiting, into: &actions) { $0.waiting = .credentials }
            actions.append(.prepareSigner)
        case .failed(let why):
            guard let link = links[link] else { return }
            handshakeEnded(link, Reason("signerUnavailable", .local, why), into: &actions)
        }
    }

    private mutating func newLink(
        _ link: LinkID, _ session: SessionID, to device: DeviceID, _ entry: DeviceEntry, role: Role
    ) -> DeviceLink {
        var new = DeviceLink(
            id: link, device: device, session: session,
            DeviceLink.Parts(
                role: role, peer: entry.device.peer ?? .simulated, headUnit: headUnit(for: entry),
                phone: entry.device.phone ?? PhoneConditions(),
                identificationFirst: entry.plug?.identificationFirst ?? false, phoneName: entry.device.name,
                settings: settings),
            now: now, generator: &generator)
        new.setCaptured(isCaptured(entry.device.name))
        return new
    }

    /// What is known at the beginning; a real head unit's shape is not.
    private func authentication(of session: Session) -> SessionAuthentication {
        let isOurs = session.role == .headUnit || session.peer == .simulated
        return SessionAuthentication(
            signer: settings.signer == .fixedTest ? .fixedTest : .libcrypto,
            shape: isOurs ? SignatureShape(settings.shape) : nil)
    }

    private mutating func begin(_ id: LinkID, key: String?, into actions: inout ActionBuffer) {
        guard let link = links[id] else { return }
        if link.isWire, let key {
            links.update(id) { $0.wireAsked() }
            actions.append(.openWire(id, key: key))
        }
        let orders = faultOrders(of: link.device)
        let stale = devices.update(link.device) { entry in
            defer { entry.stale = nil }
            return entry.stale
        }
        change(id, into: &actions) { $0.start(faults: orders, stale: stale ?? nil, now: $1) }
    }

    /// Handshakes that waited for the signer begin, over a link that is made anew: what it brings is decided when it is
    /// made. Nothing has gone over it yet.
    mutating func signerChanged(_ signer: CoreSigner, into actions: inout ActionBuffer) {
        settings.signer = signer
        for id in links.ids {
            guard let link = links[id], let session = sessions[link.session]?.session, session.waiting == .credentials,
                let entry = devices[link.device]
            else { continue }
            switch signer {
            case .preparing: continue
            case .failed(let why):
                handshakeEnded(link, Reason("signerUnavailable", .local, why), into: &actions)
            case .fixedTest, .ready:
                links[id] = newLink(id, link.session, to: link.device, entry, role: session.role)
                let authentication = authentication(of: session)
                updateSession(link.session, .sessionPhase, into: &actions) {
                    $0.waiting = nil
                    $0.authentication = authentication
                }
                begin(id, key: entry.key, into: &actions)
            }
        }
    }

    /// The head unit of a session: what the rig plays, or the partner it plays against.
    private func headUnit(for entry: DeviceEntry) -> HeadUnitProfile {
        let named = entry.plug?.displays.flatMap { name in settings.headUnits.first { $0.name == name } }
        var unit = named ?? settings.headUnits.first ?? HeadUnitProfile(name: "none", displays: [])
        guard entry.device.facts.kind.role == .headUnit else { return unit }
        for index in unit.displays.indices {
            unit.displays[index].appearance = vehicle.appearance
            unit.displays[index].driverSide = vehicle.driverSide
            unit.displays[index].limitedUI = vehicle.limitedUI
        }
        return unit
    }

    mutating func linkDeadlineReached(_ id: LinkID, into actions: inout ActionBuffer) {
        change(id, into: &actions) { $0.deadlineReached(now: $1) }
    }

    /// Does something to a link and acts on what follows. Without effect when the link is gone: what comes from outside
    /// may be late.
    mutating func change(
        _ id: LinkID, into actions: inout ActionBuffer, _ change: (inout DeviceLink, UInt64) -> Void
    ) {
        guard links.update(id, { change(&$0, now) }) != nil else { return }
        settle(id, into: &actions)
    }

    /// Lets both ends of a link talk until nothing is in flight, and acts on what the rig's end noticed.
    mutating func settle(_ id: LinkID, into actions: inout ActionBuffer) {
        // A notice that is acted on may settle a link, too; that one then has memory of its own.
        var notices: [RigNotice] = []
        swap(&notices, &noticesInHand)
        defer {
            notices.removeAll(keepingCapacity: true)
            swap(&notices, &noticesInHand)
        }
        guard let deadline = links.update(id, { $0.exchange(now: now, into: &notices) }) else { return }
        transmit(id, into: &actions)
        showCaptured(of: id, into: &actions)
        deadlines.set(.link(id.number), at: deadline)
        for notice in notices {
            // An earlier notice may have ended the session, or begun another.
            guard let session = links.look(at: id, { $0.session }) else { return }
            // What comes often is acted on without a copy of the link.
            if case .input(let input) = notice {
                linkInputArrived(input, session, into: &actions)
            } else if let link = links[id] {
                act(on: notice, of: link, into: &actions)
            }
        }
        tellOwed(on: id, into: &actions)
    }

    /// Puts on the wire what the rig's end has to say there.
    private mutating func transmit(_ id: LinkID, into actions: inout ActionBuffer) {
        guard let packets = links.update(id, { $0.takeOutgoing() }) ?? nil else { return }
        actions.append(.transmit(id, packets.bytes, ends: packets.ends))
    }

    mutating func act(on notice: RigNotice, of link: DeviceLink, into actions: inout ActionBuffer) {
        switch notice {
        case .phase(.synchronizing) where sessions[link.session]?.session.phase == .active:
            beginSessionAgain(link, into: &actions)
        case .phase(let phase):
            if phase == .synchronizing { forgetHeadUnit(of: link.session) }
            sessions.update(link.session) { $0.takeVerdict() }
            updateSession(link.session, .sessionPhase, into: &actions) {
                $0.phase = phase
                $0.waiting = nil
            }
        case .waiting(let wait):
            updateSession(link.session, .sessionWaiting, into: &actions) { $0.waiting = wait }
        case .identified(let name):
            sessions.update(link.session) { $0.headUnit = name }
        case .active(let displays, let origin):
            becomeActive(link, displays, origin, into: &actions)
        case .fault(let notice, let direction): act(on: notice, direction, of: link, into: &actions)
        case .ended(let reason):
            handshakeEnded(link, reason, into: &actions)
        case .irregularity(let irregularity):
            guard let session = sessions[link.session]?.session else { return }
            publish(
                Event(
                    time: now, kind: .linkIrregularity, origin: session.peer == .simulated ? .simulated : .observed,
                    device: session.device, session: session.id, payload: .irregularity(irregularity)),
                into: &actions)
        case .message(let message):
            let sender: LinkSide = link.side == .phone ? .headUnit : .phone
            publishMessage(.messageReceived, LinkMessage(message, from: sender), link.session, into: &actions)
            if let told = VehicleUpdate.all.first(where: { $0.start == message.id }) {
                tell(told, on: link.id, into: &actions)
            }
        case .file(let file):
            guard let session = sessions[link.session]?.session else { return }
            publish(
                Event(
                    time: now, kind: .fileReceived, origin: session.peer == .simulated ? .simulated : .observed,
                    device: session.device, session: session.id, payload: .file(file)), into: &actions)
        case .input(let input): linkInputArrived(input, link.session, into: &actions)
        case .step(let input, let step): advance(input, of: link.session, to: step, by: nil, into: &actions)
        case .question(let question, let end, let number):
            actions.append(.askSigner(SignerTicket(link.id, end, number: number), question))
        case .verdict(let verdict):
            sessions.update(link.session) { $0.verdict = verdict }
        }
    }

    private mutating func becomeActive(
        _ link: DeviceLink, _ displays: [DisplayDescription], _ origin: Origin, into actions: inout ActionBuffer
    ) {
        let id = link.session
        sessions.update(id) { entry in
            entry.takeVerdict()
            entry.session.phase = .active
            entry.session.waiting = nil
            entry.session.activeAt = now
            entry.session.headUnit = entry.headUnit
            entry.displays = displays.map { Display(session: id, description: $0, origin: origin) }
        }
        devices.update(link.device) { $0.handshakeSucceeded() }
        guard let entry = sessions[id] else { return }
        let changed = front.activated(id, device: entry.session.device.name, policy: settings.front)
        // Before apps that follow the front leave the session where it was held.
        takeBackHardwareBehindFront(into: &actions)
        // Apps that follow the front belong to the session before it is published, so that they are told all of it.
        let moved = placeApps()
        publishSession(.sessionActive, entry.session, into: &actions)
        for display in entry.displays {
            publish(
                Event(
                    time: now, kind: .displayAdded, origin: display.origin, device: entry.session.device, session: id,
                    display: display.name, payload: .display(display)), into: &actions)
        }
        setState(link.device, .active, nil, into: &actions)
        if changed { publishFront(into: &actions) }
        introduce(moved.filter { $0.session != id }, into: &actions)
    }

    /// How long a session must have been active for its end to be the first failure again. Ours: longer than a phone
    /// waits for the start of a session (30 s), so that one that never takes it is not tried again for ever.
    static let settledTime: UInt64 = 60_000_000_000

    private mutating func handshakeEnded(_ link: DeviceLink, _ reason: Reason, into actions: inout ActionBuffer) {
        let activeAt = sessions[link.session]?.session.activeAt
        let wasActive = activeAt != nil
        if let activeAt, now - activeAt >= Self.settledTime { devices.update(link.device) { $0.startAnew() } }
        closeSession(of: link.device, reason, into: &actions)
        // A refusal is a person's word; only a new plug or a command asks again (field report B19). What failed the
        // authentication may be a fault of the moment, and is asked again ever later.
        let isRefusal = reason.code.hasSuffix("Refused")
        var said = reason
        var pause: UInt64?
        if reason.isAuthenticationFailure {
            let failures = devices.update(link.device) { $0.countAuthenticationFailure() } ?? 0
            let next = settings.authenticationPause(after: failures)
            said = Reason(
                reason.code, reason.party,
                "\(reason.text); the handshake is tried again in \(Self.seconds(next)) (failure \(failures))")
            pause = next
        } else if !isRefusal || wasActive {
            let failures = devices.update(link.device) { $0.countFailure() } ?? 0
            if settings.retries.indices.contains(failures - 1) { pause = settings.retries[failures - 1] }
        }
        let nextTry = pause.map { now &+ $0 }
        setState(link.device, .failed, said, nextTry: nextTry, into: &actions)
        deadlines.set(.retry(link.device.number), at: nextTry)
    }

    /// A pause for a person: whole seconds, or milliseconds where it is no whole number of them.
    private static func seconds(_ pause: UInt64) -> String {
        pause % 1_000_000_000 == 0 ? "\(pause / 1_000_000_000) s" : "\(pause / 1_000_000) ms"
    }

    /// Ends a device's session, if it has one, exactly once and in a fixed order: gestures, displays from last to first,
    /// the session itself, then the front.
    mutating func closeSession(of device: DeviceID, _ reason: Reason, into actions: inout ActionBuffer) {
        guard let link = devices[device]?.link, let id = links[link]?.session else { return }
        for input in links.update(link, { $0.endInput(now: now) }) ?? [] {
            linkInputArrived(input, id, into: &actions)
        }
        sessions.update(id) { $0.takeVerdict() }
        guard let entry = sessions[id] else { return }
        if links[link]?.isWireAsked == true {
            let struck = links.update(link) { $0.close(now: now) } ?? []
            transmit(link, into: &actions)
            for notice in struck {
                if let link = links[link] { act(on: notice, of: link, into: &actions) }
            }
            actions.append(.closeWire(link))
        }
        showCaptured(of: link, into: &actions)
        show(.closed(reason), of: entry.session, into: &actions)
        let stale = links[link]?.staleBytes
        links[link] = nil
        deadlines.set(.link(link.number), at: nil)
        devices.update(device) { $0.stale = stale }
        devices.update(device) {
            $0.link = nil
            $0.device.session = nil
        }
        end(entry, reason, into: &actions)
        endSpentFaults(of: device, into: &actions)
    }

    /// A head unit begins again in the middle of a session: what was shown there is over, and a new session opens on the
    /// same link.
    private mutating func beginSessionAgain(_ link: DeviceLink, into actions: inout ActionBuffer) {
        sessions.update(link.session) { $0.takeVerdict() }
        guard let entry = sessions[link.session] else { return }
        let reason = Reason("restartedByPeer", .peer, "the head unit begins again on the same link")
        show(.closed(reason), of: entry.session, into: &actions)
        devices.update(link.device) { $0.device.session = nil }
        end(entry, reason, into: &actions)
        lastSession += 1
        var value = Session(
            id: SessionID(lastSession), device: entry.session.device, link: link.id, role: entry.session.role,
            peer: entry.session.peer, openedAt: now)
        value.authentication = authentication(of: value)
        value.phase = .synchronizing
        sessions[value.id] = SessionEntry(session: value)
        links.update(link.id) { $0.session = value.id }
        devices.update(link.device) { $0.device.session = value.id }
        setState(link.device, .connecting, nil, into: &actions)
        publishSession(.sessionOpened, value, into: &actions)
        show(.opened(value.role, value.peer), of: value, into: &actions)
    }

    /// A head unit begins again before its session was active: its name, and what the phone said of it, may have been
    /// another's.
    private mutating func forgetHeadUnit(of id: SessionID) {
        guard let session = sessions[id]?.session, session.phase != .detecting else { return }
        let unknown = authentication(of: session)
        sessions.update(id) { entry in
            entry.verdict = nil
            entry.headUnit = nil
            entry.session.authentication = unknown
        }
    }

    /// Takes back all that a session shows, and tells its end.
    private mutating func end(_ entry: SessionEntry, _ reason: Reason, into actions: inout ActionBuffer) {
        let id = entry.session.id
        // Where the link lives on, nothing of what is taken back is put on it: that could end this session again.
        sessions.update(id) { $0.session.phase = .closed }
        cancelGestures(of: id, into: &actions)
        takeBackHardware(of: id, into: &actions)
        for display in entry.displays.reversed() {
            publish(
                Event(
                    time: now, kind: .displayRemoved, origin: display.origin, device: entry.session.device, session: id,
                    display: display.name), into: &actions)
        }
        var closed = entry.session
        closed.phase = .closed
        closed.waiting = nil
        closed.headUnit = entry.headUnit
        closed.reason = reason
        sessions[id] = nil
        publishSession(.sessionClosed, closed, into: &actions)
        let changed = front.ended(id, policy: settings.front)
        takeBackHardwareBehindFront(into: &actions)
        let moved = placeApps()
        if changed { publishFront(into: &actions) }
        introduce(moved, into: &actions)
    }

    mutating func updateSession(
        _ id: SessionID, _ kind: EventKind, into actions: inout ActionBuffer, _ change: (inout Session) -> Void
    ) {
        let changed = sessions.update(id) { entry -> Session? in
            let before = entry.session
            change(&entry.session)
            entry.session.headUnit = entry.headUnit
            return entry.session == before ? nil : entry.session
        }
        if let session = changed ?? nil { publishSession(kind, session, into: &actions) }
    }

    private mutating func publishSession(_ kind: EventKind, _ session: Session, into actions: inout ActionBuffer) {
        let origin: Origin = session.peer == .simulated ? .simulated : .observed
        publish(
            Event(
                time: now, kind: kind, origin: origin, device: session.device, session: session.id,
                payload: .session(session), reason: session.reason), into: &actions)
    }

    mutating func publishFront(into actions: inout ActionBuffer) {
        let entry = front.session.flatMap { sessions[$0] }
        publish(
            Event(
                time: now, kind: .frontChanged, origin: .declared, device: entry?.session.device,
                session: front.session), into: &actions)
    }
}
