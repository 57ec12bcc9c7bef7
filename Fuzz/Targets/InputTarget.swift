import InputCore
import RigConfiguration
import RigModel

/// Frames of an input device of two nodes, whatever they are: what is told balances, each contact is told from its
/// beginning to its end, turns add up, deadlines come to an end, and nothing is held when the device is gone.
///
/// Input: twice the layout of a node, then operations.
enum InputTarget {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        var input = FuzzInput(bytes)
        let limits = IntentLimits(
            longPress: UInt64(input.byte()) << 20, doublePress: input.pick([0, 300_000_000]),
            focusStep: input.pick([0, 1, 800]))
        var bench = InputFuzzBench([layout(&input), layout(&input)], limits)
        while !input.isAtEnd { try bench.operate(&input) }
        try bench.end()
    }

    private static func range(_ code: UInt16, _ input: inout FuzzInput) -> AbsoluteRange {
        let (low, high) = input.pick(
            [(0, 1_000), (0, 4_095), (-127, 127), (5, 5), (9, -9), (.min, .max)] as [(Int32, Int32)])
        return AbsoluteRange(code: code, minimum: low, maximum: high, resolution: input.pick([0, 1, 65, .max, -1]))
    }

    private static func layout(_ input: inout FuzzInput) -> InputLayout {
        let turn = input.optional { input in
            let form: TurnLayout.Form =
                switch input.int(0...2) {
                case 0: .steps
                case 1: .counter(range: input.pick([2, 256, 65_536]))
                default: .position(minimum: input.pick([0, .min]), maximum: input.pick([23, -5, .max]))
                }
            return TurnLayout(
                axis: input.pick([7, 8, 11, 0]), form: form, units: input.pick([1, 2, 120, .max]),
                detents: input.pick([1, 2, .max]), reversed: input.bool(), bounce: input.pick([0, 5_000_000, .max]),
                acceleration: input.pick([1, 4, .max]))
        }
        let nudge = input.optional { input in NudgeLayout(x: range(0, &input), y: range(1, &input)) }
        let meanings: [KeyMeaning] = [
            .press, .turn(detents: 1), .turn(detents: -100), .nudge(.up), .nudge(.downRight), .key(.home),
            .key(.select),
        ]
        var keys: [KeyBinding] = []
        for _ in 0..<input.int(0...6) {
            keys.append(KeyBinding(InputFuzzBench.keys[input.int(0...5)], input.pick(meanings)))
        }
        let surface = input.optional { input in
            SurfaceLayout(
                kind: input.pick(SurfaceLayout.Kind.allCases), x: range(0x35, &input), y: range(0x36, &input),
                mount: SurfaceMount(
                    margins: SurfaceMount.Margins(left: input.pick([0, 10, .max]), right: input.pick([0, 10, .max])),
                    mirrored: input.bool(), rotation: input.pick(SurfaceMount.Rotation.allCases),
                    area: input.pick(SurfaceMount.Area.allCases)), slots: input.pick([0, 1, 2, 10, 99]))
        }
        return InputLayout(
            turn: turn, nudge: nudge, keys: keys, keyBounce: input.pick([0, 5_000_000]), surface: surface,
            longPress: UInt64(input.byte()) << 20)
    }
}

/// A device table file, the devices that its rules fit, and frames for them.
///
/// Input: the file up to a NUL, then operations.
enum InputTableTarget {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        let parts = bytes[...].parts(atMost: 2)
        let file = ConfigurationFile(name: "fuzz.ini", bytes: Array(parts.first ?? []))
        let table: DeviceTable
        do throws(ConfigurationError) {
            table = try DeviceTable.parse([file])
        } catch {
            try require(!error.problems.isEmpty, "an error without a problem")
            for problem in error.problems {
                try require(problem.line > 0, "a problem without a place: \(problem)")
            }
            return
        }
        var layouts: [InputLayout] = []
        for device in devices {
            for isChosen in [false, true] {
                let decision = table.decision(of: device, isChosen: isChosen)
                try require(
                    (decision.deciding == nil) == (decision.classification == .unknown), "nothing decided \(decision)")
                let priorities = ([decision.deciding] + decision.others).compactMap { $0?.priority }
                try require(
                    zip(priorities, priorities.dropFirst()).allSatisfy { $0 >= $1 }, "not by priority: \(priorities)")
                guard let profile = decision.classification.profile else { continue }
                try require(profile.match.matches(device), "\(profile.name) does not fit what was classified as it")
                try require(isChosen || !profile.needsChoice, "\(profile.name) was taken without being chosen")
                layouts.append(profile.layout(of: device))
            }
        }
        var input = FuzzInput(parts.count > 1 ? parts[1] : [])
        var bench = InputFuzzBench(layouts, IntentLimits())
        while !input.isAtEnd { try bench.operate(&input) }
        try bench.end()
    }

    private static let axes = [0, 1, 7, 8, 0x2F, 0x35, 0x36, 0x39].map { (code: UInt16) in
        AbsoluteRange(code: code, minimum: 0, maximum: code == 0x2F ? 9 : 1_000, resolution: 10)
    }

    private static let devices = [
        InputDeviceDescription(vendor: 0x077D, product: 0x0410, name: "Knob", key: [0x100], rel: [7]),
        InputDeviceDescription(name: "Wheel", key: [28, 158, 172], rel: [8, 11]),
        InputDeviceDescription(name: "Volume", key: [113, 114, 115, 164]),
        InputDeviceDescription(name: "Keyboard", key: [2, 3, 14, 28, 30, 103, 105, 106, 108, 113, 114, 115]),
        InputDeviceDescription(
            name: "Pad", key: [0x110, 0x145, 0x14A, 0x14D], abs: axes.map(\.code), props: [0], axes: axes),
        InputDeviceDescription(name: "Screen", key: [0x14A], abs: axes.map(\.code), props: [1], axes: axes),
        InputDeviceDescription(name: "Stick", key: [0x100], rel: [7], abs: [0, 1], axes: axes),
        InputDeviceDescription(name: "Absolute", key: [0x100], abs: [7], axes: axes),
    ]
}
