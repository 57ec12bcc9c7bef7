import EvemuFormat
import RigModel

/// Recordings in evemu's form: what is refused has a line, what is taken stays within its limits, and what is written of
/// it is read as the same.
enum EvemuTarget {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        let recording: EvemuRecording
        do throws(EvemuProblem) {
            recording = try EvemuRecording(parsing: bytes)
        } catch {
            try require(error.line >= 1 && error.line <= bytes.count + 1, "line \(error.line) is none of the file")
            return try require(!error.expected.isEmpty && !error.found.isEmpty, "a problem without words")
        }
        for frame in recording.frames {
            try require(frame.events.count <= EvdevFrame.maximumEvents, "a frame of \(frame.events.count) events")
        }
        var writer = EvemuWriter()
        var text = writer.head(recording.device ?? InputDeviceDescription())
        for frame in recording.frames { text += writer.frame(frame) }
        let again: EvemuRecording
        do throws(EvemuProblem) {
            again = try EvemuRecording(parsing: Array(text.utf8))
        } catch {
            throw FuzzFinding("what was written is refused: \(error)")
        }
        try require(again.losses == 0 && again.unfinished == 0, "what was written has losses")
        try require(again.frames.count == recording.frames.count, "frames were lost in writing")
        for (one, other) in zip(recording.frames, again.frames) {
            try require(
                one.events.elementsEqual(other.events) {
                    $0.type == $1.type && $0.code == $1.code && $0.value == $1.value
                }, "a frame is another one in writing")
        }
    }
}
