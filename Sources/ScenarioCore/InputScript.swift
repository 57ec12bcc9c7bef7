public import RigModel

/// A scenario that has nothing but input and waits, as a sequence: its steps at the times at which they would begin.
public struct InputScript: Equatable, Sendable {
    /// The sequence, with a step at least.
    public let sequence: InjectionSequence
    /// The line of each step.
    private let lines: [ScenarioStep]

    /// Reads the steps of a scenario.
    ///
    /// - Throws: what has no place in a sequence, with its line.
    public init(_ scenario: Scenario) throws(ScenarioProblems) {
        typealias Step = InjectionSequence.Step
        var steps: [Step] = []
        var lines: [ScenarioStep] = []
        /// When the step before is over, and when it was to begin, from the start.
        var point: UInt64 = 0
        var base: UInt64 = 0
        for step in scenario.steps {
            func problem(_ text: String) -> ScenarioProblems { ScenarioProblems([step.problem(text)]) }
            switch step.timing {
            case .next: base = point
            case .at(let time): base = time
            case .later(let time): base = base.later(by: time)
            case .from: throw problem("a sequence has no labels; 'dashrig run' takes them")
            case .after: throw problem("a sequence waits for nothing; 'dashrig run' does")
            }
            switch step.action {
            case .wait(let duration): point = base.later(by: duration)
            case .perform(.inject(let injection)):
                guard injection.device == nil, injection.display == nil else {
                    throw problem("a sequence has one target; name it with --device and --display")
                }
                let count = step.repetition?.count ?? 1
                guard steps.count + count <= InjectionSequence.maximumSteps else {
                    throw problem("with this there are more than \(InjectionSequence.maximumSteps) steps")
                }
                for number in 0..<count {
                    let offset = (step.repetition?.interval ?? 0).multipliedReportingOverflow(by: UInt64(number))
                    let time = base.later(by: offset.overflow ? .max : offset.partialValue)
                    guard time >= steps.last?.offset ?? 0 else {
                        throw problem("this is before the step of the line before it; the order is that of the file")
                    }
                    guard time <= InjectionSequence.maximumOffset else {
                        throw problem("a sequence has at most 10 min")
                    }
                    steps.append(Step(at: time, injection.input))
                    lines.append(step)
                }
                point = base.later(by: step.duration)
            case .perform, .expect, .parallel, .program:
                throw problem("a sequence has only knob, touch, touchpad, key and wait; 'dashrig run' takes the others")
            }
        }
        guard !steps.isEmpty else {
            let text = "there is nothing but waits; a sequence has a knob, touch, touchpad or key at least"
            let start = SourcePlace(file: scenario.file, line: 1, column: 1)
            throw ScenarioProblems([
                scenario.steps.last.map { $0.problem(text) }
                    ?? ScenarioProblem(place: start, length: 1, text: text, line: "")
            ])
        }
        sequence = InjectionSequence(steps)
        self.lines = lines
    }

    /// What is wrong with a step of the sequence, from 0, at the line that it comes from; `nil` where there is no such step.
    public func problem(ofStep index: Int, _ text: String) -> ScenarioProblem? {
        lines.indices.contains(index) ? lines[index].problem(text) : nil
    }
}
