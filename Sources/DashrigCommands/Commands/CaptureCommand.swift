internal import DashrigClient
internal import Glibc
internal import LinuxIO
internal import RigModel
internal import ScenarioCore
internal import VarlinkProtocol

/// Writes the bytes of sessions into a file for Wireshark.
enum CaptureCommand {
    static let syntax = CommandSyntax(
        "capture", .look, "write the bytes of a device's sessions into a pcapng file",
        discussion: [
            "Every session that NAME has from now on is written, with directions and times, and what still comes of one that "
                + "it has already. "
                + "The device need not be plugged in yet: then standard error says that it is waited for. Without NAME, the "
                + "sessions of all devices. "
                + "A session is an interface of the file; its beginning is a comment of its first packet.",
            "tshark and Wireshark open the file, and name packets and messages with the dissector dashrig.lua, which is "
                + "installed in share/dashrig/wireshark: link it into Wireshark's folder of plugins, or give it to tshark as -X "
                + "lua_script:PATH. The link type is USER0 (147).",
            "The file is whole after each packet, however it ends. Without --count and --for it ends by Ctrl-C, and so with "
                + "exit code 4; 3 when the rig goes away, 1 when --for was over before --count packets or a device that is "
                + "waited for came.",
            "With --json: one object at the end, with file, packets, bytes, sessions and lost.",
        ],
        operands: [OperandSyntax("NAME", .name(.device), "the device", count: .optional)],
        options: [
            OptionSyntax(
                "--output", short: "-o", "FILE", .file,
                "the file, which is needed and written anew; - is standard output"),
            OptionSyntax("--count", "N", .integer(1...1_000_000_000), "end after so many packets"),
            OptionSyntax("--for", "TIME", .duration(1_000_000...DurationText.maximum), "end after so long: 10s"),
        ],
        examples: [
            Example("dashrig capture iphone-1 -o session.pcapng", "Write the sessions of a phone, until Ctrl-C."),
            Example("dashrig capture -o all.pcapng --for 10s", "Write everything for 10 s."),
            Example("dashrig capture iphone-1 -o - | tshark -r -", "Look at it as it comes."),
        ],
        action: run)

    @Sendable private static func run(_ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        let arguments = call.arguments
        guard let path = arguments.text("--output") else {
            throw .usage(UsageFailure("capture needs a file: -o FILE", path: ["capture"]))
        }
        if path == "-" && call.output.isJSON {
            throw .usage(UsageFailure("--json and -o - both want standard output", path: ["capture"]))
        }
        var run = CaptureRun(path: path, call)
        let ending = Result { () throws(CommandLineFailure) in try run.follow() }
        call.output.clearProgress()
        if run.isOpen { summarize(run.recording, path, call.output) }
        switch ending {
        case .failure(.rig(.interrupted)), .failure(.interrupted): return .interrupted
        case .failure(let failure): throw failure
        case .success: break
        }
        if let name = run.awaited, run.recording.sessions == 0 {
            throw .failed(name: .deviceDidNotCome, text: "no device '\(name)' had a session in that time")
        }
        if let limit = run.limit, run.recording.packets < limit {
            throw .failed(
                name: .countNotReached, text: "\(run.recording.packets) of \(limit) packets came in time")
        }
        return .done
    }

    fileprivate static func counts(_ recording: CaptureRecording) -> String {
        let lost = recording.lost == 0 ? "" : ", \(recording.lost) lost"
        return "\(counted(Int(clamping: recording.packets), "packet")) of "
            + counted(recording.sessions, "session") + lost
    }

    private static func summarize(_ recording: CaptureRecording, _ path: String, _ output: Output) {
        func number(_ value: UInt64) -> JSON { .int(Int64(clamping: value)) }
        if output.isJSON {
            output.json(
                .object([
                    "file": .string(path), "packets": number(recording.packets), "bytes": number(recording.bytes),
                    "sessions": .int(Int64(recording.sessions)), "lost": number(recording.lost),
                ]))
        } else if path == "-" {
            output.note(counts(recording))
        } else {
            output.note(PrintableText.escaped("\(counts(recording)) in \(path)"))
        }
    }
}

