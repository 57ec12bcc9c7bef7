/// The steps of `org.varlink.certification`, in the order in which a client has to call them.
enum CertificationStep: String, CaseIterable, Sendable {
    case start = "Start"
    case test01 = "Test01"
    case test02 = "Test02"
    case test03 = "Test03"
    case test04 = "Test04"
    case test05 = "Test05"
    case test06 = "Test06"
    case test07 = "Test07"
    case test08 = "Test08"
    case test09 = "Test09"
    case test10 = "Test10"
    case test11 = "Test11"
    case end = "End"

    /// The method's full name.
    var method: String { Certification.interfaceName + "." + rawValue }

    /// The step behind this one, nil behind the last.
    var next: CertificationStep? {
        guard let index = Self.allCases.firstIndex(of: self), index + 1 < Self.allCases.count else { return nil }
        return Self.allCases[index + 1]
    }
}

/// `org.varlink.certification`, by which Varlink implementations are tested against each other: a client calls method
/// by method and passes on what the reply before gave it; the service compares each call with the only right one.
/// The interface and the values are those of python-varlink 31.0.0, which other implementations share.
public enum Certification {
    /// The interface's name.
    public static let interfaceName = "org.varlink.certification"

    /// The interface's description text.
    public static let interfaceText = """
        # By this interface Varlink implementations are tested against each other. A client calls Start, Test01 to
        # Test11 and End in this order, each with the client_id and with what the reply before returned.
        interface org.varlink.certification

        type Interface (
          foo: ?[]?[string](foo, bar, baz),
          anon: (foo: bool, bar: bool)
        )

        type MyType (
          object: object,
          enum: (one, two, three),
          struct: (first: int, second: string),
          array: []string,
          dictionary: [string]string,
          stringset: [string](),
          nullable: ?string,
          nullable_array_struct: ?[](first: int, second: string),
          interface: Interface
        )

        method Start() -> (client_id: string)

        method Test01(client_id: string) -> (bool: bool)

        method Test02(client_id: string, bool: bool) -> (int: int)

        method Test03(client_id: string, int: int) -> (float: float)

        method Test04(client_id: string, float: float) -> (string: string)

        method Test05(client_id: string, string: string) -> (
          bool: bool,
          int: int,
          float: float,
          string: string
        )

        method Test06(
          client_id: string,
          bool: bool,
          int: int,
          float: float,
          string: string
        ) -> (
          struct: (
            bool: bool,
            int: int,
            float: float,
            string: string
          )
        )

        method Test07(
          client_id: string,
          struct: (
            bool: bool,
            int: int,
            float: float,
            string: string
          )
        ) -> (map: [string]string)

        method Test08(client_id: string, map: [string]string) -> (set: [string]())

        method Test09(client_id: string, set: [string]()) -> (mytype: MyType)

        # Must be called with "more"; all replies but the last continue.
        method Test10(client_id: string, mytype: MyType) -> (string: string)

        # Must be called with "oneway".
        method Test11(client_id: string, last_more_replies: []string) -> ()

        method End(client_id: string) -> (all_ok: bool)

        # The client_id is not of this service, or the client has failed before.
        error ClientIdError ()

        # The call is not the one that must come now.
        error CertificationError (wants: object, got: object)

        """

    /// How many replies `Test10` gives.
    static let moreReplyCount = 10

    /// The parameters of the one right reply to a step, or its first one. Of `start` without the client's id.
    static func reply(to step: CertificationStep) -> JSONObject {
        switch step {
        case .start: [:]
        case .test01: ["bool": true]
        case .test02: ["int": 1]
        case .test03: ["float": 1.0]
        case .test04: ["string": "ping"]
        case .test05: values
        case .test06: ["struct": .object(values)]
        case .test07: ["map": map]
        case .test08: ["set": set]
        case .test09: ["mytype": .object(myType)]
        case .test10: ["string": moreReply(1)]
        case .test11: [:]
        case .end: ["all_ok": true]
        }
    }

    /// The one right call of a step.
    static func call(of step: CertificationStep, clientID: String) -> VarlinkCall {
        var parameters: JSONObject = ["client_id": .string(clientID)]
        switch step {
        case .start:
            parameters = [:]
        case .test01, .end:
            break
        case .test02: add(reply(to: .test01), to: &parameters)
        case .test03: add(reply(to: .test02), to: &parameters)
        case .test04: add(reply(to: .test03), to: &parameters)
        case .test05: add(reply(to: .test04), to: &parameters)
        case .test06: add(reply(to: .test05), to: &parameters)
        case .test07: add(reply(to: .test06), to: &parameters)
        case .test08: add(reply(to: .test07), to: &parameters)
        case .test09: add(reply(to: .test08), to: &parameters)
        case .test10: parameters["mytype"] = .object(withoutNulls(myType))
        case .test11: parameters["last_more_replies"] = .array((1...moreReplyCount).map(moreReply))
        }
        return VarlinkCall(
            method: step.method, parameters: parameters, oneway: step == .test11, more: step == .test10)
    }

    static func moreReply(_ number: Int) -> JSON { .string("Reply number \(number)") }

    static func add(_ members: JSONObject, to object: inout JSONObject) {
        for member in members { object[member.key] = member.value }
    }

    /// Null and absent mean the same for the fields of `MyType` that have a `?`.
    static func withoutNulls(_ object: JSONObject) -> JSONObject {
        var result = object
        for member in object where member.value == .null { result[member.key] = nil }
        return result
    }

    private static let values: JSONObject = [
        "bool": false, "int": 2, "float": .double(.pi), "string": "a lot of string",
    ]
    private static let map: JSON = ["foo": "Foo", "bar": "Bar"]
    private static let set: JSON = ["one": [:], "two": [:], "three": [:]]
    private static let myType: JSONObject = [
        "object": ["method": .string(CertificationStep.test09.method), "parameters": ["map": map]],
        "enum": "two",
        "struct": ["first": 1, "second": "2"],
        "array": ["one", "two", "three"],
        "dictionary": map,
        "stringset": set,
        "nullable": nil,
        "nullable_array_struct": nil,
        "interface": [
            "foo": [nil, ["foo": "foo", "bar": "bar"], nil, ["one": "foo", "two": "bar"]],
            "anon": ["foo": true, "bar": false],
        ],
    ]
}
