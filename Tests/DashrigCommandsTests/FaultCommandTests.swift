import ClientTestKit
import DashrigClient
import RigModel
import Testing
import VarlinkProtocol

@testable import DashrigCommands

@Suite struct FaultCommandTests {
    static func fault(_ request: FaultRequest, device: String? = nil, strikes: Int = 0) -> JSON {
        var fault = Fault(
            id: FaultID(1), request: request, device: device.map { DeviceReference(name: $0, generation: 1) })
        fault.strikes = strikes
        return JSON(fault.record)
    }

    static let requests: [(line: String, parameters: JSONObject)] = [
        ("drop", ["kind": "drop"]),
        ("drop --device a --generation 2", ["kind": "drop", "device": "a", "generation": 2]),
        (
            "corrupt-length --direction both --from active --after 3 --count 5",
            ["kind": "corrupt-length", "direction": "both", "since": "active", "after": 3, "count": 5]
        ),
        ("drop --at certificate-request", ["kind": "drop", "at": "certificateRequest"]),
        ("drop --at certificateRequest --always", ["kind": "drop", "at": "certificateRequest", "always": true]),
        ("delay --for 1.5s --keep", ["kind": "delay", "durationMilliseconds": 1_500, "keep": true]),
        ("reset --direction to-device", ["kind": "reset", "direction": "toDevice"]),
        ("stall --direction from-device", ["kind": "stall"]),
    ]

    @Test(arguments: requests.indices) func aFaultIsSet(_ index: Int) throws {
        let (line, parameters) = Self.requests[index]
        try withRig(answers: ["SetFault": ["fault": Self.fault(FaultRequest(.drop), device: "a")]]) { rig throws in
            let result = tool("fault set \(line)", rig: rig)
            #expect(result.code == .done && result.err.isEmpty, "\(result.err)")
            #expect(result.lines == ["f1 is set: drop fromDevice, for a"])
            #expect(rig.parameters(of: "SetFault") == parameters)
            #expect(try tool("fault set \(line) --json", rig: rig).json["fault"] != nil)
        }
    }

    @Test func whoItWaitsForIsTold() throws {
        for (request, text) in [
            (FaultRequest(.drop), "waits for the next device"), (FaultRequest(.drop, device: "b"), "waits for b"),
        ] {
            try withRig(answers: ["SetFault": ["fault": Self.fault(request)]]) { rig throws in
                #expect(tool("fault set drop", rig: rig).lines == ["f1 is set: drop fromDevice, \(text)"])
            }
        }
    }

    static let wrong: [(line: String, text: String)] = [
        ("set dorp", "did you mean"), ("set", "KIND"), ("set delay", "--for: delay needs a time"),
        ("set drop --for 1s", "--for: drop takes no time"),
        ("set drop --at active --from active", "exclude each other"),
        ("set drop --count 2 --always", "exclude each other"), ("set drop --count 0", "not between 1 and 1000000"),
        ("set stall --always", "--always: a stall without a time"), ("set unplug --count 2", "--count: a cable"),
        ("set stale --at active", "--at: stale bytes"), ("set drop --at challange", "challenge"),
        ("set drop --direction up", "from-device"), ("set drop --generation 2", "--generation: a generation is"),
        ("clear f1 --device a", "exclude each other"),
    ]

    @Test(arguments: wrong.indices) func aWrongLineIsToldBeforeTheRigIsAsked(_ index: Int) throws {
        let (line, text) = Self.wrong[index]
        try withRig(answers: [:]) { rig throws in
            let result = tool("fault \(line)", rig: rig)
            #expect(result.code == .usage && result.err.contains(text), "\(result.err)")
            #expect(rig.calls.isEmpty)
        }
    }

    @Test func faultsAreCleared() throws {
        try withRig(answers: ["ClearFaults": ["cleared": ["f1", "f3"]]]) { rig throws in
            #expect(tool("fault clear --device a", rig: rig).lines == ["f1, f3 are cleared"])
            #expect(rig.parameters(of: "ClearFaults") == ["device": "a"])
            #expect(try tool("fault clear --json", rig: rig).json == ["cleared": ["f1", "f3"]])
        }
        try withRig(answers: ["ClearFaults": ["cleared": []]]) { rig throws in
            #expect(tool("fault clear", rig: rig).code == .done)
            let result = tool("fault clear f9", rig: rig)
            #expect(result.code == .failed && result.err.contains("there is no fault \"f9\""))
            #expect(rig.parameters(of: "ClearFaults") == ["fault": "f9"])
        }
    }

    @Test func faultsAreListed() throws {
        let faults: [JSON] = [
            Self.fault(FaultRequest(.drop, place: .packet(.challenge), count: nil), device: "a", strikes: 7),
            Self.fault(FaultRequest(.stall, device: "b")),
        ]
        let answer: JSONObject = [
            "faults": .array(faults), "kinds": [["name": "drop", "text": "a packet is lost", "takesTime": false]],
            "at": ["active"], "since": ["active"],
        ]
        try withRig(answers: ["ListFaults": answer]) { rig throws in
            let lines = tool("fault list --device a", rig: rig).lines
            #expect(rig.parameters(of: "ListFaults") == ["device": "a"])
            #expect(lines.count == 3 && lines[0].hasPrefix("FAULT  DEVICE     STRIKES"), "\(lines)")
            #expect(lines[1].contains("7  drop fromDevice at challenge always"))
            #expect(lines[2].contains("b (waits)"))
            #expect(tool("fault list --kinds", rig: rig).lines.last == "drop  a packet is lost")
            #expect(try tool("fault list --json", rig: rig).json == answer)
        }
        try withRig(answers: ["ListFaults": ["faults": [], "kinds": [], "at": [], "since": []]]) { rig throws in
            #expect(tool("fault list", rig: rig).code == .done)
        }
    }
}
