extension InterfaceDescription {
    /// The interface as a Markdown page: its comment, then methods, types and errors, each with its comment and a table
    /// of fields.
    public func markdown() -> String {
        var page = "# \(name)\n"
        page.appendParagraph(documentation)
        page.appendSection("Methods", members.filter { $0.kind.word == "method" })
        page.appendSection("Types", members.filter { $0.kind.word == "type" })
        page.appendSection("Errors", members.filter { $0.kind.word == "error" })
        return page
    }
}

extension String {
    fileprivate mutating func appendSection(_ title: String, _ members: [InterfaceDescription.Member]) {
        if members.isEmpty { return }
        self += "\n## \(title)\n"
        for member in members {
            self += "\n### \(member.name)\n"
            appendParagraph(member.documentation)
            switch member.kind {
            case .method(let parameters, let reply):
                appendFields("Parameters", parameters)
                appendFields("Reply", reply)
            case .type(.structure(let fields)):
                appendFields("Fields", fields)
            case .type(.enumeration(let words)):
                self += "\nOne of: " + words.map { "`\($0)`" }.joined(separator: ", ") + "\n"
            case .type(let type):
                self += "\n`\(type)`\n"
            case .error(let fields):
                appendFields("Fields", fields)
            }
        }
    }

    fileprivate mutating func appendParagraph(_ text: String) {
        if !text.isEmpty { self += "\n\(text)\n" }
    }

    private mutating func appendFields(_ title: String, _ fields: [VarlinkField]) {
        if fields.isEmpty {
            self += "\n\(title): none\n"
            return
        }
        self += "\n| \(title) | Type | |\n| --- | --- | --- |\n"
        for field in fields { appendRow(field, within: "") }
    }

    /// A row for the field, then one for each field of a struct written in place.
    private mutating func appendRow(_ field: VarlinkField, within path: String) {
        let path = path.isEmpty ? field.name : path + "." + field.name
        let words = field.documentation.split(separator: "\n").joined(separator: " ")
        let cell = words.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
        self += "| `\(path)` | \(Self.cell(of: field.type)) | \(cell) |\n"
        for inner in field.type.inlineFields { appendRow(inner, within: path) }
    }

    private static func cell(of type: VarlinkType) -> String {
        switch type {
        case .bool, .int, .float, .string, .object, .enumeration: "`\(type)`"
        case .named(let name): "[\(name)](#\(name.lowercased()))"
        case .structure(let fields): fields.isEmpty ? "`()`" : "struct"
        case .array(let element): "array of " + cell(of: element)
        case .map(.structure([])): "set of strings"
        case .map(let value): "map of string to " + cell(of: value)
        case .nullable(let wrapped): "optional " + cell(of: wrapped)
        }
    }
}

extension VarlinkType {
    /// The fields of a struct written in place, also as element, map value or optional.
    fileprivate var inlineFields: [VarlinkField] {
        switch self {
        case .structure(let fields): fields
        case .array(let type), .map(let type), .nullable(let type): type.inlineFields
        case .bool, .int, .float, .string, .object, .named, .enumeration: []
        }
    }
}
