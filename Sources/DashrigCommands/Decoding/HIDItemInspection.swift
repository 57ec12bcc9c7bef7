/// The items of a report descriptor, one by one (Device Class Definition for HID 1.11, 6.2.2).
///
/// It shows what is written; what comes of it all is for `HIDReports` to say.
enum HIDItemInspection {
    /// What an item is, by its type and tag.
    private static let names: [(type: UInt8, tag: UInt8, name: String)] = [
        (0, 0x8, "input"), (0, 0x9, "output"), (0, 0xB, "feature"), (0, 0xA, "collection"), (0, 0xC, "endCollection"),
        (1, 0x0, "usagePage"), (1, 0x1, "logicalMinimum"), (1, 0x2, "logicalMaximum"), (1, 0x3, "physicalMinimum"),
        (1, 0x4, "physicalMaximum"), (1, 0x5, "unitExponent"), (1, 0x6, "unit"), (1, 0x7, "reportSize"),
        (1, 0x8, "reportID"), (1, 0x9, "reportCount"), (1, 0xA, "push"), (1, 0xB, "pop"), (2, 0x0, "usage"),
        (2, 0x1, "usageMinimum"), (2, 0x2, "usageMaximum"), (2, 0x3, "designatorIndex"),
        (2, 0x4, "designatorMinimum"), (2, 0x5, "designatorMaximum"), (2, 0x7, "stringIndex"),
        (2, 0x8, "stringMinimum"), (2, 0x9, "stringMaximum"), (2, 0xA, "delimiter"),
    ]

    /// Items whose data has a sign.
    private static let signed = ["logicalMinimum", "logicalMaximum", "physicalMinimum", "physicalMaximum"]
    /// Items whose data people write in hexadecimal.
    private static let codes = ["usagePage", "usage", "usageMinimum", "usageMaximum", "unit"]

    private static let collections = [
        "physical", "application", "logical", "report", "named array", "usage switch", "usage modifier",
    ]
    private static let flags: [(mask: UInt64, on: String, off: String?)] = [
        (0x01, "constant", "data"), (0x02, "variable", "array"), (0x04, "relative", "absolute"), (0x08, "wraps", nil),
        (0x10, "not linear", nil), (0x20, "no preferred state", nil), (0x40, "null state", nil),
        (0x80, "volatile", nil), (0x100, "buffered bytes", nil),
    ]

    /// The longest report descriptor: its length in the HID descriptor is a u16 (HID 1.11, 6.2.1).
    static let maximumLength = 65_535
    /// After so many damaged items nobody learns anything from one more. Ours: real descriptors have none.
    static let maximumProblems = 64

    /// Tells one item after the other; those inside of a collection are parts of it. What is longer than a descriptor can
    /// be, or follows too much damage, is told as one part, the `rest`.
    static func run(_ bytes: [UInt8], _ tell: (DecodedPart) -> Void) {
        var open: [DecodedPart] = []
        var problems = 0
        func add(_ part: DecodedPart) {
            if open.isEmpty { tell(part) } else { open[open.count - 1].parts.append(part) }
        }
        func close(at end: Int) {
            var collection = open.removeLast()
            collection.length = end - collection.offset
            add(collection)
        }
        var place = 0
        let end = min(bytes.count, maximumLength)
        while place < end, problems < maximumProblems {
            var item = item(bytes[place..<end])
            place += item.length
            switch item.name {
            // The depth is bounded by what is shown: deeper ones stand beside each other.
            case "collection" where open.count < maximumDepth: open.append(item)
            case "endCollection":
                if open.isEmpty { item.problem = "no collection is open" }
                add(item)
                if !open.isEmpty { close(at: place) }
            default: add(item)
            }
            if item.problem != nil { problems += 1 }
        }
        while !open.isEmpty {
            if place == bytes.count {
                open[open.count - 1].problem = "it has no end"
            } else {
                open[open.count - 1].note = "its end is not shown"
            }
            close(at: place)
        }
        guard place < bytes.count else { return }
        let why =
            problems < maximumProblems
            ? "a descriptor has at most \(maximumLength) bytes" : "\(maximumProblems) items are damaged"
        let left = counted(bytes.count - place, "byte")
        tell(
            DecodedPart("rest", at: place, length: bytes.count - place, problem: "\(why); \(left) are not shown"))
    }

    /// How deep collections are shown in each other: ours; five are seen in real devices, and JSON takes
    /// two levels for each, of the 64 that its readers take.
    private static let maximumDepth = 24

    private static func item(_ bytes: ArraySlice<UInt8>) -> DecodedPart {
        let start = bytes.startIndex
        let prefix = bytes[start]
        if prefix == 0xFE { return longItem(bytes) }
        let size = prefix & 3 == 3 ? 4 : Int(prefix & 3)
        let name = names.first { $0.type == prefix >> 2 & 3 && $0.tag == prefix >> 4 }?.name
        guard bytes.count > size else {
            var part = DecodedPart("incomplete", at: start, length: bytes.count, .bytes(Array(bytes)))
            part.problem = "\(name ?? "an item") with \(size) bytes of data, of which \(bytes.count - 1) are there"
            return part
        }
        let data = bytes[(start + 1)..<(start + 1 + size)]
        guard let name else {
            var part = DecodedPart("item", at: start, length: size + 1, .bytes(Array(data)))
            part.id = UInt64(prefix)
            part.idDigits = 2
            part.problem = "no item of HID 1.11; it is passed over"
            return part
        }
        let number = data.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        var part = DecodedPart(name, at: start, length: size + 1)
        if size > 0 { part.value = value(number, size, name) }
        part.note = note(number, name)
        return part
    }

    private static func value(_ number: UInt64, _ size: Int, _ name: String) -> DecodedPart.Value {
        if signed.contains(name) {
            let unused = UInt64(64 - size * 8)
            return .signed(Int64(bitPattern: number << unused) >> Int64(unused))
        }
        return codes.contains(name) ? .code(number, digits: size * 2) : .number(number)
    }

    private static func note(_ number: UInt64, _ name: String) -> String? {
        switch name {
        case "input", "output", "feature":
            return flags.compactMap { number & $0.mask != 0 ? $0.on : $0.off }.joined(separator: ", ")
        case "collection": return number < 7 ? collections[Int(number)] : number < 0x80 ? "reserved" : "vendor"
        default: return nil
        }
    }

    /// A long item: size and tag in bytes of their own. HID 1.11 defines none.
    private static func longItem(_ bytes: ArraySlice<UInt8>) -> DecodedPart {
        let start = bytes.startIndex
        let size = bytes.count >= 3 ? Int(bytes[start + 1]) : 0
        guard bytes.count >= 3 + size else {
            var part = DecodedPart("incomplete", at: start, length: bytes.count, .bytes(Array(bytes)))
            part.problem = "a long item that goes on behind the end"
            return part
        }
        let data = bytes[(start + 3)..<(start + 3 + size)]
        return DecodedPart("longItem", at: start, length: 3 + size, .bytes(Array(data)))
    }
}
