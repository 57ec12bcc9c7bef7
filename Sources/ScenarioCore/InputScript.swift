public import RigModel

extension InjectionSequence {
    /// The steps of a scenario that has nothing but input and waits, at the times at which they would begin.
    ///
    /// - Throws: what has no place in a sequence, with its line.
    public init(_ scenario: Scenario) throws(ScenarioProblems) {
        var steps: [Step] = []
        /// When the step before is over, and when it was to begin, from the start.
        var point: UInt64 = 0
        var base: UInt64 = 0
        for step in scenario.steps {
            func problem(_ text: String) -> ScenarioProblems {
                ScenarioProblems([step.problem(text)])
            }
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
                guard steps.count + count <= Self.maximumSteps else {
                    throw problem("with this there are more than \(Self.maximumSteps) steps")
                }
                for number in 0..<count {
                    let offset = (step.repetition?.interval ?? 0).multipliedReportingOverflow(by: UInt64(number))
                    let time = base.later(by: offset.overflow ? .max : offset.partialValue)
                    guard time >= steps.last?.offset ?? 0 else {
                        throw problem("this is before the step of the line before it; the order is that of the file")
                    }
                    guard time <= Self.maximumOffset else { throw problem("a sequence has at most 10 min") }
                    steps.append(Step(at: time, injection.input))
                }
                point = base.later(by: step.duration)
            case .perform, .expect, .parallel, .program:
                throw problem("a sequence has only knob, touch, touchpad, key and wait; 'dashrig run' takes the others")
            }
        }
        self.init(steps)
    }
}
