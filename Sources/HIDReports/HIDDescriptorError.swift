/// Why a report descriptor cannot be read. The fault is with whoever sent it.
public struct HIDDescriptorError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong with an item, or with the whole.
    public enum Kind: Equatable, Sendable {
        /// More bytes than `HIDDescriptor.maximumBytes`.
        case tooLong(count: Int)
        /// The item's data needs more bytes than are left.
        case truncated(needed: Int, left: Int)
        /// An item that HID 1.11 keeps for later; it is passed over.
        case reservedItem(prefix: UInt8)
        /// More collections in each other than `HIDDescriptor.maximumDepth`.
        case tooDeep
        /// End Collection, but none is open.
        case noOpenCollection
        /// The descriptor ends inside of the collection that begins here.
        case unclosedCollection
        /// A field that belongs to no collection.
        case fieldOutsideCollection
        /// A field before any Report Size was given.
        case missingReportSize
        /// A field before any Report Count was given.
        case missingReportCount
        /// More fields than `HIDDescriptor.maximumFields`.
        case tooManyFields
        /// More elements than `HIDDescriptor.maximumElements`, fields of all reports together.
        case tooManyElements(count: Int)
        /// A report of more bytes than `HIDDescriptor.maximumReportBytes`, its number included.
        case reportTooLong(bits: Int)
        /// A logical range that ends before it begins.
        case emptyLogicalRange(minimum: Int, maximum: Int)
        /// A report number that is not 1 to 255.
        case reportIDOutOfRange(UInt32)
        /// A report number after fields that have none.
        case lateReportID
        /// A field without a report number, although others have one; Pop can bring that about.
        case unnumberedField
        /// More pushes than `HIDDescriptor.maximumPushes`.
        case tooManyPushes
        /// Pop, but nothing was pushed.
        case nothingPushed
        /// A page that does not fit 16 bits, or is 0.
        case usagePageOutOfRange(UInt32)
        /// Usage Minimum without Usage Maximum, or the other way round.
        case halfUsageRange
        /// A usage range that ends before it begins or on another page.
        case badUsageRange(first: HIDUsage, last: HIDUsage)
        /// More usages and usage ranges for one field than `HIDDescriptor.maximumUsages`.
        case tooManyUsages
        /// A delimiter that opens a set inside of a set, closes none, or is still open where a field begins.
        case badDelimiter
    }

    /// What is wrong.
    public var kind: Kind
    /// Where: the first byte of the item at fault, in bytes from the descriptor's start.
    public var offset: Int

    /// States an error.
    public init(_ kind: Kind, offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// One line for people: what and where.
    public var description: String { "\(text) at offset \(offset)" }

    private var text: String {
        switch kind {
        case .tooLong(let count):
            "\(count) bytes of report descriptor; the most is \(HIDDescriptor.maximumBytes)"
        case .truncated(let needed, let left):
            "an item needs \(needed) bytes of data, \(left) left"
        case .reservedItem(let prefix):
            "an item of a reserved kind, prefix \(prefix)"
        case .tooDeep:
            "more than \(HIDDescriptor.maximumDepth) collections in each other"
        case .noOpenCollection:
            "End Collection where no collection is open"
        case .unclosedCollection:
            "a collection without an end begins"
        case .fieldOutsideCollection:
            "a field outside of all collections"
        case .missingReportSize:
            "a field without Report Size"
        case .missingReportCount:
            "a field without Report Count"
        case .tooManyFields:
            "more than \(HIDDescriptor.maximumFields) fields"
        case .tooManyElements(let count):
            "\(count) elements; the most is \(HIDDescriptor.maximumElements)"
        case .reportTooLong(let bits):
            "a report of \(bits) bits; the most is \(HIDDescriptor.maximumReportBytes) bytes"
        case .emptyLogicalRange(let minimum, let maximum):
            "a logical range from \(minimum) to \(maximum)"
        case .reportIDOutOfRange(let id):
            "report number \(id), which is not 1 to 255"
        case .lateReportID:
            "a report number behind fields that have none"
        case .unnumberedField:
            "a field without report number beside fields that have one"
        case .tooManyPushes:
            "more than \(HIDDescriptor.maximumPushes) pushes"
        case .nothingPushed:
            "Pop where nothing was pushed"
        case .usagePageOutOfRange(let page):
            "usage page \(page), which is not 1 to 65535"
        case .halfUsageRange:
            "half of a usage range"
        case .badUsageRange(let first, let last):
            "a usage range from \(first) to \(last)"
        case .tooManyUsages:
            "more than \(HIDDescriptor.maximumUsages) usages for one field"
        case .badDelimiter:
            "a delimiter that does not pair"
        }
    }
}

/// Why a report does not fit its descriptor. The fault is with whoever sent the report.
public enum HIDReportError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A report of no bytes, although even the shortest has one.
    case empty
    /// The descriptor has no input report of this number; `nil` where it numbers none and has no input at all.
    case unknownReport(UInt8?)
    /// A report of another length than its descriptor gives it, in bytes with its number.
    case wrongLength(report: UInt8?, expected: Int, actual: Int)
    /// A value outside of what the field may hold. `offset` is the byte of the report where the field begins.
    case outOfRange(value: Int, minimum: Int, maximum: Int, offset: Int)

    /// One line for people.
    public var description: String {
        switch self {
        case .empty:
            "a report of no bytes"
        case .unknownReport(let id):
            id.map { "report number \($0), which the descriptor does not have" } ?? "a report, but there is no input"
        case .wrongLength(let report, let expected, let actual):
            "\(report.map { "report \($0)" } ?? "a report") of \(actual) bytes, which has \(expected)"
        case .outOfRange(let value, let minimum, let maximum, let offset):
            "\(value) at offset \(offset), which is outside \(minimum)...\(maximum)"
        }
    }
}
