/// Writes a report descriptor item by item, each in its shortest form.
///
/// Usages of another page than the one in force are written with their page. Upper ends of ranges are written so that
/// readers that take them with a sign and readers that take them without agree.
public struct HIDDescriptorBuilder: Sendable {
    /// What was written so far.
    public private(set) var bytes: [UInt8] = []
    /// The page in force; 0, which is none, before the first.
    private var usagePage: UInt16 = 0

    /// An empty descriptor.
    public init() {}

    // MARK: Local items

    /// The page of the usages that follow.
    public mutating func usagePage(_ page: UInt16) {
        usagePage = page
        append(HIDTag.usagePage, unsigned: UInt32(page))
    }

    /// One usage of the next field or collection.
    public mutating func usage(_ usage: HIDUsage) { append(HIDTag.usage, usage) }

    /// Usages that follow each other.
    public mutating func usages(_ range: HIDUsageRange) {
        if range.first == range.last { return usage(HIDUsage(range.page, range.first)) }
        append(HIDTag.usageMinimum, HIDUsage(range.page, range.first))
        append(HIDTag.usageMaximum, HIDUsage(range.page, range.last))
    }

    // MARK: Global items

    /// The range of values. Below 0 the least value makes both signed; else the largest is at most 2^32 - 1.
    public mutating func logicalRange(_ minimum: Int, _ maximum: Int) {
        append(HIDTag.logicalMinimum, signed: minimum)
        append(HIDTag.logicalMaximum, signed: maximum)
    }

    /// What the range stands for; 0 and 0 for itself.
    public mutating func physicalRange(_ minimum: Int, _ maximum: Int) {
        append(HIDTag.physicalMinimum, signed: minimum)
        append(HIDTag.physicalMaximum, signed: maximum)
    }

    /// The unit of the physical range in HID's coding, and its power of ten.
    public mutating func unit(_ unit: UInt32, exponent: Int) {
        append(HIDTag.unit, unsigned: unit)
        if -8...7 ~= exponent {
            append(HIDTag.unitExponent, unsigned: UInt32(truncatingIfNeeded: exponent & 0xF))
        } else {
            append(HIDTag.unitExponent, signed: exponent)
        }
    }

    /// Bits of each element, and elements, of the fields that follow.
    public mutating func elements(bits: Int, count: Int) {
        append(HIDTag.reportSize, unsigned: UInt32(clamping: bits))
        append(HIDTag.reportCount, unsigned: UInt32(clamping: count))
    }

    /// Bits of each element of the fields that follow; their number stays.
    mutating func elementBits(_ bits: Int) { append(HIDTag.reportSize, unsigned: UInt32(clamping: bits)) }

    /// The largest value, 0 to 32,767, in two bytes even where one would do.
    mutating func logicalMaximumInTwoBytes(_ maximum: Int) {
        append(HIDTag.logicalMaximum, UInt32(clamping: maximum), size: 2)
    }

    /// The number of the report that the fields that follow belong to, 1 to 255.
    public mutating func reportID(_ id: UInt8) { append(HIDTag.reportID, unsigned: UInt32(id)) }

    // MARK: Main items

    /// A field of an input report.
    public mutating func field(_ flags: HIDFieldFlags) { field(.input, flags) }

    /// A field.
    public mutating func field(_ kind: HIDReportKind, _ flags: HIDFieldFlags) {
        let tag =
            switch kind {
            case .input: HIDTag.input
            case .output: HIDTag.output
            case .feature: HIDTag.feature
            }
        append(tag, unsigned: UInt32(flags.rawValue), least: 1)
    }

    /// Padding of an input report.
    public mutating func padding(bits: Int) {
        elements(bits: bits, count: 1)
        field(.constant)
    }

    /// Opens a collection.
    public mutating func open(_ kind: HIDCollection.Kind, _ usage: HIDUsage? = nil) {
        if let usage {
            enter(usage.page)
            self.usage(usage)
        }
        append(HIDTag.collection, unsigned: UInt32(kind.rawValue), least: 1)
    }

    /// Closes the innermost collection.
    public mutating func close() { bytes.append(HIDTag.endCollection) }

    // MARK: Items

    /// Brings a page in force. A usage without page keeps that by being written in full.
    fileprivate mutating func enter(_ page: UInt16) {
        if page != usagePage, page != 0 { usagePage(page) }
    }

    private mutating func append(_ tag: UInt8, _ usage: HIDUsage) {
        if usage.page == usagePage, usagePage != 0 {
            append(tag, unsigned: UInt32(usage.id), least: 1)
        } else {
            append(tag, unsigned: UInt32(usage.page) << 16 | UInt32(usage.id), least: 4)
        }
    }

    private mutating func append(_ tag: UInt8, unsigned value: UInt32, least: Int = 1) {
        append(tag, value, size: max(least, value <= 0xFF ? 1 : value <= 0xFFFF ? 2 : 4))
    }

    private mutating func append(_ tag: UInt8, signed value: Int) {
        let size = Int8(exactly: value) != nil ? 1 : Int16(exactly: value) != nil ? 2 : 4
        append(tag, UInt32(truncatingIfNeeded: value), size: size)
    }

    private mutating func append(_ tag: UInt8, _ value: UInt32, size: Int) {
        bytes.append(tag | (size == 4 ? 3 : UInt8(size)))
        for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(index * 8))) }
    }
}

extension HIDDescriptor {
    /// A descriptor of this layout: read again, it is equal to this one. Which items a sender left out or repeated is
    /// not kept.
    public func encoded() -> [UInt8] {
        var builder = HIDDescriptorBuilder()
        var open: [Int] = []
        var next = 0
        var reportID: UInt8?
        func close(down to: Int?) {
            while let last = open.last, last != to {
                open.removeLast()
                builder.close()
            }
        }
        for place in 0...fields.count {
            while next < collections.count, collections[next].fields.lowerBound == place {
                let collection = collections[next]
                close(down: collection.parent)
                builder.open(collection.kind, collection.usage)
                open.append(next)
                next += 1
            }
            guard place < fields.count else { break }
            let field = fields[place]
            close(down: field.collection)
            if let id = field.reportID, id != reportID {
                builder.reportID(id)
                reportID = id
            }
            builder.append(field)
        }
        close(down: nil)
        return builder.bytes
    }
}

extension HIDDescriptorBuilder {
    /// A field as it is, with everything that it needs.
    fileprivate mutating func append(_ field: HIDField) {
        if let page = field.usages.first?.page { enter(page) }
        for range in field.usages { usages(range) }
        logicalRange(field.logicalMinimum, field.logicalMaximum)
        physicalRange(field.physicalMinimum, field.physicalMaximum)
        unit(field.unit, exponent: field.unitExponent)
        elements(bits: field.bitSize, count: field.count)
        self.field(field.kind, field.flags)
    }
}
