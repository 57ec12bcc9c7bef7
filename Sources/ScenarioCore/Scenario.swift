public import RigModel

/// A scenario: the steps of one timeline, in the order in which they run; loops are written out, files included.
public struct Scenario: Equatable, Sendable {
    /// The file as the caller named it; it stands in every message.
    public let file: String
    /// The steps: those of `setup`, then the test's own, then those of `teardown`.
    public let steps: [ScenarioStep]
    /// How many of the first steps are `setup`; the times of `at` count from their end.
    public let setupCount: Int
    /// The index from which on steps are `teardown`: they run however the others ended.
    public let teardownStart: Int
    /// What its random choices came from; `nil` when it has none and states no seed.
    public let seed: UInt64?
    /// Its parameters, in the order of the file.
    public let parameters: [ScenarioParameter]
    /// What lines of programs are compared with, by the places that `ProgramText.line` tells.
    public let patterns: [ScenarioPattern]
    /// The rows of its table; empty when it has none. Each is a run of its own.
    public let rows: [ScenarioRow]
    /// The number of the row that this is, from 1; `nil` when nobody said which.
    public let row: Int?

    /// The longest file in bytes: what one call on the rig's socket can carry.
    public static let maximumBytes = 1 << 20
    /// The longest line in bytes.
    public static let maximumLineBytes = 4_096
    /// The most steps, with loops written out: ours, so that a short text cannot fill the memory.
    public static let maximumSteps = 50_000
    /// The most lines that are read for one scenario, with loops, rows and included files written out: ours.
    public static let maximumLines = 200_000
    /// The seed when nobody states one.
    public static let standardSeed: UInt64 = 1

    /// Every path to a single value that a condition can name, `0` standing for any place in a list.
    public static var conditionPaths: [String] { RecordShape.event.paths }

    /// Words that begin a step.
    public static var stepWords: [String] { StepParser.actWords + StepParser.flowWords }

    /// Words that begin a line which is no step.
    public static var structureWords: [String] { StepParser.structureWords }

    /// Collects steps that are already checked.
    init(
        file: String, steps: [ScenarioStep], setupCount: Int, teardownStart: Int, seed: UInt64?,
        parameters: [ScenarioParameter], patterns: [ScenarioPattern], rows: [ScenarioRow], row: Int?
    ) {
        self.file = file
        self.steps = steps
        self.setupCount = setupCount
        self.teardownStart = teardownStart
        self.seed = seed
        self.parameters = parameters
        self.patterns = patterns
        self.rows = rows
        self.row = row
    }
}

/// One line of a scenario.
public struct ScenarioStep: Equatable, Sendable {
    /// Where its line is, and in which column it begins.
    public let place: SourcePlace
    /// The line without indentation and comment, with the values of names.
    public let text: String
    /// The line as it stands in the file.
    public let line: String
    /// The lines that include its file, outermost first; empty for a step of the scenario's own file.
    public let includedFrom: [SourcePlace]
    /// Its label.
    public let label: String?
    /// When it begins.
    public internal(set) var timing: StepTiming
    /// How often it is done, or `nil` for once.
    public let repetition: Repetition?
    /// What it does.
    public internal(set) var action: StepAction
    /// How long the step takes on the timeline, in nanoseconds: a gesture's duration, a repetition's, a wait's.
    public let duration: UInt64
    /// The same of what is done once.
    var durationOnce: UInt64 { repetition?.once ?? duration }
    /// Whether the device it plugs in stays plugged in after the run.
    public let keepsDevice: Bool
    /// Whether the events that expectations look at are those from this step on. See `docs/scenarios.md`.
    public let opensWindow: Bool

    /// The line of the scenario's own file that it comes from.
    public var ownLine: Int { includedFrom.first?.line ?? place.line }

    /// The step as the timeline of a run tells it: its text, and its own place when its file is included.
    public var timelineText: String {
        includedFrom.isEmpty ? text : "\(text)  [\(place.file):\(place.line)]"
    }

    /// A problem with the step as a whole.
    public func problem(_ text: String, suggestion: String? = nil) -> ScenarioProblem {
        ScenarioProblem(
            place: place, length: max(1, min(self.text.count, line.count - place.column + 1)), text: text,
            suggestion: suggestion, line: line, includedFrom: includedFrom)
    }
}

/// When a step begins.
public enum StepTiming: Equatable, Sendable {
    /// When the step before it is over.
    case next
    /// So many nanoseconds after the run's start.
    case at(UInt64)
    /// So many nanoseconds after the time at which the step before it was to begin.
    case later(UInt64)
    /// So many nanoseconds after the time at which the step of that index was to begin.
    case from(step: Int, UInt64)
    /// When an event comes.
    case after(EventExpectation)
}

