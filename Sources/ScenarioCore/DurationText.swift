/// Durations as people write them: a number and a unit, `80ms`, `1.5s`. Values are nanoseconds.
public enum DurationText {
    /// Why a text is no duration.
    public enum Problem: Error, Equatable, Sendable {
        /// It does not begin with a digit, or holds something that is no number.
        case noNumber
        /// The number stands alone; a duration always carries its unit.
        case noUnit
        /// The unit is none of `units`.
        case unknownUnit(String)
        /// It is finer than one nanosecond, or has more digits after the point than fit.
        case tooFine
        /// It is longer than `maximum`.
        case tooLong
    }

    /// The units, finest first, with their nanoseconds.
    public static let units: [(name: String, nanoseconds: UInt64)] = [
        ("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000), ("min", 60_000_000_000),
        ("h", 3_600_000_000_000),
    ]

    /// The longest duration: a week. Longer than any bench run, and far from overflow.
    public static let maximum: UInt64 = 7 * 24 * 3_600_000_000_000

    /// Reads digits, an optional point with further digits, and a unit without a space between.
    public static func parse(_ text: some StringProtocol) throws(Problem) -> UInt64 {
        let bytes = Array(text.utf8)
        var index = 0
        var whole: UInt64 = 0
        while index < bytes.count, let digit = digitValue(bytes[index]) {
            let (product, over) = whole.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(digit)
            if over || carry { throw .tooLong }
            whole = sum
            index += 1
        }
        if index == 0 { throw .noNumber }
        var fraction: UInt64 = 0
        var fractionScale: UInt64 = 1
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            let first = index
            while index < bytes.count, let digit = digitValue(bytes[index]) {
                if index - first >= 9 { throw .tooFine }
                fraction = fraction * 10 + digit
                fractionScale *= 10
                index += 1
            }
            if index == first { throw .noNumber }
        }
        if index == bytes.count { throw .noUnit }
        let unitText = String(decoding: bytes[index...], as: UTF8.self)
        guard let unit = units.first(where: { $0.name == unitText })?.nanoseconds else {
            throw .unknownUnit(unitText)
        }
        // Nine digits times the longest unit stay below 2^62.
        guard fraction * unit % fractionScale == 0 else { throw .tooFine }
        let (product, over) = whole.multipliedReportingOverflow(by: unit)
        let (total, carry) = product.addingReportingOverflow(fraction * unit / fractionScale)
        if over || carry || total > maximum { throw .tooLong }
        return total
    }

    /// The shortest exact form in the largest unit that fits: `80ms`, `1.5s`, `2min`.
    public static func text(_ nanoseconds: UInt64) -> String {
        if nanoseconds == 0 { return "0ms" }
        for unit in units.reversed() where nanoseconds >= unit.nanoseconds {
            let whole = nanoseconds / unit.nanoseconds
            let rest = nanoseconds % unit.nanoseconds
            if rest == 0 { return "\(whole)\(unit.name)" }
            // Minutes and hours have no round decimals; they are told in seconds unless they are whole.
            if unit.nanoseconds > 1_000_000_000 { continue }
            return "\(whole).\(decimals(rest, of: unit.nanoseconds))\(unit.name)"
        }
        return "\(nanoseconds)ns"
    }

    /// Seconds with exactly `places` digits after the point, cut, not rounded: `12.345`. From 0 to 9 places.
    public static func seconds(_ nanoseconds: UInt64, places: Int = 3) -> String {
        let whole = nanoseconds / 1_000_000_000
        if places <= 0 { return "\(whole)" }
        let digits = String(nanoseconds % 1_000_000_000)
        let padded = String(repeating: "0", count: 9 - digits.count) + digits
        return "\(whole).\(padded.prefix(places))"
    }

    /// Milliseconds with one digit after the point, cut: `0.4ms`; from 10 s on, seconds: `12.3s`.
    public static func short(_ nanoseconds: UInt64) -> String {
        if nanoseconds >= 10_000_000_000 { return "\(seconds(nanoseconds, places: 1))s" }
        let tenths = nanoseconds / 100_000
        return tenths % 10 == 0 || tenths >= 1_000 ? "\(tenths / 10)ms" : "\(tenths / 10).\(tenths % 10)ms"
    }

    private static func digitValue(_ byte: UInt8) -> UInt64? {
        (0x30...0x39).contains(byte) ? UInt64(byte - 0x30) : nil
    }

    /// `rest / unit` as decimals without trailing zeros; `unit` is a power of ten.
    private static func decimals(_ rest: UInt64, of unit: UInt64) -> String {
        let width = String(unit).count - 1
        let digits = String(rest)
        var text = String(repeating: "0", count: max(0, width - digits.count)) + digits
        while text.last == "0" { text.removeLast() }
        return text
    }
}

extension UInt64 {
    /// The sum, held at the largest value: a time that far away never comes.
    func later(by duration: UInt64) -> UInt64 {
        let (sum, over) = addingReportingOverflow(duration)
        return over ? .max : sum
    }

    /// The distance from an earlier time, or 0 when `earlier` is not earlier.
    func since(_ earlier: UInt64) -> UInt64 { self > earlier ? self - earlier : 0 }
}
