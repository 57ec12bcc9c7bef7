internal import DashrigClient
internal import RigConfiguration
internal import RigModel
internal import VarlinkProtocol

/// What holds for the whole car.
enum VehicleCommands {
    static let appearance = CommandSyntax(
        "appearance", .car, "switch the car to light or dark",
        discussion: ["Every display that the rig declared follows; 'display set' changes a single one."],
        operands: [OperandSyntax("LOOK", .word(Appearance.allCases.map(\.rawValue)), "light or dark")],
        examples: [
            Example("dashrig appearance dark", "Drive into a tunnel."),
            Example("dashrig appearance light", "And out again."),
        ],
        action: { call throws(CommandLineFailure) in
            let look = Appearance(rawValue: call.arguments.required("LOOK"))
            return try set(call, VehicleChange(appearance: look))
        })

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
                + "long lists. none takes all limits away, all sets them."
        ],
        operands: [OperandSyntax("LIMITS", .words(limits), "keyboard, lists, keyboard,lists, all or none")],
        examples: [
            Example("dashrig limited-ui keyboard,lists", "Start driving."),
            Example("dashrig limited-ui none", "Stand still."),
        ],
        action: { call throws(CommandLineFailure) in
            let limited = try limitedUI(call.arguments.words("LIMITS") ?? [], path: ["limited-ui"])
            return try set(call, VehicleChange(limitKeyboard: limited.keyboard, limitLists: limited.lists))
        })

    /// What a list of limits means.
    static func limitedUI(_ words: [String], path: [String]) throws(CommandLineFailure) -> LimitedUI {
        if words.count > 1, let alone = words.first(where: { $0 == "none" || $0 == "all" }) {
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
            call.output.line(
                PrintableText.escaped(
                    "the car is \(vehicle.appearance), driver \(vehicle.driverSide), "
                        + StateText.limits(vehicle.record)))
        }
        return .done
    }
}
