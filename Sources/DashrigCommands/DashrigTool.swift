import RigModel
internal import DashrigClient
internal import Glibc
public import LinuxIO
internal import RigConfiguration
internal import VarlinkProtocol

/// The command line `dashrig`, as a function of what it is given.
public enum DashrigTool {
    /// The process: its arguments, environment, standard output and error, and signals. Answers the exit code.
    ///
    /// To be called before any thread exists, because signals are blocked first.
    public static func main() -> Int32 {
        let missing = StandardStreams.openMissing()
        SignalDescriptor.ignoreBrokenPipe()
        let environment = Environment.current()
        let signals: SignalDescriptor
        do {
            signals = try SignalDescriptor([SIGINT, SIGTERM, SIGHUP])
        } catch {
            let words = sink(2, environment, missing, nil)
            try? words.write("dashrig: signals cannot be waited for: \(error)\n")
            return ExitCode.rig.rawValue
        }
        let code = run(
            Array(CommandLine.arguments.dropFirst()), environment: environment,
            results: sink(1, environment, missing, signals.rawValue),
            words: sink(2, environment, missing, signals.rawValue),
            interrupt: signals.rawValue, machine: .current())
        return code.rawValue
    }

    private static func sink(
        _ number: Int32, _ environment: Environment, _ missing: [Int32], _ interrupt: Int32?
    ) -> DescriptorSink {
        DescriptorSink(
            descriptor: number, environment: environment, wasClosed: missing.contains(number), interrupt: interrupt)
    }

    /// One command line: words without the program's own name in, an exit code out, everything said into two sinks.
    ///
    /// `interrupt` is a descriptor that becomes readable when the command is to end early.
    public static func run(
        _ words: [String], environment: Environment, results: any TextSink, words sink: any TextSink,
        interrupt: Int32?, machine: Machine
    ) -> ExitCode {
        let output = Output(results: results, words: sink)
        output.isJSON = ArgumentParser.asksForJSON(words)
        var code = ExitCode.done
        do {
            code = try perform(words, environment, output, interrupt, machine)
            output.flush()
        } catch {
            // An interruption is the same, whoever noticed it first.
            let failure = error == .rig(.interrupted) ? CommandLineFailure.interrupted : error
            output.flush()
            failure.tell(output)
            code = failure.exitCode
        }
        output.clearProgress()
        if code == .done, let failure = output.failure {
            let end = CommandLineFailure.output(failure)
            end.tell(output)
            code = end.exitCode
        }
        return code
    }

    private static func perform(
        _ words: [String], _ environment: Environment, _ output: Output, _ interrupt: Int32?, _ machine: Machine
    ) throws(CommandLineFailure) -> ExitCode {
        let line: ParsedLine
        do {
            line = try CommandTable.parser.parse(words)
        } catch {
            throw .usage(error)
        }
        switch line {
        case .empty:
            if output.isJSON { throw .usage(UsageFailure("no command is given")) }
            output.say(HelpText.overview(width: output.helpWidth).joined(separator: "\n"))
            return .usage
        case .help(let path): return try help(path, output)
        case .version:
            if output.isJSON {
                output.json(.object(["version": .string(ToolVersion.text)]))
            } else {
                output.line("dashrig \(ToolVersion.text)")
            }
            return .done
        case .command(let command, let arguments):
            guard let action = command.action else { preconditionFailure("the parser gives no group of commands") }
            let directory = SocketDirectory(
                argument: arguments.text("--socket-dir"), variable: environment[SocketDirectory.variable])
            let access = RigAccess(
                directory: directory, timeout: arguments.duration("--timeout"), interrupt: interrupt)
            return try action(
                Invocation(
                    arguments: arguments, output: output, access: access, machine: machine))
        }
    }

    /// Explains a command, or with no path the whole tool.
    static func help(_ path: [String], _ output: Output) throws(CommandLineFailure) -> ExitCode {
        guard !path.isEmpty else {
            if output.isJSON {
                output.json(HelpText.overviewJSON())
            } else {
                output.lines(HelpText.overview(width: output.helpWidth))
            }
            return .done
        }
        guard let entry = CommandTable.entry(path) else {
            let known = CommandTable.entries.map { $0.path.joined(separator: " ") }
            let asked = path.joined(separator: " ")
            throw .usage(
                UsageFailure(
                    "there is no command \"\(asked)\"", suggestion: Spelling.nearest(to: asked, among: known)))
        }
        if output.isJSON {
            output.json(HelpText.json(entry))
        } else {
            output.lines(HelpText.command(entry, width: output.helpWidth))
        }
        return .done
    }
}

extension Output {
    /// How wide help is: as the terminal, but no wider than what is pleasant to read.
    var helpWidth: Int { min(max(width ?? 80, 40), 100) }
}
