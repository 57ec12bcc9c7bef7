/// Reads a descriptor item by item. Every sum is of numbers that the limits of `HIDDescriptor` bound.
struct HIDDescriptorParser {
    /// What global items set and every later field takes over.
    private struct Globals {
        var usagePage: UInt16 = 0
        var logicalMinimum = Bound()
        var logicalMaximum = Bound()
        var physicalMinimum = Bound()
        var physicalMaximum = Bound()
        var unit: UInt32 = 0
        var unitExponent = 0
        var reportSize: Int?
        var reportCount: Int?
        var reportID: UInt8?
    }

    /// The end of a range, both ways of reading it: whether it has a sign is known when the other end is.
    private struct Bound {
        var signed = 0
        var unsigned = 0
    }

    /// A usage as it was given: a short one takes its page from the field.
    private struct LocalUsage {
        var range: HIDUsageRange
        var isShort: Bool
    }

    private var globals = Globals()
    private var pushed: [Globals] = []
    private var usages: [LocalUsage] = []
    private var minimum: (usage: HIDUsage, isShort: Bool, offset: Int)?
    private var maximum: (usage: HIDUsage, isShort: Bool, offset: Int)?
    /// The set of alternatives that is open: whether it has given its usage, and where it began.
    private var delimiter: (isUsed: Bool, offset: Int)?

    private var collections: [HIDCollection] = []
    /// The collections that are open, and where each began.
    private var open: [(index: Int, offset: Int)] = []
    private var fields: [HIDField] = []
    private var elements = 0
    private var reports: [HIDReportLayout] = []
    private var remarks: [HIDDescriptorError] = []

    mutating func run(_ bytes: ArraySlice<UInt8>) throws(HIDDescriptorError) -> HIDDescriptor {
        var reader = HIDItemReader(bytes)
        while let item = try reader.next() { try take(item) }
        if let last = open.last { throw HIDDescriptorError(.unclosedCollection, offset: last.offset) }
        return HIDDescriptor(
            collections: collections, fields: fields, reports: reports,
            numbersReports: reports.contains { $0.id != nil }, remarks: remarks)
    }

    private mutating func take(_ item: HIDItem) throws(HIDDescriptorError) {
        // The two bits of kind: 0 main, 1 global, 2 local, 3 reserved. Long items have no meaning in HID 1.11.
        switch item.prefix >> 2 & 3 {
        case 0: try takeMain(item)
        case 1: try takeGlobal(item)
        case 2: try takeLocal(item)
        default: remark(item)
        }
    }

    private mutating func remark(_ item: HIDItem) {
        guard remarks.count < HIDDescriptor.maximumRemarks else { return }
        remarks.append(HIDDescriptorError(.reservedItem(prefix: item.prefix), offset: item.offset))
    }

    // MARK: Global items

    private mutating func takeGlobal(_ item: HIDItem) throws(HIDDescriptorError) {
        let bound = Bound(signed: item.signed, unsigned: Int(item.unsigned))
        switch item.tag {
        case HIDTag.usagePage:
            guard let page = UInt16(exactly: item.unsigned), page != 0 else {
                throw HIDDescriptorError(.usagePageOutOfRange(item.unsigned), offset: item.offset)
            }
            globals.usagePage = page
        case HIDTag.logicalMinimum: globals.logicalMinimum = bound
        case HIDTag.logicalMaximum: globals.logicalMaximum = bound
        case HIDTag.physicalMinimum: globals.physicalMinimum = bound
        case HIDTag.physicalMaximum: globals.physicalMaximum = bound
        case HIDTag.unitExponent:
            // Four bits with a sign; devices that send it as a whole signed byte are read as they mean it.
            let nibble = Int(item.unsigned & 0xF)
            globals.unitExponent = item.unsigned & ~0xF == 0 ? (nibble < 8 ? nibble : nibble - 16) : item.signed
        case HIDTag.unit: globals.unit = item.unsigned
        case HIDTag.reportSize: globals.reportSize = Int(item.unsigned)
        case HIDTag.reportCount: globals.reportCount = Int(item.unsigned)
        case HIDTag.reportID:
            guard let id = UInt8(exactly: item.unsigned), id != 0 else {
                throw HIDDescriptorError(.reportIDOutOfRange(item.unsigned), offset: item.offset)
            }
            if reports.contains(where: { $0.id == nil }) {
                throw HIDDescriptorError(.lateReportID, offset: item.offset)
            }
            globals.reportID = id
        case HIDTag.push:
            guard pushed.count < HIDDescriptor.maximumPushes else {
                throw HIDDescriptorError(.tooManyPushes, offset: item.offset)
            }
            pushed.append(globals)
        case HIDTag.pop:
            guard let last = pushed.popLast() else {
                throw HIDDescriptorError(.nothingPushed, offset: item.offset)
            }
            globals = last
        default: remark(item)
        }
    }

