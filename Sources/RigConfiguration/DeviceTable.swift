public import RigModel

/// What a USB device was recognised as.
public struct DeviceProfile: Equatable, Sendable {
    /// The rule's name: `iphone`, `android-mtp`, `head-unit`.
    public let name: String
    /// What kind of thing it is.
    public let kind: DeviceKind
    /// What its name begins with: `iphone` gives `iphone-1`.
    public let namePrefix: String
    /// The rule's priority.
    public let priority: Int
    /// What the rule looks at.
    public let match: USBMatch

    /// The facts of a device that was recognised as this.
    public func facts(of device: USBDeviceDescription) -> DeviceFacts {
        DeviceFacts(
            kind: kind, profile: name, namePrefix: namePrefix, vendor: device.vendor, product: device.product,
            serial: device.serial,
            port: device.port, manufacturer: device.manufacturer, model: device.model, origin: .observed,
            hasLinkInterface: device.linkInterface != nil)
    }

    /// The interface that the rule asks for, for whoever opens it; `nil` when it goes by ids alone.
    public func interface(of device: USBDeviceDescription) -> USBInterfaceReference? { match.interface(of: device) }
}

/// What an evdev device was recognised as, and which of its codes mean what.
public struct InputProfile: Equatable, Sendable {
    /// The rule's name: `knob`.
    public let name: String
    /// What kind of thing it is.
    public let kind: DeviceKind
    /// What its name begins with: `knob` gives `knob-1`.
    public let namePrefix: String
    /// The rule's priority.
    public let priority: Int
    /// What the rule looks at.
    public let match: InputMatch
    /// Relative axes that can carry the turns, the best first.
    public let axes: [UInt16]
    /// Buttons that can be the press, the best first.
    public let pressButtons: [UInt16]
    /// How many units of the axis make one detent, from 1 to 100,000.
    public let unitsPerDetent: Int32
    /// True where the device counts up when it is turned counter-clockwise.
    public let reversed: Bool
    /// Whether a node like this is a device, or adds to one.
    public let part: InputPart
    /// Which nodes are one device together: those with the same group in the whole rig, or those of one physical device
    /// where it is empty.
    public let group: String
    /// Whether the node is grabbed; `nil` leaves that to `[input] grab`.
    public let grabs: Bool?

    /// The facts of a device that was recognised as this. `port` is the topology of the USB device behind it, or its
    /// `phys` where there is none.
    public func facts(of device: InputDeviceDescription, port: String) -> DeviceFacts {
        DeviceFacts(
            kind: kind, profile: name, namePrefix: namePrefix, vendor: device.vendor, product: device.product,
            serial: device.uniq, port: port,
            model: device.name, origin: .observed)
    }

    /// The axis that carries the turns of this device, or `nil` when it has none of them.
    public func axis(of device: InputDeviceDescription) -> UInt16? { axes.first(where: device.rel.contains) }

    /// The button that is the press of this device, or `nil` when it cannot be pressed.
    public func press(of device: InputDeviceDescription) -> UInt16? { pressButtons.first(where: device.key.contains) }
}

/// What an evdev node is to the device that it belongs to: a knob's turns and its press may come from two nodes.
public enum InputPart: String, Sendable, CaseIterable {
    /// The node makes a device.
    case whole
    /// The node adds to a device that another one makes, and waits for that one; alone it is nothing.
    case addition
}

/// What became of a device, for a person who wonders why it does not show up.
public enum Classification<Profile: Equatable & Sendable>: Equatable, Sendable {
    /// It is a candidate.
    case candidate(Profile)
    /// A rule of this name says that it is none.
    case ignored(rule: String)
    /// No rule fits.
    case unknown

    /// The profile, where it is a candidate.
    public var profile: Profile? {
        switch self {
        case .candidate(let profile): profile
        case .ignored, .unknown: nil
        }
    }
}

/// Classification as data: rules of which the one with the highest priority that fits decides; of equal ones the later.
public struct DeviceTable: Equatable, Sendable {
    /// The rules for USB devices in the order of reading.
    public let usbRules: [Rule<USBMatch, DeviceProfile>]
    /// The rules for evdev devices in the order of reading.
    public let inputRules: [Rule<InputMatch, InputProfile>]

    /// One rule.
    public struct Rule<Match: Equatable & Sendable, Profile: Equatable & Sendable>: Equatable, Sendable {
        /// Its name, each once in a table.
        public let name: String
        /// From 0 to 1,000; the highest that fits decides.
        public let priority: Int
        /// What it looks at.
        public let match: Match
        /// What a device that fits is, or `nil` when it is to be left alone.
        public let profile: Profile?
    }

    /// The most rules of each kind.
    public static let maximumRules = 1_024

    /// The shipped rules alone.
    public static let shipped: DeviceTable = {
        do throws(ConfigurationError) {
            return try DeviceTable(usbRules: [], inputRules: []).adding(ShippedProfiles.devices)
        } catch {
            preconditionFailure("the shipped device tables are wrong:\n\(error)")
        }
    }()

    /// What a USB device is, or `nil` when it is nothing for the rig.
    public func classify(_ device: USBDeviceDescription) -> DeviceProfile? { classification(of: device).profile }

    /// What an evdev device is, or `nil` when it is nothing for the rig.
    public func classify(_ device: InputDeviceDescription) -> InputProfile? { classification(of: device).profile }

    /// What a USB device is, and by which rule it is nothing.
    public func classification(of device: USBDeviceDescription) -> Classification<DeviceProfile> {
        Self.decision(usbRules) { $0.matches(device) }
    }

    /// What an evdev device is, and by which rule it is nothing.
    public func classification(of device: InputDeviceDescription) -> Classification<InputProfile> {
        Self.decision(inputRules) { $0.matches(device) }
    }

    private static func decision<Match, Profile>(
        _ rules: [Rule<Match, Profile>], _ fits: (Match) -> Bool
    ) -> Classification<Profile> {
        var best: Rule<Match, Profile>?
        for rule in rules where rule.priority >= best?.priority ?? 0 && fits(rule.match) { best = rule }
        guard let best else { return .unknown }
        return best.profile.map(Classification.candidate) ?? .ignored(rule: best.name)
    }
}
