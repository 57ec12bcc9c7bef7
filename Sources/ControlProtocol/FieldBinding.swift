public import WireBytes

/// One parameter of a typed group or message: what the catalogue says of it, and where in `Root` its value lives. A type
/// lists its bindings once; reading, writing and its layout in the catalogue all follow from them.
public struct FieldBinding<Root: Sendable>: Sendable {
    /// What the catalogue says.
    public let field: MessageField
    /// Without it the group or message cannot be read.
    let isRequired: Bool
    let read: @Sendable (ControlParameter, inout Root) throws(WireError) -> Void
    let write: @Sendable (Root, inout ControlParameters) throws(WireError) -> Void
}

/// A group of parameters that is described by bindings. Unknown parameters are skipped when it is read.
public protocol FieldMapped: Equatable, Sendable {
    /// A value with nothing in it.
    init()
    /// Its parameters, in the order in which they are written.
    static var bindings: [FieldBinding<Self>] { get }
}

/// A message that is described by bindings.
public protocol MappedMessage: FieldMapped, TypedControlMessage {}

extension FieldMapped {
    /// What the catalogue says of its parameters.
    static var fields: [MessageField] { bindings.map(\.field) }

    /// Reads the parameters: throws at the first that is repeated or malformed, or for a required one that is missing.
    public init(parameters: ControlParameters) throws(WireError) {
        self.init()
        let bindings = Self.bindings
        var seen = [Bool](repeating: false, count: bindings.count)
        var count = 0
        var reader = parameters.reader
        while let parameter = try reader.next() {
            count += 1
            guard count <= ControlParameters.maximumCount else {
                throw WireError(
                    .tooMany(limit: ControlParameters.maximumCount), offset: parameter.offset, field: "parameters")
            }
            guard let index = bindings.firstIndex(where: { $0.field.id == parameter.id }) else { continue }
            guard !seen[index] || bindings[index].field.isRepeated else {
                throw WireError(.repeated, offset: parameter.offset, field: "parameter \(parameter.id)")
            }
            seen[index] = true
            try bindings[index].read(parameter, &self)
        }
        for (index, binding) in bindings.enumerated() where binding.isRequired && !seen[index] {
            throw WireError(.missing, offset: parameters.offset, field: "parameter \(binding.field.id)")
        }
    }

    /// The parameters. Throws when a value fits no parameter.
    public func encodeParameters() throws(WireError) -> ControlParameters {
        var parameters = ControlParameters()
        for binding in Self.bindings { try binding.write(self, &parameters) }
        return parameters
    }
}

// MARK: - One value

extension FieldBinding {
    /// An integer that may be missing.
    static func integer<Value: WireInteger>(
        _ id: UInt16, _ name: String, _ path: any WritableKeyPath<Root, Value?> & Sendable
    ) -> FieldBinding {
        FieldBinding(field: MessageField(id, name, Value.fieldType), isRequired: false) {
            parameter, root throws(WireError) in
            root[keyPath: path] = try parameter.integer(Value.self)
        } write: { root, parameters throws(WireError) in
            if let value = root[keyPath: path] { parameters.append(id, value) }
        }
    }

    /// An integer without which the rest says nothing.
    static func required<Value: WireInteger>(
        _ id: UInt16, _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable
    ) -> FieldBinding {
        FieldBinding(field: MessageField(id, name, Value.fieldType), isRequired: true) {
            parameter, root throws(WireError) in
            root[keyPath: path] = try parameter.integer(Value.self)
        } write: { root, parameters throws(WireError) in
            parameters.append(id, root[keyPath: path])
        }
    }

    /// 0 or 1, or missing.
    static func boolean(
        _ id: UInt16, _ name: String, _ path: any WritableKeyPath<Root, Bool?> & Sendable
    ) -> FieldBinding {
        FieldBinding(field: MessageField(id, name, .boolean), isRequired: false) {
            parameter, root throws(WireError) in
            root[keyPath: path] = try parameter.boolean()
        } write: { root, parameters throws(WireError) in
            if let value = root[keyPath: path] { parameters.append(id, value) }
        }
    }

