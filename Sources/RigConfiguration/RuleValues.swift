import RigModel

/// How single values of a device table are read.
enum RuleValues {
    /// What a node is to its device.
    static func part(_ text: String) throws(ConfigurationValueError) -> InputPart {
        if let part = InputPart(rawValue: text) { return part }
        let words = InputPart.allCases.map(\.rawValue)
        throw ConfigurationValueError(
            "\(ConfigurationValue.quoted(text)) is none of \(words.joined(separator: ", "))",
            suggestion: Spelling.nearest(to: text, among: words))
    }

    /// The name of a group of nodes.
    static func group(_ text: String) throws(ConfigurationValueError) -> String {
        guard DisplayDescription.isName(text) else {
            throw ConfigurationValueError(
                "\(ConfigurationValue.quoted(text)) is not a name of 1 to 32 letters, digits, '-', '_' or '.'")
        }
        return text
    }

    /// USB ids between commas: `05ac, 18d1`.
    static func ids(_ text: String) throws(ConfigurationValueError) -> [UInt16] {
        var ids: [UInt16] = []
        for part in try ConfigurationValue.list(text, atMost: 256) {
            ids.append(try ConfigurationValue.hexadecimal(part, digits: 4))
        }
        return ids
    }

    /// USB ids and ranges of them between commas: `1290-12af, 8600`.
    static func idRanges(_ text: String) throws(ConfigurationValueError) -> [ClosedRange<UInt16>] {
        var ranges: [ClosedRange<UInt16>] = []
        for part in try ConfigurationValue.list(text, atMost: 256) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
            guard ends.count <= 2, let first = ends.first, let last = ends.last else {
                throw ConfigurationValueError(
                    "\(ConfigurationValue.quoted(part)) is neither an id nor a range as in 1290-12af")
            }
            let low = try ConfigurationValue.hexadecimal(String(first), digits: 4)
            let high = try ConfigurationValue.hexadecimal(String(last), digits: 4)
            guard low <= high else {
                throw ConfigurationValueError("\(ConfigurationValue.quoted(part)) ends before it begins")
            }
            ranges.append(low...high)
        }
        return ranges
    }

    /// Class patterns between commas: `09, ff/f0/00, ff/*/01`.
    static func classes(_ text: String) throws(ConfigurationValueError) -> [USBClassPattern] {
        var patterns: [USBClassPattern] = []
        for part in try ConfigurationValue.list(text) { patterns.append(try classPattern(part)) }
        return patterns
    }

    /// Class patterns between commas, each with `bulk-pair` behind it where that is needed.
    static func interfaces(_ text: String) throws(ConfigurationValueError) -> [USBInterfacePattern] {
        var patterns: [USBInterfacePattern] = []
        for part in try ConfigurationValue.list(text) {
            let words = part.split(separator: " ")
            guard let triple = words.first, words.count <= 2, words.count == 1 || words.last == "bulk-pair" else {
                throw ConfigurationValueError(
                    "\(ConfigurationValue.quoted(part)) is not a class as in ff/f0/00, \"bulk-pair\" may follow")
            }
            patterns.append(
                USBInterfacePattern(try classPattern(String(triple)), needsBulkPair: words.count == 2))
        }
        return patterns
    }

    private static func classPattern(_ text: String) throws(ConfigurationValueError) -> USBClassPattern {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), parts[0] != "*" else {
            throw ConfigurationValueError(
                "\(ConfigurationValue.quoted(text)) is not CLASS/SUBCLASS/PROTOCOL as in ff/f0/00 or 08/*/*")
        }
        var bytes: [UInt8?] = [nil, nil, nil]
        for (index, part) in parts.enumerated() where part != "*" {
            bytes[index] = UInt8(truncatingIfNeeded: try ConfigurationValue.hexadecimal(String(part), digits: 2))
        }
        return USBClassPattern(bytes[0], bytes[1], bytes[2])
    }

    /// Patterns of names between commas.
    static func patterns(_ text: String) throws(ConfigurationValueError) -> [NamePattern] {
        var patterns: [NamePattern] = []
        for part in try ConfigurationValue.list(text) {
            guard part.utf8.count <= 256 else {
                throw ConfigurationValueError("\(ConfigurationValue.quoted(part)) has more than 256 bytes")
            }
            patterns.append(NamePattern(part))
        }
        return patterns
    }

    /// Event codes between commas, by the names of a table or as numbers.
    static func codes(
        _ table: EventCodes.Table
    ) -> (String) throws(ConfigurationValueError) -> [UInt16] {
        { (text) throws(ConfigurationValueError) in try EventCodes.parse(text, table) }
    }

    /// How many units are a detent: `4`, or `1/2` where one unit is two detents.
    static func unitsPerDetent(_ text: String) throws(ConfigurationValueError) -> (units: Int32, detents: Int32) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let first = parts.first else {
            throw ConfigurationValueError("\(ConfigurationValue.quoted(text)) is not a number as in 4, or 1/2")
        }
        let units = try ConfigurationValue.integer(String(first), in: 1...Int(TurnLayout.maximumUnits))
        guard parts.count == 2 else { return (Int32(clamping: units), 1) }
        let detents = try ConfigurationValue.integer(String(parts[1]), in: 1...Int(TurnLayout.maximumDetents))
        return (Int32(clamping: units), Int32(clamping: detents))
    }

    /// `off`, or how many detents one counts for at most.
    static func acceleration(_ text: String) throws(ConfigurationValueError) -> Int32 {
        if text == "off" { return 1 }
        return Int32(
            clamping: try ConfigurationValue.integer(text, in: 1...Int(TurnLayout.maximumAcceleration)))
    }

    /// Whether a pad moves the focus: `relative`; `absolute` only tells where fingers are.
    static func padMode(_ text: String) throws(ConfigurationValueError) -> Bool {
        let words = ["absolute", "relative"]
        guard words.contains(text) else {
            throw ConfigurationValueError(
                "\(ConfigurationValue.quoted(text)) is none of \(words.joined(separator: ", "))",
                suggestion: Spelling.nearest(to: text, among: words))
        }
        return text == "relative"
    }

    /// What is left out at the left, the top, the right and the bottom: `10, 20, 10, 0`.
    static func margins(_ text: String) throws(ConfigurationValueError) -> SurfaceMount.Margins {
        let parts = try ConfigurationValue.list(text)
        guard parts.count == 4 else {
            throw ConfigurationValueError(
                "\(ConfigurationValue.quoted(text)) is not LEFT, TOP, RIGHT, BOTTOM in units of the device")
        }
        var values: [Int32] = []
        for part in parts { values.append(Int32(clamping: try ConfigurationValue.integer(part, in: 0...1_000_000))) }
        return SurfaceMount.Margins(left: values[0], top: values[1], right: values[2], bottom: values[3])
    }

    /// `0`, `90`, `180` or `270`.
    static func rotation(_ text: String) throws(ConfigurationValueError) -> SurfaceMount.Rotation {
        for rotation in SurfaceMount.Rotation.allCases where text == String(rotation.rawValue) { return rotation }
        let words = SurfaceMount.Rotation.allCases.map { String($0.rawValue) }
        throw ConfigurationValueError(
            "\(ConfigurationValue.quoted(text)) is none of \(words.joined(separator: ", "))")
    }
}
