/// A method call as it goes over the socket.
public struct VarlinkCall: Equatable, Sendable {
    /// Interface, dot, method: `org.dashrig.Rig.GetState`.
    public var method: String
    /// Empty when the call has none.
    public var parameters: JSONObject
    /// The caller wants no reply, not even an error.
    public var oneway: Bool
    /// The caller accepts several replies.
    public var more: Bool
    /// The caller wants the connection as raw bytes after one reply.
    public var upgrade: Bool

    /// A call from its parts.
    public init(
        method: String, parameters: JSONObject = JSONObject(), oneway: Bool = false, more: Bool = false,
        upgrade: Bool = false
    ) {
        self.method = method
        self.parameters = parameters
        self.oneway = oneway
        self.more = more
        self.upgrade = upgrade
    }
}

/// Why a record is not a call. The fault is with the client.
public enum CallError: Error, Equatable, Sendable {
    /// The record is not JSON.
    case notJSON(JSONError)
    /// The record is JSON, but no object.
    case notAnObject(got: String)
    /// `method` is missing.
    case missingMethod
    /// A known key with a value of the wrong type.
    case wrongType(key: String, expected: String, got: String)
    /// Two flags that contradict each other.
    case conflictingFlags(String, String)
    /// A number that is too large or too long to be read, at this path: of a parameter, else of the call itself.
    case unreadableNumber(path: String, JSONError)

    /// What the server should do about it.
    public enum Answer: Equatable, Sendable {
        /// Close the connection: whether and where a reply is expected cannot be known.
        case close
        /// Send this reply and go on.
        case reply(VarlinkReply)
        /// The call was `oneway`: send nothing and go on.
        case nothing
    }
}

extension CallError: CustomStringConvertible {
    /// One line for a person.
    public var description: String {
        switch self {
        case .notJSON(let error): "the call is not JSON: \(error)"
        case .notAnObject(let got): "the call is not a JSON object but \(got)"
        case .missingMethod: "the call names no method"
        case .wrongType(let key, let expected, let got): "the call's \"\(key)\": expected \(expected), got \(got)"
        case .conflictingFlags(let first, let second): "the call sets both \"\(first)\" and \"\(second)\""
        case .unreadableNumber(let path, let error): "\(path): \(error)"
        }
    }
}

extension VarlinkCall {
    /// What became of a record.
    public enum Reading: Equatable, Sendable {
        /// A call.
        case call(VarlinkCall)
        /// Not a call, and what to do about it.
        case refused(CallError, CallError.Answer)
    }

    /// Reads the call in `record` (without its NUL). Absent, null and empty parameters are the same; flags that are
    /// false or null are the same as absent ones; unknown keys are ignored.
    public static func read(_ record: ArraySlice<UInt8>, limits: JSON.Limits = .standard) -> Reading {
        let json: JSON
        do {
            json = try JSON.parse(record, limits: limits)
        } catch {
            return refusal(of: record, limits: limits, for: error)
        }
        guard case .object(let object) = json else {
            return .refused(.notAnObject(got: json.kindName), .close)
        }
        return read(object)
    }

    /// What is to be done about a record that could not be parsed because of `error`. A call that is whole but for a
    /// number is answered, with the number's path; anything else closes.
    public static func refusal(
        of record: ArraySlice<UInt8>, limits: JSON.Limits = .standard, for error: JSONError
    ) -> Reading {
        switch error.kind {
        case .numberOutOfRange, .numberTooLong: break
        case .unexpectedEnd, .unexpectedByte, .invalidUTF8, .controlCharacter, .invalidEscape, .loneSurrogate,
            .invalidNumber, .duplicateKey, .trailingBytes, .tooDeep, .tooManyValues:
            return .refused(.notJSON(error), .close)
        }
        guard let json = try? JSON.parseWithBoundlessNumbers(record.span, limits: limits),
            case .object(let object) = json, let place = json.placeOfInfinity
        else { return .refused(.notJSON(error), .close) }
        // The client knows the names of parameters, not where the call keeps them.
        let path = object["parameters"]?.placeOfInfinity?.path ?? place.path
        let problem = CallError.unreadableNumber(path: path.isEmpty ? "parameters" : path, error)
        switch read(object) {
        case .refused(let worse, .close): return .refused(worse, .close)
        case .call(let call) where call.oneway: return .refused(problem, .nothing)
        case .refused(_, .nothing): return .refused(problem, .nothing)
        case .call, .refused(_, .reply): return .refused(problem, .reply(problem.invalidParameter))
        }
    }

