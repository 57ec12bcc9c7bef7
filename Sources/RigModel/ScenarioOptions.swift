/// What a scenario is read with besides its own text.
public struct ScenarioOptions: Equatable, Sendable {
    /// The files that it includes, by their names as it has them.
    public var includes: [IncludedFile]
    /// The values of its parameters.
    public var values: [ParameterValue]
    /// What its random choices come from; `nil` takes what the file says, or else 1.
    public var seed: UInt64?
    /// The row of its table that is meant, from 1; `nil` checks all of them and reads the first.
    public var row: Int?
    /// Whether whoever asks for the run runs the programs of the scenario (`exec`, `attach`) and marks what they say.
    public var runsPrograms: Bool

    /// States options; the default is none.
    public init(
        includes: [IncludedFile] = [], values: [ParameterValue] = [], seed: UInt64? = nil, row: Int? = nil,
        runsPrograms: Bool = false
    ) {
        self.includes = includes
        self.values = values
        self.seed = seed
        self.row = row
        self.runsPrograms = runsPrograms
    }
}

/// The text of a file that a scenario includes.
public struct IncludedFile: Equatable, Sendable {
    /// Its path from the folder of the scenario, without `.` and needless `..`; or from the root.
    public let name: String
    /// The text.
    public let text: String

    /// The most files that one scenario includes: ours.
    public static let maximumCount = 64
    /// How deep files may include one another: ours.
    public static let maximumDepth = 8
    /// The most bytes of all included files together: what one call on the rig's socket can carry.
    public static let maximumBytes = 1 << 20

    /// Names a text.
    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}

/// The value that somebody gives a parameter.
public struct ParameterValue: Equatable, Sendable {
    /// The parameter.
    public let name: String
    /// Its value, any text in one line.
    public let value: String

    /// The longest value in bytes: ours.
    public static let maximumBytes = 1_024

    /// Gives a value.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
