/// A report of a `StandardInput.knob`: four bytes.
public struct KnobReport: InputReport {
    /// The buttons that are held.
    public struct Buttons: OptionSet, Hashable, Sendable {
        /// The bits as in the report.
        public let rawValue: UInt8

        /// Makes buttons of the report's bits; those that mean nothing are cut.
        public init(rawValue: UInt8) { self.rawValue = rawValue & 0b111 }

        /// The knob is pressed.
        public static let select = Buttons(rawValue: 1)
        /// The home key.
        public static let home = Buttons(rawValue: 2)
        /// The back key.
        public static let back = Buttons(rawValue: 4)
    }

    /// Bytes of a report.
    public static let byteCount = 4
    /// As far as it can be pushed.
    public static let maximum: Int8 = 127

    /// The buttons that are held.
    public var buttons: Buttons
    /// Where it is pushed to: -127 left, 127 right.
    public var x: Int8
    /// Where it is pushed to: -127 away from the driver (up), 127 down.
    public var y: Int8
    /// Detents since the last report, -127 to 127, positive is clockwise.
    public var wheel: Int8

    /// States a report; -128 is read as -127.
    public init(buttons: Buttons = [], x: Int8 = 0, y: Int8 = 0, wheel: Int8 = 0) {
        self.buttons = buttons
        self.x = max(x, -Self.maximum)
        self.y = max(y, -Self.maximum)
        self.wheel = max(wheel, -Self.maximum)
    }

    /// Reads a report. Throws when it is not four bytes or a value is -128; unused bits are not looked at.
    public init(_ bytes: ArraySlice<UInt8>) throws(HIDReportError) {
        let bytes = try bytes.whole(Self.byteCount)
        var axes: [Int8] = []
        for offset in 1...3 {
            let value = Int8(bitPattern: bytes[offset])
            guard value >= -Self.maximum else {
                throw .outOfRange(value: Int(value), minimum: -127, maximum: 127, offset: offset)
            }
            axes.append(value)
        }
        self.init(buttons: Buttons(rawValue: bytes[0]), x: axes[0], y: axes[1], wheel: axes[2])
    }

    /// Appends the report's bytes.
    public func encode(into bytes: inout [UInt8]) {
        bytes.append(buttons.rawValue)
        bytes.append(UInt8(bitPattern: x))
        bytes.append(UInt8(bitPattern: y))
        bytes.append(UInt8(bitPattern: wheel))
    }
}

extension ArraySlice<UInt8> {
    /// The bytes counted from 0, when there are as many as a report without number has.
    func whole(_ count: Int) throws(HIDReportError) -> [UInt8] {
        guard !isEmpty else { throw .empty }
        guard self.count == count else { throw .wrongLength(report: nil, expected: count, actual: self.count) }
        return Array(self)
    }
}
