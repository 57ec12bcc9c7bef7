/// Which way a report travels. The host of the USB connection is the accessory. [2+] (POD, WIO)
public enum HIDReportDirection: String, Hashable, Sendable, CaseIterable {
    /// From the device to the host: an interrupt transfer.
    case input
    /// From the host to the device: SET_REPORT on endpoint 0.
    case output
}

/// One report of a descriptor.
public struct HIDReportShape: Hashable, Sendable {
    /// The report's id, its first byte.
    public var id: UInt8
    /// Bytes behind the id: the link control byte and the data.
    public var size: Int

    /// States a report.
    public init(id: UInt8, size: Int) {
        self.id = id
        self.size = size
    }

    /// Bytes of a link that fit.
    public var capacity: Int { size - 1 }
    /// Bytes on the wire.
    public var length: Int { size + 1 }
}

/// The reports by which link bytes travel over a HID interface, smallest first in both directions.
public struct HIDReportSet: Hashable, Sendable {
    /// Reports from the device.
    public let input: [HIDReportShape]
    /// Reports to the device.
    public let output: [HIDReportShape]

    /// At high speed, as in the report descriptor of a real device [C] (IPG).
    public static let highSpeed = HIDReportSet(
        input: shapes(
            from: 0x01, [0x05, 0x09, 0x0D, 0x11, 0x19, 0x31, 0x5F, 0xC1, 0x101, 0x181, 0x201, 0x2FF]),
        output: shapes(from: 0x0D, [0x05, 0x09, 0x0D, 0x11, 0x19, 0x31, 0x5F, 0xC1, 0xFF]))

    /// At full speed [1] (POD).
    public static let fullSpeed = HIDReportSet(
        input: shapes(from: 0x01, [0x0C, 0x0E, 0x14, 0x3F]),
        output: shapes(from: 0x05, [0x08, 0x0A, 0x0E, 0x14, 0x3F]))

    private static func shapes(from first: UInt8, _ sizes: [Int]) -> [HIDReportShape] {
        sizes.enumerated().map { HIDReportShape(id: first + UInt8(truncatingIfNeeded: $0), size: $1) }
    }

    /// The reports of one direction, smallest first.
    public func shapes(_ direction: HIDReportDirection) -> [HIDReportShape] {
        switch direction {
        case .input: input
        case .output: output
        }
    }

    /// The smallest report for `count` bytes, else the largest there is.
    public func shape(for count: Int, _ direction: HIDReportDirection) -> HIDReportShape {
        let all = shapes(direction)
        // never-nil: both lists are literals above, and none is empty.
        return all.first { $0.capacity >= count } ?? all[all.count - 1]
    }

    /// The report with this id.
    public func shape(of id: UInt8, _ direction: HIDReportDirection) -> HIDReportShape? {
        shapes(direction).first { $0.id == id }
    }
}
