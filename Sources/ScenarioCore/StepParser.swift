import RigModel

/// Reads one line. Each kind of step has its own extension; they share the words of the line.
struct StepParser {
    /// What stands after the timing.
    struct Act {
        var action: StepAction
        /// How long it takes on the timeline.
        var duration: UInt64 = 0
        var keepsDevice = false
        /// What the line does once more, later.
        var later: Later?
    }

    /// The second half of a line: how long after the first, and what.
    struct Later {
        var delay: UInt64
        var action: StepAction
        var keepsDevice: Bool
        /// Where in the line it is said.
        var place: SourcePlace
        /// What it is called, when the line's own text would not do.
        var text: String?
    }

    /// A device that a line above plugs in.
    struct Plugged {
        var name: String
        var request: PlugRequest
        var keepsDevice: Bool
    }

    /// A line that was read.
    struct Line {
        var place: SourcePlace
        var text: String
        var timing: StepTiming
        var repetition: Repetition?
        var act: Act
        var label: SourceLine.Word?
        /// Where the first word stands, for problems with the line as a whole.
        var start: Int
        var end: Int
    }

    /// Words that begin a step that asks the rig for something.
    static let actWords = [
        "plug", "unplug", "lock", "unlock", "trust", "refuse", "slow", "carplay", "late", "misorder",
        "retry", "front", "knob", "touch", "touchpad", "key", "appearance", "limited-ui", "driver-side", "vehicle",
        "display", "fault",
        "clear", "mark", "send",
    ]
    /// Words that begin any other step.
    static let flowWords = ["wait", "at", "after", "every", "expect", "then", "exec", "attach"]
    /// Words that begin a line which is no step.
    static let structureWords = [
        "let", "param", "seed", "table", "row", "include", "repeat", "for", "parallel", "setup", "teardown",
    ]
    /// Words of the language that follows; no step and no name of a later version can collide with a file of today.
    static let reservedWords = [
        "loop", "end", "app", "record", "cycle", "power", "if", "else", "require", "lease",
    ]
    /// Words that others have for ours.
    private static let otherWords = ["parameter": "param", "label": "NAME:", "set": "let", "import": "include"]

    var line: SourceLine
    /// What `vehicle track` can play.
    var tracks: [TrackFile] = []
    /// What cannot be had.
    var absent: [AbsentFile] = []
    /// The steps above that have a name.
    var labels: [StepLabel] = []
    /// What the steps above plug in under a name, the last of each.
    var plugged: [Plugged] = []
    /// The programs that steps above run.
    var programs: [String] = []
    /// What their lines are compared with, so far.
    var patterns: [ScenarioPattern] = []
    /// The folder of the file, as seen from the scenario's.
    var trackFolder = ""
    /// A track that the line names and that was not given.
    var missingTrack: ScenarioFileName?

    /// Reads the whole line; `nil` when it is empty or a comment.
    mutating func parse() throws(ScenarioProblem) -> Line? {
        guard var first = try line.next() else { return nil }
        let begin = first
        let label = try label(first)
        if label != nil { first = try line.next("the step that has this label") }
        if first.origin != nil { throw line.problem(first, "a step begins with a word of its own, not with a value") }
        var timing = StepTiming.next
        var repetition: Repetition?
        var act: Act
        switch first.text {
        case "at":
            timing = try time()
            (act, repetition) = try timed(after: "at")
        case "after":
            timing = .after(try expectation(isNext: false, isCondition: true))
            (act, repetition) = try timed(after: "after")
        case "every":
            let repeated = try every()
            act = repeated.0
            repetition = repeated.1
        case "wait":
            let duration = try duration("how long to wait")
            act = Act(action: .wait(duration), duration: duration)
        case "expect":
            act = Act(action: .expect(try expectation(isNext: false, isCondition: false)))
        case "then":
            act = Act(action: .expect(try expectation(isNext: true, isCondition: false)))
        default:
            act = try self.act(first)
        }
        try line.end()
        let place = line.problem(begin, "").place
        let text = line.source(from: begin.start)
        return Line(
            place: place, text: text, timing: timing, repetition: repetition, act: act, label: label,
            start: first.start, end: first.end)
    }

    /// The name in `NAME: STEP`, without the colon; `nil` when the line does not begin with one.
    private func label(_ first: SourceLine.Word) throws(ScenarioProblem) -> SourceLine.Word? {
        guard first.text.last == ":", !first.isQuoted else { return nil }
        let name = String(first.text.dropLast())
        guard ScenarioScope.isName(name), first.origin == nil else {
            throw line.problem(
                first, "'\(name)' is no label; a label is a letter, then letters, digits, '-' or '_', at most 32")
        }
        return SourceLine.Word(text: name, start: first.start, end: first.end - 1, isQuoted: false)
    }

