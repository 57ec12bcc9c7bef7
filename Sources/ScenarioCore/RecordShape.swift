import RigModel

/// What can stand at a path of an event's record, so that a scenario that asks for what never comes is told so before it
/// runs. A test holds this table against the records that `RigModel` makes.
indirect enum RecordShape: Sendable {
    /// Any text.
    case text
    /// One of these words.
    case words([String])
    /// A number, whole or not.
    case number
    /// True or false.
    case truth
    /// Values in order, all of one shape.
    case list(RecordShape)
    /// Named values.
    case fields([Field])
    /// Values of any shape, which the table does not know.
    case anything

    /// One named value.
    struct Field: Sendable {
        let name: String
        let shape: RecordShape

        init(_ name: String, _ shape: RecordShape) {
            self.name = name
            self.shape = shape
        }
    }

    /// Where a path leaves the table.
    struct Unknown: Error, Equatable {
        /// The part of the path that is not there.
        let part: String
        /// What there is instead, as whole paths.
        let candidates: [String]
        /// True when the part before it has no parts of its own.
        let isLeaf: Bool
    }

    /// Finds the shape at a path.
    func shape(at path: String) throws(Unknown) -> RecordShape {
        var current = self
        var before = ""
        for part in path.split(separator: ".", omittingEmptySubsequences: false) {
            switch current {
            case .fields(let fields):
                guard let field = fields.first(where: { $0.name == part }) else {
                    // A full path that ends with the part comes first: people write `detents` for `knob.detents`.
                    let ending = paths.filter { $0.hasSuffix(".\(part)") }
                    let here = fields.map { before + $0.name }
                    throw Unknown(part: String(part), candidates: ending + here, isLeaf: false)
                }
                current = field.shape
            case .list(let element):
                guard Int(part).map({ $0 >= 0 }) == true else {
                    throw Unknown(part: String(part), candidates: [], isLeaf: false)
                }
                current = element
            case .anything: return .anything
            case .text, .words, .number, .truth:
                throw Unknown(part: String(part), candidates: [], isLeaf: true)
            }
            before += "\(part)."
        }
        return current
    }

    /// All paths to single values, the first element standing for a list.
    var paths: [String] {
        switch self {
        case .text, .words, .number, .truth, .anything: [""]
        case .list(let element): element.paths.map { $0.isEmpty ? "0" : "0.\($0)" }
        case .fields(let fields):
            fields.flatMap { field in field.shape.paths.map { $0.isEmpty ? field.name : "\(field.name).\($0)" } }
        }
    }
}

extension RecordShape {
    /// An event with every field that any kind has.
    static let event = RecordShape.fields([
        Field("sequence", .number), Field("time", .number), Field("kind", .words(EventKind.allCases.map(\.rawValue))),
        Field("origin", .words(Origin.allCases.map(\.rawValue))), Field("device", .text),
        Field("generation", .number), Field("session", .text), Field("display", .text),
        Field(
            "input",
            .fields([
                Field("id", .number), Field("source", .text), Field("revision", .number), Field("tag", .text),
                Field("lateMicroseconds", .number),
            ])),
        Field("deviceState", device), Field("sessionState", session), Field("displayState", display),
        Field("vehicle", vehicle), Field("changed", .list(.words(VehicleField.allCases.map(\.rawValue)))),
        Field("derivation", derivation), Field("knob", knob), Field("touch", touch), Field("touchpad", touchpad),
        Field("key", key), Field("intent", intent), Field("step", .words(InputStep.allCases.map(\.rawValue))),
        Field("app", .text),
        Field(
            "irregularity",
            .fields([
                Field("layer", .words(Irregularity.Layer.allCases.map(\.rawValue))),
                Field("end", .words(Irregularity.End.allCases.map(\.rawValue))), Field("rule", .text),
                Field("offset", .number), Field("length", .number),
                Field("party", .words(Party.allCases.map(\.rawValue))), Field("reaction", .text),
                Field("text", .text), Field("suppressed", .number),
            ])),
        Field(
            "message",
            .fields([
                Field("name", .text), Field("number", .text),
                Field("sender", .words(LinkSide.allCases.map(\.rawValue))), Field("fields", .anything),
            ])),
        Field(
            "file",
            .fields([
                Field("transfer", .number), Field("type", .number), Field("size", .number),
                Field("sender", .words(LinkSide.allCases.map(\.rawValue))),
            ])),
        Field("appState", app), Field("fault", .text), Field("faultState", fault), Field("strike", strike),
        Field("ending", .words(FaultEnding.allCases.map(\.rawValue))), Field("text", .text),
        Field("lost", .fields([Field("first", .number), Field("last", .number), Field("merged", .number)])),
        Field("reason", reason),
    ])

