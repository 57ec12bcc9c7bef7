public import RigModel

/// What a file in evemu's text form says: an input device, what it sent, or both.
///
/// The form is a description (`N:` name, `I:` ids, `P:` properties, `B:` codes, `A:` ranges, `L:` and `S:` states of LEDs
/// and switches) and events (`E:`), one a line; `#` begins a comment. Versions 1.0 to 1.3 differ in what may be absent: 1.0
/// has no first line with the version and no `P:`, resolutions of axes came with 1.2, LEDs and switches with 1.3.
public struct EvemuRecording: Equatable, Sendable {
    /// The device, or `nil` when the file has events only. Codes of types other than keys, relative and absolute axes are
    /// not kept, nor are the states of LEDs and switches: nothing decodes them.
    public var device: InputDeviceDescription?
    /// Its reports in the order of the file, each `reported`; times are those of the file, whatever clock that was.
    public var frames: [EvdevFrame]
    /// How often the recorder itself had lost events: one for each SYN_DROPPED. The report it tore is left out.
    public var losses: Int
    /// How many events stand behind the last SYN_REPORT; they are left out, the report never ended.
    public var unfinished: Int

    /// The largest file: 64 MiB, which is half an hour of a touchscreen at 1 kHz with ten fingers. Ours.
    public static let maximumBytes = 67_108_864
    /// The longest line in bytes: ours. The longest true ones are names, which the kernel cuts at 256 bytes, and events with
    /// comments.
    public static let maximumLine = 1_024
    /// The most events: ours; what fits into a file of the largest size.
    public static let maximumEvents = 2_000_000

    /// States a recording.
    public init(device: InputDeviceDescription?, frames: [EvdevFrame], losses: Int = 0, unfinished: Int = 0) {
        self.device = device
        self.frames = frames
        self.losses = losses
        self.unfinished = unfinished
    }

    /// Reads a file. A wrong line is told with its number and what was expected there; nothing is guessed.
    public init(parsing bytes: [UInt8]) throws(EvemuProblem) {
        guard bytes.count <= Self.maximumBytes else {
            throw EvemuProblem(
                line: 1, found: "\(bytes.count) bytes", expected: "a file of at most \(Self.maximumBytes) bytes")
        }
        var reader = EvemuReader()
        for line in ByteOrderMark.skipped(in: bytes).split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        {
            try reader.take(line)
        }
        self = reader.finish()
    }

    /// How long it lasts from its first report to its last, in nanoseconds; times that run backwards count as none.
    public var duration: UInt64 {
        guard let first = frames.first?.time, let last = frames.last?.time, last > first else { return 0 }
        return last - first
    }
}

/// What is wrong with a file in evemu's form. The file is at fault, or is none of this form.
public struct EvemuProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The line, from 1.
    public let line: Int
    /// What stands there, shortened and printable.
    public let found: String
    /// What should stand there.
    public let expected: String

    init(line: Int, found: String, expected: String) {
        self.line = line
        self.found = found
        self.expected = expected
    }

    /// As a person reads it: `line 3: "I: 00zz" where four hexadecimal numbers are expected`.
    public var description: String { "line \(line): \(found); expected is \(expected)" }
}
