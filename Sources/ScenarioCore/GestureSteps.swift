import RigModel

// Gestures of knob, touchscreen, touchpad and keys.
extension StepParser {
    /// What may follow any gesture, each at most once, in any order.
    private struct Options {
        var hold: UInt64?
        var interval: UInt64?
        var length: UInt64?
        var velocity: Double?
        var display: String?
        var device: String?
    }

    /// `knob rotate N [every T | over T]`, `knob press [for T | down | up]`, `knob nudge DIR [for T | down | up]`.
    mutating func knob() throws(ScenarioProblem) -> Act {
        let word = try line.next("'rotate', 'press' or 'nudge'")
        switch word.text {
        case "rotate":
            let limit = Int(Gesture.maximumDetents)
            let countWord = try line.peek()
            let count = try number("the number of detents", in: -limit...limit)
            guard count != 0 else { throw at(countWord, "0 detents is no turn; positive is clockwise") }
            let options = try options(["every", "over", "on", "device"])
            if options.interval != nil, options.length != nil {
                throw line.behind("a turn has either 'every' or 'over', not both")
            }
            let interval =
                options.length.map { Gesture.interval(of: Int32(count), over: $0) } ?? options.interval ?? 0
            // At most 999 times 60 s: far from overflow.
            let duration = UInt64(count.magnitude - 1) * interval
            return gesture(.rotate(detents: Int32(count), interval: interval), options, duration)
        case "press":
            if let down = try half() { return single(.press(down: down), try options(["on", "device"])) }
            let options = try options(["for", "on", "device"])
            let hold = options.hold ?? Gesture.defaultHold
            return gesture(.press(hold: hold), options, hold)
        case "nudge":
            let direction = try choice(NudgeDirection.self, "a direction: up, down, left, right, up-left, …")
            if let down = try half() { return single(.nudge(direction, down: down), try options(["on", "device"])) }
            let options = try options(["for", "on", "device"])
            let hold = options.hold ?? Gesture.defaultHold
            return gesture(.nudge(direction, hold: hold), options, hold)
        default:
            throw line.problem(
                word, "'\(word.text)' is nothing that a knob does; there is rotate, press and nudge",
                near: ["rotate", "press", "nudge"])
        }
    }

    /// `key NAME [for T | down | up]`.
    mutating func key() throws(ScenarioProblem) -> Act {
        let names = Key.allCases.map(\.rawValue).joined(separator: ", ")
        let key = try choice(Key.self, "a key; there is \(names)")
        if let down = try half() { return single(.key(key, down: down), try options(["on", "device"])) }
        let options = try options(["for", "on", "device"])
        let hold = options.hold ?? Gesture.defaultHold
        return gesture(.key(key, hold: hold), options, hold)
    }

    /// `touch tap X Y`, `touch swipe X Y to X Y`, `touch flick X Y to X Y`, `touch X Y to X Y and X Y to X Y for T`,
    /// `touch down ID X Y`, `touch move ID X Y`, `touch up ID`.
    mutating func touch() throws(ScenarioProblem) -> Act {
        func point(_ parser: inout StepParser) throws(ScenarioProblem) -> PixelPoint {
            let range = 0...DisplayDescription.maximumPixels - 1
            return PixelPoint(
                x: try parser.number("x in pixels", in: range), y: try parser.number("y in pixels", in: range))
        }
        if let (changes, options) = try frame(point) { return single(.touch(changes), options) }
        let (paths, options, duration) = try contacts(point)
        return gesture(.touch(paths, duration: duration), options, duration)
    }

    /// The same on a touchpad, in percent of its width and height.
    mutating func touchpad() throws(ScenarioProblem) -> Act {
        func point(_ parser: inout StepParser) throws(ScenarioProblem) -> PadPoint {
            PadPoint(x: try parser.percentage("x in percent"), y: try parser.percentage("y in percent"))
        }
        if let (changes, options) = try frame(point) { return single(.touchpad(changes), options) }
        let (paths, options, duration) = try contacts(point)
        return gesture(.touchpad(paths, duration: duration), options, duration)
    }

    /// `down` or `up`, for one half of a press.
    private mutating func half() throws(ScenarioProblem) -> Bool? {
        if try line.take("down") { return true }
        return try line.take("up") ? false : nil
    }

    private func single(_ single: SingleInput, _ options: Options) -> Act {
        let injection = Injection(.single(single), device: options.device, display: options.display)
        return Act(action: .perform(.inject(injection)))
    }

    private func gesture(_ gesture: Gesture, _ options: Options, _ duration: UInt64) -> Act {
        let injection = Injection(gesture, device: options.device, display: options.display)
        return Act(action: .perform(.inject(injection)), duration: duration)
    }

    private mutating func options(_ allowed: [String]) throws(ScenarioProblem) -> Options {
        var options = Options()
        var seen: [String] = []
        while let word = try line.next() {
            guard allowed.contains(word.text), !word.isQuoted else {
                throw line.problem(
                    word, "'\(word.text)' has no meaning here; there is \(allowed.joined(separator: ", "))",
                    near: allowed)
            }
            if seen.contains(word.text) { throw line.problem(word, "'\(word.text)' stands twice") }
            seen.append(word.text)
            switch word.text {
            case "for":
                options.hold = try duration("how long", minimum: 1_000_000, maximum: Gesture.maximumDuration)
            case "every":
                options.interval = try duration(
                    "the time from one detent to the next", maximum: Gesture.maximumDuration)
            case "over":
                options.length = try duration("how long the whole turn takes", maximum: Gesture.maximumDuration)
            case "velocity":
                options.velocity = Double(
                    try number("pixels or percent per second", in: 1...Gesture.maximumVelocity))
            case "on": options.display = try displayName()
            default: options.device = try deviceName()
            }
        }
        return options
    }

