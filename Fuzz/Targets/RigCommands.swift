import RigCore
import RigModel

/// Commands and injections, made from an input's decisions: mostly ones that can be done.
enum RigCommands {
    static func command(
        _ input: inout FuzzInput, names: [String], profiles: [String], displays: [String]
    ) -> Command {
        switch input.int(0...12) {
        case 0, 1, 2, 3: .plug(plug(&input, names: names, profiles: profiles))
        case 4, 5: .unplug(device: input.pick(names), surprise: input.bool(), generation: generation(&input))
        case 6: .setPhone(device: input.pick(names), generation: generation(&input), phoneChange(&input))
        case 7: .setFront(device: input.pick(names))
        case 8: .setDisplay(displayChange(&input, displays: displays))
        case 9: .setVehicle(RigVehicles.change(&input))
        case 10: .inject(injection(&input, names: names, displays: displays))
        case 11: .retry(device: input.pick(names), generation: generation(&input))
        default: .mark(input.bool() ? input.text(upTo: 16) : String(repeating: "m", count: 1_025))
        }
    }

    private static func generation(_ input: inout FuzzInput) -> UInt32? {
        input.int(0...3) == 0 ? UInt32(input.int(0...3)) : nil
    }

    private static func plug(_ input: inout FuzzInput, names: [String], profiles: [String]) -> PlugRequest {
        var request = PlugRequest(profile: input.pick(profiles))
        let flags = input.byte()
        if flags & 1 == 0 { request.name = input.pick(names) }
        if flags & 2 != 0 { request.serial = input.pick(["0123456789", "", "s", String(repeating: "s", count: 127)]) }
        if flags & 4 != 0 { request.displays = input.pick(["standard", "wide", "cluster-wide", "nothing"]) }
        if flags & 8 != 0 { request.phone = FuzzEvents.phone(&input) }
        request.identificationFirst = flags & 16 != 0
        return request
    }

    private static func phoneChange(_ input: inout FuzzInput) -> PhoneChange {
        let flags = input.byte()
        var change = PhoneChange()
        if flags & 1 != 0 { change.locked = flags & 16 != 0 }
        if flags & 2 != 0 { change.trusted = flags & 32 == 0 }
        if flags & 4 != 0 { change.slow = UInt64(input.byte()) << 28 }
        if flags & 8 != 0 { change.refuse = .some(input.optional { $0.pick(FuzzEvents.refusals) }) }
        return change
    }

    private static func displayChange(_ input: inout FuzzInput, displays: [String]) -> DisplayChange {
        var change = DisplayChange(display: input.pick(displays))
        switch input.int(0...7) {
        case 0: change.viewArea = input.int(0...3)
        case 1:
            change.safeArea = PixelRect(
                x: Int(input.byte()), y: Int(input.byte()), width: Int(input.word()), height: Int(input.word()))
        case 2: change.pixels = PixelSize(width: Int(input.word()) % 16_386, height: Int(input.word()) % 16_386)
        case 3: change.scaleHundredths = Int(input.word())
        case 4: change.framesPerSecond = input.int(0...255)
        case 5: change.appearance = input.pick(Appearance.allCases)
        case 6: change.limitedUI = LimitedUI(keyboard: input.bool(), lists: input.bool())
        default: change.primaryInput = input.pick(DisplayInput.allCases)
        }
        return change
    }

    static func injection(_ input: inout FuzzInput, names: [String], displays: [String]) -> Injection {
        var injection = Injection(gesture(&input))
        let flags = input.byte()
        if flags & 3 == 3 { injection.device = input.pick(names) }
        if flags & 12 == 12 { injection.display = input.pick(displays) }
        if flags & 16 != 0 { injection.tag = input.text(upTo: 8) }
        if flags & 96 == 96 { injection.generation = UInt32(input.int(0...3)) }
        // What came later has the bit that had no meaning.
        if flags & 128 != 0 { injection.input = .single(single(&input)) }
        return injection
    }

    /// The injection as a call, or as the target of a whole sequence.
    static func injectionCall(_ input: inout FuzzInput, names: [String], displays: [String]) -> ClientCall {
        let injection = injection(&input, names: names, displays: displays)
        let (wait, within) = (input.pick(InputStep.allCases), UInt64(input.byte()) << 24)
        guard case .single = injection.input, input.bool() else {
            return .inject(injection, wait: wait, within: within)
        }
        var time: UInt64 = 0
        var steps: [InjectionSequence.Step] = []
        for _ in 0..<input.int(0...12) {
            let flags = input.byte()
            time = flags & 15 == 15 ? UInt64(flags) << 36 : time + (UInt64(flags >> 4) << 24)
            steps.append(
                InjectionSequence.Step(
                    at: time, flags & 1 == 0 ? .single(single(&input)) : .gesture(gesture(&input))))
        }
        // Most of what goes down is let go.
        if input.bool() { steps += end(of: steps, at: time) }
        return .injectSequence(
            InjectionSequence(
                steps, device: injection.device, generation: injection.generation, display: injection.display,
                tag: injection.tag), wait: wait, within: within)
    }

