import ClientTestKit
import DashrigClient
import Testing
import VarlinkProtocol

@testable import DashrigCommands

/// `dashrig usb`: what is asked, what is said, and what a refusal ends with.
@Suite struct USBCommandTests {
    static let lines: [(line: String, method: String, parameters: JSONObject, said: String)] = [
        ("usb accessory a", "StartAccessory", ["device": "a"], "a starts its accessory mode"),
        (
            "usb accessory a --generation 3", "StartAccessory", ["device": "a", "generation": 3],
            "a starts its accessory mode"
        ),
        ("usb role-switch a", "SwitchRole", ["device": "a", "carPlay": true], "a becomes the USB host"),
        (
            "usb role-switch a --plain --generation 2", "SwitchRole",
            ["device": "a", "carPlay": false, "generation": 2], "a becomes the USB host"
        ),
    ]

    @Test(arguments: lines.indices) func itAsksAndTells(_ index: Int) throws {
        let (line, method, parameters, said) = Self.lines[index]
        try withRig(answers: [method: [:]]) { rig throws in
            let result = tool(line, rig: rig)
            #expect(result.code == .done && result.err.isEmpty && result.lines == [said])
            let asked = try #require(rig.parameters(of: method))
            for member in parameters { #expect(asked[member.key] == member.value) }
            #expect(try tool("\(line) --json", rig: rig).json == ["device": "a"])
        }
    }

    /// The line was right, the device was not one with which this can be done: 1, not 2.
    @Test(arguments: ["usb accessory a", "usb role-switch a"]) func aRefusalIsNoMistakeOfTheLine(_ line: String) throws
    {
        let refusals: [(error: String, parameters: JSONObject, code: ExitCode)] = [
            ("org.varlink.service.InvalidParameter", ["parameter": "device"], .failed),
            ("org.dashrig.Rig.NotPermitted", ["text": "no"], .failed),
            ("org.dashrig.Rig.Busy", ["owner": "another change of its mode", "since": 1], .failed),
            ("org.dashrig.Rig.DeviceRefused", ["code": "accessoryRefused", "text": "no"], .failed),
            ("org.dashrig.Rig.StaleDevice", ["id": "a", "generation": 2], .failed),
            ("org.dashrig.Rig.UnknownDevice", ["id": "a", "known": ["b"]], .failed),
            ("org.varlink.service.InvalidParameter", ["parameter": "generation"], .usage),
            ("org.varlink.service.MethodNotFound", ["method": "x"], .rig),
        ]
        for (error, parameters, code) in refusals {
            try withRig { _, peer in
                peer.fail(error, parameters)
            } body: { rig throws in
                let result = tool(line, rig: rig)
                #expect(result.code == code && result.out.isEmpty && !result.err.isEmpty, "\(error) \(parameters)")
                #expect(try tool("\(line) --json", rig: rig).json["error"] == .string(error))
            }
        }
    }

    @Test(arguments: [
        "usb", "usb accessory", "usb role-switch", "usb fly a", "usb accessory a b", "usb accessory a --plain",
        "usb role-switch a --generation 0",
    ])
    func whatIsNoCommandIsUsage(_ line: String) throws {
        try withRig(answers: [:]) { rig throws in
            let result = tool(line, rig: rig)
            #expect(result.code == .usage && result.out.isEmpty, "\(line)")
        }
    }
}
