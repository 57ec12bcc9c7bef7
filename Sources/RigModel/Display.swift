/// What a display is for.
public enum DisplayRole: String, Sendable, CaseIterable {
    /// The main display.
    case main
    /// The instrument cluster behind the wheel.
    case instrumentCluster
}

/// How a driver reaches a display.
public enum DisplayInput: String, Sendable, CaseIterable {
    /// Fingers on the glass.
    case touchscreen
    /// A pad beside the driver.
    case touchpad
    /// A rotary knob.
    case knob
    /// Keys: home, back, media, telephony.
    case keys
}

/// How exact the touch surface is. Low fidelity gives one contact and no gestures.
public enum TouchFidelity: String, Sendable, CaseIterable {
    /// No touch at all.
    case none
    /// Resistive panels: one contact.
    case low
    /// Several contacts, gestures.
    case high
}

/// Light or dark, as the vehicle says.
public enum Appearance: String, Sendable, CaseIterable {
    /// Day.
    case light
    /// Night.
    case dark
}

/// The side the driver sits on.
public enum DriverSide: String, Sendable, CaseIterable {
    /// Left-hand drive.
    case left
    /// Right-hand drive.
    case right
}

/// What may be limited while the car moves (carplay-rules: "keyboard and lists flags can flip while driving").
public struct LimitedUI: Equatable, Hashable, Sendable {
    /// No on-screen keyboard.
    public var keyboard: Bool
    /// Long lists are cut.
    public var lists: Bool

    /// States the limits.
    public init(keyboard: Bool = false, lists: Bool = false) {
        self.keyboard = keyboard
        self.lists = lists
    }

    /// The limits as they are published.
    public var record: RecordValue {
        .record([RecordField("keyboard", .bool(keyboard)), RecordField("lists", .bool(lists))])
    }
}

/// The part of a display in which the phone draws, and the part of that in which it may put what is touched.
public struct ViewArea: Equatable, Hashable, Sendable {
    /// Where the phone draws, inside the display.
    public var frame: PixelRect
    /// Where interactive content may be, inside `frame` (both from the display's top left).
    public var safeArea: PixelRect
    /// Whether the phone may draw, without interaction, outside the safe area.
    public var drawsOutsideSafeArea: Bool

    /// States a view area.
    public init(frame: PixelRect, safeArea: PixelRect, drawsOutsideSafeArea: Bool = true) {
        self.frame = frame
        self.safeArea = safeArea
        self.drawsOutsideSafeArea = drawsOutsideSafeArea
    }

    /// The view area as it is published.
    public var record: RecordValue {
        .record([
            RecordField("frame", frame.record), RecordField("safeArea", safeArea.record),
            RecordField("drawsOutsideSafeArea", .bool(drawsOutsideSafeArea)),
        ])
    }
}

/// A display as its owner declares it: the rig's head-unit profile, or the head unit that is plugged in.
public struct DisplayDescription: Equatable, Sendable {
    /// A short name, unique within the session: `main`, `cluster`.
    public var name: String
    /// What it is for.
    public var role: DisplayRole
    /// Its resolution.
    public var pixels: PixelSize
    /// Pixels per point in hundredths: 200 is @2x. From 100 to 400.
    public var scaleHundredths: Int
    /// Its physical width in millimetres, at least 1.
    public var widthMillimetres: Int
    /// Its physical height in millimetres, at least 1.
    public var heightMillimetres: Int
    /// True when nobody measured the millimetres: no list of them is published for the recommended sizes.
    public var millimetresAssumed: Bool
    /// The most frames a second, from 1 to 240.
    public var framesPerSecond: Int
    /// At least one; the first is the one in use at the start.
    public var viewAreas: [ViewArea]
    /// Which view area is in use, an index into `viewAreas`.
    public var currentViewArea: Int
    /// What moves the focus first.
    public var primaryInput: DisplayInput
    /// All inputs, `primaryInput` among them, each once, in the order of `DisplayInput.allCases`.
    public var inputs: [DisplayInput]
    /// How exact touch is; `none` where there is no touchscreen.
    public var touchFidelity: TouchFidelity
    /// Light or dark.
    public var appearance: Appearance
    /// Where the driver sits.
    public var driverSide: DriverSide
    /// What is limited now.
    public var limitedUI: LimitedUI

