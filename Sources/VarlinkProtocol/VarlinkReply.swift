/// A reply as it goes over the socket.
public struct VarlinkReply: Equatable, Sendable {
    /// The result, or the fields of the error; empty when there are none.
    public var parameters: JSONObject
    /// More replies to the same call follow.
    public var continues: Bool
    /// The error's full name, nil on success.
    public var error: String?

    /// A reply from its parts.
    public init(parameters: JSONObject = JSONObject(), continues: Bool = false, error: String? = nil) {
        self.parameters = parameters
        self.continues = continues
        self.error = error
    }
}

/// Why a record is not a reply. The fault is with the server; the connection is of no use any more.
public enum ReplyError: Error, Equatable, Sendable {
    /// The record is not JSON.
    case notJSON(JSONError)
    /// The record is JSON, but no object.
    case notAnObject(got: String)
    /// A known key with a value of the wrong type.
    case wrongType(key: String, expected: String, got: String)
    /// An error that says it continues.
    case errorContinues(String)
}

extension ReplyError: CustomStringConvertible {
    /// One line for a person.
    public var description: String {
        switch self {
        case .notJSON(let error): "the reply is not JSON: \(error)"
        case .notAnObject(let got): "the reply is not a JSON object but \(got)"
        case .wrongType(let key, let expected, let got): "the reply's \"\(key)\": expected \(expected), got \(got)"
        case .errorContinues(let name): "the reply carries the error \(name) and says that it continues"
        }
    }
}

extension VarlinkReply {
    /// Reads the reply in `record` (without its NUL). Absent, null and empty parameters are the same, as are false,
    /// null and absent `continues`, and null and absent `error`; unknown keys are ignored.
    public init(parsing record: ArraySlice<UInt8>, limits: JSON.Limits = .standard) throws(ReplyError) {
        let json: JSON
        do {
            json = try JSON.parse(record, limits: limits)
        } catch {
            throw .notJSON(error)
        }
        guard case .object(let object) = json else { throw .notAnObject(got: json.kindName) }
        switch object["parameters"] {
        case nil, .null: parameters = JSONObject()
        case .object(let value): parameters = value
        case let other?: throw .wrongType(key: "parameters", expected: "object", got: other.kindName)
        }
        switch object["continues"] {
        case nil, .null: continues = false
        case .bool(let value): continues = value
        case let other?: throw .wrongType(key: "continues", expected: "bool", got: other.kindName)
        }
        switch object["error"] {
        case nil, .null: error = nil
        case .string(let value): error = value
        case let other?: throw .wrongType(key: "error", expected: "string", got: other.kindName)
        }
        if continues, let error { throw .errorContinues(error) }
    }

    /// Appends the reply as a record with its NUL. Writes only what is set, but always `parameters`, which some
    /// clients read without looking whether they are there.
    public func write(into bytes: inout [UInt8]) {
        Self.write(into: &bytes, continues: continues, error: error) { $0.object(parameters) }
    }

    /// Appends a record whose parameters were rendered before, once for many receivers. The caller answers for
    /// `parameters` being one JSON object without NUL.
    public static func write(
        renderedParameters parameters: ArraySlice<UInt8>, continues: Bool, into bytes: inout [UInt8]
    ) {
        write(into: &bytes, continues: continues, error: nil) { $0.rendered(parameters) }
    }

    /// Appends a record whose parameters `body` writes: one object, straight into the buffer.
    public static func write(
        into bytes: inout [UInt8], continues: Bool, error: String? = nil, parameters body: (inout JSONWriter) -> Void
    ) {
        JSONWriter.append(to: &bytes) { writer in
            writer.beginObject()
            if let error { writer.member("error", error) }
            writer.key("parameters")
            body(&writer)
            if continues { writer.member("continues", true) }
            writer.endObject()
        }
        bytes.append(0)
    }
}
