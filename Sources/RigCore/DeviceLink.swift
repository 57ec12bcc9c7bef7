import ControlProtocol
import LinkProtocol
import RigConfiguration
import RigModel

/// A link to a device: the rig's end, and the other end behind it.
///
/// The other end is a partner inside the daemon, with which the rig's end exchanges real bytes, or the device itself on
/// its wire. A virtual device has a partner, and so has a real phone, which cannot be authenticated.
struct DeviceLink: Sendable {
    /// Who is behind the link.
    private enum Far: Sendable {
        /// A whole endpoint inside the daemon.
        case simulated(Endpoint)
        /// The device. It is being opened until this time, then it counts as silent.
        case opening(until: UInt64)
        /// The device; bytes pass.
        case wire
    }

    /// What both ends of a link are made of.
    struct Parts {
        var role: Role
        var peer: Peer
        var headUnit: HeadUnitProfile
        var phone: RigModel.PhoneConditions
        var identificationFirst: Bool
        var phoneName: String
        var settings: CoreSettings
    }

    /// How long a device may take to be opened and claimed before the link fails. Ours: the bus gives up after 3 s for
    /// opening and as much for claiming, and says so itself; this is for a bus that does not.
    static let openTime: UInt64 = 15_000_000_000

    let id: LinkID
    let device: DeviceID
    /// Its session; another one when a head unit begins again on the same link.
    var session: SessionID
    /// True when the device itself is behind the link.
    let isWire: Bool
    private let role: Role
    private var rig: Endpoint
    private var far: Far
    /// The displays that the session gets when it is active.
    private var displays: [DisplayDescription]
    /// Whether a simulated phone was last seen to refuse the session.
    private var partnerRefuses = false
    private var budget = PublishingBudget()
    /// What is in the way of the bytes; nothing unless a fault was set.
    private var faults: LinkFaults?
    /// What faults have let pass to the wire.
    private var faulted = OutgoingPackets()
    private var progress = SessionProgress()
    /// What the rig is to be told, oldest first.
    private var told: [RigNotice] = []
    /// Whether the bus was asked to open the wire; a session that waits for the signer has not come that far.
    private(set) var isWireAsked = false
    /// Bytes that the wire has taken so far.
    private(set) var bytesTaken: UInt64 = 0
    /// Input that is on its way to the other end, and input of our partner that is on its way to us.
    private var tracks = InputTracks()
    /// Whether what passes is kept for `takeCaptured`.
    private(set) var isCaptured = false
    private var captured: [CapturedPiece] = []

    init(
        id: LinkID, device: DeviceID, session: SessionID, _ parts: Parts, now: UInt64, generator: inout SeededGenerator
    ) {
        self.id = id
        self.device = device
        self.session = session
        role = parts.role
        isWire = parts.peer == .wire
        displays = parts.role == .headUnit ? parts.headUnit.displays : []
        let unitSeed = generator.next()
        let phoneSeed = generator.next()
        switch role {
        case .headUnit: rig = Self.unit(parts, seed: unitSeed)
        case .phone: rig = Self.phone(parts, seed: phoneSeed)
        }
        switch (parts.peer, role) {
        case (.wire, _): far = .opening(until: now &+ Self.openTime)
        case (.simulated, .headUnit): far = .simulated(Self.phone(parts, seed: phoneSeed))
        case (.simulated, .phone): far = .simulated(Self.unit(parts, seed: unitSeed))
        }
    }

    private static func unit(_ parts: Parts, seed: UInt64) -> Endpoint {
        let settings = parts.settings
        let certificate: [UInt8]
        let asksSigner: Bool
        switch settings.signer {
        case .ready(let own): (certificate, asksSigner) = (own, true)
        case .fixedTest, .preparing, .failed:
            (certificate, asksSigner) = (FixedTestSigner.certificate(settings.shape), false)
        }
        return Endpoint(
            .accessory(
                AccessoryConfiguration(
                    identification: Identification(parts.headUnit, version: settings.version),
                    certificate: certificate, displays: parts.headUnit.displays.map(DisplayDeclaration.init),
                    power: PowerSourceUpdate(availableCurrent: 2_400, chargesBattery: true),
                    deadlines: settings.deadlines)),
            link: settings.link, asksSigner: asksSigner, longPress: settings.longPress, seed: seed)
    }

