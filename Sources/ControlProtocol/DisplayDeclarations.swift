public import WireBytes

/// D500, Dashrig's own: the displays of a unit. In a real session they travel outside of this link.
///
/// Parameter 0, repeated, is a group per display: 0 name (text), 1 role (u8), 2 width, 3 height (u16, pixels), 4 scale
/// times 100 (u16), 5 frames per second (u16), 6 width, 7 height (u16, mm, 0 unknown), 8 view area (group, repeated:
/// 0 x, 1 y, 2 width, 3 height, 4 safe area (group: 0 x, 1 y, 2 width, 3 height)), 9 primary input (u8), 10 inputs (u8
/// bits), 11 touch fidelity (u8), 12 appearance (u8), 13 driver side (u8).
public struct DisplayDeclarations: TypedControlMessage {
    /// The number of the message.
    public static let messageID = MessageID.displayDeclaration
    /// The most displays of one unit.
    public static let maximumDisplays = 16
    /// The most view areas of one display.
    public static let maximumViewAreas = 8
    /// The longest name, in bytes of UTF-8.
    public static let maximumNameLength = 64
    /// Legal widths and heights in pixels.
    public static let legalPixels: ClosedRange<UInt16> = 1...16_384
    /// Legal scales, times 100.
    public static let legalScaleHundredths: ClosedRange<UInt16> = 50...800
    /// Legal frame rates.
    public static let legalFramesPerSecond: ClosedRange<UInt16> = 1...240

    /// The displays, in the unit's order.
    public var displays: [DisplayDeclaration]

    /// Makes the message, unchecked until it is encoded.
    public init(displays: [DisplayDeclaration]) { self.displays = displays }

    /// Reads the parameters; the type tells the layout.
    public init(parameters: ControlParameters) throws(WireError) {
        displays = []
        for parameter in try parameters.all(0) {
            guard displays.count < Self.maximumDisplays else {
                throw WireError(.tooMany(limit: Self.maximumDisplays), offset: parameter.offset, field: "displays")
            }
            displays.append(try Self.decode(parameter.group()))
            try Self.validate(displays, offset: parameter.offset)
        }
    }

    /// The parameters; the type tells the layout.
    public func encodeParameters() throws(WireError) -> ControlParameters {
        try Self.validate(displays)
        var parameters = ControlParameters()
        for display in displays { try parameters.append(0, group: try Self.encode(display)) }
        return parameters
    }

    /// Throws what a declaration with these displays would be refused for, naming display and field.
    public static func validate(_ displays: [DisplayDeclaration], offset: Int = 0) throws(WireError) {
        guard displays.count <= maximumDisplays else {
            throw WireError(.tooMany(limit: maximumDisplays), offset: offset, field: "displays")
        }
        for (index, display) in displays.enumerated() {
            guard !displays[..<index].contains(where: { $0.name == display.name }) else {
                throw WireError(.repeated, offset: offset, field: "display name \(display.name)")
            }
            try validate(display, offset: offset)
        }
    }

    private static func validate(_ display: DisplayDeclaration, offset: Int) throws(WireError) {
        let name = display.name
        guard !name.isEmpty else { throw WireError(.missing, offset: offset, field: "display name") }
        guard name.utf8.count <= maximumNameLength else {
            throw WireError(
                .excess(limit: maximumNameLength, actual: name.utf8.count), offset: offset, field: "display name")
        }
        func check(_ field: String, _ value: UInt16, _ legal: ClosedRange<UInt16>) throws(WireError) {
            guard legal.contains(value) else {
                throw WireError(
                    .outOfRange(
                        value: UInt64(value), minimum: UInt64(legal.lowerBound), maximum: UInt64(legal.upperBound)),
                    offset: offset, field: "\(field) of display \(name)")
            }
        }
        try check("pixel width", display.pixelWidth, legalPixels)
        try check("pixel height", display.pixelHeight, legalPixels)
        try check("scale", display.scaleHundredths, legalScaleHundredths)
        try check("frames per second", display.framesPerSecond, legalFramesPerSecond)
        guard display.viewAreas.count <= maximumViewAreas else {
            throw WireError(.tooMany(limit: maximumViewAreas), offset: offset, field: "view areas of display \(name)")
        }
        for (index, view) in display.viewAreas.enumerated() {
            guard view.area.isInside(display.bounds) else {
                throw WireError(
                    .invalid("not inside the display"), offset: offset,
                    field: "view area \(index + 1) of display \(name)")
            }
            guard view.safeArea.isInside(view.area) else {
                throw WireError(
                    .invalid("not inside its view area"), offset: offset,
                    field: "safe area \(index + 1) of display \(name)")
            }
        }
        guard display.inputs.isSubset(of: .all) else {
            throw WireError(
                .invalid("unknown bits in \(display.inputs.rawValue)"), offset: offset,
                field: "inputs of display \(name)")
        }
    }
}

