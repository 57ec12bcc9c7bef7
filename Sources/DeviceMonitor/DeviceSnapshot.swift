public import RigModel

/// Whether a device's node can be opened, a USB device's for writing too, as far as its permissions say.
public enum NodeAccess: Equatable, Sendable {
    /// Permissions allow it.
    case granted
    /// Permissions forbid it; the udev rule or the group of the service is missing, or comes later.
    case denied
    /// There is no node.
    case missing
}

/// One plug of one device as the monitor knows it. A value: it stays as it was when the device is long gone.
public struct DeviceSnapshot: Equatable, Sendable {
    /// The number of this plug, from 1, never reused in one monitor: the same from `added` to `removed`.
    public let instance: UInt64
    /// A USB device or an input node.
    public let category: DeviceCategory
    /// Its path below /sys.
    public let syspath: String
    /// Its device node, or `nil` for none.
    public var node: String?
    /// Whether the node could be opened when it was last looked at.
    public var access: NodeAccess
    /// What tells this plug from the next.
    public var identity: InstanceIdentity
    /// Its udev properties.
    public var properties: DeviceProperties
    /// What classification needs to know of a USB device; `nil` for an input node.
    public var usb: USBDeviceDescription?
    /// What classification needs to know of an input node; `nil` for a USB device.
    public var input: InputDeviceDescription?

    /// States a snapshot.
    public init(
        instance: UInt64, category: DeviceCategory, syspath: String, node: String?, access: NodeAccess,
        identity: InstanceIdentity, properties: DeviceProperties, usb: USBDeviceDescription? = nil,
        input: InputDeviceDescription? = nil
    ) {
        self.instance = instance
        self.category = category
        self.syspath = syspath
        self.node = node
        self.access = access
        self.identity = identity
        self.properties = properties
        self.usb = usb
        self.input = input
    }
}

/// What a device must still show before it can be reported.
public enum MissingPart: String, Sendable, CaseIterable {
    /// It has no device node.
    case node
    /// The node's permissions keep us out.
    case access
    /// `idVendor` or `idProduct` is not there or no number.
    case identifiers
    /// `descriptors` is not there, or shorter than its own lengths say.
    case descriptors
    /// No configuration is chosen. Waited for at most `InventorySettings.configurationGrace`.
    case configuration
    /// An input node's `capabilities` are not there.
    case capabilities
}

/// What the owner of the monitor wants of a device once it is known.
public enum DeviceRelevance: Sendable, CaseIterable {
    /// Nothing: keep it in the table, report nothing. Permissions of such a device are never waited for.
    case ignored
    /// Report it as soon as it can be classified, whatever its node's permissions are.
    case reported
    /// Report it when its node can be opened as well.
    case reportedWhenAccessible
}

/// Why a device is gone.
public enum RemovalCause: Sendable, CaseIterable {
    /// The kernel said so.
    case removed
    /// Another plug is at its syspath; its own removal was never heard of.
    case replaced
    /// A rescan did not find it any more, or its syspath stayed away without a word.
    case vanished
}

/// Why everything was read again.
public enum ResynchronizationReason: Equatable, Sendable {
    /// The kernel's buffer for this process overflowed (ENOBUFS): events are lost.
    case overflow
    /// The monitor's socket failed with this errno value.
    case receiveFailed(Int32)
    /// The owner asked for it: after a suspend, on SIGHUP.
    case requested
}

/// What the monitor tells its owner.
public enum DeviceChange: Equatable, Sendable {
    /// A device is there and complete. Once per plug.
    case added(DeviceSnapshot)
    /// A device that was added has other facts now.
    case changed(DeviceSnapshot)
    /// A device that was added got a driver. Nothing needs to be done for it.
    case bound(DeviceSnapshot)
    /// A device that was added lost its driver. It is still there.
    case unbound(DeviceSnapshot)
    /// A device that was added, or is stuck, is gone. Once per plug.
    case removed(DeviceSnapshot, RemovalCause)
    /// Reading a device's attributes did not return: its driver hangs. It is left alone until `removed`. Comes instead
    /// of `added`, or after it.
    case stuck(DeviceSnapshot)
    /// A device is there for a while but not complete: for the log. It is looked at again by itself, and reported by
    /// `added` when it is; no `removed` follows when it goes before.
    case incomplete(DeviceSnapshot, [MissingPart])
    /// The first enumeration is done; devices found by it may still be on their way to `added`.
    case enumerated
    /// Events were lost or the owner asked: the whole state was read again. What differs follows.
    case resynchronized(ResynchronizationReason)
}
