public import RigModel

/// One device of a file that `libinput record` wrote: what it is, and what it sent.
///
/// The form is YAML of version 1, as libinput-record(1) describes it; keys that it does not name are skipped, as it asks.
public struct LibinputRecording: Equatable, Sendable {
    /// The node that was recorded: `/dev/input/event9`; empty when the file does not say.
    public var node: String
    /// The device. Codes of types other than keys, relative and absolute axes are not kept: nothing decodes them.
    public var device: InputDeviceDescription
    /// Its reports in the order of the file, each `reported`; times are those of the file, from its first event on.
    public var frames: [EvdevFrame]
    /// How often the recorder itself had lost events: one for each SYN_DROPPED. The report it tore is left out.
    public var losses: Int
    /// How many events stand behind the last SYN_REPORT; they are left out, the report never ended.
    public var unfinished: Int

    /// The most devices of one file: ours, as many as a kernel numbers by default (EVDEV_MINORS).
    public static let maximumDevices = 32
    /// The most events of all devices together: ours, that of recordings in evemu's form.
    public static let maximumEvents = 2_000_000

    /// States a recording.
    public init(
        node: String, device: InputDeviceDescription, frames: [EvdevFrame], losses: Int = 0, unfinished: Int = 0
    ) {
        self.node = node
        self.device = device
        self.frames = frames
        self.losses = losses
        self.unfinished = unfinished
    }

    /// Reads a file, which has a device at least. A wrong place is told with its line and what was expected there.
    public static func all(parsing bytes: [UInt8]) throws(LibinputProblem) -> [LibinputRecording] {
        #if HAVE_YAML
            let events = try YAMLEvents(ByteOrderMark.skipped(in: bytes))
            var reader = LibinputReader(events)
            return try reader.document()
        #else
            throw .unavailable("this build has no libyaml; build it anew where its headers (libyaml-dev) are installed")
        #endif
    }

    /// Whether bytes look like such a file: their first line that is no comment begins with a key of its top level.
    public static func isLikely(_ bytes: [UInt8]) -> Bool {
        for line in ByteOrderMark.skipped(in: bytes).prefix(65_536).split(separator: UInt8(ascii: "\n")) {
            guard let first = line.first, first != UInt8(ascii: "#"), first != UInt8(ascii: "\r") else { continue }
            return line.starts(with: "---".utf8)
                || ["version:", "ndevices:", "libinput:", "system:", "devices:"].contains { line.starts(with: $0.utf8) }
        }
        return false
    }
}

/// Why a file of `libinput record` cannot be read.
public enum LibinputProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file is at fault: what stands in this line, from 1, and what is expected.
    case wrong(line: Int, found: String, expected: String)
    /// The machine or the build is: why, and what to do.
    case unavailable(String)

    /// As a person reads it: `line 3: "x"; expected is a whole number`.
    public var description: String {
        switch self {
        case .wrong(let line, let found, let expected): "line \(line): \(found); expected is \(expected)"
        case .unavailable(let why): why
        }
    }
}
