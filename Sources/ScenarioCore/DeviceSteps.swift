import RigModel

// plug, unplug and what is set on a phone.
extension StepParser {
    private static let plugWords = [
        "as", "with", "serial", "locked", "untrusted", "slow", "refusing", "identification", "keep",
        "trusting", "late", "misordered", "carplay", "link",
    ]

    /// `plug PROFILE` and its options, each at most once, in any order.
    mutating func plug() throws(ScenarioProblem) -> Act {
        var request = PlugRequest(profile: try deviceName("the device's profile"))
        var act = Act(action: .perform(.plug(request)))
        var seen: [String] = []
        while let word = try line.next() {
            if seen.contains(word.text) { throw line.problem(word, "'\(word.text)' stands twice") }
            seen.append(word.text)
            switch word.text {
            case "as": request.name = try deviceName()
            case "with":
                guard try line.take("displays") else { throw line.missing("'displays' and the head unit's profile") }
                request.displays = try deviceName("the head unit's profile")
            case "serial": request.serial = try line.next("the serial number").text
            case "locked": request.phone.locked = true
            case "untrusted": request.phone.trusted = false
            case "slow": request.phone.slow = try slowness()
            case "refusing": request.phone.refuse = try refusal()
            case "identification":
                guard try line.take("first") else { throw line.missing("'first'") }
                request.identificationFirst = true
            case "trusting":
                guard try line.take("after") else { throw line.missing("'after' and a time") }
                request.phone.trustAfter = try trustDelay()
                request.phone.trusted = false
            case "late":
                let late = try delay()
                request.phone.delays[late.answer] = late.delay
                // Each answer has a delay of its own.
                seen.removeLast()
            case "misordered": request.phone.misorder = try misorder()
            case "carplay":
                guard try line.take("off") else { throw line.missing("'off'") }
                request.phone.carPlay = false
            case "link":
                guard try line.take("version") else { throw line.missing("'version' and a number") }
                request.phone.linkVersion = try number("the link version", in: PhoneConditions.linkVersions)
            case "keep": act.keepsDevice = true
            default:
                throw line.problem(
                    word, "'\(word.text)' is no option of plug; there is \(Self.plugWords.joined(separator: ", "))",
                    near: Self.plugWords)
            }
        }
        act.action = .perform(.plug(request))
        return act
    }

    /// `unplug NAME [surprise] [for 2s]`.
    mutating func unplug() throws(ScenarioProblem) -> Act {
        let nameWord = try line.peek()
        let name = try deviceName()
        let surprise = try line.take("surprise")
        var act = Act(action: .perform(.unplug(device: name, surprise: surprise, generation: nil)))
        guard let word = try line.peek() else { return act }
        guard try line.take("for") else {
            throw line.problem(
                word, "'\(word.text)' is no option of unplug; there is surprise, for", near: ["surprise", "for"])
        }
        let time = try duration("how long it is unplugged", minimum: 1_000_000)
        guard let known = plugged.first(where: { $0.name == name }) else {
            throw at(nameWord, "no line above plugs in '\(name)', so nobody knows what to plug in again")
        }
        act.later = Later(
            delay: time, action: .perform(.plug(known.request)), keepsDevice: known.keepsDevice,
            place: line.problem(word, "").place)
        act.duration = time
        return act
    }

    /// `lock NAME`, `unlock NAME`, `trust NAME`.
    mutating func phone(_ change: PhoneChange) throws(ScenarioProblem) -> Act {
        Act(action: .perform(.setPhone(device: try deviceName(), generation: nil, change)))
    }

    /// `trust NAME [after 5s]`.
    mutating func trust() throws(ScenarioProblem) -> Act {
        let name = try deviceName()
        var change = PhoneChange(trusted: true)
        if let word = try line.peek() {
            guard try line.take("after") else {
                throw line.problem(word, "'\(word.text)' is no option of trust; there is after", near: ["after"])
            }
            change = PhoneChange(trustAfter: try trustDelay())
        }
        return Act(action: .perform(.setPhone(device: name, generation: nil, change)))
    }

    /// `carplay NAME on|off`.
    mutating func carPlay() throws(ScenarioProblem) -> Act {
        let name = try deviceName()
        let word = try line.next("'on' or 'off'")
        guard word.text == "on" || word.text == "off" else {
            throw line.problem(word, "'\(word.text)' is neither on nor off", near: ["on", "off"])
        }
        let change = PhoneChange(carPlay: word.text == "on")
        return Act(action: .perform(.setPhone(device: name, generation: nil, change)))
    }

    /// `late NAME challenge 200ms`.
    mutating func late() throws(ScenarioProblem) -> Act {
        let name = try deviceName()
        return Act(action: .perform(.setPhone(device: name, generation: nil, PhoneChange(delays: [try delay()]))))
    }

    /// `misorder NAME challengeFirst|nothing`.
    mutating func misorderPhone() throws(ScenarioProblem) -> Act {
        let name = try deviceName()
        let change = PhoneChange(misorder: .some(try misorder()))
        return Act(action: .perform(.setPhone(device: name, generation: nil, change)))
    }

    private mutating func trustDelay() throws(ScenarioProblem) -> UInt64 {
        try duration("after what time it trusts", maximum: PhoneConditions.maximumTrustDelay)
    }

    private mutating func delay() throws(ScenarioProblem) -> PhoneChange.Delay {
        let words = PhoneAnswer.allCases.map(\.rawValue)
        let word = try line.next("the answer that is late")
        guard let answer = PhoneAnswer(rawValue: word.text) else {
            throw line.problem(
                word, "'\(word.text)' is no answer of a phone; there is \(words.joined(separator: ", "))", near: words)
        }
        return PhoneChange.Delay(answer, try duration("how much later it comes", maximum: AnswerDelays.maximum))
    }

    private mutating func misorder() throws(ScenarioProblem) -> PhoneMisorder? {
        let word = try line.next("what comes in the wrong order, or 'nothing'")
        if word.text == "nothing" { return nil }
        if let misorder = PhoneMisorder(rawValue: word.text) { return misorder }
        let words = PhoneMisorder.allCases.map(\.rawValue) + ["nothing"]
        throw line.problem(
            word, "'\(word.text)' is no wrong order; there is \(words.joined(separator: ", "))", near: words)
    }

    /// `refuse NAME STEP|nothing`.
    mutating func refuse() throws(ScenarioProblem) -> Act {
        let name = try deviceName()
        var change = PhoneChange()
        change.refuse = .some(try refusal())
        return Act(action: .perform(.setPhone(device: name, generation: nil, change)))
    }

    /// `slow NAME 200ms`.
    mutating func slow() throws(ScenarioProblem) -> Act {
        let name = try deviceName()
        return Act(action: .perform(.setPhone(device: name, generation: nil, PhoneChange(slow: try slowness()))))
    }

    private mutating func slowness() throws(ScenarioProblem) -> UInt64 {
        // The model's own limit for a slow phone.
        try duration("how much later it answers", maximum: 60_000_000_000)
    }

    private mutating func refusal() throws(ScenarioProblem) -> HandshakeStep? {
        let word = try line.next("the step that is refused, or 'nothing'")
        if word.text == "nothing" { return nil }
        if let step = HandshakeStep(rawValue: word.text) { return step }
        let words = HandshakeStep.allCases.map(\.rawValue) + ["nothing"]
        throw line.problem(
            word, "'\(word.text)' cannot be refused; there is \(words.joined(separator: ", "))", near: words)
    }
}
