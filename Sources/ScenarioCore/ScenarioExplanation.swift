public import RigModel

/// What a line of a scenario does, and when, in words.
public struct StepExplanation: Equatable, Sendable {
    /// Where the line is.
    public let place: SourcePlace
    /// The line as it runs, with the values of names.
    public let text: String
    /// How often it runs because of loops around it: 1 without one.
    public let count: Int
    /// When it begins, the first time.
    public let when: String
    /// What it does.
    public let what: String

    /// The explanation as it is published.
    public var record: RecordValue {
        .record([
            RecordField("file", .string(place.file)), RecordField("line", .number(place.line)),
            RecordField("step", .string(text)), RecordField("count", .number(count)),
            RecordField("when", .string(when)), RecordField("what", .string(what)),
        ])
    }
}

extension Scenario {
    /// Every line in words, in the order in which they first run.
    public var explanations: [StepExplanation] {
        var explanations: [StepExplanation] = []
        var places: [SourcePlace: Int] = [:]
        var counts: [Int] = []
        var clock = ExplainedClock(self)
        for (index, step) in steps.enumerated() {
            let when = clock.begin(index, step)
            if let known = places[step.place] {
                counts[known] += 1
                continue
            }
            places[step.place] = explanations.count
            counts.append(1)
            explanations.append(
                StepExplanation(place: step.place, text: step.text, count: 1, when: when, what: StepWords.what(step)))
        }
        return zip(explanations, counts).map { explanation, count in
            StepExplanation(
                place: explanation.place, text: explanation.text, count: count, when: explanation.when,
                what: explanation.what)
        }
    }

    /// The explanation for a person: a line's number and text, below it when and what.
    ///
    ///        3  at +1s knob press for 800ms
    ///           1s after line 2: presses the knob for 800ms
    public var explanation: String {
        var lines: [String] = []
        for parameter in parameters {
            let standard = parameter.standard.map { $0 == parameter.value ? "" : ", when nobody says \($0)" } ?? ""
            lines.append("parameter \(parameter.name): \(parameter.value)\(standard)")
        }
        if let seed { lines.append("choices come from seed \(seed)") }
        if let first = rows.first {
            let row = rows.first { $0.number == self.row } ?? first
            lines.append("row \(row.number) of \(rows.count), each of which is a run of its own: \(row.title)")
        }
        for explanation in explanations {
            let file = explanation.place.file == self.file ? "" : "\(explanation.place.file):"
            let number = "\(file)\(explanation.place.line)"
            let head = String(repeating: " ", count: max(0, 5 - number.count)) + number
            let often = explanation.count == 1 ? "" : " (the first of \(explanation.count) times)"
            lines.append("\(head)  \(VisibleText.visible(explanation.text))")
            let indent = String(repeating: " ", count: 7)
            lines.append("\(indent)\(explanation.when)\(often): \(VisibleText.visible(explanation.what))")
        }
        return lines.joined(separator: "\n")
    }
}

/// When steps begin, as far as that is known before anything runs.
private struct ExplainedClock {
    /// A moment and a time after it.
    struct Time {
        var anchor: String
        var offset: UInt64

        var text: String { offset == 0 ? anchor : "\(DurationText.text(offset)) after \(anchor)" }
    }

    private let scenario: Scenario
    /// When the step before is over, and when it was to begin.
    private var point = Time(anchor: "the start", offset: 0)
    private var base = Time(anchor: "the start", offset: 0)
    private var zero = Time(anchor: "the start", offset: 0)
    private var labels: [Int: Time] = [:]
    /// The branches of a `parallel` that begin at an index, and when.
    private var branches: [Int: Time] = [:]
    /// The end of a `parallel`, and its line.
    private var joins: [Int: Int] = [:]

    init(_ scenario: Scenario) { self.scenario = scenario }

    mutating func begin(_ index: Int, _ step: ScenarioStep) -> String {
        if index == scenario.setupCount, index > 0 {
            point = Time(anchor: "the end of the setup", offset: 0)
            (base, zero) = (point, point)
        }
        if let time = branches[index] { (point, base) = (time, time) }
        if let line = joins[index] {
            point = Time(anchor: "the end of the branches of line \(line)", offset: 0)
            base = point
        }
        if index == scenario.teardownStart {
            point = Time(anchor: "the end of the test, however it ends", offset: 0)
            base = point
        }
        var time = point
        switch step.timing {
        case .next: break
        case .at(let offset): time = Time(anchor: zero.anchor, offset: offset)
        case .later(let offset): time = Time(anchor: base.anchor, offset: base.offset.later(by: offset))
        case .from(let label, let offset):
            time = labels[label] ?? point
            time.offset = time.offset.later(by: offset)
        case .after(let expectation):
            time = Time(anchor: "\(expectation.text) comes", offset: 0)
        }
        if step.label != nil { labels[index] = time }
        go(on: time, index, step)
        if case .after = step.timing { return "when \(time.text), since \(windowText(index))" }
        return time.offset == 0 ? "at \(time.anchor)" : time.text
    }

    private mutating func go(on time: Time, _ index: Int, _ step: ScenarioStep) {
        base = time
        point = time
        switch step.action {
        case .wait(let duration):
            point.offset = time.offset.later(by: duration)
            base = point
        case .perform: point.offset = time.offset.later(by: step.duration)
        case .expect(let expectation):
            switch expectation.amount {
            case .once: point = Time(anchor: "the event of line \(step.place.line)", offset: 0)
            case .exactly, .never: point.offset = time.offset.later(by: expectation.within)
            }
            base = point
        case .program: break
        case .parallel(let ranges):
            for range in ranges { branches[range.lowerBound] = time }
            if let end = ranges.last?.upperBound { joins[end] = step.place.line }
        }
        if case .after = step.timing {
            let anchor = Time(anchor: "the event of line \(step.place.line)", offset: 0)
            base = anchor
            point = Time(anchor: anchor.anchor, offset: step.duration)
        }
    }

    private func windowText(_ index: Int) -> String {
        let opener = scenario.steps[..<index].last { $0.opensWindow }
        return opener.map { "line \($0.place.line)" } ?? "the start"
    }
}