    /// Reads one moment of fingers, if the line is that: `down 0 100 200 and 1 300 200`, `move 0 110 200`, `up 0 and 1`.
    private mutating func frame<Point: Equatable & Sendable>(
        _ point: (inout StepParser) throws(ScenarioProblem) -> Point
    ) throws(ScenarioProblem) -> (changes: [FingerChange<Point>], options: Options)? {
        guard let word = try line.peek(), !word.isQuoted, ["down", "move", "up"].contains(word.text) else { return nil }
        _ = try line.next()
        var changes: [FingerChange<Point>] = []
        repeat {
            let start = try line.peek()
            let id = try number("the finger's number", in: 0...Gesture.maximumContacts - 1)
            if changes.contains(where: { $0.id == id }) { throw at(start, "finger \(id) stands twice") }
            switch word.text {
            case "down": changes.append(FingerChange(id: id, .began(try point(&self))))
            case "move": changes.append(FingerChange(id: id, .moved(try point(&self))))
            default:
                let next = try line.peek()
                let isPlaced = next.map { $0.text.first?.isNumber == true } ?? false
                changes.append(FingerChange(id: id, .ended(isPlaced ? try point(&self) : nil)))
            }
        } while try line.take("and")
        return (changes, try options(["on", "device"]))
    }

    /// Reads one or more fingers and what follows them.
    private mutating func contacts<Point: SurfacePoint>(
        _ point: (inout StepParser) throws(ScenarioProblem) -> Point
    ) throws(ScenarioProblem) -> (paths: [ContactPath<Point>], options: Options, duration: UInt64) {
        let first = try line.peek()
        let isTap = try line.take("tap")
        let isFlick = isTap ? false : try line.take("flick")
        let isSwipe = isTap || isFlick ? false : try line.take("swipe")
        if let first, !isTap, !isSwipe, !isFlick, !first.isQuoted, first.text.first?.isLetter == true {
            let words = ["tap", "swipe", "flick", "down", "move", "up"]
            let known = words.joined(separator: ", ")
            throw line.problem(
                first, "'\(first.text)' is no gesture; there is \(known), or the points themselves", near: words)
        }
        var paths: [ContactPath<Point>] = []
        repeat {
            let start = try line.peek()
            guard paths.count < Gesture.maximumContacts else {
                throw at(start, "more than \(Gesture.maximumContacts) fingers")
            }
            var points = [try point(&self)]
            while let word = try line.peek(), word.text == "to" {
                if isTap { throw line.problem(word, "a tap stays where it is; write swipe") }
                if isFlick, points.count == 2 { throw line.problem(word, "a flick goes straight; write swipe") }
                _ = try line.next()
                guard points.count < Gesture.maximumPoints else {
                    throw line.problem(word, "more than \(Gesture.maximumPoints) points of one finger")
                }
                points.append(try point(&self))
            }
            if isSwipe, points.count < 2 { throw line.missing("'to' and where the swipe goes") }
            if isFlick, points.count < 2 { throw line.missing("'to' and where the flick goes") }
            paths.append(ContactPath(id: paths.count, points: points))
        } while try line.take("and")
        let moves = paths.contains { $0.points.count > 1 }
        let end = try line.peek()
        let options = try options((moves ? ["velocity"] : []) + ["for", "on", "device"])
        let ways = isFlick ? paths.compactMap(\.flicked) : paths
        guard let velocity = options.velocity else {
            let standard = isFlick ? Gesture.defaultFlick : moves ? Gesture.defaultSwipe : Gesture.defaultTap
            return (ways, options, options.hold ?? standard)
        }
        if options.hold != nil { throw at(end, "'for' and 'velocity' contradict each other") }
        guard let duration = Gesture.duration(of: paths, atSpeed: velocity, isFlick: isFlick) else {
            throw at(end, "at this velocity it takes longer than a minute, or nothing moves")
        }
        return (ways, options, duration)
    }

    /// Takes `50%` or `12.25%` as hundredths of a percent.
    private mutating func percentage(_ what: String) throws(ScenarioProblem) -> Int {
        let word = try line.next(what)
        guard word.text.hasSuffix("%") else {
            throw line.problem(word, "'\(word.text)' is no percentage; a place on a touchpad is written 50%")
        }
        let parts = word.text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
        let decimals = parts.count == 2 ? parts[1] : "0"
        guard (1...2).contains(parts.count), (1...3).contains(parts[0].utf8.count),
            (1...2).contains(decimals.utf8.count),
            (parts[0] + decimals).utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let whole = Int(parts[0]), let fraction = Int(decimals),
            case let value = whole * 100 + (decimals.utf8.count == 1 ? fraction * 10 : fraction),
            value <= PadPoint.full
        else {
            throw line.problem(word, "'\(word.text)' is not between 0% and 100%, with at most two decimals")
        }
        return value
    }
}
