import RigModel

// expect, then and after: which events.
extension StepParser {
    private static let clauseWords = ["device", "where", "within", "exactly", "never"]

    /// EVENT and its clauses. As a condition (`after`) it ends where the step begins.
    mutating func expectation(isNext: Bool, isCondition: Bool) throws(ScenarioProblem) -> EventExpectation {
        if let line = try programLine(isNext: isNext, isCondition: isCondition) { return line }
        return try clauses(of: try eventKind(), [], isNext: isNext, isCondition: isCondition, words: Self.clauseWords)
    }

    /// What follows an event: `words` are those that may begin a clause.
    mutating func clauses(
        of kind: EventKind, _ known: [EventCondition], isNext: Bool, isCondition: Bool, words: [String]
    ) throws(ScenarioProblem) -> EventExpectation {
        var conditions = known
        var amount: EventExpectation.Amount?
        var within: UInt64?
        var seen: [String] = []
        while let word = try line.peek() {
            if word.isQuoted || !words.contains(word.text) {
                if isCondition { break }
                let list = words.dropLast().joined(separator: ", ")
                throw line.problem(
                    word, "'\(word.text)' has no meaning here; there is \(list) and \(words.last ?? "")", near: words)
            }
            _ = try line.next()
            let clause = word.text == "never" ? "exactly" : word.text
            if seen.contains(clause) {
                throw line.problem(
                    word, clause == "exactly" ? "say how many only once" : "'\(word.text)' stands twice")
            }
            seen.append(clause)
            switch word.text {
            case "device":
                let name = try deviceName()
                conditions.append(EventCondition(path: "device", comparison: .equal, operand: .text(name)))
            case "where":
                repeat { conditions.append(try condition(of: kind)) } while try line.take("and")
            case "within":
                within = try duration("how long the rig has", minimum: 1)
            default:
                if isCondition {
                    throw line.problem(word, "'after' waits for one event; put 'expect …' on a line of its own")
                }
                amount =
                    word.text == "never"
                    ? .never : .exactly(try number("how many", in: 1...EventExpectation.Amount.maximumCount))
            }
        }
        if let amount, within == nil {
            let words = amount == .never ? "never" : "a number of events"
            throw line.missing("'within' and a time: \(words) is only known at its end")
        }
        return EventExpectation(
            kind: kind, conditions: conditions, amount: amount ?? .once,
            within: within ?? EventExpectation.defaultWithin, isNext: isNext)
    }

    /// `session.active` or `session active`.
    private mutating func eventKind() throws(ScenarioProblem) -> EventKind {
        let first = try line.next("the event")
        if let kind = EventKind(rawValue: first.text) { return kind }
        let kinds = EventKind.allCases.map(\.rawValue)
        let hasFamily = kinds.contains { $0.hasPrefix("\(first.text).") }
        if !first.text.contains("."), let second = try line.peek(), !Self.clauseWords.contains(second.text) {
            let name = "\(first.text).\(second.text)"
            if let kind = EventKind(rawValue: name) {
                _ = try line.next()
                return kind
            }
            let members = kinds.filter { $0.hasPrefix("\(first.text).") }
            if let near = Spelling.nearest(to: name, among: members.isEmpty ? kinds : members) {
                throw line.problem(first.start, second.end, "there is no event '\(name)'", near)
            }
            if hasFamily {
                let list = members.joined(separator: ", ")
                throw line.problem(first.start, second.end, "there is no event '\(name)'; there is \(list)")
            }
        } else if hasFamily {
            let list = kinds.filter { $0.hasPrefix("\(first.text).") }.joined(separator: ", ")
            throw line.problem(first, "which event of '\(first.text)'? There is \(list)")
        }
        throw line.problem(first, "there is no event '\(first.text)'", near: kinds)
    }

    /// PATH OPERATOR VALUE.
    private mutating func condition(of kind: EventKind) throws(ScenarioProblem) -> EventCondition {
        let path = try line.next("a path into the event's record")
        let shape: RecordShape
        do throws(RecordShape.Unknown) {
            shape = try RecordShape.event.shape(at: path.text)
        } catch {
            throw unknownPath(path, error, kind)
        }
        let sign = try line.next("a comparison: =, !=, <, <=, >, >= or ~")
        guard let comparison = EventCondition.Comparison(rawValue: sign.text), !sign.isQuoted else {
            throw line.problem(sign, "'\(sign.text)' is no comparison; there is =, !=, <, <=, >, >= and ~ (contains)")
        }
        let value = try line.next("the value")
        let operand = try operand(value, path: path, shape: shape, sign: sign, comparison: comparison)
        return EventCondition(path: path.text, comparison: comparison, operand: operand)
    }

