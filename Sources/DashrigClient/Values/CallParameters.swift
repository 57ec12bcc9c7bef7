public import RigModel
public import VarlinkProtocol

extension JSON {
    /// Nanoseconds as whole milliseconds, rounded up so that what is not 0 does not become 0.
    static func milliseconds(_ nanoseconds: UInt64) -> JSON {
        let whole = nanoseconds / 1_000_000
        return .int(Int64(clamping: nanoseconds % 1_000_000 == 0 ? whole : whole + 1))
    }
}

extension JSON {
    /// The delays of single answers, or `nil` where none is named.
    static func delays(_ delays: [PhoneChange.Delay]) -> JSON? {
        guard !delays.isEmpty else { return nil }
        var object = JSONObject()
        for delay in delays { object[delay.answer.rawValue] = .milliseconds(delay.delay) }
        return .object(object)
    }
}

extension PlugRequest {
    /// The parameters of `Plug`. What is as by default is left out.
    var parameters: JSONObject {
        var parameters: JSONObject = ["profile": .string(profile)]
        parameters["name"] = name.map(JSON.string)
        parameters["serial"] = serial.map(JSON.string)
        parameters["displays"] = displays.map(JSON.string)
        if phone.locked { parameters["locked"] = true }
        if !phone.trusted { parameters["trusted"] = false }
        parameters["trustAfterMilliseconds"] = phone.trustAfter.map { .milliseconds($0) }
        if phone.slow > 0 { parameters["slowMilliseconds"] = .milliseconds(phone.slow) }
        let delays = PhoneAnswer.allCases.filter { phone.delays[$0] > 0 }
            .map { PhoneChange.Delay($0, phone.delays[$0]) }
        parameters["delays"] = JSON.delays(delays)
        parameters["refuse"] = phone.refuse.map { .string($0.rawValue) }
        parameters["misorder"] = phone.misorder.map { .string($0.rawValue) }
        if !phone.carPlay { parameters["carPlay"] = false }
        parameters["linkVersion"] = phone.linkVersion.map { .int(Int64($0)) }
        if identificationFirst { parameters["identificationFirst"] = true }
        return parameters
    }
}

extension DisplayChange {
    /// The parameters of `SetDisplay`. What stays is left out.
    var parameters: JSONObject {
        var parameters: JSONObject = ["display": .string(display)]
        parameters["viewArea"] = viewArea.map { .int(Int64($0)) }
        parameters["safeArea"] = safeArea.map { JSON($0.record) }
        parameters["width"] = pixels.map { .int(Int64($0.width)) }
        parameters["height"] = pixels.map { .int(Int64($0.height)) }
        parameters["scale"] = scaleHundredths.map { .double(Double($0) / 100) }
        parameters["framesPerSecond"] = framesPerSecond.map { .int(Int64($0)) }
        parameters["appearance"] = appearance.map { .string($0.rawValue) }
        parameters["driverSide"] = driverSide.map { .string($0.rawValue) }
        parameters["limitKeyboard"] = limitKeyboard.map(JSON.bool)
        parameters["limitLists"] = limitLists.map(JSON.bool)
        parameters["primaryInput"] = primaryInput.map { .string($0.rawValue) }
        return parameters
    }
}

extension VehicleChange {
    /// The parameters of `SetVehicle`. What stays is left out.
    var parameters: JSONObject {
        var parameters = JSONObject()
        parameters["appearance"] = appearance.map { .string($0.rawValue) }
        parameters["driverSide"] = driverSide.map { .string($0.rawValue) }
        parameters["limitKeyboard"] = limitKeyboard.map(JSON.bool)
        parameters["limitLists"] = limitLists.map(JSON.bool)
        parameters["speed"] = Self.number(measures.speed, .speed)
        parameters["gear"] = (measures.gear ?? nil).map { .string($0.rawValue) }
        parameters["parkingBrake"] = (measures.parkingBrake ?? nil).map(JSON.bool)
        parameters["ambientLight"] = Self.number(measures.ambientLight, .ambientLight)
        parameters["location"] = (measures.location ?? nil).map { JSON($0.record) }
        parameters["battery"] = Self.number(measures.battery, .battery)
        parameters["fuel"] = Self.number(measures.fuel, .fuel)
        parameters["range"] = Self.number(measures.range, .range)
        parameters["rangeLow"] = (measures.rangeLow ?? nil).map(JSON.bool)
        // What was said and has no value is to be unknown.
        let unknown = VehicleField.measures.filter { measures.says($0) && parameters[$0.rawValue] == nil }
        if !unknown.isEmpty { parameters["unknown"] = .array(unknown.map { .string($0.rawValue) }) }
        if !automatic.isEmpty { parameters["automatic"] = .array(automatic.map { .string($0.rawValue) }) }
        switch track {
        case nil: break
        case .play(let track)?: parameters["track"] = .string(track.text)
        case .stop?: parameters["stopTrack"] = true
        }
        return parameters
    }

    private static func number(_ steps: Int??, _ quantity: VehicleQuantity) -> JSON? {
        (steps ?? nil).map { .double(quantity.value($0)) }
    }
}