    // MARK: Local items

    private mutating func takeLocal(_ item: HIDItem) throws(HIDDescriptorError) {
        let isShort = item.size < 4
        let id = UInt16(truncatingIfNeeded: item.unsigned)
        let page = isShort ? globals.usagePage : UInt16(truncatingIfNeeded: item.unsigned >> 16)
        let usage = HIDUsage(page, id)
        switch item.tag {
        case HIDTag.usage:
            try add(HIDUsageRange(usage), isShort, item.offset)
        case HIDTag.usageMinimum:
            guard minimum == nil else { throw HIDDescriptorError(.halfUsageRange, offset: item.offset) }
            minimum = (usage, isShort, item.offset)
            try joinRange()
        case HIDTag.usageMaximum:
            guard maximum == nil else { throw HIDDescriptorError(.halfUsageRange, offset: item.offset) }
            maximum = (usage, isShort, item.offset)
            try joinRange()
        case HIDTag.delimiter:
            guard (item.unsigned == 1 && delimiter == nil) || (item.unsigned == 0 && delimiter != nil) else {
                throw HIDDescriptorError(.badDelimiter, offset: item.offset)
            }
            delimiter = item.unsigned == 1 ? (false, item.offset) : nil
        default:
            if !HIDTag.ignored.contains(item.tag) { remark(item) }
        }
    }

    /// Makes a range of its two ends, once both are there.
    private mutating func joinRange() throws(HIDDescriptorError) {
        guard let first = minimum, let last = maximum else { return }
        minimum = nil
        maximum = nil
        guard first.usage.page == last.usage.page, first.usage.id <= last.usage.id else {
            throw HIDDescriptorError(
                .badUsageRange(first: first.usage, last: last.usage), offset: max(first.offset, last.offset))
        }
        try add(
            HIDUsageRange(page: first.usage.page, first: first.usage.id, last: last.usage.id),
            first.isShort && last.isShort, max(first.offset, last.offset))
    }

    /// Of a set of alternatives the first, which its maker prefers, is the one that counts.
    private mutating func add(
        _ range: HIDUsageRange, _ isShort: Bool, _ offset: Int
    ) throws(HIDDescriptorError) {
        if delimiter?.isUsed == true { return }
        guard usages.count < HIDDescriptor.maximumUsages else {
            throw HIDDescriptorError(.tooManyUsages, offset: offset)
        }
        delimiter?.isUsed = true
        usages.append(LocalUsage(range: range, isShort: isShort))
    }

    /// The usages of a main item, whose page is the one in force now: short usages take it, unless it was in force
    /// already when one of them was given, and then those before it keep theirs (as the kernel has it).
    private mutating func takeUsages() throws(HIDDescriptorError) -> [HIDUsageRange] {
        if let half = minimum ?? maximum { throw HIDDescriptorError(.halfUsageRange, offset: half.offset) }
        if let delimiter { throw HIDDescriptorError(.badDelimiter, offset: delimiter.offset) }
        for index in usages.indices.reversed() where usages[index].isShort {
            if usages[index].range.page == globals.usagePage { break }
            usages[index].range.page = globals.usagePage
        }
        defer { usages.removeAll(keepingCapacity: true) }
        return usages.map(\.range)
    }

    // MARK: Main items

