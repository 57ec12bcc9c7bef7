import DeviceTestKit
import LinuxIO
import RigModel
import Testing
import USBTransport

/// libusb on a loop of its own, with a heartbeat that shows whether the loop turns.
final class TransportHarness {
    let loop: EventLoop
    let jobs: JobPool
    let context: USBContext
    private let pulse = Pulse()

    private final class Pulse {
        var beats = 0
        var timer: TimerID?
    }

    /// A beat each 5 ms.
    static let beat: UInt64 = 5_000_000

    init() throws {
        loop = try EventLoop()
        jobs = try JobPool(loop: loop)
        context = try USBContext(loop: loop, jobs: jobs)
        let (loop, pulse) = (loop, pulse)
        pulse.timer = loop.addTimer { [unowned loop, unowned pulse] now in
            pulse.beats += 1
            if let timer = pulse.timer { loop.setTimer(timer, now + Self.beat) }
        }
        if let timer = pulse.timer { loop.setTimer(timer, SystemClock.monotonicNow()) }
    }

    deinit {
        context.shutDown()
        jobs.shutDown()
    }

    /// How often the loop's heart has beaten.
    var beats: Int { pulse.beats }

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

    /// Runs something asynchronous to its end.
    func finish<Value>(_ start: (@escaping (Value) -> Void) -> Void) throws -> Value {
        let answer = Answer<Value>()
        start {
            answer.value = $0
            answer.count += 1
        }
        _ = try run { answer.value != nil }
        #expect(answer.count == 1, "a completion comes once, later")
        return try #require(answer.value, "no answer in ten seconds")
    }

    /// Opens a device that is willing.
    func open(_ mock: USBMock, key: UInt64 = 1) throws -> USBDeviceHandle {
        let outcome = try finish { context.open(node: mock.node, key: key, completion: $0) }
        return try #require(outcome.value, "\(outcome)")
    }

    func close(_ handle: USBDeviceHandle) throws {
        let outcome: USBCloseOutcome = try finish { handle.close(completion: $0) }
        #expect(outcome == .closed)
    }
}

/// Where an answer ends up.
final class Answer<Value> {
    var value: Value?
    var count = 0
}
