/// One named value of an enumeration on the wire.
public struct FieldChoice: Hashable, Sendable {
    /// The number on the wire.
    public let value: UInt8
    /// Its name, lower camel case.
    public let name: String

    /// Names a number.
    public init(_ value: UInt8, _ name: String) {
        self.value = value
        self.name = name
    }
}

/// How the value of a parameter is written. Integers are big-endian. [C][2+]
public indirect enum FieldType: Equatable, Sendable {
    case u8
    case u16
    case u32
    case u64
    case i8
    case i16
    case i32
    case i64
    /// One byte, 0 or 1.
    case boolean
    /// One byte with named values; a number without a name is legal and kept.
    case choice([FieldChoice])
    /// UTF-8 ended by a NUL.
    case text
    /// Any bytes.
    case bytes
    /// Empty: being there is all it says.
    case flag
    /// Packed u16 numbers.
    case numbers
    /// Packed u16 numbers of messages.
    case messageIDs
    /// Parameters of its own.
    case group([MessageField])

    /// The name of the type, as `dashrig decode` and the interface show it.
    public var name: String {
        switch self {
        case .u8: "u8"
        case .u16: "u16"
        case .u32: "u32"
        case .u64: "u64"
        case .i8: "i8"
        case .i16: "i16"
        case .i32: "i32"
        case .i64: "i64"
        case .boolean: "bool"
        case .choice: "enum"
        case .text: "text"
        case .bytes: "bytes"
        case .flag: "flag"
        case .numbers: "numbers"
        case .messageIDs: "messages"
        case .group: "group"
        }
    }

    /// What is legal, for people.
    public var legal: String {
        switch self {
        case .u8: "a whole number, 0...\(UInt8.max)"
        case .u16: "a whole number, 0...\(UInt16.max)"
        case .u32: "a whole number, 0...\(UInt32.max)"
        case .u64: "a whole number, 0...\(UInt64.max)"
        case .i8: "a whole number, \(Int8.min)...\(Int8.max)"
        case .i16: "a whole number, \(Int16.min)...\(Int16.max)"
        case .i32: "a whole number, \(Int32.min)...\(Int32.max)"
        case .i64: "a whole number, \(Int64.min)...\(Int64.max)"
        case .boolean: "true or false"
        case .choice(let choices): "one of \(choices.map(\.name).joined(separator: ", ")), or a number 0...255"
        case .text: "text without NUL, at most \(MessageCatalogue.maximumTextLength) bytes"
        case .bytes: "bytes, or text of pairs of hexadecimal digits"
        case .flag: "true, or left out"
        case .numbers: "a list of whole numbers, 0...\(UInt16.max)"
        case .messageIDs: "a list of message numbers or names"
        case .group(let fields): "a group of \(fields.map(\.name).joined(separator: ", "))"
        }
    }
}

/// One parameter of a message or group: number, name and type.
public struct MessageField: Equatable, Sendable {
    /// The number on the wire.
    public let id: UInt16
    /// Its name, lower camel case, unique in its message or group.
    public let name: String
    /// How its value is written.
    public let type: FieldType
    /// It may be there more than once.
    public let isRepeated: Bool

    /// States a field.
    public init(_ id: UInt16, _ name: String, _ type: FieldType, isRepeated: Bool = false) {
        self.id = id
        self.name = name
        self.type = type
        self.isRepeated = isRepeated
    }

    /// A field with values that are named in order from 0.
    static func choice(_ id: UInt16, _ name: String, _ names: String...) -> MessageField {
        let choices = names.enumerated().map { FieldChoice(UInt8(truncatingIfNeeded: $0.offset), $0.element) }
        return MessageField(id, name, .choice(choices))
    }

    /// The field as a unit asks for it: empty, or a group of what is asked for in it. [2+] (NOC, LIVI, POD)
    var asked: MessageField {
        switch type {
        case .group(let fields): MessageField(id, name, .group(fields.map(\.asked)))
        case .u8, .u16, .u32, .u64, .i8, .i16, .i32, .i64, .boolean, .choice, .text, .bytes, .flag, .numbers,
            .messageIDs:
            MessageField(id, name, .flag)
        }
    }
}

extension [MessageField] {
    /// The field of a number, or nil.
    func field(_ id: UInt16) -> MessageField? { first { $0.id == id } }

    /// The field of a name, or nil.
    func field(named name: String) -> MessageField? { first { $0.name == name } }
}
