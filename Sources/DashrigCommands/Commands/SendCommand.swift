internal import ControlProtocol
internal import DashrigClient
internal import RigModel
internal import VarlinkProtocol

enum SendCommand {
    static let send = CommandSyntax(
        "send", .script, "have one side of a session send a message",
        discussion: [
            "MESSAGE is a name of the catalogue ('dashrig messages' lists it) or a number as 0x5001. The device needs an "
                + "active session. Whichever side sends such a message sends it: the rig's own side, or its simulated "
                + "partner; a device on its own wire cannot be made to. What the rig's side sends and receives is an event: "
                + "message.sent, message.received ('dashrig watch --kinds message').",
            "FIELD is a path and a value, mediaItem.title=Song; a path given twice makes a list. Numbers are whole, a bool or "
                + "a flag is true, bytes are pairs of hexadecimal digits, and 'dashrig messages MESSAGE' tells what is legal. "
                + "Text that reads as a number, true or false is put into quotes inside the word: mediaItem.title='\"7\"'. A "
                + "field that the catalogue does not know goes by its number, with bytes.",
            "Exit code 2 when a message or field is wrong, which is named with what is legal; 1 when the device cannot be "
                + "made to send it now.",
            "With --json: an object with device and message.",
        ],
        operands: [
            OperandSyntax("NAME", .name(.device), "the device"),
            OperandSyntax("MESSAGE", .text(limit: 128), "the message"),
            OperandSyntax("FIELD", .text(limit: 8_192), "a field and its value: path=value", count: .any),
        ],
        options: [
            OptionSyntax(
                "--from", "SIDE", .word(LinkSide.allCases.map(\.rawValue)),
                "who sends it; a number that the catalogue does not know needs it"),
            OptionSyntax(
                "--generation", "N", .integer(1...Int(UInt32.max)), "only while the device has this generation"),
        ],
        examples: [
            Example("dashrig send iphone-1 DeviceLanguageUpdate language=de", "The phone changes its language."),
            Example("dashrig send iphone-1 StartNowPlayingUpdates", "The head unit asks what is playing."),
            Example("dashrig send iphone-1 0x7777 3=00ff --from phone", "Something that no head unit knows."),
        ],
        action: run)

    static let messages = CommandSyntax(
        "messages", .look, "list the messages that are known",
        discussion: [
            "Number, name and who sends it: the phone or the head unit. With MESSAGE also its fields: name, number and what "
                + "is legal; the fields of a group are indented below it, and are written with dots: mediaItem.title.",
            "With --json: an object a line for each message, with name, number, sender and fields.",
        ],
        operands: [
            OperandSyntax(
                "MESSAGE", .text(limit: 128), "only this one, by its name or number (0x5001), with its fields",
                count: .optional)
        ],
        examples: [
            Example("dashrig messages", "All of them."),
            Example("dashrig messages NowPlayingUpdate", "What can be said of what is playing."),
        ],
        action: list)

    @Sendable private static func run(_ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        var fields = FieldAssignments()
        for text in call.arguments.texts("FIELD") {
            guard let sign = text.firstIndex(of: "=") else {
                throw usage("FIELD: '\(text)' has no value; write path=value", call)
            }
            var value = text[text.index(after: sign)...]
            let isQuoted = value.count >= 2 && value.first == "\"" && value.last == "\""
            if isQuoted { value = value.dropFirst().dropLast() }
            do throws(FieldAssignments.Problem) {
                try fields.set(String(text[..<sign]), to: String(value), isQuoted: isQuoted)
            } catch {
                throw usage("FIELD: \(error.text)", call)
            }
        }
        let request = SendRequest(
            device: call.arguments.required("NAME"),
            generation: call.arguments.number("--generation").map { UInt32($0) },
            message: call.arguments.required("MESSAGE"), fields: fields.record,
            sender: call.arguments.text("--from").flatMap(LinkSide.init(rawValue:)))
        let connection = try call.connect()
        do throws(CommandLineFailure) {
            try call.ask { () throws(ClientFailure) in try connection.send(request) }
        } catch {
            guard case .rig(.refused(let refusal)) = error, refusal.invalidParameter == "sender" else { throw error }
            throw usage(
                "nobody is known to send \(request.message); say who does: --from phone or --from headUnit", call)
        }
        if call.output.isJSON {
            call.output.json(
                .object(["device": .string(request.device), "message": .string(request.message)]))
        } else {
            call.output.line("sent \(request.message)")
        }
        return .done
    }

    private static func usage(_ text: String, _ call: Invocation) -> CommandLineFailure {
        .usage(UsageFailure(text, path: call.arguments.path))
    }

    @Sendable private static func list(_ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        var layouts = MessageCatalogue.all
        if let name = call.arguments.text("MESSAGE") {
            let id = MessageCatalogue.id(named: name)
            layouts = layouts.filter { $0.id == id }
            guard !layouts.isEmpty else {
                let near = Spelling.nearest(to: name, among: MessageCatalogue.all.map(\.name))
                throw usage(
                    "MESSAGE: no message is called '\(name)'" + (near.map { "; did you mean '\($0)'?" } ?? ""), call)
            }
        }
        let showsFields = call.arguments.text("MESSAGE") != nil
        for layout in layouts {
            let sender = layout.sender == .device ? "phone" : "headUnit"
            if call.output.isJSON {
                call.output.json(
                    .object([
                        "name": .string(layout.name), "number": .string(layout.id.hexadecimal),
                        "sender": .string(sender), "fields": .array(layout.fields.map(json)),
                    ]))
            } else {
                call.output.line("\(layout.id.hexadecimal)  \(layout.name)  (\(sender))")
                if showsFields { show(layout.fields, indent: "  ", call.output) }
            }
        }
        return .done
    }

    private static func show(_ fields: [MessageField], indent: String, _ output: Output) {
        for field in fields {
            let times = field.isRepeated ? ", repeated" : ""
            if case .group(let inner) = field.type {
                output.line("\(indent)\(field.name)  (\(field.id), group\(times))")
                show(inner, indent: indent + "  ", output)
            } else {
                output.line("\(indent)\(field.name)  (\(field.id), \(field.type.legal)\(times))")
            }
        }
    }

    private static func json(_ field: MessageField) -> JSON {
        var inner: [JSON] = []
        if case .group(let fields) = field.type { inner = fields.map(json) }
        return .object([
            "id": .int(Int64(field.id)), "name": .string(field.name), "type": .string(field.type.name),
            "repeated": .bool(field.isRepeated), "fields": .array(inner),
        ])
    }
}
