public import RigModel

/// A text that is not the value it should be.
public struct ConfigurationValueError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong with it and what would be right.
    public let text: String
    /// What was probably meant.
    public let suggestion: String?

    /// States what is wrong.
    public init(_ text: String, suggestion: String? = nil) {
        self.text = text
        self.suggestion = suggestion
    }

    /// One sentence for a person.
    public var description: String {
        suggestion.map { "\(text); did you mean \"\($0)\"?" } ?? text
    }
}

/// How values are written in configuration files and on the command line: text in, a checked value out. Nothing is
/// guessed: durations and sizes carry their unit.
public enum ConfigurationValue {
    /// A text as an error shows it.
    static func quoted(_ text: String) -> String { Quotation.quoted(text) }

    /// `yes` or `no`, also `true`/`false` and `on`/`off`.
    public static func bool(_ text: String) throws(ConfigurationValueError) -> Bool {
        switch text {
        case "yes", "true", "on": return true
        case "no", "false", "off": return false
        default: throw ConfigurationValueError("\(quoted(text)) is neither yes nor no")
        }
    }

    /// A whole decimal number within a range.
    public static func integer(_ text: String, in range: ClosedRange<Int>) throws(ConfigurationValueError) -> Int {
        guard isDecimal(text) else { throw ConfigurationValueError("\(quoted(text)) is not a whole number") }
        guard let value = Int(text), range.contains(value) else {
            throw ConfigurationValueError("\(quoted(text)) is not between \(range.lowerBound) and \(range.upperBound)")
        }
        return value
    }

    /// A duration with its unit, in nanoseconds: `500us`, `80ms`, `2s`, `1.5s`, `1min`, `1h`.
    public static func duration(
        _ text: String, in range: ClosedRange<UInt64> = 0...3_600_000_000_000
    ) throws(ConfigurationValueError) -> UInt64 {
        let value = try quantity(text, units: durationUnits, example: "80ms or 2s")
        guard range.contains(value) else {
            throw ConfigurationValueError(
                "\(quoted(text)) is not between \(format(range.lowerBound)) and \(format(range.upperBound))")
        }
        return value
    }

    /// A number of bytes with its unit: `512B`, `64KiB`, `1MiB`, `1GiB`.
    public static func byteCount(
        _ text: String, in range: ClosedRange<Int> = 0...1_073_741_824
    ) throws(ConfigurationValueError) -> Int {
        let value = try quantity(text, units: byteUnits, example: "64KiB or 1MiB")
        guard let count = Int(exactly: value), range.contains(count) else {
            throw ConfigurationValueError(
                "\(quoted(text)) is not between \(format(bytes: range.lowerBound)) and "
                    + format(bytes: range.upperBound))
        }
        return count
    }

    /// A decimal number with at most two decimals, in hundredths: `2` is 200, `1.25` is 125.
    public static func hundredths(
        _ text: String, in range: ClosedRange<Int>
    ) throws(ConfigurationValueError) -> Int {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = parts.first, isDecimal(whole) else {
            throw ConfigurationValueError("\(quoted(text)) is not a number")
        }
        let fraction = parts.count == 2 ? parts[1] : "0"
        guard isDecimal(fraction), fraction.utf8.count <= 2 else {
            throw ConfigurationValueError("\(quoted(text)) is not a number with at most two decimals")
        }
        let digits = fraction.utf8.count == 1 ? "\(fraction)0" : String(fraction)
        guard let value = Int("\(whole)\(digits)"), range.contains(value) else {
            throw ConfigurationValueError(
                "\(quoted(text)) is not between \(format(hundredths: range.lowerBound)) and "
                    + format(hundredths: range.upperBound))
        }
        return value
    }

    /// A length with its unit, in hundredths of a millimetre: `4mm`, `2.5mm`, `1cm`.
    public static func length(_ text: String, in range: ClosedRange<Int>) throws(ConfigurationValueError) -> Int {
        let value = try quantity(text, units: lengthUnits, example: "4mm")
        guard let length = Int(exactly: value), range.contains(length) else {
            throw ConfigurationValueError(
                "\(quoted(text)) is not between \(format(hundredths: range.lowerBound))mm and "
                    + "\(format(hundredths: range.upperBound))mm")
        }
        return length
    }

