import RigModel
import Testing

@Suite struct DisplayValidationTests {
    private static func display(_ change: (inout DisplayDescription) -> Void = { _ in }) -> DisplayDescription {
        var shape = DisplayDescription(
            name: "main", pixels: PixelSize(width: 800, height: 480), widthMillimetres: 154, heightMillimetres: 90)
        change(&shape)
        return shape
    }

    private static func area(_ frame: PixelRect, safe: PixelRect? = nil) -> ViewArea {
        ViewArea(frame: frame, safeArea: safe ?? frame)
    }

    private static func rect(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PixelRect {
        PixelRect(x: x, y: y, width: width, height: height)
    }

    /// One broken display for each rule, with the fields that must be named.
    private static let broken: [(String, DisplayDescription, [String])] = [
        ("no name", display { $0.name = "" }, ["name"]),
        ("long name", display { $0.name = String(repeating: "a", count: 33) }, ["name"]),
        ("name with a slash", display { $0.name = "a/b" }, ["name"]),
        ("name that begins with a dash", display { $0.name = "-a" }, ["name"]),
        ("no width", display { $0.pixels.width = 0 }, ["width"]),
        ("width one over", display { $0.pixels.width = 16_385 }, ["width"]),
        ("huge width", display { $0.pixels.width = .max }, ["width"]),
        ("negative height", display { $0.pixels.height = -1 }, ["height"]),
        ("scale one under", display { $0.scaleHundredths = 99 }, ["scale"]),
        ("scale one over", display { $0.scaleHundredths = 401 }, ["scale"]),
        ("no millimetres across", display { $0.widthMillimetres = 0 }, ["widthMillimetres"]),
        ("millimetres down one over", display { $0.heightMillimetres = 10_001 }, ["heightMillimetres"]),
        ("no frames", display { $0.framesPerSecond = 0 }, ["framesPerSecond"]),
        ("frames one over", display { $0.framesPerSecond = 241 }, ["framesPerSecond"]),
        ("no view areas", display { $0.viewAreas = [] }, ["viewAreas", "viewArea"]),
        (
            "view areas one over",
            display { $0.viewAreas = Array(repeating: area(rect(0, 0, 800, 480)), count: 9) }, ["viewAreas"]
        ),
        ("view area that is not there", display { $0.currentViewArea = 1 }, ["viewArea"]),
        ("negative view area", display { $0.currentViewArea = -1 }, ["viewArea"]),
        ("view area too wide", display { $0.viewAreas = [area(rect(1, 0, 800, 480))] }, ["viewArea.0"]),
        (
            "second view area outside",
            display { $0.viewAreas = [area(rect(0, 0, 800, 480)), area(rect(0, 400, 10, 100))] }, ["viewArea.1"]
        ),
        (
            "huge view area",
            display { $0.viewAreas = [area(rect(.max, .max, .max, .max))] }, ["viewArea.0", "viewArea.0.safe"]
        ),
        (
            "safe area outside its view area",
            display { $0.viewAreas = [area(rect(0, 0, 400, 480), safe: rect(0, 0, 401, 480))] }, ["viewArea.0.safe"]
        ),
        (
            "empty safe area",
            display { $0.viewAreas = [area(rect(0, 0, 400, 480), safe: rect(0, 0, 0, 480))] }, ["viewArea.0.safe"]
        ),
        (
            "no inputs",
            display {
                $0.inputs = []
                $0.touchFidelity = .none
            }, ["inputs", "primaryInput"]
        ),
        ("primary input not among the inputs", display { $0.primaryInput = .knob }, ["primaryInput"]),
        ("touchscreen without fidelity", display { $0.touchFidelity = .none }, ["touchFidelity"]),
        (
            "fidelity without touchscreen",
            display {
                $0.inputs = [.knob]
                $0.primaryInput = .knob
            }, ["touchFidelity"]
        ),
        (
            "two at once",
            display {
                $0.scaleHundredths = 0
                $0.framesPerSecond = 0
            }, ["scale", "framesPerSecond"]
        ),
    ]

    @Test(arguments: broken.indices)
    func namesTheFieldThatIsWrong(index: Int) {
        let (title, shape, fields) = Self.broken[index]
        #expect(shape.problems().map(\.field) == fields, "\(title)")
        #expect(shape.problems().allSatisfy { !$0.text.isEmpty })
    }

    @Test(arguments: [
        display(), display { $0.pixels = PixelSize(width: 16_384, height: 16_384) },
        display { $0.scaleHundredths = 100 }, display { $0.scaleHundredths = 400 },
        display { $0.framesPerSecond = 240 }, display { $0.name = String(repeating: "a", count: 32) },
        display { $0.viewAreas = Array(repeating: area(rect(0, 0, 800, 480)), count: 8) },
        display {
            $0.inputs = [.knob, .keys]
            $0.primaryInput = .keys
            $0.touchFidelity = .none
        },
    ])
    func takesWhatIsAtTheLimit(shape: DisplayDescription) { #expect(shape.problems() == []) }

    @Test(arguments: [
        ("a", true), ("iphone-1", true), ("A_b.c-9", true), ("9", true), ("", false), (".a", false), ("_a", false),
        ("a b", false), ("ä", false), ("a\u{0}", false), ("a/b", false),
    ])
    func aNameIsShortAndPlain(text: String, isName: Bool) { #expect(DisplayDescription.isName(text) == isName) }
}
