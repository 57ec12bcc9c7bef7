import InputCore
import RigModel
import Testing

/// Every state of a control, a counter and a pad against every event that can reach it.
@Suite struct CANMatrixTests {
    enum Step: String, CaseIterable {
        case press, held, release, otherSpoken, short, foreign, alive, early, silence, forgotten, end
    }

    /// Byte 0 says of what the frame speaks, byte 1 its state.
    private static func layout() throws -> CANLayout {
        var layout = CANLayout()
        let id = CANIdentifier(0x100)
        let concerns = [CANTest(place: 0, values: [0xAA])]
        layout.controls = [
            CANControl(
                .key(.home), id: id, concerns: concerns, down: [CANTest(place: 1, mask: 0x0F, values: [1])],
                held: [CANTest(place: 1, mask: 0x0F, values: [2])])
        ]
        layout.turn = CANTurn(id: CANIdentifier(0x101), counter: try number([0]))
        layout.pad = CANPad(
            id: CANIdentifier(0x102),
            places: [
                CANPad.Place(x: try number([1]), y: try number([2])),
                CANPad.Place(x: try number([3]), y: try number([4])),
            ], state: 0, counts: (0...4).map { CANPad.Count(value: UInt8($0), fingers: $0) })
        layout.alive = [CANIdentifier(0x103)]
        layout.reset = CANLayout.Reset(id: CANIdentifier(0x104), tests: [CANTest(place: 0, values: [6])])
        layout.silence = 1_000
        return layout
    }

    private static func number(_ places: [Int]) throws -> CANNumber {
        try #require(CANNumber(places.compactMap { CANBits(place: $0) }))
    }

    private static func run(_ step: Step, _ bench: inout CANBench) {
        switch step {
        case .press: bench.feed(0x100, [0xAA, 0xF1])
        case .held: bench.feed(0x100, [0xAA, 2])
        case .release: bench.feed(0x100, [0xAA, 0])
        case .otherSpoken: bench.feed(0x100, [0xBB, 0])
        case .short: bench.feed(0x100, [0xAA])
        case .foreign: bench.feed(0x1FF, [0xAA, 1])
        case .alive: bench.feed(0x103, [])
        case .early: bench.wait(999)
        case .silence: bench.wait(1_000)
        case .forgotten: bench.feed(0x104, [6])
        case .end: bench.end()
        }
    }

    // MARK: A control

    enum Control: String, CaseIterable { case up, down, letGo }

    private static func expected(_ start: Control, _ step: Step) -> [String] {
        switch (start, step) {
        case (.up, .press), (.letGo, .press): ["key home down"]
        case (.up, .held), (.letGo, .held): []
        case (.up, .release), (.letGo, .release): []
        case (.up, .silence), (.letGo, .silence), (.up, .early), (.letGo, .early): []
        case (.up, .forgotten), (.letGo, .forgotten), (.up, .end), (.letGo, .end): []
        case (.up, .otherSpoken), (.up, .short), (.up, .foreign), (.up, .alive): []
        case (.letGo, .otherSpoken), (.letGo, .short), (.letGo, .foreign), (.letGo, .alive): []
        case (.down, .press), (.down, .held): []
        case (.down, .release), (.down, .silence), (.down, .forgotten), (.down, .end): ["key home up"]
        case (.down, .otherSpoken), (.down, .short), (.down, .foreign), (.down, .alive), (.down, .early): []
        }
    }

    @Test(arguments: Control.allCases, Step.allCases) func control(start: Control, step: Step) throws {
        var bench = CANBench(try Self.layout())
        if start != .up { Self.run(.press, &bench) }
        if start == .letGo { Self.run(.silence, &bench) }
        _ = bench.lines()
        Self.run(step, &bench)
        #expect(bench.lines() == Self.expected(start, step), "\(start) \(step)")
        // Whatever happened, nothing stays down for ever, and nothing waits then.
        bench.wait(10_000)
        let isUp = !(Self.expected(start, step).last == "key home down" || start == .down)
        #expect(bench.lines().count <= (isUp ? 0 : 1))
        #expect(bench.decoder.nextDeadline == nil)
    }

    /// Only what is heard of the controller itself keeps a press down.
    @Test(arguments: Step.allCases) func whatKeepsAPressDown(step: Step) throws {
        var bench = CANBench(try Self.layout())
        Self.run(.press, &bench)
        bench.wait(900)
        Self.run(step, &bench)
        _ = bench.lines()
        bench.wait(200)
        switch step {
        case .press, .held, .otherSpoken, .short, .alive: #expect(bench.lines() == [], "\(step)")
        case .foreign: #expect(bench.lines() == ["key home up"], "\(step)")
        case .release, .early, .silence, .forgotten, .end: #expect(bench.lines() == [], "\(step)")
        }
    }

