internal import DashrigClient
internal import RigConfiguration
internal import RigModel

/// touch and touchpad: the same gestures, in pixels or points of a display, or in percent of a pad.
enum TouchCommand {
    private enum Surface: Sendable {
        case display
        case pad

        var name: String { self == .display ? "touch" : "touchpad" }
        /// The range of a coordinate in hundredths.
        var range: ClosedRange<Int> {
            switch self {
            case .display: 0...(DisplayDescription.maximumPixels - 1) * 100
            case .pad: 0...PadPoint.full
            }
        }
        var unit: String { self == .display ? "in pixels from the top left" : "in percent from the top left" }
    }

    static let touch = group(.display, "tap, swipe, flick and draw on a display")
    static let touchpad = group(.pad, "tap, swipe, flick and draw on the touchpad")

    private static func group(_ surface: Surface, _ summary: String) -> CommandSyntax {
        CommandSyntax(
            surface.name, .input, summary, subcommands: [tap(surface), swipe(surface), flick(surface), path(surface)])
    }

    /// Instead of the time.
    private static func velocity(_ surface: Surface, _ meaning: String) -> OptionSyntax {
        let unit = surface == .display ? "pixels per second" : "percent per second"
        return OptionSyntax("--velocity", "N", .integer(1...Gesture.maximumVelocity), "\(meaning), in \(unit)")
    }

    private static func options(_ surface: Surface, _ standard: String) -> [OptionSyntax] {
        let points = OptionSyntax(flag: "--points", "coordinates are points of the display, not pixels")
        return [
            OptionSyntax(
                "--for", "TIME", .duration(1_000_000...Gesture.maximumDuration),
                "the time from down to up: \(standard)")
        ] + (surface == .display ? [points] : []) + InputTarget.options
    }

    private static func coordinate(_ name: String, _ surface: Surface, _ summary: String) -> OperandSyntax {
        OperandSyntax(name, .hundredths(surface.range), "\(summary), \(surface.unit)")
    }

    private static func tap(_ surface: Surface) -> CommandSyntax {
        let name = surface.name
        return CommandSyntax(
            "tap", .input, "touch down and up at one place",
            discussion: [InputTarget.discussion],
            operands: [coordinate("X", surface, "where"), coordinate("Y", surface, "where")],
            options: options(surface, ConfigurationValue.format(Gesture.defaultTap)),
            examples: surface == .display
                ? [
                    Example("dashrig touch tap 400 240", "Tap the middle of an 800x480 display."),
                    Example("dashrig touch tap 200 120 --points", "The same place, in points of a display @2."),
                    Example("dashrig touch tap 100 60 --display cluster --wait read", "Tap another display, and wait."),
                ]
                : [
                    Example("dashrig \(name) tap 50 50", "Tap the middle of the pad."),
                    Example("dashrig \(name) tap 12.5 80 --for 600ms", "Hold a finger at the lower left."),
                ],
            action: { call throws(CommandLineFailure) in
                let place = point(call, "X", "Y")
                return try perform(call, surface, [[place]], Gesture.defaultTap, "tapped")
            })
    }

    private static func swipe(_ surface: Surface) -> CommandSyntax {
        let name = surface.name
        return CommandSyntax(
            "swipe", .input, "draw a straight line with one finger",
            discussion: [InputTarget.discussion],
            operands: [
                coordinate("X1", surface, "from where"), coordinate("Y1", surface, "from where"),
                coordinate("X2", surface, "to where"), coordinate("Y2", surface, "to where"),
            ],
            options: [velocity(surface, "instead of --for: how quick it goes")]
                + options(surface, ConfigurationValue.format(Gesture.defaultSwipe)),
            examples: surface == .display
                ? [
                    Example("dashrig touch swipe 700 240 100 240", "Swipe to the left."),
                    Example("dashrig touch swipe 700 240 100 240 --velocity 1500", "At 1500 pixels per second."),
                    Example("dashrig touch swipe 400 400 400 80 --for 1s", "Scroll slowly."),
                ]
                : [
                    Example("dashrig \(name) swipe 20 50 80 50", "Swipe to the right."),
                    Example("dashrig \(name) swipe 50 80 50 20 --for 150ms", "Swipe upwards, quickly."),
                ],
            action: { call throws(CommandLineFailure) in
                let way = [point(call, "X1", "Y1"), point(call, "X2", "Y2")]
                return try perform(
                    call, surface, [way], Gesture.defaultSwipe, "swiped", velocity: call.arguments.number("--velocity"))
            })
    }

