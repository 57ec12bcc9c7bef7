internal import EvemuFormat
internal import LibinputFormat
internal import LinuxIO
internal import RigModel

/// A file with a recording of an input device, in either form.
enum RecordingFile {
    /// Reads it; `-` is standard input.
    ///
    /// - Parameter recorded: which of several devices of a libinput recording, by node or name; nil where it has one.
    static func read(_ path: String, recorded: String?) throws(CommandLineFailure) -> EvemuRecording {
        let bytes = try contents(path, limit: EvemuRecording.maximumBytes)
        guard LibinputRecording.isLikely(bytes) else {
            if recorded != nil {
                throw .file("\(path): it has one device, as evemu's form has; --recorded is for others")
            }
            do throws(EvemuProblem) {
                return try EvemuRecording(parsing: bytes)
            } catch {
                throw .file("\(path): \(error)")
            }
        }
        let recordings: [LibinputRecording]
        do throws(LibinputProblem) {
            recordings = try LibinputRecording.all(parsing: bytes)
        } catch {
            throw .file("\(path): \(error)")
        }
        let one = try chosen(recordings, recorded, path)
        return EvemuRecording(device: one.device, frames: one.frames, losses: one.losses, unfinished: one.unfinished)
    }

    /// The one device of a file, or the named one.
    private static func chosen(
        _ recordings: [LibinputRecording], _ name: String?, _ path: String
    ) throws(CommandLineFailure) -> LibinputRecording {
        let fitting = name.map { name in recordings.filter { $0.node == name || $0.device.name == name } } ?? recordings
        guard fitting.count == 1, let one = fitting.first else {
            let all = recordings.map { "\($0.node) (\($0.device.name))" }.joined(separator: ", ")
            let what = name.map { "\(fitting.isEmpty ? "no" : "more than one") device \($0) in it" }
            throw .file("\(path): \(what ?? "it has several devices"); --recorded names one of \(all)")
        }
        return one
    }

    /// The bytes of a file of at most `limit`; `-` is standard input.
    static func contents(_ path: String, limit: Int) throws(CommandLineFailure) -> [UInt8] {
        do throws(FileError) {
            return path == "-"
                ? try FileContents.read(descriptor: 0, limit: limit, name: "standard input")
                : try FileContents.read(path, limit: limit)
        } catch {
            throw .file(error.description)
        }
    }
}
