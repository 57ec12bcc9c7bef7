internal import DashrigClient
internal import VarlinkProtocol

/// usb: what changes a real device on the USB, and therefore happens only when somebody asks.
enum USBCommands {
    static let syntax = CommandSyntax(
        "usb", .plug, "change the mode of a real phone",
        discussion: [
            "The phone leaves the USB for each of these. The command returns when the phone has taken it; 'dashrig watch' "
                + "shows what comes of it."
        ],
        subcommands: [accessory, roleSwitch])

    private static let device = OperandSyntax("NAME", .name(.device), "the device, as 'dashrig devices' names it")
    private static let generation = OptionSyntax(
        "--generation", "N", .integer(1...Int(UInt32.max)), "only if the device is in this generation")

    private static let accessory = CommandSyntax(
        "accessory", .plug, "bring an Android phone into accessory mode",
        discussion: [
            "The phone is told who the accessory is and leaves the USB. While it is away its state is reenumerating; it "
                + "comes back as the same device with the next generation, or is detached when it does not come back in time "
                + "(reenumeration-window in the configuration). The key accessory-mode does this with every phone that is "
                + "plugged in."
        ],
        operands: [device], options: [generation],
        examples: [
            Example("dashrig usb accessory android-1", "Bring it into accessory mode."),
            Example("dashrig usb accessory android-1 --generation 1", "Only if it has not come back since."),
        ],
        action: { call throws(CommandLineFailure) in
            try act(call, "starts its accessory mode") { (rig, name, generation) throws(ClientFailure) in
                try rig.startAccessory(name, generation: generation)
            }
        })

    private static let roleSwitch = CommandSyntax(
        "role-switch", .plug, "make an Apple phone the USB host",
        discussion: [
            "The phone leaves the USB as a device, to be the host of what is behind the cable; it is detached with the "
                + "reason roleSwitched. The rig needs a port that can be a device for anything to follow."
        ],
        operands: [device],
        options: [
            OptionSyntax(flag: "--plain", "the plain iAP-style host mode instead of CarPlay's"), generation,
        ],
        examples: [
            Example("dashrig usb role-switch iphone-1", "Make it the host, for CarPlay."),
            Example("dashrig usb role-switch iphone-1 --plain", "Make it the host, without CarPlay."),
        ],
        action: { call throws(CommandLineFailure) in
            let carPlay = !call.arguments.flag("--plain")
            return try act(call, "becomes the USB host") { (rig, name, generation) throws(ClientFailure) in
                try rig.switchRole(name, carPlay: carPlay, generation: generation)
            }
        })

    private static func act(
        _ call: Invocation, _ done: String,
        _ body: (RigConnection, String, UInt32?) throws(ClientFailure) -> Void
    ) throws(CommandLineFailure) -> ExitCode {
        let name = call.arguments.required("NAME")
        let generation = call.arguments.number("--generation").flatMap { UInt32(exactly: $0) }
        let connection = try call.connect()
        try call.ask { () throws(ClientFailure) in try body(connection, name, generation) }
        if call.output.isJSON {
            call.output.json(.object(["device": .string(name)]))
        } else {
            call.output.line("\(call.output.style.text(PrintableText.escaped(name), .name)) \(done)")
        }
        return .done
    }
}
