import VarlinkProtocol

/// SplitMix64: the same numbers for the same seed everywhere.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    mutating func chance(_ oneIn: Int) -> Bool { below(oneIn) == 0 }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}

extension SeededGenerator {
    mutating func json(depth: Int = 4) -> JSON {
        switch below(depth > 0 ? 8 : 6) {
        case 0: .null
        case 1: .bool(chance(2))
        case 2: .int(int64())
        case 3: .double(double())
        case 4, 5: .string(text())
        case 6: .array((0..<below(5)).map { _ in json(depth: depth - 1) })
        default: .object(object(depth: depth - 1))
        }
    }

    mutating func object(depth: Int = 3) -> JSONObject {
        var object = JSONObject()
        for _ in 0..<below(chance(10) ? 40 : 5) { object[text()] = json(depth: depth) }
        return object
    }

    mutating func int64() -> Int64 {
        chance(4) ? pick([0, 1, -1, .max, .min, 10, -10, 99, 100]) : Int64(bitPattern: next()) >> Int64(below(64))
    }

    mutating func double() -> Double {
        let value =
            chance(4)
            ? pick([0, -0.0, 0.1, 1e300, .leastNonzeroMagnitude, .pi, 1e16, -1e15]) : Double(bitPattern: next())
        return value.isFinite ? value : 1.5
    }

    mutating func text() -> String {
        let pieces = [
            "a", "key", " ", "\"", "\\", "/", "\n", "\u{0}", "\u{1F}", "\u{7F}", "é", "e\u{301}", "\u{2028}", "😀", "日本",
            "\u{10FFFF}", "\u{E000}", "\r\n",
        ]
        return (0..<below(6)).map { _ in pick(pieces) }.joined()
    }

    mutating func bytes(count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }

    /// `bytes` with one to four small damages: a byte flipped, dropped, doubled or replaced by a telling one, the end
    /// cut off, or a piece moved.
    mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let telling = Array("\"\\{}[]:,.-+eE0#?()>\n\r \u{0}".utf8) + [0x80, 0xBF, 0xC0, 0xE0, 0xED, 0xF4, 0xFF]
        for _ in 0...below(4) where !bytes.isEmpty {
            let place = below(bytes.count)
            switch below(6) {
            case 0: bytes[place] ^= 1 << UInt8(below(8))
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(bytes[place], at: place)
            case 3: bytes[place] = pick(telling)
            case 4: bytes.removeSubrange(place...)
            default: bytes += bytes[place..<min(bytes.count, place + 8)]
            }
        }
        return bytes
    }

    /// Cuts `bytes` into pieces of random sizes, many of them small.
    mutating func chunks(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var chunks: [ArraySlice<UInt8>] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + 1 + below(chance(3) ? 200 : 5))
            chunks.append(bytes[start..<end])
            start = end
        }
        return chunks
    }
}

extension String {
    var bytes: [UInt8] { Array(utf8) }
}

extension [UInt8] {
    var text: String { String(decoding: self, as: UTF8.self) }
}