    private static func phone(_ parts: Parts, seed: UInt64) -> Endpoint {
        let settings = parts.settings
        var link = settings.link
        link.synchronization = settings.phoneLink
        if let version = parts.phone.linkVersion {
            link.synchronization.version = UInt8(clamping: version)
        }
        return Endpoint(
            .device(
                DeviceConfiguration(
                    order: parts.identificationFirst ? .identificationFirst : .authenticationFirst,
                    name: parts.phoneName, identifiers: DeviceTransportIdentifiers(usb: parts.phoneName),
                    startDelay: 0, powerQuiet: 0, conditions: ControlProtocol.PhoneConditions(parts.phone),
                    deadlines: settings.deadlines)),
            link: link, asksSigner: settings.signer != .fixedTest, longPress: settings.longPress, seed: seed)
    }

    /// When `deadlineReached` is to be called next.
    var nextDeadline: UInt64? {
        switch far {
        case .simulated(let partner):
            Self.first(Self.first(rig.nextDeadline, partner.nextDeadline), faults?.nextDeadline)
        case .opening(let until): until
        case .wire: Self.first(rig.nextDeadline, faults?.nextDeadline)
        }
    }

    private static func first(_ one: UInt64?, _ other: UInt64?) -> UInt64? {
        guard let one else { return other }
        return other.map { min($0, one) } ?? one
    }

    /// The last bytes of both ways, while a fault wants them for the next session.
    var staleBytes: StaleBytes? { faults?.staleBytes }

    /// Whether the rig's end is over.
    var isClosed: Bool { rig.ending != nil }

    // MARK: Events

    /// Begins: with a partner at once, with a device as soon as it is open.
    ///
    /// - Parameters:
    ///   - orders: the faults that are in the way from the first byte on.
    ///   - stale: what was kept of the device's session before, for those among them that want it.
    mutating func start(faults orders: [FaultPathOrder], stale: StaleBytes?, now: UInt64) {
        if !orders.isEmpty { faults = LinkFaults(orders, stale: stale, progress: progress, now: now) }
        switch far {
        case .simulated(var partner):
            partner.start(now: now)
            far = .simulated(partner)
            rig.start(now: now)
        case .opening, .wire: break
        }
    }

    /// The bus is asked to open the wire.
    mutating func wireAsked() { isWireAsked = true }

    /// The device is open and claimed.
    mutating func wireOpened(now: UInt64) {
        switch far {
        case .opening:
            far = .wire
            rig.start(now: now)
        case .wire, .simulated: break
        }
    }

    /// Bytes came from the device.
    mutating func wireReceived(_ bytes: [UInt8], now: UInt64) {
        switch far {
        case .wire:
            if faults == nil {
                capture(.fromDevice, [bytes[...]])
                rig.receive(bytes[...], now: now)
            } else {
                faults?.read(bytes, now: now)
            }
        case .opening, .simulated: break
        }
    }

    /// The device has taken so many bytes more.
    mutating func wireSent(_ count: Int) {
        bytesTaken &+= UInt64(max(0, count))
    }

    /// The device's pipes are gone, and why.
    mutating func wireEnded(_ reason: Reason, now: UInt64) {
        switch far {
        case .opening, .wire: rig.abandon(for: reason, now: now)
        case .simulated: break
        }
    }

    mutating func deadlineReached(now: UInt64) {
        switch far {
        case .opening(let until):
            guard until <= now else { return }
            rig.abandon(
                for: Reason("openTimedOut", .device, "the device was not opened within 15 s; replug it"), now: now)
        case .wire:
            if let deadline = rig.nextDeadline, deadline <= now { rig.deadlineReached(now: now) }
            faults?.deadlineReached(now: now)
        case .simulated(var partner):
            if let deadline = rig.nextDeadline, deadline <= now { rig.deadlineReached(now: now) }
            if let deadline = partner.nextDeadline, deadline <= now { partner.deadlineReached(now: now) }
            far = .simulated(partner)
            faults?.deadlineReached(now: now)
        }
    }

