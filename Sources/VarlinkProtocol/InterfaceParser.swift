extension InterfaceDescription {
    /// Reads an interface description: optional comments, `interface NAME`, then types, methods and errors, each
    /// starting on a line of its own. Types nest up to 64 levels.
    public init(parsing text: String) throws(InterfaceError) {
        var parser = InterfaceParser(text)
        self = try parser.interface()
    }
}

/// A recursive-descent reader of interface descriptions.
struct InterfaceParser {
    private static let depthLimit = 64

    private typealias Place = InterfaceScanner.Place

    private let text: String
    private var scanner: InterfaceScanner
    /// Where named types are used, to be looked up when all are known.
    private var references: [(name: String, place: Place)] = []

    init(_ text: String) {
        self.text = text
        scanner = InterfaceScanner(text)
    }

    mutating func interface() throws(InterfaceError) -> InterfaceDescription {
        scanner.skipSpace()
        let documentation = scanner.takeDocumentation()
        let keyword = scanner
        guard scanner.word() == "interface" else { throw Self.unexpected(keyword, "'interface'") }
        guard scanner.skipRequiredSpace() else { throw Self.unexpected(scanner, "a space") }
        let name = try name(.interface)
        guard scanner.skipRestOfLine() else { throw Self.unexpected(scanner, "the end of the line") }

        var members: [InterfaceDescription.Member] = []
        var places: [Place] = []
        var positions: [String: Int] = [:]
        scanner.skipSpace()
        while !scanner.isAtEnd {
            let (member, place) = try member()
            guard positions.updateValue(members.count, forKey: member.name) == nil else {
                throw Self.error(.duplicateName(member.name, .member), place)
            }
            members.append(member)
            places.append(place)
            guard scanner.skipRestOfLine() else { throw Self.unexpected(scanner, "the end of the line") }
            scanner.skipSpace()
        }
        for (name, place) in references {
            guard let position = positions[name] else { throw Self.error(.unknownType(name), place) }
            guard case .type = members[position].kind else { throw Self.error(.notAType(name), place) }
        }
        if let position = Self.firstEndlessType(members, positions) {
            throw Self.error(.endlessType(members[position].name), places[position])
        }
        return InterfaceDescription(name: name, documentation: documentation, members: members, text: text)
    }

    private mutating func member() throws(InterfaceError) -> (InterfaceDescription.Member, Place) {
        let documentation = scanner.takeDocumentation()
        let keyword = scanner
        let word = scanner.word()
        guard word == "type" || word == "method" || word == "error" else {
            throw Self.unexpected(keyword, "'type', 'method' or 'error'")
        }
        guard scanner.skipRequiredSpace() else { throw Self.unexpected(scanner, "a space") }
        let place = scanner.place
        let name = try name(.member)
        scanner.skipSpace()
        let kind: InterfaceDescription.Kind
        switch word {
        case "type":
            kind = .type(try parenthesised(depth: 1))
        case "method":
            let parameters = try fields()
            scanner.skipSpace()
            guard scanner.take("->") else { throw Self.unexpected(scanner, "'->' and the reply's fields") }
            scanner.skipSpace()
            kind = .method(parameters: parameters, reply: try fields())
        default:
            kind = .error(try fields())
        }
        return (InterfaceDescription.Member(name: name, documentation: documentation, kind: kind), place)
    }

    /// The fields of a method or error.
    private mutating func fields() throws(InterfaceError) -> [VarlinkField] {
        let start = scanner
        switch try parenthesised(depth: 1) {
        case .structure(let fields): return fields
        case .bool, .int, .float, .string, .object, .named, .enumeration, .array, .map, .nullable:
            throw Self.unexpected(start, "fields with a ':' and a type each")
        }
    }

    /// A struct or an enumeration. Which one shows behind the first name.
    private mutating func parenthesised(depth: Int) throws(InterfaceError) -> VarlinkType {
        guard depth <= Self.depthLimit else { throw Self.error(.tooDeep(limit: Self.depthLimit), scanner.place) }
        guard scanner.take("(") else { throw Self.unexpected(scanner, "'('") }
        var fields: [VarlinkField] = []
        var words: [String] = []
        // Look-up only; never iterated.
        var taken: Set<String> = []
        scanner.skipSpace()
        if scanner.take(")") { return .structure([]) }
        while true {
            let documentation = scanner.takeDocumentation()
            let place = scanner.place
            let role: InterfaceError.NameRole = words.isEmpty ? .field : .word
            let name = try name(role)
            guard taken.insert(name).inserted else { throw Self.error(.duplicateName(name, role), place) }
            scanner.skipSpace()
            if words.isEmpty, scanner.take(":") {
                scanner.skipSpace()
                let type = try type(depth: depth)
                fields.append(VarlinkField(name: name, type: type, documentation: documentation))
                scanner.skipSpace()
            } else if fields.isEmpty {
                words.append(name)
            } else {
                throw Self.unexpected(scanner, "':' and the field's type")
            }
            if scanner.take(")") { return words.isEmpty ? .structure(fields) : .enumeration(words) }
            guard scanner.take(",") else { throw Self.unexpected(scanner, "',' or ')'") }
            scanner.skipSpace()
        }
    }

