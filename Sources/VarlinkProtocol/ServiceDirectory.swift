/// What a service is and which interfaces it has; finds out what to do with a call.
///
/// Answers `org.varlink.service` itself and refuses what does not fit the descriptions, so that whoever implements an
/// interface only sees calls of methods that exist, with parameters that fit.
public struct ServiceDirectory: Sendable {
    /// Who makes the service.
    public let vendor: String
    /// What the service is called.
    public let product: String
    /// Which version runs.
    public let version: String
    /// Where to read about it.
    public let url: String
    /// The interfaces, `org.varlink.service` first, then as given.
    public let interfaces: [InterfaceDescription]

    /// Full names; look-up only, never iterated.
    private let methodsNeedingMore: Set<String>

    private static let serviceName = "org.varlink.service"

    /// A directory. `methodsNeedingMore` are full names of methods that only make sense with `more`. Throws if the
    /// library's own text of `org.varlink.service` does not parse. An interface given twice, or a method in
    /// `methodsNeedingMore` that does not exist, is the programmer's error.
    public init(
        vendor: String, product: String, version: String, url: String, interfaces: [InterfaceDescription],
        methodsNeedingMore: [String] = []
    ) throws(InterfaceError) {
        self.vendor = vendor
        self.product = product
        self.version = version
        self.url = url
        self.interfaces = [try InterfaceDescription(parsing: InterfaceDescription.standardServiceText)] + interfaces
        self.methodsNeedingMore = Set(methodsNeedingMore)
        let names = self.interfaces.map(\.name)
        precondition(Set(names).count == names.count, "an interface is given twice")
        for fullName in methodsNeedingMore {
            precondition(find(fullName) != nil, "\(fullName) is no method of this service")
        }
    }

    /// The interface of this name, nil if the service does not have it.
    public func interface(_ name: String) -> InterfaceDescription? {
        interfaces.first { $0.name == name }
    }

    /// What to do with a call.
    public enum Route: Equatable, Sendable {
        /// The interface's own code has to answer.
        case dispatch(RoutedCall)
        /// Done: send this reply.
        case answered(VarlinkReply)
        /// Not as the descriptions say: send `reply` of the refusal, if there is one.
        case refused(Refusal)
        /// A call of `org.varlink.service` that wants no reply: nothing to do.
        case ignored
    }

    /// A call of a method that exists with parameters that fit it.
    public struct RoutedCall: Equatable, Sendable {
        /// The interface's name.
        public let interface: String
        /// The method's name without the interface's.
        public let method: String
        /// Checked against the description; an optional one may be absent or null.
        public let parameters: JSONObject
        /// No reply may be sent, not even an error.
        public let oneway: Bool
        /// Several replies may be sent.
        public let more: Bool

        /// A call from its parts.
        public init(
            interface: String, method: String, parameters: JSONObject = JSONObject(), oneway: Bool = false,
            more: Bool = false
        ) {
            self.interface = interface
            self.method = method
            self.parameters = parameters
            self.oneway = oneway
            self.more = more
        }
    }

    /// Why a call is refused.
    public struct Refusal: Equatable, Sendable, CustomStringConvertible {
        /// What goes to the caller.
        public let error: StandardError
        /// More about a parameter that does not fit, for the log.
        public let fieldError: FieldError?
        /// The reply to send; nil for `oneway` calls, which never get one.
        public let reply: VarlinkReply?

        /// One line for a person.
        public var description: String { fieldError?.description ?? error.description }
    }

    /// Finds out what to do with a call.
    public func route(_ call: VarlinkCall) -> Route {
        guard let (interfaceName, methodName) = InterfaceNames.split(call.method) else {
            return refuse(call, .invalidParameter("method"))
        }
        guard let interface = interface(interfaceName) else {
            return refuse(call, .interfaceNotFound(interfaceName))
        }
        guard interface.method(methodName) != nil else {
            return refuse(call, .methodNotFound(call.method))
        }
        // No method here changes the connection to raw bytes.
        if call.upgrade { return refuse(call, .invalidParameter("upgrade")) }
        do {
            try interface.validate(parameters: call.parameters, ofMethod: methodName)
        } catch {
            return refuse(call, .invalidParameter(error.path), error)
        }
        if !call.more && methodsNeedingMore.contains(call.method) { return refuse(call, .expectedMore) }
        if interfaceName == Self.serviceName { return answer(call, methodName) }
        return .dispatch(
            RoutedCall(
                interface: interfaceName, method: methodName, parameters: call.parameters, oneway: call.oneway,
                more: call.more))
    }

    /// The method of this full name, nil if there is none.
    private func find(_ fullName: String) -> InterfaceDescription? {
        guard let (interfaceName, methodName) = InterfaceNames.split(fullName),
            let interface = interface(interfaceName), interface.method(methodName) != nil
        else { return nil }
        return interface
    }

    private func refuse(_ call: VarlinkCall, _ error: StandardError, _ fieldError: FieldError? = nil) -> Route {
        .refused(Refusal(error: error, fieldError: fieldError, reply: call.oneway ? nil : error.reply))
    }

    /// Calls of `org.varlink.service`, whose parameters were checked.
    private func answer(_ call: VarlinkCall, _ method: String) -> Route {
        let parameters: JSONObject
        switch method {
        case "GetInfo":
            parameters = [
                "vendor": .string(vendor), "product": .string(product), "version": .string(version),
                "url": .string(url), "interfaces": .array(interfaces.map { .string($0.name) }),
            ]
        case "GetInterfaceDescription":
            let name = call.parameters["interface"]?.stringValue ?? ""
            guard let described = interface(name) else { return refuse(call, .interfaceNotFound(name)) }
            parameters = ["description": .string(described.text)]
        default:
            return refuse(call, .methodNotImplemented(call.method))
        }
        return call.oneway ? .ignored : .answered(VarlinkReply(parameters: parameters))
    }
}
