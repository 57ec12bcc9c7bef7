extension InterfaceDescription {
    /// What to do about fields that the interface does not declare.
    public enum UnknownFields: Sendable {
        /// An error: for calls, where they are slips, and for our own replies.
        case refused
        /// Nothing: for replies of a server that may be newer than the description at hand.
        case ignored
    }

    /// Checks a call's parameters. `method` is the name without the interface's.
    public func validate(
        parameters: JSONObject, ofMethod method: String, unknownFields: UnknownFields = .refused
    ) throws(FieldError) {
        guard let fields = self.method(method)?.parameters else { throw FieldError(method, .noSuchMember) }
        try validate(parameters, against: fields, unknownFields)
    }

    /// Checks a reply's parameters. `method` is the name without the interface's.
    public func validate(
        reply parameters: JSONObject, ofMethod method: String, unknownFields: UnknownFields = .refused
    ) throws(FieldError) {
        guard let fields = self.method(method)?.reply else { throw FieldError(method, .noSuchMember) }
        try validate(parameters, against: fields, unknownFields)
    }

    /// Checks an error's parameters. `error` is the name without the interface's.
    public func validate(
        error: String, parameters: JSONObject, unknownFields: UnknownFields = .refused
    ) throws(FieldError) {
        guard let fields = self.error(error) else { throw FieldError(error, .noSuchMember) }
        try validate(parameters, against: fields, unknownFields)
    }

    /// Checks a value against a type that this interface declares. `type` is a name in it.
    public func validate(
        _ value: JSON, asType type: String, unknownFields: UnknownFields = .refused
    ) throws(FieldError) {
        guard self.type(type) != nil else { throw FieldError(type, .noSuchMember) }
        try validate(value, against: .named(type), unknownFields)
    }

    /// Members that are there are checked in their order, then fields that are not.
    private func validate(
        _ object: JSONObject, against fields: [VarlinkField], _ unknownFields: UnknownFields
    ) throws(FieldError) {
        for member in object.members {
            if let field = fields.first(where: { $0.name == member.key }) {
                do {
                    try validate(member.value, against: field.type, unknownFields)
                } catch {
                    throw error.inField(field.name)
                }
                continue
            }
            switch unknownFields {
            case .ignored: break
            case .refused:
                let suggestion = nearestName(to: member.key, among: fields.map(\.name))
                throw FieldError(member.key, .unknownField(suggestion: suggestion))
            }
        }
        for field in fields where !field.type.isNullable && object[field.name] == nil {
            throw FieldError(field.name, .missing(type: Self.expectation(of: field.type)))
        }
    }

    /// Recursion follows the value, whose depth the JSON parser bounds; a name leads to a struct or enumeration.
    private func validate(
        _ value: JSON, against type: VarlinkType, _ unknownFields: UnknownFields
    ) throws(FieldError) {
        switch (type, value) {
        case (.bool, .bool), (.int, .int), (.float, .double), (.float, .int), (.string, .string), (.object, .object):
            return
        case (.nullable, .null):
            return
        case (.nullable(let wrapped), _):
            try validate(value, against: wrapped, unknownFields)
        case (.named(let name), _):
            // The parser has checked that every named type is declared.
            guard let declared = self.type(name) else { throw FieldError("", .noSuchMember) }
            try validate(value, against: declared, unknownFields)
        case (.structure(let fields), .object(let object)):
            try validate(object, against: fields, unknownFields)
        case (.enumeration(let words), .string(let word)):
            guard words.contains(where: { $0 == word }) else {
                throw FieldError("", .unknownWord(word, words: words))
            }
        case (.array(let element), .array(let elements)):
            for (index, value) in elements.enumerated() {
                do {
                    try validate(value, against: element, unknownFields)
                } catch {
                    throw error.inElement(index)
                }
            }
        case (.map(let type), .object(let object)):
            for member in object.members {
                do {
                    try validate(member.value, against: type, unknownFields)
                } catch {
                    throw error.inKey(member.key)
                }
            }
        case (.bool, _), (.int, _), (.float, _), (.string, _), (.object, _), (.structure, _), (.enumeration, _),
            (.array, _), (.map, _):
            throw FieldError("", .wrongType(expected: Self.expectation(of: type), got: value.kindName))
        }
    }

    /// What a person calls a value of this type.
    private static func expectation(of type: VarlinkType) -> String {
        switch type {
        case .bool, .int, .float, .string, .object, .named: type.description
        case .structure, .map: "object"
        case .enumeration(let words): "one of " + words.joined(separator: ", ")
        case .array: "array"
        case .nullable(let wrapped): expectation(of: wrapped)
        }
    }
}
