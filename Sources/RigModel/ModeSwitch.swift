/// Into what a device on the USB can be told to change. It leaves the bus for each of them.
public enum ModeSwitch: String, Sendable, CaseIterable {
    /// Android's accessory mode: the phone returns as 18d1:2d00 to 2d05.
    case accessory
    /// An Apple phone becomes the host, for CarPlay. It does not return as a device.
    case carPlayHost
    /// An Apple phone becomes the host, in the plain iAP-style mode. It does not return as a device.
    case plainHost

    /// Whether the device comes back to its port afterwards.
    public var returns: Bool {
        switch self {
        case .accessory: true
        case .carPlayHost, .plainHost: false
        }
    }

    /// Whether a kind of device knows this switch.
    public func suits(_ kind: DeviceKind) -> Bool {
        switch (self, kind) {
        case (.accessory, .androidPhone): true
        case (.carPlayHost, .iPhone), (.carPlayHost, .iPad), (.carPlayHost, .iPod): true
        case (.plainHost, .iPhone), (.plainHost, .iPad), (.plainHost, .iPod): true
        case (.accessory, _), (.carPlayHost, _), (.plainHost, _): false
        }
    }
}
