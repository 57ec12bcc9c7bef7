import VarlinkProtocol

/// Any bytes as JSON: what parses is written and read back equal, the limits hold, and every error has a place.
enum JSONTarget {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        let value: JSON
        do throws(JSONError) {
            value = try JSON.parse(bytes)
        } catch {
            return try check(error, in: bytes)
        }
        try checkWriting(value)
        let (depth, count) = measure(value)
        try require(depth <= JSON.Limits.standard.depth, "nested \(depth) levels deep")
        try require(count <= JSON.Limits.standard.valueCount, "\(count) values")
        try checkTightLimits(bytes, value, depth, count)
        try checkSlice(bytes, value)
    }

    /// Writes a value and reads it back: equal, and the same text again.
    static func checkWriting(_ value: JSON) throws(FuzzFinding) {
        var text: [UInt8] = []
        value.write(into: &text)
        let again: JSON
        do throws(JSONError) {
            again = try JSON.parse(text)
        } catch {
            throw FuzzFinding("what was written does not parse: \(error)")
        }
        try require(again == value, "what was written reads back as something else")
        var second: [UInt8] = []
        again.write(into: &second)
        try require(second == text, "the same value is written in two ways")
    }

    private static func check(_ error: JSONError, in bytes: [UInt8]) throws(FuzzFinding) {
        try require(
            error.offset >= 0 && error.offset <= bytes.count, "an error at \(error.offset) of \(bytes.count) bytes")
        try require(error.line >= 1 && error.column >= 1, "an error at \(error.line):\(error.column)")
        try require(!error.description.isEmpty, "an error without text")
        do throws(JSONError) {
            _ = try JSON.parse(([0x5B] + bytes)[1...])
        } catch let other {
            return try require(other == error, "a slice fails otherwise: \(other), not \(error)")
        }
        throw FuzzFinding("a slice parses, the array does not: \(error)")
    }

    private static func checkSlice(_ bytes: [UInt8], _ value: JSON) throws(FuzzFinding) {
        let slice = (bytes + [0x5D])[..<bytes.count]
        switch Result(catching: { () throws(JSONError) in try JSON.parse(slice) }) {
        case .success(let same): try require(same == value, "a slice reads as something else")
        case .failure(let error): throw FuzzFinding("the array parses, a slice does not: \(error)")
        }
    }

    private static func checkTightLimits(
        _ bytes: [UInt8], _ value: JSON, _ depth: Int, _ count: Int
    ) throws(FuzzFinding) {
        let limits = JSON.Limits(depth: 3, valueCount: 12, numberLength: 6)
        let small: JSON
        do throws(JSONError) {
            small = try JSON.parse(bytes, limits: limits)
        } catch {
            switch error.kind {
            case .tooDeep: return try require(depth > limits.depth, "depth \(depth) is too deep")
            case .tooManyValues: return try require(count > limits.valueCount, "\(count) values are too many")
            case .numberTooLong: return
            case .unexpectedEnd, .unexpectedByte, .invalidUTF8, .controlCharacter, .invalidEscape, .loneSurrogate,
                .invalidNumber, .numberOutOfRange, .duplicateKey, .trailingBytes:
                throw FuzzFinding("tight limits find another fault: \(error)")
            }
        }
        try require(small == value, "tight limits read something else")
        try require(depth <= limits.depth && count <= limits.valueCount, "the limits do not hold: \(depth), \(count)")
    }

    /// The nesting of arrays and objects, and the number of values.
    private static func measure(_ value: JSON) -> (depth: Int, count: Int) {
        var inner: [JSON] = []
        switch value {
        case .null, .bool, .int, .double, .string: return (0, 1)
        case .array(let elements): inner = elements
        case .object(let object): inner = object.members.map(\.value)
        }
        var depth = 0
        var count = 1
        for value in inner {
            let part = measure(value)
            depth = max(depth, part.depth)
            count += part.count
        }
        return (depth + 1, count)
    }
}