    /// Puts faults in the way of a session that runs.
    mutating func arm(_ orders: [FaultPathOrder], now: UInt64) {
        if faults == nil { faults = LinkFaults([], stale: nil, progress: progress, now: now) }
        for order in orders { faults?.arm(order, now: now) }
    }

    /// Takes a fault out of the way; what it held back passes.
    mutating func clearFault(_ id: FaultID, now: UInt64) { faults?.clear(id, now: now) }

    /// Whether an end waits for the signer.
    var isAsking: Bool {
        switch far {
        case .simulated(let partner): rig.openQuestion != nil || partner.openQuestion != nil
        case .opening, .wire: rig.openQuestion != nil
        }
    }

    /// The signer has answered one end.
    mutating func answer(_ answer: SignerAnswer, to ticket: SignerTicket, now: UInt64) {
        switch (ticket.end, far) {
        case (.rig, _): rig.answer(answer, to: ticket.number, now: now)
        case (.partner, .simulated(var partner)):
            partner.answer(answer, to: ticket.number, now: now)
            far = .simulated(partner)
        case (.partner, .opening), (.partner, .wire): break
        }
    }

    /// What the rig is on this link.
    var side: LinkSide {
        switch role {
        case .headUnit: .headUnit
        case .phone: .phone
        }
    }

    /// Which updates the phone asked the rig for, while the rig is the head unit of an active session.
    var wanted: Subscriptions? { rig.wanted }

    /// The rig, as the head unit, tells something of the vehicle; false when that has no room or no session.
    mutating func update(_ message: ControlMessage, now: UInt64) -> Bool {
        rig.hasRoomForUpdate() && rig.send(message, now: now)
    }

    /// One end sends a message of the application; false when its session is not active, or it is not ours.
    mutating func send(_ message: ControlMessage, from end: LinkEnd, now: UInt64) -> Bool {
        switch (end, far) {
        case (.rig, _): return rig.send(message, now: now)
        case (.partner, .simulated(var partner)):
            defer { far = .simulated(partner) }
            guard partner.send(message, now: now) else { return false }
            // A report that somebody wrote by hand takes its place among those that are made of input; one that cannot
            // be read is nobody's.
            if message.id == .accessoryHIDReport, let report = try? AccessoryHIDReport(message) {
                tracks.expect(nil, [report])
            }
            return true
        case (.partner, .opening), (.partner, .wire): return false
        }
    }

    // MARK: Input

    /// How input of the rig's people travels on this link.
    enum InputWay: Equatable, Sendable {
        /// The rig is the head unit: what it published goes to the phone as well.
        case alongside
        /// The rig is the phone of a partner: the partner's devices say it, and it is published when it comes.
        case through
        /// The rig is the phone of a real head unit, whose devices are its own.
        case none
    }

    /// How input travels.
    var inputWay: InputWay {
        switch (role, far) {
        case (.headUnit, _): .alongside
        case (.phone, .simulated): .through
        case (.phone, .opening), (.phone, .wire): .none
        }
    }

    /// The last step that a gesture's events can reach on this link.
    func reach(of gesture: Gesture, display: Int) -> InputStep {
        let unit: Endpoint
        switch (inputWay, far) {
        case (.alongside, _): unit = rig
        case (.through, .simulated(let partner)): unit = partner
        case (.through, .opening), (.through, .wire), (.none, _): return .accepted
        }
        guard unit.carries(gesture, display: display) else { return .accepted }
        return unit.packetsAcknowledged == nil ? .delivered : .read
    }

