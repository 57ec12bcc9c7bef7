internal import DashrigClient
internal import LinuxIO
internal import RigModel
internal import ScenarioCore
internal import VarlinkProtocol

enum CycleCommand {
    static let syntax = CommandSyntax(
        "cycle", .script, "plug in and out again and again, and count what goes wrong",
        discussion: [
            "A cycle is one plug, one session that becomes active, and one pull without a goodbye. Told are how many came "
                + "through, how long they took to be ready, and what failed, by step and reason. With --unplug-at the device "
                + "is pulled at that step of the handshake first, or at another one each time (random), and then plugged in "
                + "to stay; the cycle is good when it becomes active then.",
            "A virtual device is plugged by the rig; NAME can be one that is unplugged, or a new one with its profile. A "
                + "device that somebody else switches is plugged by this program: --on and --off are commands of the shell "
                + "for a relay or a hub's port, --labgrid is a place whose power is switched with labgrid-client. Then "
                + "DEVICE is the name that the rig gives it, or - for the first that appears, and the time from the switch "
                + "to its appearance is told too.",
            "With --csv each cycle is a line of a file as it comes; with --resume too, that file is read, and the cycles go on "
                + "where it ends. What random means hangs on --seed and the number of the cycle alone.",
            "Steps: " + FaultPlace.atNames.map(CycleOptions.word).joined(separator: ", ")
                + "; of a device that is switched, the phases only.",
            "Exit codes: 0 when all cycles came through, 1 when one failed, 3 when the rig failed, 4 interrupted.",
            "With --json: one object a line, {\"cycle\": ...}, and {\"summary\": ...} at the end. Times are nanoseconds.",
        ],
        operands: [OperandSyntax("DEVICE", .name(.profile), "a profile, the name of a virtual device, or see above")],
        options: CycleOptions.syntax,
        examples: [
            Example("dashrig cycle iphone --count 100", "Plug in a hundred times."),
            Example(
                "dashrig cycle iphone --count 1000 --unplug-at random --slow 20ms --csv cycles.csv",
                "Pull it anywhere in the handshake, and keep each cycle."),
            Example(
                "dashrig cycle iphone --count 1000 --unplug-at random --slow 20ms --csv cycles.csv --resume",
                "Go on with the same after an interruption."),
            Example(
                "dashrig cycle - --count 50 --on 'uhubctl -a on -l 1-1 -p 2' --off 'uhubctl -a off -l 1-1 -p 2'",
                "Switch the port of a hub."),
        ],
        action: run)

    @Sendable private static func run(_ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        let options = try CycleOptions(call.arguments)
        let report = try CycleReport(options, call.output)
        guard report.next <= options.count else { return try finish(report, isInterrupted: false, options, call) }
        let isInterrupted: Bool
        do {
            switch options.switching {
            case .virtual: isInterrupted = try virtual(options, report, call)
            case .commands(let on, let off):
                var cycles = SwitchedCycles(options, on: on, off: off, call)
                isInterrupted = try cycles.run(report)
            }
        } catch {
            switch error {
            case .rig(.interrupted), .interrupted: isInterrupted = true
            case .rig(let failure): return try RunRefusal.end(failure, call)
            default: throw error
            }
        }
        return try finish(report, isInterrupted: isInterrupted, options, call)
    }

    /// The rig plugs a virtual device itself.
    private static func virtual(
        _ options: CycleOptions, _ report: CycleReport, _ call: Invocation
    ) throws(CommandLineFailure) -> Bool {
        let request = try device(options, call)
        var wish = CycleStream.Wish(count: options.count)
        wish.first = report.next
        wish.unplugAt = options.unplugAt
        (wish.interval, wish.hold, wish.within) = (options.interval, options.hold, options.within)
        (wish.seed, wish.wait) = (options.seed, options.wait)
        let stream = try call.ask { () throws(ClientFailure) in
            try CycleStream(
                socketDirectory: call.access.directory, device: request, wish, timeout: call.access.callTimeout,
                interrupt: call.access.interrupt)
        }
        while true {
            if !stream.hasNext { call.output.flush() }
            if let failure = call.output.failure { throw .output(failure) }
            let deadline = SystemClock.monotonicNow().addingClamped(500_000_000)
            switch try call.follow({ () throws(ClientFailure) in try stream.next(until: deadline) }) {
            case .deadline: report.waited()
            case .cycle(let record):
                let result: CycleResult
                do throws(RecordProblem) {
                    result = try CycleResult(record: record)
                } catch {
                    throw .rig(.protocolViolation("a cycle cannot be read: \(error.field): \(error.text)"))
                }
                try report.add(result)
            case .summary(let record): return record.bool("interrupted") ?? false
            }
        }
    }

