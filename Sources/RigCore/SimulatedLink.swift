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
                // 0 is the unit's name, which it cannot do without.
                refusedParameters: phone.refuse == .identification ? [0] : [], startDelay: 0, powerQuiet: 0,
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
        guard let own = rig.nextDeadline else { return partner.nextDeadline }
        return partner.nextDeadline.map { min($0, own) } ?? own
    }

    /// Whether the rig's end is over.
    var isClosed: Bool { rig.ending != nil }

    mutating func start(now: UInt64) {
        partner.start(now: now)
        rig.start(now: now)
    }

    mutating func deadlineReached(now: UInt64) {
        if let deadline = rig.nextDeadline, deadline <= now { rig.deadlineReached(now: now) }
        if let deadline = partner.nextDeadline, deadline <= now { partner.deadlineReached(now: now) }
    }

    /// Something is done to the phone, whichever end it is.
    mutating func set(_ conditions: RigModel.PhoneConditions, now: UInt64) {
        switch role {
        case .headUnit: partner.set(conditions, now: now)
        case .phone: rig.set(conditions, now: now)
        }
    }

    /// The partner says goodbye, and the rig hears it.
    mutating func sayGoodbye(now: UInt64) {
        partner.close(now: now)
        _ = exchange(now: now)
    }

    /// Carries bytes both ways until both ends are quiet.
    ///
    /// - Returns: what the rig's end noticed, oldest first.
    mutating func exchange(now: UInt64) -> [RigNotice] {
        while !rig.outgoing.isEmpty || !partner.outgoing.isEmpty {
            let toPartner = rig.outgoing
            rig.outgoing.removeAll(keepingCapacity: true)
            if !toPartner.isEmpty { partner.receive(toPartner[...], now: now) }
            let toRig = partner.outgoing
            partner.outgoing.removeAll(keepingCapacity: true)
            if !toRig.isEmpty { rig.receive(toRig[...], now: now) }
        }
        partner.notices.removeAll(keepingCapacity: true)
        let notices = rig.notices
        rig.notices.removeAll(keepingCapacity: true)
        return notices.compactMap { notice in
            switch notice {
            case .phase(let phase): return .phase(phase)
            case .waiting(let wait): return .waiting(wait)
            case .identified(let name): return .identified(name)
            case .displays(let declared):
                displays = declared
                return nil
            case .active: return .active(displays, role == .headUnit ? .declared : .simulated)
            case .ended(let reason): return .ended(explain(reason))
            }
        }
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
    /// It is over.
    case ended(Reason)
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
