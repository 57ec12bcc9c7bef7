import Foundation
import Glibc
import LinuxIO
import Testing
import VarlinkProtocol

/// A capture of a real daemon by the real tool, read by this file's own reader and by tshark.
@Suite struct CaptureTests {
    static let script = """
        plug iphone as phone
        expect session.active within 5s
        knob rotate 2
        unplug phone
        """

    /// Starts `dashrig capture`, waits until it is shown what passes, plays the script and waits for `count` packets.
    static func capture(
        _ daemon: RunningDaemon, _ file: String, _ arguments: [String], play: () throws -> Void
    ) throws -> ChildProcess {
        let program = try RunningDaemon.program.dropLast(1)
        let child = try ChildProcess(
            ChildSpecification(
                String(program), ["capture", "-o", file, "--socket-dir", daemon.folder] + arguments,
                environment: Environment(["PATH": "/usr/bin:/bin"]), output: .capture, errorOutput: .capture))
        // The file is there as soon as the rig has answered.
        let patience = RunningDaemon.soon()
        while (try? FileContents.read(file, limit: 1 << 20).isEmpty) ?? true {
            try #require(SystemClock.monotonicNow() < patience, "the capture does not begin")
            usleep(5_000)
        }
        try play()
        return child
    }

    static func play(_ daemon: RunningDaemon) throws {
        let bench = try daemon.connect()
        try bench.send("org.dashrig.Rig.Run", ["scenario": .string(script)], more: true)
        while true {
            let reply = try bench.reply()
            try #require(reply.error == nil, "\(reply)")
            if let verdict = reply.parameters["verdict"]?.objectValue {
                try #require(verdict["outcome"] == "passed", "\(verdict)")
                return
            }
        }
    }

    /// What every whole session in a capture says, in order.
    static func check(_ packets: [CapturedPacket]) {
        #expect(zip(packets, packets.dropFirst()).allSatisfy { $0.time <= $1.time }, "times never go back")
        let now = SystemClock.realtimeNow()
        #expect(packets.allSatisfy { now &- $0.time < 120_000_000_000 }, "times are those of the wall's clock")
        let detection: [UInt8] = [0xFF, 0x55, 0x02, 0x00, 0xEE, 0x10]
        #expect(packets.prefix(2).map(\.bytes) == [detection, detection])
        #expect(packets.prefix(5).map(\.isOutbound) == [true, false, true, false, true])
        #expect(packets.dropFirst(2).allSatisfy { $0.bytes.starts(with: [0xFF, 0x5A]) })
        #expect(packets.dropFirst(2).prefix(3).map { $0.bytes[4] } == [0x80, 0xC0, 0x40], "SYN, SYN+ACK, ACK")
        let messages = packets.filter { $0.bytes.count > 14 && $0.bytes[9] == 0x40 }
            .map { UInt16($0.bytes[13]) << 8 | UInt16($0.bytes[14]) }
        #expect(messages.prefix(7) == [0xAA00, 0xAA01, 0xAA02, 0xAA03, 0xAA05, 0x1D00, 0x1D01])
        #expect(packets.first?.comments == ["s1: the session begins"])
    }

    @Test func aScriptedSessionIsInTheFileAsItWas() throws {
        let daemon = try RunningDaemon()
        let file = "\(daemon.folder)-whole.pcapng"
        defer { unlink(file) }
        let child = try Self.capture(daemon, file, ["phone", "--for", "1500ms", "--json"]) { try Self.play(daemon) }
        #expect(try child.wait(until: RunningDaemon.soon()) == .exited(0))
        let told = try #require(try JSON.parse(child.output).objectValue)
        let capture = try CaptureFileReading(FileContents.read(file, limit: 1 << 20))
        #expect(told["packets"]?.intValue == Int64(capture.packets.count) && told["lost"] == 0)
        #expect(told["sessions"] == 1 && told["file"] == .string(file))
        #expect(capture.interfaces == ["phone/s1"])
        #expect(capture.endings.count == 1 && capture.endings[0].hasPrefix("s1: the session is over"))
        Self.check(capture.packets)
        try Self.checkWithTShark(file, capture.packets)
    }