    /// A hexadecimal number of at most `digits` digits, without `0x`: USB ids and classes.
    public static func hexadecimal(_ text: String, digits: Int) throws(ConfigurationValueError) -> UInt16 {
        let isHexadecimal = text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0)
        }
        guard isHexadecimal, (1...max(1, digits)).contains(text.utf8.count), let value = UInt16(text, radix: 16) else {
            throw ConfigurationValueError("\(quoted(text)) is not a hexadecimal number of 1 to \(digits) digits")
        }
        return value
    }

    /// Values between commas, without outer spaces. Empty text is the empty list; an empty part is an error.
    public static func list(
        _ text: String, atMost limit: Int = 64
    ) throws(ConfigurationValueError) -> [String] {
        if text.isEmpty { return [] }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { String(trimmed($0)) }
        guard !parts.contains("") else {
            throw ConfigurationValueError("\(quoted(text)) has an empty part between its commas")
        }
        guard parts.count <= limit else {
            throw ConfigurationValueError("the list has \(parts.count) parts; the most is \(limit)")
        }
        return parts
    }

    /// A size in pixels: `800x480`.
    public static func size(_ text: String) throws(ConfigurationValueError) -> PixelSize {
        guard let size = pair(text) else {
            if text.contains("@") {
                throw ConfigurationValueError(
                    "\(quoted(text)) is not WIDTHxHEIGHT as in 800x480; the scale has its own key")
            }
            throw ConfigurationValueError("\(quoted(text)) is not WIDTHxHEIGHT as in 800x480")
        }
        let side = 1...DisplayDescription.maximumPixels
        guard side.contains(size.width), side.contains(size.height) else {
            throw ConfigurationValueError(
                "\(quoted(text)) is not between 1x1 and \(side.upperBound)x\(side.upperBound) pixels")
        }
        return size
    }

    /// A size in pixels with its scale in hundredths: `800x480@2`.
    public static func scaledSize(
        _ text: String
    ) throws(ConfigurationValueError) -> (size: PixelSize, scaleHundredths: Int) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw ConfigurationValueError("\(quoted(text)) is not WIDTHxHEIGHT@SCALE as in 800x480@2")
        }
        return (try size(String(parts[0])), try scale(String(parts[1])))
    }

    /// Pixels per point, from 1 to 4, in hundredths.
    public static func scale(_ text: String) throws(ConfigurationValueError) -> Int {
        try hundredths(text, in: 100...400)
    }

    /// A rectangle in pixels: `420,0 1080x720` is 1080×720 pixels at 420 from the left and 0 from the top.
    public static func rect(_ text: String) throws(ConfigurationValueError) -> PixelRect {
        let parts = text.split(separator: " ")
        let origin = parts.first?.split(separator: ",", omittingEmptySubsequences: false) ?? []
        guard parts.count == 2, origin.count == 2, isDecimal(origin[0]), isDecimal(origin[1]),
            let size = pair(String(parts[1]))
        else { throw ConfigurationValueError("\(quoted(text)) is not X,Y WIDTHxHEIGHT as in 0,0 800x480") }
        let limit = DisplayDescription.maximumPixels
        guard let x = Int(origin[0]), let y = Int(origin[1]), (0...limit).contains(x), (0...limit).contains(y),
            (1...limit).contains(size.width), (1...limit).contains(size.height)
        else { throw ConfigurationValueError("\(quoted(text)) has a number beyond \(limit) or an empty side") }
        return PixelRect(x: x, y: y, width: size.width, height: size.height)
    }

    /// One of the cases of an enumeration, in words of lower-case letters and dashes (`instrument-cluster`) or as it is
    /// published (`instrumentCluster`).
    public static func choice<Choice: RawRepresentable & CaseIterable>(
        _ text: String, of type: Choice.Type
    ) throws(ConfigurationValueError) -> Choice where Choice.RawValue == String {
        for choice in type.allCases where text == choice.rawValue || text == word(choice.rawValue) { return choice }
        let words = type.allCases.map { word($0.rawValue) }
        throw ConfigurationValueError(
            "\(quoted(text)) is none of \(words.joined(separator: ", "))",
            suggestion: Spelling.nearest(to: text, among: words))
    }

    /// How a published name is written in a file: `instrumentCluster` is `instrument-cluster`, `iPhone` is `iphone`.
    public static func word(_ name: String) -> String {
        var word = ""
        var length = 0
        for letter in name {
            // A dash before a capital, but not after a single letter: `iPhone` is one word.
            if letter.isUppercase && length > 1 { word.append("-") }
            word += letter.lowercased()
            length += 1
        }
        return word
    }

    /// `WxH` as two whole numbers of at most nine digits, or `nil`.
    static func pair(_ text: String) -> PixelSize? {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, isDecimal(parts[0]), isDecimal(parts[1]), parts[0].utf8.count <= 9,
            parts[1].utf8.count <= 9, let width = Int(parts[0]), let height = Int(parts[1])
        else { return nil }
        return PixelSize(width: width, height: height)
    }

    static func isDecimal(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    static func trimmed(_ text: Substring) -> Substring {
        var rest = text.drop { $0 == " " || $0 == "\t" }
        while let last = rest.last, last == " " || last == "\t" { rest = rest.dropLast() }
        return rest
    }
}
