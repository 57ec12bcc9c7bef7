internal import LinuxIO
internal import RigModel
internal import ScenarioCore

/// The scenario that a command line names: a file of ours, or a script of another console in our words.
struct ScenarioSource {
    /// The name that messages carry.
    let file: String
    /// What the rig is asked to run, in UTF-8.
    let bytes: [UInt8]
    let scenario: Scenario
    /// The tracks that it plays.
    let tracks: [TrackFile]
    /// What else it is read with.
    let options: ScenarioOptions

    /// Files with this ending are scripts of that console, whatever the options say.
    private static let scriptEnding = ".dhu"
    private static let scenarioEnding = ".rig"

    /// Reads a file, `-` for standard input.
    static func read(_ path: String) throws(CommandLineFailure) -> (file: String, bytes: [UInt8]) {
        do {
            if path == "-" {
                return (
                    "stdin", try FileContents.read(descriptor: 0, limit: Scenario.maximumBytes, name: "standard input")
                )
            }
            return (path, try FileContents.read(path, limit: Scenario.maximumBytes))
        } catch {
            throw .file(error.description)
        }
    }

    static func isScript(_ path: String) -> Bool { path.hasSuffix(scriptEnding) }

    /// What a scenario's lines name beside itself.
    struct Files {
        var tracks: [TrackFile] = []
        var absent: [AbsentFile] = []
        var options = ScenarioOptions()
    }

    /// Reads the files that a scenario names, and those that they name. Their paths go from the scenario's folder; a
    /// scenario from standard input has the working folder. What cannot be read is a problem of the line that names it.
    static func files(of bytes: [UInt8], _ path: String, _ options: ScenarioOptions) -> Files {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        var files = Files(options: options)
        while true {
            let missing = Scenario.missingFiles(
                parsing: bytes, file: path, tracks: files.tracks, absent: files.absent, options: files.options)
            // More includes than these are refused when the scenario is read.
            if missing.isEmpty || files.options.includes.count > IncludedFile.maximumCount { return files }
            for file in missing {
                let place = file.name.hasPrefix("/") ? file.name : "\(folder)\(file.name)"
                var reason: String?
                switch file.kind {
                case .track where files.tracks.count >= TrackFile.maximumCount:
                    reason = "a scenario plays at most \(TrackFile.maximumCount) tracks"
                case .track:
                    do throws(CommandLineFailure) {
                        files.tracks.append(TrackFile(name: file.name, text: try track(place)))
                    } catch {
                        reason = "the track cannot be played: \(error.text)"
                    }
                case .include:
                    do throws(CommandLineFailure) {
                        files.options.includes.append(IncludedFile(name: file.name, text: try scenario(place)))
                    } catch {
                        reason = "the file cannot be included: \(error.text)"
                    }
                }
                if let reason { files.absent.append(AbsentFile(kind: file.kind, name: file.name, reason: reason)) }
            }
        }
    }

    /// The text of a scenario that is included.
    private static func scenario(_ path: String) throws(CommandLineFailure) -> String {
        let bytes: [UInt8]
        do {
            bytes = try FileContents.read(path, limit: Scenario.maximumBytes)
        } catch {
            throw .file(error.description)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .file("\(path) is no UTF-8 text") }
        return text
    }

    /// What the options of a command say of a scenario.
    static func options(_ arguments: Arguments) throws(CommandLineFailure) -> ScenarioOptions {
        var values: [ParameterValue] = []
        for text in arguments.texts("--set") {
            guard let value = ParameterValue(assignment: text) else {
                throw .usage(
                    UsageFailure(
                        "--set: '\(text)' is not NAME=VALUE; a name is a letter, then letters, digits, '-' or '_', at "
                            + "most 32", path: arguments.path))
            }
            values.append(value)
        }
        return ScenarioOptions(
            values: values, seed: arguments.number("--seed").map { UInt64($0) }, row: arguments.number("--row"))
    }

    /// The options of commands that read scenarios.
    static let optionSyntax = [
        OptionSyntax(
            "--set", "NAME=VALUE", .text(limit: 1_100), "the value of a parameter; again for others", again: true),
        OptionSyntax(
            "--seed", "N", .integer(0...Int.max), "what random choices come from, in place of the file's seed"),
        OptionSyntax("--row", "N", .integer(1...ScenarioRow.maximumCount), "only this row of the table, from 1"),
    ]

    /// The text of a track.
    static func track(_ path: String) throws(CommandLineFailure) -> String {
        let bytes: [UInt8]
        do {
            bytes = try FileContents.read(path, limit: VehicleTrack.maximumBytes)
        } catch {
            throw .file(error.description)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .file("\(path) is no UTF-8 text") }
        return text
    }

    /// What is run one after the other: the rows of its table, or one of them where that was asked for; without a table the
    /// scenario itself.
    var rows: [ScenarioRow?] {
        if scenario.rows.isEmpty { return [nil] }
        return scenario.rows.filter { options.row == nil || $0.number == options.row }
    }

    /// Understands what was read. Problems have their places in the file as it is.
    init(
        _ bytes: [UInt8], file: String, isScript: Bool, files: Files = Files()
    ) throws(ScenarioProblems) {
        tracks = isScript ? [] : files.tracks
        options = isScript ? ScenarioOptions() : files.options
        guard isScript else {
            self.file = file
            self.bytes = bytes
            scenario = try Scenario(
                parsing: bytes, file: file, tracks: files.tracks, absent: files.absent, options: files.options)
            return
        }
        // Lines of what runs are not those of the script; the name says so wherever a line is told.
        self.file = "\(file) (translated)"
        self.bytes = Array(try DHUScript(parsing: bytes, file: file).scenario.utf8)
        scenario = try Scenario(parsing: self.bytes, file: self.file)
    }

    /// The file's name without folders and ending.
    static func name(_ file: String) -> String {
        let last = file.split(separator: "/").last.map(String.init) ?? file
        for ending in [scenarioEnding, scriptEnding] where last.hasSuffix(ending) && last.utf8.count > 4 {
            return String(last.dropLast(ending.count))
        }
        return last
    }
}
