/// Why a text is not an interface description, and where. The fault is with whoever wrote the text.
public struct InterfaceError: Error, Equatable, Sendable {
    /// What is wrong.
    public enum Kind: Equatable, Sendable {
        /// Something that cannot stand here.
        case unexpected(String, expected: String)
        /// A name against the rules of `InterfaceNames`.
        case invalidName(String, NameRole)
        /// A name that is already taken.
        case duplicateName(String, NameRole)
        /// A type that the interface does not declare.
        case unknownType(String)
        /// A method or error used as a type.
        case notAType(String)
        /// A type whose values would have to contain themselves without end.
        case endlessType(String)
        /// Types nested deeper than the limit.
        case tooDeep(limit: Int)
    }

    /// What a name is for.
    public enum NameRole: String, Equatable, Sendable {
        /// Of the interface.
        case interface
        /// Of a type, method or error.
        case member
        /// Of a field.
        case field
        /// A word of an enumeration.
        case word
    }

    /// What is wrong.
    public let kind: Kind
    /// Line of the place, from 1.
    public let line: Int
    /// Column of the place in Unicode scalars, from 1.
    public let column: Int
}

extension InterfaceError: CustomStringConvertible {
    /// One line for a person, with the place.
    public var description: String {
        "line \(line), column \(column): \(reason)"
    }

    private var reason: String {
        switch kind {
        case .unexpected(let found, let expected): "\(found) found, expected \(expected)"
        case .invalidName(let name, .interface):
            "\"\(name)\" is no interface name: letters, digits, inner hyphens, and a dot between its parts"
        case .invalidName(let name, .member):
            "\"\(name)\" is no name for a type, method or error: an upper-case letter, then letters and digits"
        case .invalidName(let name, .field), .invalidName(let name, .word):
            "\"\(name)\" is no name for a field or word: a letter, then letters, digits and single inner underscores"
        case .duplicateName(let name, let role): "the \(role.rawValue) name \"\(name)\" is already taken"
        case .unknownType(let name): "the interface declares no type \"\(name)\""
        case .notAType(let name): "\"\(name)\" is a method or error, not a type"
        case .endlessType(let name): "the type \"\(name)\" contains itself; put a '?', '[]' or '[string]' between"
        case .tooDeep(let limit): "types nested deeper than \(limit) levels"
        }
    }
}
