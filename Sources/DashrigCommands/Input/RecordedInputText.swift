internal import DashrigClient
internal import InputCore
internal import RigModel
internal import ScenarioCore
internal import VarlinkProtocol

extension DecodedRecording.Moment {
    /// One line for people: `0.071 s  touchpad  0 began 45.4,37.5`.
    var line: String { "\(DurationText.seconds(offset, places: 6)) s  \(words)" }

    private var words: String {
        switch input {
        case .event(.knob(.rotate(let detents))): return "knob  rotate \(detents)"
        case .event(.knob(.pressed)): return "knob  press"
        case .event(.knob(.released(let held, let long))):
            return "knob  release after \(DurationText.short(held))" + (long ? ", long" : "")
        case .event(.knob(.nudge(let direction, let down))):
            return "knob  nudge \(direction.rawValue)" + (down ? "" : " ends")
        case .event(.key(let key)): return "key  \(key.key.rawValue) \(key.down ? "down" : "up")"
        case .event(.touchpad(let touch)):
            return "touchpad  "
                + touch.contacts.map { contact in
                    "\(contact.id) \(contact.phase.rawValue) \(Self.percent(contact.point.x)),\(Self.percent(contact.point.y))"
                }.joined(separator: " | ")
        case .event(.touch(let touch)):
            return "touch  "
                + touch.contacts.map { "\($0.id) \($0.phase.rawValue) \($0.point.x),\($0.point.y)" }
                .joined(separator: " | ")
        case .touch(let contacts):
            return "touch  "
                + contacts.map { "\($0.id) \($0.phase.rawValue) \($0.x),\($0.y)" }.joined(separator: " | ")
        case .intent(let intent): return "intent  " + Self.fields(intent.record)
        }
    }

    /// One object for machines. Places of a touchscreen are in units of its axes: only a rig knows the display.
    var json: JSON {
        var object: JSONObject = ["microseconds": .int(Int64(clamping: offset / 1_000))]
        func add(_ kind: String, _ record: RecordValue) -> JSON {
            object["kind"] = .string(kind)
            object["input"] = JSON(record)
            return .object(object)
        }
        switch input {
        case .event(.knob(let event)): return add("knob", event.record)
        case .event(.key(let event)): return add("key", event.record)
        case .event(.touchpad(let event)): return add("touchpad", event.record)
        case .event(.touch(let event)): return add("touch", event.record)
        case .touch(let contacts):
            let fields = contacts.map { contact in
                RecordValue.record([
                    RecordField("id", .number(contact.id)), RecordField("x", .number(contact.x)),
                    RecordField("y", .number(contact.y)), RecordField("phase", .string(contact.phase.rawValue)),
                ])
            }
            return add("rawTouch", .record([RecordField("contacts", .array(fields))]))
        case .intent(let intent): return add("intent", intent.record)
        }
    }

    private static func percent(_ hundredths: Int) -> String {
        let rest = hundredths.magnitude % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }

    private static func fields(_ record: RecordValue) -> String {
        guard case .object(let fields) = record else { return "" }
        return fields.map { field in
            switch field.value {
            case .string(let text): text
            case .int(let number): "\(field.name) \(number)"
            case .double(let number): "\(field.name) \(number)"
            case .bool(let isTrue): "\(field.name) \(isTrue)"
            case .null, .array, .object: field.name
            }
        }.joined(separator: " ")
    }
}