    /// States a display. `validate()` tells whether it makes sense.
    public init(
        name: String, role: DisplayRole = .main, pixels: PixelSize, scaleHundredths: Int = 200,
        widthMillimetres: Int, heightMillimetres: Int, millimetresAssumed: Bool = true, framesPerSecond: Int = 60,
        viewAreas: [ViewArea] = [], primaryInput: DisplayInput = .touchscreen,
        inputs: [DisplayInput] = [.touchscreen], touchFidelity: TouchFidelity = .high,
        appearance: Appearance = .light, driverSide: DriverSide = .left, limitedUI: LimitedUI = LimitedUI()
    ) {
        self.name = name
        self.role = role
        self.pixels = pixels
        self.scaleHundredths = scaleHundredths
        self.widthMillimetres = widthMillimetres
        self.heightMillimetres = heightMillimetres
        self.millimetresAssumed = millimetresAssumed
        self.framesPerSecond = framesPerSecond
        let whole = PixelRect(pixels)
        self.viewAreas = viewAreas.isEmpty ? [ViewArea(frame: whole, safeArea: whole)] : viewAreas
        self.currentViewArea = 0
        self.primaryInput = primaryInput
        self.inputs = inputs
        self.touchFidelity = touchFidelity
        self.appearance = appearance
        self.driverSide = driverSide
        self.limitedUI = limitedUI
    }

    /// The size in points, rounded to the nearest: 1920×720@3 is 640×240, 300×200@3 is 100×67.
    public var points: PixelSize {
        guard scaleHundredths > 0 else { return pixels }
        return PixelSize(
            width: (pixels.width * 100 + scaleHundredths / 2) / scaleHundredths,
            height: (pixels.height * 100 + scaleHundredths / 2) / scaleHundredths)
    }

    /// The view area in use.
    public var viewArea: ViewArea {
        viewAreas.indices.contains(currentViewArea)
            ? viewAreas[currentViewArea] : ViewArea(frame: PixelRect(pixels), safeArea: PixelRect(pixels))
    }
}

/// A display of a session, numbered anew at each change.
public struct Display: Equatable, Sendable {
    /// The session it belongs to.
    public let session: SessionID
    /// What was declared, with the changes since.
    public var description: DisplayDescription
    /// 1 at first, +1 at each change; input carries the revision that it was scaled with.
    public var revision: UInt32
    /// Where the description comes from.
    public let origin: Origin

    /// States a display of a session.
    public init(session: SessionID, description: DisplayDescription, revision: UInt32 = 1, origin: Origin) {
        self.session = session
        self.description = description
        self.revision = revision
        self.origin = origin
    }

    /// What people call it: `s1/main`.
    public var name: String { "\(session.name)/\(description.name)" }

    /// The display as it is published.
    public var record: RecordValue {
        let shape = description
        return .record([
            RecordField("id", .string(name)), RecordField("session", .string(session.name)),
            RecordField("name", .string(shape.name)), RecordField("role", .string(shape.role.rawValue)),
            RecordField("width", .number(shape.pixels.width)), RecordField("height", .number(shape.pixels.height)),
            RecordField("scale", .double(Double(shape.scaleHundredths) / 100)),
            RecordField("widthPoints", .number(shape.points.width)),
            RecordField("heightPoints", .number(shape.points.height)),
            RecordField("widthMillimetres", .number(shape.widthMillimetres)),
            RecordField("heightMillimetres", .number(shape.heightMillimetres)),
            RecordField("millimetresAssumed", .bool(shape.millimetresAssumed)),
            RecordField("framesPerSecond", .number(shape.framesPerSecond)),
            RecordField("viewAreas", .array(shape.viewAreas.map(\.record))),
            RecordField("viewArea", .number(shape.currentViewArea)),
            RecordField("primaryInput", .string(shape.primaryInput.rawValue)),
            RecordField("inputs", .array(shape.inputs.map { .string($0.rawValue) })),
            RecordField("touchFidelity", .string(shape.touchFidelity.rawValue)),
            RecordField("appearance", .string(shape.appearance.rawValue)),
            RecordField("driverSide", .string(shape.driverSide.rawValue)),
            RecordField("limitedUI", shape.limitedUI.record), RecordField("revision", .number(revision)),
            RecordField("origin", .string(origin.rawValue)),
        ])
    }
}