    /// The head unit's end puts on the link what a person did; false when no device can say it there. What finds no
    /// room is dropped, and is not said in another way: what it would let go may still be on its way down.
    mutating func put(
        _ input: InputEvent, _ stamp: InputStamp, on display: (place: Int, pixels: PixelSize)?, now: UInt64
    ) -> Bool {
        let put: InputPut
        switch (inputWay, far) {
        case (.alongside, _): put = rig.put(input, owner: stamp.owner, on: display, now: now)
        case (.through, .simulated(var partner)):
            put = partner.put(input, owner: stamp.owner, on: display, now: now)
            far = .simulated(partner)
            if case .sent(let reports, _) = put { tracks.expect(stamp, reports) }
        case (.through, .opening), (.through, .wire), (.none, _): return false
        }
        switch put {
        case .sent(_, let packet):
            if stamp.isTracked { tracks.follow(stamp.id, packet: packet) }
            return true
        case .dropped: return true
        case .unsayable: return false
        }
    }

    /// What a head unit that is gone still held is let go.
    mutating func endInput(now: UInt64) -> [LinkInput] {
        guard role == .phone else { return [] }
        return rig.endInput(now: now).map { LinkInput(arrival: $0, stamp: nil) }
    }

    /// Tells how far input has come that is followed.
    private mutating func followInput() {
        let unit: Endpoint
        switch (inputWay, far) {
        case (.alongside, _): unit = rig
        case (.through, .simulated(let partner)): unit = partner
        case (.through, .opening), (.through, .wire), (.none, _): return
        }
        var steps: [RigNotice] = []
        tracks.advance(
            sent: unit.packetsSent, acknowledged: unit.packetsAcknowledged, made: isWire ? unit.bytesMade : 0,
            taken: isWire ? bytesTaken : 0
        ) { steps.append(.step($0, $1)) }
        told += steps
    }

    /// Something is done to the phone, whichever end it is. A phone on a wire does what its own person wants.
    mutating func set(_ conditions: RigModel.PhoneConditions, now: UInt64) {
        switch (role, far) {
        case (.headUnit, .simulated(var partner)):
            partner.set(conditions, now: now)
            far = .simulated(partner)
        case (.phone, _): rig.set(conditions, now: now)
        case (.headUnit, .opening), (.headUnit, .wire): break
        }
    }

    /// The partner says goodbye, and the rig hears it.
    ///
    /// - Returns: what faults did to it.
    mutating func sayGoodbye(now: UInt64) -> [RigNotice] {
        switch far {
        case .simulated(var partner):
            partner.close(now: now)
            far = .simulated(partner)
            return exchange(now: now).filter(\.isStrike)
        case .opening, .wire: return []
        }
    }

    /// Ends the rig's side in an orderly way, where there is somebody to hear it; `takeOutgoing` has the goodbye.
    ///
    /// - Returns: what faults did to it.
    mutating func close(now: UInt64) -> [RigNotice] {
        rig.close(now: now)
        return exchange(now: now).filter(\.isStrike)
    }

    // MARK: Capture

    /// Begins or ends keeping what passes.
    mutating func setCaptured(_ isCaptured: Bool) {
        self.isCaptured = isCaptured
        if !isCaptured { captured = [] }
    }

    /// What has passed since it was last asked, oldest first. To be asked after each turn: nothing bounds it before.
    mutating func takeCaptured() -> [CapturedPiece] {
        defer { captured = [] }
        return captured
    }

    private mutating func capture(_ direction: CaptureDirection, _ pieces: [ArraySlice<UInt8>]) {
        guard isCaptured else { return }
        for piece in pieces { captured.append(CapturedPiece(direction: direction, bytes: Array(piece))) }
    }

    // MARK: Output

    /// What is to be put on the wire; nothing for a simulated partner.
    mutating func takeOutgoing() -> OutgoingPackets? {
        guard case .wire = far else { return nil }
        let packets = faults == nil ? rig.outgoing : faulted
        guard !packets.isEmpty else { return nil }
        if faults == nil {
            if isCaptured { capture(.toDevice, packets.packets) }
            rig.outgoing = OutgoingPackets()
        } else {
            faulted = OutgoingPackets()
        }
        return packets
    }

