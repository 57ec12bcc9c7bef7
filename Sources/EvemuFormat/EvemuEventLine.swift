public import RigModel

/// What is wrong with one event line of evemu's form.
public struct EvemuFieldProblem: Error, Equatable, Sendable {
    /// The word, from 1; `E:` is the first.
    public let field: Int
    /// What should stand there.
    public let expected: String
}

/// A single event line, outside a file: `E: 0.071484 0003 0039 -001`.
public enum EvemuEventLine {
    /// Reads a line without its end.
    public static func parse(_ line: ArraySlice<UInt8>) throws(EvemuFieldProblem) -> EvdevEvent {
        var words = EvemuLine(line, number: 1)
        guard words.first == UInt8(ascii: "E"), words.skipKey() else {
            throw EvemuFieldProblem(field: 1, expected: "E: and an event")
        }
        var field = 1
        func next<Value>(
            _ read: (inout EvemuLine) throws(EvemuProblem) -> Value
        ) throws(EvemuFieldProblem) -> Value {
            field += 1
            do throws(EvemuProblem) {
                return try read(&words)
            } catch {
                throw EvemuFieldProblem(field: field, expected: error.expected)
            }
        }
        let time = try next { line throws(EvemuProblem) in try line.time() }
        let type = try next { line throws(EvemuProblem) in
            try line.hex("an event type from 0000 to 001f", below: UInt32(EvemuReader.typeCount))
        }
        let code = try next { line throws(EvemuProblem) in try line.hex("an event code, four hexadecimal digits") }
        let value = try next { line throws(EvemuProblem) in try line.decimal("the value") }
        _ = try next { line throws(EvemuProblem) in try line.end() }
        return EvdevEvent(type: type, code: code, value: value, time: time)
    }
}
