internal import DashrigClient
internal import RigConfiguration
internal import RigModel
internal import ScenarioCore
internal import VarlinkProtocol

/// Faults by name: listed, set and cleared.
enum FaultCommand {
    static let syntax = CommandSyntax(
        "fault", .fault, "disturb a device's link by name: lose, spoil, delay, stall",
        subcommands: [list, set, clear])

    private static let device = OptionSyntax("--device", "NAME", .name(.device), "only those of this device")

    private static let list = CommandSyntax(
        "list", .fault, "list the faults that are set, and the kinds there are",
        discussion: [
            "A fault that waits is for a device that is not plugged in. STRIKES says how often it has struck; one that "
                + "is used up is not listed any more. 'dashrig watch --kinds fault' tells what each strike did; of one "
                + "fault 64 are told at once, then 20 in a second, each with how many before it were left out.",
            "With --json: an object with the lists faults, kinds, at and from.",
        ],
        options: [device, OptionSyntax(flag: "--kinds", "list the kinds only, with what each does")],
        examples: [
            Example("dashrig fault list", "See what is set."),
            Example("dashrig fault list --kinds", "See what can be set."),
            Example("dashrig fault list --device iphone-1 --json", "Get those of one device for a script."),
        ],
        action: runList)

    private static let set = CommandSyntax(
        "set", .fault, "set a fault",
        discussion: [
            "Kinds: " + FaultKind.allCases.map { "\($0.rawValue): \($0.meaning)" }.joined(separator: ". ") + ".",
            "Without --device it is for the device whose session is in front, or else for the next that is plugged in. A "
                + "device that is named need not be there yet: a handshake takes no time unless the phone is slow, so "
                + "set the fault first and plug in then.",
            "It strikes once, at the first packet that comes from the device, unless told otherwise: --direction, --at a "
                + "phase or a packet of the handshake, --from a phase on, --after some packets have passed there, "
                + "--count or --always. What needs no packet (stall, reset, unplug) happens as soon as its place is "
                + "reached.",
            "delay needs --for, how much later packets come. reorder takes it as the longest wait for the next packet "
                + "(100ms), join as how long packets are gathered (20ms), stall as its end; without it a stall lasts "
                + "until it is cleared.",
            "Places for --at: " + places.joined(separator: ", ") + ". Phases for --from: "
                + phases.joined(separator: ", ") + ".",
            "It goes with its device when that is unplugged, unless --keep is given. stale needs --keep to outlast a "
                + "replug: it hands the last bytes of one session to the next.",
            "With --json: an object with the fault as it is set.",
        ],
        operands: [OperandSyntax("KIND", .word(FaultKind.allCases.map(\.rawValue)), "what it does")],
        options: [
            OptionSyntax("--device", "NAME", .name(.device), "the device; else that in front, or the next that comes"),
            OptionSyntax(
                "--direction", "WAY", .word(directions), "to-device, from-device (when nothing is said) or both"),
            OptionSyntax("--at", "PLACE", .word(places), "only in this phase, or at packets that carry this"),
            OptionSyntax("--from", "PHASE", .word(phases), "from when the session reaches this phase"),
            OptionSyntax(
                "--after", "N", .integer(0...FaultRequest.maximumAfter), "let so many packets pass there first"),
            OptionSyntax(
                "--after-bytes", "N", .integer(1...FaultRequest.maximumAfterBytes),
                "let so many bytes pass there first (unplug, stall)"),
            OptionSyntax("--count", "N", .integer(1...FaultRequest.maximumCount), "strike so often; else once"),
            OptionSyntax(flag: "--always", "strike until it is cleared"),
            OptionSyntax(
                "--for", "TIME", .duration(FaultRequest.minimumDuration...FaultRequest.maximumDuration),
                "how much later, or how long: 200ms, 2s"),
            OptionSyntax(flag: "--keep", "stay when the device is unplugged, and wait for it"),
            OptionSyntax(
                "--generation", "N", .integer(1...Int(UInt32.max)), "only if the device is in this generation"),
        ],
        examples: [
            Example(
                "dashrig fault set drop --at challenge && dashrig plug iphone",
                "Lose the phone's challenge once: it is sent again."),
            Example(
                "dashrig fault set unplug --at authenticating && dashrig plug iphone",
                "Pull the cable in the middle of the authentication."),
            Example("dashrig fault set stall --device iphone-1 --for 3s", "Let nothing come for three seconds."),
            Example(
                "dashrig fault set corrupt-length --device iphone-1 --direction both --from active --count 5",
                "Make the receiver search for packets, five times each way."),
            Example("dashrig fault set delay --for 300ms --always --keep", "Be slow until it is cleared."),
        ],
        action: runSet)

    private static let clear = CommandSyntax(
        "clear", .fault, "clear faults",
        discussion: [
            "One by its name, those of a device, or all of them. What they held back passes.",
            "With --json: an object with the list cleared.",
        ],
        operands: [OperandSyntax("FAULT", .text(limit: 32), "its name: f1; else all of them", count: .optional)],
        options: [device],
        examples: [
            Example("dashrig fault clear f1", "Clear one fault, such as a stall."),
            Example("dashrig fault clear --device iphone-1", "Clear those of one device."),
            Example("dashrig fault clear", "Clear all of them."),
        ],
        action: runClear)

    /// The words of the command line for published names: `fromDevice` is `from-device`.
    static let directions = FaultDirection.allCases.map { ConfigurationValue.word($0.rawValue) }
    static let places = FaultPlace.atNames.map(ConfigurationValue.word)
    static let phases = FaultPlace.fromNames.map(ConfigurationValue.word)