    private static func end(of steps: [InjectionSequence.Step], at time: UInt64) -> [InjectionSequence.Step] {
        var down: [SingleInput] = []
        func set(_ end: SingleInput, _ isDown: Bool) {
            down.removeAll { $0 == end }
            if isDown { down.append(end) }
        }
        for case .single(let single) in steps.map(\.input) {
            switch single {
            case .press(let isDown): set(.press(down: false), isDown)
            case .nudge(let direction, let isDown): set(.nudge(direction, down: false), isDown)
            case .key(let key, let isDown): set(.key(key, down: false), isDown)
            case .touch(let changes):
                for one in changes { set(.touch([FingerChange(id: one.id, .ended(nil))]), one.change.phase != .ended) }
            case .touchpad(let changes):
                for one in changes {
                    set(.touchpad([FingerChange(id: one.id, .ended(nil))]), one.change.phase != .ended)
                }
            }
        }
        return down.map { InjectionSequence.Step(at: time, .single($0)) }
    }

    private static func single(_ input: inout FuzzInput) -> SingleInput {
        switch input.int(0...5) {
        case 0: .press(down: input.bool())
        case 1: .nudge(input.pick([.up, .upLeft, .left]), down: input.bool())
        case 2: .key(input.pick([.home, .voice, .play, .next, .call]), down: input.bool())
        case 3, 4: .touch(changes(&input) { PixelPoint(x: Int($0.byte()) * 5, y: Int($0.byte()) * 3) })
        default: .touchpad(changes(&input) { PadPoint(x: Int($0.byte()) * 40, y: Int($0.byte()) * 40) })
        }
    }

    private static func changes<Point>(
        _ input: inout FuzzInput, _ point: (inout FuzzInput) -> Point
    ) -> [FingerChange<Point>] {
        (0..<input.int(0...3)).map { index in
            let flags = input.byte()
            let id = flags & 0xE0 == 0xE0 ? Int(flags) - 0xE8 : Int(flags >> 3 & 3) + index
            switch flags & 3 {
            case 0, 1: return FingerChange(id: id, .began(point(&input)))
            case 2: return FingerChange(id: id, .moved(point(&input)))
            default: return FingerChange(id: id, .ended(flags & 4 == 0 ? nil : point(&input)))
            }
        }
    }

    private static func gesture(_ input: inout FuzzInput) -> Gesture {
        switch input.int(0...5) {
        case 0:
            .rotate(
                detents: input.pick([1, -1, 3, -5, 0, 1_000, 1_001, .min]), interval: UInt64(input.byte()) << 20)
        case 1: .press(hold: duration(&input))
        case 2: .nudge(input.pick(NudgeDirection.allCases), hold: duration(&input))
        case 3: .key(input.pick(Key.allCases), hold: duration(&input))
        case 4:
            .touch(
                paths(&input) { PixelPoint(x: Int($0.byte()) * 5, y: Int($0.byte()) * 3) }, duration: duration(&input))
        default:
            .touchpad(
                paths(&input) { PadPoint(x: Int($0.byte()) * 40, y: Int($0.byte()) * 40) }, duration: duration(&input))
        }
    }

    /// Mostly short; some are over the limit.
    private static func duration(_ input: inout FuzzInput) -> UInt64 {
        UInt64(input.byte()) << input.pick([20, 20, 24, 28])
    }

    private static func paths<Point>(
        _ input: inout FuzzInput, _ point: (inout FuzzInput) -> Point
    ) -> [ContactPath<Point>] {
        (0..<input.int(0...3)).map { index in
            ContactPath(
                id: input.int(0...7) == 0 ? Int(input.byte()) - 2 : index,
                points: (0..<input.int(0...4)).map { _ in point(&input) })
        }
    }
}

/// Scenarios for the rig to run: some that end by themselves, and any text.
enum RigScenarios {
    static func text(_ input: inout FuzzInput) -> String {
        let index = input.int(0...7)
        return index < texts.count ? texts[index] : input.text(upTo: 200)
    }

    private static let texts = [
        "plug iphone as phone\nexpect session active device phone within 1s\nunplug phone\n",
        "plug iphone as run keep\nknob rotate 3 every 80ms\nwait 1s\nunplug run surprise\n",
        "plug head-unit\nwait 2s\n",
        "every 100ms for 1s knob rotate 1\nexpect input knob exactly 3 within 1s\n",
        "plug iphone as phone locked\nat 2s unlock phone\nexpect session active within 1s\nlock phone\n",
        "expect device attached never within 30s\n",
        "after device attached within 10s touch tap 10 10\nmark \"done\"\n",
    ]
}
