internal import ScenarioCore
internal import VarlinkProtocol
internal import VirtualInput

/// What `input create` says, and where. Standard output is for who drives the device: the line that it is ready, and a line
/// for each echo. Standard error is for people. With `--json` all of it is on standard output, an object a line.
///
/// What somebody may wait for is written at once; and when nobody reads any more, nobody needs the device.
struct VirtualInputReport {
    /// The device once it can be used.
    struct Ready {
        var node: String
        var sysname: String
        var syspath: String
        var name: String
        /// Whether udev runs and has told of it.
        var isKnownToUdev: Bool
        /// What was to be known before it was made.
        var notes: [String] = []
    }

    /// What it has done.
    struct Totals {
        var reports: Int
        var events: Int
        /// Events without a SYN_REPORT behind.
        var unfinished: Int
        var refusedLines: Int
        /// By how much the latest report was late, in nanoseconds.
        var latest: UInt64
        /// How many events of a recording were left out; nothing where none was played.
        var leftOut: Int?
    }

    let output: Output

    /// Something to know before the device is made; with `--json`, `ready` has it.
    func note(_ text: String) { output.note(PrintableText.escaped(text)) }

    /// The device can be used.
    func tell(_ ready: Ready) throws(CommandLineFailure) {
        if output.isJSON {
            output.json(
                .object([
                    "node": .string(ready.node), "sysname": .string(ready.sysname), "syspath": .string(ready.syspath),
                    "name": .string(ready.name), "udev": .bool(ready.isKnownToUdev),
                    "notes": .array(ready.notes.map(JSON.string)),
                ]))
        } else {
            output.line(PrintableText.escaped("ready: \(ready.node) (\(ready.sysname)) \"\(ready.name)\""))
        }
        try tellNow()
        if !ready.isKnownToUdev {
            note("no udev runs here: nobody has set the node's group, and a rig does not hear of it")
        }
    }

    /// Everything in front of an echo is done.
    func echo(_ word: String) throws(CommandLineFailure) {
        if output.isJSON {
            output.json(.object(["echo": .string(word)]))
        } else {
            output.line(PrintableText.escaped(word))
        }
        try tellNow()
    }

    /// A line is wrong.
    func refuse(_ problem: VirtualInputProblem) throws(CommandLineFailure) {
        if output.isJSON {
            output.json(
                .object([
                    "error": .string(FailureName.badLine.rawValue), "line": .int(Int64(problem.line)),
                    "field": .int(Int64(problem.field)), "text": .string(problem.text),
                ]))
            try tellNow()
        } else {
            output.say(PrintableText.escaped("dashrig: \(problem)"))
        }
    }

    /// The end.
    func tell(_ totals: Totals) {
        if output.isJSON {
            var object: JSONObject = [
                "reports": .int(Int64(totals.reports)), "events": .int(Int64(totals.events)),
                "unfinished": .int(Int64(totals.unfinished)), "refusedLines": .int(Int64(totals.refusedLines)),
                "latestMicroseconds": .int(Int64(clamping: totals.latest / 1_000)),
            ]
            object["leftOut"] = totals.leftOut.map { .int(Int64($0)) }
            return output.json(.object(object))
        }
        if totals.unfinished > 0 {
            note("\(counted(totals.unfinished, "event")) without a SYN_REPORT behind: not sent")
        }
        var text = "\(counted(totals.events, "event")) in \(counted(totals.reports, "report"))"
        if totals.refusedLines > 0 { text += ", \(counted(totals.refusedLines, "line")) refused" }
        note("\(text), the latest \(DurationText.short(totals.latest)) late")
    }

    private func tellNow() throws(CommandLineFailure) {
        output.flush()
        if let failure = output.failure { throw .output(failure) }
    }
}
