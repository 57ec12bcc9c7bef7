import ControlProtocol
import RigConfiguration
import RigModel

/// A link to a device: the rig's end, and the other end behind it.
///
/// The other end is a partner inside the daemon, with which the rig's end exchanges real bytes, or the device itself on
/// its wire. A virtual device has a partner, and so has a real phone, which cannot be authenticated. Its owner sets
/// `session`; the rest is written by the extensions of this type alone.
struct DeviceLink: Sendable {
    /// Who is behind the link.
    enum Far: Sendable {
        /// A whole endpoint inside the daemon: `partner`.
        case simulated
        /// The device. It is being opened until this time, then it counts as silent.
        case opening(until: UInt64)
        /// The device; bytes pass.
        case wire
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
    let role: Role
    var rig: Endpoint
    var far: Far
    /// The other end while it is simulated; `nil` otherwise. Not in `far`, because a value inside an enum is copied out
    /// for every change, and with it each of its buffers that the change touches.
    var partner: Endpoint?
    /// The displays that the session gets when it is active.
    var displays: [DisplayDescription]
    /// Whether a simulated phone was last seen to refuse the session.
    var partnerRefuses = false
    var budget = PublishingBudget()
    /// What is in the way of the bytes; nothing unless a fault was set.
    var faults: LinkFaults?
    /// What faults have let pass to the wire.
    var faulted = OutgoingPackets()
    var progress = SessionProgress()
    /// What the rig is to be told, oldest first.
    var told: [RigNotice] = []
    /// Whether the bus was asked to open the wire; a session that waits for the signer has not come that far.
    var isWireAsked = false
    /// Bytes that the wire has taken so far.
    var bytesTaken: UInt64 = 0
    /// What the phone was told of the vehicle, where the rig is its head unit.
    var telling = VehicleTelling()
    /// Input that is on its way to the other end, and input of our partner that is on its way to us.
    var tracks = InputTracks()
    /// What passes between the ends, and what one of them noticed, while it is carried: their memory is used again.
    var packetsInHand = OutgoingPackets()
    var noticesInHand = EndpointNotices()
    /// Whether what passes is kept for `takeCaptured`.
    var isCaptured = false
    var captured: [CapturedPiece] = []

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
        case (.simulated, .headUnit):
            far = .simulated
            partner = Self.phone(parts, seed: phoneSeed)
        case (.simulated, .phone):
            far = .simulated
            partner = Self.unit(parts, seed: unitSeed)
        }
    }

    /// When `deadlineReached` is to be called next.
    var nextDeadline: UInt64? {
        switch far {
        case .simulated:
            Self.first(Self.first(rig.nextDeadline, partner?.nextDeadline), faults?.nextDeadline)
        case .opening(let until): until
        case .wire: Self.first(rig.nextDeadline, faults?.nextDeadline)
        }
    }

    static func first(_ one: UInt64?, _ other: UInt64?) -> UInt64? {
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
        case .simulated:
            partner?.start(now: now)
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
        case .simulated:
            if let deadline = rig.nextDeadline, deadline <= now { rig.deadlineReached(now: now) }
            if let deadline = partner?.nextDeadline, deadline <= now { partner?.deadlineReached(now: now) }
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
    var isAsking: Bool { rig.openQuestion != nil || partner?.openQuestion != nil }

    /// The signer has answered one end.
    mutating func answer(_ answer: SignerAnswer, to ticket: SignerTicket, now: UInt64) {
        switch ticket.end {
        case .rig: rig.answer(answer, to: ticket.number, now: now)
        case .partner: partner?.answer(answer, to: ticket.number, now: now)
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

    /// The update of the vehicle that is to be told next, of those that found no room, if there is some now.
    var owedUpdate: VehicleUpdate? {
        guard let update = telling.owed.first, rig.hasRoomForUpdate else { return nil }
        return update
    }

    /// The rig, as the head unit, tells something of the vehicle; false when that has no room, which is told once until
    /// there is some, or no session.
    ///
    /// - Parameter fields: what of the vehicle is in it.
    mutating func update(
        _ update: VehicleUpdate, _ message: ControlMessage, _ fields: [VehicleField], now: UInt64
    ) -> Bool {
        guard rig.hasRoomForUpdate else {
            if telling.owe(update) {
                tell(
                    Irregularity(
                        layer: .control, end: .rig, rule: "vehicleBacklog", party: .peer, reaction: "keep",
                        text: "the vehicle is told later, as \(rig.packetsWaiting) packets wait for the other side"),
                    .rig, now: now)
            }
            return false
        }
        let isSent = rig.send(message, now: now)
        telling.told(update, isSent ? fields : [])
        return isSent
    }

    /// The phone keeps what it was told of some fields, though nothing of them is known any more.
    mutating func forget(_ fields: [VehicleField], now: UInt64) {
        telling.forget(fields)
        let names = fields.map(\.rawValue).joined(separator: " and ")
        tell(
            Irregularity(
                layer: .control, end: .rig, rule: "vehicleUnknown", party: .local, reaction: "ignore",
                text: "the phone keeps the \(names) that it was told: no message says that it is not known any more"),
            .rig, now: now)
    }

    /// One end sends a message of the application; false when its session is not active, or it is not ours.
    mutating func send(_ message: ControlMessage, from end: LinkEnd, now: UInt64) -> Bool {
        switch end {
        case .rig: return rig.send(message, now: now)
        case .partner:
            guard partner?.send(message, now: now) == true else { return false }
            // A report that somebody wrote by hand takes its place among those that are made of input; one that cannot
            // be read is nobody's.
            if message.id == .accessoryHIDReport, let report = try? AccessoryHIDReport.read(message) {
                tracks.expect(nil, component: report.component, report.report ?? [])
            }
            return true
        }
    }

    /// Something is done to the phone, whichever end it is. A phone on a wire does what its own person wants.
    mutating func set(_ conditions: RigModel.PhoneConditions, now: UInt64) {
        switch (role, far) {
        case (.headUnit, .simulated): partner?.set(conditions, now: now)
        case (.phone, _): rig.set(conditions, now: now)
        case (.headUnit, .opening), (.headUnit, .wire): break
        }
    }

    /// The partner says goodbye, and the rig hears it.
    ///
    /// - Returns: what faults did to it.
    mutating func sayGoodbye(now: UInt64) -> [RigNotice] {
        switch far {
        case .simulated:
            partner?.close(now: now)
            return strikes(now: now)
        case .opening, .wire: return []
        }
    }

    /// Ends the rig's side in an orderly way, where there is somebody to hear it; `takeOutgoing` has the goodbye.
    ///
    /// - Returns: what faults did to it.
    mutating func close(now: UInt64) -> [RigNotice] {
        rig.close(now: now)
        return strikes(now: now)
    }

    /// Carries what was said, and gives what faults did to it.
    private mutating func strikes(now: UInt64) -> [RigNotice] {
        var notices: [RigNotice] = []
        _ = exchange(now: now, into: &notices)
        return notices.filter(\.isStrike)
    }
}
