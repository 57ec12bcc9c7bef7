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
    /// What keys mean, by name, in the order of reading.
    public let keymaps: [Keymap]

    /// One rule.
    public struct Rule<Match: Equatable & Sendable, Profile: Equatable & Sendable>: Equatable, Sendable {
        /// Its name, each once in a table.
        public let name: String
        /// From 0 to 1,000; the highest that fits decides.
        public let priority: Int
        /// What it looks at.
        public let match: Match
        /// What a device that fits is, or `nil` when it is to be left alone.
        public internal(set) var profile: Profile?
    }

    /// The most rules of each kind.
    public static let maximumRules = 1_024

    /// The shipped rules alone.
    public static let shipped: DeviceTable = {
        do throws(ConfigurationError) {
            return try DeviceTable(usbRules: [], inputRules: [], keymaps: []).adding(ShippedProfiles.devices)
        } catch {
            preconditionFailure("the shipped device tables are wrong:\n\(error)")
        }
    }()

    /// What a USB device is, or `nil` when it is nothing for the rig.
    public func classify(_ device: USBDeviceDescription) -> DeviceProfile? { classification(of: device).profile }

    /// What a USB device is, and by which rule it is nothing.
    public func classification(of device: USBDeviceDescription) -> Classification<DeviceProfile> {
        Self.decision(usbRules) { $0.matches(device) }
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
