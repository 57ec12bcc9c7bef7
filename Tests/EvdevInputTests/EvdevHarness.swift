import DeviceTestKit
import EvdevInput
import InputCore
import LinuxIO
import RigModel
import Testing

/// A reader on a loop of its own with a decoder behind it, as the daemon has it.
final class EvdevHarness {
    let loop: EventLoop
    let jobs: JobPool
    private(set) var reader: EvdevReader?
    var notices: [EvdevNotice] = []
    var events: [InputEvent] = []
    var losses = 0
    private var decoder: InputDecoder?
    private var inputs: [DeviceInput] = []

    init() throws {
        loop = try EventLoop()
        jobs = try JobPool(loop: loop)
    }

    deinit {
        reader?.close()
        jobs.shutDown()
    }

    /// Opens a node and decodes it as a knob.
    @discardableResult
    func open(_ node: String, grab: Bool = false, highResolution: Bool = false) throws -> EvdevReader {
        var answer: Result<EvdevReader, EvdevError>?
        try EvdevReader.open(
            node: node, loop: loop, jobs: jobs, key: 1, grab: grab, handler: { [weak self] in self?.take($0) },
            completion: { answer = $0 })
        #expect(answer == nil, "a completion comes later")
        _ = try run { answer != nil }
        let reader = try #require(answer, "no answer in ten seconds").get()
        self.reader = reader
        decoder = InputDecoder(Self.layout(reader.description, highResolution))
        return reader
    }

    /// A knob: its dial or its wheel, and the first of the usual buttons.
    private static func layout(_ device: InputDeviceDescription, _ highResolution: Bool) -> InputLayout {
        let turn: TurnLayout? =
            if device.rel.contains(EvdevCode.dial) {
                TurnLayout(axis: EvdevCode.dial)
            } else if highResolution && device.rel.contains(EvdevCode.wheelHighResolution) {
                TurnLayout(axis: EvdevCode.wheelHighResolution, units: 120)
            } else if device.rel.contains(EvdevCode.wheel) {
                TurnLayout(axis: EvdevCode.wheel)
            } else {
                nil
            }
        let buttons = [EvdevCode.button0, EvdevCode.select, EvdevCode.enter, EvdevCode.buttonMiddle]
        let press = buttons.first(where: device.key.contains).map { KeyBinding($0, .press) }
        return InputLayout(turn: turn, keys: press.map { [$0] } ?? [])
    }

    private func take(_ notice: EvdevNotice) {
        notices.append(notice)
        switch notice {
        case .frame(let frame): decoder?.decode(frame, into: &inputs)
        case .lost: losses += 1
        case .grabRefused: break
        case .gone: decoder?.end(time: SystemClock.monotonicNow(), into: &inputs)
        }
        for case .event(let event) in inputs { events.append(event) }
        inputs.removeAll(keepingCapacity: true)
    }

    /// Turns the loop until a condition holds; false when ten seconds were not enough.
    func run(until condition: () -> Bool) throws -> Bool {
        let limit = SystemClock.monotonicNow() + 10_000_000_000
        while !condition() {
            let now = SystemClock.monotonicNow()
            if now >= limit { return false }
            try loop.run(until: now + 2_000_000)
        }
        return true
    }

    func run(for time: UInt64) throws { try loop.run(until: SystemClock.monotonicNow() + time) }

    var detents: Int {
        events.reduce(0) { sum, event in
            if case .knob(.rotate(let detents)) = event { sum + Int(detents) } else { sum }
        }
    }

    var frames: [EvdevFrame] {
        notices.compactMap { if case .frame(let frame) = $0 { frame } else { nil } }
    }

    /// The frames that told of differences after a loss, as (type, code, value).
    var recovered: [[[Int32]]] {
        frames.filter { $0.cause == .recovered }
            .map { $0.events.map { [Int32($0.type), Int32($0.code), $0.value] } }
    }

    var gone: EvdevEnd? {
        if case .gone(let end) = notices.last { end } else { nil }
    }
}