/// A step that is done again and again.
public struct Repetition: Equatable, Sendable {
    /// Nanoseconds from one beginning to the next.
    public let interval: UInt64
    /// How often: every beginning that lies before the end of the repetition.
    public let count: Int
    /// How long one of them takes, in nanoseconds: at most the interval.
    public let once: UInt64

    /// The most repetitions of one step.
    public static let maximumCount = 100_000
}

/// What a step does.
public enum StepAction: Equatable, Sendable {
    /// Ask the rig for something.
    case perform(Command)
    /// Let time go by.
    case wait(UInt64)
    /// Look for events.
    case expect(EventExpectation)
    /// Have a program run by whoever asked for the run.
    case program(ProgramStep)
    /// Do the steps of these indices, each range one after the other, all ranges at the same time.
    case parallel([Range<Int>])
}

/// What events shall come.
public struct EventExpectation: Equatable, Sendable {
    /// Their kind.
    public let kind: EventKind
    /// What must hold of their records: all of it.
    public let conditions: [EventCondition]
    /// How many.
    public let amount: Amount
    /// How long the rig has for it, in nanoseconds.
    public let within: UInt64
    /// Whether only events after the one of the line before count (`then`).
    public let isNext: Bool
    /// What the event that meets it must be like, or else it fails at once.
    public var demand: EventCondition?
    /// What it is about in the words of the file, when its conditions do not say that.
    public var source: String?

    /// How long an expectation waits when it says nothing: 5 s.
    public static let defaultWithin: UInt64 = 5_000_000_000

    /// What events it is about, as a person would write it.
    var subject: String {
        if let source { return source }
        var text = kind.rawValue
        for (index, condition) in conditions.enumerated() {
            text += (index == 0 ? " where " : " and ") + condition.text
        }
        return text
    }

    /// The expectation as a person would write it, without the word before it.
    public var text: String {
        var text = subject
        switch amount {
        case .once: break
        case .exactly(let count): text += " exactly \(count)"
        case .never: text += " never"
        }
        if amount == .once, within == Self.defaultWithin { return text }
        return "\(text) within \(DurationText.text(within))"
    }
}

/// What must hold at one path of an event's record.
public struct EventCondition: Equatable, Sendable {
    /// The path, as `RecordValue.value(at:)` reads it.
    public let path: String
    /// How the two are compared.
    public let comparison: Comparison
    /// What the value there is compared with.
    public let operand: Operand

    /// The condition as a person would write it.
    public var text: String { "\(path) \(comparison.rawValue) \(operand.text)" }
}

extension EventExpectation {
    /// How many events an expectation wants.
    public enum Amount: Equatable, Sendable {
        /// One; it is met as soon as one comes.
        case once
        /// So many, no more and no fewer, by the end of its time.
        case exactly(Int)
        /// None until the end of its time.
        case never

        /// The most events that can be counted.
        public static let maximumCount = 10_000
    }
}

extension EventCondition {
    /// How a value is compared.
    public enum Comparison: String, Sendable, CaseIterable {
        /// The same text, number or truth value; whole numbers and fractions compare as numbers.
        case equal = "="
        /// Not the same; also holds for a field that is not there.
        case notEqual = "!="
        /// A smaller number.
        case less = "<"
        /// A smaller number, or the same.
        case lessOrEqual = "<="
        /// A greater number.
        case greater = ">"
        /// A greater number, or the same.
        case greaterOrEqual = ">="
        /// The text has the operand in it, or the list has it as an element.
        case contains = "~"
    }
}

extension EventCondition {
    /// What a value is compared with, in the type of the field.
    public enum Operand: Equatable, Sendable {
        /// For fields that hold text or words.
        case text(String)
        /// For fields that are true or false.
        case truth(Bool)
        /// For numbers, written without a fraction.
        case whole(Int64)
        /// For numbers, written with one; finite.
        case fraction(Double)
        /// For fields of any shape: what is there decides whether this is text, a number or a truth value.
        case loose(String)

        /// The operand as a person would write it.
        public var text: String {
            switch self {
            case .text(let text), .loose(let text): Self.quoted(text)
            case .truth(let truth): "\(truth)"
            case .whole(let number): "\(number)"
            case .fraction(let number): "\(number)"
            }
        }

        /// Text in quotes where a plain word would not do.
        private static func quoted(_ text: String) -> String {
            let isPlain =
                !text.isEmpty
                && text.utf8.allSatisfy {
                    (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                        || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".")
                        || $0 == UInt8(ascii: "/")
                }
            if isPlain { return text }
            var escaped = ""
            for character in text.unicodeScalars {
                switch character {
                case "\"": escaped += "\\\""
                case "\\": escaped += "\\\\"
                case "$": escaped += "\\$"
                case "\n": escaped += "\\n"
                case "\t": escaped += "\\t"
                default: escaped.unicodeScalars.append(character)
                }
            }
            return "\"\(escaped)\""
        }
    }
}