    /// Carries bytes both ways until both ends are quiet.
    ///
    /// - Returns: what the rig's end noticed and what faults did, oldest first, and what either end asks the signer.
    mutating func exchange(now: UInt64) -> [RigNotice] {
        collect(now: now)
        var found: [RigNotice] = []
        switch far {
        case .simulated(var partner):
            var isMoving = true
            while isMoving {
                let toPartner = rig.outgoing
                rig.outgoing = OutgoingPackets()
                let isToPartner = carry(toPartner, .toDevice, now: now) { _, bytes in
                    partner.receive(bytes, now: now)
                }
                let toRig = partner.outgoing
                partner.outgoing = OutgoingPackets()
                let isToRig = carry(toRig, .fromDevice, now: now) { link, bytes in
                    link.rig.receive(bytes, now: now)
                    link.collect(now: now)
                }
                isMoving = isToPartner || isToRig
            }
            for notice in partner.notices {
                switch notice {
                case .question(let question, let number): found.append(.question(question, .partner, number))
                case .verdict(let verdict): found.append(.verdict(verdict))
                case .irregularity(let what): tell(what, .partner, now: now)
                case .hid(let arrival):
                    // What a simulated phone reads is what was published when it was done.
                    if let what = arrival.irregularity { tell(what, .partner, now: now) }
                // The rig's own end is not told this one by the phone.
                case .waiting(.sessionRefused):
                    partnerRefuses = true
                    told.append(.waiting(.sessionRefused))
                case .waiting(nil) where partnerRefuses:
                    partnerRefuses = false
                    told.append(.waiting(nil))
                case .phase, .waiting, .identified, .displays, .active, .ended, .message, .file: break
                }
            }
            partner.notices.removeAll(keepingCapacity: true)
            far = .simulated(partner)
        case .wire: exchangeWithFaults(now: now)
        case .opening: break
        }
        if !tracks.isEmpty { followInput() }
        defer { told = [] }
        found += told.map { notice in
            if case .ended(let reason) = notice { .ended(explain(reason)) } else { notice }
        }
        guard faults != nil else { return found }
        // What ends the session is acted on last: whatever else happened in the same turn is told before.
        return found.filter { !$0.isLast } + found.filter(\.isLast)
    }

    /// Lets what the rig sends to the wire, and what came from there, pass the faults; without faults both go straight.
    private mutating func exchangeWithFaults(now: UInt64) {
        guard faults != nil else { return }
        var isMoving = true
        while isMoving {
            let packets = rig.outgoing
            rig.outgoing = OutgoingPackets()
            let isToWire = carry(packets, .toDevice, now: now) { link, bytes in link.faulted.append(bytes) }
            let isToRig = carry(OutgoingPackets(), .fromDevice, now: now) { link, bytes in
                link.rig.receive(bytes, now: now)
                link.collect(now: now)
            }
            isMoving = isToWire || isToRig
        }
    }

    /// Carries packets one way, through the faults if there are any; false when there was nothing to carry.
    private mutating func carry(
        _ packets: OutgoingPackets, _ direction: FaultDirection, now: UInt64,
        _ deliver: (inout DeviceLink, ArraySlice<UInt8>) -> Void
    ) -> Bool {
        let captured: CaptureDirection = direction == .toDevice ? .toDevice : .fromDevice
        guard let output = faults?.carry(packets, direction, now: now) else {
            if isCaptured { capture(captured, packets.packets) }
            if !packets.isEmpty { deliver(&self, packets.bytes[...]) }
            return !packets.isEmpty
        }
        told += output.notices.map { .fault($0, direction) }
        // What passes is what the faults let pass.
        if isCaptured { capture(captured, output.chunks) }
        for chunk in output.chunks { deliver(&self, chunk) }
        return !packets.isEmpty || !output.isEmpty
    }