    /// The step behind `at` or `after`.
    private mutating func timed(after word: String) throws(ScenarioProblem) -> (Act, Repetition?) {
        let first = try line.next("the step that begins then")
        switch first.text {
        case "every": return try every()
        case "expect" where word == "at":
            return (Act(action: .expect(try expectation(isNext: false, isCondition: false))), nil)
        case "expect", "then", "wait", "at", "after":
            let way =
                word == "after"
                ? "put 'expect …' on a line of its own, then '\(first.text) …'"
                : "'at' needs a step that acts, or 'expect'"
            throw line.problem(first, "'\(first.text)' cannot follow '\(word)'; \(way)")
        default: return (try act(first), nil)
        }
    }

    /// `every 80ms for 2s STEP`.
    private mutating func every() throws(ScenarioProblem) -> (Act, Repetition?) {
        let intervalWord = try line.peek()
        let interval = try duration("the time from one beginning to the next", minimum: 1_000_000)
        guard try line.take("for") else { throw line.missing("'for' and how long it goes on") }
        let lengthWord = try line.peek()
        let length = try duration("how long it goes on", minimum: 1_000_000)
        let count = length / interval + (length % interval == 0 ? 0 : 1)
        guard count <= UInt64(Repetition.maximumCount) else {
            throw at(lengthWord, "that is \(count) times; the most is \(Repetition.maximumCount)")
        }
        let first = try line.next("the step that is repeated")
        guard !Self.flowWords.contains(first.text) || first.isQuoted else {
            throw line.problem(first, "'\(first.text)' cannot be repeated; 'every' needs a step that acts")
        }
        var act = try self.act(first)
        if act.later != nil {
            throw line.problem(first, "'\(first.text) … for …' cannot be repeated; write the lines of a loop")
        }
        if act.duration > interval {
            throw at(
                intervalWord,
                "one takes \(DurationText.text(act.duration)), so they would overlap; say 'for' a shorter time")
        }
        let once = act.duration
        act.duration = length
        return (act, Repetition(interval: interval, count: Int(count), once: once))
    }

    /// `2s`, `+250ms`, `LABEL` or `LABEL +250ms`.
    private mutating func time() throws(ScenarioProblem) -> StepTiming {
        guard let word = try line.peek(), !word.isQuoted else { return .at(try duration("the time")) }
        if word.text.first == "+" { return .later(try delay()) }
        guard ScenarioScope.isName(word.text), word.origin == nil else { return .at(try duration("the time")) }
        _ = try line.next()
        guard let label = labels.first(where: { $0.name == word.text }) else {
            throw line.problem(
                word, "'\(word.text)' is no time, and no label of a step above; write 2s, +250ms or a label",
                near: labels.map(\.name))
        }
        let next = try line.peek()
        return .from(step: label.step, next?.text.first == "+" && next?.isQuoted == false ? try delay() : 0)
    }

    /// `+250ms`
    private mutating func delay() throws(ScenarioProblem) -> UInt64 {
        let word = try line.next("how much later")
        return try duration(word, text: word.text.dropFirst(), skipping: 1)
    }

    /// A step that asks the rig for something.
    private mutating func act(_ first: SourceLine.Word) throws(ScenarioProblem) -> Act {
        if first.isQuoted { throw line.problem(first, "a step begins with a plain word") }
        switch first.text {
        case "plug": return try plug()
        case "unplug": return try unplug()
        case "lock": return try phone(PhoneChange(locked: true))
        case "unlock": return try phone(PhoneChange(locked: false))
        case "trust": return try trust()
        case "carplay": return try carPlay()
        case "late": return try late()
        case "misorder": return try misorderPhone()
        case "refuse": return try refuse()
        case "slow": return try slow()
        case "retry": return Act(action: .perform(.retry(device: try deviceName(), generation: nil)))
        case "front": return Act(action: .perform(.setFront(device: try deviceName())))
        case "knob": return try knob()
        case "touch": return try touch()
        case "touchpad": return try touchpad()
        case "key": return try key()
        case "appearance", "driver-side", "limited-ui":
            var change = VehicleChange()
            try set(first.text, of: &change)
            return vehicle(change)
        case "vehicle": return try vehicle()
        case "display": return try display()
        case "fault": return try fault()
        case "clear": return try clear()
        case "mark": return try mark()
        case "send": return try send()
        case "exec": return try exec()
        case "attach": return try attach()
        default: throw unknown(first)
        }
    }

    private func unknown(_ word: SourceLine.Word) -> ScenarioProblem {
        if Self.reservedWords.contains(word.text) {
            return line.problem(word, "'\(word.text)' comes with a later version of the language")
        }
        if word.text == "{" || word.text == "}" {
            return line.problem(
                word, "'\(word.text)' belongs to a block: \(BlockReader.blockWords.joined(separator: ", "))")
        }
        if Self.structureWords.contains(word.text) {
            return line.problem(word, "'\(word.text)' stands at the beginning of a line, and is no step")
        }
        if let other = Self.otherWords[word.text] {
            return line.problem(word.start, word.end, "there is no step '\(word.text)'", other)
        }
        return line.problem(
            word, "there is no step '\(word.text)'", near: Self.actWords + Self.flowWords + Self.structureWords)
    }

    private mutating func mark() throws(ScenarioProblem) -> Act {
        let text = try line.rest("the text")
        guard text.text.utf8.count <= Command.maximumMark else {
            throw line.problem(text, "a mark has at most \(Command.maximumMark) bytes")
        }
        return Act(action: .perform(.mark(text.text)))
    }
}

