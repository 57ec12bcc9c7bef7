extension ConfigurationValue {
    /// A unit's name and how much of the base unit it is.
    struct Unit {
        let name: String
        let factor: UInt64
    }

    /// The units of durations; the base is the nanosecond.
    static let durationUnits = [
        Unit(name: "ns", factor: 1), Unit(name: "us", factor: 1_000), Unit(name: "ms", factor: 1_000_000),
        Unit(name: "s", factor: 1_000_000_000), Unit(name: "min", factor: 60_000_000_000),
        Unit(name: "h", factor: 3_600_000_000_000),
    ]

    /// The units of lengths; the base is a hundredth of a millimetre.
    static let lengthUnits = [Unit(name: "mm", factor: 100), Unit(name: "cm", factor: 1_000)]

    /// The units of sizes; the base is the byte.
    static let byteUnits = [
        Unit(name: "B", factor: 1), Unit(name: "KiB", factor: 1_024), Unit(name: "MiB", factor: 1_048_576),
        Unit(name: "GiB", factor: 1_073_741_824),
    ]

    /// A decimal number and one of the units, in the base unit. Exact: what is finer than the base unit is refused.
    static func quantity(
        _ text: String, units: [Unit], example: String
    ) throws(ConfigurationValueError) -> UInt64 {
        let number = text.prefix { ("0"..."9").contains($0) || $0 == "." }
        let unitText = String(trimmed(text[number.endIndex...]))
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = parts.first, parts.count <= 2, parts.allSatisfy({ isDecimal($0) }) else {
            throw ConfigurationValueError("\(quoted(text)) is not a number with a unit, as in \(example)")
        }
        guard let unit = units.first(where: { $0.name == unitText }) else {
            let names = units.map(\.name)
            if unitText.isEmpty {
                throw ConfigurationValueError("\(quoted(text)) has no unit; write it as in \(example)")
            }
            throw ConfigurationValueError(
                "\(quoted(unitText)) is not a unit; there is \(names.joined(separator: ", "))",
                suggestion: meantUnit(unitText, among: names).map { "\(number)\($0)" })
        }
        guard let count = UInt64(whole) else { throw tooLarge(text) }
        let (product, overflow) = count.multipliedReportingOverflow(by: unit.factor)
        if overflow { throw tooLarge(text) }
        let part = parts.count == 2 ? try fraction(parts[1], of: unit.factor, in: text) : 0
        let (sum, carry) = product.addingReportingOverflow(part)
        if carry { throw tooLarge(text) }
        return sum
    }

    /// What the digits behind the point are in the base unit.
    private static func fraction(
        _ digits: Substring, of factor: UInt64, in text: String
    ) throws(ConfigurationValueError) -> UInt64 {
        var significant = digits
        while significant.last == "0" { significant = significant.dropLast() }
        guard significant.utf8.count <= 6, let value = UInt64("0\(significant)") else {
            throw ConfigurationValueError("\(quoted(text)) has more than six decimals")
        }
        var scale: UInt64 = 1
        for _ in significant.utf8 { scale *= 10 }
        // At most 10^6 times an hour in nanoseconds (or a GiB): less than 2^63.
        guard (factor * value).isMultiple(of: scale) else {
            throw ConfigurationValueError("\(quoted(text)) is finer than the smallest unit")
        }
        return factor * value / scale
    }

    private static func tooLarge(_ text: String) -> ConfigurationValueError {
        ConfigurationValueError("\(quoted(text)) is too large")
    }

    /// The usual slips: other letter case, the decimal names of sizes, long names.
    private static func meantUnit(_ text: String, among names: [String]) -> String? {
        let lower = text.lowercased()
        switch lower {
        case "k", "kb": return names.contains("KiB") ? "KiB" : nil
        case "m": return names.contains("MiB") ? "MiB" : "min"
        case "mb": return names.contains("MiB") ? "MiB" : nil
        case "g", "gb": return names.contains("GiB") ? "GiB" : nil
        case "sec", "second", "seconds": return names.contains("s") ? "s" : nil
        case "minute", "minutes": return names.contains("min") ? "min" : nil
        case "msec", "millis", "milliseconds": return names.contains("ms") ? "ms" : nil
        case "µs", "μs", "usec": return names.contains("us") ? "us" : nil
        default: return names.first { $0.lowercased() == lower }
        }
    }

    /// A duration as a person writes it: the largest unit that leaves no remainder.
    public static func format(_ nanoseconds: UInt64) -> String {
        format(nanoseconds, units: durationUnits, zero: "0s")
    }

    /// A size as a person writes it: the largest unit that leaves no remainder.
    public static func format(bytes: Int) -> String {
        format(UInt64(clamping: bytes), units: byteUnits, zero: "0B")
    }

    private static func format(_ value: UInt64, units: [Unit], zero: String) -> String {
        if value == 0 { return zero }
        for unit in units.reversed() where value % unit.factor == 0 { return "\(value / unit.factor)\(unit.name)" }
        return zero
    }

    /// Hundredths as a person writes them: 200 is `2`, 125 is `1.25`.
    public static func format(hundredths: Int) -> String {
        let whole = hundredths / 100
        let rest = abs(hundredths % 100)
        if rest == 0 { return "\(whole)" }
        return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }
}