    /// Takes what the rig's end noticed. Faults wait for the phases among it.
    private mutating func collect(now: UInt64) {
        guard !rig.notices.isEmpty else { return }
        let notices = rig.notices
        rig.notices.removeAll(keepingCapacity: true)
        for notice in notices {
            switch notice {
            case .phase(let phase):
                if phase == .synchronizing {
                    // The link begins anew: what was on its way never comes, and what a head unit declared was another's.
                    tracks = InputTracks()
                    if role == .phone { displays = [] }
                    if progress.phase == .active {
                        progress = SessionProgress()
                        faults?.sessionBegan()
                    }
                }
                reach(phase, now: now)
                told.append(.phase(phase))
            case .waiting(let wait): told.append(.waiting(wait))
            case .identified(let name): told.append(.identified(name))
            case .displays(let declared): displays = declared
            case .active:
                reach(.active, now: now)
                told.append(.active(displays, displaysOrigin))
            case .ended(let reason): told.append(.ended(reason))
            case .question(let question, let number): told.append(.question(question, .rig, number))
            case .verdict(let verdict): told.append(.verdict(verdict))
            case .irregularity(let what): tell(what, .rig, now: now)
            case .message(let message): told.append(.message(message))
            case .file(let transfer, let type, let size):
                let sender: LinkSide = side == .phone ? .headUnit : .phone
                told.append(.file(LinkFile(transfer: transfer, type: type, size: size, sender: sender)))
            case .hid(let arrival):
                let stamp = arrival.report.flatMap { tracks.arrived($0) }
                if !arrival.inputs.isEmpty { told.append(.input(LinkInput(arrival: arrival, stamp: stamp))) }
                if let what = arrival.irregularity { tell(what, .rig, now: now) }
            }
        }
    }

    private mutating func reach(_ phase: SessionPhase, now: UInt64) {
        guard progress.reach(phase) else { return }
        faults?.reached(phase, now: now)
    }

    private mutating func tell(
        _ what: Irregularity, _ end: Irregularity.End, now: UInt64
    ) {
        guard let suppressed = budget.take(now: now) else { return }
        var irregularity = what
        irregularity.end = end
        irregularity.suppressed = suppressed
        told.append(.irregularity(irregularity))
    }

    private var displaysOrigin: Origin {
        switch role {
        case .headUnit: .declared
        case .phone: isWire ? .observed : .simulated
        }
    }

    /// The rig's end only sees that its partner reset the link; a simulated partner knows why.
    private func explain(_ reason: Reason) -> Reason {
        guard case .simulated(let partner) = far, reason.code == "resetByPeer", let why = partner.ending,
            why.code != "closedLocally"
        else { return reason }
        // Whom it blames is told from its side of the link.
        let party: Party =
            switch why.party {
            case .local: .peer
            case .peer: .local
            case .device, .client: why.party
            }
        return Reason(why.code, party, "the other side ended the link: \(why.text)")
    }
}

/// Bytes that passed over a link.
struct CapturedPiece: Sendable {
    let direction: CaptureDirection
    let bytes: [UInt8]
}

/// What the rig's end of a link noticed, and what either end asks.
enum RigNotice: Equatable, Sendable {
    /// The handshake reached another phase.
    case phase(SessionPhase)
    /// The handshake waits for a person, or no longer.
    case waiting(SessionWait?)
    /// The phone accepted a head unit of this name.
    case identified(String)
    /// The session runs, with these displays from there.
    case active([DisplayDescription], Origin)
    /// It is over.
    case ended(Reason)
    /// Something was damaged or against the rules.
    case irregularity(Irregularity)
    /// The other side said something that is no part of the handshake.
    case message(ControlMessage)
    /// A device of the head unit was used.
    case input(LinkInput)
    /// Input came as far as this.
    case step(InputID, InputStep)
    /// The other side has sent a whole file.
    case file(LinkFile)
    /// The signer is to answer this end the question of this number.
    case question(SignerQuestion, LinkEnd, UInt64)
    /// The phone, at either end, has judged the head unit.
    case verdict(CertificateVerdict)
    /// A fault did something to what went this way.
    case fault(FaultNotice, FaultDirection)

    /// Whether nothing of the session is left behind it.
    fileprivate var isLast: Bool {
        switch self {
        case .ended, .fault(.unplug, _): true
        case .phase, .waiting, .identified, .active, .irregularity, .message, .file, .input, .step, .question, .verdict,
            .fault:
            false
        }
    }

    /// Whether a fault did something that does not end the session.
    fileprivate var isStrike: Bool {
        switch self {
        case .fault: !isLast
        case .phase, .waiting, .identified, .active, .ended, .irregularity, .message, .file, .input, .step, .question,
            .verdict:
            false
        }
    }
}
