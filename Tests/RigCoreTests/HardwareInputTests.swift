import RigModel
import Testing

@testable import RigCore

/// What real knobs and panels do goes the same way as what is injected.
@Suite struct HardwareInputTests {
    @Test func inputGoesToTheFrontSession() throws {
        var bench = Bench()
        bench.attach(.knob(port: "3-1"))
        bench.plug("iphone", "one")
        bench.plug("iphone", "two")
        bench.pass(Bench.second)
        let app = bench.launch()
        bench.handle(.input(key: "3-1", .knob(.rotate(detents: 3)), time: 700))
        let event = try #require(bench.events.last)
        #expect(event.kind == .inputKnob)
        #expect(event.origin == .observed)
        #expect(event.time == 700, "when the device did it")
        #expect(event.session == SessionID(1))
        #expect(event.device?.name == "one", "the device is that of the session")
        #expect(event.display == "s1/main")
        #expect(event.input == InputReference(id: InputID(1), source: "knob-1", revision: 1, tag: nil))
        #expect(event.payload == .input(.knob(.rotate(detents: 3))))
        #expect(bench.streams[app] == [event])
        #expect(bench.toTell.isEmpty, "nobody waits for real input to be read")
        bench.command(.setFront(device: "two"))
        bench.handle(.input(key: "3-1", .knob(.pressed), time: bench.now))
        #expect(bench.events.last?.session == SessionID(2))
        #expect(bench.events.last?.input?.id == InputID(2))
    }

    @Test func withoutAFrontItIsPublishedAllTheSame() {
        var bench = Bench()
        bench.attach(.knob(port: "3-1"))
        bench.handle(.input(key: "3-1", .key(KeyEvent(key: .home, down: true)), time: 0))
        #expect(bench.events.last?.kind == .inputKey)
        #expect(bench.events.last?.session == nil)
        #expect(bench.events.last?.input?.revision == nil)
    }

    @Test func aDevicesClockIsNotAheadOfTheRigs() {
        var bench = Bench()
        bench.attach(.knob(port: "3-1"))
        bench.pass(1_000)
        bench.handle(.input(key: "3-1", .knob(.pressed), time: .max))
        #expect(bench.events.last?.time == 1_000)
    }

    @Test func anUnknownInputDeviceIsIgnored() {
        var bench = Bench()
        bench.handle(.input(key: "3-9", .knob(.pressed), time: 0))
        bench.handle(.inputLost(key: "3-9"))
        #expect(bench.events.isEmpty)
    }

    @Test func anOverflowIsTold() throws {
        // Field report B45: SYN_DROPPED is an event, not an accident.
        var bench = Bench()
        bench.attach(.knob(port: "3-1"))
        bench.plug("iphone", "phone")
        bench.handle(.inputLost(key: "3-1"))
        let event = try #require(bench.events.last)
        #expect(event.kind == .inputLost)
        #expect(event.device == DeviceReference(name: "knob-1", generation: 1))
        #expect(event.reason?.code == "overflow")
        #expect(event.session == nil)
    }

    @Test func tenThousandDetentsAddUp() {
        // Field report B45: 10,000 detents, the sum exact, each numbered once.
        var bench = Bench()
        bench.attach(.knob(port: "3-1"))
        bench.plug("iphone", "phone")
        let app = bench.launch()
        for turn in UInt64(1)...10_000 {
            bench.now += 2 * Bench.millisecond
            bench.handle(.input(key: "3-1", .knob(.rotate(detents: turn % 3 == 0 ? -1 : 1)), time: bench.now))
        }
        let told = bench.streams[app] ?? []
        #expect(told.map { $0.input?.id.number ?? 0 } == Array(1...10_000))
        #expect(told.reduce(0) { $0 + $1.detents } == 10_000 - 2 * 3_333)
    }

    @Test func numbersOfRealAndInjectedInputAreOneCount() {
        var bench = Bench()
        bench.attach(.knob(port: "3-1"))
        bench.command(.inject(Injection(.press(hold: 0))))
        bench.handle(.input(key: "3-1", .knob(.pressed), time: 0))
        bench.command(.inject(Injection(.press(hold: 0))))
        #expect(bench.events.compactMap(\.input?.id.number) == [1, 2, 3, 4, 5])
    }

    /// At the limit and above it, from one device: what is above is left out with its end, is told once, and nothing of it
    /// is left when the device goes.
    @Test func whatIsAboveTheLimitOfADeviceIsLeftOut() {
        var bench = Bench()
        bench.attach(.knob(port: "3-1"))
        func frame(_ ids: Range<Int>, _ phase: ContactPhase) {
            let contacts = ids.map { Contact(id: $0, point: PixelPoint(x: $0, y: 0), phase: phase) }
            bench.handle(.input(key: "3-1", .touch(TouchEvent(contacts: contacts)), time: bench.now))
        }
        let limit = HardwareHold.maximum
        frame(0..<limit, .began)
        #expect(bench.events(.inputLost).isEmpty, "at the limit")
        let before = bench.events.count
        frame(limit..<limit + 2, .began)
        bench.handle(.input(key: "3-1", .knob(.pressed), time: bench.now))
        frame(limit..<limit + 1, .moved)
        frame(limit..<limit + 2, .ended)
        bench.handle(.input(key: "3-1", .knob(.released(held: 1, long: false)), time: bench.now))
        #expect(bench.kinds(from: before) == [.inputLost])
        #expect(bench.events.last?.reason?.code == "heldInputs")
        frame(0..<1, .ended)
        bench.handle(.input(key: "3-1", .knob(.pressed), time: bench.now))
        bench.handle(.input(key: "3-1", .key(KeyEvent(key: .home, down: true)), time: bench.now))
        let held = bench.events.count
        bench.detach("3-1")
        let told = bench.events.dropFirst(held).compactMap {
            if case .input(let input) = $0.payload { input } else { nil }
        }
        let fingers = told.flatMap { input -> [Int] in
            guard case .touch(let touch) = input else { return [] }
            return touch.contacts.filter { $0.phase == .cancelled }.map(\.id)
        }
        #expect(fingers == Array(1..<limit))
        #expect(told.count == 2 && told.contains { if case .knob(.released) = $0 { true } else { false } })
        #expect(bench.events(.inputLost).count == 1, "once until it holds nothing")
    }

    @Test func extremeCoordinatesAreTaken() {
        var bench = Bench()
        bench.attach(.knob(port: "3-1"))
        bench.plug("iphone", "phone")
        for value in [Int.min, -1, 0, .max] {
            let contacts = [Contact(id: value, point: PixelPoint(x: value, y: value), phase: .began)]
            bench.handle(.input(key: "3-1", .touch(TouchEvent(contacts: contacts)), time: 0))
            guard case .input(.touch(let touch))? = bench.events.last?.payload else {
                Issue.record("it is a touch")
                return
            }
            #expect(touch.outsideSafeArea == (value != 0))
        }
    }
}
