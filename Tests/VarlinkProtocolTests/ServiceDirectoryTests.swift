import Testing
import VarlinkProtocol

@Suite struct ServiceDirectoryTests {
    static let text = """
        interface org.example.Rig
        method Watch(id: ?int) -> (event: string)
        method Turn(knob: (detents: int)) -> ()
        error Gone (id: int)
        """
    let directory: ServiceDirectory

    init() throws {
        directory = try ServiceDirectory(
            vendor: "Example", product: "rig", version: "1", url: "https://example.org",
            interfaces: [InterfaceDescription(parsing: Self.text)], methodsNeedingMore: ["org.example.Rig.Watch"])
    }

    private func refusal(_ call: VarlinkCall) -> ServiceDirectory.Refusal? {
        if case .refused(let refusal) = directory.route(call) { refusal } else { nil }
    }

    @Test func fittingCallsAreDispatched() {
        let call = VarlinkCall(method: "org.example.Rig.Watch", parameters: ["id": 7], more: true)
        #expect(
            directory.route(call)
                == .dispatch(
                    ServiceDirectory.RoutedCall(
                        interface: "org.example.Rig", method: "Watch", parameters: ["id": 7], oneway: false, more: true)
                ))
        // `more` is a permission, also where one reply is all there is.
        let turn = VarlinkCall(
            method: "org.example.Rig.Turn", parameters: ["knob": ["detents": 1]], more: true)
        guard case .dispatch = directory.route(turn) else {
            Issue.record("not dispatched")
            return
        }
    }

    @Test func answersGetInfo() {
        let info: JSONObject = [
            "vendor": "Example", "product": "rig", "version": "1", "url": "https://example.org",
            "interfaces": ["org.varlink.service", "org.example.Rig"],
        ]
        #expect(
            directory.route(VarlinkCall(method: "org.varlink.service.GetInfo"))
                == .answered(VarlinkReply(parameters: info)))
    }

    @Test func servesDescriptionsWithAllStandardErrors() throws {
        func description(_ name: String) -> String? {
            let call = VarlinkCall(
                method: "org.varlink.service.GetInterfaceDescription", parameters: ["interface": .string(name)])
            guard case .answered(let reply) = directory.route(call) else { return nil }
            return reply.parameters["description"]?.stringValue
        }
        #expect(description("org.example.Rig") == Self.text)
        let service = try InterfaceDescription(parsing: try #require(description("org.varlink.service")))
        #expect(
            service.members.map(\.name) == [
                "GetInfo", "GetInterfaceDescription", "InterfaceNotFound", "MethodNotFound", "MethodNotImplemented",
                "InvalidParameter", "PermissionDenied", "ExpectedMore",
            ])
        for error in [
            StandardError.interfaceNotFound("a"), .methodNotFound("a"), .methodNotImplemented("a"),
            .invalidParameter("a"), .permissionDenied, .expectedMore,
        ] {
            let name = try #require(InterfaceNames.split(error.name))
            #expect(throws: Never.self) { try service.validate(error: name.member, parameters: error.parameters) }
        }
        guard case .answered(let info) = directory.route(VarlinkCall(method: "org.varlink.service.GetInfo")) else {
            Issue.record("not answered")
            return
        }
        #expect(throws: Never.self) { try service.validate(reply: info.parameters, ofMethod: "GetInfo") }
    }

    static let refused: [(VarlinkCall, StandardError, String)] = [
        (VarlinkCall(method: "Turn"), .invalidParameter("method"), "the parameter method is not valid"),
        (VarlinkCall(method: ""), .invalidParameter("method"), "the parameter method is not valid"),
        (VarlinkCall(method: "org.example.Rig."), .invalidParameter("method"), "the parameter method is not valid"),
        (
            VarlinkCall(method: "org.example.Other.Turn"), .interfaceNotFound("org.example.Other"),
            "the service has no interface org.example.Other"
        ),
        (
            VarlinkCall(method: "org.example.Rig.Fly"), .methodNotFound("org.example.Rig.Fly"),
            "there is no method org.example.Rig.Fly"
        ),
        (
            VarlinkCall(method: "org.example.Rig.Gone"), .methodNotFound("org.example.Rig.Gone"),
            "there is no method org.example.Rig.Gone"
        ),
        (
            VarlinkCall(method: "org.varlink.service.Fly"), .methodNotFound("org.varlink.service.Fly"),
            "there is no method org.varlink.service.Fly"
        ),
        (
            VarlinkCall(method: "org.example.Rig.Turn", parameters: ["knob": ["detents": "x"]]),
            .invalidParameter("knob.detents"), "knob.detents: expected int, got string"
        ),
        (VarlinkCall(method: "org.example.Rig.Turn"), .invalidParameter("knob"), "knob: missing, expected object"),
        (
            VarlinkCall(method: "org.example.Rig.Watch", parameters: ["ID": 1], more: true), .invalidParameter("ID"),
            "ID: unknown field, did you mean id?"
        ),
        (VarlinkCall(method: "org.example.Rig.Watch"), .expectedMore, "the method must be called with \"more\""),
        (
            VarlinkCall(method: "org.example.Rig.Watch", upgrade: true), .invalidParameter("upgrade"),
            "the parameter upgrade is not valid"
        ),
        (
            VarlinkCall(method: "org.varlink.service.GetInterfaceDescription", parameters: ["interface": "a.b"]),
            .interfaceNotFound("a.b"), "the service has no interface a.b"
        ),
        (
            VarlinkCall(method: "org.varlink.service.GetInterfaceDescription"), .invalidParameter("interface"),
            "interface: missing, expected string"
        ),
    ]

    @Test(arguments: refused.indices) func refusesByName(_ index: Int) throws {
        let (call, error, message) = Self.refused[index]
        let refusal = try #require(self.refusal(call))
        #expect(refusal.error == error)
        #expect(refusal.reply == error.reply)
        #expect(refusal.description == message)
    }

    @Test(arguments: refused.indices) func onewayNeverGetsAReply(_ index: Int) throws {
        var (call, error, _) = Self.refused[index]
        call.oneway = true
        let refusal = try #require(self.refusal(call))
        #expect(refusal.error == error)
        #expect(refusal.reply == nil)
    }

    @Test func onewayCallsOfTheServiceItselfAreIgnored() {
        #expect(directory.route(VarlinkCall(method: "org.varlink.service.GetInfo", oneway: true)) == .ignored)
    }
}
