import ClientTestKit
import DashrigClient
import Testing
import VarlinkProtocol

@testable import DashrigCommands

/// `dashrig send` and `dashrig messages`.
@Suite struct SendCommandTests {
    @Test(arguments: [
        ("18446744073709551615", JSON.string("18446744073709551615")), ("9223372036854775807", .int(.max)),
        ("1.0", .string("1.0")), ("-1", .int(-1)), ("true", .bool(true)), ("\"7\"", .string("7")),
    ])
    func aFieldGoesAsItWasMeant(_ text: String, value: JSON) throws {
        try withRig(answers: ["Send": [:]]) { rig throws in
            let result = tool("send a NowPlayingUpdate mediaItem.identifier=\(text)", rig: rig)
            #expect(result.code == .done && result.lines == ["sent NowPlayingUpdate"])
            let asked = try #require(rig.parameters(of: "Send"))
            #expect(asked["fields"] == .object(["mediaItem": .object(["identifier": value])]))
        }
    }

    @Test func whoSendsAnUnknownNumberIsAskedFor() throws {
        try withRig { _, peer in
            peer.fail("org.varlink.service.InvalidParameter", ["parameter": "sender"])
        } body: { rig throws in
            let result = tool("send a 0x7777", rig: rig)
            #expect(result.code == .usage && result.out.isEmpty)
            #expect(
                result.err.contains("nobody is known to send 0x7777; say who does: --from phone or --from headUnit"))
        }
        try withRig(answers: ["Send": [:]]) { rig throws in
            #expect(tool("send a 0x7777 3=00ff --from phone --generation 2", rig: rig).code == .done)
            let asked = try #require(rig.parameters(of: "Send"))
            #expect(asked["sender"] == "phone" && asked["generation"] == 2)
        }
    }

    @Test(arguments: [
        "send a", "send a M x", "send a M .x=1", "send a M x=1 x.y=2", "send a M --from moon", "messages Nothing",
        "messages 0x7777",
    ])
    func whatIsWrongIsUsage(_ line: String) throws {
        try withRig(answers: [:]) { rig throws in
            let result = tool(line, rig: rig)
            #expect(result.code == .usage && result.out.isEmpty && !result.err.isEmpty, "\(line)")
        }
    }

    @Test func messagesAreFoundByNameAndByNumberHoweverWritten() throws {
        let byName = tool("messages RequestAuthenticationCertificate")
        #expect(byName.code == .done && byName.lines.first == "0xAA00  RequestAuthenticationCertificate  (phone)")
        #expect(tool("messages 0xaa00").out == byName.out && tool("messages 0xAA00").out == byName.out)
        #expect(
            tool("messages NowPlayingUpdate").out.contains(
                "    identifier  (0, a whole number, 0...18446744073709551615)"))
        let all = try tool("messages --json").objects
        #expect(all.count == tool("messages").lines.count)
        #expect(all.allSatisfy { $0["name"] != nil && $0["number"] != nil && $0["fields"] != nil })
    }
}