    private static func flick(_ surface: Surface) -> CommandSyntax {
        let name = surface.name
        return CommandSyntax(
            "flick", .input, "swipe ever faster and lift the finger at its fastest",
            discussion: [
                "What a list goes on scrolling by. --velocity is the speed at which the finger is lifted; the mean is half of "
                    + "it.",
                InputTarget.discussion,
            ],
            operands: [
                coordinate("X1", surface, "from where"), coordinate("Y1", surface, "from where"),
                coordinate("X2", surface, "to where"), coordinate("Y2", surface, "to where"),
            ],
            options: [velocity(surface, "instead of --for: how quick it is when it is lifted")]
                + options(surface, ConfigurationValue.format(Gesture.defaultFlick)),
            examples: surface == .display
                ? [
                    Example("dashrig touch flick 400 400 400 100", "Throw a list upwards."),
                    Example("dashrig touch flick 400 400 400 100 --velocity 3000", "At 3000 pixels per second."),
                ]
                : [
                    Example("dashrig \(name) flick 80 50 20 50", "Flick to the left."),
                    Example("dashrig \(name) flick 50 80 50 20 --velocity 600", "Flick upwards, quickly."),
                ],
            action: { call throws(CommandLineFailure) in
                let way = [point(call, "X1", "Y1"), point(call, "X2", "Y2")]
                return try perform(
                    call, surface, [way], Gesture.defaultFlick, "flicked", isFlick: true,
                    velocity: call.arguments.number("--velocity"))
            })
    }

    private static func path(_ surface: Surface) -> CommandSyntax {
        let name = surface.name
        return CommandSyntax(
            "path", .input, "draw lines with one or several fingers",
            discussion: [
                "Each finger goes down at its first point, straight from point to point, and up at its last; a + begins "
                    + "the next finger. All fingers go at the same time.",
                InputTarget.discussion,
            ],
            operands: [
                OperandSyntax(
                    "X,Y", .pathPart(surface.range), "the points of a finger \(surface.unit); + begins the next one",
                    count: .oneOrMore)
            ],
            options: options(surface, ConfigurationValue.format(Gesture.defaultSwipe)),
            examples: surface == .display
                ? [
                    Example("dashrig touch path 100,100 300,100 300,300", "Draw a corner with one finger."),
                    Example("dashrig touch path 350,240 150,240 + 450,240 650,240", "Spread two fingers."),
                ]
                : [
                    Example("dashrig \(name) path 20,20 80,20 80,80", "Draw a corner with one finger."),
                    Example("dashrig \(name) path 40,50 10,50 + 60,50 90,50 --for 400ms", "Spread two fingers."),
                ],
            action: { call throws(CommandLineFailure) in
                let fingers = try fingers(call)
                return try perform(
                    call, surface, fingers, Gesture.defaultSwipe,
                    fingers.count == 1 ? "drawn" : "drawn with \(fingers.count) fingers")
            })
    }

    /// A place in hundredths.
    private struct Place {
        let x: Int
        let y: Int
    }

    private static func point(_ call: Invocation, _ x: String, _ y: String) -> Place {
        Place(x: call.arguments.requiredNumber(x), y: call.arguments.requiredNumber(y))
    }

    private static func fingers(_ call: Invocation) throws(CommandLineFailure) -> [[Place]] {
        var fingers: [[Place]] = [[]]
        for part in call.arguments.parts("X,Y") {
            switch part {
            case .point(let x, let y): fingers[fingers.count - 1].append(Place(x: x, y: y))
            case .nextFinger: fingers.append([])
            case .text, .number, .duration, .timedWord, .words: preconditionFailure("a path has points only")
            }
        }
        let path = call.arguments.path
        if fingers.contains(where: \.isEmpty) {
            throw .usage(UsageFailure("a + stands between two fingers, each with at least one point", path: path))
        }
        if fingers.count > Gesture.maximumContacts {
            throw .usage(
                UsageFailure("\(fingers.count) fingers; the most is \(Gesture.maximumContacts)", path: path))
        }
        if let long = fingers.first(where: { $0.count > Gesture.maximumPoints }) {
            throw .usage(
                UsageFailure("\(long.count) points of one finger; the most is \(Gesture.maximumPoints)", path: path))
        }
        return fingers
    }

