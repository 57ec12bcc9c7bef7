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

    /// Reads the tracks that a scenario plays. Their paths go from the scenario's folder; a scenario from standard input
    /// has the working folder. What cannot be read is a problem of the step that names it.
    static func tracks(of bytes: [UInt8], _ path: String) -> (tracks: [TrackFile], absent: [AbsentTrack]) {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        var tracks: [TrackFile] = []
        var absent: [AbsentTrack] = []
        for name in Scenario.trackNames(in: bytes, file: path) {
            guard tracks.count < TrackFile.maximumCount else {
                let reason = "a scenario plays at most \(TrackFile.maximumCount) tracks"
                absent.append(AbsentTrack(name: name, reason: reason))
                continue
            }
            let place = name.hasPrefix("/") ? name : "\(folder)\(name)"
            do {
                tracks.append(TrackFile(name: name, text: try track(place)))
            } catch {
                absent.append(AbsentTrack(name: name, reason: "the track cannot be played: \(error.text)"))
            }
        }
        return (tracks, absent)
    }

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

    /// Understands what was read. Problems have their places in the file as it is.
    init(
        _ bytes: [UInt8], file: String, isScript: Bool, tracks: [TrackFile] = [], absent: [AbsentTrack] = []
    ) throws(ScenarioProblems) {
        self.tracks = isScript ? [] : tracks
        guard isScript else {
            self.file = file
            self.bytes = bytes
            scenario = try Scenario(parsing: bytes, file: file, tracks: tracks, absent: absent)
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