    private static let reason = RecordShape.fields([
        Field("code", .text), Field("party", .words(Party.allCases.map(\.rawValue))), Field("text", .text),
    ])

    private static let device = RecordShape.fields([
        Field("id", .text), Field("generation", .number), Field("kind", .words(DeviceKind.allCases.map(\.rawValue))),
        Field("profile", .text), Field("state", .words(DeviceState.allCases.map(\.rawValue))),
        Field("role", .words(Role.allCases.map(\.rawValue))), Field("peer", .words(Peer.allCases.map(\.rawValue))),
        Field("origin", .words(Origin.allCases.map(\.rawValue))),
        Field("identity", .words(IdentityRule.allCases.map(\.rawValue))), Field("port", .text),
        Field("serial", .text), Field("vendor", .number), Field("product", .number), Field("manufacturer", .text),
        Field("model", .text), Field("session", .text),
        Field(
            "phone",
            .fields([
                Field("locked", .truth), Field("trusted", .truth), Field("trustAfterMilliseconds", .number),
                Field("slowMilliseconds", .number),
                Field("delays", .fields(PhoneAnswer.allCases.map { Field($0.rawValue, .number) })),
                Field("refuse", .words(HandshakeStep.allCases.map(\.rawValue))),
                Field("misorder", .words(PhoneMisorder.allCases.map(\.rawValue))), Field("carPlay", .truth),
                Field("linkVersion", .number),
            ])),
        Field("mode", .text), Field("carPlayCapable", .truth),
        Field("nextTry", .number),
        Field("reason", reason),
    ])

    private static let session = RecordShape.fields([
        Field("id", .text), Field("device", .text), Field("generation", .number), Field("link", .number),
        Field("role", .words(Role.allCases.map(\.rawValue))), Field("peer", .words(Peer.allCases.map(\.rawValue))),
        Field("phase", .words(SessionPhase.allCases.map(\.rawValue))),
        Field("waiting", .words(SessionWait.allCases.map(\.rawValue))), Field("openedAt", .number),
        Field("activeAt", .number), Field("headUnit", .text),
        Field(
            "authentication",
            .fields([
                Field("signer", .words(SignerKind.allCases.map(\.rawValue))),
                Field("shape", .words(SignatureShape.allCases.map(\.rawValue))), Field("subject", .text),
                Field("serial", .text), Field("verdict", .text),
            ])),
        Field("reason", reason),
    ])

    private static let fault = RecordShape.fields([
        Field("id", .text), Field("kind", .words(FaultKind.allCases.map(\.rawValue))), Field("device", .text),
        Field("waiting", .truth), Field("direction", .words(FaultDirection.allCases.map(\.rawValue))),
        Field("at", .words(FaultPlace.atNames)), Field("since", .words(FaultPlace.fromNames)), Field("after", .number),
        Field("afterBytes", .number),
        Field("count", .number), Field("durationMilliseconds", .number), Field("keep", .truth),
        Field("strikes", .number),
    ])

    private static let strike = RecordShape.fields([
        Field("direction", .words(FaultDirection.allCases.map(\.rawValue))), Field("packet", .number),
        Field("phase", .words(SessionPhase.allCases.map(\.rawValue))), Field("bytes", .number),
        Field("effect", .text), Field("suppressed", .number),
    ])

    private static let limitedUI = RecordShape.fields([Field("keyboard", .truth), Field("lists", .truth)])