    @Test func theFileIsWholeWhereverItIsCut() throws {
        let daemon = try RunningDaemon()
        let file = "\(daemon.folder)-cut.pcapng"
        defer { unlink(file) }
        let child = try Self.capture(daemon, file, []) { try Self.play(daemon) }
        try Self.wait(for: 20, in: file)
        try child.signal(SIGKILL)
        _ = try child.wait(until: RunningDaemon.soon())
        Self.check(try CaptureFileReading(FileContents.read(file, limit: 1 << 20)).packets)
    }

    @Test func ctrlCEndsItWithItsCodeAndCountEndsItByItself() throws {
        let daemon = try RunningDaemon()
        let file = "\(daemon.folder)-end.pcapng"
        defer { unlink(file) }
        let stopped = try Self.capture(daemon, file, ["phone"]) { try Self.play(daemon) }
        try Self.wait(for: 20, in: file)
        try stopped.signal(SIGINT)
        #expect(try stopped.wait(until: RunningDaemon.soon()) == .exited(4))
        let words = String(decoding: stopped.errorOutput, as: UTF8.self)
        #expect(words.hasSuffix("packets of 1 session in \(file)\n"), "\(words)")
        let counted = try Self.capture(daemon, file, ["phone", "--count", "6"]) {
            // What was in the file goes as soon as the rig answers; the old contents make the wait above too short.
            usleep(300_000)
            try Self.play(daemon)
        }
        #expect(try counted.wait(until: RunningDaemon.soon()) == .exited(0))
        #expect(try CaptureFileReading(FileContents.read(file, limit: 1 << 20)).packets.count == 6)
    }

    @Test func aRigThatGoesAwayLeavesAWholeFile() throws {
        let daemon = try RunningDaemon()
        let file = "\(daemon.folder)-gone.pcapng"
        defer { unlink(file) }
        let child = try Self.capture(daemon, file, []) { try Self.play(daemon) }
        try Self.wait(for: 20, in: file)
        try daemon.process.signal(SIGKILL)
        #expect(try child.wait(until: RunningDaemon.soon()) == .exited(3))
        Self.check(try CaptureFileReading(FileContents.read(file, limit: 1 << 20)).packets)
    }

