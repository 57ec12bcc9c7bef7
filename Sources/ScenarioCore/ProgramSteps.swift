import RigModel

// exec, attach, and what is expected of a program's lines.
extension StepParser {
    /// How long a program may take when nobody says: 1 min.
    private static let standardLimit: UInt64 = 60_000_000_000
    private static let programWords = ["within", "exit"]

    /// `exec NAME [within T] [exit N]: COMMAND`
    mutating func exec() throws(ScenarioProblem) -> Act {
        let start = try line.peek()
        let first = try line.next("the program's name")
        var limit = Self.standardLimit
        var status = 0
        var isOver = first.text.last == ":"
        let name = try programName(first)
        while !isOver {
            let word = try line.next("':' and the command")
            let key = word.text
            guard !word.isQuoted, Self.programWords.contains(key) else {
                throw line.problem(
                    word, "'\(word.text)' is no option of exec; there is within, exit, and ':' before the command",
                    near: Self.programWords)
            }
            let value = try line.next(key == "exit" ? "the exit code" : "how long it may take")
            isOver = value.text.last == ":"
            let text = isOver ? String(value.text.dropLast()) : value.text
            if key == "exit" {
                guard let number = Int(text), (0...255).contains(number) else {
                    throw line.problem(value, "'\(text)' is no exit code; it is 0 to 255")
                }
                status = number
            } else {
                guard let time = try? DurationText.parse(text), time > 0 else {
                    throw line.problem(value, "'\(text)' is no duration; write a number and a unit: 10s")
                }
                limit = time
            }
        }
        var act = Act(action: .program(try program(name, isAttached: false)))
        let place = at(start, "").place
        act.later = Later(
            delay: 0,
            action: .expect(
                EventExpectation(
                    kind: .mark,
                    conditions: [
                        EventCondition(
                            path: "text", comparison: .contains, operand: .text(ProgramText.end(of: name)))
                    ], amount: .once, within: limit, isNext: false,
                    demand: EventCondition(
                        path: "text", comparison: .equal, operand: .text(ProgramText.exit(name, status))),
                    source: "the end of \(name) with exit code \(status)")), keepsDevice: false, place: place,
            text: "\(name): exit \(status)")
        return act
    }

    /// `attach NAME: COMMAND`
    mutating func attach() throws(ScenarioProblem) -> Act {
        let first = try line.next("the program's name")
        let name = try programName(first)
        guard first.text.last == ":" else { throw line.missing("':' and the command") }
        return Act(action: .program(try program(name, isAttached: true)))
    }

    private func programName(_ word: SourceLine.Word) throws(ScenarioProblem) -> String {
        let name = word.text.last == ":" ? String(word.text.dropLast()) : word.text
        guard ScenarioScope.isName(name), !word.isQuoted else {
            throw line.problem(
                word, "'\(name)' is no name; a name is a letter, then letters, digits, '-' or '_', at most 32")
        }
        if let family = EventKind.allCases.first(where: { $0.rawValue.split(separator: ".").first ?? "" == name }) {
            throw line.problem(word, "'\(name)' is a word for events (\(family.rawValue)); take another name")
        }
        return name
    }

    private mutating func program(_ name: String, isAttached: Bool) throws(ScenarioProblem) -> ProgramStep {
        let command = try line.rest("the command")
        return ProgramStep(name: name, command: command.text, isAttached: isAttached)
    }

    /// `NAME /PATTERN/ …`, where a line above runs NAME; `nil` for the name of an event.
    mutating func programLine(isNext: Bool, isCondition: Bool) throws(ScenarioProblem) -> EventExpectation? {
        var ahead = line
        guard let name = (try? ahead.next()) ?? nil, !name.isQuoted, ahead.isAtPattern() else { return nil }
        let pattern = try ahead.pattern()
        guard programs.contains(name.text) else {
            throw line.problem(
                name,
                "no line above runs '\(name.text)': 'exec \(name.text): COMMAND' or 'attach \(name.text): COMMAND'",
                near: programs)
        }
        line = ahead
        let number = patterns.firstIndex { $0.name == name.text && $0.text == pattern.text } ?? patterns.count
        if number == patterns.count {
            patterns.append(
                ScenarioPattern(name: name.text, text: pattern.text, place: line.problem(pattern, "").place))
        }
        let condition = EventCondition(
            path: "text", comparison: .contains, operand: .text(ProgramText.match(number)))
        var expectation = try clauses(
            of: .mark, [condition], isNext: isNext, isCondition: isCondition, words: ["within", "exactly", "never"])
        expectation.source = "\(name.text) /\(pattern.text)/"
        return expectation
    }
}

/// A program that runs beside a scenario. Whoever asks for the run runs it, never the rig.
public struct ProgramStep: Equatable, Sendable {
    /// Its name in the scenario.
    public let name: String
    /// What a shell is given.
    public let command: String
    /// Whether it goes on beside the scenario until that is over; else its end is waited for.
    public let isAttached: Bool
}

/// A regular expression that lines of a program are compared with.
public struct ScenarioPattern: Equatable, Sendable {
    /// The program.
    public let name: String
    /// The expression: extended, as POSIX has it.
    public let text: String
    /// Where it stands first.
    public let place: SourcePlace

    /// The most patterns of one scenario: ours.
    public static let maximumCount = 64
}

/// What is marked in the timeline for a program: how whoever runs it tells the rig what it said.
public enum ProgramText {
    /// A line that it wrote, with the patterns that it matches, by their places in `Scenario.patterns`; at most as long
    /// as a mark may be.
    public static func line(_ name: String, _ text: String, matching patterns: [Int]) -> String {
        let matches = patterns.map { " \(match($0))" }.joined()
        let room = Command.maximumMark - name.utf8.count - 2 - matches.utf8.count
        var line = Substring(VisibleText.visible(text))
        // The longest beginning that fits: cut by bytes first, so that long lines cost nothing.
        if line.utf8.count > room {
            line = Substring(String(decoding: line.utf8.prefix(max(0, room - 3)), as: UTF8.self))
            while line.utf8.count > max(0, room) { line.removeLast() }
        }
        return "\(name): \(line)\(matches)"
    }

    /// Its end with an exit code.
    public static func exit(_ name: String, _ status: Int) -> String { "\(end(of: name))\(status)" }

    static func end(of name: String) -> String { "⟨\(name)⟩ exit " }
    static func match(_ number: Int) -> String { "⟨\(number + 1)⟩" }
}
