internal import RigModel

/// What a command of Android Automotive's shell asks for, in our words.
struct AndroidInjection {
    let gesture: Gesture
    /// The display that `-d` names, if it is given.
    let display: String?
    /// What is told when it is done.
    let told: String

    /// `inject-key [-d display] [-s seat] [-t down_delay_ms | -a down|up] key_code`.
    static func key(_ words: AndroidWords) throws(CommandLineFailure) -> AndroidInjection {
        var words = words
        var display: String?
        var hold = Gesture.defaultHold
        while let option = words.option() {
            switch option {
            case "-d": display = try words.display()
            case "-t": hold = try words.milliseconds("-t")
            case "-s": throw words.meaningless("-s", noSeats)
            case "-a": throw words.meaningless("-a", noHalves)
            default: throw words.unknown(option, ["-d", "-s", "-t", "-a"])
            }
        }
        let word = try words.value("key_code")
        try words.end()
        guard let key = AndroidKeyCode.named(word) else {
            let isNumber = Int(word) != nil
            throw words.failure(
                "key_code: there is no key \"\(word)\" in a car",
                isNumber ? nil : Spelling.nearest(to: word, among: AndroidKeyCode.all.map(\.name)))
        }
        if case .none(let reason) = key.meaning {
            throw words.meaningless("key_code \(key.code) (\(key.name))", reason)
        }
        guard let gesture = key.meaning.gesture(hold: hold) else {
            throw words.meaningless("key_code \(key.code) (\(key.name))", "the car has no such key")
        }
        return AndroidInjection(
            gesture: gesture, display: display, told: "\(key.code) (\(key.name)) is \(key.meaning.text)")
    }

    /// `inject-rotary [-d display] [-i input_type] [-c clockwise] [-dt t1 t2 …]`.
    static func rotary(_ words: AndroidWords) throws(CommandLineFailure) -> AndroidInjection {
        var words = words
        var display: String?
        var isClockwise = false
        var turn = (count: 1, interval: UInt64(0))
        while let option = words.option() {
            switch option {
            case "-d": display = try words.display()
            case "-i":
                switch try words.number("-i", in: 0...Int(Int32.max)) {
                case 10: break
                case 11: throw words.meaningless("-i 11 (the volume knob)", AndroidKeyCode.noSound)
                case let other: throw words.failure("-i: \(other) is neither 10 (navigation) nor 11 (volume)")
                }
            case "-c":
                switch try words.value("-c") {
                case "true": isClockwise = true
                case "false": isClockwise = false
                case let other: throw words.failure("-c: \"\(other)\" is neither true nor false")
                }
            case "-dt": turn = try times(&words)
            default: throw words.unknown(option, ["-d", "-i", "-c", "-dt"])
            }
        }
        try words.end()
        let detents = Int32(isClockwise ? turn.count : -turn.count)
        return AndroidInjection(
            gesture: .rotate(detents: detents, interval: turn.interval), display: display,
            told: "knob turned by \(detents) detent\(turn.count == 1 ? "" : "s")")
    }

    /// How long ago each detent was, in milliseconds, the oldest first. Only how far they are apart can be kept.
    private static func times(_ words: inout AndroidWords) throws(CommandLineFailure) -> (count: Int, interval: UInt64)
    {
        var times: [Int] = []
        repeat {
            guard times.count < Int(Gesture.maximumDetents) else {
                throw words.failure("-dt: the most is \(Gesture.maximumDetents) detents")
            }
            times.append(try words.number("-dt", in: 0...Int(Int32.max)))
        } while words.hasValue
        let intervals = zip(times, times.dropFirst()).map { $0 - $1 }
        guard let interval = intervals.first else { return (1, 0) }
        guard intervals.allSatisfy({ $0 >= 0 }) else { throw words.failure("-dt: the times stand in descending order") }
        guard intervals.allSatisfy({ $0 == interval }) else {
            throw words.meaningless(
                "-dt with uneven times", "a turn has one interval; a scenario takes 'at +30ms knob rotate 1'")
        }
        let nanoseconds = UInt64(interval) * 1_000_000
        guard nanoseconds <= Gesture.maximumDuration else {
            throw words.failure("-dt: the most between two detents is \(Gesture.maximumDuration / 1_000_000)")
        }
        return (times.count, nanoseconds)
    }

    /// `inject-motion [-d display] [-s seat] [--source S] [-t ms] [-a …] [-c count] [-p ids…] x0 y0 x1 y1 …`; `source` is
    /// what `--source` says.
    static func motion(_ words: AndroidWords, source: String?) throws(CommandLineFailure) -> AndroidInjection {
        var words = words
        var display: String?
        var duration = Gesture.defaultTap
        var count = 1
        var ids: [Int]?
        if let source, source != "touchscreen" {
            let isPad = source == "touchpad" || source == "touchnavigation"
            throw words.meaningless(
                "--source \(source)",
                isPad
                    ? "places on a touchpad are percent here; 'dashrig touchpad tap 50 50'"
                    : "only a touchscreen is touched in pixels")
        }
        while let option = words.option() {
            switch option {
            case "-d": display = try words.display()
            case "-t": duration = try words.milliseconds("-t")
            case "-s": throw words.meaningless("-s", noSeats)
            case "-a": throw words.meaningless("-a", noHalves)
            case "-c": count = try words.number("-c", in: 1...Gesture.maximumContacts)
            case "-p": ids = try identifiers(&words, count)
            default: throw words.unknown(option, ["-d", "-s", "-t", "-a", "-c", "-p", "--source"])
            }
        }
        let fingers = ids ?? Array(0..<count)
        guard fingers.count == count else {
            throw words.failure("-p: it names \(fingers.count) fingers, and -c says \(count)")
        }
        var paths: [ContactPath<PixelPoint>] = []
        for (index, id) in fingers.enumerated() {
            let x = try words.pixel("x\(index)")
            paths.append(ContactPath(id: id, points: [PixelPoint(x: x, y: try words.pixel("y\(index)"))]))
        }
        try words.end()
        return AndroidInjection(
            gesture: .touch(paths, duration: duration), display: display,
            told: count == 1 ? "display tapped" : "display tapped with \(count) fingers")
    }

    /// As many numbers of fingers as `-c` said.
    private static func identifiers(
        _ words: inout AndroidWords, _ count: Int
    ) throws(CommandLineFailure) -> [Int] {
        var ids: [Int] = []
        for _ in 0..<count {
            let id = try words.number("-p", in: 0...Gesture.maximumContacts - 1)
            if ids.contains(id) { throw words.failure("-p: \(id) stands twice") }
            ids.append(id)
        }
        return ids
    }

    private static let noSeats = "the car has one seat"
    private static let noHalves = "down and up are one gesture; -t says how far they are apart"
}
