/// The times that the inventory keeps to. All in nanoseconds.
public struct InventorySettings: Equatable, Sendable {
    /// How soon an incomplete device is looked at again; each further wait is twice as long.
    public var firstRetry: UInt64
    /// The longest of these waits.
    public var longestRetry: UInt64
    /// From when on an incomplete device is only looked at when an event mentions it, so that a device which nobody
    /// may open costs no wake-ups for ever.
    public var giveUpAfter: UInt64
    /// How long a device may be without a configuration and still not be reported. libusb was seen to meet a device
    /// 0.39 s before it was configured.
    public var configurationGrace: UInt64
    /// From when on an incomplete device is told of, once. Permissions that come half a second late are normal.
    public var tellIncompleteAfter: UInt64
    /// How long a syspath may be away without a `remove` before the device counts as gone.
    public var vanishedAfter: UInt64
    /// The shortest time between two rescans, and the first wait after one that failed.
    public var rescanInterval: UInt64

    /// The daemon's times.
    public init() {
        firstRetry = 50_000_000
        longestRetry = 10_000_000_000
        giveUpAfter = 300_000_000_000
        configurationGrace = 1_000_000_000
        tellIncompleteAfter = 1_000_000_000
        vanishedAfter = 2_000_000_000
        rescanInterval = 100_000_000
    }
}

/// What the inventory asks of its owner, in order.
public enum InventoryAction: Equatable, Sendable {
    /// List every device of the watched subsystems. When there is a reason, throw the monitor's socket and whatever
    /// waits in it away first and open a new one. Answered by `enumerated` or `enumerationFailed`.
    case enumerate(ResynchronizationReason?)
    /// Read a device's attributes. Answered by `probed`.
    case probe(ProbeRequest)
    /// Tell the daemon.
    case report(DeviceChange)
}

/// A device that is there but not complete, for people who ask why it is not used.
public struct PendingDevice: Equatable, Sendable {
    /// Its path below /sys.
    public let syspath: String
    /// What it lacks; empty while it is looked at for the first time.
    public let missing: [MissingPart]
    /// Since when, on the caller's clock.
    public let since: UInt64
}
