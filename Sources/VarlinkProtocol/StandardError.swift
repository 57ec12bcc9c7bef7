/// The errors of `org.varlink.service`, which any service may answer.
public enum StandardError: Error, Equatable, Sendable {
    /// The service has no such interface.
    case interfaceNotFound(String)
    /// The interface has no such method; the full name.
    case methodNotFound(String)
    /// The interface has the method, the service does not; the full name.
    case methodNotImplemented(String)
    /// A parameter is missing, unknown or wrong; its name, or dotted path inside of one.
    case invalidParameter(String)
    /// The caller may not do this.
    case permissionDenied
    /// The method must be called with `more`.
    case expectedMore

    /// The error's full name.
    public var name: String {
        let member =
            switch self {
            case .interfaceNotFound: "InterfaceNotFound"
            case .methodNotFound: "MethodNotFound"
            case .methodNotImplemented: "MethodNotImplemented"
            case .invalidParameter: "InvalidParameter"
            case .permissionDenied: "PermissionDenied"
            case .expectedMore: "ExpectedMore"
            }
        return "org.varlink.service." + member
    }

    /// The error's fields.
    public var parameters: JSONObject {
        switch self {
        case .interfaceNotFound(let interface): ["interface": .string(interface)]
        case .methodNotFound(let method): ["method": .string(method)]
        case .methodNotImplemented(let method): ["method": .string(method)]
        case .invalidParameter(let parameter): ["parameter": .string(parameter)]
        case .permissionDenied, .expectedMore: [:]
        }
    }

    /// The reply that carries the error.
    public var reply: VarlinkReply {
        VarlinkReply(parameters: parameters, error: name)
    }

    /// Recognises an error by its full name, nil for any other. A missing or wrong field reads as "", because servers
    /// differ in what they put there.
    public init?(name: String, parameters: JSONObject) {
        func field(_ key: String) -> String { parameters[key]?.stringValue ?? "" }
        switch name {
        case "org.varlink.service.InterfaceNotFound": self = .interfaceNotFound(field("interface"))
        case "org.varlink.service.MethodNotFound": self = .methodNotFound(field("method"))
        case "org.varlink.service.MethodNotImplemented": self = .methodNotImplemented(field("method"))
        case "org.varlink.service.InvalidParameter": self = .invalidParameter(field("parameter"))
        case "org.varlink.service.PermissionDenied": self = .permissionDenied
        case "org.varlink.service.ExpectedMore": self = .expectedMore
        default: return nil
        }
    }
}

extension StandardError: CustomStringConvertible {
    /// One line for a person.
    public var description: String {
        switch self {
        case .interfaceNotFound(let interface): "the service has no interface \(interface)"
        case .methodNotFound(let method): "there is no method \(method)"
        case .methodNotImplemented(let method): "the service does not implement \(method)"
        case .invalidParameter(let parameter): "the parameter \(parameter) is not valid"
        case .permissionDenied: "the service does not permit this call"
        case .expectedMore: "the method must be called with \"more\""
        }
    }
}