/// A capture while it goes on.
private struct CaptureRun {
    /// After how many packets it ends.
    let limit: UInt64?
    private(set) var recording = CaptureRecording()
    /// The device, if it was not there when the capture began.
    private(set) var awaited: String?
    private let path: String
    private let call: Invocation
    private let start = SystemClock.monotonicNow()
    private let end: UInt64
    private var file: CaptureFile?

    init(path: String, _ call: Invocation) {
        self.path = path
        self.call = call
        limit = call.arguments.number("--count").map { UInt64($0) }
        end = call.arguments.duration("--for").map { [start] in start.addingClamped($0) } ?? .max
    }

    /// Whether the file was begun.
    var isOpen: Bool { file != nil }

    /// Says that the device is waited for, if it is not there: its name may be a slip.
    private mutating func awaitDevice() throws(CommandLineFailure) {
        guard let name = call.arguments.text("NAME") else { return }
        let connection = try call.connect()
        let state = try call.ask { () throws(ClientFailure) in try connection.state() }
        let known = state.devices.map(\.id)
        guard !known.contains(name) else { return }
        awaited = name
        let near = Spelling.nearest(to: name, among: known).map { "; did you mean '\($0)'?" } ?? ""
        call.output.note(PrintableText.escaped("there is no device '\(name)' yet; its sessions are awaited\(near)"))
    }

    /// Writes what comes until it is enough.
    mutating func follow() throws(CommandLineFailure) {
        let stream = try call.follow { () throws(ClientFailure) in
            try CaptureStream(
                socketDirectory: call.access.directory, device: call.arguments.text("NAME"),
                timeout: call.access.callTimeout, interrupt: call.access.interrupt)
        }
        try awaitDevice()
        while recording.packets < limit ?? .max {
            let pause = min(end, SystemClock.monotonicNow().addingClamped(500_000_000))
            let step = try call.follow { () throws(ClientFailure) in try stream.next(until: pause) }
            let now = SystemClock.monotonicNow()
            switch step {
            case .start(let view):
                // Only now is the file touched: what a refused capture would have replaced stays as it is.
                let opened = try CaptureFile(path, interrupt: call.access.interrupt)
                try opened.write(recording.begin(view))
                file = opened
            case .record(let record): try file?.write(try recording.take(record))
            case .deadline: break
            }
            if now >= end { return }
            if !stream.hasNext {
                let seconds = (now - start) / 1_000_000_000
                call.output.progress("\(CaptureCommand.counts(recording)) (\(seconds) s, Ctrl-C stops)")
            }
        }
    }
}

/// The file of a capture or a recording: whole blocks, each written as soon as it is there.
struct CaptureFile {
    private let sink: DescriptorSink
    private let path: String
    private let what: String

    /// Opens the file and empties it; `-` is standard output. `what` is its name in problems.
    init(_ path: String, interrupt: Int32?, what: String = "capture") throws(CommandLineFailure) {
        self.path = path
        self.what = what
        if path == "-" {
            sink = DescriptorSink(descriptor: 1, environment: Environment(), interrupt: interrupt)
            return
        }
        let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0o644)
        guard number >= 0 else {
            throw .file("the \(what) cannot be written: \(SystemError("open", errno, path))")
        }
        let file = OwnedDescriptor(adopting: number)
        sink = DescriptorSink(descriptor: file.rawValue, environment: Environment(), interrupt: interrupt)
    }

    /// Writes blocks behind what is there.
    func write(_ blocks: [UInt8]) throws(CommandLineFailure) {
        guard !blocks.isEmpty else { return }
        do {
            try sink.write(blocks)
        } catch {
            switch error {
            case .refused(let why): throw .file("the \(what) cannot be written: \(path): \(why)")
            case .readerGone, .interrupted: throw .interrupted
            }
        }
    }
}
