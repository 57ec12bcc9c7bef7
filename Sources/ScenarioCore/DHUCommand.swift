import RigModel

/// One command of a script, read word by word.
struct DHUCommand {
    /// What a command becomes.
    enum Step {
        /// A step as it is written.
        case text(String)
        /// An appearance, and whether it is only known from the one before.
        case appearance(Appearance, isChange: Bool)
    }

    private let line: SourceLine
    private var words: ArraySlice<SourceLine.Word>
    private let first: SourceLine.Word
    private var last: SourceLine.Word

    /// A command has at least one word.
    init?(line: SourceLine, words: [SourceLine.Word]) {
        guard let first = words.first else { return nil }
        self.line = line
        self.words = words[...]
        self.first = first
        last = first
    }

    /// A problem with the command as a whole.
    func problem(_ text: String) -> ScenarioProblem { line.problem(first.start, last.end, text) }

    /// What the command becomes; `nil` for the end of the script.
    mutating func step(after appearance: Appearance) throws(ScenarioProblem) -> Step? {
        let phrase = try phrase()
        let step: Step?
        switch phrase.meaning {
        case .none(let reason):
            // Whatever its arguments are.
            throw problem("'\(phrase.text)' has no meaning here: \(reason)")
        case .end: step = nil
        case .step(let text): step = .text(text)
        case .appearance(let new): step = .appearance(new, isChange: false)
        case .otherAppearance: step = .appearance(appearance == .light ? .dark : .light, isChange: true)
        case .sleep:
            step = .text("wait \(try number("the whole number of seconds", in: 0...DHUScript.maximumSleep))s")
        case .tap:
            let range = 0...DisplayDescription.maximumPixels - 1
            let x = try number("x in pixels", in: range)
            step = .text("touch tap \(x) \(try number("y in pixels", in: range))")
        case .measure(let word, let measure): step = .text("vehicle \(word) \(try self.measure(measure))")
        case .location: step = .text("vehicle \(try location())")
        }
        if let word = words.first { throw line.problem(word, "'\(word.text)' is too much for '\(phrase.text)'") }
        return step
    }

    /// Takes words until they are a phrase; none is the beginning of another.
    private mutating func phrase() throws(ScenarioProblem) -> DHUPhrase {
        var taken: [String] = []
        var candidates = DHUPhrase.all
        while true {
            let place = taken.count
            guard let word = words.popFirst() else {
                let choices = Self.choices(candidates, place).joined(separator: ", ")
                throw line.problem(
                    last.end, last.end, "'\(taken.joined(separator: " "))' needs one more word: \(choices)")
            }
            let fitting = candidates.filter { $0.words.count > place && $0.words[place] == word.text }
            guard !fitting.isEmpty else {
                let text =
                    taken.isEmpty
                    ? "there is no word '\(word.text)' of that console"
                    : "'\(word.text)' is nothing that can follow '\(taken.joined(separator: " "))'"
                throw line.problem(word, text, near: Self.choices(candidates, place))
            }
            last = word
            taken.append(word.text)
            candidates = fitting
            if let phrase = candidates.first(where: { $0.words.count == taken.count }) { return phrase }
        }
    }

    /// The words that may stand at a place, each once.
    private static func choices(_ phrases: [DHUPhrase], _ place: Int) -> [String] {
        var choices: [String] = []
        for phrase in phrases where phrase.words.count > place && !choices.contains(phrase.words[place]) {
            choices.append(phrase.words[place])
        }
        return choices
    }

    private mutating func number(_ what: String, in range: ClosedRange<Int>) throws(ScenarioProblem) -> Int {
        guard let word = words.popFirst() else {
            throw line.problem(last.end, last.end, "\(what) is missing behind '\(last.text)'")
        }
        guard word.text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw line.problem(word, "'\(word.text)' is no whole number; \(what) is expected here")
        }
        // Too many digits for an integer are too large as well.
        guard let value = Int(word.text), range.contains(value) else {
            throw line.problem(word, "\(word.text) is not between \(range.lowerBound) and \(range.upperBound)")
        }
        last = word
        return value
    }

    // MARK: Measures

    /// The argument in our words; without one the measure is unknown.
    private mutating func measure(_ measure: DHUMeasure) throws(ScenarioProblem) -> String {
        guard let word = words.popFirst() else { return VehicleWords.unknown }
        last = word
        switch measure {
        case .number(let quantity, let unit): return try text(quantity, word, "a number of \(unit)")
        case .truth:
            guard ["on", "off", "true", "false"].contains(word.text) else {
                throw line.problem(word, "'\(word.text)' is none of on, off, true, false")
            }
            return word.text == "on" || word.text == "true" ? "on" : "off"
        case .gear:
            switch word.text {
            case "0": return Gear.neutral.rawValue
            case "100": return Gear.drive.rawValue
            case "101": return Gear.park.rawValue
            case "102": return Gear.reverse.rawValue
            default:
                throw line.problem(
                    word, "'\(word.text)' is no gear here; there is 0 (neutral), 100 (drive), 101 (park), 102 (reverse)"
                )
            }
        }
    }

    /// `lat long [acc alt speed bearing]`; NAN skips one of the four.
    private mutating func location() throws(ScenarioProblem) -> String {
        guard !words.isEmpty else { return "location \(VehicleWords.unknown)" }
        let latitude = try coordinate(.latitude)
        var step = "location \(latitude),\(try coordinate(.longitude))"
        for quantity in [VehicleQuantity.accuracy, .altitude, .speed, .heading] {
            guard let word = words.popFirst() else { break }
            last = word
            guard word.text.lowercased() != "nan" else { continue }
            step += " \(quantity.rawValue) \(try text(quantity, word, "the \(quantity.rawValue)"))"
        }
        return step
    }

    private mutating func coordinate(_ quantity: VehicleQuantity) throws(ScenarioProblem) -> String {
        guard let word = words.popFirst() else {
            throw line.problem(last.end, last.end, "the \(quantity.rawValue) is missing behind '\(last.text)'")
        }
        last = word
        return try text(quantity, word, "the \(quantity.rawValue)")
    }

    private func text(
        _ quantity: VehicleQuantity, _ word: SourceLine.Word, _ what: String
    ) throws(ScenarioProblem) -> String {
        do throws(VehicleProblem) {
            // The console knows no units.
            guard word.text.utf8.allSatisfy({ $0 == 0x2D || $0 == 0x2B || $0 == 0x2E || (0x30...0x39).contains($0) })
            else {
                throw VehicleProblem(
                    quantity.rawValue,
                    "\(Quotation.quoted(word.text, with: "'")) is no number; \(what) is expected here")
            }
            return quantity.text(try quantity.parse(word.text, isBare: true))
        } catch {
            throw line.problem(word, error.text)
        }
    }
}
