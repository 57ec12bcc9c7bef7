/// What an Input, Output or Feature item says beside the values: the bits of its data.
public struct HIDFieldFlags: OptionSet, Hashable, Sendable {
    /// The bits as in the descriptor.
    public let rawValue: UInt16

    /// Makes flags of the descriptor's bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue & 0x1FF }

    /// Padding or fixed values; else data.
    public static let constant = HIDFieldFlags(rawValue: 0x001)
    /// One element per control; else an array whose elements name the controls that are on.
    public static let variable = HIDFieldFlags(rawValue: 0x002)
    /// Changes; else values.
    public static let relative = HIDFieldFlags(rawValue: 0x004)
    /// Values roll over.
    public static let wrap = HIDFieldFlags(rawValue: 0x008)
    /// Values are not proportional to what is measured.
    public static let nonlinear = HIDFieldFlags(rawValue: 0x010)
    /// The control does not return to a rest position.
    public static let noPreferred = HIDFieldFlags(rawValue: 0x020)
    /// There are values that mean nothing.
    public static let nullState = HIDFieldFlags(rawValue: 0x040)
    /// The host may change it; not for inputs.
    public static let volatile = HIDFieldFlags(rawValue: 0x080)
    /// Bytes in a row, not numbers.
    public static let bufferedBytes = HIDFieldFlags(rawValue: 0x100)
}

/// What one Input, Output or Feature item declares: `count` elements of `bitSize` bits in a row.
public struct HIDField: Equatable, Sendable {
    /// The widest element that is read as a number, in bits. Wider ones keep their place and have no value.
    public static let maximumValueBits = 32

    /// Which way its report goes.
    public var kind: HIDReportKind
    /// The number of its report; `nil` where reports are not numbered.
    public var reportID: UInt8?
    /// The innermost collection that it lies in, by its place in `HIDDescriptor.collections`.
    public var collection: Int
    /// Where its first element begins, in bits from the report's beginning, its number included. The lowest bit of a
    /// byte comes first.
    public var bitOffset: Int
    /// Bits of each element, at least 1.
    public var bitSize: Int
    /// Elements, at least 1.
    public var count: Int
    /// What kind of field it is.
    public var flags: HIDFieldFlags
    /// The least value; values are signed when it is below 0.
    public var logicalMinimum: Int
    /// The largest value.
    public var logicalMaximum: Int
    /// What the least value stands for, in `unit`.
    public var physicalMinimum: Int
    /// What the largest value stands for; both 0 mean that the logical values are meant.
    public var physicalMaximum: Int
    /// The unit in HID's own coding; 0 for none.
    public var unit: UInt32
    /// The power of ten of the unit.
    public var unitExponent: Int
    /// What the elements are for, or what an array can name.
    public var usages: [HIDUsageRange]

    /// States a field.
    public init(
        kind: HIDReportKind, reportID: UInt8? = nil, collection: Int, bitOffset: Int, bitSize: Int, count: Int = 1,
        flags: HIDFieldFlags, logicalMinimum: Int, logicalMaximum: Int, physicalMinimum: Int = 0,
        physicalMaximum: Int = 0, unit: UInt32 = 0, unitExponent: Int = 0, usages: [HIDUsageRange] = []
    ) {
        self.kind = kind
        self.reportID = reportID
        self.collection = collection
        self.bitOffset = bitOffset
        self.bitSize = bitSize
        self.count = count
        self.flags = flags
        self.logicalMinimum = logicalMinimum
        self.logicalMaximum = logicalMaximum
        self.physicalMinimum = physicalMinimum
        self.physicalMaximum = physicalMaximum
        self.unit = unit
        self.unitExponent = unitExponent
        self.usages = usages
    }

    /// Whether the elements are controls of their own; padding is none.
    public var isVariable: Bool { flags.contains(.variable) && !flags.contains(.constant) }
    /// Whether the elements name controls; padding is none.
    public var isArray: Bool { !flags.contains(.variable) && !flags.contains(.constant) }
    /// Whether values are changes.
    public var isRelative: Bool { flags.contains(.relative) }

