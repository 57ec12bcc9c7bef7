internal import DashrigClient
internal import Glibc
internal import LinuxIO
internal import ScenarioCore
internal import VarlinkProtocol

/// The end of a run that the rig refused.
enum RunRefusal {
    /// What others hold says nothing about what was to be tested: it is the rig's failure, as in a verdict.
    static func end(_ failure: ClientFailure, _ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        let told = CommandLineFailure.rig(failure)
        guard failure.name == "org.dashrig.Rig.Busy" else { throw told }
        call.output.flush()
        told.tell(call.output)
        return .rig
    }
}

/// What a run leaves behind for others to read: `--junit` and `--artifacts`.
struct RunReport {
    /// The report's file of `--junit`.
    let junit: String?
    /// The folder of `--artifacts`.
    let folder: String?

    static let options = [
        OptionSyntax("--junit", "FILE", .file, "also write the verdict as JUnit XML"),
        OptionSyntax(
            "--artifacts", "DIR", .folder, "also leave verdict, JUnit XML, timeline and the scenario in this folder"),
    ]

    /// The files of `--artifacts`.
    enum File: String, CaseIterable {
        case verdict = "verdict.json"
        case junit = "junit.xml"
        case timeline = "timeline.txt"
        case entries = "timeline.jsonl"
        case scenario = "scenario.rig"
    }

    init(_ arguments: Arguments) {
        junit = arguments.text("--junit")
        folder = arguments.text("--artifacts")
    }

    private struct Run {
        let verdict: Verdict
        let entries: [TimelineEntry]
        /// The row of the scenario's table, if it has one.
        let row: Int?
    }

    private var runs: [Run] = []

    /// Takes a run that is over. Those of rows have a folder of their own each: `row-1` and so on.
    mutating func add(_ verdict: Verdict, _ entries: [TimelineEntry], row: Int? = nil) {
        runs.append(Run(verdict: verdict, entries: entries, row: row))
    }

    /// Writes what was asked for; the verdict of each run last, so that one that is there is of a run that is over.
    ///
    /// - Parameter scenario: the text that ran, or nothing where none could be read.
    func write(scenario: String?) throws(CommandLineFailure) {
        guard junit != nil || folder != nil else { return }
        let xml = JUnitXML.render(
            runs.map(\.verdict), timelines: runs.map(\.entries),
            timestamp: Timestamp.text(realtime: SystemClock.realtimeNow()))
        if let junit { try ReportFile.write(junit, xml) }
        guard let folder else { return }
        try Self.make(folder)
        if let scenario { try Self.write(folder, .scenario, scenario) }
        try Self.write(folder, .junit, xml)
        for run in runs {
            let place = run.row.map { "\(folder)/row-\($0)" } ?? folder
            try Self.make(place)
            let lines = run.entries.map { JSON($0.record).description + "\n" }.joined()
            try Self.write(place, .entries, lines)
            let style = TextStyle(full: true)
            try Self.write(
                place, .timeline,
                TimelineText.render(run.entries, style: style) + "\n\n"
                    + TimelineText.render(run.verdict, style: style) + "\n")
            try Self.write(place, .verdict, JSON(run.verdict.record).description + "\n")
        }
    }

    private static func write(_ folder: String, _ file: File, _ text: String) throws(CommandLineFailure) {
        try ReportFile.write("\(folder)/\(file.rawValue)", text)
    }

    /// Makes a folder, and those above it that are missing.
    private static func make(_ folder: String) throws(CommandLineFailure) {
        var places: [String] = []
        var place = Substring(folder)
        while !place.isEmpty, place != "/" {
            places.append(String(place))
            guard let slash = place.lastIndex(of: "/") else { break }
            place = place[..<slash]
        }
        for place in places.reversed() where mkdir(place, 0o777) != 0 && errno != EEXIST {
            throw .file("the folder for artifacts cannot be made: \(SystemError("mkdir", errno, place))")
        }
    }
}
