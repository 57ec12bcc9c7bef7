import ControlProtocol
import LinkProtocol
import RigConfiguration
import RigModel

/// A link whose partner lives inside the daemon: two whole endpoints, the rig's and the partner's, that exchange real
/// bytes. A virtual device has one, and so has a real phone, which cannot be authenticated.
struct SimulatedLink: Sendable {
    let id: LinkID
    let device: DeviceID
    let session: SessionID
    private let role: Role
    private var rig: Endpoint
    private var partner: Endpoint
    /// The displays that the session gets when it is active.
    private var displays: [DisplayDescription]
    /// What is in the way of the bytes; nothing unless a fault was set.
    private var faults: LinkFaults?
    private var progress = SessionProgress()
    /// What the rig is to be told, oldest first.
    private var told: [RigNotice] = []

    init(
        id: LinkID, device: DeviceID, session: SessionID, role: Role, headUnit: HeadUnitProfile,
        phone: RigModel.PhoneConditions, identificationFirst: Bool, phoneName: String, settings: CoreSettings,
        generator: inout SeededGenerator
    ) {
        self.id = id
        self.device = device
        self.session = session
        self.role = role
        let accessory = EndpointSide.accessory(
            AccessoryConfiguration(
                identification: Identification(headUnit, version: settings.version),
                certificate: FixedTestSigner.certificate, displays: headUnit.displays.map(DisplayDeclaration.init),
                power: PowerSourceUpdate(availableCurrent: 2_400, chargesBattery: true),
                deadlines: settings.deadlines))
        let deviceSide = EndpointSide.device(
            DeviceConfiguration(
                order: identificationFirst ? .identificationFirst : .authenticationFirst, name: phoneName,
                identifiers: DeviceTransportIdentifiers(usb: phoneName),
                availability: CarPlayAvailability(wired: .init(isAvailable: phone.refuse != .session)),
                // 0 is the unit's name, which it cannot do without.
                refusedParameters: phone.refuse == .identification ? [0] : [], startDelay: 0,
                conditions: ControlProtocol.PhoneConditions(phone), deadlines: settings.deadlines),
            refuse: phone.refuse)
        var accessoryLink = settings.link
        accessoryLink.synchronization = .rigAccessory
        var deviceLink = settings.link
        deviceLink.synchronization = .rigDevice
        let unit = Endpoint(accessory, link: accessoryLink, seed: generator.next())
        let phone = Endpoint(deviceSide, link: deviceLink, seed: generator.next())
        switch role {
        case .headUnit:
            rig = unit
            partner = phone
            displays = headUnit.displays
        case .phone:
            rig = phone
            partner = unit
            displays = []
        }
    }

    /// When `deadlineReached` is to be called next.
    var nextDeadline: UInt64? {
        [rig.nextDeadline, partner.nextDeadline, faults?.nextDeadline].compactMap(\.self).min()
    }

    /// Whether the rig's end is over.
    var isClosed: Bool { rig.ending != nil }

    /// The last bytes of both ways, while a fault wants them for the next session.
    var staleBytes: StaleBytes? { faults?.staleBytes }

    mutating func start(faults orders: [FaultPathOrder], stale: StaleBytes?, now: UInt64) {
        if !orders.isEmpty { faults = LinkFaults(orders, stale: stale, progress: progress, now: now) }
        partner.start(now: now)
        rig.start(now: now)
    }

    mutating func deadlineReached(now: UInt64) {
        if let deadline = rig.nextDeadline, deadline <= now { rig.deadlineReached(now: now) }
        if let deadline = partner.nextDeadline, deadline <= now { partner.deadlineReached(now: now) }
        faults?.deadlineReached(now: now)
    }

    /// Something is done to the phone, whichever end it is.
    mutating func set(_ conditions: RigModel.PhoneConditions, now: UInt64) {
        switch role {
        case .headUnit: partner.set(conditions, now: now)
        case .phone: rig.set(conditions, now: now)
        }
    }

    /// Puts a fault in the way of a session that runs.
    mutating func arm(_ orders: [FaultPathOrder], now: UInt64) {
        if faults == nil { faults = LinkFaults([], stale: nil, progress: progress, now: now) }
        for order in orders { faults?.arm(order, now: now) }
    }

