import RigModel

// fault and clear.
extension StepParser {
    private static let faultWords = ["at", "from", "after", "count", "always", "for", "device", "keep"]

    /// `fault KIND [DIRECTION]` and its options, each at most once, in any order.
    mutating func fault() throws(ScenarioProblem) -> Act {
        let start = try line.peek()
        var request = FaultRequest(try choice(FaultKind.self, "a kind of fault"))
        if let word = try line.peek(), let direction = Self.direction(word) {
            _ = try line.next()
            request.direction = direction
        }
        // The words whose values the fields of the request come from, for problems with what was read.
        var seen: [(word: String, value: SourceLine.Word)] = []
        while let word = try line.next() {
            if seen.contains(where: { $0.word == word.text }) {
                throw line.problem(word, "'\(word.text)' stands twice")
            }
            if let (one, other) = [("at", "from"), ("count", "always")].first(where: { pair in
                (pair.0 == word.text || pair.1 == word.text)
                    && seen.contains { $0.word == pair.0 || $0.word == pair.1 }
            }) {
                throw line.problem(word, "'\(one)' and '\(other)' exclude each other")
            }
            let value = try line.peek() ?? word
            switch word.text {
            case "at": request.place = try place()
            case "from": request.place = .since(try phase())
            case "after":
                var ahead = line
                _ = try ahead.next()
                if try ahead.take("bytes") {
                    request.afterBytes = try number("how many bytes pass first", in: 1...FaultRequest.maximumAfterBytes)
                    _ = try line.take("bytes")
                } else {
                    request.after = try number("how many packets pass first", in: 0...FaultRequest.maximumAfter)
                }
            case "count": request.count = try number("how often it strikes", in: 1...FaultRequest.maximumCount)
            case "always": request.count = nil
            case "for":
                request.duration = try duration(
                    "how long", minimum: FaultRequest.minimumDuration, maximum: FaultRequest.maximumDuration)
            case "device": request.device = try deviceName()
            case "keep": request.keep = true
            default:
                throw line.problem(
                    word,
                    "'\(word.text)' is no direction and no option of fault; there is "
                        + (FaultDirection.allCases.map(\.rawValue) + Self.faultWords).joined(separator: ", "),
                    near: FaultDirection.allCases.map(\.rawValue) + Self.faultWords)
            }
            seen.append((word.text, value))
        }
        do throws(CommandFailure) {
            try request.validate()
        } catch {
            throw problem(error, seen, start)
        }
        return Act(action: .perform(.setFault(request)))
    }

    /// `clear faults [device NAME]`.
    mutating func clear() throws(ScenarioProblem) -> Act {
        guard try line.take("faults") else {
            guard let word = try line.peek() else { throw line.missing("'faults'") }
            throw line.problem(word, "'\(word.text)' cannot be cleared; there is faults", near: ["faults"])
        }
        guard try line.take("device") else { return Act(action: .perform(.clearFaults(.all))) }
        return Act(action: .perform(.clearFaults(.device(try deviceName()))))
    }

    private static func direction(_ word: SourceLine.Word) -> FaultDirection? {
        FaultDirection.allCases.first { folded($0.rawValue) == folded(word.text) && !word.isQuoted }
    }

    private mutating func place() throws(ScenarioProblem) -> FaultPlace {
        let word = try line.next("a phase or a packet of the handshake")
        if let name = Self.name(word, among: FaultPlace.atNames), let place = FaultPlace(at: name) { return place }
        throw line.problem(
            word, "'\(word.text)' is no phase and no packet; there is \(FaultPlace.atNames.joined(separator: ", "))",
            near: FaultPlace.atNames)
    }

    private mutating func phase() throws(ScenarioProblem) -> SessionPhase {
        let word = try line.next("a phase of the session")
        if let name = Self.name(word, among: FaultPlace.fromNames), let phase = SessionPhase(rawValue: name) {
            return phase
        }
        throw line.problem(
            word, "'\(word.text)' is no phase; there is \(FaultPlace.fromNames.joined(separator: ", "))",
            near: FaultPlace.fromNames)
    }

    private static func name(_ word: SourceLine.Word, among names: [String]) -> String? {
        names.first { folded($0) == folded(word.text) }
    }

    /// What does not go together, at the word that it is about.
    private func problem(
        _ failure: CommandFailure, _ seen: [(word: String, value: SourceLine.Word)], _ kind: SourceLine.Word?
    ) -> ScenarioProblem {
        guard case .invalidParameter(let field, let text) = failure else { return at(kind, failure.text) }
        let words: [String]
        switch field {
        case "count": words = ["count", "always"]
        case "durationMilliseconds": words = ["for"]
        case "since": words = ["from"]
        case "afterBytes": words = ["after"]
        default: words = [field]
        }
        return at(seen.first { words.contains($0.word) }?.value ?? kind, text)
    }
}
