import RigModel

// display NAME set ….
extension StepParser {
    private static let displayWords = [
        "view-area", "safe-area", "pixels", "scale", "frame-rate", "appearance", "driver-side", "limited-ui",
        "primary-input",
    ]

    /// `display NAME set PROPERTY VALUE [PROPERTY VALUE …]`.
    mutating func display() throws(ScenarioProblem) -> Act {
        var change = DisplayChange(display: try displayName())
        guard try line.take("set") else { throw line.missing("'set' and what changes") }
        var seen: [String] = []
        repeat {
            let word = try line.next("what changes: \(Self.displayWords.joined(separator: ", "))")
            if seen.contains(word.text) { throw line.problem(word, "'\(word.text)' stands twice") }
            seen.append(word.text)
            switch word.text {
            case "view-area":
                change.viewArea = try number(
                    "the number of the view area", in: 0...DisplayDescription.maximumViewAreas - 1)
            case "safe-area": change.safeArea = try rectangle()
            case "pixels": change.pixels = try size("the resolution, as 800x480")
            case "scale": change.scaleHundredths = try scale()
            case "frame-rate": change.framesPerSecond = try number("frames per second", in: 1...240)
            case "appearance": change.appearance = try appearance()
            case "driver-side": change.driverSide = try choice(DriverSide.self, "'left' or 'right'")
            case "limited-ui": change.limitedUI = try limitedUI()
            case "primary-input":
                change.primaryInput = try choice(DisplayInput.self, "an input: touchscreen, touchpad, knob or keys")
            default:
                throw line.problem(
                    word,
                    "a display has no '\(word.text)' that can be set; there is "
                        + Self.displayWords.joined(separator: ", "), near: Self.displayWords)
            }
        } while try line.peek() != nil
        return Act(action: .perform(.setDisplay(change)))
    }

    /// Takes `X,Y WxH`.
    private mutating func rectangle() throws(ScenarioProblem) -> PixelRect {
        let corner = try line.next("the top left corner, as 0,0")
        let numbers = corner.text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        let range = 0...DisplayDescription.maximumPixels
        guard numbers.count == 2, let x = numbers[0], let y = numbers[1], range.contains(x), range.contains(y) else {
            throw line.problem(corner, "'\(corner.text)' is no corner; a rectangle is written 0,0 700x480")
        }
        let size = try size("the size, as 700x480")
        return PixelRect(x: x, y: y, width: size.width, height: size.height)
    }

    /// Takes `WxH`.
    private mutating func size(_ what: String) throws(ScenarioProblem) -> PixelSize {
        let word = try line.next(what)
        let numbers = word.text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        let range = 1...DisplayDescription.maximumPixels
        guard numbers.count == 2, let width = numbers[0], let height = numbers[1] else {
            throw line.problem(word, "'\(word.text)' is no size; write it as 800x480")
        }
        guard range.contains(width), range.contains(height) else {
            throw line.problem(word, "a side has 1 to \(DisplayDescription.maximumPixels) pixels")
        }
        return PixelSize(width: width, height: height)
    }

    /// Takes a scale from 1 to 4 with at most two decimals.
    private mutating func scale() throws(ScenarioProblem) -> Int {
        let word = try line.next("the scale, as 3")
        let parts = word.text.split(separator: ".", omittingEmptySubsequences: false)
        let decimals = parts.count == 2 ? parts[1] : "0"
        guard (1...2).contains(parts.count), parts[0].utf8.count == 1, (1...2).contains(decimals.utf8.count),
            let whole = Int(parts[0]), let fraction = UInt(decimals),
            case let value = whole * 100 + Int(fraction) * (decimals.utf8.count == 1 ? 10 : 1),
            (100...400).contains(value)
        else {
            throw line.problem(word, "'\(word.text)' is no scale; it is between 1 and 4, with at most two decimals")
        }
        return value
    }
}
