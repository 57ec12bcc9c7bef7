import ClientTestKit
import DashrigClient
import RigModel
import Testing
import VarlinkProtocol

@testable import DashrigCommands

@Suite struct QueryCommandTests {
    static let state: [String: JSONObject] = ["GetState": ["state": .object(SampleRig.full)]]

    @Test func statusReadsAsAPersonLikesIt() throws {
        try withRig(answers: Self.state) { rig throws in
            let result = tool("status", rig: rig)
            #expect(result.code == .done && result.err.isEmpty)
            #expect(
                result.lines == [
                    "dashrig 0.1.0, instance main", "up       3 min 12 s, 41 events", "epoch    e1",
                    "sockets  \(rig.directory.path)", "car      light, driver left, nothing limited",
                    "front    iphone-1 (s1)", "",
                    "DEVICE    KIND    STATE   SESSION                 NOTES",
                    "iphone-1  iPhone  active  s1 active after 12.5ms  virtual", "",
                    "DISPLAY  SIZE                    INPUTS       LOOK",
                    "s1/main  800x480 @2, 400x240 pt  touchscreen  light, nothing limited", "",
                    "APP    NAME  SESSION  FOLLOWS             UID",
                    "app-1  Maps  s1       the front session  1000",
                ])
        }
    }

    @Test func statusOfAnEmptyRigSaysWhatToDo() throws {
        try withRig(answers: ["GetState": ["state": .object(SampleRig.state())]]) { rig throws in
            let result = tool("status", rig: rig)
            #expect(result.out.contains("No devices. Plug one in: dashrig plug iphone"))
            #expect(result.out.contains("front    none: there is no session in front"))
        }
    }

    @Test func statusInJSONIsTheState() throws {
        try withRig(answers: Self.state) { rig throws in
            #expect(try tool("status --json", rig: rig).json == SampleRig.full)
        }
    }

    @Test func aFailedDeviceShowsWhy() throws {
        let reason = Reason("authenticationRefused", .peer, "the phone refused the certificate")
        let device = SampleRig.device(state: .failed, session: nil, generation: 3, reason: reason)
        try withRig(answers: ["GetState": ["state": .object(SampleRig.state(devices: [device]))]]) { rig throws in
            let result = tool("status", rig: rig)
            #expect(
                result.out.contains(
                    "virtual, generation 3, authenticationRefused: the phone refused the certificate"))
            #expect(tool("devices", rig: rig).out.contains("authenticationRefused: the phone refused the certificate"))
        }
    }

    @Test func aWaitingSessionShowsForWhat() throws {
        let device = SampleRig.device(state: .connecting)
        let session = SampleRig.session(1, device, phase: .identifying, waiting: .locked)
        let state = SampleRig.state(devices: [device], sessions: [session])
        try withRig(answers: ["GetState": ["state": .object(state)]]) { rig throws in
            #expect(tool("status", rig: rig).out.contains("s1 identifying, waits: the phone is locked"))
            #expect(tool("sessions", rig: rig).out.contains("the phone is locked"))
        }
    }

    @Test(arguments: [("devices", "iphone-1"), ("sessions", "s1"), ("displays", "s1/main")])
    func listsHaveATableNamesAndJSON(_ command: String, _ name: String) throws {
        try withRig(answers: Self.state) { rig throws in
            let table = tool(command, rig: rig)
            #expect(table.code == .done)
            #expect(table.lines.count == 2 && table.lines[1].hasPrefix(name))
            #expect(tool("\(command) --names", rig: rig).lines == [name])
            let json = try tool("\(command) --json", rig: rig).json
            #expect(json.keys == [command])
            #expect(json[command] == SampleRig.full[command])
        }
        try withRig(answers: ["GetState": ["state": .object(SampleRig.state())]]) { rig throws in
            let empty = tool(command, rig: rig)
            #expect(empty.code == .done && empty.out.isEmpty && empty.err.contains("dashrig plug iphone"))
            #expect(try tool("\(command) --json", rig: rig).json[command] == [])
        }
    }

    @Test func theTableOfDisplaysSaysEverything() throws {
        try withRig(answers: Self.state) { rig throws in
            let line = tool("displays", rig: rig).lines[1]
            for part in [
                "main", "800x480", "@2", "400x240", "~160x96", "60", "0,0 800x480 (1 of 1)", "touchscreen*", "light",
            ] {
                #expect(line.contains(part))
            }
        }
    }

    @Test(arguments: [20, 40, 60, 80, 200]) func tablesNeverWrap(_ width: Int) throws {
        try withRig(answers: Self.state) { rig throws in
            for command in ["status", "devices", "sessions", "displays"] {
                for line in tool(command, rig: rig, terminal: width).lines {
                    #expect(PrintableText.width(line) <= max(width, 48), "\(command): \(line)")
                }
            }
        }
    }

    @Test func whatADeviceSaysCannotDriveTheTerminal() throws {
        var device = SampleRig.device()
        device.facts.serial = "\u{1B}[2J\u{7}evil\u{202E}"
        try withRig(answers: ["GetState": ["state": .object(SampleRig.state(devices: [device]))]]) { rig throws in
            let result = tool("devices", rig: rig, terminal: 200)
            #expect(!result.out.contains("\u{1B}") && !result.out.contains("\u{202E}"))
            #expect(result.out.contains("\\u{1B}[2J\\u{7}evil\\u{202E}"))
        }
    }

    @Test func colourOnlyWhereItIsWanted() throws {
        try withRig(answers: Self.state) { rig throws in
            #expect(tool("devices", rig: rig, terminal: 200, color: true).out.contains("\u{1B}[32mactive"))
            #expect(!tool("devices", rig: rig, terminal: 200).out.contains("\u{1B}"))
        }
    }

    @Test func profilesListBoth() throws {
        let answer: JSONObject = [
            "profiles": [["name": "iphone", "kind": "iPhone", "text": "an iPhone"]],
            "headUnits": [["name": "wide", "text": "Wide", "displays": ["main", "cluster"]]],
        ]
        try withRig(answers: ["ListProfiles": answer]) { rig throws in
            #expect(
                tool("profiles", rig: rig).lines == [
                    "DEVICE  KIND", "iphone  iPhone  an iPhone", "", "HEAD UNIT  DISPLAYS",
                    "wide       main, cluster  Wide",
                ])
            #expect(tool("profiles --names", rig: rig).lines == ["iphone"])
            #expect(tool("profiles --names --head-units", rig: rig).lines == ["wide"])
            #expect(try tool("profiles --json", rig: rig).json == answer)
        }
    }

    @Test func versionNamesBothAndNeedsNone() throws {
        try withRig(answers: Self.state) { rig throws in
            #expect(
                tool("version", rig: rig).lines == [
                    "dashrig \(ToolVersion.text)", "rig 0.1.0, instance main, in \(rig.directory.path)",
                ])
            #expect(try tool("version --json", rig: rig).json["rig"] == "0.1.0")
        }
        let alone = tool("version --socket-dir /nowhere")
        #expect(alone.code == .done && alone.lines == ["dashrig \(ToolVersion.text)", "no rig: notRunning"])
        let json = try tool("version --json --socket-dir /nowhere").json
        #expect(json["version"] == .string(ToolVersion.text) && json["rig"] == nil)
        #expect(tool("--version").lines == ["dashrig \(ToolVersion.text)"])
    }
}
