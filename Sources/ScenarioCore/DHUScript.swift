import RigModel

/// A script for the console of Android Auto's desktop head unit, as a scenario.
///
/// The script holds commands, several in a line with `;` between them; the scenario does the same with our words, each
/// step in a line that ends with the number of the script's line. Nothing of the script is left out: what has no meaning
/// here is a problem.
public struct DHUScript: Equatable, Sendable {
    /// The scenario's text. `Scenario(parsing:file:)` reads it without a problem.
    public let scenario: String
    /// How many steps it has.
    public let steps: Int

    /// The longest `sleep` in seconds: a week, as for any duration of a scenario.
    public static let maximumSleep = Int(DurationText.maximum / 1_000_000_000)

    /// Translates a script from UTF-8. Every problem is found, with its place in the script; `file` is the name that they
    /// carry. Script and scenario have each at most `Scenario.maximumBytes`.
    public init(parsing bytes: [UInt8], file: String) throws(ScenarioProblems) {
        guard bytes.count <= Scenario.maximumBytes else {
            let text = "the file has \(bytes.count) bytes; the most is \(Scenario.maximumBytes)"
            throw Self.problems(file, line: 1, text)
        }
        var translation = DHUTranslation()
        var start = ByteOrderMark.skipped(in: bytes).startIndex
        var number = 0
        while start <= bytes.count, !translation.isFull {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            number += 1
            var line = bytes[start..<end]
            if line.last == 0x0D { line.removeLast() }
            translation.add(Array(line), file: file, number: number)
            start = end + 1
        }
        guard translation.problems.isEmpty else { throw ScenarioProblems(translation.problems) }
        guard translation.steps > 0 else {
            throw Self.problems(file, line: max(1, number - 1), "the script has no steps")
        }
        scenario = translation.scenario
        steps = translation.steps
    }

    private static func problems(_ file: String, line: Int, _ text: String) -> ScenarioProblems {
        let place = SourcePlace(file: file, line: line, column: 1)
        return ScenarioProblems([ScenarioProblem(place: place, length: 1, text: text, line: "")])
    }
}

/// Puts the steps together.
private struct DHUTranslation {
    private(set) var scenario = ""
    private(set) var steps = 0
    private(set) var problems: [ScenarioProblem] = []
    /// What the script set last; it begins by day.
    private var appearance = Appearance.light
    private var hasAppearance = false
    private var isOver = false

    var isFull: Bool { problems.count >= ScenarioProblems.maximum }

    mutating func add(_ bytes: [UInt8], file: String, number: Int) {
        let line = SourceLine(file: file, number: number, bytes: bytes)
        do throws(ScenarioProblem) {
            guard bytes.count <= Scenario.maximumLineBytes else {
                throw line.problem(0, 0, "the line is longer than \(Scenario.maximumLineBytes) bytes")
            }
            try line.checkCharacters()
        } catch {
            return tell(error)
        }
        for words in Self.commands(bytes) where !isFull {
            guard let command = DHUCommand(line: line, words: words) else { continue }
            do throws(ScenarioProblem) {
                try translate(command, number)
            } catch {
                tell(error)
            }
        }
    }

    private mutating func tell(_ problem: ScenarioProblem) {
        problems.append(problem)
        guard isFull else { return }
        problems[problems.count - 1] = ScenarioProblem(
            place: problem.place, length: 1,
            text: "more than \(ScenarioProblems.maximum) problems; the rest is not shown", line: problem.line)
    }

    /// The words between two `;`; nothing between them is no command.
    private static func commands(_ bytes: [UInt8]) -> [[SourceLine.Word]] {
        var commands: [[SourceLine.Word]] = []
        for part in bytes.indices.split(whereSeparator: { bytes[$0] == UInt8(ascii: ";") }) {
            let words = part.split { bytes[$0] == 0x20 || bytes[$0] == 0x09 }
            guard !words.isEmpty else { continue }
            commands.append(
                words.map { range in
                    SourceLine.Word(
                        text: String(decoding: bytes[range], as: UTF8.self), start: range.lowerBound,
                        end: range.upperBound, isQuoted: false)
                })
        }
        return commands
    }

    private mutating func translate(_ command: DHUCommand, _ number: Int) throws(ScenarioProblem) {
        var command = command
        let step = try command.step(after: appearance)
        guard !isOver else { return }
        switch step {
        case nil: isOver = true
        case .appearance(let new, let isChange):
            // The rig keeps what an earlier run set, and the script counts on daylight.
            if isChange, !hasAppearance { try append("appearance light", "the script begins by day", command) }
            hasAppearance = true
            appearance = new
            try append("appearance \(new.rawValue)", "\(number)", command)
        case .text(let text): try append(text, "\(number)", command)
        }
    }

    private mutating func append(
        _ step: String, _ comment: String, _ command: DHUCommand
    ) throws(ScenarioProblem) {
        let padding = String(repeating: " ", count: max(1, 28 - step.utf8.count))
        let line = "\(step)\(padding)# \(comment)\n"
        guard scenario.utf8.count + line.utf8.count <= Scenario.maximumBytes else {
            isOver = true
            throw command.problem("the scenario is longer than \(Scenario.maximumBytes) bytes from here on")
        }
        scenario += line
        steps += 1
    }
}
