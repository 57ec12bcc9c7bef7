/// What a report descriptor says: collections, and the fields of every report with their exact places.
public struct HIDDescriptor: Equatable, Sendable {
    /// The most bytes of a descriptor (kernel, HID_MAX_DESCRIPTOR_SIZE).
    public static let maximumBytes = 4_096
    /// The most collections in each other: ours; five are seen in real devices.
    public static let maximumDepth = 16
    /// The most pushes at a time (kernel, HID_GLOBAL_STACK_SIZE).
    public static let maximumPushes = 4
    /// The most fields: ours, as many as the kernel takes in one report (HID_MAX_FIELDS).
    public static let maximumFields = 256
    /// The most elements, fields of all reports together: the kernel's for one field (HID_MAX_USAGES).
    public static let maximumElements = 12_288
    /// The most usages and usage ranges of one field: ours; it bounds the time that one report takes.
    public static let maximumUsages = 512
    /// The most bytes of a report, its number included: ours; the longest seen has 768 [C] (IPG).
    public static let maximumReportBytes = 1_024
    /// The most remarks that are kept: ours.
    public static let maximumRemarks = 16

    /// The collections in the order in which they open.
    public let collections: [HIDCollection]
    /// The fields in the order in which they are declared; a field of no elements is left out.
    public let fields: [HIDField]
    /// The reports in the order in which their first fields are declared.
    public let reports: [HIDReportLayout]
    /// Whether reports begin with a byte that is their number.
    public let numbersReports: Bool
    /// Items that were passed over because HID 1.11 does not know them, as the kernel does; the first
    /// `maximumRemarks`.
    public let remarks: [HIDDescriptorError]

    /// Reads a descriptor.
    public static func parse(_ bytes: ArraySlice<UInt8>) throws(HIDDescriptorError) -> HIDDescriptor {
        guard bytes.count <= maximumBytes else {
            throw HIDDescriptorError(.tooLong(count: bytes.count), offset: maximumBytes)
        }
        var parser = HIDDescriptorParser()
        return try parser.run(bytes)
    }

    /// Reads a whole array as a descriptor.
    public static func parse(_ bytes: [UInt8]) throws(HIDDescriptorError) -> HIDDescriptor { try parse(bytes[...]) }

    /// Equal layout: everything but the remarks.
    public static func == (left: HIDDescriptor, right: HIDDescriptor) -> Bool {
        left.collections == right.collections && left.fields == right.fields && left.reports == right.reports
            && left.numbersReports == right.numbersReports
    }

    /// The report of a kind and number, `nil` when there is none.
    public func report(_ kind: HIDReportKind, id: UInt8? = nil) -> HIDReportLayout? {
        reports.first { $0.kind == kind && $0.id == id }
    }

    /// The layout of an input report as it came, its number first where reports are numbered.
    public func inputReport(for report: ArraySlice<UInt8>) throws(HIDReportError) -> HIDReportLayout {
        guard let first = report.first else { throw .empty }
        let id = numbersReports ? first : nil
        guard let layout = self.report(.input, id: id) else { throw .unknownReport(id) }
        guard report.count == layout.byteCount else {
            throw .wrongLength(report: id, expected: layout.byteCount, actual: report.count)
        }
        return layout
    }

    /// The fields of a report in their order.
    public func fields(of report: HIDReportLayout) -> [HIDField] {
        fields.filter { $0.kind == report.kind && $0.reportID == report.id }
    }

    /// The outermost collection that holds a collection, mostly an application.
    public func application(of collection: Int) -> Int {
        var index = collection
        // A parent stands before its children, so this comes to an end.
        while collections.indices.contains(index), let parent = collections[index].parent { index = parent }
        return index
    }

    init(
        collections: [HIDCollection], fields: [HIDField], reports: [HIDReportLayout], numbersReports: Bool,
        remarks: [HIDDescriptorError]
    ) {
        self.collections = collections
        self.fields = fields
        self.reports = reports
        self.numbersReports = numbersReports
        self.remarks = remarks
    }
}

/// Which way a report goes.
public enum HIDReportKind: String, Sendable, CaseIterable {
    /// From the device.
    case input
    /// To the device.
    case output
    /// Both ways, on request.
    case feature
}

/// One report's size.
public struct HIDReportLayout: Equatable, Sendable {
    /// Which way it goes.
    public var kind: HIDReportKind
    /// Its number, 1 to 255; `nil` where reports are not numbered.
    public var id: UInt8?
    /// Bits in it, those of its number included.
    public var bitCount: Int

    /// States a report.
    public init(kind: HIDReportKind, id: UInt8?, bitCount: Int) {
        self.kind = kind
        self.id = id
        self.bitCount = bitCount
    }

    /// Bytes in it, its number included.
    public var byteCount: Int { (bitCount + 7) / 8 }

    /// A report of zeros, its number set.
    public var zeros: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        if let id, !bytes.isEmpty { bytes[0] = id }
        return bytes
    }
}

/// What holds fields together.
public struct HIDCollection: Equatable, Sendable {
    /// What kind of collection it is; other numbers are a vendor's or reserved.
    public enum Kind: Equatable, Sendable {
        case physical, application, logical, report, namedArray, usageSwitch, usageModifier
        case other(UInt8)

        /// The number in the descriptor.
        public var rawValue: UInt8 {
            switch self {
            case .physical: 0
            case .application: 1
            case .logical: 2
            case .report: 3
            case .namedArray: 4
            case .usageSwitch: 5
            case .usageModifier: 6
            case .other(let value): value
            }
        }

        /// The kind of a number.
        public init(rawValue: UInt8) {
            let known: [Kind] = [
                .physical, .application, .logical, .report, .namedArray, .usageSwitch, .usageModifier,
            ]
            self = known.first { $0.rawValue == rawValue } ?? .other(rawValue)
        }
    }

    /// What kind it is.
    public var kind: Kind
    /// What it is for; `nil` when it does not say.
    public var usage: HIDUsage?
    /// The collection that it lies in, by its place in `HIDDescriptor.collections`; `nil` at the outermost level.
    public var parent: Int?
    /// The fields declared between its begin and its end, by their places in `HIDDescriptor.fields`.
    public var fields: Range<Int>
}