    private static func published(_ word: String?, among names: [String]) -> String? {
        names.first { ConfigurationValue.word($0) == word }
    }

    static func request(_ arguments: Arguments) throws(CommandLineFailure) -> FaultRequest {
        func exclude(_ one: String, _ other: String, _ both: Bool) throws(CommandLineFailure) {
            if both { throw .usage(UsageFailure("\(one) and \(other) exclude each other", path: arguments.path)) }
        }
        try exclude("--at", "--from", arguments.has("--at") && arguments.has("--from"))
        try exclude("--count", "--always", arguments.has("--count") && arguments.flag("--always"))
        var place = FaultPlace.anywhere
        if let name = published(arguments.text("--at"), among: FaultPlace.atNames), let told = FaultPlace(at: name) {
            place = told
        }
        if let name = published(arguments.text("--from"), among: FaultPlace.fromNames),
            let told = FaultPlace(from: name)
        {
            place = told
        }
        let direction = published(arguments.text("--direction"), among: FaultDirection.allCases.map(\.rawValue))
        let request = FaultRequest(
            FaultKind(rawValue: arguments.required("KIND")) ?? .drop, device: arguments.text("--device"),
            generation: arguments.number("--generation").flatMap { UInt32(exactly: $0) },
            direction: direction.flatMap(FaultDirection.init) ?? .fromDevice, place: place,
            after: arguments.number("--after") ?? 0, afterBytes: arguments.number("--after-bytes"),
            count: arguments.flag("--always") ? nil : arguments.number("--count") ?? 1,
            duration: arguments.duration("--for"), keep: arguments.flag("--keep"))
        do throws(CommandFailure) {
            try request.validate()
        } catch {
            throw .usage(UsageFailure(problem(error, arguments), path: arguments.path))
        }
        return request
    }

    /// What does not go together, with the option that it is about.
    private static func problem(_ failure: CommandFailure, _ arguments: Arguments) -> String {
        guard case .invalidParameter(let field, let text) = failure else { return failure.text }
        switch field {
        case "durationMilliseconds": return "--for: \(text)"
        case "count" where arguments.flag("--always"): return "--always: \(text)"
        default: return "--\(field): \(text)"
        }
    }

    @Sendable private static func runSet(_ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        let request = try request(call.arguments)
        let connection = try call.connect()
        let fault = try call.ask { () throws(ClientFailure) in try connection.setFault(request) }
        if call.output.isJSON {
            call.output.json(.object(["fault": JSON(fault.record)]))
            return .done
        }
        let name = call.output.style.text(PrintableText.escaped(fault.id), .name)
        let device: String
        switch (fault.device, fault.isWaiting) {
        case (let device_?, false): device = "for \(device_)"
        case (let device_?, true): device = "waits for \(device_)"
        case (nil, _): device = "waits for the next device"
        }
        call.output.line("\(name) is set: \(PrintableText.escaped("\(FaultText.line(fault.record)), \(device)"))")
        return .done
    }

    @Sendable private static func runClear(_ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        let name = call.arguments.text("FAULT")
        let device = call.arguments.text("--device")
        if name != nil, device != nil {
            throw .usage(UsageFailure("FAULT and --device exclude each other", path: call.arguments.path))
        }
        let connection = try call.connect()
        let cleared = try call.ask { () throws(ClientFailure) in
            try connection.clearFaults(fault: name, device: device)
        }
        if cleared.isEmpty, let name {
            throw .failed(
                name: .unknownFault,
                text: "there is no fault \"\(name)\"; it is used up, or was cleared: dashrig fault list")
        }
        if call.output.isJSON {
            call.output.json(.object(["cleared": .array(cleared.map(JSON.string))]))
        } else if cleared.isEmpty {
            call.output.note("No faults are set.")
        } else {
            let names = cleared.map { call.output.style.text(PrintableText.escaped($0), .name) }
            call.output.line("\(names.joined(separator: ", ")) \(cleared.count == 1 ? "is" : "are") cleared")
        }
        return .done
    }

    @Sendable private static func runList(_ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        let connection = try call.connect()
        let device = call.arguments.text("--device")
        let view = try call.ask { () throws(ClientFailure) in try connection.listFaults(of: device) }
        let output = call.output
        if output.isJSON {
            output.json(JSON(view.record))
        } else if call.arguments.flag("--kinds") {
            var table = TextTable([.init(title: "KIND"), .init(title: "", leastWidth: 12)])
            for kind in view.kinds { table.add([.init(kind.name, .name), .init(kind.text)]) }
            output.lines(table.lines(width: output.width, style: output.style))
        } else if view.faults.isEmpty {
            output.note("No faults are set. Set one: dashrig fault set drop; what there is: dashrig fault list --kinds")
        } else {
            var table = TextTable([
                .init(title: "FAULT"), .init(title: "DEVICE", leastWidth: 8), .init(title: "STRIKES", isRight: true),
                .init(title: "", leastWidth: 12),
            ])
            for fault in view.faults {
                let device = fault.device ?? "the next"
                table.add([
                    .init(fault.id, .name), .init(fault.isWaiting ? "\(device) (waits)" : device),
                    .init("\(fault.strikes)"), .init(FaultText.line(fault.record)),
                ])
            }
            output.lines(table.lines(width: output.width, style: output.style))
        }
        return .done
    }
}
