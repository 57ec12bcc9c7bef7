import InputCore
import RigModel
import Testing

@testable import RigCore

/// What a real touchscreen tells gets its pixels here, and what was meant is told beside.
@Suite struct SurfaceInputTests {
    private static func screen(_ bench: inout Bench) {
        var facts = DeviceFacts(kind: .touchscreen, profile: "touchscreen", port: "3-1", origin: .observed)
        facts.surface = SurfaceLayout(
            kind: .screen, x: AbsoluteRange(code: 0x35, minimum: 0, maximum: 4_095),
            y: AbsoluteRange(code: 0x36, minimum: 0, maximum: 4_095), slots: 10)
        bench.attach(facts)
    }

    private static func touch(_ bench: inout Bench, _ x: Int32, _ y: Int32) {
        let contact = SurfaceContact(id: 0, x: x, y: y, phase: .began)
        bench.handle(.deviceInput(key: "3-1", .touch([contact]), time: bench.now))
    }

    @Test func aTouchHasThePixelsOfTheFrontDisplayAndItsRevision() throws {
        var bench = Bench()
        Self.screen(&bench)
        bench.plug("iphone", "one")
        let display = try #require(
            bench.events.compactMap { if case .display(let display) = $0.payload { display } else { nil } }.last)
        Self.touch(&bench, 4_095, 4_095)
        let event = try #require(bench.events.last { $0.kind == .inputTouch })
        let pixels = display.description.pixels
        let corner = PixelPoint(x: pixels.width - 1, y: pixels.height - 1)
        #expect(event.payload == .input(.touch(TouchEvent(contacts: [Contact(id: 0, point: corner, phase: .began)]))))
        #expect(event.input?.revision == display.revision && event.input?.source == "touchscreen-1")
        #expect(event.display == "s1/main" && event.origin == .observed)
    }

    @Test func withoutASessionATouchIsNowhere() {
        var bench = Bench()
        Self.screen(&bench)
        let before = bench.events.count
        Self.touch(&bench, 0, 0)
        #expect(bench.events.count == before)
    }

    @Test func anEventThatNeedsNoDisplayGoesAsItIs() {
        var bench = Bench()
        bench.attach(.knob(port: "3-1"))
        bench.handle(.deviceInput(key: "3-1", .event(.knob(.rotate(detents: 2))), time: 0))
        #expect(bench.events.last?.payload == .input(.knob(.rotate(detents: 2))))
    }

    @Test func anIntentIsToldToWhomTheInputWent() throws {
        var bench = Bench()
        bench.attach(.knob(port: "3-1"))
        bench.plug("iphone", "one")
        let app = bench.launch()
        bench.handle(.deviceInput(key: "3-1", .intent(.pressTurn(detents: -2)), time: bench.now))
        let event = try #require(bench.events.last)
        #expect(event.kind == .inputIntent && event.session == SessionID(1) && event.input?.source == "knob-1")
        #expect(event.record.value(at: "intent.meaning")?.text == "pressTurn")
        #expect(event.record.value(at: "intent.detents")?.int == -2)
        #expect(bench.streams[app]?.last == event)
        bench.handle(.deviceInput(key: "9-9", .intent(.press), time: 0))
        #expect(bench.events.last == event)
    }

    @Test func everyIntentIsPublishedByItsWord() {
        let intents: [InputIntent] = [
            .press, .longPress, .doublePress, .pressTurn(detents: 1), .tap(fingers: 2),
            .swipe(.left, fingers: 1, speed: 300), .scroll(x: -150, y: 5), .focus(.down),
        ]
        #expect(intents.compactMap { $0.record.value(at: "meaning")?.text } == InputIntent.meanings)
        let scroll = InputIntent.scroll(x: -150, y: 5).record
        #expect(scroll.value(at: "x") == .double(-1.5) && scroll.value(at: "y") == .double(0.05))
    }
}
