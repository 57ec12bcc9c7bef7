import RigConfiguration
import RigModel
import Testing

@testable import RigCore

/// Changes of displays while a session runs (field reports B33, B34).
@Suite struct DisplayTests {
    static func change(_ display: String = "main", _ set: (inout DisplayChange) -> Void) -> DisplayChange {
        var change = DisplayChange(display: display)
        set(&change)
        return change
    }

    /// A rig with one phone on the standard display, 800×480.
    private func bench() -> Bench {
        var bench = Bench()
        bench.plug("iphone", "phone", displays: "standard")
        return bench
    }

    private func shape(_ bench: inout Bench, _ name: String = "s1/main") -> RecordValue? {
        guard case .array(let all)? = bench.state().value(at: "displays") else { return nil }
        return all.first { $0.value(at: "id")?.text == name }
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let change: DisplayChange
        let path: String
        let value: RecordValue
    }

    static let changes = [
        Case(
            testDescription: "safe area",
            change: change { $0.safeArea = PixelRect(x: 10, y: 20, width: 30, height: 40) },
            path: "viewAreas.0.safeArea", value: PixelRect(x: 10, y: 20, width: 30, height: 40).record),
        Case(
            testDescription: "resolution", change: change { $0.pixels = PixelSize(width: 1_920, height: 720) },
            path: "width", value: .int(1_920)),
        Case(testDescription: "scale", change: change { $0.scaleHundredths = 300 }, path: "scale", value: .double(3)),
        Case(
            testDescription: "frames", change: change { $0.framesPerSecond = 30 }, path: "framesPerSecond",
            value: .int(30)),
        Case(
            testDescription: "appearance", change: change { $0.appearance = .dark }, path: "appearance",
            value: .string("dark")),
        Case(
            testDescription: "side", change: change { $0.driverSide = .right }, path: "driverSide",
            value: .string("right")),
        Case(
            testDescription: "keyboard", change: change { $0.limitKeyboard = true }, path: "limitedUI.keyboard",
            value: .bool(true)),
        Case(
            testDescription: "lists", change: change { $0.limitLists = true }, path: "limitedUI.lists",
            value: .bool(true)),
        Case(
            testDescription: "primary input", change: change { $0.primaryInput = .knob }, path: "primaryInput",
            value: .string("knob")),
    ]

    @Test(arguments: changes) func aChangeIsANewRevisionOfTheRunningSession(_ example: Case) throws {
        var bench = bench()
        let before = bench.events.count
        let result = bench.command(.setDisplay(example.change))
        let reply = try #require(try result?.get().value(at: "display"))
        #expect(reply.value(at: "revision")?.int == 2)
        #expect(reply.value(at: example.path) == example.value)
        #expect(bench.kinds(from: before) == [.displayChanged])
        let event = try #require(bench.events.last)
        #expect(event.display == "s1/main")
        #expect(event.session == SessionID(1))
        #expect(event.device?.name == "phone")
        #expect(event.origin == .declared)
        #expect(event.record.value(at: "displayState") == reply)
        #expect(shape(&bench) == reply)
        #expect(bench.phase() == "active", "no change costs the session")
        bench.command(.setDisplay(example.change))
        #expect(bench.events.count == before + 1, "the same again is no change")
        #expect(shape(&bench)?.value(at: "revision")?.int == 2)
    }

