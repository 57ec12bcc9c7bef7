public import RigModel

/// What an evdev device must be to fit. Of each list that is not empty one part must be there, of the `without` lists
/// none, of `everyKey` all.
public struct InputMatch: Equatable, Sendable {
    /// The vendors.
    public var vendors: [UInt16] = []
    /// The products.
    public var products: [ClosedRange<UInt16>] = []
    /// The name that the driver gives it.
    public var names: [NamePattern] = []
    /// Relative axes.
    public var rel: [UInt16] = []
    /// Relative axes that it must not have.
    public var withoutRel: [UInt16] = []
    /// Keys and buttons.
    public var key: [UInt16] = []
    /// Keys and buttons that it must not have.
    public var withoutKey: [UInt16] = []
    /// Absolute axes.
    public var abs: [UInt16] = []
    /// Absolute axes that it must not have.
    public var withoutAbs: [UInt16] = []
    /// Keys and buttons of which it must have every one.
    public var everyKey: [UInt16] = []
    /// Properties.
    public var properties: [UInt16] = []
    /// Properties that it must not have.
    public var withoutProperties: [UInt16] = []

    /// Fits everything until something is asked for.
    public init() {}

    /// True when nothing is asked for; what it must not have alone picks out nothing.
    public var isEmpty: Bool {
        vendors.isEmpty && products.isEmpty && names.isEmpty && rel.isEmpty && key.isEmpty && abs.isEmpty
            && everyKey.isEmpty && properties.isEmpty
    }

    /// Whether the device fits.
    public func matches(_ device: InputDeviceDescription) -> Bool {
        func one(_ wanted: [UInt16], of there: [UInt16]) -> Bool {
            wanted.isEmpty || wanted.contains(where: there.contains)
        }
        func none(_ unwanted: [UInt16], of there: [UInt16]) -> Bool { !unwanted.contains(where: there.contains) }
        return (vendors.isEmpty || vendors.contains(device.vendor))
            && (products.isEmpty || products.contains { $0.contains(device.product) })
            && (names.isEmpty || names.contains { $0.matches(device.name) })
            && one(rel, of: device.rel) && none(withoutRel, of: device.rel)
            && one(key, of: device.key) && none(withoutKey, of: device.key)
            && one(abs, of: device.abs) && none(withoutAbs, of: device.abs)
            && everyKey.allSatisfy(device.key.contains)
            && one(properties, of: device.props) && none(withoutProperties, of: device.props)
    }
}
