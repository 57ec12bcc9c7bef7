import RigModel

/// Turns calls about faults into values of the core.
enum FaultTranslation {
    /// What `SetFault` asks for. Which fields go together is the request's own to check.
    static func request(_ fields: CallFields) throws(CommandFailure) -> FaultRequest {
        let always = fields.bool("always") ?? false
        let count = try fields.int("count", in: 1...FaultRequest.maximumCount)
        if always, count != nil { throw .invalidParameter("count", text: "a fault strikes count times, or always") }
        return FaultRequest(
            try kind(fields.string("kind") ?? ""), device: fields.string("device"),
            generation: try fields.generation(),
            direction: fields.string("direction").flatMap(FaultDirection.init(rawValue:)) ?? .fromDevice,
            place: try place(at: fields.string("at"), from: fields.string("since")),
            after: try fields.int("after", in: 0...FaultRequest.maximumAfter) ?? 0,
            afterBytes: try fields.int("afterBytes", in: 1...FaultRequest.maximumAfterBytes),
            count: always ? nil : count ?? 1, duration: try fields.milliseconds("durationMilliseconds"),
            keep: fields.bool("keep") ?? false)
    }

    /// What `ClearFaults` asks for.
    static func selection(_ fields: CallFields) throws(CommandFailure) -> FaultSelection {
        guard let name = fields.string("fault") else {
            return fields.string("device").map { .device($0) } ?? .all
        }
        guard fields.string("device") == nil else {
            throw .invalidParameter("device", text: "a fault is named, or a device, and not both")
        }
        guard let id = FaultID(name: name) else {
            throw .invalidParameter("fault", text: "'\(name)' is no fault; they are called f1, f2, ...")
        }
        return .these([id])
    }

    private static func kind(_ name: String) throws(CommandFailure) -> FaultKind {
        if let kind = FaultKind(rawValue: name) { return kind }
        throw unknown("kind", "no fault is called '\(name)'", name, FaultKind.allCases.map(\.rawValue))
    }

    private static func place(at: String?, from: String?) throws(CommandFailure) -> FaultPlace {
        switch (at, from) {
        case (nil, nil): return .anywhere
        case (let name?, nil):
            if let place = FaultPlace(at: name) { return place }
            throw unknown("at", "'\(name)' is no phase and no packet of a handshake", name, FaultPlace.atNames)
        case (nil, let name?):
            if let place = FaultPlace(from: name) { return place }
            throw unknown("since", "'\(name)' is no phase of a session", name, FaultPlace.fromNames)
        case (_?, _?):
            throw .invalidParameter("since", text: "a fault strikes at a place, or from a phase on, and not both")
        }
    }

    private static func unknown(
        _ field: String, _ text: String, _ name: String, _ known: [String]
    ) -> CommandFailure {
        let near = Spelling.nearest(to: name, among: known).map { "; did you mean '\($0)'?" } ?? ""
        return .invalidParameter(field, text: "\(text); there is \(known.joined(separator: ", "))\(near)")
    }
}