    static let wrong: [(change: DisplayChange, field: String)] = [
        (change { $0.pixels = PixelSize(width: 0, height: 480) }, "width"),
        (change { $0.pixels = PixelSize(width: 16_385, height: 480) }, "width"),
        (change { $0.pixels = PixelSize(width: .max, height: .max) }, "width"),
        (change { $0.pixels = PixelSize(width: 800, height: -1) }, "height"),
        (change { $0.pixels = PixelSize(width: 800, height: .min) }, "height"),
        (change { $0.scaleHundredths = 99 }, "scale"),
        (change { $0.scaleHundredths = 401 }, "scale"),
        (change { $0.framesPerSecond = 0 }, "framesPerSecond"),
        (change { $0.framesPerSecond = 241 }, "framesPerSecond"),
        (change { $0.viewArea = 1 }, "viewArea"),
        (change { $0.viewArea = -1 }, "viewArea"),
        (change { $0.viewArea = .max }, "viewArea"),
        (change { $0.safeArea = PixelRect(x: 0, y: 0, width: 801, height: 480) }, "viewArea.0.safe"),
        (change { $0.safeArea = PixelRect(x: 1, y: 0, width: 800, height: 480) }, "viewArea.0.safe"),
        (change { $0.safeArea = PixelRect(x: -1, y: 0, width: 10, height: 10) }, "viewArea.0.safe"),
        (change { $0.safeArea = PixelRect(x: 0, y: 0, width: 0, height: 10) }, "viewArea.0.safe"),
        (change { $0.safeArea = PixelRect(x: .max, y: .max, width: .max, height: .max) }, "viewArea.0.safe"),
        (change { $0.safeArea = PixelRect(x: .min, y: 0, width: .max, height: 1) }, "viewArea.0.safe"),
        (change { $0.primaryInput = .touchpad }, "primaryInput"),
        (
            change {
                $0.appearance = .dark
                $0.scaleHundredths = 0
            }, "scale"
        ),
        (change("cluster") { $0.appearance = .dark }, "display"),
        (change("s1/cluster") { $0.appearance = .dark }, "display"),
        (change("s2/main") { $0.appearance = .dark }, "display"),
        (change("s01/main") { $0.appearance = .dark }, "display"),
        (change("x1/main") { $0.appearance = .dark }, "display"),
        (change("1/main") { $0.appearance = .dark }, "display"),
        (change("/main") { $0.appearance = .dark }, "display"),
        (change("s1/main/main") { $0.appearance = .dark }, "display"),
        (change("s1/") { $0.appearance = .dark }, "display"),
        (change("s99999999999/main") { $0.appearance = .dark }, "display"),
        (change("") { $0.appearance = .dark }, "display"),
    ]

    @Test(arguments: wrong.indices) func aWrongChangeNamesItsFieldAndChangesNothing(index: Int) {
        var bench = bench()
        let before = shape(&bench)
        let count = bench.events.count
        guard case .invalidParameter(let field, let text)? = bench.failure(of: .setDisplay(Self.wrong[index].change))
        else {
            Issue.record("it is refused")
            return
        }
        #expect(field == Self.wrong[index].field)
        #expect(!text.isEmpty)
        #expect(bench.events.count == count)
        #expect(shape(&bench) == before)
    }

