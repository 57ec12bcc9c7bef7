internal import DashrigClient
internal import RigConfiguration
internal import RigModel
internal import VarlinkProtocol

/// What holds for the whole car.
enum VehicleCommands {
    static let appearance = CommandSyntax(
        "appearance", .car, "switch the car to light or dark",
        discussion: [
            "Every display that the rig declared follows; 'display set' changes a single one.", handedBack,
        ],
        operands: [
            OperandSyntax(
                "LOOK", .word(Appearance.allCases.map(\.rawValue) + [automatic]), "light, dark or automatic")
        ],
        examples: [
            Example("dashrig appearance dark", "Drive into a tunnel."),
            Example("dashrig appearance light", "And out again."),
            Example("dashrig appearance automatic", "Let the light outside decide again."),
        ],
        action: { call throws(CommandLineFailure) in
            var change = VehicleChange()
            try setLook(call.arguments.required("LOOK"), of: &change, path: call.arguments.path)
            return try set(call, change)
        })

    /// What hands something back to the rules of the head unit.
    private static let automatic = "automatic"
    private static let handedBack =
        "What is set so stays, whatever the rules of the head unit's profile say, until automatic hands it back to them."

    static let driverSide = CommandSyntax(
        "driver-side", .car, "put the driver on the left or on the right",
        discussion: ["Every display that the rig declared follows."],
        operands: [OperandSyntax("SIDE", .word(DriverSide.allCases.map(\.rawValue)), "left or right")],
        examples: [
            Example("dashrig driver-side right", "Make it a right-hand drive."),
            Example("dashrig driver-side left --json", "Answer the vehicle as it is now."),
        ],
        action: { call throws(CommandLineFailure) in
            let side = DriverSide(rawValue: call.arguments.required("SIDE"))
            return try set(call, VehicleChange(driverSide: side))
        })

    /// What can be limited while the car moves, and the two words for none and all of it.
    static let limits = ["keyboard", "lists", "none", "all"]

    static let limitedUI = CommandSyntax(
        "limited-ui", .car, "limit what may be shown while the car moves",
        discussion: [
            "What is named is limited, what is not named is not: keyboard takes the on-screen keyboard away, lists cuts "
                + "long lists. none takes all limits away, all sets them.", handedBack,
        ],
        operands: [
            OperandSyntax(
                "LIMITS", .words(limits + [automatic]), "keyboard, lists, keyboard,lists, all, none or automatic")
        ],
        examples: [
            Example("dashrig limited-ui keyboard,lists", "Start driving."),
            Example("dashrig limited-ui none", "Stand still."),
        ],
        action: { call throws(CommandLineFailure) in
            var change = VehicleChange()
            try setLimits(call.arguments.words("LIMITS") ?? [], of: &change, path: ["limited-ui"])
            return try set(call, change)
        })

    static let vehicle = CommandSyntax(
        "vehicle", .car, "set and show what the car tells of itself",
        subcommands: [show, setMeasures, track, stopTrack])

    private static let show = CommandSyntax(
        "show", .car, "show the whole vehicle",
        discussion: ["With --json: an object with the vehicle; what is not known is not there."],
        examples: [
            Example("dashrig vehicle show", "What is known of the car now."),
            Example("dashrig vehicle show --json", "The same for a script."),
        ],
        action: { call throws(CommandLineFailure) in
            let connection = try call.connect()
            let state = try call.ask { () throws(ClientFailure) in try connection.state() }
            if call.output.isJSON {
                call.output.json(.object(["vehicle": JSON(state.vehicle.record)]))
            } else {
                for line in VehicleText.lines(state.vehicle) { call.output.line(PrintableText.escaped(line)) }
            }
            return .done
        })

    /// The same words as in a scenario.
    static let keys = VehicleWords.keys + ["appearance", "driver-side", "limited-ui"]

    private static let setMeasures = CommandSyntax(
        "set", .car, "change what the car measures",
        discussion: [
            "The words are those of a scenario: speed=50km/h (m/s and mph too, negative backwards), gear=drive (park, "
                + "reverse, neutral), parking-brake=on, ambient-light=300lx, location=48.1372,11.5756 with altitude=520m, "
                + "heading=90 and accuracy=5m beside it, battery=80%, fuel=50%, range=120km, range-low=on. unknown takes a "
                + "measure back.",
            "appearance, driver-side and limited-ui do as their commands. The rules of the head unit's profile may derive "
                + "appearance and limits from light, speed and gear; each decision is an event vehicle.changed with its "
                + "cause.", "With --json: an object with the vehicle as it is now.",
        ],
        operands: [OperandSyntax("KEY=VALUE", .assignment(keys), "what changes", count: .oneOrMore)],
        examples: [
            Example("dashrig vehicle set speed=50km/h gear=drive", "Drive."),
            Example("dashrig vehicle set ambient-light=5lx", "Let night fall."),
            Example("dashrig vehicle set location=48.1372,11.5756 heading=90", "Be in Munich, on the way east."),
            Example("dashrig vehicle set speed=unknown", "Lose the speed."),
        ],
        action: { call throws(CommandLineFailure) in try set(call, change(call.arguments)) })

