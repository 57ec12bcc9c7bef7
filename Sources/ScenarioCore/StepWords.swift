import RigModel

/// What steps do, in words.
enum StepWords {
    static func what(_ step: ScenarioStep) -> String {
        switch step.action {
        case .wait(let duration): return "lets \(DurationText.text(duration)) go by"
        case .program(let program):
            return program.isAttached
                ? "runs a program as '\(program.name)' beside the scenario: \(program.command)"
                : "runs a program as '\(program.name)' and waits for its end: \(program.command)"
        case .parallel(let branches): return "begins \(branches.count) branches at the same time, and waits for all"
        case .expect(let expectation): return what(expectation)
        case .perform(let command):
            let what = self.what(command, step)
            guard let repetition = step.repetition else { return what }
            return "\(repetition.count) times, one every \(DurationText.text(repetition.interval)): \(what)"
        }
    }

    private static func what(_ expectation: EventExpectation) -> String {
        let event = expectation.subject
        let behind = expectation.isNext ? " behind the event of the line before" : ""
        let within = DurationText.text(expectation.within)
        switch expectation.amount {
        case .once: return "waits for \(event)\(behind), at most \(within)"
        case .exactly(let count):
            return
                "counts for \(within): \(count) \(count == 1 ? "event" : "events") \(event)\(behind), no more and no fewer"
        case .never: return "watches for \(within) that no \(event) comes\(behind)"
        }
    }

    private static func what(_ command: Command, _ step: ScenarioStep) -> String {
        switch command {
        case .plug(let request): plug(request, keeps: step.keepsDevice)
        case .unplug(let device, let surprise, _):
            surprise ? "pulls the cable of '\(device)'" : "unplugs '\(device)' with a goodbye"
        case .setPhone(let device, _, let change): "'\(device)' from now on: \(phone(change))"
        case .retry(let device, _): "tries the handshake of '\(device)' again at once"
        case .setFront(let device): "puts the session of '\(device)' in front"
        case .setDisplay(let change): "changes the display '\(change.display)': \(rest(step, behind: "set"))"
        case .setVehicle: "changes the vehicle: \(rest(step, behind: "vehicle"))"
        case .inject(let injection): inject(injection)
        case .send(let request):
            "has \(request.sender.map { "the \($0.rawValue)" } ?? "whichever side sends it") send '\(request.message)' on "
                + "the session of '\(request.device)'"
        case .setFault(let request): fault(request)
        case .clearFaults(let selection):
            switch selection {
            case .device(let name): "clears the faults of '\(name)'"
            case .all, .these: "clears all faults"
            }
        case .mark: "writes a line into the timeline"
        }
    }

    /// The words of the line behind one of them: what no words of ours would say better.
    private static func rest(_ step: ScenarioStep, behind word: String) -> String {
        var words = step.text.split(separator: " ", omittingEmptySubsequences: true)
        if let place = words.firstIndex(where: { $0 == word }) {
            words.removeFirst(place + 1)
        } else if let place = words.firstIndex(where: { ["appearance", "driver-side", "limited-ui"].contains($0) }) {
            words.removeFirst(place)
        }
        return words.joined(separator: " ")
    }