    private func unknownPath(
        _ path: SourceLine.Word, _ error: RecordShape.Unknown, _ kind: EventKind
    ) -> ScenarioProblem {
        if error.isLeaf {
            return line.problem(path, "'\(path.text)' goes too deep: what stands before '\(error.part)' has no parts")
        }
        // People write `detents` for `knob.detents`; what this kind of event carries comes first.
        let exact =
            error.candidates.filter { $0.hasSuffix(".\(error.part)") }.first { $0.hasPrefix(Self.payload(of: kind)) }
            ?? error.candidates.first { $0.hasSuffix(".\(error.part)") }
        let near = exact ?? Spelling.nearest(to: path.text, among: error.candidates)
        if near == nil, error.candidates.isEmpty {
            return line.problem(path, "'\(error.part)' is no place in a list; the first is 0")
        }
        return line.problem(path.start, path.end, "no event has '\(path.text)'", near)
    }

    /// The field in which the kind's payload stands, or nothing for kinds without a usual one.
    private static func payload(of kind: EventKind) -> String {
        switch kind {
        case .deviceAttached, .deviceChanged, .deviceDetached, .phoneChanged: "deviceState."
        case .deviceRefused: "reason."
        case .sessionOpened, .sessionPhase, .sessionWaiting, .sessionActive, .sessionClosed: "sessionState."
        case .linkIrregularity: "irregularity."
        case .messageSent, .messageReceived: "message."
        case .fileReceived: "file."
        case .displayAdded, .displayChanged, .displayRemoved: "displayState."
        case .vehicleChanged: "vehicle."
        case .inputKnob: "knob."
        case .inputTouch: "touch."
        case .inputTouchpad: "touchpad."
        case .inputKey: "key."
        case .inputIntent: "intent."
        case .appLaunched, .appEnded: "appState."
        case .streamLost: "lost."
        case .faultArmed, .faultCleared: "faultState."
        case .faultStruck: "strike."
        case .frontChanged, .inputStep, .inputLost, .configurationReloaded, .configurationRefused, .leaseTaken, .mark,
            .resync:
            ""
        }
    }

    private func operand(
        _ value: SourceLine.Word, path: SourceLine.Word, shape: RecordShape, sign: SourceLine.Word,
        comparison: EventCondition.Comparison
    ) throws(ScenarioProblem) -> EventCondition.Operand {
        let isEquality = comparison == .equal || comparison == .notEqual
        switch shape {
        case .text, .words:
            guard isEquality || comparison == .contains else {
                throw line.problem(sign, "'\(sign.text)' compares numbers, and '\(path.text)' is text")
            }
            if case .words(let words) = shape, isEquality, !words.contains(value.text) {
                throw line.problem(
                    value, "'\(path.text)' is never '\(value.text)'; it is \(words.joined(separator: ", "))",
                    near: words)
            }
            return .text(value.text)
        case .number:
            guard comparison != .contains else {
                throw line.problem(sign, "'~' looks into text and lists, and '\(path.text)' is a number")
            }
            if let whole = Int64(value.text) { return .whole(whole) }
            guard let number = Double(value.text), number.isFinite else {
                throw line.problem(value, "'\(path.text)' is a number, and '\(value.text)' is none")
            }
            return .fraction(number)
        case .truth:
            guard isEquality else {
                throw line.problem(sign, "'\(path.text)' is true or false; it can only be = or !=")
            }
            guard let truth = Bool(value.text) else {
                throw line.problem(value, "'\(path.text)' is true or false, not '\(value.text)'")
            }
            return .truth(truth)
        case .list(let element):
            switch element {
            case .words(let words):
                guard comparison == .contains else {
                    throw line.problem(sign, "'\(path.text)' is a list; ask with ~ whether it contains something")
                }
                guard words.contains(value.text) else {
                    throw line.problem(
                        value, "'\(path.text)' never has '\(value.text)'; it is \(words.joined(separator: ", "))",
                        near: words)
                }
                return .text(value.text)
            case .text, .number, .truth, .list, .fields, .anything:
                throw line.problem(path, "'\(path.text)' is a list; say which element: \(path.text).0")
            }
        case .anything:
            // What it is compared with decides: text that reads as a number is one, when a number is there.
            return .loose(value.text)
        case .fields(let fields):
            let names = fields.map { "\(path.text).\($0.name)" }.joined(separator: ", ")
            throw line.problem(path, "'\(path.text)' has parts; say which: \(names)")
        }
    }
}