    /// The usage at a place in the list, as if every range were written out; `nil` behind its end.
    public func usage(at index: Int) -> HIDUsage? {
        guard index >= 0 else { return nil }
        var left = index
        for range in usages {
            if left < range.count { return HIDUsage(range.page, range.first + UInt16(truncatingIfNeeded: left)) }
            left -= range.count
        }
        return nil
    }

    /// What a variable's element is for. The last usage of the list holds for all elements behind it.
    public func usage(ofElement element: Int) -> HIDUsage? {
        guard flags.contains(.variable), element >= 0, element < count else { return nil }
        if let usage = usage(at: element) { return usage }
        return usages.last.map { HIDUsage($0.page, $0.last) }
    }

    /// What an array's value names; `nil` for values outside of the range, which name nothing.
    public func usage(named value: Int) -> HIDUsage? {
        guard isArray, holds(value) else { return nil }
        // Both lie within 33 bits.
        return usage(at: value - logicalMinimum)
    }

    /// Whether a value lies in the logical range; one outside means nothing.
    public func holds(_ value: Int) -> Bool { logicalMinimum <= value && value <= logicalMaximum }

    /// The value of an element in a report; `nil` when the field has no such element, is wider than 32 bits, or lies
    /// behind the report's end.
    public func value(_ element: Int = 0, in report: ArraySlice<UInt8>) -> Int? {
        guard let bits = place(of: element, in: report.count) else { return nil }
        var pattern: UInt64 = 0
        let first = bits.lowerBound / 8
        let last = (bits.upperBound - 1) / 8
        // At most five bytes: 32 bits that do not begin at a byte.
        for byte in stride(from: last, through: first, by: -1) {
            pattern = pattern << 8 | UInt64(report[report.startIndex + byte])
        }
        pattern >>= UInt64(bits.lowerBound % 8)
        pattern &= mask
        guard logicalMinimum < 0, pattern & (1 << UInt64(bitSize - 1)) != 0 else {
            return Int(truncatingIfNeeded: pattern)
        }
        return Int(truncatingIfNeeded: pattern | ~mask)
    }

    /// The value of an element in a whole array.
    public func value(_ element: Int = 0, in report: [UInt8]) -> Int? { value(element, in: report[...]) }

    /// Writes an element's value into a report; bits that do not fit are cut. False when there is no such place.
    @discardableResult
    public func set(_ value: Int, element: Int = 0, in report: inout [UInt8]) -> Bool {
        guard let bits = place(of: element, in: report.count) else { return false }
        let first = bits.lowerBound / 8
        let last = (bits.upperBound - 1) / 8
        let shift = UInt64(bits.lowerBound % 8)
        let pattern = (UInt64(truncatingIfNeeded: value) & mask) << shift
        let cleared = ~(mask << shift)
        for byte in first...last {
            let place = UInt64((byte - first) * 8)
            report[byte] =
                report[byte] & UInt8(truncatingIfNeeded: cleared >> place) | UInt8(truncatingIfNeeded: pattern >> place)
        }
        return true
    }

    /// `bitSize` ones; only for elements of at most 32 bits.
    private var mask: UInt64 { (1 << UInt64(bitSize)) - 1 }

    /// The bits of an element that can be read, inside of `bytes` bytes.
    private func place(of element: Int, in bytes: Int) -> Range<Int>? {
        guard element >= 0, element < count, bitSize >= 1, bitSize <= Self.maximumValueBits, bitOffset >= 0,
            count <= HIDDescriptor.maximumReportBytes * 8, bitOffset <= HIDDescriptor.maximumReportBytes * 8
        else { return nil }
        let start = bitOffset + element * bitSize
        guard start + bitSize <= bytes * 8 else { return nil }
        return start..<start + bitSize
    }
}
