public import WireBytes

/// The value of one parameter, free of its wire form: what JSON and scenarios write and are shown.
///
/// Reading gives exactly one case per type. Writing takes what a reader of JSON can tell as well: either kind of whole
/// number or decimal text for any integer, text for the name of an enumeration's value or for bytes in hexadecimal,
/// `true` for a flag, and a list for a repeated field or for numbers.
public indirect enum FieldValue: Equatable, Sendable {
    /// Of an unsigned integer.
    case unsigned(UInt64)
    /// Of a signed integer.
    case signed(Int64)
    /// Of a bool.
    case boolean(Bool)
    /// Of an enumeration: the number, and its name when it has one.
    case choice(UInt8, name: String?)
    /// Of text.
    case text(String)
    /// Of bytes.
    case bytes([UInt8])
    /// Of a flag.
    case present
    /// Of packed numbers.
    case numbers([UInt16])
    /// Of a group, in the order of the wire.
    case group([FieldEntry])
    /// Bytes that are written as they are, whatever the field's type: of unknown and of malformed parameters, and for
    /// whoever wants to send something wrong.
    case raw([UInt8])
    /// Only written: the values of a repeated field, or numbers one by one.
    case list([FieldValue])

    /// What it is, for errors.
    var kind: String {
        switch self {
        case .unsigned, .signed: "a number"
        case .boolean: "true or false"
        case .choice: "a value of an enumeration"
        case .text: "text"
        case .bytes: "bytes"
        case .present: "a flag"
        case .numbers: "numbers"
        case .group: "a group"
        case .raw: "raw bytes"
        case .list: "a list"
        }
    }
}

/// One parameter as name and value.
public struct FieldEntry: Equatable, Sendable {
    /// What is to be said of a parameter beside its value.
    public enum Mark: Equatable, Sendable {
        /// Nothing: the layout knows it and its value fits.
        case none
        /// The layout knows no parameter of this number; the value is raw.
        case unknown
        /// The value does not fit the layout; it is raw.
        case malformed(WireError)
    }

    /// Its name in the layout, or its number in decimal: always, when the layout knows none.
    public var name: String
    /// Its number, when it was read.
    public var id: UInt16?
    /// Its value.
    public var value: FieldValue
    /// What is to be said of it, when it was read.
    public var mark: Mark

    /// An entry to be written, by name or by number in decimal.
    public init(_ name: String, _ value: FieldValue) {
        self.name = name
        self.value = value
        id = nil
        mark = .none
    }

    init(name: String, id: UInt16, value: FieldValue, mark: Mark) {
        self.name = name
        self.id = id
        self.value = value
        self.mark = mark
    }
}

/// A whole message as names and values.
public struct MessageContent: Equatable, Sendable {
    /// The message.
    public var id: MessageID
    /// Its parameters, in the order of the wire.
    public var fields: [FieldEntry]
    /// What follows the last parameter and makes none; empty in a whole message.
    public var rest: [UInt8]
    /// Why `rest` makes no parameter.
    public var restProblem: WireError?

    /// Content to be written.
    public init(_ id: MessageID, _ fields: [FieldEntry] = []) {
        self.id = id
        self.fields = fields
        rest = []
        restProblem = nil
    }

    /// Content to be written, of a message that is named as in the catalogue or by its number (`0x5001`). Throws a
    /// `FieldError` that names it.
    public init(named name: String, _ fields: [FieldEntry] = []) throws(FieldError) {
        guard let id = MessageCatalogue.id(named: name) else { throw FieldError(.unknownMessage, path: name) }
        self.init(id, fields)
    }

    /// True when the catalogue knows the message.
    public var isKnown: Bool { MessageCatalogue.layout(of: id) != nil }

    /// Everything in it that the catalogue does not know or that does not fit, in order; at most `limit`.
    public func problems(limit: Int = 64) -> [FieldError] {
        var found: [FieldError] = []
        Self.collect(fields, under: id.name ?? id.hexadecimal, into: &found)
        if let restProblem { found.append(FieldError(.unreadable(restProblem), path: id.name ?? id.hexadecimal)) }
        return Array(found.prefix(max(0, limit)))
    }

    private static func collect(_ fields: [FieldEntry], under path: String, into found: inout [FieldError]) {
        for entry in fields {
            let place = "\(path).\(entry.name)"
            switch entry.mark {
            case .none: break
            case .unknown: found.append(FieldError(.unknownField(legal: []), path: place))
            case .malformed(let error): found.append(FieldError(.unreadable(error), path: place))
            }
            if case .group(let inner) = entry.value { collect(inner, under: place, into: &found) }
        }
    }
}

/// Why names and values make no message, or what a message has that the catalogue does not expect.
public struct FieldError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Kind: Equatable, Sendable {
        /// There is no message of that name.
        case unknownMessage
        /// There is no such field; these are there. A number in decimal is legal too, with raw bytes.
        case unknownField(legal: [String])
        /// A value of the wrong kind, or outside of what the field's type can hold.
        case illegalValue(found: String, legal: String)
        /// The field may be there once.
        case repeated
        /// More entries than a message or group may hold, or groups inside groups beyond the limit.
        case beyond(what: String, limit: Int)
        /// All together is longer than a message or parameter can be.
        case tooLong(limit: Int, actual: Int)
        /// Bytes do not fit the layout.
        case unreadable(WireError)
    }

    /// What is wrong.
    public var kind: Kind
    /// Where: message and field names, joined by dots.
    public var path: String
    /// Where in the message's bytes, when it was read.
    public var offset: Int? {
        if case .unreadable(let error) = kind { error.offset } else { nil }
    }

    /// States an error of whoever builds content from other values.
    public init(_ kind: Kind, at path: String) {
        self.init(kind, path: path)
    }

    init(_ kind: Kind, path: String) {
        self.kind = kind
        self.path = path
    }

    /// One line for people: where, what, what is legal.
    public var description: String {
        switch kind {
        case .unknownMessage: "\(path): no message of that name"
        case .unknownField(let legal) where legal.isEmpty: "\(path): unknown"
        case .unknownField(let legal): "\(path): unknown; there are \(legal.joined(separator: ", "))"
        case .illegalValue(let found, let legal): "\(path): \(found) where is legal: \(legal)"
        case .repeated: "\(path): given more than once"
        case .beyond(let what, let limit): "\(path): more than \(limit) \(what)"
        case .tooLong(let limit, let actual): "\(path): \(actual) bytes where at most \(limit) fit"
        case .unreadable(let error): "\(path): \(error)"
        }
    }
}