    private static let track = CommandSyntax(
        "track", .car, "play a drive from a file",
        discussion: [
            "FILE is a table with commas: a line of column names, then a line for each point. time has seconds from the "
                + "beginning; latitude, longitude, speed (m/s), ambient-light (lx) and the other words of 'vehicle set' "
                + "follow as wanted. An empty value leaves a measure as it is.",
            "The rig plays it by itself; one that is under way ends.",
            "With --json: an object with the vehicle as it is now.",
        ],
        operands: [OperandSyntax("FILE", .file, "the track")],
        examples: [
            Example("dashrig vehicle track tunnel.csv", "Drive through a tunnel."),
            Example("dashrig vehicle track tunnel.csv --json", "The same, and answer the vehicle as it is now."),
        ],
        action: { call throws(CommandLineFailure) in
            let file = call.arguments.required("FILE")
            let text = try ScenarioSource.track(file)
            let track: VehicleTrack
            do throws(VehicleTrack.Problem) {
                track = try VehicleTrack(parsing: text)
            } catch {
                throw .file("\(file):\(error.line): \(error.text)")
            }
            return try set(call, VehicleChange(track: .play(track)))
        })

    private static let stopTrack = CommandSyntax(
        "stop-track", .car, "end the track under way where it is",
        discussion: ["Without a track nothing happens."],
        examples: [
            Example("dashrig vehicle stop-track", "Stay where the car is."),
            Example("dashrig vehicle stop-track --json", "Answer the vehicle as it is now."),
        ],
        action: { call throws(CommandLineFailure) in try set(call, VehicleChange(track: .stop)) })

    private static func change(_ arguments: Arguments) throws(CommandLineFailure) -> VehicleChange {
        var change = VehicleChange()
        var words = VehicleWords()
        var seen: [String] = []
        for assignment in arguments.texts("KEY=VALUE") {
            let equals = assignment.firstIndex(of: "=") ?? assignment.endIndex
            let key = String(assignment[..<equals])
            let text = String(assignment[equals...].dropFirst())
            if seen.contains(key) { throw .usage(UsageFailure("\(key) is given twice", path: arguments.path)) }
            seen.append(key)
            do {
                switch key {
                case "appearance": try setLook(text, of: &change, path: arguments.path)
                case "driver-side": change.driverSide = try ConfigurationValue.choice(text, of: DriverSide.self)
                case "limited-ui":
                    guard case .words(let words) = try ValueSyntax.words(limits + [automatic]).value(text) else {
                        continue
                    }
                    try setLimits(words, of: &change, path: arguments.path)
                default: try words.set(key, to: text)
                }
            } catch {
                throw usage(error, key, arguments.path)
            }
        }
        do throws(VehicleProblem) {
            change.measures = try words.change()
        } catch {
            throw .usage(UsageFailure(error.text, path: arguments.path))
        }
        return change
    }

    private static func usage(_ error: any Error, _ key: String, _ path: [String]) -> CommandLineFailure {
        switch error {
        case let problem as VehicleProblem: .usage(UsageFailure("\(key): \(problem.text)", path: path))
        case let problem as ConfigurationValueError:
            .usage(UsageFailure("\(key): \(problem.text)", suggestion: problem.suggestion, path: path))
        case let failure as CommandLineFailure: failure
        default: .usage(UsageFailure("\(key): \(error)", path: path))
        }
    }

    private static func setLook(
        _ word: String, of change: inout VehicleChange, path: [String]
    ) throws(CommandLineFailure) {
        if word == automatic {
            change.automatic.append(.appearance)
        } else {
            do throws(ConfigurationValueError) {
                change.appearance = try ConfigurationValue.choice(word, of: Appearance.self)
            } catch {
                throw .usage(UsageFailure("appearance: \(error.text)", suggestion: error.suggestion, path: path))
            }
        }
    }

    private static func setLimits(
        _ words: [String], of change: inout VehicleChange, path: [String]
    ) throws(CommandLineFailure) {
        if words == [automatic] {
            change.automatic += [.keyboard, .lists]
            return
        }
        let limited = try limitedUI(words, path: path)
        change.limitKeyboard = limited.keyboard
        change.limitLists = limited.lists
    }

    /// What a list of limits means.
    static func limitedUI(_ words: [String], path: [String]) throws(CommandLineFailure) -> LimitedUI {
        if words.count > 1, let alone = words.first(where: { ["none", "all", automatic].contains($0) }) {
            throw .usage(UsageFailure("\"\(alone)\" stands alone", path: path))
        }
        let all = words == ["all"]
        return LimitedUI(keyboard: all || words.contains("keyboard"), lists: all || words.contains("lists"))
    }

    private static func set(_ call: Invocation, _ change: VehicleChange) throws(CommandLineFailure) -> ExitCode {
        let connection = try call.connect()
        let vehicle = try call.ask { () throws(ClientFailure) in try connection.setVehicle(change) }
        if call.output.isJSON {
            call.output.json(.object(["vehicle": JSON(vehicle.record)]))
        } else {
            call.output.line(PrintableText.escaped("the car is \(VehicleText.line(vehicle))"))
        }
        return .done
    }
}
