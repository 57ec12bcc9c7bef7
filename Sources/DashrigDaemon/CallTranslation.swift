import RigCore
import RigModel
import ScenarioCore
import VarlinkProtocol

/// Turns calls that their interface has found right into values of the core.
///
/// The interface has checked names and types; what is left is what it cannot say: ranges, words of open lists, and
/// which fields go together. Every failure names its field.
enum CallTranslation {
    /// The core's call for a routed one.
    ///
    /// - Parameter token: a fresh token, for `Launch`.
    static func translate(
        _ call: ServiceDirectory.RoutedCall, token: () -> String
    ) throws(CommandFailure) -> ClientCall {
        let fields = CallFields(call.parameters)
        switch call.interface {
        case RigInterface.name: return try rig(call.method, fields)
        case AppInterface.name: return try app(call.method, fields, token)
        default: throw .methodNotImplemented("\(call.interface).\(call.method)")
        }
    }

    private static func rig(_ method: String, _ fields: CallFields) throws(CommandFailure) -> ClientCall {
        switch method {
        case "GetState": return .getState
        case "Subscribe":
            return .subscribe(try EventFilter(kinds: fields.strings("kinds"), devices: fields.strings("devices")))
        case "Capture": return .capture(device: fields.string("device"))
        case "ListProfiles": return .listProfiles
        case "Plug": return .command(.plug(try plug(fields)))
        case "Unplug":
            return .command(
                .unplug(
                    device: fields.string("device") ?? "", surprise: fields.bool("surprise") ?? false,
                    generation: try fields.generation()))
        case "SetPhone":
            return .command(
                .setPhone(
                    device: fields.string("device") ?? "", generation: try fields.generation(), try phone(fields)))
        case "Retry":
            return .command(
                .retry(device: fields.string("device") ?? "", generation: try fields.generation()))
        case "SetFront": return .command(.setFront(device: fields.string("device") ?? ""))
        case "SetDisplay": return .command(.setDisplay(try display(fields)))
        case "SetVehicle":
            return .command(.setVehicle(try VehicleTranslation.change(fields)))
        case "Inject":
            let step = fields.string("wait").flatMap(InputStep.init(rawValue:)) ?? .accepted
            return .inject(
                try GestureTranslation.injection(fields), wait: step,
                within: try fields.milliseconds("withinMilliseconds") ?? 1_000_000_000)
        case "InjectSequence":
            let step = fields.string("wait").flatMap(InputStep.init(rawValue:)) ?? .accepted
            return .injectSequence(
                try GestureTranslation.sequence(fields), wait: step,
                within: try fields.milliseconds("withinMilliseconds") ?? 1_000_000_000)
        case "Send":
            return .command(
                .send(
                    SendRequest(
                        device: fields.string("device") ?? "", generation: try fields.generation(),
                        message: fields.string("message") ?? "", fields: fields.record("fields"),
                        sender: fields.string("sender").flatMap(LinkSide.init(rawValue:)))))
        case "ListFaults": return .listFaults(device: fields.string("device"))
        case "SetFault": return .command(.setFault(try FaultTranslation.request(fields)))
        case "ClearFaults": return .command(.clearFaults(try FaultTranslation.selection(fields)))
        case "StartAccessory":
            return .switchMode(
                device: fields.string("device") ?? "", generation: try fields.generation(), .accessory)
        case "SwitchRole":
            return .switchMode(
                device: fields.string("device") ?? "", generation: try fields.generation(),
                fields.bool("carPlay") ?? true ? .carPlayHost : .plainHost)
        case "Mark": return .command(.mark(fields.string("text") ?? ""))
        case "Run":
            return .run(
                name: fields.string("name") ?? "scenario", text: fields.string("scenario") ?? "",
                tracks: try VehicleTranslation.tracks(fields), options: try ScenarioTranslation.options(fields),
                wait: try wait(fields))
        case "Cycle": return .cycle(try cycles(fields), try plug(fields), wait: try wait(fields))
        case "ListLeases": return .listLeases
        case "Unlease": return .unlease(fields.string("lease") ?? "", force: fields.bool("force") ?? false)
        default: throw .methodNotImplemented("\(RigInterface.name).\(method)")
        }
    }

