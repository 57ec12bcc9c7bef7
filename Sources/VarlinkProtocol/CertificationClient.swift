/// The client's side of `org.varlink.certification`, for use with a `VarlinkClientConnection`.
///
/// Send the call of `start`, then give every event of the connection to `handle` and do what it says. Each reply is
/// checked against the interface, and what is in it is passed on in the next call, as the test demands; whether it was
/// right only the service knows.
public struct CertificationClient: Sendable {
    /// What to do now.
    public enum Action: Equatable, Sendable {
        /// Send this call.
        case send(VarlinkCall)
        /// The service has confirmed the whole run; nothing follows.
        case passed
        /// The run is over without success; nothing follows.
        case failed(Failure)
    }

    /// Why a run failed.
    public enum Failure: Equatable, Sendable {
        /// The service answered an error to this method.
        case refused(method: String, VarlinkError)
        /// The service's reply to this method does not fit the interface.
        case wrongReply(method: String, FieldError)
        /// `Test10` gave another number of replies than ten.
        case wrongReplyCount(Int)
        /// The service says at the end that not all was well.
        case notAllOK
        /// The connection ended in the middle of the run.
        case connectionEnded(VarlinkClientConnection.Ending)
    }

    private enum State {
        /// Nothing was sent. Exit: `start` to `waiting`.
        case ready
        /// The call of this step is sent and waits for its (next) reply; `strings` are those that `Test10` gave so
        /// far. Exits: a good reply to `waiting` for the next step or, behind the last, to `over`; all else to `over`.
        case waiting(CertificationStep, strings: [JSON])
        /// Passed or failed. No exit.
        case over
    }

    private var state = State.ready
    private var clientID = ""
    private let interface: InterfaceDescription

    /// A client that has not started. Throws if the library's own interface text does not parse.
    public init() throws(InterfaceError) {
        interface = try InterfaceDescription(parsing: Certification.interfaceText)
    }

    /// The first call; nil if the client was started before.
    public mutating func start() -> VarlinkCall? {
        switch state {
        case .ready:
            state = .waiting(.start, strings: [])
            return VarlinkCall(method: CertificationStep.start.method)
        case .waiting, .over:
            return nil
        }
    }

    /// Takes an event of the connection and appends what to do about it.
    public mutating func handle(_ event: VarlinkClientConnection.Event, into actions: inout [Action]) {
        switch (state, event) {
        case (.ready, _), (.over, _):
            return
        case (.waiting(let step, let strings), .reply(_, let parameters, let isLast)):
            do {
                // python-varlink 31.0.0 adds an undeclared client_id to the reply to Test09.
                try interface.validate(reply: parameters, ofMethod: step.rawValue, unknownFields: .ignored)
            } catch {
                return fail(.wrongReply(method: step.method, error), into: &actions)
            }
            take(declared(parameters, step), isLast: isLast, step, strings, into: &actions)
        case (.waiting(let step, _), .failed(_, let error)):
            fail(.refused(method: step.method, error), into: &actions)
        case (.waiting, .lost(_, let ending)), (.waiting, .ended(let ending)):
            fail(.connectionEnded(ending), into: &actions)
        }
    }

    /// The fields of a reply that the interface declares: only these are passed on.
    private func declared(_ reply: JSONObject, _ step: CertificationStep) -> JSONObject {
        var declared = JSONObject()
        for field in interface.method(step.rawValue)?.reply ?? [] { declared[field.name] = reply[field.name] }
        return declared
    }

    private mutating func take(
        _ reply: JSONObject, isLast: Bool, _ step: CertificationStep, _ strings: [JSON], into actions: inout [Action]
    ) {
        switch step {
        case .start:
            clientID = reply["client_id"]?.stringValue ?? ""
            call(.test01, [:], into: &actions)
        case .test01: call(.test02, reply, into: &actions)
        case .test02: call(.test03, reply, into: &actions)
        case .test03: call(.test04, reply, into: &actions)
        case .test04: call(.test05, reply, into: &actions)
        case .test05: call(.test06, reply, into: &actions)
        case .test06: call(.test07, reply, into: &actions)
        case .test07: call(.test08, reply, into: &actions)
        case .test08: call(.test09, reply, into: &actions)
        case .test09: call(.test10, reply, into: &actions)
        case .test10:
            let strings = strings + [reply["string"] ?? nil]
            if !isLast && strings.count < Certification.moreReplyCount {
                state = .waiting(.test10, strings: strings)
            } else if !isLast || strings.count != Certification.moreReplyCount {
                fail(.wrongReplyCount(strings.count), into: &actions)
            } else {
                // No reply comes to the oneway call, so the last one follows at once.
                call(.test11, ["last_more_replies": .array(strings)], into: &actions)
                call(.end, [:], into: &actions)
            }
        case .test11, .end:
            guard reply["all_ok"] == true else { return fail(.notAllOK, into: &actions) }
            state = .over
            actions.append(.passed)
        }
    }

    private mutating func call(_ step: CertificationStep, _ parameters: JSONObject, into actions: inout [Action]) {
        var all: JSONObject = ["client_id": .string(clientID)]
        Certification.add(parameters, to: &all)
        state = .waiting(step, strings: [])
        actions.append(
            .send(VarlinkCall(method: step.method, parameters: all, oneway: step == .test11, more: step == .test10)))
    }

    private mutating func fail(_ failure: Failure, into actions: inout [Action]) {
        state = .over
        actions.append(.failed(failure))
    }
}

extension CertificationClient.Failure: CustomStringConvertible {
    /// One line for a person.
    public var description: String {
        switch self {
        case .refused(let method, let error): "\(method): the service answered \(error)"
        case .wrongReply(let method, let error): "\(method): the service's reply does not fit: \(error)"
        case .wrongReplyCount(let count):
            "Test10: \(count) replies or more where \(Certification.moreReplyCount) belong"
        case .notAllOK: "End: the service says that not all was well"
        case .connectionEnded(.closed): "the connection was closed in the middle of the run"
        case .connectionEnded(.peerFault(let error)): "the connection was given up: \(error)"
        }
    }
}
