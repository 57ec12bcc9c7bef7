public import RigModel

/// Events in one line, as a person likes to read them. Works from the record, which is all that a client has.
public enum EventText {
    /// `session.active     phone      s1  head unit, simulated peer`: kind, device with `#2` for its second generation,
    /// and what the kind tells. Unknown kinds and fields are shown too, in the record's order.
    public static func line(_ record: RecordValue) -> String {
        let kind = record.text(at: "kind") ?? "event"
        let device = self.device(record)
        let parts = details(kind, record).filter { !$0.isEmpty }.joined(separator: ", ")
        let head = pad(kind, to: 17)
        let line = device.isEmpty && parts.isEmpty ? kind : "\(head) \(pad(device, to: 10)) \(parts)"
        return VisibleText.visible(trimmed(line))
    }

    /// The same from an event.
    public static func line(_ event: Event) -> String { line(event.record) }

    /// A value as a person writes it.
    public static func value(_ value: RecordValue) -> String {
        switch value {
        case .null: "absent"
        case .bool(let truth): "\(truth)"
        case .int(let number): "\(number)"
        case .double(let number): number.whole.map { "\($0)" } ?? "\(number)"
        case .string(let text): "'\(text)'"
        case .array(let values): "[\(values.map(self.value).joined(separator: ", "))]"
        case .object(let fields):
            "{\(fields.map { "\($0.name): \(self.value($0.value))" }.joined(separator: ", "))}"
        }
    }

    /// Text filled with spaces up to `width` characters.
    static func pad(_ text: String, to width: Int) -> String {
        let missing = width - text.count
        return missing > 0 ? text + String(repeating: " ", count: missing) : text
    }

    static func trimmed(_ text: String) -> String {
        var text = text
        while text.last == " " { text.removeLast() }
        return text
    }

    private static func device(_ record: RecordValue) -> String {
        guard let name = record.text(at: "device") else { return "" }
        guard let generation = record.whole(at: "generation"), generation > 1 else { return name }
        return "\(name)#\(generation)"
    }

    private static func details(_ kind: String, _ record: RecordValue) -> [String] {
        switch EventKind(rawValue: kind) {
        case .deviceAttached, .deviceChanged, .deviceDetached: device(record, kind: kind)
        case .deviceRefused: reason(record)
        case .phoneChanged: phone(record)
        case .sessionOpened, .sessionPhase, .sessionWaiting, .sessionActive, .sessionClosed: session(record, kind: kind)
        case .linkIrregularity: irregularity(record)
        case .messageSent, .messageReceived: message(record)
        case .fileReceived: file(record)
        case .displayAdded, .displayChanged, .displayRemoved: display(record, kind: kind)
        case .frontChanged: [record.text(at: "session") ?? "none"]
        case .vehicleChanged: vehicle(record)
        case .inputKnob: [knob(record)] + input(record)
        case .inputTouch: [contacts(record, "touch")] + outside(record) + input(record)
        case .inputTouchpad: [contacts(record, "touchpad", unit: "%")] + input(record)
        case .inputKey: [key(record)] + input(record)
        case .inputIntent: [intent(record)] + input(record)
        case .inputStep:
            [
                record.value(at: "input.id").map { "input \(value($0))" } ?? "", record.text(at: "step") ?? "",
                record.text(at: "app") ?? "",
            ]
        case .inputLost: [record.text(at: "input.source") ?? ""] + reason(record)
        case .appLaunched, .appEnded: app(record)
        case .faultArmed, .faultCleared: fault(record)
        case .faultStruck: strike(record)
        case .configurationReloaded, .configurationRefused, .leaseTaken, .resync, .mark:
            [record.text(at: "text") ?? ""] + reason(record)
        case .streamLost: [lost(record)]
        case nil: unknown(record)
        }
    }

    /// The name and the fields, cut where a line becomes too long to read.
    private static func message(_ record: RecordValue) -> [String] {
        let fields = record.value(at: "message.fields").map(value) ?? ""
        let shown = fields.count > 160 ? "\(fields.prefix(160))…" : fields
        return [record.text(at: "message.name") ?? "", shown == "{}" ? "" : shown]
    }

