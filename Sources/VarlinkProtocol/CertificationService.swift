/// The service's side of `org.varlink.certification`.
///
/// Each client goes through the steps by itself. As in the reference, the whole call counts: an additional key, even
/// `"more": false`, fails the client. A wrong call is answered with `CertificationError` and ends the client's run,
/// except that a call out of turn leaves it where it was.
public struct CertificationService: Sendable {
    private struct Client {
        let id: String
        /// The step that must be called now.
        var expected: CertificationStep
    }

    /// In the order of their start.
    private var clients: [Client] = []
    private var startedCount: UInt64 = 0

    /// The most clients in the middle of their run; a further one pushes out the oldest.
    public static let clientLimit = 256

    /// A service without clients. Ids of clients count up, so they are no secret.
    public init() {}

    /// Takes a call of the interface that fits its description. `record` is the whole call as it came. Appends the
    /// replies: none for a `oneway` call, ten for a right `Test10`.
    public mutating func handle(
        _ call: ServiceDirectory.RoutedCall, record: JSONObject, into replies: inout [VarlinkReply]
    ) {
        let answers: [VarlinkReply]
        do throws(VarlinkError) {
            answers = try answer(call, record)
        } catch {
            answers = [VarlinkReply(parameters: error.parameters, error: error.name)]
        }
        if !call.oneway { replies += answers }
    }

    private mutating func answer(
        _ call: ServiceDirectory.RoutedCall, _ record: JSONObject
    ) throws(VarlinkError) -> [VarlinkReply] {
        guard let step = CertificationStep(rawValue: call.method) else {
            let error = StandardError.methodNotFound(call.interface + "." + call.method)
            throw VarlinkError(name: error.name, parameters: error.parameters)
        }
        if step == .start { return [try start(record)] }
        let id = call.parameters["client_id"]?.stringValue ?? ""
        guard let position = clients.firstIndex(where: { $0.id == id }) else {
            throw VarlinkError(name: Certification.interfaceName + ".ClientIdError")
        }
        let expected = clients[position].expected
        guard step == expected else { throw Self.mismatch(Certification.call(of: expected, clientID: id), record) }
        let wanted = Certification.call(of: step, clientID: id)
        guard Self.isRight(record, wanted) else {
            clients.remove(at: position)
            throw Self.mismatch(wanted, record)
        }
        if let next = step.next { clients[position].expected = next } else { clients.remove(at: position) }
        guard step == .test10 else { return [VarlinkReply(parameters: Certification.reply(to: step))] }
        let count = Certification.moreReplyCount
        return (1...count).map { number in
            VarlinkReply(parameters: ["string": Certification.moreReply(number)], continues: number < count)
        }
    }

    private mutating func start(_ record: JSONObject) throws(VarlinkError) -> VarlinkReply {
        let wanted = Certification.call(of: .start, clientID: "")
        guard Self.isRight(record, wanted) else { throw Self.mismatch(wanted, record) }
        if clients.count >= Self.clientLimit { clients.removeFirst() }
        startedCount &+= 1
        let id = "client-\(startedCount)"
        clients.append(Client(id: id, expected: .test01))
        return VarlinkReply(parameters: ["client_id": .string(id)])
    }

    private static func mismatch(_ wanted: VarlinkCall, _ record: JSONObject) -> VarlinkError {
        VarlinkError(
            name: Certification.interfaceName + ".CertificationError",
            parameters: ["wants": .object(object(of: wanted)), "got": .object(record)])
    }

    /// Compares whole calls. Without meaning are: absent against empty or null parameters, absent against null optional
    /// fields, and whether a whole number is written as integer or as float (Go writes 1.0 as 1).
    private static func isRight(_ record: JSONObject, _ wanted: VarlinkCall) -> Bool {
        var record = record
        switch record["parameters"] {
        case .null, .object([:]): record["parameters"] = nil
        case .object(var parameters):
            if case .object(let myType) = parameters["mytype"] {
                parameters["mytype"] = .object(Certification.withoutNulls(myType))
                record["parameters"] = .object(parameters)
            }
        case nil, .bool, .int, .double, .string, .array: break
        }
        return isSame(.object(record), .object(object(of: wanted)))
    }

    private static func object(of call: VarlinkCall) -> JSONObject {
        var object: JSONObject = ["method": .string(call.method)]
        if !call.parameters.isEmpty { object["parameters"] = .object(call.parameters) }
        if call.more { object["more"] = true }
        if call.oneway { object["oneway"] = true }
        return object
    }

    private static func isSame(_ left: JSON, _ right: JSON) -> Bool {
        switch (left, right) {
        case (.int(let left), .double(let right)), (.double(let right), .int(let left)):
            return Double(left) == right
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy(isSame)
        case (.object(let left), .object(let right)):
            return left.count == right.count
                && left.allSatisfy { member in right[member.key].map { isSame(member.value, $0) } ?? false }
        case (.null, _), (.bool, _), (.int, _), (.double, _), (.string, _), (.array, _), (.object, _):
            return left == right
        }
    }
}