// What several kinds of steps share.
extension StepParser {
    /// A problem with a word that was looked at, or with what is missing in its place.
    func at(_ word: SourceLine.Word?, _ text: String) -> ScenarioProblem {
        word.map { line.problem($0, text) } ?? line.missing(text)
    }

    /// Takes a duration.
    mutating func duration(
        _ what: String, minimum: UInt64 = 0, maximum: UInt64 = DurationText.maximum
    ) throws(ScenarioProblem) -> UInt64 {
        let word = try line.next(what)
        return try duration(word, text: word.text[...], skipping: 0, minimum: minimum, maximum: maximum)
    }

    private func duration(
        _ word: SourceLine.Word, text: Substring, skipping: Int, minimum: UInt64 = 0,
        maximum: UInt64 = DurationText.maximum
    ) throws(ScenarioProblem) -> UInt64 {
        let value: UInt64
        do throws(DurationText.Problem) {
            value = try DurationText.parse(text)
        } catch {
            let start = word.start + skipping
            switch error {
            case .noNumber:
                throw line.problem(start, word.end, "'\(text)' is no duration; write a number and a unit: 80ms")
            case .noUnit:
                throw line.problem(start, word.end, "'\(text)' has no unit; write \(text)ms or \(text)s")
            case .unknownUnit(let unit):
                throw line.problem(start, word.end, "there is no unit '\(unit)'; there is ns, us, ms, s, min and h")
            case .tooFine: throw line.problem(start, word.end, "'\(text)' is finer than a nanosecond")
            case .tooLong:
                throw line.problem(start, word.end, "'\(text)' is longer than \(DurationText.text(maximum))")
            }
        }
        if value < minimum {
            throw line.problem(word, "'\(text)' is too short; the least is \(DurationText.text(minimum))")
        }
        if value > maximum {
            throw line.problem(word, "'\(text)' is too long; the most is \(DurationText.text(maximum))")
        }
        return value
    }

    /// Takes a whole number within a range.
    mutating func number(_ what: String, in range: ClosedRange<Int>) throws(ScenarioProblem) -> Int {
        let word = try line.next(what)
        guard let value = Int(word.text), !word.isQuoted else {
            throw line.problem(word, "'\(word.text)' is no whole number; \(what) is expected here")
        }
        guard range.contains(value) else {
            throw line.problem(word, "\(word.text) is not between \(range.lowerBound) and \(range.upperBound)")
        }
        return value
    }

    /// Takes `light` or `dark`. Other tools say day and night, and `night` is only one letter from `light`.
    mutating func appearance() throws(ScenarioProblem) -> Appearance {
        if let word = try line.peek(), word.text == "day" || word.text == "night" {
            throw line.problem(
                word.start, word.end, "'\(word.text)' is not 'light' or 'dark'", word.text == "day" ? "light" : "dark")
        }
        return try choice(Appearance.self, "'light' or 'dark'")
    }

    /// Takes one of an enumeration's words; hyphens and capitals do not matter, so `play-pause` is `playPause`.
    mutating func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ type: Choice.Type, _ what: String
    ) throws(ScenarioProblem) -> Choice {
        let word = try line.next(what)
        if let choice = Choice.allCases.first(where: { Self.folded($0.rawValue) == Self.folded(word.text) }) {
            return choice
        }
        throw line.problem(word, "'\(word.text)' is not \(what)", near: Choice.allCases.map(\.rawValue))
    }

    static func folded(_ text: String) -> String { text.lowercased().filter { $0 != "-" } }

    /// Takes the name of a device.
    mutating func deviceName(_ what: String = "the device's name") throws(ScenarioProblem) -> String {
        let word = try line.next(what)
        guard DisplayDescription.isName(word.text) else {
            throw line.problem(
                word, "'\(word.text)' is no name; a name has 1 to 32 letters, digits, '-', '_' or '.'")
        }
        return word.text
    }

    /// Takes `SESSION/NAME` or `NAME` of a display.
    mutating func displayName() throws(ScenarioProblem) -> String {
        let word = try line.next("the display's name")
        let parts = word.text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 2, parts.allSatisfy(DisplayDescription.isName) else {
            throw line.problem(word, "'\(word.text)' is no display; write main, or s1/main")
        }
        return word.text
    }

    /// Takes `keyboard`, `lists`, `keyboard,lists` or `none`.
    mutating func limitedUI() throws(ScenarioProblem) -> LimitedUI {
        let word = try line.next("'keyboard', 'lists', both with a comma, or 'none'")
        if word.text == "none" { return LimitedUI() }
        var limits = LimitedUI()
        for part in word.text.split(separator: ",", omittingEmptySubsequences: false) {
            switch part {
            case "keyboard": limits.keyboard = true
            case "lists": limits.lists = true
            default:
                throw line.problem(
                    word.start, word.end, "'\(part)' cannot be limited; there is keyboard, lists and none",
                    Spelling.nearest(to: part, among: ["keyboard", "lists", "none"]))
            }
        }
        return limits
    }
}
