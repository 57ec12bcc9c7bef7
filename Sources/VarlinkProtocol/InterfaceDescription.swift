/// A type of the interface language.
public indirect enum VarlinkType: Equatable, Sendable {
    /// `true` or `false`.
    case bool
    /// A signed 64-bit integer.
    case int
    /// A number.
    case float
    /// Text.
    case string
    /// Any JSON object.
    case object
    /// A type that the interface declares by this name.
    case named(String)
    /// Fields in parentheses. Without fields it is the value type of a set, `[string]()`.
    case structure([VarlinkField])
    /// One word of a list.
    case enumeration([String])
    /// `[]` and the element's type.
    case array(VarlinkType)
    /// `[string]` and the values' type.
    case map(VarlinkType)
    /// `?` and a type: may be absent or null. Never directly another `nullable`.
    case nullable(VarlinkType)

    /// Whether a field of this type may be left out.
    public var isNullable: Bool {
        if case .nullable = self { true } else { false }
    }
}

/// A named value in a struct, a call, a reply or an error.
public struct VarlinkField: Equatable, Sendable {
    /// The key in JSON.
    public let name: String
    /// The value's type.
    public let type: VarlinkType
    /// The comment lines directly above, without their `#`; empty when there are none.
    public let documentation: String

    /// A field from its parts.
    public init(name: String, type: VarlinkType, documentation: String = "") {
        self.name = name
        self.type = type
        self.documentation = documentation
    }
}

/// One interface as its description text declares it.
///
/// Holds only what the parser has checked: names are legal and unique, every named type exists and no type contains
/// itself without a `?`, `[]` or `[string]` between.
public struct InterfaceDescription: Equatable, Sendable {
    /// A type, method or error; they share one namespace.
    public struct Member: Equatable, Sendable {
        /// The name, starting with an upper-case letter.
        public let name: String
        /// The comment lines directly above, without their `#`; empty when there are none.
        public let documentation: String
        /// What it is.
        public let kind: Kind
    }

    /// What a member is.
    public enum Kind: Equatable, Sendable {
        /// A named struct or enumeration.
        case type(VarlinkType)
        /// A method.
        case method(parameters: [VarlinkField], reply: [VarlinkField])
        /// An error and its fields.
        case error([VarlinkField])
    }

    /// The full name, such as `org.dashrig.Rig`.
    public let name: String
    /// The comment lines directly above `interface`, without their `#`.
    public let documentation: String
    /// The members in the order of the text.
    public let members: [Member]
    /// The text as it was given; what `GetInterfaceDescription` serves.
    public let text: String

    /// Positions by name, for look-up only: never iterated.
    private let positions: [String: Int]

    init(name: String, documentation: String, members: [Member], text: String) {
        self.name = name
        self.documentation = documentation
        self.members = members
        self.text = text
        positions = Dictionary(members.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The member of this name (without the interface's), nil if there is none.
    public func member(_ name: String) -> Member? {
        positions[name].map { members[$0] }
    }

    /// The type of this name, nil if there is none.
    public func type(_ name: String) -> VarlinkType? {
        if case .type(let type)? = member(name)?.kind { type } else { nil }
    }

    /// The fields of this method's call and reply, nil if there is no such method.
    public func method(_ name: String) -> (parameters: [VarlinkField], reply: [VarlinkField])? {
        if case .method(let parameters, let reply)? = member(name)?.kind { (parameters, reply) } else { nil }
    }

    /// The fields of this error, nil if there is no such error.
    public func error(_ name: String) -> [VarlinkField]? {
        if case .error(let fields)? = member(name)?.kind { fields } else { nil }
    }
}

extension VarlinkType: CustomStringConvertible {
    /// The type as the interface language writes it, on one line.
    public var description: String {
        switch self {
        case .bool: "bool"
        case .int: "int"
        case .float: "float"
        case .string: "string"
        case .object: "object"
        case .named(let name): name
        case .structure(let fields):
            "(" + fields.map { "\($0.name): \($0.type)" }.joined(separator: ", ") + ")"
        case .enumeration(let words): "(" + words.joined(separator: ", ") + ")"
        case .array(let element): "[]\(element)"
        case .map(let value): "[string]\(value)"
        case .nullable(let type): "?\(type)"
        }
    }
}