    private static func plug(_ request: PlugRequest, keeps: Bool) -> String {
        var parts = ["plugs in the virtual device '\(request.profile)'"]
        if let name = request.name { parts[0] += " as '\(name)'" }
        if let displays = request.displays { parts.append("with the displays of '\(displays)'") }
        if let serial = request.serial { parts.append("with the serial number '\(serial)'") }
        let conditions = request.phone
        if conditions.locked { parts.append("locked") }
        if !conditions.trusted {
            parts.append(
                conditions.trustAfter.map { "not trusting until \(DurationText.text($0)) after it is asked" }
                    ?? "not trusting")
        }
        if conditions.slow > 0 { parts.append("each answer \(DurationText.text(conditions.slow)) later") }
        for answer in PhoneAnswer.allCases where conditions.delays[answer] > 0 {
            parts.append("its \(answer.rawValue) \(DurationText.text(conditions.delays[answer])) later")
        }
        if let step = conditions.refuse { parts.append("refusing \(step.rawValue)") }
        if let misorder = conditions.misorder { parts.append("in the wrong order: \(misorder.rawValue)") }
        if !conditions.carPlay { parts.append("with CarPlay switched off") }
        if let version = conditions.linkVersion { parts.append("speaking link version \(version) at most") }
        if request.identificationFirst == true { parts.append("identifying before it authenticates") }
        parts.append(keeps ? "and leaves it plugged in at the end" : "")
        return parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    private static func phone(_ change: PhoneChange) -> String {
        var parts: [String] = []
        if let locked = change.locked { parts.append(locked ? "locked" : "unlocked") }
        if let trusted = change.trusted { parts.append(trusted ? "trusting" : "not trusting") }
        if let time = change.trustAfter { parts.append("trusting \(DurationText.text(time)) after it is asked") }
        if let slow = change.slow {
            parts.append(slow == 0 ? "as quick as it can" : "each answer \(DurationText.text(slow)) later")
        }
        for delay in change.delays {
            parts.append("its \(delay.answer.rawValue) \(DurationText.text(delay.delay)) later")
        }
        if let refuse = change.refuse { parts.append(refuse.map { "refusing \($0.rawValue)" } ?? "refusing nothing") }
        if let misorder = change.misorder {
            parts.append(misorder.map { "in the wrong order: \($0.rawValue)" } ?? "in the right order")
        }
        if let carPlay = change.carPlay { parts.append("CarPlay switched \(carPlay ? "on" : "off")") }
        return parts.joined(separator: ", ")
    }

    private static func inject(_ injection: Injection) -> String {
        var what =
            switch injection.input {
            case .gesture(let gesture): self.gesture(gesture)
            case .single(let single): self.single(single)
            }
        if let display = injection.display { what += " on '\(display)'" }
        what += injection.device.map { ", for the session of '\($0)'" } ?? ", for the session in front"
        return what
    }

    private static func gesture(_ gesture: Gesture) -> String {
        switch gesture {
        case .rotate(let detents, let interval):
            let count = detents.magnitude
            let way = detents > 0 ? "clockwise" : "counterclockwise"
            let pace = interval == 0 ? "at once" : "one every \(DurationText.text(interval))"
            return "turns the knob \(way) by \(count) \(count == 1 ? "detent" : "detents"), \(pace)"
        case .press(let hold): return "presses the knob for \(DurationText.text(hold))"
        case .nudge(let way, let hold): return "nudges the knob \(way.rawValue) for \(DurationText.text(hold))"
        case .key(let key, let hold): return "presses the key \(key.rawValue) for \(DurationText.text(hold))"
        case .touch(let paths, let duration):
            return fingers(paths.map(\.points.count), "the display", duration)
        case .touchpad(let paths, let duration):
            return fingers(paths.map(\.points.count), "the touchpad", duration)
        }
    }

    private static func fingers(_ points: [Int], _ place: String, _ duration: UInt64) -> String {
        let who = points.count == 1 ? "one finger" : "\(points.count) fingers"
        let moves = points.contains { $0 > 1 }
        return "\(moves ? "moves \(who) over" : "taps with \(who) on") \(place) for \(DurationText.text(duration))"
    }

    private static func single(_ single: SingleInput) -> String {
        func word(_ down: Bool) -> String { down ? "down, where it stays" : "up" }
        switch single {
        case .press(let down): return "the knob goes \(word(down))"
        case .nudge(let way, let down): return "the knob, nudged \(way.rawValue), goes \(word(down))"
        case .key(let key, let down): return "the key \(key.rawValue) goes \(word(down))"
        case .touch(let changes): return "one moment of \(changes.count) fingers on the display"
        case .touchpad(let changes): return "one moment of \(changes.count) fingers on the touchpad"
        }
    }

    private static func fault(_ request: FaultRequest) -> String {
        var parts = ["sets a fault: \(request.kind.meaning)"]
        if !request.kind.needsNoPacket { parts.append(FaultText.direction(request.direction.rawValue)) }
        switch request.place {
        case .anywhere: break
        case .during(let phase): parts.append("while the session is \(phase.rawValue)")
        case .since(let phase): parts.append("once the session has come to \(phase.rawValue)")
        case .packet(let packet): parts.append("at the \(packet.rawValue)")
        }
        if let bytes = request.afterBytes { parts.append("after \(bytes) bytes") }
        if request.after > 0 { parts.append("after \(request.after) packets") }
        if let count = request.count {
            if count > 1 { parts.append("\(count) times") }
        } else {
            parts.append("again and again until it is cleared")
        }
        if let duration = request.effectiveDuration { parts.append("for \(DurationText.text(duration))") }
        if let device = request.device { parts.append("on '\(device)'") }
        return parts.joined(separator: ", ")
    }
}
