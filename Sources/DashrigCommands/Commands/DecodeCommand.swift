internal import VarlinkProtocol

/// Shows what bytes are. No rig is needed.
enum DecodeCommand {
    static let syntax = CommandSyntax(
        "decode", .tool, "show what bytes of a link, its messages or HID say",
        discussion: [
            "Everything is shown with its offset, damaged bytes too: checksums with what they should be, runs of garbage, "
                + "and what ends too early. No rig is needed."
        ],
        subcommands: [link, control, hid])

    private static let shapes =
        "The bytes are hexadecimal digits in any usual shape (spaces, colons, 0x, lines of xxd, hexdump -C or candump) on "
        + "the command line, or a file of such text or of the bytes themselves, at most 16 MiB; - is standard input. A "
        + "file whose name reads as digits is ./NAME."
    private static let codes =
        "Exit code 1 when something was damaged, which is shown all the same; 2 when the text is no hexadecimal, with its "
        + "line and column."
    private static let json =
        "With --json: an object a line for each part at the outermost level, and one with the totals at the end; their "
        + "members are listed in docs/decode.md."

    private static let operands = [
        OperandSyntax(
            "HEX|FILE", .text(limit: DecodeInput.maximumFile), "the bytes, or - for standard input", count: .oneOrMore)
    ]
    private static let full = OptionSyntax(flag: "--full", "show all bytes and numbers of long values")

    private static let link = CommandSyntax(
        "link", .tool, "show the packets of a link",
        discussion: [
            "Packets of both directions may be mixed. Control messages are put together for each channel and shown in the "
                + "packet that completes them.", shapes, codes, json,
        ],
        operands: operands, options: [full],
        examples: [
            Example("dashrig decode link FF 5A 00 10 40 2E 00 01 28 40 40 00 06 AA 00 D0", "Show one packet."),
            Example("xxd session.bin | dashrig decode link -", "Show a dump of a session."),
            Example(
                "dashrig decode link session.bin --json | jq -r .title", "List what the packets of a file are."),
        ],
        action: { call throws(CommandLineFailure) in
            try show(call) { bytes, tell in
                var inspection = LinkInspection(bytes)
                inspection.run(tell)
            }
        })

    private static let control = CommandSyntax(
        "control", .tool, "show messages of the control channel",
        discussion: ["The messages stand behind each other, without the packets around them.", shapes, codes, json],
        operands: operands, options: [full],
        examples: [
            Example("dashrig decode control 4040000d4e0a00070000656e00", "Show one message."),
            Example("dashrig decode control messages.bin --full", "Show a file of messages, long values whole."),
        ],
        action: { call throws(CommandLineFailure) in
            try show(call) { bytes, tell in ControlInspection.run(bytes, tell) }
        })

    private static let hid = CommandSyntax(
        "hid", .tool, "show a HID report descriptor, or a report",
        discussion: [
            "The descriptor item by item, as it is written, then the reports that it describes. After "
                + "\(HIDItemInspection.maximumProblems) damaged items, and behind the \(HIDItemInspection.maximumLength) bytes "
                + "that a descriptor can have, only the number of bytes that are left is told. With --descriptor the bytes "
                + "are one input report, of which the values are shown.", shapes, codes, json,
        ],
        operands: operands,
        options: [
            full,
            OptionSyntax(
                "--descriptor", "HEX", .text(limit: 65_536), "the bytes are an input report that this describes"),
        ],
        examples: [
            Example("dashrig decode hid 05 01 09 08 A1 01 C0", "Show a descriptor."),
            Example(
                "dashrig decode hid --descriptor 05010908A101093815002501750895018102C0 01", "Show a report."),
            Example(
                "dashrig decode hid /sys/class/hidraw/hidraw0/device/report_descriptor", "Show that of a real device."),
        ],
        action: { call throws(CommandLineFailure) in
            guard let text = call.arguments.text("--descriptor") else {
                return try show(call) { bytes, tell in
                    HIDItemInspection.run(bytes, tell)
                    HIDReportInspection.describe(bytes, tell)
                }
            }
            let descriptor = try HIDReportInspection.descriptor(try DecodeInput.option("--descriptor", text))
            return try show(call) { bytes, tell in tell(HIDReportInspection.report(bytes, by: descriptor)) }
        })

    private static func show(
        _ call: Invocation, _ decode: ([UInt8], (DecodedPart) -> Void) -> Void
    ) throws(CommandLineFailure) -> ExitCode {
        let input = try DecodeInput.read(call.arguments.texts("HEX|FILE"))
        let output = call.output
        let text = DecodedText(style: output.style, isFull: call.arguments.flag("--full"))
        var totals = DecodedTotals()
        decode(input.bytes) { part in
            // Nobody reads any more; the rest is not worth the time.
            guard output.failure == nil else { return }
            totals.add(part)
            if output.isJSON { output.json(part.json) } else { output.lines(text.lines(part)) }
        }
        if output.isJSON {
            output.json(totals.json(input))
        } else {
            output.line(output.style.text(totals.text(input), totals.problems == 0 ? .faint : .bad))
        }
        return totals.problems == 0 ? .done : .failed
    }
}

extension DecodedTotals {
    /// The last line for people: `3 packets, 1 garbage; 2 things are wrong (xxd lines, 58 bytes)`.
    func text(_ input: DecodeInput) -> String {
        let found = counts.map { "\($0.count) \(StateText.words($0.name))" }.joined(separator: ", ")
        let from = input.source.map { " from \(PrintableText.escaped($0))" } ?? ""
        let read = "\(counted(input.bytes.count, "byte")) of \(input.form)\(from)"
        let wrong = problems == 0 ? "all sound" : "\(problems == 1 ? "1 thing is" : "\(problems) things are") wrong"
        return "\(read): \(found); \(wrong)"
    }

    /// The last line of JSON.
    func json(_ input: DecodeInput) -> JSON {
        var totals: JSONObject = ["form": .string(input.form), "bytes": .int(Int64(input.bytes.count))]
        totals["source"] = input.source.map(JSON.string)
        var found = JSONObject()
        for (name, count) in counts { found[name] = .int(Int64(count)) }
        totals["found"] = .object(found)
        totals["problems"] = .int(Int64(problems))
        return .object(["totals": .object(totals)])
    }
}