    // MARK: A counter

    enum Counter: String, CaseIterable { case unknown, known }
    enum Turn: String, CaseIterable { case same, up, down, overEnd, half, short, silence, forgotten, end }

    /// What the step tells, and what a step onto 1 tells after it; the counter stands at 254 where it is known.
    private static func expected(_ start: Counter, _ step: Turn) -> [String] {
        switch (start, step) {
        case (.unknown, .same), (.known, .same): start == .known ? ["-", "rotate 3"] : ["-", "rotate 3"]
        case (.unknown, .up): ["-", "rotate 2"]
        case (.unknown, .down): ["-", "rotate 4"]
        case (.unknown, .overEnd): ["-", "rotate 1"]
        case (.unknown, .half): ["-", "rotate -125"]
        case (.unknown, .short), (.unknown, .silence), (.unknown, .forgotten), (.unknown, .end): ["-", "-"]
        case (.known, .up): ["rotate 1", "rotate 2"]
        case (.known, .down): ["rotate -1", "rotate 4"]
        case (.known, .overEnd): ["rotate 2", "rotate 1"]
        case (.known, .half): ["rotate -128", "rotate -125"]
        case (.known, .short), (.known, .silence): ["-", "rotate 3"]
        case (.known, .forgotten), (.known, .end): ["-", "-"]
        }
    }

    @Test(arguments: Counter.allCases, Turn.allCases) func counter(start: Counter, step: Turn) throws {
        var bench = CANBench(try Self.layout())
        if start == .known { bench.feed(0x101, [254]) }
        #expect(bench.lines() == [])
        switch step {
        case .same: bench.feed(0x101, [254])
        case .up: bench.feed(0x101, [255])
        case .down: bench.feed(0x101, [253])
        case .overEnd: bench.feed(0x101, [0])
        case .half: bench.feed(0x101, [126])
        case .short: bench.feed(0x101, [])
        case .silence: bench.wait(5_000)
        case .forgotten: bench.feed(0x104, [6])
        case .end: bench.end()
        }
        var told = [bench.lines()]
        bench.feed(0x101, [1])
        told.append(bench.lines())
        #expect(told.map { $0.isEmpty ? "-" : $0.joined(separator: ",") } == Self.expected(start, step))
    }

    // MARK: A pad

    enum PadState: String, CaseIterable { case unknown, none, one, two }
    enum Touch: String, CaseIterable { case none, one, two, otherState, short, silence, forgotten, end }

    private static func expected(_ start: PadState, _ step: Touch) -> String {
        switch (start, step) {
        case (.unknown, _): "-"
        case (.none, .one): "0 began"
        case (.none, .two): "0 began 1 began"
        case (.none, _): "-"
        case (.one, .none): "0 ended"
        case (.one, .two): "0 stationary 1 began"
        case (.one, .silence), (.one, .forgotten), (.one, .end): "0 cancelled"
        case (.one, .one), (.one, .otherState), (.one, .short): "-"
        case (.two, .none): "0 ended 1 ended"
        case (.two, .one): "0 stationary 1 ended"
        case (.two, .silence), (.two, .forgotten), (.two, .end): "0 cancelled 1 cancelled"
        case (.two, .two), (.two, .otherState), (.two, .short): "-"
        }
    }

    @Test(arguments: PadState.allCases, Touch.allCases) func pad(start: PadState, step: Touch) throws {
        var bench = CANBench(try Self.layout())
        func frame(_ fingers: UInt8) -> [UInt8] { [fingers, 10, 20, 30, 40] }
        if start != .unknown { bench.feed(0x102, frame(0)) }
        if start == .one { bench.feed(0x102, frame(1)) }
        if start == .two { bench.feed(0x102, frame(2)) }
        _ = bench.lines()
        switch step {
        case .none: bench.feed(0x102, frame(0))
        case .one: bench.feed(0x102, frame(1))
        case .two: bench.feed(0x102, frame(2))
        case .otherState: bench.feed(0x102, frame(99))
        case .short: bench.feed(0x102, [2, 10, 20])
        case .silence: bench.wait(1_000)
        case .forgotten: bench.feed(0x104, [6])
        case .end: bench.end()
        }
        let contacts = bench.lines().filter { $0.hasPrefix("pad ") }.flatMap { line in
            line.dropFirst(4).split(separator: "|").map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
        }
        #expect((contacts.isEmpty ? "-" : contacts.joined(separator: " ")) == Self.expected(start, step))
    }
}
