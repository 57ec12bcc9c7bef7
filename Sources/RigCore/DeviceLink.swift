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
    let session: SessionID
    /// True when the device itself is behind the link.
    let isWire: Bool
    private let role: Role
    private var rig: Endpoint
    private var far: Far
    /// The displays that the session gets when it is active.
    private var displays: [DisplayDescription]
    private var budget = IrregularityBudget()
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
        case .fixedTest, .preparing, .failed: (certificate, asksSigner) = (FixedTestSigner.certificate, false)
        }
        var link = settings.link
        link.synchronization = .rigAccessory
        return Endpoint(
            .accessory(
                AccessoryConfiguration(
                    identification: Identification(parts.headUnit, version: settings.version),
                    certificate: certificate, displays: parts.headUnit.displays.map(DisplayDeclaration.init),
                    power: PowerSourceUpdate(availableCurrent: 2_400, chargesBattery: true),
                    deadlines: settings.deadlines)),
            link: link, asksSigner: asksSigner, longPress: settings.longPress, seed: seed)
    }

    private static func phone(_ parts: Parts, seed: UInt64) -> Endpoint {
        let settings = parts.settings
        let phone = parts.phone
        var link = settings.link
        link.synchronization = .rigDevice
        return Endpoint(
            .device(
                DeviceConfiguration(
                    order: parts.identificationFirst ? .identificationFirst : .authenticationFirst,
                    name: parts.phoneName, identifiers: DeviceTransportIdentifiers(usb: parts.phoneName),
                    // 0 is the unit's name, which it cannot do without.
                    refusedParameters: phone.refuse == .identification ? [0] : [], startDelay: 0, powerQuiet: 0,
                    conditions: ControlProtocol.PhoneConditions(phone), deadlines: settings.deadlines),
                refuse: phone.refuse),
            link: link, asksSigner: settings.signer != .fixedTest, longPress: settings.longPress, seed: seed)
    }

    /// When `deadlineReached` is to be called next.
    var nextDeadline: UInt64? {
        switch far {
        case .simulated(let partner):
            guard let own = rig.nextDeadline else { return partner.nextDeadline }
            return partner.nextDeadline.map { min($0, own) } ?? own
        case .opening(let until): return until
        case .wire: return rig.nextDeadline
        }
    }

    /// Whether the rig's end is over.
    var isClosed: Bool { rig.ending != nil }

    // MARK: Events

    /// Begins: with a partner at once, with a device as soon as it is open.
    mutating func start(now: UInt64) {
        switch far {
        case .simulated(var partner):
            partner.start(now: now)
            far = .simulated(partner)
            rig.start(now: now)
        case .opening, .wire: break
        }
    }

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
            capture(.fromDevice, [bytes[...]])
            rig.receive(bytes[...], now: now)
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
        case .simulated(var partner):
            if let deadline = rig.nextDeadline, deadline <= now { rig.deadlineReached(now: now) }
            if let deadline = partner.nextDeadline, deadline <= now { partner.deadlineReached(now: now) }
            far = .simulated(partner)
        }
    }

    /// The signer has answered one end.
    mutating func answer(_ answer: SignerAnswer, to end: LinkEnd, now: UInt64) {
        switch (end, far) {
        case (.rig, _): rig.answer(answer, now: now)
        case (.partner, .simulated(var partner)):
            partner.answer(answer, now: now)
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

    /// One end sends a message of the application; false when its session is not active, or it is not ours.
    mutating func send(_ message: ControlMessage, from end: LinkEnd, now: UInt64) -> Bool {
        switch (end, far) {
        case (.rig, _): return rig.send(message, now: now)
        case (.partner, .simulated(var partner)):
            defer { far = .simulated(partner) }
            guard partner.send(message, now: now) else { return false }
            // A report that somebody wrote by hand takes its place among those that are made of input.
            if message.id == .accessoryHIDReport { tracks.expect(nil, count: 1) }
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

    /// The head unit's end puts on the link what a person did; false when it cannot be said there.
    mutating func put(
        _ input: InputEvent, _ stamp: InputStamp, on display: (place: Int, pixels: PixelSize)?, now: UInt64
    ) -> Bool {
        switch (inputWay, far) {
        case (.alongside, _):
            guard let put = rig.put(input, owner: stamp.owner, on: display, now: now) else { return false }
            if stamp.isTracked { tracks.follow(stamp.id, packet: put.packet) }
        case (.through, .simulated(var partner)):
            defer { far = .simulated(partner) }
            guard let put = partner.put(input, owner: stamp.owner, on: display, now: now) else { return false }
            tracks.expect(stamp, count: put.reports)
            if stamp.isTracked { tracks.follow(stamp.id, packet: put.packet) }
        case (.through, .opening), (.through, .wire), (.none, _): return false
        }
        return true
    }

    /// What a head unit that is gone still held is let go.
    mutating func endInput(now: UInt64) -> [LinkInput] {
        guard inputWay == .none else { return [] }
        return rig.endInput(now: now).map { LinkInput(arrival: $0, stamp: nil) }
    }

    /// Tells how far input has come that is followed.
    private mutating func followInput(in found: inout [RigNotice]) {
        let unit: Endpoint
        switch (inputWay, far) {
        case (.alongside, _): unit = rig
        case (.through, .simulated(let partner)): unit = partner
        case (.through, .opening), (.through, .wire), (.none, _): return
        }
        tracks.advance(
            sent: unit.packetsSent, acknowledged: unit.packetsAcknowledged, made: isWire ? unit.bytesMade : 0,
            taken: isWire ? bytesTaken : 0
        ) { found.append(.step($0, $1)) }
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
    mutating func sayGoodbye(now: UInt64) {
        switch far {
        case .simulated(var partner):
            partner.close(now: now)
            far = .simulated(partner)
            _ = exchange(now: now)
        case .opening, .wire: break
        }
    }

    /// Ends the rig's side in an orderly way, where there is somebody to hear it; `takeOutgoing` has the goodbye.
    mutating func close(now: UInt64) {
        rig.close(now: now)
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
        guard case .wire = far, !rig.outgoing.isEmpty else { return nil }
        defer { rig.outgoing = OutgoingPackets() }
        if isCaptured { capture(.toDevice, rig.outgoing.packets) }
        return rig.outgoing
    }

    /// Carries bytes both ways until both ends are quiet.
    ///
    /// - Returns: what the rig's end noticed, oldest first, and what either end asks the signer.
    mutating func exchange(now: UInt64) -> [RigNotice] {
        var found: [RigNotice] = []
        switch far {
        case .simulated(var partner):
            while !rig.outgoing.isEmpty || !partner.outgoing.isEmpty {
                let toPartner = rig.outgoing
                rig.outgoing = OutgoingPackets()
                if isCaptured { capture(.toDevice, toPartner.packets) }
                if !toPartner.isEmpty { partner.receive(toPartner.bytes[...], now: now) }
                let toRig = partner.outgoing
                partner.outgoing = OutgoingPackets()
                if isCaptured { capture(.fromDevice, toRig.packets) }
                if !toRig.isEmpty { rig.receive(toRig.bytes[...], now: now) }
            }
            for notice in partner.notices {
                switch notice {
                case .question(let question): found.append(.question(question, .partner))
                case .irregularity(let what): tell(what, .partner, now: now, in: &found)
                case .hid(let arrival):
                    // What a simulated phone reads is what was published when it was done.
                    if let what = arrival.irregularity { tell(what, .partner, now: now, in: &found) }
                case .phase, .waiting, .identified, .displays, .active, .ended, .message: break
                }
            }
            partner.notices.removeAll(keepingCapacity: true)
            far = .simulated(partner)
        case .opening, .wire: break
        }
        for notice in rig.notices {
            switch notice {
            case .phase(let phase):
                // The link begins anew: what was on its way never comes.
                if phase == .synchronizing { tracks = InputTracks() }
                found.append(.phase(phase))
            case .waiting(let wait): found.append(.waiting(wait))
            case .identified(let name): found.append(.identified(name))
            case .displays(let declared): displays = declared
            case .active: found.append(.active(displays, displaysOrigin))
            case .ended(let reason): found.append(.ended(explain(reason)))
            case .question(let question): found.append(.question(question, .rig))
            case .irregularity(let what): tell(what, .rig, now: now, in: &found)
            case .message(let message): found.append(.message(message))
            case .hid(let arrival):
                let stamp = arrival.isReport ? tracks.arrived() : nil
                if !arrival.inputs.isEmpty { found.append(.input(LinkInput(arrival: arrival, stamp: stamp))) }
                if let what = arrival.irregularity { tell(what, .rig, now: now, in: &found) }
            }
        }
        rig.notices.removeAll(keepingCapacity: true)
        if !tracks.isEmpty { followInput(in: &found) }
        return found
    }

    private mutating func tell(
        _ what: Irregularity, _ end: Irregularity.End, now: UInt64, in found: inout [RigNotice]
    ) {
        guard let suppressed = budget.take(now: now) else { return }
        var irregularity = what
        irregularity.end = end
        irregularity.suppressed = suppressed
        found.append(.irregularity(irregularity))
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
        return Reason(why.code, .peer, "the other side ended the link: \(why.text)")
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
    /// The handshake waits for a person.
    case waiting(SessionWait)
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
    /// The signer is to answer this end.
    case question(SignerQuestion, LinkEnd)
}

extension LinkSynchronization {
    /// What the rig's head unit offers: as captured from an accessory, but acknowledging within 500 ms (WIO and the
    /// keyboard of CLK do so). With the captured 2 s, acknowledgement and retransmission would fall due together.
    static let rigAccessory: LinkSynchronization = {
        var offer = accessoryDefault
        offer.acknowledgementTimeout = 500
        return offer
    }()

    /// What the rig's phone takes: as captured from a phone.
    static let rigDevice = deviceDefault
}