    @Test func theAnswerNamesTheDisplaysThatThereAre() {
        var bench = bench()
        bench.plug("iphone", "other")
        #expect(
            bench.failure(of: .setDisplay(DisplayChange(display: "cluster")))
                == .invalidParameter("display", text: "there is no display 'cluster'; there is s1/main, s2/main"))
        bench.unplug("phone")
        bench.unplug("other")
        #expect(
            bench.failure(of: .setDisplay(DisplayChange(display: "main")))
                == .invalidParameter("display", text: "there is no display 'main': no session is active"))
    }

    @Test func aNameAloneIsADisplayOfTheFrontSession() {
        var bench = bench()
        bench.plug("iphone", "other", displays: "standard")
        bench.command(.setDisplay(Self.change { $0.appearance = .dark }))
        #expect(shape(&bench, "s1/main")?.value(at: "appearance")?.text == "dark")
        #expect(shape(&bench, "s2/main")?.value(at: "appearance")?.text == "light")
        bench.command(.setDisplay(Self.change("s2/main") { $0.scaleHundredths = 100 }))
        #expect(shape(&bench, "s1/main")?.value(at: "scale") == .double(2))
        #expect(shape(&bench, "s2/main")?.value(at: "scale") == .double(1))
        #expect(bench.events.last?.device?.name == "other")
        bench.command(.setFront(device: "other"))
        bench.command(.setDisplay(Self.change { $0.framesPerSecond = 24 }))
        #expect(shape(&bench, "s2/main")?.value(at: "framesPerSecond")?.int == 24)
        #expect(shape(&bench, "s2/main")?.value(at: "revision")?.int == 3)
        #expect(shape(&bench, "s1/main")?.value(at: "revision")?.int == 2)
    }

    @Test func eachSessionBeginsWithTheFirstRevision() {
        var bench = bench()
        bench.command(.setDisplay(Self.change { $0.pixels = PixelSize(width: 300, height: 300) }))
        bench.unplug("phone")
        bench.plug("iphone", "phone", displays: "standard")
        #expect(shape(&bench, "s2/main")?.value(at: "revision")?.int == 1)
        #expect(shape(&bench, "s2/main")?.value(at: "width")?.int == 800)
    }

    /// Two view areas of 800×480: the whole display, and a window on its left.
    private func twoAreas() -> Bench {
        let whole = PixelRect(x: 0, y: 0, width: 800, height: 480)
        let window = PixelRect(x: 0, y: 0, width: 400, height: 480)
        let display = DisplayDescription(
            name: "main", pixels: PixelSize(width: 800, height: 480), widthMillimetres: 150, heightMillimetres: 90,
            viewAreas: [
                ViewArea(frame: whole, safeArea: PixelRect(x: 50, y: 0, width: 700, height: 480)),
                ViewArea(frame: window, safeArea: window),
            ])
        var bench = Bench { $0.headUnits = [HeadUnitProfile(name: "two", displays: [display])] }
        bench.plug("iphone", "phone")
        return bench
    }

    @Test func theSafeAreaThatChangesIsThatOfTheViewAreaInUse() {
        var bench = twoAreas()
        bench.command(
            .setDisplay(
                Self.change {
                    $0.viewArea = 1
                    $0.safeArea = PixelRect(x: 10, y: 10, width: 100, height: 100)
                }))
        #expect(shape(&bench)?.value(at: "viewArea")?.int == 1)
        #expect(shape(&bench)?.value(at: "viewAreas.0.safeArea.width")?.int == 700)
        #expect(shape(&bench)?.value(at: "viewAreas.1.safeArea.width")?.int == 100)
        #expect(
            bench.failure(of: .setDisplay(Self.change { $0.safeArea = PixelRect(x: 0, y: 0, width: 401, height: 10) }))
                != nil, "it is not inside the view area in use, though inside the display")
    }

    @Test func areasThatNoLongerFitBecomeOneThatFillsTheDisplay() {
        var bench = twoAreas()
        bench.command(.setDisplay(Self.change { $0.viewArea = 1 }))
        bench.command(.setDisplay(Self.change { $0.pixels = PixelSize(width: 799, height: 480) }))
        let whole = PixelRect(x: 0, y: 0, width: 799, height: 480).record
        #expect(shape(&bench)?.value(at: "viewAreas")?.count == 1)
        #expect(shape(&bench)?.value(at: "viewAreas.0.frame") == whole)
        #expect(shape(&bench)?.value(at: "viewAreas.0.safeArea") == whole)
        #expect(shape(&bench)?.value(at: "viewArea")?.int == 0)
        #expect(shape(&bench)?.value(at: "revision")?.int == 3)
    }

    @Test func areasThatStillFitStay() {
        var bench = twoAreas()
        bench.command(.setDisplay(Self.change { $0.pixels = PixelSize(width: 801, height: 480) }))
        #expect(shape(&bench)?.value(at: "viewAreas")?.count == 2)
        #expect(shape(&bench)?.value(at: "viewAreas.0.frame.width")?.int == 800)
    }

    @Test func aNewResolutionTakesASafeAreaOfItsOwn() {
        var bench = bench()
        bench.command(
            .setDisplay(
                Self.change {
                    $0.pixels = PixelSize(width: 400, height: 240)
                    $0.safeArea = PixelRect(x: 20, y: 20, width: 360, height: 200)
                }))
        #expect(shape(&bench)?.value(at: "viewAreas.0.frame.width")?.int == 400)
        #expect(shape(&bench)?.value(at: "viewAreas.0.safeArea.width")?.int == 360)
        #expect(shape(&bench)?.value(at: "revision")?.int == 2, "one change, one revision")
        #expect(shape(&bench)?.value(at: "widthPoints")?.int == 200)
    }
}