    private static func file(_ record: RecordValue) -> [String] {
        let size = record.whole(at: "file.size") ?? 0
        return [
            size == 1 ? "1 byte" : "\(size) bytes", record.whole(at: "file.type").map { "type \($0)" } ?? "",
            "from the \(record.text(at: "file.sender") == LinkSide.phone.rawValue ? "phone" : "head unit")",
        ]
    }

    private static func irregularity(_ record: RecordValue) -> [String] {
        let rule = record.text(at: "irregularity.rule") ?? ""
        let end = record.text(at: "irregularity.end") == Irregularity.End.partner.rawValue ? "seen by the partner" : ""
        let more = record.whole(at: "irregularity.suppressed").map { "\($0) more before it" } ?? ""
        return [
            "\(rule): \(record.text(at: "irregularity.text") ?? "")", record.text(at: "irregularity.reaction") ?? "",
            end, more,
        ]
    }

    private static func reason(_ record: RecordValue) -> [String] {
        guard let code = record.text(at: "reason.code") else { return [] }
        guard let text = record.text(at: "reason.text"), !text.isEmpty else { return [code] }
        return ["\(code): \(text)"]
    }

    private static func device(_ record: RecordValue, kind: String) -> [String] {
        var parts: [String] = []
        if kind != EventKind.deviceDetached.rawValue {
            parts.append(record.text(at: "deviceState.profile") ?? "")
            if kind == EventKind.deviceChanged.rawValue { parts.append(record.text(at: "deviceState.state") ?? "") }
            if let port = record.text(at: "deviceState.port"), port != "virtual" { parts.append("port \(port)") }
            if kind == EventKind.deviceAttached.rawValue {
                if let rule = record.text(at: "deviceState.identity"), rule != IdentityRule.new.rawValue {
                    parts.append("back again, known by \(words(rule))")
                }
                parts.append(record.text(at: "origin") ?? "")
            }
        }
        return parts + reason(record)
    }

    private static func phone(_ record: RecordValue) -> [String] {
        guard let phone = record.value(at: "deviceState.phone") else { return reason(record) }
        var parts: [String] = []
        if let locked = phone.truth(at: "locked") { parts.append(locked ? "locked" : "unlocked") }
        if phone.truth(at: "trusted") == false { parts.append("not trusted") }
        if let slow = phone.whole(at: "slowMilliseconds"), slow > 0 { parts.append("answers \(slow)ms later") }
        if let after = phone.whole(at: "trustAfterMilliseconds") { parts.append("trusts after \(after)ms") }
        for answer in PhoneAnswer.allCases {
            guard let delay = phone.whole(at: "delays.\(answer.rawValue)") else { continue }
            parts.append("\(answer.rawValue) \(delay)ms later")
        }
        if let refused = phone.text(at: "refuse") { parts.append("refuses \(refused)") }
        if let misorder = phone.text(at: "misorder") { parts.append("does \(misorder)") }
        if phone.truth(at: "carPlay") == false { parts.append("CarPlay off") }
        if let version = phone.whole(at: "linkVersion") { parts.append("speaks link version \(version)") }
        return parts + reason(record)
    }

    private static func waits(_ wait: String) -> String {
        switch SessionWait(rawValue: wait) {
        case .carPlayOff?: "waits, CarPlay is off"
        case .sessionRefused?: "waits, the phone offers no session"
        case .locked?, .untrusted?, .credentials?, nil: "waits, the phone is \(wait)"
        }
    }

    private static func session(_ record: RecordValue, kind: String) -> [String] {
        var parts = [record.text(at: "session") ?? ""]
        switch EventKind(rawValue: kind) {
        case .sessionOpened:
            if let role = record.text(at: "sessionState.role") { parts.append("the rig is the \(words(role))") }
            if let peer = record.text(at: "sessionState.peer") {
                parts.append(peer == Peer.wire.rawValue ? "peer on the wire" : "\(peer) peer")
            }
        case .sessionPhase: parts.append(record.text(at: "sessionState.phase") ?? "")
        case .sessionWaiting:
            let waiting = record.text(at: "sessionState.waiting")
            parts.append(waiting.map(waits) ?? "waits no longer")
        case .sessionActive:
            if let name = record.text(at: "sessionState.headUnit") { parts.append(name) }
            if let opened = record.whole(at: "sessionState.openedAt"),
                let active = record.whole(at: "sessionState.activeAt"), opened >= 0, active >= opened
            {
                parts.append("\(DurationText.short(UInt64(active - opened))) after it was opened")
            }
        default: break
        }
        return parts + reason(record)
    }

