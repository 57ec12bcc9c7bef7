/// Why a JSON value does not fit what an interface declares, and where. The fault is with whoever sent the value.
public struct FieldError: Error, Equatable, Sendable {
    /// What is wrong.
    public enum Problem: Equatable, Sendable {
        /// Another type of value than declared.
        case wrongType(expected: String, got: String)
        /// A word that the enumeration does not have.
        case unknownWord(String, words: [String])
        /// A field without `?` is absent.
        case missing(type: String)
        /// The declaration has no such field; the nearest one if the name is probably a slip.
        case unknownField(suggestion: String?)
        /// The interface has no method or error of this name.
        case noSuchMember
    }

    /// The way to the field: names with dots between, numbers from 0 for elements, `[key]` for a map's value: `steps.3.at`. Long keys are
    /// cut, because the path goes back to the client.
    public private(set) var path: String
    /// What is wrong there.
    public let problem: Problem

    init(_ path: String, _ problem: Problem) {
        self.path = Self.cut(path)
        self.problem = problem
    }

    /// The same problem, seen from outside of the field.
    func inField(_ name: String) -> FieldError {
        var error = self
        error.path = path.isEmpty || path.hasPrefix("[") ? name + path : name + "." + path
        return error
    }

    /// The same problem, seen from outside of the array.
    func inElement(_ index: Int) -> FieldError {
        inField(String(index))
    }

    /// The same problem, seen from outside of the map.
    func inKey(_ key: String) -> FieldError {
        var error = self
        let step = "[\(Self.cut(key))]"
        error.path = path.isEmpty || path.hasPrefix("[") ? step + path : step + "." + path
        return error
    }

    private static func cut(_ text: String) -> String {
        text.utf8.count <= 80 ? text : String(text.unicodeScalars.prefix(79)) + "…"
    }
}

extension FieldError: CustomStringConvertible {
    /// One line for a person: the path and what is wrong there.
    public var description: String {
        switch problem {
        case .wrongType(let expected, let got): "\(path): expected \(expected), got \(got)"
        case .unknownWord(let word, let words):
            "\(path): \"\(Self.cut(word))\" is none of \(words.joined(separator: ", "))"
        case .missing(let type): "\(path): missing, expected \(type)"
        case .unknownField(let suggestion?): "\(path): unknown field, did you mean \(suggestion)?"
        case .unknownField(nil): "\(path): unknown field"
        case .noSuchMember: "\(path): the interface declares no such method or error"
        }
    }
}