    private mutating func takeMain(_ item: HIDItem) throws(HIDDescriptorError) {
        switch item.tag {
        case HIDTag.input: try addField(.input, item)
        case HIDTag.output: try addField(.output, item)
        case HIDTag.feature: try addField(.feature, item)
        case HIDTag.collection:
            let usage = try takeUsages().first
            guard open.count < HIDDescriptor.maximumDepth else {
                throw HIDDescriptorError(.tooDeep, offset: item.offset)
            }
            collections.append(
                HIDCollection(
                    kind: HIDCollection.Kind(rawValue: UInt8(truncatingIfNeeded: item.unsigned)),
                    usage: usage.map { HIDUsage($0.page, $0.first) }, parent: open.last?.index,
                    fields: fields.count..<fields.count))
            open.append((collections.count - 1, item.offset))
        case HIDTag.endCollection:
            _ = try takeUsages()
            guard let last = open.popLast() else {
                throw HIDDescriptorError(.noOpenCollection, offset: item.offset)
            }
            collections[last.index].fields = collections[last.index].fields.lowerBound..<fields.count
        default:
            _ = try takeUsages()
            remark(item)
        }
    }

    private mutating func addField(_ kind: HIDReportKind, _ item: HIDItem) throws(HIDDescriptorError) {
        func fail(_ kind: HIDDescriptorError.Kind) -> HIDDescriptorError {
            HIDDescriptorError(kind, offset: item.offset)
        }
        let usages = try takeUsages()
        guard let collection = open.last?.index else { throw fail(.fieldOutsideCollection) }
        guard let size = globals.reportSize else { throw fail(.missingReportSize) }
        guard let count = globals.reportCount else { throw fail(.missingReportCount) }
        // Neither has room nor meaning; real descriptors have such items.
        if size == 0 || count == 0 { return }
        guard globals.reportID != nil || !reports.contains(where: { $0.id != nil }) else {
            throw fail(.unnumberedField)
        }
        let report = reportIndex(kind)
        // Both are below 2^32, so their product fits.
        let (bits, isBeyond) = size.multipliedReportingOverflow(by: count)
        let limit = HIDDescriptor.maximumReportBytes * 8
        let offset = reports[report].bitCount
        guard !isBeyond, bits <= limit - offset else {
            throw fail(.reportTooLong(bits: isBeyond ? .max : bits.addingReportingOverflow(offset).partialValue))
        }
        guard fields.count < HIDDescriptor.maximumFields else { throw fail(.tooManyFields) }
        let flags = HIDFieldFlags(rawValue: UInt16(truncatingIfNeeded: item.unsigned))
        // Padding of many bits has no elements that anybody looks at.
        if !flags.contains(.constant) {
            guard elements + count <= HIDDescriptor.maximumElements else {
                throw fail(.tooManyElements(count: elements + count))
            }
            elements += count
        }
        let logical = Self.range(globals.logicalMinimum, globals.logicalMaximum)
        guard logical.minimum <= logical.maximum || flags.contains(.constant) else {
            throw fail(.emptyLogicalRange(minimum: logical.minimum, maximum: logical.maximum))
        }
        let physical = Self.range(globals.physicalMinimum, globals.physicalMaximum)
        fields.append(
            HIDField(
                kind: kind, reportID: globals.reportID, collection: collection, bitOffset: offset, bitSize: size,
                count: count, flags: flags, logicalMinimum: logical.minimum, logicalMaximum: logical.maximum,
                physicalMinimum: physical.minimum, physicalMaximum: physical.maximum, unit: globals.unit,
                unitExponent: globals.unitExponent, usages: usages))
        reports[report].bitCount = offset + bits
    }

    /// A range has a sign when its lower end is below 0; without one, 0xFF as its upper end means 255 (as the kernel
    /// reads it, and devices mean it).
    private static func range(_ minimum: Bound, _ maximum: Bound) -> (minimum: Int, maximum: Int) {
        (minimum.signed, minimum.signed < 0 ? maximum.signed : maximum.unsigned)
    }

    /// The report that a field of now belongs to.
    private mutating func reportIndex(_ kind: HIDReportKind) -> Int {
        if let index = reports.firstIndex(where: { $0.kind == kind && $0.id == globals.reportID }) { return index }
        reports.append(
            HIDReportLayout(kind: kind, id: globals.reportID, bitCount: globals.reportID == nil ? 0 : 8))
        return reports.count - 1
    }
}