    private static func display(_ record: RecordValue, kind: String) -> [String] {
        var parts = [record.text(at: "display") ?? ""]
        if kind == EventKind.displayRemoved.rawValue { return parts + reason(record) }
        if let state = record.value(at: "displayState") {
            if let width = state.whole(at: "width"), let height = state.whole(at: "height") {
                let scale = state.value(at: "scale").map { "@\(value($0))" } ?? ""
                parts.append("\(width)x\(height)\(scale)")
            }
            if kind == EventKind.displayChanged.rawValue {
                if let revision = state.whole(at: "revision") { parts.append("revision \(revision)") }
                if let area = state.whole(at: "viewArea"), area > 0 { parts.append("view area \(area)") }
                parts.append(state.text(at: "appearance") ?? "")
                parts += limits(state)
            } else {
                parts.append(state.text(at: "primaryInput") ?? "")
            }
        }
        return parts + reason(record)
    }

    private static func vehicle(_ record: RecordValue) -> [String] {
        guard let vehicle = record.value(at: "vehicle") else { return reason(record) }
        var parts = [vehicle.text(at: "appearance") ?? ""]
        if let side = vehicle.text(at: "driverSide") { parts.append("driver \(side)") }
        parts += limits(vehicle)
        if case .array(let changed)? = record.value(at: "changed") {
            let fields = changed.compactMap {
                if case .string(let name) = $0 { VehicleField(rawValue: name) } else { nil }
            }
            let hasOldOnes = fields.contains { VehicleField.shown.contains($0) }
            parts =
                (hasOldOnes || fields.isEmpty ? parts : [])
                + fields.filter { !VehicleField.shown.contains($0) }.compactMap { $0.text(in: vehicle) }
        }
        return parts + derivation(record) + reason(record)
    }

    private static func derivation(_ record: RecordValue) -> [String] {
        guard let property = record.text(at: "derivation.property"), let value = record.text(at: "derivation.value")
        else { return [] }
        let cause = record.text(at: "derivation.cause").flatMap(VehicleField.init(rawValue:))?.word
        let measured = record.text(at: "derivation.measured") ?? ""
        return [
            "\(property) \(value) by \(cause ?? "measure") \(measured) (\(record.text(at: "derivation.rule") ?? ""))"
        ]
    }

    private static func limits(_ value: RecordValue) -> [String] {
        let limited = ["keyboard", "lists"].filter { value.truth(at: "limitedUI.\($0)") == true }
        return limited.isEmpty ? [] : ["limited: \(limited.joined(separator: " and "))"]
    }

    private static func knob(_ record: RecordValue) -> String {
        switch record.text(at: "knob.gesture") {
        case "rotate":
            guard let detents = record.whole(at: "knob.detents") else { return "rotate" }
            return detents > 0 ? "rotate +\(detents)" : "rotate \(detents)"
        case "release":
            let held = record.whole(at: "knob.heldMilliseconds").map { " after \($0)ms" } ?? ""
            return record.truth(at: "knob.long") == true ? "release\(held), a long press" : "release\(held)"
        case "nudge": return "nudge \(words(record.text(at: "knob.direction") ?? ""))"
        case "nudgeEnd": return "nudge \(words(record.text(at: "knob.direction") ?? "")) over"
        case let gesture?: return gesture
        case nil: return ""
        }
    }

    private static func contacts(_ record: RecordValue, _ path: String, unit: String = "") -> String {
        guard case .array(let contacts)? = record.value(at: "\(path).contacts") else { return "" }
        return contacts.map { contact in
            let x = contact.value(at: "x").map(value) ?? "?"
            let y = contact.value(at: "y").map(value) ?? "?"
            let finger = contacts.count > 1 ? contact.whole(at: "id").map { "\($0): " } ?? "" : ""
            return "\(finger)\(contact.text(at: "phase") ?? "") \(x)\(unit),\(y)\(unit)"
        }.joined(separator: "  ")
    }

    private static func outside(_ record: RecordValue) -> [String] {
        record.truth(at: "touch.outsideSafeArea") == true ? ["outside the safe area"] : []
    }

    private static func key(_ record: RecordValue) -> String {
        let name = record.text(at: "key.key") ?? ""
        return record.truth(at: "key.down").map { "\(name) \($0 ? "down" : "up")" } ?? name
    }

