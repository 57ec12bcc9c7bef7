internal import DashrigClient
internal import EvdevInput
internal import EvemuFormat
internal import LinuxIO
internal import RigModel
internal import ScenarioCore
internal import VarlinkProtocol

/// Writes what an input device sends into a file.
enum InputRecordCommand {
    static let syntax = CommandSyntax(
        "record", .input, "write what an input device sends into a file",
        discussion: [
            "DEVICE is the path of an evdev node, or event3 for /dev/input/event3: for these no rig is needed, but the "
                + "permission to read the node. It may also be the name of one of the rig's input devices; of one with "
                + "several nodes, those are told to choose from.",
            "The file is in evemu's form, version 1.3: the description of the device and every report with its time, from "
                + "the first on. It is whole after each report, however it ends; dashrig input replay reads it. "
                + "Codes of event types other than keys, relative and absolute axes are not in the description.",
            "When the kernel loses events, because the device is quicker than this program, a comment marks the place and "
                + "what had changed meanwhile follows. A device that the rig or another program has to itself (grab) sends "
                + "nothing here.",
            "Without --for it ends by Ctrl-C, and so with exit code 4; 1 when the device goes away or cannot be read, or when "
                + "the file is as large as a recording may be. With --json: one object at the end, with file, name, node, "
                + "reports, events and losses.",
        ],
        operands: [OperandSyntax("DEVICE", .text(limit: 4_096), "a node, or the name of the rig's input device")],
        options: [
            OptionSyntax(
                "--output", short: "-o", "FILE", .file, "the file, which is written anew; - is standard output"),
            OptionSyntax("--for", "TIME", .duration(1_000_000...DurationText.maximum), "end after so long: 10s"),
        ],
        examples: [
            Example("dashrig input record /dev/input/event5 -o knob.evemu", "Record a device, until Ctrl-C."),
            Example("dashrig input record knob-1 -o knob.evemu --for 10s", "Record a device of the rig for 10 s."),
            Example(
                "dashrig input record event5 -o - --for 5s | dashrig input replay - --dry-run", "See how it is decoded."
            ),
        ],
        action: run)

    @Sendable private static func run(_ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        let arguments = call.arguments
        guard let path = arguments.text("--output") else {
            throw .usage(UsageFailure("record needs a file: -o FILE", path: arguments.path))
        }
        if path == "-" && call.output.isJSON {
            throw .usage(UsageFailure("--json and -o - both want standard output", path: arguments.path))
        }
        let node = try EvdevNodePath.find(arguments.required("DEVICE"), call)
        let recorder: EvdevRecorder
        do throws(SystemError) {
            recorder = try EvdevRecorder(node: node, path: path, interrupt: call.access.interrupt)
        } catch {
            throw .rig(.system(error))
        }
        let now = SystemClock.monotonicNow()
        let ending = recorder.run(until: arguments.duration("--for").map { now.addingClamped($0) })
        if recorder.isOpen { summarize(recorder, node, path, call.output) }
        switch ending {
        case .time: return .done
        case .interrupted: return .interrupted
        case .failed(let failure): throw failure
        }
    }

    private static func summarize(_ recorder: EvdevRecorder, _ node: String, _ path: String, _ output: Output) {
        let writer = recorder.writer
        if output.isJSON {
            output.json(
                .object([
                    "file": .string(path), "name": .string(recorder.name), "node": .string(node),
                    "reports": .int(Int64(writer.frameCount)), "events": .int(Int64(writer.eventCount)),
                    "losses": .int(Int64(recorder.losses)),
                ]))
            return
        }
        let lost =
            recorder.losses == 0
            ? "nothing lost" : "events lost \(recorder.losses == 1 ? "once" : "\(recorder.losses) times")"
        let place = path == "-" ? "" : " in \(path)"
        output.note(
            PrintableText.escaped(
                "\(recorder.name): \(counted(writer.eventCount, "event")) in \(counted(writer.frameCount, "report"))"
                    + "\(place), \(lost)"))
        if writer.frameCount == 0 {
            output.note("nothing came: nobody touched it, or another program has the device to itself")
        }
    }
}
