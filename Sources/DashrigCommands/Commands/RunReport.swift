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

    /// Writes what was asked for, and the last lines last, so that a verdict that is there is a run that is over.
    ///
    /// - Parameter scenario: the text that ran, or nothing where none could be read.
    func write(
        _ verdict: Verdict, _ entries: [TimelineEntry], scenario: String? = nil
    ) throws(CommandLineFailure) {
        guard junit != nil || folder != nil else { return }
        let xml = JUnitXML.render(
            [verdict], timelines: [entries], timestamp: Timestamp.text(realtime: SystemClock.realtimeNow()))
        if let junit { try ReportFile.write(junit, xml) }
        guard let folder else { return }
        try Self.make(folder)
        if let scenario { try Self.write(folder, .scenario, scenario) }
        let lines = entries.map { JSON($0.record).description + "\n" }.joined()
        try Self.write(folder, .entries, lines)
        let style = TextStyle(full: true)
        try Self.write(
            folder, .timeline,
            TimelineText.render(entries, style: style) + "\n\n" + TimelineText.render(verdict, style: style) + "\n")
        try Self.write(folder, .junit, xml)
        try Self.write(folder, .verdict, JSON(verdict.record).description + "\n")
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