    private static func intent(_ record: RecordValue) -> String {
        var parts: [String] = []
        func add(_ path: String, _ unit: String) {
            if let number = record.value(at: path) { parts.append(value(number) + unit) }
        }
        parts.append(record.text(at: "intent.meaning") ?? "")
        if let direction = record.text(at: "intent.direction") { parts.append(direction) }
        add("intent.detents", " detents")
        add("intent.fingers", " fingers")
        add("intent.speed", " mm/s")
        if let x = record.value(at: "intent.x"), let y = record.value(at: "intent.y") {
            parts.append("\(value(x)),\(value(y)) mm")
        }
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Where input goes and comes from; injection without a tag is the usual thing and goes without saying.
    private static func input(_ record: RecordValue) -> [String] {
        var parts: [String] = []
        if let display = record.text(at: "display") { parts.append("on \(display)") }
        if let source = record.text(at: "input.source"), source != "injected" { parts.append("from \(source)") }
        if let tag = record.text(at: "input.tag") { parts.append("tag \(tag)") }
        if let late = record.whole(at: "input.lateMicroseconds"), late >= 0 {
            parts.append("\(DurationText.short(UInt64(min(late, .max / 1_000)) * 1_000)) late")
        }
        return parts
    }

    private static func app(_ record: RecordValue) -> [String] {
        var parts = [record.text(at: "app") ?? "", record.text(at: "appState.name") ?? ""]
        if let session = record.text(at: "appState.session") { parts.append("in \(session)") }
        return parts + reason(record)
    }

    private static func fault(_ record: RecordValue) -> [String] {
        let state = record.value(at: "faultState") ?? .null
        var parts = [record.text(at: "fault") ?? "", FaultText.line(state)]
        if let ending = record.text(at: "ending") {
            parts.append(words(ending))
            if let strikes = state.whole(at: "strikes") { parts.append(FaultText.times(strikes, "struck")) }
        } else if state.truth(at: "waiting") == true {
            parts.append("waits for \(state.text(at: "device") ?? "the next device")")
        }
        return parts + reason(record)
    }

    private static func strike(_ record: RecordValue) -> [String] {
        var parts = [record.text(at: "fault") ?? "", record.text(at: "faultState.kind") ?? ""]
        parts.append(record.text(at: "strike.direction").map(FaultText.direction) ?? "")
        if let packet = record.whole(at: "strike.packet"), packet > 0 {
            let bytes = record.whole(at: "strike.bytes").map { " of \($0) bytes" } ?? ""
            parts.append("packet \(packet)\(bytes)")
        }
        parts.append(record.text(at: "strike.phase") ?? "")
        parts.append(record.text(at: "strike.effect") ?? "")
        parts.append(record.whole(at: "strike.suppressed").map { "\($0) more before it" } ?? "")
        return parts + reason(record)
    }

    private static func lost(_ record: RecordValue) -> String {
        guard let from = record.whole(at: "lost.first"), let to = record.whole(at: "lost.last") else { return "" }
        let merged = record.whole(at: "lost.merged") ?? 0
        return "\(from) to \(to)" + (merged > 0 ? ", \(merged) of them merged" : "")
    }

    private static func unknown(_ record: RecordValue) -> [String] {
        guard case .object(let fields) = record else { return [value(record)] }
        let head = ["sequence", "time", "kind", "origin", "device", "generation"]
        return fields.filter { !head.contains($0.name) }.map { "\($0.name) \(value($0.value))" }
    }

    /// `portWithinWindow` as `port within window`.
    private static func words(_ name: String) -> String {
        var text = ""
        for character in name {
            if character.isUppercase { text += " " }
            text += character.lowercased()
        }
        return text
    }
}

extension RecordValue {
    func text(at path: String) -> String? {
        guard case .string(let text)? = value(at: path) else { return nil }
        return text
    }

    func whole(at path: String) -> Int64? {
        guard case .int(let number)? = value(at: path) else { return nil }
        return number
    }

    func truth(at path: String) -> Bool? {
        guard case .bool(let truth)? = value(at: path) else { return nil }
        return truth
    }
}

extension VehicleField {
    /// What every line of a changed vehicle shows when one of it changed.
    fileprivate static let shown: [VehicleField] = [.appearance, .driverSide, .keyboard, .lists]
}
