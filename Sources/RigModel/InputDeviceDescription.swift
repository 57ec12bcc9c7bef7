/// An evdev device as the kernel shows it: the input of classification. A plain value; nothing is open behind it.
public struct InputDeviceDescription: Equatable, Sendable {
    /// The bus it came over: 3 USB, 5 Bluetooth, 0x19 host.
    public var bus: UInt16
    /// The vendor, 0 where it has none.
    public var vendor: UInt16
    /// The product, 0 where it has none.
    public var product: UInt16
    /// The release, 0 where it has none.
    public var version: UInt16
    /// The name the driver gives it.
    public var name: String
    /// Where it is attached, as the driver says: `usb-0000:00:14.0-1/input0`; may be empty.
    public var phys: String
    /// Its serial or address; mostly empty.
    public var uniq: String
    /// The event types it has, ascending.
    public var ev: [UInt16]
    /// The keys and buttons it has, ascending.
    public var key: [UInt16]
    /// The relative axes it has, ascending.
    public var rel: [UInt16]
    /// The absolute axes it has, ascending.
    public var abs: [UInt16]
    /// Its properties, ascending.
    public var props: [UInt16]
    /// The ranges of its absolute axes, ascending by code. Only an open node tells them; sysfs does not have them, so
    /// classification must do without.
    public var axes: [AbsoluteRange]

    /// States a device; the code lists are sorted and cleaned of repeats here.
    public init(
        bus: UInt16 = 0, vendor: UInt16 = 0, product: UInt16 = 0, version: UInt16 = 0, name: String = "",
        phys: String = "", uniq: String = "", ev: [UInt16] = [], key: [UInt16] = [], rel: [UInt16] = [],
        abs: [UInt16] = [], props: [UInt16] = [], axes: [AbsoluteRange] = []
    ) {
        self.bus = bus
        self.vendor = vendor
        self.product = product
        self.version = version
        self.name = name
        self.phys = phys
        self.uniq = uniq
        self.ev = Self.ascending(ev)
        self.key = Self.ascending(key)
        self.rel = Self.ascending(rel)
        self.abs = Self.ascending(abs)
        self.props = Self.ascending(props)
        self.axes = axes.sorted { $0.code < $1.code }
    }

    /// With what the place (`phys`) of the devices begins that the rig's own tool makes.
    public static let virtualPlace = "dashrig/"

    /// The range of an absolute axis, or `nil` when it has none or the node was not open.
    public func range(of axis: UInt16) -> AbsoluteRange? { axes.first { $0.code == axis } }

    private static func ascending(_ codes: [UInt16]) -> [UInt16] {
        var sorted: [UInt16] = []
        sorted.reserveCapacity(codes.count)
        for code in codes.sorted() where code != sorted.last { sorted.append(code) }
        return sorted
    }
}
