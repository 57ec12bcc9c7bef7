/// The tags of short items, by their prefix without the two bits of size (HID 1.11, 6.2.2).
enum HIDTag {
    static let input: UInt8 = 0x80
    static let output: UInt8 = 0x90
    static let feature: UInt8 = 0xB0
    static let collection: UInt8 = 0xA0
    static let endCollection: UInt8 = 0xC0

    static let usagePage: UInt8 = 0x04
    static let logicalMinimum: UInt8 = 0x14
    static let logicalMaximum: UInt8 = 0x24
    static let physicalMinimum: UInt8 = 0x34
    static let physicalMaximum: UInt8 = 0x44
    static let unitExponent: UInt8 = 0x54
    static let unit: UInt8 = 0x64
    static let reportSize: UInt8 = 0x74
    static let reportID: UInt8 = 0x84
    static let reportCount: UInt8 = 0x94
    static let push: UInt8 = 0xA4
    static let pop: UInt8 = 0xB4

    static let usage: UInt8 = 0x08
    static let usageMinimum: UInt8 = 0x18
    static let usageMaximum: UInt8 = 0x28
    static let delimiter: UInt8 = 0xA8
    /// Designators and strings, which say nothing about the layout.
    static let ignored: [UInt8] = [0x38, 0x48, 0x58, 0x78, 0x88, 0x98]

    /// The prefix of a long item; the next byte is its length.
    static let long: UInt8 = 0xFE
}

/// One item of a descriptor.
struct HIDItem {
    /// The prefix; for a long item `HIDTag.long`.
    var prefix: UInt8
    /// Where the prefix stands.
    var offset: Int
    /// 0, 1, 2 or 4 for a short item.
    var size: Int
    /// The data of a short item, without sign.
    var unsigned: UInt32

    /// The prefix without the bits of size.
    var tag: UInt8 { prefix & 0xFC }

    /// The data with the sign of its own width.
    var signed: Int {
        switch size {
        case 1: Int(Int8(truncatingIfNeeded: unsigned))
        case 2: Int(Int16(truncatingIfNeeded: unsigned))
        default: Int(Int32(truncatingIfNeeded: unsigned))
        }
    }
}

/// Walks over the items of a descriptor.
struct HIDItemReader {
    private let bytes: ArraySlice<UInt8>
    private(set) var offset = 0

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    mutating func next() throws(HIDDescriptorError) -> HIDItem? {
        guard offset < bytes.count else { return nil }
        let start = offset
        let prefix = byte(start)
        let left = bytes.count - start - 1
        if prefix == HIDTag.long {
            guard left >= 2 else { throw HIDDescriptorError(.truncated(needed: 2, left: left), offset: start) }
            let length = Int(byte(start + 1))
            guard left - 2 >= length else {
                throw HIDDescriptorError(.truncated(needed: length, left: left - 2), offset: start)
            }
            offset = start + 3 + length
            return HIDItem(prefix: prefix, offset: start, size: length, unsigned: 0)
        }
        let size = prefix & 3 == 3 ? 4 : Int(prefix & 3)
        guard left >= size else { throw HIDDescriptorError(.truncated(needed: size, left: left), offset: start) }
        var value: UInt32 = 0
        for index in (0..<size).reversed() { value = value << 8 | UInt32(byte(start + 1 + index)) }
        offset = start + 1 + size
        return HIDItem(prefix: prefix, offset: start, size: size, unsigned: value)
    }

    private func byte(_ index: Int) -> UInt8 { bytes[bytes.startIndex + index] }
}
