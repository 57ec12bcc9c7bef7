internal import DashrigClient
internal import RigModel

/// The parts of the state in words and tables.
struct StateText {
    let state: StateView
    let style: Palette
    let width: Int?

    // MARK: Tones

    static func tone(deviceState: String) -> Tone {
        switch DeviceState(rawValue: deviceState) {
        case .active?: .good
        case .failed?, .stuck?: .bad
        case .connecting?, .busy?, .reenumerating?: .notable
        case .attached?, nil: .plain
        case .detached?: .faint
        }
    }

    static func tone(phase: String) -> Tone {
        switch SessionPhase(rawValue: phase) {
        case .active?: .good
        case .closed?: .faint
        case .detecting?, .synchronizing?, .authenticating?, .identifying?, .starting?: .notable
        case nil: .plain
        }
    }

    // MARK: Words

    /// A published name in words: `instrumentCluster` is `instrument cluster`. Names of devices stay as they are.
    static func words(_ name: String) -> String {
        var words = ""
        for letter in name {
            if letter.isUppercase && !words.isEmpty { words.append(" ") }
            words += letter.lowercased()
        }
        return words
    }

    /// What kind of device it is.
    static func kind(_ kind: String) -> String {
        switch DeviceKind(rawValue: kind) {
        case .iPhone?: "iPhone"
        case .iPad?: "iPad"
        case .iPod?: "iPod"
        case .androidPhone?: "Android phone"
        case .androidAccessory?: "Android accessory"
        case .dongle?: "dongle"
        case .headUnit?: "head unit"
        case .knob?: "knob"
        case .touchpad?: "touchpad"
        case .touchscreen?: "touchscreen"
        case .keys?: "keys"
        case nil: kind
        }
    }

    /// Why a handshake waits.
    static func waiting(_ wait: String) -> String {
        switch SessionWait(rawValue: wait) {
        case .locked?: "the phone is locked"
        case .untrusted?: "nobody trusted the head unit yet"
        case .carPlayOff?: "CarPlay is switched off on the phone"
        case .sessionRefused?: "the phone is told to offer no session"
        case .credentials?: "the rig's own keys are being made"
        case nil: wait
        }
    }

    /// A display in one line: `1920x720 @3, 640x240 pt`.
    static func size(_ display: DisplayView) -> String {
        let points = "\(display.record.count("widthPoints") ?? 0)x\(display.record.count("heightPoints") ?? 0)"
        return "\(display.width)x\(display.height) @\(scale(display.scale)), \(points) pt"
    }

    static func scale(_ scale: Double) -> String {
        let hundredths = (scale * 100).rounded()
        guard hundredths.isFinite, abs(hundredths) < 1e9 else { return "?" }
        let whole = Int(hundredths)
        if whole % 100 == 0 { return "\(whole / 100)" }
        return whole % 10 == 0 ? "\(whole / 100).\(whole % 100 / 10)" : "\(scale)"
    }

    static func limits(_ record: RecordValue) -> String {
        let limited = [
            record.bool("limitedUI.keyboard") == true ? "keyboard" : nil,
            record.bool("limitedUI.lists") == true ? "lists" : nil,
        ].compactMap { $0 }
        return limited.isEmpty ? "nothing limited" : "\(limited.joined(separator: " and ")) limited"
    }

    static func reason(_ reason: ReasonView?) -> String {
        guard let reason else { return "" }
        return reason.text.isEmpty ? reason.code : "\(reason.code): \(reason.text)"
    }

    /// What is set on a phone, as far as it is not the usual.
    static func phone(_ phone: RecordValue?) -> [String] {
        guard let phone else { return [] }
        return [
            phone.bool("locked") == true ? "locked" : nil, phone.bool("trusted") == false ? "not trusting" : nil,
            phone.count("slowMilliseconds").flatMap { $0 > 0 ? "\($0) ms slower" : nil },
            phone.count("trustAfterMilliseconds").map { "trusts after \($0) ms" },
            phone.value(at: "delays") == nil ? nil : "single answers later",
            phone.text("refuse").map { "refuses \($0)" }, phone.text("misorder").map { "does \($0)" },
            phone.bool("carPlay") == false ? "CarPlay off" : nil,
            phone.count("linkVersion").map { "speaks link version \($0)" },
        ].compactMap { $0 }
    }

    // MARK: Tables

