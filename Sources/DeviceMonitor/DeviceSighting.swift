/// What the monitor looks at. Everything else of the two subsystems is passed over.
public enum DeviceCategory: Sendable, CaseIterable {
    /// A whole USB device.
    case usbDevice
    /// One interface of a USB device: never reported itself, but its events say that its device has changed.
    case usbInterface
    /// An evdev node (`event5`).
    case inputNode
}

/// What a uevent says has happened.
public enum UeventAction: String, Sendable, CaseIterable {
    case add, remove, change, bind, unbind
}

/// What tells one plug of a device from the next one at the same syspath. Parts that are not known say nothing.
public struct InstanceIdentity: Equatable, Sendable {
    /// BUSNUM and DEVNUM of a USB device: the number grows by one with each plug.
    public var usbAddress: USBAddress?
    /// Major and minor number of the node.
    public var deviceNumber: DeviceNumber?
    /// When udev first handled it (USEC_INITIALIZED: microseconds of CLOCK_MONOTONIC); kept over later events.
    public var initialized: UInt64?

    /// States what is known.
    public init(usbAddress: USBAddress? = nil, deviceNumber: DeviceNumber? = nil, initialized: UInt64? = nil) {
        self.usbAddress = usbAddress
        self.deviceNumber = deviceNumber
        self.initialized = initialized
    }

    /// Reads the identity out of udev properties.
    public init(properties: DeviceProperties) {
        if let bus = properties["BUSNUM"].flatMap({ UInt16($0) }),
            let device = properties["DEVNUM"].flatMap({ UInt16($0) })
        {
            usbAddress = USBAddress(bus: bus, device: device)
        }
        if let major = properties["MAJOR"].flatMap({ UInt32($0) }),
            let minor = properties["MINOR"].flatMap({ UInt32($0) })
        {
            deviceNumber = DeviceNumber(major: major, minor: minor)
        }
        initialized = properties["USEC_INITIALIZED"].flatMap { UInt64($0) }
    }

    /// False when a part that both know differs: then it is another plug.
    public func matches(_ other: InstanceIdentity) -> Bool {
        if let mine = usbAddress, let theirs = other.usbAddress, mine != theirs { return false }
        if let mine = deviceNumber, let theirs = other.deviceNumber, mine != theirs { return false }
        if let mine = initialized, let theirs = other.initialized, mine != theirs { return false }
        return true
    }

    /// True when udev is known to have handled this one before `other`.
    public func isOlder(than other: InstanceIdentity) -> Bool {
        guard let mine = initialized, let theirs = other.initialized else { return false }
        return mine < theirs
    }
}

/// Where a USB device is on the bus now; the pair names a node below /dev/bus/usb.
public struct USBAddress: Equatable, Hashable, Sendable {
    /// The bus, from 1.
    public let bus: UInt16
    /// The device on the bus, 1 to 127.
    public let device: UInt16

    /// States an address.
    public init(bus: UInt16, device: UInt16) {
        self.bus = bus
        self.device = device
    }
}

/// The number of a device node.
public struct DeviceNumber: Equatable, Hashable, Sendable {
    /// The driver's part: 189 for USB, 13 for input.
    public let major: UInt32
    /// The device's part.
    public let minor: UInt32

    /// States a number.
    public init(major: UInt32, minor: UInt32) {
        self.major = major
        self.minor = minor
    }
}

/// A device as a uevent or the enumeration mentions it: values from the message alone, nothing read from sysfs.
public struct DeviceSighting: Equatable, Sendable {
    /// Its path below /sys, the key of everything.
    public let syspath: String
    /// What it is.
    public let category: DeviceCategory
    /// Its device node, or `nil` while it has none.
    public private(set) var node: String?
    /// Which plug it is.
    public private(set) var identity: InstanceIdentity
    /// Its udev properties.
    public let properties: DeviceProperties

    /// States a sighting; the identity is read from the properties.
    public init(syspath: String, category: DeviceCategory, node: String?, properties: DeviceProperties) {
        self.syspath = syspath
        self.category = category
        self.node = node
        self.identity = InstanceIdentity(properties: properties)
        self.properties = properties
    }

    /// The same with the numbers and the node that only an earlier sighting of the same plug had.
    func filled(from earlier: DeviceSighting) -> DeviceSighting {
        var filled = self
        filled.node = node ?? earlier.node
        filled.identity.usbAddress = identity.usbAddress ?? earlier.identity.usbAddress
        filled.identity.deviceNumber = identity.deviceNumber ?? earlier.identity.deviceNumber
        filled.identity.initialized = identity.initialized ?? earlier.identity.initialized
        return filled
    }
}
