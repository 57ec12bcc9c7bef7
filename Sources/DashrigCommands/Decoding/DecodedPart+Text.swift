internal import VarlinkProtocol
internal import WireBytes

/// Parts as lines for people.
struct DecodedText {
    let style: Palette
    /// Whether bytes are shown whole, however many they are.
    let isFull: Bool

    /// So many bytes of a value are shown unless all are asked for: two lines of a dump.
    static let shownBytes = 32
    /// So many numbers of a list.
    static let shownNumbers = 64

    /// A part and what is inside, one line each: offset, name, value.
    func lines(_ part: DecodedPart) -> [String] {
        var lines: [String] = []
        append(part, depth: 0, width: 0, to: &lines)
        return lines
    }

    private func append(_ part: DecodedPart, depth: Int, width: Int, to lines: inout [String]) {
        let digits = String(part.offset, radix: 16)
        let offset = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
        let label = Self.label(part)
        var words = [style.text(label, depth == 0 ? .strong : .plain)]
        let value = text(part.value)
        let said = [value, part.note].compactMap { $0 }.joined(separator: ", ")
        if !said.isEmpty {
            words[0] += String(repeating: " ", count: max(0, width - PrintableText.width(label)))
            words.append(said)
        }
        if let problem = part.problem {
            words.append(style.text("!! " + PrintableText.escaped(problem), .bad))
        }
        let indentation = String(repeating: "  ", count: depth)
        lines.append("\(style.text(offset, .faint))  \(indentation)\(words.joined(separator: "  "))")
        // Long names do not push the values of all others to the right.
        let inner = part.parts.map { PrintableText.width(Self.label($0)) }.filter { $0 <= 40 }.max() ?? 0
        for child in part.parts { append(child, depth: depth + 1, width: inner, to: &lines) }
    }

    private static func label(_ part: DecodedPart) -> String {
        let number = part.id.map { id in part.idDigits.map { code(id, digits: $0) } ?? "\(id)" }
        return [StateText.words(part.name), number, part.title].compactMap { $0 }.map(PrintableText.escaped)
            .joined(separator: " ")
    }

    private static func code(_ value: UInt64, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    private func text(_ value: DecodedPart.Value) -> String? {
        switch value {
        case .none: return nil
        case .number(let number): return "\(number)"
        case .code(let number, let digits): return Self.code(number, digits: digits)
        case .signed(let number): return "\(number)"
        case .bool(let value): return value ? "true" : "false"
        case .text(let text): return "\"\(PrintableText.escaped(text))\""
        case .bytes(let bytes):
            guard !isFull, bytes.count > Self.shownBytes else { return HexText.format(bytes) }
            return HexText.format(bytes.prefix(Self.shownBytes)) + " ... \(bytes.count - Self.shownBytes) more"
        case .numbers(let numbers, let names):
            let all = numbers.indices.map { index in
                names.indices.contains(index) ? names[index] ?? "\(numbers[index])" : "\(numbers[index])"
            }
            guard !isFull, all.count > Self.shownNumbers else { return all.joined(separator: ", ") }
            return all.prefix(Self.shownNumbers).joined(separator: ", ") + ", ... \(all.count - Self.shownNumbers) more"
        }
    }
}

extension DecodedPart {
    /// The part as an object; see docs/decode.md.
    var json: JSON {
        func count(_ number: Int) -> JSON { .int(Int64(number)) }
        var object: JSONObject = ["name": .string(name), "offset": count(offset), "length": count(length)]
        object["id"] = id.map(JSON.init(unsigned:))
        object["title"] = title.map(JSON.string)
        object["type"] = value.type.map(JSON.string)
        object["value"] = value.json
        if case .numbers(_, let names) = value, names.contains(where: { $0 != nil }) {
            object["names"] = .array(names.map { $0.map(JSON.string) ?? .null })
        }
        object["note"] = note.map(JSON.string)
        object["problem"] = problem.map(JSON.string)
        if !parts.isEmpty { object["parts"] = .array(parts.map(\.json)) }
        return .object(object)
    }
}

extension DecodedPart.Value {
    fileprivate var type: String? {
        switch self {
        case .none: nil
        case .number, .code, .signed: "number"
        case .bool: "bool"
        case .text: "text"
        case .bytes: "bytes"
        case .numbers: "numbers"
        }
    }

    fileprivate var json: JSON? {
        switch self {
        case .none: nil
        case .number(let number), .code(let number, _): JSON(unsigned: number)
        case .signed(let number): .int(number)
        case .bool(let value): .bool(value)
        case .text(let text): .string(text)
        case .bytes(let bytes): .string(HexText.format(bytes))
        case .numbers(let numbers, _): .array(numbers.map(JSON.init(unsigned:)))
        }
    }
}

extension JSON {
    /// A number as it is, or as text where it fits no signed 64 bits.
    fileprivate init(unsigned number: UInt64) {
        self = Int64(exactly: number).map(JSON.int) ?? .string("\(number)")
    }
}
