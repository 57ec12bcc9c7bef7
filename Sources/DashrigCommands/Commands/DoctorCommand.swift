internal import DashrigClient
internal import VarlinkProtocol

enum DoctorCommand {
    static let syntax = CommandSyntax(
        "doctor", .tool, "find out what is wrong, and how to mend it",
        discussion: [
            "Looks at the sockets and who may use them, at the versions, at devices with problems, at the installed rule "
                + "and units, at udev, kernel modules and packages, and for devices on the bus that the rig does not "
                + "have.",
            "A problem keeps something from working; a note is about something that not everybody needs. Exit code 0: no "
                + "problems; 1: there are some.",
            "With --json: an object with the list findings and the number of problems.",
        ],
        options: [OptionSyntax(flag: "--problems", "show nothing but problems")],
        examples: [
            Example("dashrig doctor", "Have everything looked at."),
            Example("dashrig doctor --problems", "Only see what does not work."),
            Example(
                "dashrig doctor --json | jq -r '.findings[] | select(.state==\"problem\") | .mend'",
                "List the remedies."),
        ],
        action: run)

    @Sendable private static func run(_ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        let (rig, state) = try RigExamination(access: call.access, machine: call.machine).examine()
        let isService = call.access.directory.path == SocketDirectory.standardPath
        let all = rig + MachineExamination(machine: call.machine, isService: isService, state: state).examine()
        let problems = all.count { $0.state == .problem }
        let shown = call.arguments.flag("--problems") ? all.filter { $0.state == .problem } : all
        if call.output.isJSON {
            call.output.json(
                .object([
                    "findings": .array(shown.map(\.json)), "problems": .int(Int64(problems)),
                ]))
        } else {
            tell(shown, problems: problems, notes: all.count { $0.state == .note }, call.output)
        }
        return problems == 0 ? .done : .failed
    }

    private static func tell(_ findings: [Finding], problems: Int, notes: Int, _ output: Output) {
        let subjects = findings.map { PrintableText.width($0.subject) }.max() ?? 0
        for finding in findings {
            let state = PrintableText.padded(finding.state.rawValue, to: 7)
            let subject = PrintableText.padded(PrintableText.escaped(finding.subject), to: subjects)
            output.line(
                "\(output.style.text(state, tone(finding.state)))  \(subject)  \(PrintableText.escaped(finding.text))")
            if let mend = finding.mend {
                output.line(String(repeating: " ", count: 9 + subjects) + "  -> \(PrintableText.escaped(mend))")
            }
        }
        if !findings.isEmpty { output.line() }
        func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
        let text =
            problems == 0
            ? "No problems, \(count(notes, "note"))." : "\(count(problems, "problem")), \(count(notes, "note"))."
        output.line(output.style.text(text, problems == 0 ? .good : .bad))
    }

    private static func tone(_ state: Finding.State) -> Tone {
        switch state {
        case .ok: .good
        case .note: .faint
        case .problem: .bad
        }
    }
}