extension FaultRequest {
    /// The parameters of `SetFault`. What is as by default is left out.
    var parameters: JSONObject {
        var parameters: JSONObject = ["kind": .string(kind.rawValue)]
        parameters["device"] = device.map(JSON.string)
        parameters["generation"] = generation.map { .int(Int64($0)) }
        if direction != .fromDevice { parameters["direction"] = .string(direction.rawValue) }
        parameters["at"] = place.at.map(JSON.string)
        parameters["since"] = place.from.map(JSON.string)
        if after > 0 { parameters["after"] = .int(Int64(after)) }
        if let afterBytes { parameters["afterBytes"] = .int(Int64(afterBytes)) }
        if let count {
            if count != 1 { parameters["count"] = .int(Int64(count)) }
        } else {
            parameters["always"] = true
        }
        parameters["durationMilliseconds"] = duration.map { .milliseconds($0) }
        if keep { parameters["keep"] = true }
        return parameters
    }
}

extension Injection {
    /// The parameters of `Inject`, without how long to wait.
    var parameters: JSONObject {
        var parameters = JSONObject()
        let (kind, fields) = input.parameter
        parameters[kind] = .object(fields)
        parameters["device"] = device.map(JSON.string)
        parameters["generation"] = generation.map { .int(Int64($0)) }
        parameters["display"] = display.map(JSON.string)
        parameters["tag"] = tag.map(JSON.string)
        return parameters
    }
}

extension InjectionSequence {
    /// The parameters of `InjectSequence`, without how long to wait.
    public var parameters: JSONObject {
        let steps = steps.map { step -> JSON in
            let (kind, fields) = step.input.parameter
            return .object(["at": .double(Double(step.offset) / 1_000_000), kind: .object(fields)])
        }
        var parameters: JSONObject = ["steps": .array(steps)]
        parameters["device"] = device.map(JSON.string)
        parameters["generation"] = generation.map { .int(Int64($0)) }
        parameters["display"] = display.map(JSON.string)
        parameters["tag"] = tag.map(JSON.string)
        return parameters
    }
}

extension InjectedInput {
    /// The name of the parameter that carries it, and its fields.
    fileprivate var parameter: (name: String, fields: JSONObject) {
        switch self {
        case .gesture(let gesture): gesture.parameter
        case .single(let single): single.parameter
        }
    }
}

extension SingleInput {
    fileprivate var parameter: (name: String, fields: JSONObject) {
        switch self {
        case .press(let down): return ("knob", ["press": true, "down": .bool(down)])
        case .nudge(let direction, let down):
            return ("knob", ["nudge": .string(direction.rawValue), "down": .bool(down)])
        case .key(let key, let down): return ("key", ["key": .string(key.rawValue), "down": .bool(down)])
        case .touch(let changes):
            let frame = changes.map { one in
                Self.change(one.id, one.change.phase, one.change.point.map { (Double($0.x), Double($0.y)) })
            }
            return ("touch", ["frame": .array(frame)])
        case .touchpad(let changes):
            let frame = changes.map { one in
                Self.change(one.id, one.change.phase, one.change.point.map { (Double($0.x) / 100, Double($0.y) / 100) })
            }
            return ("touchpad", ["frame": .array(frame)])
        }
    }

    private static func change(_ id: Int, _ phase: ContactPhase, _ point: (x: Double, y: Double)?) -> JSON {
        var fields: JSONObject = ["id": .int(Int64(id)), "phase": .string(phase.rawValue)]
        if let point {
            fields["x"] = .double(point.x)
            fields["y"] = .double(point.y)
        }
        return .object(fields)
    }
}

extension Gesture {
    /// The name of the parameter that carries the gesture, and its fields.
    fileprivate var parameter: (name: String, fields: JSONObject) {
        switch self {
        case .rotate(let detents, let interval):
            var fields: JSONObject = ["detents": .int(Int64(detents))]
            if interval % 1_000_000 == 0 {
                if interval > 0 { fields["intervalMilliseconds"] = .milliseconds(interval) }
            } else {
                // Rounding the whole turn costs less than rounding each part of it.
                let (whole, overflow) = interval.multipliedReportingOverflow(by: UInt64(max(detents.magnitude, 2) - 1))
                fields["durationMilliseconds"] = .milliseconds(overflow ? .max : whole)
            }
            return ("knob", fields)
        case .press(let hold):
            return ("knob", ["press": true, "holdMilliseconds": .milliseconds(hold)])
        case .nudge(let direction, let hold):
            return ("knob", ["nudge": .string(direction.rawValue), "holdMilliseconds": .milliseconds(hold)])
        case .touch(let contacts, let duration):
            let paths = contacts.map { path(id: $0.id, points: $0.points.map { (Double($0.x), Double($0.y)) }) }
            return ("touch", ["contacts": .array(paths), "durationMilliseconds": .milliseconds(duration)])
        case .touchpad(let contacts, let duration):
            let paths = contacts.map { contact in
                path(id: contact.id, points: contact.points.map { (Double($0.x) / 100, Double($0.y) / 100) })
            }
            return ("touchpad", ["contacts": .array(paths), "durationMilliseconds": .milliseconds(duration)])
        case .key(let key, let hold):
            return ("key", ["key": .string(key.rawValue), "holdMilliseconds": .milliseconds(hold)])
        }
    }

    private func path(id: Int, points: [(x: Double, y: Double)]) -> JSON {
        let places = points.map { JSON.object(["x": .double($0.x), "y": .double($0.y)]) }
        return .object(["points": .array(places), "id": .int(Int64(id))])
    }
}