    @Test func whoDoesNotReadIsToldWhatItLost() throws {
        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        try client.send("org.dashrig.Rig.Capture", more: true)
        #expect(try client.reply().parameters["start"]?.objectValue?["realtime"] != nil)
        // Far more than the queue and the socket take.
        for _ in 0..<600 {
            _ = try daemon.call("Plug", ["profile": "iphone", "name": "phone"])
            _ = try daemon.call("Unplug", ["device": "phone", "surprise": true])
        }
        var times: [Int64] = []
        var lost: JSONObject?
        while lost == nil {
            let record = try #require(try client.reply().parameters["record"]?.objectValue)
            times.append(try #require(record["time"]?.intValue))
            if record["kind"] == "lost" { lost = record }
        }
        #expect(times == times.sorted())
        #expect((lost?["dropped"]?.intValue ?? 0) > 0 && (lost?["droppedBytes"]?.intValue ?? 0) > 0)
        // It goes on behind the loss.
        _ = try daemon.call("Plug", ["profile": "iphone", "name": "later"])
        var kind: JSON?
        while kind != "opened" {
            let record = try #require(try client.reply().parameters["record"]?.objectValue)
            kind = record["device"] == "later" ? record["kind"] : nil
        }
    }

    private static func wait(for packets: Int, in file: String) throws {
        let patience = RunningDaemon.soon()
        while try CaptureFileReading(FileContents.read(file, limit: 1 << 20)).packets.count < packets {
            try #require(SystemClock.monotonicNow() < patience, "the packets do not come")
            usleep(5_000)
        }
    }

    // MARK: tshark

    /// The same by tshark with our dissector; nothing but a line without it.
    static func checkWithTShark(_ file: String, _ packets: [CapturedPacket]) throws {
        let tool = "/usr/bin/tshark"
        guard access(tool, X_OK) == 0 else {
            print("CaptureTests: no tshark; run: Scripts/setup test")
            return
        }
        let tree = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path
        let fields = [
            "frame.time_epoch", "frame.packet_flags_direction", "_ws.col.Info", "dashrig.message.name",
            "dashrig.damaged", "dashrig.malformed",
        ]
        let child = try ChildProcess(
            ChildSpecification(
                tool,
                ["-X", "lua_script:\(tree)/share/wireshark/dashrig.lua", "-r", file, "-T", "fields"]
                    + fields.flatMap { ["-e", $0] },
                environment: Environment(["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]), output: .capture,
                errorOutput: .capture))
        let exit = try child.wait(until: RunningDaemon.soon(60))
        let words = String(decoding: child.errorOutput, as: UTF8.self)
        #expect(exit == .exited(0), "\(words)")
        let rows = String(decoding: child.output, as: UTF8.self).split(separator: "\n")
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
        try #require(rows.count == packets.count && rows.allSatisfy { $0.count == fields.count }, "\(words)")
        for (row, packet) in zip(rows, packets) {
            let fraction = String(packet.time % 1_000_000_000)
            let zeros = String(repeating: "0", count: 9 - fraction.count)
            #expect(row[0] == "\(packet.time / 1_000_000_000).\(zeros)\(fraction)")
            #expect(row[1] == (packet.isOutbound ? "0x00000002" : "0x00000001"))
            #expect(row[4].isEmpty && row[5].isEmpty, "the dissector finds something wrong: \(row)")
        }
        let info = rows.map { $0[2] }
        #expect(
            info.prefix(6) == [
                "detect", "detect", "SYN", "SYN+ACK", "ACK", "AA00 RequestAuthenticationCertificate",
            ])
        #expect(info.contains("1D01 IdentificationInformation"))
        #expect(rows.contains { $0[3] == "IdentificationInformation" })
    }
}

/// A packet of a capture file.
struct CapturedPacket {
    let interface: Int
    let time: UInt64
    let isOutbound: Bool
    let bytes: [UInt8]
    let comments: [String]
}

/// Reads back what the tool writes: little-endian, one section, times in nanoseconds.
struct CaptureFileReading {
    private(set) var interfaces: [String] = []
    private(set) var packets: [CapturedPacket] = []
    /// What is said at the end of interfaces.
    private(set) var endings: [String] = []

    init(_ bytes: [UInt8]) throws {
        func number(_ place: Int, _ count: Int) -> Int {
            bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        var place = 0
        while place < bytes.count {
            try #require(bytes.count - place >= 12, "a block's beginning at \(place)")
            let length = number(place + 4, 4)
            try #require(length >= 12 && length.isMultiple(of: 4) && place + length <= bytes.count, "a whole block")
            try #require(number(place + length - 4, 4) == length, "its length twice")
            var options: [(code: Int, value: ArraySlice<UInt8>)] = []
            func readOptions(from start: Int) {
                var next = start
                while next < place + length - 4, number(next, 2) != 0 {
                    let size = number(next + 2, 2)
                    options.append((number(next, 2), bytes[next + 4..<next + 4 + size]))
                    next += 4 + (size + 3) / 4 * 4
                }
            }
            func text(_ code: Int) -> [String] {
                options.filter { $0.code == code }.map { String(decoding: $0.value, as: UTF8.self) }
            }
            switch number(place, 4) {
            case 0x0A0D_0D0A:
                try #require(place == 0 && number(8, 4) == 0x1A2B_3C4D, "one section, little-endian")
            case 1:
                try #require(number(place + 8, 2) == 147, "USER0")
                readOptions(from: place + 16)
                try #require(options.first { $0.code == 9 }.map { Array($0.value) } == [9], "nanoseconds")
                interfaces += text(2)
            case 6:
                let size = number(place + 20, 4)
                readOptions(from: place + 28 + (size + 3) / 4 * 4)
                let flags = try #require(options.first { $0.code == 2 }?.value.first)
                try #require(number(place + 8, 4) < interfaces.count, "an interface that was described")
                packets.append(
                    CapturedPacket(
                        interface: number(place + 8, 4),
                        time: UInt64(number(place + 12, 4)) << 32 | UInt64(number(place + 16, 4)),
                        isOutbound: flags & 3 == 2, bytes: Array(bytes[(place + 28)..<(place + 28 + size)]),
                        comments: text(1)))
            case 5:
                readOptions(from: place + 20)
                endings += text(1)
            case let type: try #require(Bool(false), "a block of type \(type)")
            }
            place += length
        }
    }
}
