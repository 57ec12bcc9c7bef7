internal import ConfigurationFiles
internal import DashrigClient
internal import EvemuFormat
internal import InputCore
internal import LinuxIO
internal import RigConfiguration
internal import RigModel
internal import ScenarioCore
internal import VarlinkProtocol

/// Plays a recording of an input device into a rig.
enum InputReplayCommand {
    static let syntax = CommandSyntax(
        "replay", .input, "play a recording of an input device into the rig",
        discussion: [
            "FILE is a recording in evemu's form, version 1.0 to 1.3, or one of libinput record, which needs libyaml; - is "
                + "standard input. Of several recorded devices --recorded names one. The device that it describes is "
                + "looked up in the device table as a real one would be, chosen by name, and what it sent is decoded as the "
                + "daemon decodes it. Which rule decided is told. A file of events alone needs --description.",
            "The rules are those of the daemon: the shipped ones, then devices/*.ini beside its configuration by name, then "
                + "--table; its times of presses and touches are taken too. Of rules that fit the one with the highest "
                + "priority decides, of equal ones the later. A daemon that was started with --config has its configuration "
                + "elsewhere: name it with --config here as well.",
            "What was decoded is injected report by report, in the time of the recording: turns, presses, nudges, keys and "
                + "every frame of fingers, over one connection, whose end lets go of what is down. What the rig cannot be told, "
                + "or not exactly, is named at the end, and the rest goes on. It ends at the first input that the rig refuses.",
            "--speed changes the time between inputs, after decoding: it is the same turns and taps, sooner.",
            "With --dry-run no rig is needed: what was decoded is printed, an event a line; places of touchscreens are those "
                + "of the device. With --json: an object a line for these, and one with the totals at the end.",
            "Exit code 1 when no rule fits the device, nothing of it can be played or the rig refuses something; 2 when the file is wrong, with the line.",
        ],
        operands: [OperandSyntax("FILE", .file, "the recording, or - for standard input")],
        options: [
            OptionSyntax(
                "--speed", "FACTOR", .hundredths(1...10_000), "how much quicker than recorded: 0.01 to 100"),
            OptionSyntax(flag: "--once", "play it once, which is what happens without --loop"),
            OptionSyntax("--loop", "N", .integer(1...1_000_000), "play it so often, each time after the other"),
            OptionSyntax(flag: "--dry-run", "print what would be played"),
            OptionSyntax(
                "--recorded", "DEVICE", .text(limit: 1_024),
                "which of several devices of a libinput recording: its node or its name"),
            OptionSyntax("--description", "FILE", .file, "a file with the device's description, instead of FILE's own"),
            OptionSyntax(
                "--config", "FILE", .file,
                "the daemon's configuration (default: /etc/dashrig/dashrig.ini, where there is one)"),
            OptionSyntax("--table", "FILE", .file, "rules for devices beside those of the daemon, as in devices/*.ini"),
        ] + InputTarget.places,
        examples: [
            Example("dashrig input replay taps.evemu", "Play a recording."),
            Example("dashrig input replay taps.evemu --dry-run", "Look at what it says."),
            Example("dashrig input replay knob.evemu --speed 2 --loop 10", "Play it ten times, twice as quick."),
            Example(
                "dashrig input replay scroll.events --description pad.desc",
                "Play events with a description of its own."),
        ],
        action: run)

    @Sendable private static func run(_ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        let arguments = call.arguments
        if arguments.flag("--once") && (arguments.number("--loop") ?? 1) != 1 {
            throw .usage(UsageFailure("--once and --loop contradict each other", path: arguments.path))
        }
        let source = try ReplaySource(arguments)
        call.output.note(PrintableText.escaped(source.summary))
        if let rules = source.rules { call.output.note(PrintableText.escaped(rules)) }
        if arguments.flag("--dry-run") { return dryRun(source, call) }
        return try play(source, call)
    }

    private static func dryRun(_ source: ReplaySource, _ call: Invocation) -> ExitCode {
        let output = call.output
        for moment in source.decoded.moments {
            guard output.failure == nil else { break }
            if output.isJSON { output.json(moment.json) } else { output.line(moment.line) }
        }
        if output.isJSON { output.json(.object(source.totals)) }
        return .done
    }

    private static func play(_ source: ReplaySource, _ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        let connection = try call.connect()
        var geometry: TouchGeometry?
        var display: String?
        if let surface = source.decoded.surface, surface.kind == .screen {
            let state = try call.ask { () throws(ClientFailure) in try connection.state() }
            let place = TouchDisplay(
                in: state, device: call.arguments.text("--device"), display: call.arguments.text("--display"))
            geometry = place.map { TouchGeometry(surface, on: $0.description, revision: $0.revision) }
            display = place?.id
        }
        let plan = ReplayPlan(source.decoded, touches: geometry)
        if plan.steps.isEmpty && !plan.notes.isEmpty {
            throw .failed(name: .nothingToPlay, text: plan.notes.map(\.text).joined(separator: "; "))
        }
        var playing = Playing(call, speed: call.arguments.number("--speed") ?? 100, display: display)
        for _ in 0..<(call.arguments.number("--loop") ?? 1) {
            try playing.play(plan, lasting: source.decoded.duration, connection)
        }
        tell(playing, plan, source, call.output)
        return .done
    }

