/// What is wrong with a display description.
public struct DisplayProblem: Error, Equatable, Sendable {
    /// The field as the interface and the profile file spell it: `scale`, `viewArea.1.safe`, ….
    public let field: String
    /// What is wrong with it and what would be right.
    public let text: String

    /// States a problem.
    public init(field: String, text: String) {
        self.field = field
        self.text = text
    }
}

extension DisplayDescription {
    /// The largest width or height of a display: twice that of any panel in a car today.
    public static let maximumPixels = 16_384
    /// The most view areas of one display.
    public static let maximumViewAreas = 8
    /// The longest display name.
    public static let maximumNameLength = 32

    /// Whether text can name a device or a display: 1 to 32 letters, digits, `-`, `_` and `.`, a letter or digit first.
    public static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= maximumNameLength else { return false }
        func isPlain(_ byte: UInt8) -> Bool {
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
        return isPlain(first)
            && text.utf8.allSatisfy {
                isPlain($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".")
            }
    }

    /// Everything that is wrong, in the order of the fields; empty when the description can be used.
    public func problems() -> [DisplayProblem] {
        var found: [DisplayProblem] = []
        func check(_ holds: Bool, _ field: String, _ text: String) {
            if !holds { found.append(DisplayProblem(field: field, text: text)) }
        }
        let side = 1...Self.maximumPixels
        check(Self.isName(name), "name", "a name has 1 to 32 letters, digits, '-', '_' or '.'")
        check(side.contains(pixels.width), "width", "\(pixels.width) is not between 1 and \(Self.maximumPixels) pixels")
        check(
            side.contains(pixels.height), "height",
            "\(pixels.height) is not between 1 and \(Self.maximumPixels) pixels")
        check((100...400).contains(scaleHundredths), "scale", "the scale must be between 1 and 4")
        check((1...10_000).contains(widthMillimetres), "widthMillimetres", "must be between 1 and 10000")
        check((1...10_000).contains(heightMillimetres), "heightMillimetres", "must be between 1 and 10000")
        check((1...240).contains(framesPerSecond), "framesPerSecond", "must be between 1 and 240")
        check(
            (1...Self.maximumViewAreas).contains(viewAreas.count), "viewAreas",
            "a display has 1 to \(Self.maximumViewAreas) view areas, not \(viewAreas.count)")
        check(
            viewAreas.indices.contains(currentViewArea), "viewArea",
            "there is no view area \(currentViewArea); this display has \(viewAreas.count), counted from 0")
        if side.contains(pixels.width) && side.contains(pixels.height) {
            for (index, area) in viewAreas.enumerated() {
                check(
                    area.frame.isSensible && PixelRect(pixels).contains(area.frame), "viewArea.\(index)",
                    "\(area.frame.text) is not inside the display's \(pixels.width)x\(pixels.height) pixels")
                check(
                    area.safeArea.isSensible && area.frame.isSensible && area.frame.contains(area.safeArea),
                    "viewArea.\(index).safe", "\(area.safeArea.text) is not inside its view area \(area.frame.text)")
            }
        }
        check(!inputs.isEmpty, "inputs", "a display needs at least one input")
        check(inputs.contains(primaryInput), "primaryInput", "'\(primaryInput.rawValue)' is not among the inputs")
        check(
            inputs.contains(.touchscreen) == (touchFidelity != .none), "touchFidelity",
            inputs.contains(.touchscreen)
                ? "a touchscreen has fidelity low or high" : "without a touchscreen the fidelity is none")
        return found
    }
}

extension PixelRect {
    /// At least one pixel, and numbers small enough that no sum of two overflows.
    fileprivate var isSensible: Bool {
        let range = 0...DisplayDescription.maximumPixels
        return range.contains(x) && range.contains(y) && range.contains(width) && range.contains(height)
            && width > 0 && height > 0
    }

    /// The rectangle as a person writes it: `x,y WxH`.
    public var text: String { "\(x),\(y) \(width)x\(height)" }
}
