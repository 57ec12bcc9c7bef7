extension JSONParser {
    /// Reads a string; `position` stands on the opening quote.
    mutating func string(_ bytes: Span<UInt8>) throws(JSONError) -> String {
        let start = position + 1
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                position = index + 1
                return text(bytes, start..<index)
            }
            if byte == UInt8(ascii: "\\") { break }
            if byte < 0x20 { throw JSONError(.controlCharacter(byte), at: index, in: bytes) }
            index += byte < 0x80 ? 1 : try sequenceLength(bytes, at: index)
        }
        return try stringWithEscapes(bytes, from: start, firstEscape: index)
    }

    /// The slow path: unescaped runs and decoded escapes are put together in `scratch`.
    private mutating func stringWithEscapes(
        _ bytes: Span<UInt8>, from start: Int, firstEscape: Int
    ) throws(JSONError) -> String {
        scratch.removeAll(keepingCapacity: true)
        var runStart = start
        var index = firstEscape
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                append(bytes, runStart..<index)
                position = index + 1
                return String(decoding: scratch, as: UTF8.self)
            case UInt8(ascii: "\\"):
                append(bytes, runStart..<index)
                index = try escape(bytes, at: index)
                runStart = index
            case 0..<0x20:
                throw JSONError(.controlCharacter(byte), at: index, in: bytes)
            default:
                index += byte < 0x80 ? 1 : try sequenceLength(bytes, at: index)
            }
        }
        throw JSONError(.unexpectedEnd, at: bytes.count, in: bytes)
    }

    /// Decodes the escape at `start` into `scratch` and returns the index behind it.
    private mutating func escape(_ bytes: Span<UInt8>, at start: Int) throws(JSONError) -> Int {
        guard start + 1 < bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count, in: bytes) }
        switch bytes[start + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(bytes[start + 1])
        case UInt8(ascii: "b"): scratch.append(0x08)
        case UInt8(ascii: "f"): scratch.append(0x0C)
        case UInt8(ascii: "n"): scratch.append(0x0A)
        case UInt8(ascii: "r"): scratch.append(0x0D)
        case UInt8(ascii: "t"): scratch.append(0x09)
        case UInt8(ascii: "u"): return try unicodeEscape(bytes, at: start)
        default: throw JSONError(.invalidEscape, at: start, in: bytes)
        }
        return start + 2
    }

    private mutating func unicodeEscape(_ bytes: Span<UInt8>, at start: Int) throws(JSONError) -> Int {
        let first = try hexUnit(bytes, at: start)
        var scalar = UInt32(first)
        var end = start + 6
        switch first {
        case 0xD800..<0xDC00:
            guard end + 1 < bytes.count, bytes[end] == UInt8(ascii: "\\"), bytes[end + 1] == UInt8(ascii: "u") else {
                throw JSONError(.loneSurrogate, at: start, in: bytes)
            }
            let second = try hexUnit(bytes, at: end)
            guard (0xDC00..<0xE000).contains(second) else { throw JSONError(.loneSurrogate, at: start, in: bytes) }
            scalar = 0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF))
            end += 6
        case 0xDC00..<0xE000:
            throw JSONError(.loneSurrogate, at: start, in: bytes)
        default:
            break
        }
        appendUTF8(of: scalar)
        return end
    }

    /// The four hex digits of the `\u` escape at `start`.
    private func hexUnit(_ bytes: Span<UInt8>, at start: Int) throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for index in start + 2..<start + 6 {
            guard index < bytes.count else { throw JSONError(.unexpectedEnd, at: index, in: bytes) }
            let digit: UInt8
            switch bytes[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = bytes[index] - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = bytes[index] - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = bytes[index] - UInt8(ascii: "A") + 10
            default: throw JSONError(.invalidEscape, at: start, in: bytes)
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    /// `scalar` is at most 0x10FFFF and no surrogate.
    private mutating func appendUTF8(of scalar: UInt32) {
        func low6(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: scalar >> shift & 0x3F) | 0x80 }
        switch scalar {
        case 0..<0x80:
            scratch.append(UInt8(truncatingIfNeeded: scalar))
        case 0x80..<0x800:
            scratch.append(UInt8(truncatingIfNeeded: scalar >> 6) | 0xC0)
            scratch.append(low6(0))
        case 0x800..<0x10000:
            scratch.append(UInt8(truncatingIfNeeded: scalar >> 12) | 0xE0)
            scratch.append(low6(6))
            scratch.append(low6(0))
        default:
            scratch.append(UInt8(truncatingIfNeeded: scalar >> 18) | 0xF0)
            scratch.append(low6(12))
            scratch.append(low6(6))
            scratch.append(low6(0))
        }
    }

    /// Bytes of the UTF-8 sequence that starts at `start`, whose first byte is 0x80 or more. The second byte's range
    /// refuses overlong forms, surrogates and scalars above U+10FFFF (Unicode Standard, table 3-7).
    private func sequenceLength(_ bytes: Span<UInt8>, at start: Int) throws(JSONError) -> Int {
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch bytes[start] {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default: throw JSONError(.invalidUTF8, at: start, in: bytes)
        }
        guard length <= bytes.count - start, second.contains(bytes[start + 1]) else {
            throw JSONError(.invalidUTF8, at: start, in: bytes)
        }
        for index in start + 2..<max(start + 2, start + length) where bytes[index] & 0xC0 != 0x80 {
            throw JSONError(.invalidUTF8, at: start, in: bytes)
        }
        return length
    }

    private func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
        bytes.extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    private mutating func append(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        bytes.extracting(range).withUnsafeBufferPointer { scratch.append(contentsOf: $0) }
    }

    /// Reads a number; `position` stands on its first character.
    mutating func number(_ bytes: Span<UInt8>, maximumLength: Int) throws(JSONError) -> JSON {
        let start = position
        let isNegative = bytes[start] == UInt8(ascii: "-")
        var index = isNegative ? start + 1 : start
        let integerStart = index
        var magnitude: UInt64 = 0
        var fits = true
        while let digit = digit(bytes, at: index) {
            let (product, overflowed) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carried) = product.addingReportingOverflow(UInt64(digit))
            magnitude = sum
            fits = fits && !overflowed && !carried
            index += 1
        }
        let hasLeadingZero = index - integerStart > 1 && bytes[integerStart] == UInt8(ascii: "0")
        guard index > integerStart, !hasLeadingZero else { throw JSONError(.invalidNumber, at: start, in: bytes) }
        var isInteger = true
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            isInteger = false
            index = try digits(bytes, from: index + 1, numberStart: start)
        }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            index += 1
            if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") {
                index += 1
            }
            index = try digits(bytes, from: index, numberStart: start)
        }
        position = index
        if isInteger && fits {
            if !isNegative, let value = Int64(exactly: magnitude) { return .int(value) }
            if isNegative, magnitude <= Int64.min.magnitude { return .int(Int64(truncatingIfNeeded: 0 &- magnitude)) }
        }
        guard index - start <= maximumLength else {
            if hasBoundlessNumbers { return .double(.infinity) }
            throw JSONError(.numberTooLong(limit: maximumLength), at: start, in: bytes)
        }
        guard let value = Double(text(bytes, start..<index)), value.isFinite else {
            if hasBoundlessNumbers { return .double(.infinity) }
            throw JSONError(.numberOutOfRange, at: start, in: bytes)
        }
        return .double(value)
    }

    private func digits(_ bytes: Span<UInt8>, from first: Int, numberStart: Int) throws(JSONError) -> Int {
        var index = first
        while digit(bytes, at: index) != nil { index += 1 }
        guard index > first else { throw JSONError(.invalidNumber, at: numberStart, in: bytes) }
        return index
    }

    private func digit(_ bytes: Span<UInt8>, at index: Int) -> UInt8? {
        guard index < bytes.count, case let digit = bytes[index] &- UInt8(ascii: "0"), digit < 10 else { return nil }
        return digit
    }
}
