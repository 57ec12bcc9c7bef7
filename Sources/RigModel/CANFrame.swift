/// Whose a message on a CAN bus is: its number, of 11 bits or, extended, of 29.
public struct CANIdentifier: Equatable, Hashable, Sendable {
    /// The number: 0 to 0x7FF, extended 0 to 0x1FFF_FFFF.
    public let number: UInt32
    /// Whether it is one of 29 bits. 0x123 and the extended 0x123 are two identifiers.
    public let isExtended: Bool

    /// An identifier of 11 bits; higher bits are left out.
    public init(_ number: UInt32) {
        self.number = number & 0x7FF
        isExtended = false
    }

    /// An identifier of 29 bits; higher bits are left out.
    public init(extended number: UInt32) {
        self.number = number & 0x1FFF_FFFF
        isExtended = true
    }
}

/// One classical CAN frame with data. A plain value that keeps its bytes in place: nothing is allocated per frame.
public struct CANFrame: Equatable, Sendable {
    /// Whose it is.
    public let id: CANIdentifier
    /// How many bytes it has, 0 to `maximumBytes`.
    public let count: Int
    /// When it came: nanoseconds of the clock that the rig uses.
    public var time: UInt64
    /// Byte 0 in the lowest eight bits.
    private let bits: UInt64

    /// The most bytes of a classical frame (ISO 11898-1).
    public static let maximumBytes = 8

    /// States a frame; bytes above `maximumBytes` are left out.
    public init(id: CANIdentifier, data: some Sequence<UInt8>, time: UInt64 = 0) {
        self.id = id
        self.time = time
        var bits: UInt64 = 0
        var count = 0
        for byte in data.prefix(Self.maximumBytes) {
            bits |= UInt64(byte) << UInt64(8 * count)
            count += 1
        }
        self.bits = bits
        self.count = count
    }

    /// A byte by its place from 0; `nil` where the frame is shorter.
    public func byte(_ place: Int) -> UInt8? {
        guard place >= 0, place < count else { return nil }
        return UInt8(truncatingIfNeeded: bits >> UInt64(8 * place))
    }

    /// The bytes in the order of the bus.
    public var data: [UInt8] { (0..<count).compactMap(byte) }
}