    private mutating func type(depth: Int) throws(InterfaceError) -> VarlinkType {
        guard depth <= Self.depthLimit else { throw Self.error(.tooDeep(limit: Self.depthLimit), scanner.place) }
        if scanner.take("?") {
            if scanner.peek == UInt8(ascii: "?") { throw Self.unexpected(scanner, "a type that is not optional") }
            return .nullable(try type(depth: depth + 1))
        }
        if scanner.take("[]") { return .array(try type(depth: depth + 1)) }
        if scanner.take("[string]") { return .map(try type(depth: depth + 1)) }
        if scanner.peek == UInt8(ascii: "(") { return try parenthesised(depth: depth + 1) }
        let start = scanner
        let word = scanner.word()
        switch word {
        case "bool": return .bool
        case "int": return .int
        case "float": return .float
        case "string": return .string
        case "object": return .object
        case let name where InterfaceNames.isMember(name):
            references.append((name, start.place))
            return .named(name)
        default:
            throw Self.unexpected(
                start, "a type: bool, int, float, string, object, a declared type, '(', '[]', '[string]' or '?'")
        }
    }

    private mutating func name(_ role: InterfaceError.NameRole) throws(InterfaceError) -> String {
        let start = scanner
        let name = scanner.word()
        let isValid: Bool
        let expected: String
        switch role {
        case .interface: (isValid, expected) = (InterfaceNames.isInterface(name), "the interface's name")
        case .member: (isValid, expected) = (InterfaceNames.isMember(name), "a name")
        case .field, .word: (isValid, expected) = (InterfaceNames.isField(name), "a name")
        }
        guard !name.isEmpty else { throw Self.unexpected(start, expected) }
        guard isValid else { throw Self.error(.invalidName(name, role), start.place) }
        return name
    }

    private static func error(_ kind: InterfaceError.Kind, _ place: Place) -> InterfaceError {
        InterfaceError(kind: kind, line: place.line, column: place.column)
    }

    private static func unexpected(_ scanner: InterfaceScanner, _ expected: String) -> InterfaceError {
        error(.unexpected(scanner.found, expected: expected), scanner.place)
    }
}

extension InterfaceParser {
    /// The first type that can have no finite value. Types whose direct parts are all finite are struck off until
    /// nothing changes; whatever remains contains itself, or something that does. Of these the first one that lies on
    /// a circle is told. No recursion: a hostile text can chain any number of types.
    private static func firstEndlessType(
        _ members: [InterfaceDescription.Member], _ positions: [String: Int]
    ) -> Int? {
        var parts: [[Int]] = []
        var users: [[Int]] = Array(repeating: [], count: members.count)
        for (position, member) in members.enumerated() {
            var direct: [Int] = []
            if case .type(let type) = member.kind { collectDirectParts(of: type, positions, into: &direct) }
            for part in direct { users[part].append(position) }
            parts.append(direct)
        }
        var openParts = parts.map(\.count)
        var finite = members.indices.filter { openParts[$0] == 0 }
        while let position = finite.popLast() {
            for user in users[position] {
                openParts[user] -= 1
                if openParts[user] == 0 { finite.append(user) }
            }
        }
        guard var position = members.indices.first(where: { openParts[$0] > 0 }) else { return nil }
        // Following open parts for as many steps as there are members ends on a circle.
        for _ in members.indices {
            guard let next = parts[position].first(where: { openParts[$0] > 0 }) else { break }
            position = next
        }
        return position
    }

    /// Named types whose values every value of `type` contains. Nesting is bounded by the parser.
    private static func collectDirectParts(of type: VarlinkType, _ positions: [String: Int], into parts: inout [Int]) {
        switch type {
        case .named(let name):
            if let position = positions[name] { parts.append(position) }
        case .structure(let fields):
            for field in fields { collectDirectParts(of: field.type, positions, into: &parts) }
        case .bool, .int, .float, .string, .object, .enumeration, .array, .map, .nullable:
            break
        }
    }
}