    private static func app(
        _ method: String, _ fields: CallFields, _ token: () -> String
    ) throws(CommandFailure) -> ClientCall {
        switch method {
        case "Launch":
            let manifest = fields.object("manifest")
            return .launch(
                AppManifest(name: manifest?.string("name") ?? "", bundle: manifest?.string("bundle")),
                device: fields.string("device"), token: token())
        case "Send":
            return .appSend(
                token: fields.string("app") ?? "", message: fields.string("message") ?? "",
                fields: fields.record("fields"))
        case "Acknowledge":
            return .acknowledge(token: fields.string("app") ?? "", ids: try fields.identifiers("ids"))
        default: throw .methodNotImplemented("\(AppInterface.name).\(method)")
        }
    }

    private static func phone(_ fields: CallFields) throws(CommandFailure) -> PhoneChange {
        var change = PhoneChange(
            locked: fields.bool("locked"), trusted: fields.bool("trusted"),
            trustAfter: try fields.milliseconds("trustAfterMilliseconds"),
            slow: try fields.milliseconds("slowMilliseconds"),
            refuse: fields.string("refuse").map { HandshakeStep(rawValue: $0) },
            misorder: fields.string("misorder").map { PhoneMisorder(rawValue: $0) }, carPlay: fields.bool("carPlay"))
        guard let delays = fields.object("delays") else { return change }
        for answer in PhoneAnswer.allCases {
            // At most 2 s, which the rig itself says again of what does not come over the socket.
            guard let delay = try delays.int(answer.rawValue, in: 0...2_000, within: "delays") else { continue }
            change.delays.append(PhoneChange.Delay(answer, UInt64(delay) * 1_000_000))
        }
        return change
    }

    /// How long a run waits for others; a day is more than any of them takes.
    private static func wait(_ fields: CallFields) throws(CommandFailure) -> UInt64 {
        try fields.milliseconds("waitMilliseconds", most: 86_400_000) ?? 0
    }

    private static func cycles(_ fields: CallFields) throws(CommandFailure) -> CyclePlan {
        let hour = Int(CyclePlan.maximumTime / 1_000_000)
        var plan = CyclePlan(count: try fields.int("count", in: 1...CyclePlan.maximumCount) ?? 0)
        plan.first = try fields.int("first", in: 1...CyclePlan.maximumCount) ?? 1
        switch fields.string("unplugAt") {
        case nil: break
        case "random": plan.moment = .random
        case let word?: plan.moment = .step(word)
        }
        if let time = try fields.milliseconds("intervalMilliseconds", most: hour) { plan.interval = time }
        if let time = try fields.milliseconds("holdMilliseconds", most: hour) { plan.hold = time }
        if let time = try fields.milliseconds("readyWithinMilliseconds", most: hour) { plan.within = time }
        plan.seed = UInt64(try fields.int("seed", in: 0...Int(Int32.max)) ?? 1)
        return plan
    }

    private static func plug(_ fields: CallFields) throws(CommandFailure) -> PlugRequest {
        var conditions = try phone(fields).applied(to: PhoneConditions())
        conditions.linkVersion = try fields.int("linkVersion", in: PhoneConditions.linkVersions)
        return PlugRequest(
            profile: fields.string("profile") ?? "", name: fields.string("name"), serial: fields.string("serial"),
            displays: fields.string("displays"), phone: conditions,
            identificationFirst: fields.bool("identificationFirst") ?? false)
    }