    /// What the operand names: a profile, or a virtual device that was there before.
    private static func device(_ options: CycleOptions, _ call: Invocation) throws(CommandLineFailure) -> PlugRequest {
        let connection = try call.connect()
        let profiles = try call.ask { () throws(ClientFailure) in try connection.listProfiles() }
        var request = PlugRequest(profile: options.device, name: options.name)
        request.phone.slow = options.slow ?? 0
        if profiles.profiles.contains(where: { $0.name == options.device }) { return request }
        let state = try call.ask { () throws(ClientFailure) in try connection.state() }
        guard let device = state.devices.first(where: { $0.id == options.device }) else {
            let known = profiles.profiles.map(\.name) + state.devices.map(\.id)
            throw .unknownName(
                name: FailureName.unknownDevice.rawValue,
                text: "there is neither a profile nor a device \"\(options.device)\"",
                suggestion: Spelling.nearest(to: options.device, among: known))
        }
        guard device.origin == Origin.simulated.rawValue else {
            throw .failed(
                name: .notVirtual,
                text: "\"\(device.id)\" is a real device: the rig cannot pull it; see --on, --off and --labgrid")
        }
        // It begins with a plug.
        try call.ask { () throws(ClientFailure) in try connection.unplug(device.id) }
        request.profile = device.profile
        request.name = device.id
        return request
    }

    private static func finish(
        _ report: CycleReport, isInterrupted: Bool, _ options: CycleOptions, _ call: Invocation
    ) throws(CommandLineFailure) -> ExitCode {
        report.finish(isInterrupted: isInterrupted)
        if isInterrupted { return .interrupted }
        return report.statistics.failed == 0 ? .done : .failed
    }
}

/// The command line of `dashrig cycle`.
struct CycleOptions {
    /// Who plugs the device in and out.
    enum Switching: Equatable {
        /// The rig: it is virtual.
        case virtual
        /// This program, by commands of the shell.
        case commands(on: String, off: String)
    }

    let device: String
    let name: String?
    let count: Int
    let unplugAt: String?
    let interval: UInt64?
    let hold: UInt64?
    let within: UInt64?
    let slow: UInt64?
    let seed: UInt64?
    let wait: UInt64
    let table: String?
    let resumes: Bool
    let switching: Switching

    private static let times: ClosedRange<UInt64> = 0...CyclePlan.maximumTime

    static let syntax = [
        OptionSyntax("--count", "N", .integer(1...CyclePlan.maximumCount), "how many cycles; else 10"),
        OptionSyntax(
            "--unplug-at", "STEP", .word(["random"] + FaultPlace.atNames.map(word)),
            "pull it there first, or anywhere (random)"),
        OptionSyntax("--interval", "TIME", .duration(times), "the time between two cycles; else 500ms"),
        OptionSyntax("--hold", "TIME", .duration(times), "how long a session stays active; else not at all"),
        OptionSyntax("--within", "TIME", .duration(times), "how long a session may take to be active; else 30s"),
        OptionSyntax(
            "--slow", "TIME", .duration(0...PhoneConditions.maximumSlowness), "how late the virtual phone answers"),
        OptionSyntax("--seed", "S", .integer(0...Int(Int32.max)), "decides what random means; else 1"),
        OptionSyntax("--name", "NAME", .text(limit: 32), "the virtual device's name; else the rig gives one"),
        OptionSyntax("--wait", "TIME", .duration(0...86_400_000_000_000), "wait for what another run holds"),
        OptionSyntax("--csv", "FILE", .file, "also write each cycle into this file"),
        OptionSyntax(flag: "--resume", "go on where the file of --csv ends"),
        OptionSyntax("--on", "COMMAND", .text(limit: 4_096), "what switches the device on; with --off"),
        OptionSyntax("--off", "COMMAND", .text(limit: 4_096), "what switches it off"),
        OptionSyntax("--labgrid", "PLACE", .text(limit: 256), "switch the power of this place of labgrid"),
    ]

    /// The command line's word for a published one: `certificateRequest` is `certificate-request`.
    static func word(_ name: String) -> String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
    }

    init(_ arguments: Arguments) throws(CommandLineFailure) {
        func refuse(_ text: String) -> CommandLineFailure { .usage(UsageFailure(text, path: arguments.path)) }
        device = arguments.required("DEVICE")
        name = arguments.text("--name")
        count = arguments.number("--count") ?? 10
        let step = arguments.text("--unplug-at")
        unplugAt = step.map { step in FaultPlace.atNames.first { Self.word($0) == step } ?? step }
        interval = arguments.duration("--interval")
        hold = arguments.duration("--hold")
        within = arguments.duration("--within")
        slow = arguments.duration("--slow")
        seed = arguments.number("--seed").map { UInt64($0) }
        wait = arguments.duration("--wait") ?? 0
        table = arguments.text("--csv")
        resumes = arguments.flag("--resume")
        if resumes, table == nil { throw refuse("--resume needs the file: --csv") }
        switch (arguments.text("--on"), arguments.text("--off"), arguments.text("--labgrid")) {
        case (nil, nil, nil): switching = .virtual
        case (let on?, let off?, nil): switching = .commands(on: on, off: off)
        case (nil, nil, let place?):
            let quoted = "'" + place.replacing("'", with: "'\\''") + "'"
            switching = .commands(
                on: "labgrid-client -p \(quoted) power on", off: "labgrid-client -p \(quoted) power off")
        case (_, nil, nil), (nil, _, nil): throw refuse("--on and --off go together")
        case (_, _, _?): throw refuse("--labgrid stands for --on and --off")
        }
        if switching != .virtual {
            if slow != nil || name != nil || wait > 0 {
                throw refuse("--slow, --name and --wait are for virtual devices")
            }
            if let unplugAt, unplugAt != "random", !FaultPlace.phases.contains(where: { $0.rawValue == unplugAt }) {
                throw refuse("--unplug-at: a device that is switched can be pulled at a phase, not at a packet")
            }
        }
    }
}