    private static func perform(
        _ call: Invocation, _ surface: Surface, _ fingers: [[Place]], _ standard: UInt64, _ done: String,
        isFlick: Bool = false, velocity: Int? = nil
    ) throws(CommandLineFailure) -> ExitCode {
        let what = "\(surface.name) \(done)"
        switch surface {
        case .pad:
            let contacts = fingers.enumerated().map { index, way in
                ContactPath(id: index, points: way.map { PadPoint(x: $0.x, y: $0.y) })
            }
            let duration = try duration(of: contacts, call, standard, velocity, isFlick)
            return try InputTarget.inject(
                .touchpad(isFlick ? contacts.compactMap(\.flicked) : contacts, duration: duration), what, call,
                try call.connect())
        case .display:
            let isPoints = call.arguments.flag("--points")
            if !isPoints, fingers.contains(where: { $0.contains { $0.x % 100 != 0 || $0.y % 100 != 0 } }) {
                throw .usage(
                    UsageFailure("pixels are whole numbers; --points takes fractions", path: call.arguments.path))
            }
            let connection = try call.connect()
            let scale = isPoints ? try displayScale(call, connection) : 100
            let contacts = fingers.enumerated().map { index, way in
                ContactPath(
                    id: index,
                    points: way.map { PixelPoint(x: pixels($0.x, scale), y: pixels($0.y, scale)) })
            }
            let duration = try duration(of: contacts, call, standard, velocity, isFlick)
            return try InputTarget.inject(
                .touch(isFlick ? contacts.compactMap(\.flicked) : contacts, duration: duration), what, call, connection)
        }
    }

    /// How long fingers take, by the options.
    private static func duration(
        of paths: [ContactPath<some SurfacePoint>], _ call: Invocation, _ standard: UInt64, _ velocity: Int?,
        _ isFlick: Bool
    ) throws(CommandLineFailure) -> UInt64 {
        let duration = call.arguments.duration("--for")
        guard let velocity else { return duration ?? standard }
        guard duration == nil else {
            throw .usage(UsageFailure("--for and --velocity contradict each other", path: call.arguments.path))
        }
        guard let time = Gesture.duration(of: paths, atSpeed: Double(velocity), isFlick: isFlick) else {
            throw .usage(
                UsageFailure("at this velocity it takes more than 60s, or nothing moves", path: call.arguments.path))
        }
        return time
    }

    /// Hundredths of a point as the nearest pixel, at a scale in hundredths.
    static func pixels(_ hundredths: Int, _ scale: Int) -> Int { (hundredths * scale + 5_000) / 10_000 }

    /// The scale of the display that the touch goes to, in hundredths.
    private static func displayScale(
        _ call: Invocation, _ connection: RigConnection
    ) throws(CommandLineFailure) -> Int {
        let state = try call.ask { () throws(ClientFailure) in try connection.state() }
        let device = call.arguments.text("--device")
        let session = device.map { state.device($0)?.session } ?? state.frontSession?.id
        let name = call.arguments.text("--display")
        let displays = session.map { state.displays(of: $0) } ?? []
        let display: DisplayView? =
            if let name { state.displays.first { $0.id == name } ?? displays.first { $0.name == name } } else {
                displays.first
            }
        guard let display else {
            let owner = device ?? "the session in front"
            throw .failed(
                name: .noDisplay,
                text: name.map { "there is no display \"\($0)\" whose points could be counted" }
                    ?? "\(owner) has no display whose points could be counted; plug a phone in first")
        }
        let scale = (display.scale * 100).rounded()
        guard (100...400).contains(scale) else {
            throw .failed(name: .noDisplay, text: "the rig gives \(display.id) no usable scale")
        }
        return Int(scale)
    }
}
