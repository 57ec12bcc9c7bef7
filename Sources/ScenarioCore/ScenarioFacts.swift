public import RigModel

extension ParameterValue {
    /// Reads `NAME=VALUE`; `nil` without a sign or with a name that is none.
    public init?(assignment: String) {
        guard let sign = assignment.firstIndex(of: "=") else { return nil }
        let name = String(assignment[..<sign])
        let value = String(assignment[assignment.index(after: sign)...])
        guard ScenarioScope.isName(name), ScenarioScope.isValue(value) else { return nil }
        self.init(name: name, value: value)
    }
}

/// A file that a scenario names and that has to be read for it.
public struct ScenarioFileName: Equatable, Sendable {
    /// What kind of file it is.
    public enum Kind: Equatable, Sendable {
        /// A scenario that is included.
        case include
        /// A track that is played.
        case track
    }

    /// What kind of file it is.
    public let kind: Kind
    /// Its path from the folder of the scenario, or from the root.
    public let name: String
    /// The line that names it.
    public let place: SourcePlace
}

/// A file that a scenario names and that cannot be had.
public struct AbsentFile: Equatable, Sendable {
    /// What kind of file it is.
    public let kind: ScenarioFileName.Kind
    /// Its name, as `Scenario.missingFiles` tells it.
    public let name: String
    /// Why, as the problem of the line that names it says it.
    public let reason: String

    /// Names a file.
    public init(kind: ScenarioFileName.Kind, name: String, reason: String) {
        self.kind = kind
        self.name = name
        self.reason = reason
    }
}

/// A parameter that a scenario has.
public struct ScenarioParameter: Equatable, Sendable {
    /// Its name.
    public let name: String
    /// What it is when nobody says; `nil` when somebody has to.
    public let standard: String?
    /// What it is in this reading.
    public let value: String
    /// Where it is declared.
    public let place: SourcePlace
}

/// A row of a scenario's table: a run of its own.
public struct ScenarioRow: Equatable, Sendable {
    /// Its number, from 1.
    public let number: Int
    /// Its cells with their columns as a person reads them: `speed=80ms detents=3`.
    public let title: String
    /// Where it stands.
    public let place: SourcePlace

    /// The most rows of a table: ours.
    public static let maximumCount = 1_000
    /// The most columns.
    public static let maximumColumns = 32

    /// The name of the run of this row.
    public func name(of scenario: String) -> String { "\(scenario) [\(number): \(title)]" }
}