    private static func display(_ fields: CallFields) throws(CommandFailure) -> DisplayChange {
        var change = DisplayChange(display: fields.string("display") ?? "")
        change.viewArea = try fields.int("viewArea", in: 0...DisplayDescription.maximumViewAreas)
        if let rect = fields.object("safeArea") {
            change.safeArea = PixelRect(
                x: try rect.int("x", in: pixels, within: "safeArea") ?? 0,
                y: try rect.int("y", in: pixels, within: "safeArea") ?? 0,
                width: try rect.int("width", in: pixels, within: "safeArea") ?? 0,
                height: try rect.int("height", in: pixels, within: "safeArea") ?? 0)
        }
        let width = try fields.int("width", in: pixels)
        let height = try fields.int("height", in: pixels)
        switch (width, height) {
        case (let width?, let height?): change.pixels = PixelSize(width: width, height: height)
        case (nil, nil): break
        case (nil, _): throw .invalidParameter("width", text: "width and height go together")
        case (_, nil): throw .invalidParameter("height", text: "width and height go together")
        }
        if let scale = fields.double("scale") {
            guard (1...4).contains(scale) else {
                throw .invalidParameter("scale", text: "the scale must be between 1 and 4")
            }
            change.scaleHundredths = Int((scale * 100).rounded())
        }
        change.framesPerSecond = try fields.int("framesPerSecond", in: 1...240)
        change.appearance = fields.string("appearance").flatMap(Appearance.init(rawValue:))
        change.driverSide = fields.string("driverSide").flatMap(DriverSide.init(rawValue:))
        change.limitKeyboard = fields.bool("limitKeyboard")
        change.limitLists = fields.bool("limitLists")
        change.primaryInput = fields.string("primaryInput").flatMap(DisplayInput.init(rawValue:))
        return change
    }

    private static let pixels = 0...DisplayDescription.maximumPixels
}

/// The parameters of a call, read by name. Absent and null are the same.
struct CallFields {
    private let object: JSONObject

    init(_ object: JSONObject) { self.object = object }

    func string(_ name: String) -> String? { object[name]?.stringValue }
    func bool(_ name: String) -> Bool? { object[name]?.boolValue }
    func double(_ name: String) -> Double? { object[name]?.doubleValue }
    func object(_ name: String) -> CallFields? { object[name]?.objectValue.map(CallFields.init) }
    /// Whether it is given: null is as good as absent.
    func has(_ name: String) -> Bool { object[name].map { $0 != .null } ?? false }
    func strings(_ name: String) -> [String]? { object[name]?.arrayValue?.compactMap(\.stringValue) }

    /// An object of any shape as the core takes it; an empty one when it is absent.
    func record(_ name: String) -> RecordValue {
        switch object[name] {
        case nil, .null?: .object([])
        case let value?: RecordValue(value)
        }
    }

    func objects(_ name: String) -> [CallFields] {
        object[name]?.arrayValue?.compactMap { $0.objectValue.map(CallFields.init) } ?? []
    }

    /// A whole number in a range; `within` is the path to the object that it stands in.
    func int(_ name: String, in range: ClosedRange<Int>, within path: String = "") throws(CommandFailure) -> Int? {
        guard let value = object[name]?.intValue else { return nil }
        guard let number = Int(exactly: value), range.contains(number) else {
            throw .invalidParameter(
                path.isEmpty ? name : "\(path).\(name)",
                text: "\(value) is not between \(range.lowerBound) and \(range.upperBound)")
        }
        return number
    }

    /// Milliseconds, 0 to 60,000, as nanoseconds.
    func milliseconds(
        _ name: String, most: Int = 60_000, within path: String = ""
    ) throws(CommandFailure) -> UInt64? {
        try int(name, in: 0...most, within: path).map { UInt64($0) * 1_000_000 }
    }

    func generation() throws(CommandFailure) -> UInt32? {
        try int("generation", in: 1...Int(UInt32.max)).map { UInt32($0) }
    }

    /// Ids of events, at most 4,096 of them.
    func identifiers(_ name: String) throws(CommandFailure) -> [UInt64] {
        let values = object[name]?.arrayValue ?? []
        guard values.count <= 4_096 else {
            throw .invalidParameter(name, text: "at most 4096 ids in one call, not \(values.count)")
        }
        return values.compactMap { $0.intValue.flatMap { UInt64(exactly: $0) } }
    }
}