    private static let rectangle = RecordShape.fields([
        Field("x", .number), Field("y", .number), Field("width", .number), Field("height", .number),
    ])

    private static let display = RecordShape.fields([
        Field("id", .text), Field("session", .text), Field("name", .text),
        Field("role", .words(DisplayRole.allCases.map(\.rawValue))), Field("width", .number),
        Field("height", .number), Field("scale", .number), Field("widthPoints", .number),
        Field("heightPoints", .number), Field("widthMillimetres", .number), Field("heightMillimetres", .number),
        Field("millimetresAssumed", .truth), Field("framesPerSecond", .number),
        Field(
            "viewAreas",
            .list(
                .fields([
                    Field("frame", rectangle), Field("safeArea", rectangle), Field("drawsOutsideSafeArea", .truth),
                ]))),
        Field("viewArea", .number), Field("primaryInput", .words(DisplayInput.allCases.map(\.rawValue))),
        Field("inputs", .list(.words(DisplayInput.allCases.map(\.rawValue)))),
        Field("touchFidelity", .words(TouchFidelity.allCases.map(\.rawValue))),
        Field("appearance", .words(Appearance.allCases.map(\.rawValue))),
        Field("driverSide", .words(DriverSide.allCases.map(\.rawValue))), Field("limitedUI", limitedUI),
        Field("revision", .number), Field("origin", .words(Origin.allCases.map(\.rawValue))),
    ])

    private static let vehicle = RecordShape.fields([
        Field("appearance", .words(Appearance.allCases.map(\.rawValue))),
        Field("driverSide", .words(DriverSide.allCases.map(\.rawValue))), Field("limitedUI", limitedUI),
        Field("speed", .number), Field("gear", .words(Gear.allCases.map(\.rawValue))),
        Field("parkingBrake", .truth), Field("ambientLight", .number),
        Field(
            "location",
            .fields([
                Field("latitude", .number), Field("longitude", .number), Field("altitude", .number),
                Field("heading", .number), Field("accuracy", .number),
            ])),
        Field("battery", .number), Field("fuel", .number), Field("range", .number), Field("rangeLow", .truth),
        Field("automatic", .list(.words(DerivedProperty.allCases.map(\.rawValue)))),
        Field("track", .fields([Field("point", .number), Field("points", .number)])), Field("revision", .number),
    ])

    private static let derivation = RecordShape.fields([
        Field("property", .words(DerivedProperty.allCases.map(\.rawValue))),
        Field("value", .words(["light", "dark", "limited", "free"])),
        Field("cause", .words(["ambientLight", "speed", "gear"])), Field("measured", .text), Field("rule", .text),
    ])

    private static let knob = RecordShape.fields([
        Field("gesture", .words(["rotate", "press", "release", "nudge", "nudgeEnd"])), Field("detents", .number),
        Field("heldMilliseconds", .number), Field("long", .truth),
        Field("direction", .words(NudgeDirection.allCases.map(\.rawValue))),
    ])

    private static let contacts = RecordShape.list(
        .fields([
            Field("id", .number), Field("x", .number), Field("y", .number),
            Field("phase", .words(ContactPhase.allCases.map(\.rawValue))),
        ]))

    private static let touch = RecordShape.fields([Field("contacts", contacts), Field("outsideSafeArea", .truth)])

    private static let touchpad = RecordShape.fields([Field("contacts", contacts)])

    private static let intent = RecordShape.fields([
        Field("meaning", .words(InputIntent.meanings)), Field("detents", .number), Field("fingers", .number),
        Field("direction", .words(NudgeDirection.allCases.map(\.rawValue))), Field("speed", .number),
        Field("x", .number), Field("y", .number),
    ])

    private static let key = RecordShape.fields([
        Field("key", .words(Key.allCases.map(\.rawValue))), Field("down", .truth),
    ])

    private static let app = RecordShape.fields([
        Field("id", .text), Field("name", .text), Field("device", .text), Field("session", .text),
        Field("uid", .number),
    ])
}
