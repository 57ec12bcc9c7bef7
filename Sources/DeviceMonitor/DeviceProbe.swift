public import RigModel

/// The number of one look at a device's attributes; never reused.
public struct ProbeID: Hashable, Sendable {
    /// The number, from 1.
    public let number: UInt64
}

/// A wish to read a device's attributes from sysfs: a job, since a driver can hold some of them up.
public struct ProbeRequest: Equatable, Sendable {
    /// Its number; the answer carries it.
    public let id: ProbeID
    /// The plug it is about: the key under which jobs run one at a time.
    public let instance: UInt64
    /// What to look at.
    public let sighting: DeviceSighting
}

/// What a look at a device's attributes found.
public struct ProbeReading: Equatable, Sendable {
    /// Whether the node can be opened.
    public var access: NodeAccess
    /// A USB device's description, as complete as it could be read.
    public var usb: USBDeviceDescription?
    /// An input node's description.
    public var input: InputDeviceDescription?
    /// What is still missing.
    public var missing: [MissingPart]

    /// States a reading.
    public init(
        access: NodeAccess, usb: USBDeviceDescription? = nil, input: InputDeviceDescription? = nil,
        missing: [MissingPart] = []
    ) {
        self.access = access
        self.usb = usb
        self.input = input
        self.missing = missing
    }
}

/// How a look at a device's attributes ended.
public enum ProbeOutcome: Equatable, Sendable {
    /// It was read.
    case read(ProbeReading)
    /// The syspath is not there, or belongs to another plug by now. The monitor will say which.
    case gone
    /// It did not return in time: a driver holds it up.
    case abandoned
    /// It could not be started: too many others wait or hang.
    case refused
}