    /// Reads the call in a parsed object; see `read(_:limits:)`.
    public static func read(_ object: JSONObject) -> Reading {
        // Without knowing this one flag no reply is safe: one too many shifts all later ones.
        let oneway: Bool
        do {
            oneway = try flag("oneway", in: object)
        } catch {
            return .refused(error, .close)
        }
        do {
            let more = try flag("more", in: object)
            let upgrade = try flag("upgrade", in: object)
            if oneway && more { return .refused(.conflictingFlags("oneway", "more"), .close) }
            if oneway && upgrade { return .refused(.conflictingFlags("oneway", "upgrade"), .close) }
            if more && upgrade { return .refused(.conflictingFlags("more", "upgrade"), .close) }
            let call = VarlinkCall(
                method: try methodName(in: object), parameters: try parameters(in: object), oneway: oneway, more: more,
                upgrade: upgrade)
            return .call(call)
        } catch {
            return .refused(error, oneway ? .nothing : .reply(error.invalidParameter))
        }
    }

    private static func flag(_ key: String, in object: JSONObject) throws(CallError) -> Bool {
        switch object[key] {
        case nil, .null: return false
        case .bool(let value): return value
        case let other?: throw .wrongType(key: key, expected: "bool", got: other.kindName)
        }
    }

    private static func methodName(in object: JSONObject) throws(CallError) -> String {
        switch object["method"] {
        case nil: throw .missingMethod
        case .string(let method): return method
        case let other?: throw .wrongType(key: "method", expected: "string", got: other.kindName)
        }
    }

    private static func parameters(in object: JSONObject) throws(CallError) -> JSONObject {
        switch object["parameters"] {
        case nil, .null: return JSONObject()
        case .object(let parameters): return parameters
        case let other?: throw .wrongType(key: "parameters", expected: "object", got: other.kindName)
        }
    }

    /// Appends the call as a record with its NUL. Writes only what is set: no false flags, no empty parameters.
    public func write(into bytes: inout [UInt8]) {
        JSONWriter.append(to: &bytes) { writer in
            writer.beginObject()
            writer.member("method", method)
            if !parameters.isEmpty {
                writer.key("parameters")
                writer.object(parameters)
            }
            if oneway { writer.member("oneway", true) }
            if more { writer.member("more", true) }
            if upgrade { writer.member("upgrade", true) }
            writer.endObject()
        }
        bytes.append(0)
    }
}

extension CallError {
    /// The reply that names the key at fault.
    fileprivate var invalidParameter: VarlinkReply {
        let key =
            switch self {
            case .notJSON, .notAnObject, .missingMethod: "method"
            case .wrongType(let key, _, _): key
            case .conflictingFlags(_, let second): second
            case .unreadableNumber(let path, _): path
            }
        return StandardError.invalidParameter(key).reply
    }
}

extension JSON {
    /// The way to the first infinite number, as a `FieldError` without a path of its own, or nil where all are finite.
    fileprivate var placeOfInfinity: FieldError? {
        switch self {
        case .double(let number):
            return number.isInfinite ? FieldError("", .wrongType(expected: "a finite number", got: "float")) : nil
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                if let place = element.placeOfInfinity { return place.inElement(index) }
            }
        case .object(let object):
            for member in object.members {
                if let place = member.value.placeOfInfinity { return place.inField(member.key) }
            }
        case .null, .bool, .int, .string: break
        }
        return nil
    }
}