    private static func tell(_ playing: Playing, _ plan: ReplayPlan, _ source: ReplaySource, _ output: Output) {
        if output.isJSON {
            var object = source.totals
            object["inputs"] = .int(Int64(clamping: playing.inputs))
            object["latestMicroseconds"] = .int(Int64(clamping: playing.latest / 1_000))
            object["notes"] = .array(
                plan.notes.map { .object(["text": .string($0.text), "count": .int(Int64($0.count))]) })
            return output.json(.object(object))
        }
        for note in plan.notes { output.note("\(note.text) (\(note.count == 1 ? "once" : "\(note.count) times"))") }
        output.line(
            "\(counted(Int(clamping: playing.inputs), "input")) played, the latest \(DurationText.short(playing.latest)) late"
        )
    }
}

/// A recording with the rule that decides what its device is.
private struct ReplaySource {
    let path: String
    let recording: EvemuRecording
    let device: InputDeviceDescription
    let decision: InputDecision
    /// The files of rules beside the shipped ones, in their order.
    let tables: [String]
    let decoded: DecodedRecording

    init(_ arguments: Arguments) throws(CommandLineFailure) {
        path = arguments.required("FILE")
        recording = try RecordingFile.read(path, recorded: arguments.text("--recorded"))
        if let other = arguments.text("--description") {
            guard let described = try RecordingFile.read(other, recorded: nil).device else {
                throw .file("\(other): it has no description of a device: a line with I: or B:")
            }
            device = described
        } else if let own = recording.device {
            device = own
        } else {
            throw .file("\(path): it has events only; --description names the file with the device's description")
        }
        let configuration: Configuration
        (configuration, tables) = try Self.configuration(arguments)
        decision = configuration.devices.decision(of: device, isChosen: true)
        switch decision.classification {
        case .candidate(let profile):
            decoded = DecodedRecording(
                recording.frames, of: device, as: profile, limits: configuration.settings.intentLimits)
        case .ignored(let rule):
            throw .failed(name: .deviceIgnored, text: "\(device.name) is nothing for a rig: rule \(rule)")
        case .unknown:
            throw .failed(
                name: .noRule, text: "no rule of the device table fits \(device.name); --table FILE adds rules")
        }
    }

    /// What the daemon goes by, with the rules of `--table` behind its own.
    private static func configuration(
        _ arguments: Arguments
    ) throws(CommandLineFailure) -> (Configuration, tables: [String]) {
        var more: [ConfigurationFile] = []
        if let file = arguments.text("--table") {
            more.append(ConfigurationFile(name: file, bytes: try RecordingFile.contents(file, limit: maximumTable)))
        }
        do throws(ConfigurationProblems) {
            return try ConfigurationLoading(path: arguments.text("--config")).load(alsoDevices: more)
        } catch {
            throw .file(error.lines.joined(separator: "\n"))
        }
    }

    /// The largest file of rules: ours, some thousand rules.
    private static let maximumTable = 1 << 20

    /// `taps.evemu: Atmel maXTouch Touchscreen is a touchscreen by rule touchscreen (20); 153 reports in 1.934 s`.
    var summary: String {
        var text = "\(path): \(device.name) is a \(StateText.words(decoded.kind.rawValue)) by rule "
        text += decision.deciding?.description ?? decoded.rule
        if !decision.others.isEmpty {
            text += ", not by " + decision.others.map(\.description).joined(separator: ", ")
        }
        text += "; \(counted(recording.frames.count, "report")) in \(DurationText.seconds(decoded.duration)) s"
        if recording.losses > 0 { text += ", with \(counted(recording.losses, "loss")) while it was recorded" }
        if recording.unfinished > 0 { text += ", the last report is not whole" }
        return text
    }

    /// Where rules were read, when that is not only what is shipped.
    var rules: String? {
        if tables.isEmpty { return nil }
        return
            "rules: the shipped ones, then \(tables.joined(separator: ", ")); the highest priority decides, of equal ones "
            + "the later rule"
    }

    var totals: JSONObject {
        [
            "file": .string(path), "name": .string(device.name), "deviceKind": .string(decoded.kind.rawValue),
            "rule": .string(decoded.rule), "tables": .array(tables.map { .string($0) }),
            "reports": .int(Int64(recording.frames.count)),
            "events": .int(Int64(decoded.moments.count)), "losses": .int(Int64(recording.losses)),
            "durationMicroseconds": .int(Int64(clamping: decoded.duration / 1_000)),
        ]
    }
}

/// A plan while it is played.
private struct Playing {
    private(set) var inputs: UInt64 = 0
    /// By how much the latest input was sent too late, in nanoseconds.
    private(set) var latest: UInt64 = 0

    private let call: Invocation
    private let speed: Int
    private let display: String?
    private var start = SystemClock.monotonicNow()

    init(_ call: Invocation, speed: Int, display: String?) {
        self.call = call
        self.speed = speed
        self.display = display
    }

    mutating func play(
        _ plan: ReplayPlan, lasting duration: UInt64, _ connection: RigConnection
    ) throws(CommandLineFailure) {
        start = max(start, SystemClock.monotonicNow())
        let end = start.addingClamped(duration.played(at: speed))
        for step in plan.steps {
            let due = start.addingClamped(step.offset.played(at: speed))
            try Pause.until(due, call.access.interrupt)
            let now = SystemClock.monotonicNow()
            latest = max(latest, now - min(due, now))
            var injection = InputTarget.injection(of: step.input, call.arguments)
            if case .single(.touch) = step.input, injection.display == nil { injection.display = display }
            let answer = try call.ask { [injection] () throws(ClientFailure) in
                try connection.inject(injection, wait: .accepted, within: 0)
            }
            inputs += min(answer.count, .max - inputs)
        }
        // The next round, and the end, come when the recording is over.
        try Pause.until(end, call.access.interrupt)
        start = end
    }
}