    /// Takes a fault out of the way; what it held back passes.
    mutating func clearFault(_ id: FaultID, now: UInt64) { faults?.clear(id, now: now) }

    /// The partner says goodbye, and the rig hears it.
    ///
    /// - Returns: what faults did to it.
    mutating func sayGoodbye(now: UInt64) -> [RigNotice] {
        partner.close(now: now)
        return exchange(now: now).filter(\.isFault)
    }

    /// Carries bytes both ways until both ends are quiet.
    ///
    /// - Returns: what the rig's end noticed, oldest first.
    mutating func exchange(now: UInt64) -> [RigNotice] {
        collect(now: now)
        var isMoving = true
        while isMoving {
            let isToDevice = carry(.toDevice, now: now)
            let isFromDevice = carry(.fromDevice, now: now)
            isMoving = isToDevice || isFromDevice
        }
        partner.notices.removeAll(keepingCapacity: true)
        defer { told = [] }
        guard faults != nil else { return told }
        // What the owner acts on last ends the session: whatever else happened in the same turn is told before.
        return told.filter { !$0.isLast } + told.filter(\.isLast)
    }

    /// Carries what was sent one way; false when there was nothing.
    private mutating func carry(_ direction: FaultDirection, now: UInt64) -> Bool {
        let bytes = direction == .toDevice ? rig.outgoing : partner.outgoing
        if direction == .toDevice {
            rig.outgoing.removeAll(keepingCapacity: true)
        } else {
            partner.outgoing.removeAll(keepingCapacity: true)
        }
        guard let output = faults?.carry(bytes, direction, now: now) else {
            if !bytes.isEmpty { deliver(bytes[...], direction, now: now) }
            return !bytes.isEmpty
        }
        told += output.notices.map { .fault($0, direction) }
        for chunk in output.chunks { deliver(chunk, direction, now: now) }
        return !bytes.isEmpty || !output.isEmpty
    }

    private mutating func deliver(_ bytes: ArraySlice<UInt8>, _ direction: FaultDirection, now: UInt64) {
        if direction == .toDevice {
            partner.receive(bytes, now: now)
        } else {
            rig.receive(bytes, now: now)
            collect(now: now)
        }
    }

    /// Takes what the rig's end noticed. Faults wait for the phases among it.
    private mutating func collect(now: UInt64) {
        let notices = rig.notices
        rig.notices.removeAll(keepingCapacity: true)
        for notice in notices {
            switch notice {
            case .phase(let phase):
                reach(phase, now: now)
                told.append(.phase(phase))
            case .waiting(let wait): told.append(.waiting(wait))
            case .identified(let name): told.append(.identified(name))
            case .displays(let declared): displays = declared
            case .active:
                reach(.active, now: now)
                told.append(.active(displays, role == .headUnit ? .declared : .simulated))
            case .ended(let reason): told.append(.ended(explain(reason)))
            }
        }
    }

    private mutating func reach(_ phase: SessionPhase, now: UInt64) {
        guard progress.reach(phase) else { return }
        faults?.reached(phase, now: now)
    }

    /// The rig's end only sees that its partner reset the link; the partner knows why.
    private func explain(_ reason: Reason) -> Reason {
        guard reason.code == "resetByPeer", let why = partner.ending, why.code != "closedLocally" else { return reason }
        return Reason(why.code, .peer, "the other side ended the link: \(why.text)")
    }
}

/// What the rig's end of a link noticed.
enum RigNotice: Equatable, Sendable {
    /// The handshake reached another phase.
    case phase(SessionPhase)
    /// The handshake waits for a person.
    case waiting(SessionWait)
    /// The phone accepted a head unit of this name.
    case identified(String)
    /// The session runs, with these displays from there.
    case active([DisplayDescription], Origin)
    /// A fault did something to what went this way.
    case fault(FaultNotice, FaultDirection)
    /// It is over.
    case ended(Reason)

    /// Whether nothing of the session is left behind it.
    fileprivate var isLast: Bool {
        switch self {
        case .ended, .fault(.unplug, _): true
        case .phase, .waiting, .identified, .active, .fault: false
        }
    }

    fileprivate var isFault: Bool {
        switch self {
        case .fault: true
        case .phase, .waiting, .identified, .active, .ended: false
        }
    }
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
