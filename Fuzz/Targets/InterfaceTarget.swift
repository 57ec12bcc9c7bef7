import VarlinkProtocol

/// A description text, a JSON value and a second text, with NULs between: what parses is printed and read back, any
/// value is checked against every member, and the second text is compared with the first.
enum InterfaceTarget {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        let parts = bytes[...].parts(atMost: 3)
        guard let first = try parse(parts[0]) else { return }
        try checkPrinting(first)
        _ = first.markdown()
        try require(first.growthProblems(since: first).isEmpty, "an interface outgrows itself")
        if parts.count > 1, let value = try? JSON.parse(parts[1]) { validate(value, first) }
        if parts.count > 2, let second = try parse(parts[2]) {
            for problem in second.growthProblems(since: first) {
                try require(!problem.description.isEmpty, "a change without text")
            }
        }
    }

    private static func parse(_ bytes: ArraySlice<UInt8>) throws(FuzzFinding) -> InterfaceDescription? {
        let text = String(decoding: bytes, as: UTF8.self)
        do throws(InterfaceError) {
            return try InterfaceDescription(parsing: text)
        } catch {
            let lines = text.utf8.count { $0 == 0x0A || $0 == 0x0D } + 1
            try require((1...lines).contains(error.line), "an error in line \(error.line) of \(lines)")
            try require(error.column >= 1 && error.column <= text.utf8.count + 1, "an error in column \(error.column)")
            try require(!error.description.isEmpty, "an error without text")
            return nil
        }
    }

    /// Prints an interface without its comments and reads it back.
    private static func checkPrinting(_ interface: InterfaceDescription) throws(FuzzFinding) {
        let text = print(interface)
        switch Result(catching: { () throws(InterfaceError) in try InterfaceDescription(parsing: text) }) {
        case .success(let again):
            try require(
                again.name == interface.name
                    && again.members.map(\.withoutComments) == interface.members.map(\.withoutComments),
                "a printed interface reads as another:\n\(text)")
        case .failure(let error): throw FuzzFinding("a printed interface cannot be read: \(error)\n\(text)")
        }
    }

    private static func print(_ interface: InterfaceDescription) -> String {
        var text = "interface \(interface.name)\n"
        for member in interface.members {
            switch member.kind {
            case .type(let type): text += "type \(member.name) \(type)\n"
            case .method(let parameters, let reply):
                text += "method \(member.name)\(VarlinkType.structure(parameters))"
                text += " -> \(VarlinkType.structure(reply))\n"
            case .error(let fields): text += "error \(member.name) \(VarlinkType.structure(fields))\n"
            }
        }
        return text
    }

    /// Whether it fits does not matter here; that the checks come to an end does.
    private static func validate(_ value: JSON, _ interface: InterfaceDescription) {
        for member in interface.members {
            for unknown in [InterfaceDescription.UnknownFields.refused, .ignored] {
                try? interface.validate(value, asType: member.name, unknownFields: unknown)
                guard let object = value.objectValue else { continue }
                try? interface.validate(parameters: object, ofMethod: member.name, unknownFields: unknown)
                try? interface.validate(reply: object, ofMethod: member.name, unknownFields: unknown)
                try? interface.validate(error: member.name, parameters: object, unknownFields: unknown)
            }
        }
    }
}

extension InterfaceDescription.Member {
    /// What it declares, as one type for each part.
    fileprivate var withoutComments: [VarlinkType] {
        let parts: [VarlinkType] =
            switch kind {
            case .type(let type): [type]
            case .method(let parameters, let reply): [.structure(parameters), .structure(reply)]
            case .error(let fields): [.structure(fields)]
            }
        return [.named(name)] + parts.map(\.withoutComments)
    }
}

extension VarlinkType {
    fileprivate var withoutComments: VarlinkType {
        switch self {
        case .bool, .int, .float, .string, .object, .named, .enumeration: self
        case .structure(let fields):
            .structure(fields.map { VarlinkField(name: $0.name, type: $0.type.withoutComments) })
        case .array(let type): .array(type.withoutComments)
        case .map(let type): .map(type.withoutComments)
        case .nullable(let type): .nullable(type.withoutComments)
        }
    }
}
