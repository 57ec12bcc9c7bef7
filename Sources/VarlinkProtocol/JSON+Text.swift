extension JSON: CustomStringConvertible {
    /// The JSON text without spaces, as it goes over a socket.
    public var description: String {
        var bytes: [UInt8] = []
        write(into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The JSON text for people: two spaces per level, one member or element per line, no line end behind the value.
    /// Empty arrays and objects stay on one line.
    public var prettyText: String {
        var lines = ""
        appendPretty(to: &lines, indentation: "\n")
        return lines
    }

    private func appendPretty(to text: inout String, indentation: String) {
        switch self {
        case .array(let elements) where !elements.isEmpty:
            let inner = indentation + "  "
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                text += inner
                element.appendPretty(to: &text, indentation: inner)
            }
            text += indentation + "]"
        case .object(let object) where !object.isEmpty:
            let inner = indentation + "  "
            text += "{"
            for (index, member) in object.members.enumerated() {
                if index > 0 { text += "," }
                text += inner + JSON.string(member.key).description + ": "
                member.value.appendPretty(to: &text, indentation: inner)
            }
            text += indentation + "}"
        case .null, .bool, .int, .double, .string, .array, .object:
            text += description
        }
    }
}