    /// 0 or 1, without which the rest says nothing.
    static func required(
        _ id: UInt16, _ name: String, _ path: any WritableKeyPath<Root, Bool> & Sendable
    ) -> FieldBinding {
        FieldBinding(field: MessageField(id, name, .boolean), isRequired: true) {
            parameter, root throws(WireError) in
            root[keyPath: path] = try parameter.boolean()
        } write: { root, parameters throws(WireError) in
            parameters.append(id, root[keyPath: path])
        }
    }

    /// There or not.
    static func flag(
        _ id: UInt16, _ name: String, _ path: any WritableKeyPath<Root, Bool> & Sendable
    ) -> FieldBinding {
        FieldBinding(field: MessageField(id, name, .flag), isRequired: false) {
            parameter, root throws(WireError) in
            try parameter.flag()
            root[keyPath: path] = true
        } write: { root, parameters throws(WireError) in
            if root[keyPath: path] { parameters.appendFlag(id) }
        }
    }

    /// Text that may be missing.
    static func text(
        _ id: UInt16, _ name: String, _ path: any WritableKeyPath<Root, String?> & Sendable
    ) -> FieldBinding {
        FieldBinding(field: MessageField(id, name, .text), isRequired: false) {
            parameter, root throws(WireError) in
            root[keyPath: path] = try parameter.text(limit: MessageCatalogue.maximumTextLength)
        } write: { root, parameters throws(WireError) in
            if let value = root[keyPath: path] { try parameters.append(id, text: try checked(value, id)) }
        }
    }

    /// Text without which the rest says nothing.
    static func required(
        _ id: UInt16, _ name: String, _ path: any WritableKeyPath<Root, String> & Sendable
    ) -> FieldBinding {
        FieldBinding(field: MessageField(id, name, .text), isRequired: true) {
            parameter, root throws(WireError) in
            root[keyPath: path] = try parameter.text(limit: MessageCatalogue.maximumTextLength)
        } write: { root, parameters throws(WireError) in
            try parameters.append(id, text: try checked(root[keyPath: path], id))
        }
    }

    /// Bytes that may be missing.
    static func bytes(
        _ id: UInt16, _ name: String, _ path: any WritableKeyPath<Root, [UInt8]?> & Sendable
    ) -> FieldBinding {
        FieldBinding(field: MessageField(id, name, .bytes), isRequired: false) {
            parameter, root throws(WireError) in
            root[keyPath: path] = try parameter.bytes()
        } write: { root, parameters throws(WireError) in
            if let value = root[keyPath: path] { try parameters.append(id, bytes: value) }
        }
    }

    /// One byte of an enumeration, or missing. A number that the enumeration does not have is `.outOfRange`.
    static func choice<Choice: WireChoice>(
        _ id: UInt16, _ name: String, _ path: any WritableKeyPath<Root, Choice?> & Sendable
    ) -> FieldBinding {
        FieldBinding(field: MessageField(id, name, .choice(Choice.fieldChoices)), isRequired: false) {
            parameter, root throws(WireError) in
            let value: UInt8 = try parameter.integer()
            guard let choice = Choice(rawValue: value) else {
                throw WireError(
                    .outOfRange(
                        value: UInt64(value), minimum: UInt64(Choice.allCases.map(\.rawValue).min() ?? 0),
                        maximum: UInt64(Choice.allCases.map(\.rawValue).max() ?? 0)),
                    offset: parameter.offset, field: "parameter \(id)")
            }
            root[keyPath: path] = choice
        } write: { root, parameters throws(WireError) in
            if let value = root[keyPath: path] { parameters.append(id, value.rawValue) }
        }
    }