    func devices() -> [String] {
        var table = TextTable([
            .init(title: "DEVICE"), .init(title: "KIND"), .init(title: "STATE"), .init(title: "GEN", isRight: true),
            .init(title: "SESSION"), .init(title: "PEER"), .init(title: "PORT"), .init(title: "SERIAL", leastWidth: 6),
            .init(title: "NOTES", leastWidth: 8),
        ])
        for device in state.devices {
            let notes = (Self.phone(device.phone) + [Self.reason(device.reason)]).filter { !$0.isEmpty }
            table.add([
                .init(device.id, .name), .init(Self.kind(device.kind)),
                .init(device.state, Self.tone(deviceState: device.state)), .init("\(device.generation)"),
                .init(device.session ?? "-"), .init(device.peer ?? "-"), .init(device.port),
                .init(device.serial ?? "-"), .init(notes.joined(separator: ", ")),
            ])
        }
        return table.lines(width: width, style: style)
    }

    func sessions() -> [String] {
        var table = TextTable([
            .init(title: "SESSION"), .init(title: "DEVICE"), .init(title: "PHASE"), .init(title: "RIG PLAYS"),
            .init(title: "PEER"), .init(title: "READY AFTER", isRight: true), .init(title: "DISPLAYS", leastWidth: 8),
            .init(title: "NOTES", leastWidth: 8),
        ])
        let front = state.frontSession?.id
        for session in state.sessions {
            let displays = state.displays(of: session.id).map(\.name).joined(separator: " ")
            let notes = [
                session.id == front ? "front" : "", session.waiting.map(Self.waiting) ?? "",
                Self.reason(session.reason),
            ].filter { !$0.isEmpty }
            table.add([
                .init(session.id, .name), .init("\(session.device)#\(session.generation)"),
                .init(session.phase, Self.tone(phase: session.phase)), .init(Self.words(session.role)),
                .init(session.peer), .init(Durations.readiness(session) ?? "-"),
                .init(displays.isEmpty ? "-" : displays),
                .init(notes.joined(separator: ", ")),
            ])
        }
        return table.lines(width: width, style: style)
    }

    func displays() -> [String] {
        var table = TextTable([
            .init(title: "DISPLAY"), .init(title: "ROLE"), .init(title: "PIXELS", isRight: true), .init(title: "SCALE"),
            .init(title: "POINTS", isRight: true), .init(title: "MM", isRight: true),
            .init(title: "FPS", isRight: true),
            .init(title: "VIEW AREA", leastWidth: 10), .init(title: "SAFE AREA", leastWidth: 10),
            .init(title: "INPUTS", leastWidth: 8), .init(title: "LOOK", leastWidth: 8),
            .init(title: "REV", isRight: true),
        ])
        for display in state.displays {
            let record = display.record
            let current = Int(clamping: record.count("viewArea") ?? 0)
            let areas = record.elements("viewAreas")
            let area = areas.indices.contains(current) ? areas[current] : .null
            let assumed = record.bool("millimetresAssumed") == true ? "~" : ""
            let inputs = record.texts("inputs")
                .map { $0 == record.text("primaryInput") ? "\($0)*" : $0 }.joined(separator: " ")
            let look = [
                record.text("appearance") ?? "", record.text("driverSide").map { "driver \($0)" } ?? "",
                Self.limits(record),
            ].joined(separator: ", ")
            table.add([
                .init(display.id, .name), .init(Self.words(display.role)), .init("\(display.width)x\(display.height)"),
                .init("@\(Self.scale(display.scale))"),
                .init("\(record.count("widthPoints") ?? 0)x\(record.count("heightPoints") ?? 0)"),
                .init("\(assumed)\(record.count("widthMillimetres") ?? 0)x\(record.count("heightMillimetres") ?? 0)"),
                .init("\(record.count("framesPerSecond") ?? 0)"),
                .init("\(Self.rect(area.value(at: "frame"))) (\(current + 1) of \(areas.count))"),
                .init(Self.rect(area.value(at: "safeArea"))), .init(inputs), .init(look),
                .init("\(display.revision)"),
            ])
        }
        return table.lines(width: width, style: style)
    }

    private static func rect(_ rect: RecordValue?) -> String {
        guard let rect else { return "-" }
        return "\(rect.int("x") ?? 0),\(rect.int("y") ?? 0) \(rect.int("width") ?? 0)x\(rect.int("height") ?? 0)"
    }
}
