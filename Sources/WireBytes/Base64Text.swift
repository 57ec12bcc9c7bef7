/// Bytes as Base64 text (RFC 4648, section 4, with padding): how JSON carries them.
public enum Base64Text {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// `bytes` as text; four characters for each three bytes begun.
    public static func format(_ bytes: ArraySlice<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let left = bytes.endIndex - index
            let first = UInt32(bytes[index]) << 16
            let second = left > 1 ? UInt32(bytes[index + 1]) << 8 : 0
            let group = first | second | (left > 2 ? UInt32(bytes[index + 2]) : 0)
            text.append(digits[Int(group >> 18)])
            text.append(digits[Int(group >> 12 & 63)])
            text.append(left > 1 ? digits[Int(group >> 6 & 63)] : padding)
            text.append(left > 2 ? digits[Int(group & 63)] : padding)
            index += min(3, left)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whole array as text.
    public static func format(_ bytes: [UInt8]) -> String { format(bytes[...]) }

    /// The bytes of a text. Throws `.invalid` at the first character (counted in bytes of UTF-8 from the start) that does
    /// not fit: white space, missing padding and bits behind the last byte are refused.
    public static func parse(_ text: String) throws(WireError) -> [UInt8] {
        let units = Array(text.utf8)
        guard units.count.isMultiple(of: 4) else {
            throw WireError(.invalid("not a multiple of four characters"), offset: units.count)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(units.count / 4 * 3)
        for start in stride(from: 0, to: units.count, by: 4) {
            let isLast = start + 4 == units.count
            let padded = isLast ? units[start..<start + 4].reversed().prefix { $0 == padding }.count : 0
            guard padded <= 2 else { throw WireError(.invalid("nothing but padding"), offset: start) }
            var group: UInt32 = 0
            for place in start..<start + 4 {
                guard place >= start + 4 - padded || value(units[place]) != nil else {
                    throw WireError(.invalid("not a Base64 digit"), offset: place)
                }
                group = group << 6 | UInt32(value(units[place]) ?? 0)
            }
            guard padded == 0 || group & (padded == 1 ? 0xFF : 0xFFFF) == 0 else {
                throw WireError(.invalid("bits behind the last byte"), offset: start + 3 - padded)
            }
            for shift in [16, 8, 0].prefix(3 - padded) {
                bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(shift)))
            }
        }
        return bytes
    }

    private static func value(_ unit: UInt8) -> UInt8? {
        switch unit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): unit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): unit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): unit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