    /// Packed u16 numbers, or missing.
    static func numbers(
        _ id: UInt16, _ name: String, _ path: any WritableKeyPath<Root, [UInt16]?> & Sendable
    ) -> FieldBinding {
        FieldBinding(field: MessageField(id, name, .numbers), isRequired: false) {
            parameter, root throws(WireError) in
            root[keyPath: path] = try parameter.integers()
        } write: { root, parameters throws(WireError) in
            if let value = root[keyPath: path] { try parameters.append(id, integers: value) }
        }
    }

    /// A group, or missing.
    static func group<Group: FieldMapped>(
        _ id: UInt16, _ name: String, _ path: any WritableKeyPath<Root, Group?> & Sendable
    ) -> FieldBinding {
        FieldBinding(field: MessageField(id, name, .group(Group.fields)), isRequired: false) {
            parameter, root throws(WireError) in
            root[keyPath: path] = try Group(parameters: parameter.group())
        } write: { root, parameters throws(WireError) in
            if let value = root[keyPath: path] { try parameters.append(id, group: try value.encodeParameters()) }
        }
    }

    private static func checked(_ text: String, _ id: UInt16) throws(WireError) -> String {
        guard text.utf8.count <= MessageCatalogue.maximumTextLength else {
            throw WireError(
                .excess(limit: MessageCatalogue.maximumTextLength, actual: text.utf8.count), offset: 0,
                field: "parameter \(id)")
        }
        return text
    }
}

// MARK: - Repeated values

extension FieldBinding {
    /// Groups, at most `limit`.
    static func groups<Group: FieldMapped>(
        _ id: UInt16, _ name: String, _ path: any WritableKeyPath<Root, [Group]> & Sendable, limit: Int
    ) -> FieldBinding {
        FieldBinding(field: MessageField(id, name, .group(Group.fields), isRepeated: true), isRequired: false) {
            parameter, root throws(WireError) in
            try checkRoom(root[keyPath: path].count, limit, parameter)
            root[keyPath: path].append(try Group(parameters: parameter.group()))
        } write: { root, parameters throws(WireError) in
            for value in root[keyPath: path] { try parameters.append(id, group: try value.encodeParameters()) }
        }
    }

    /// Integers, each in a parameter of its own, at most `limit`.
    static func integers<Value: WireInteger>(
        _ id: UInt16, _ name: String, _ path: any WritableKeyPath<Root, [Value]> & Sendable, limit: Int
    ) -> FieldBinding {
        FieldBinding(field: MessageField(id, name, Value.fieldType, isRepeated: true), isRequired: false) {
            parameter, root throws(WireError) in
            try checkRoom(root[keyPath: path].count, limit, parameter)
            root[keyPath: path].append(try parameter.integer(Value.self))
        } write: { root, parameters throws(WireError) in
            for value in root[keyPath: path] { parameters.append(id, value) }
        }
    }

    private static func checkRoom(_ count: Int, _ limit: Int, _ parameter: ControlParameter) throws(WireError) {
        guard count < limit else {
            throw WireError(.tooMany(limit: limit), offset: parameter.offset, field: "parameter \(parameter.id)")
        }
    }
}

/// An integer that a parameter can hold.
protocol WireInteger: FixedWidthInteger, Sendable {
    static var fieldType: FieldType { get }
}

extension UInt8: WireInteger { static var fieldType: FieldType { .u8 } }
extension UInt16: WireInteger { static var fieldType: FieldType { .u16 } }
extension UInt32: WireInteger { static var fieldType: FieldType { .u32 } }
extension UInt64: WireInteger { static var fieldType: FieldType { .u64 } }
extension Int8: WireInteger { static var fieldType: FieldType { .i8 } }
extension Int16: WireInteger { static var fieldType: FieldType { .i16 } }
extension Int64: WireInteger { static var fieldType: FieldType { .i64 } }

/// An enumeration on the wire; its cases' names are the names of its values.
protocol WireChoice: RawRepresentable<UInt8>, CaseIterable, Sendable {}

extension WireChoice {
    static var fieldChoices: [FieldChoice] { allCases.map { FieldChoice($0.rawValue, "\($0)") } }
}
