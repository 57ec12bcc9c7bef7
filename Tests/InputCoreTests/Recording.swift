import EvemuFormat
import Foundation
import RigModel

/// A recording of a real device in evemu's text form: a description and what the device sent.
struct Recording {
    let device: InputDeviceDescription
    let frames: [EvdevFrame]

    /// Where published recordings are on a machine that has them: `shared/fixtures/recordings` beside the repository or
    /// beside a folder that it is in.
    static let folder: URL? = {
        var place = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        while place.path != "/" {
            place.deleteLastPathComponent()
            let candidate = place.appendingPathComponent("shared/fixtures/recordings")
            if FileManager.default.fileExists(atPath: candidate.path) { return candidate }
        }
        return nil
    }()

    /// The events of a file with the device of the same file, else with that of the description beside it: a description
    /// made on its own may be another kernel's.
    init(_ device: String, _ events: String) throws {
        let folder = Self.folder ?? URL(fileURLWithPath: "/")
        func read(_ name: String) throws -> EvemuRecording {
            try EvemuRecording(parsing: [UInt8](Data(contentsOf: folder.appendingPathComponent(name))))
        }
        let recording = try read("\(device).\(events).events")
        self.device = try recording.device ?? read("\(device).desc").device ?? InputDeviceDescription()
        frames = recording.frames
    }
}
