/// What kind of thing is behind the plug.
public enum DeviceKind: String, Sendable, CaseIterable {
    /// An iPhone in its normal mode.
    case iPhone
    /// An iPad in its normal mode.
    case iPad
    /// An iPod touch.
    case iPod
    /// An Android phone: MTP, adb, or both.
    case androidPhone
    /// An Android phone in accessory mode.
    case androidAccessory
    /// A CarPlay or Android Auto dongle.
    case dongle
    /// A head unit that shows the iAP-style interface; the rig then plays the phone.
    case headUnit
    /// A rotary knob on evdev.
    case knob
    /// A touchpad on evdev.
    case touchpad
    /// A touchscreen on evdev.
    case touchscreen
    /// Keys on evdev: media, telephony, home and back.
    case keys

    /// Which side the rig plays for it, or `nil` where no link is made.
    public var role: Role? {
        switch self {
        case .iPhone, .iPad, .iPod, .androidPhone, .androidAccessory, .dongle: .headUnit
        case .headUnit: .phone
        case .knob, .touchpad, .touchscreen, .keys: nil
        }
    }
}

/// By what a returning device was recognised.
public enum IdentityRule: String, Sendable, CaseIterable {
    /// It was never seen before in this run.
    case new
    /// Serial and port agree.
    case serialAndPort
    /// The port alone, within the re-enumeration window.
    case portWithinWindow
    /// The serial alone, which is plausible and unique.
    case serial
    /// The name that was given when it was plugged.
    case name
}

/// Where a device stands.
public enum DeviceState: String, Sendable, CaseIterable {
    /// It is there; nothing has begun. Exits: connecting, busy, stuck, detached.
    case attached
    /// A handshake is under way. Exits: active, failed, attached, busy, stuck, detached.
    case connecting
    /// It has an active session. Exits: attached, failed, busy, stuck, reenumerating, detached.
    case active
    /// The handshake failed; `reason` says why. Exits: connecting (retry), detached.
    case failed
    /// Another process or instance holds it. Exits: attached, stuck, detached.
    case busy
    /// A call to its driver does not return; it is left alone until it is replugged. Exits: detached.
    case stuck
    /// It was told to change its mode: it leaves the bus and is expected back at the same port. Exits: attached (with the
    /// next generation), failed (it did not leave), detached (it did not come back).
    case reenumerating
    /// It is gone; it keeps its name and generation for when it returns. Exits: attached.
    case detached
}

/// What a bus knows of a device: the input of classification and identity.
public struct DeviceFacts: Equatable, Sendable {
    /// What it was classified as.
    public var kind: DeviceKind
    /// The profile that matched: `iphone`, `android-mtp`, `head-unit`, ….
    public var profile: String
    /// What the device's name begins with: `iphone`, `android`, `knob`, …; the profile's name when nobody says.
    public var namePrefix: String
    /// The USB vendor, or `nil` for what has none.
    public var vendor: UInt16?
    /// The USB product.
    public var product: UInt16?
    /// The serial number as the device gives it; may be empty, may repeat.
    public var serial: String
    /// The port: the bus's topology (`1-1.4`), or `virtual` for what has none. What identity compares.
    public var port: String
    /// The manufacturer's name, or empty.
    public var manufacturer: String
    /// The model's name, or empty.
    public var model: String
    /// Observed, or simulated for a virtual device.
    public var origin: Origin
    /// True when it shows the iAP-style interface with its two bulk pipes, so that it is spoken to itself.
    public var hasLinkInterface: Bool
    /// What an Apple device answered when it was asked for its mode: four bytes as eight hexadecimal digits. `nil` when
    /// it was not asked, or did not answer.
    public var mode: String?
    /// Whether an Apple device says that CarPlay is possible now; `nil` as for `mode`.
    public var isCarPlayCapable: Bool?
    /// The touch surface of a touchscreen or touchpad and how it is mounted; `nil` for what has none. Not published.
    public var surface: SurfaceLayout?

    /// Who answers on its link; `nil` where none is made.
    public var peer: Peer? { kind.role == nil ? nil : hasLinkInterface ? .wire : .simulated }

    /// States facts.
    public init(
        kind: DeviceKind, profile: String, namePrefix: String? = nil, vendor: UInt16? = nil, product: UInt16? = nil,
        serial: String = "", port: String, manufacturer: String = "", model: String = "", origin: Origin,
        hasLinkInterface: Bool = false
    ) {
        self.kind = kind
        self.profile = profile
        self.namePrefix = namePrefix ?? profile
        self.vendor = vendor
        self.product = product
        self.serial = serial
        self.port = port
        self.manufacturer = manufacturer
        self.model = model
        self.origin = origin
        self.hasLinkInterface = hasLinkInterface
    }
}

/// A device as it is published.
public struct Device: Equatable, Sendable {
    /// Its number in this run.
    public let id: DeviceID
    /// Its short stable name.
    public let name: String
    /// What is known of it.
    public var facts: DeviceFacts
    /// 1 at the first plug, +1 at each return.
    public var generation: UInt32
    /// By what rule it was recognised this time.
    public var identity: IdentityRule
    /// Where it stands.
    public var state: DeviceState
    /// Why it failed, is busy, stuck or gone; `nil` otherwise.
    public var reason: Reason?
    /// Who answers on its link, where it has one.
    public var peer: Peer?
    /// What was set on the phone at its link: the device itself, or the rig where it plays the phone. `nil` where there
    /// is none, and for a phone on its own wire.
    public var phone: PhoneConditions?
    /// When its failed handshake is tried again, in nanoseconds from the daemon's start; `nil` when it is not.
    public var nextTry: UInt64?
    /// Its session, while there is one.
    public var session: SessionID?

    /// States a device at its first plug.
    public init(id: DeviceID, name: String, facts: DeviceFacts, peer: Peer?, phone: PhoneConditions?) {
        self.id = id
        self.name = name
        self.facts = facts
        self.generation = 1
        self.identity = .new
        self.state = .attached
        self.peer = peer
        self.phone = phone
    }

    /// The name with the generation it has now.
    public var reference: DeviceReference { DeviceReference(name: name, generation: generation) }

    /// The device as it is published.
    public var record: RecordValue {
        .record([
            RecordField("id", .string(name)), RecordField("generation", .number(generation)),
            RecordField("kind", .string(facts.kind.rawValue)), RecordField("profile", .string(facts.profile)),
            RecordField("state", .string(state.rawValue)), RecordField("role", .text(facts.kind.role?.rawValue)),
            RecordField("peer", .text(peer?.rawValue)), RecordField("origin", .string(facts.origin.rawValue)),
            RecordField("identity", .string(identity.rawValue)), RecordField("port", .string(facts.port)),
            RecordField("serial", .text(facts.serial.isEmpty ? nil : facts.serial)),
            RecordField("vendor", .number(facts.vendor)), RecordField("product", .number(facts.product)),
            RecordField("manufacturer", .text(facts.manufacturer.isEmpty ? nil : facts.manufacturer)),
            RecordField("model", .text(facts.model.isEmpty ? nil : facts.model)),
            RecordField("session", .text(session?.name)), RecordField("phone", phone?.record ?? .null),
            RecordField("mode", .text(facts.mode)),
            RecordField("carPlayCapable", facts.isCarPlayCapable.map { .bool($0) } ?? .null),
            RecordField("nextTry", .number(nextTry)), RecordField("reason", reason?.record ?? .null),
        ])
    }
}