// MARK: - One display

extension DisplayDeclarations {
    private static func encode(_ display: DisplayDeclaration) throws(WireError) -> ControlParameters {
        var group = ControlParameters()
        try group.append(0, text: display.name)
        group.append(1, display.role.rawValue)
        group.append(2, display.pixelWidth)
        group.append(3, display.pixelHeight)
        group.append(4, display.scaleHundredths)
        group.append(5, display.framesPerSecond)
        group.append(6, display.millimetreWidth)
        group.append(7, display.millimetreHeight)
        for view in display.viewAreas {
            var area = encode(view.area)
            try area.append(4, group: encode(view.safeArea))
            try group.append(8, group: area)
        }
        group.append(9, display.primaryInput.rawValue)
        group.append(10, display.inputs.rawValue)
        group.append(11, display.touchFidelity.rawValue)
        group.append(12, display.appearance.rawValue)
        group.append(13, display.driverSide.rawValue)
        return group
    }

    private static func encode(_ rectangle: DisplayDeclaration.Rectangle) -> ControlParameters {
        var group = ControlParameters()
        group.append(0, rectangle.x)
        group.append(1, rectangle.y)
        group.append(2, rectangle.width)
        group.append(3, rectangle.height)
        return group
    }

    private static func decode(_ group: ControlParameters) throws(WireError) -> DisplayDeclaration {
        var viewAreas: [DisplayDeclaration.ViewArea] = []
        for parameter in try group.all(8) {
            guard viewAreas.count < maximumViewAreas else {
                throw WireError(.tooMany(limit: maximumViewAreas), offset: parameter.offset, field: "view areas")
            }
            let area = parameter.group()
            viewAreas.append(
                DisplayDeclaration.ViewArea(
                    area: try rectangle(area), safeArea: try rectangle(try area.required(4).group())))
        }
        return DisplayDeclaration(
            name: try group.required(0).text(limit: maximumNameLength),
            role: try choice(group, 1),
            pixelWidth: try group.required(2).integer(),
            pixelHeight: try group.required(3).integer(),
            scaleHundredths: try group.required(4).integer(),
            framesPerSecond: try group.required(5).integer(),
            millimetreWidth: try group.required(6).integer(),
            millimetreHeight: try group.required(7).integer(),
            viewAreas: viewAreas,
            primaryInput: try choice(group, 9),
            inputs: DisplayDeclaration.Inputs(rawValue: try group.required(10).integer()),
            touchFidelity: try choice(group, 11),
            appearance: try choice(group, 12),
            driverSide: try choice(group, 13))
    }

    private static func rectangle(_ group: ControlParameters) throws(WireError) -> DisplayDeclaration.Rectangle {
        DisplayDeclaration.Rectangle(
            x: try group.required(0).integer(), y: try group.required(1).integer(),
            width: try group.required(2).integer(), height: try group.required(3).integer())
    }

    /// A u8 parameter that must be one of an enumeration's values, which run from 0 without holes.
    private static func choice<Choice: RawRepresentable<UInt8> & CaseIterable>(
        _ group: ControlParameters, _ id: UInt16
    ) throws(WireError) -> Choice {
        let parameter = try group.required(id)
        let value: UInt8 = try parameter.integer()
        guard let choice = Choice(rawValue: value) else {
            throw WireError(
                .outOfRange(value: UInt64(value), minimum: 0, maximum: UInt64(Choice.allCases.count - 1)),
                offset: parameter.offset, field: "parameter \(id)")
        }
        return choice
    }
}
