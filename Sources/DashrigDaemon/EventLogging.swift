import RigModel
import ServiceManager

extension Journal {
    /// Logs what was published, as far as it is loud enough.
    func log(_ events: [Event]) {
        // Only the kind is looked at where nothing is logged: input comes thousands of times a second.
        for place in events.indices where isEnabled(events[place].kind.logLevel) { log(events[place]) }
    }

    /// Logs what was published, with one id each of device, session and app. Input is logged at debug only, so that the
    /// log stays silent while somebody drives.
    func log(_ event: Event) {
        let level = event.logLevel
        guard isEnabled(level) else { return }
        var fields: [LogField] = [LogField("sequence", String(event.sequence))]
        if let device = event.device {
            fields.append(LogField("device", device.name))
            fields.append(LogField("generation", String(device.generation)))
        }
        if let session = event.session { fields.append(LogField("session", session.name)) }
        if let display = event.display { fields.append(LogField("display", display)) }
        if let input = event.input { fields.append(LogField("input", String(input.id.number))) }
        var text = event.kind.meaning
        switch event.payload {
        case .device(let device):
            fields.append(LogField("state", device.state.rawValue))
            fields.append(LogField("profile", device.facts.profile))
            fields.append(LogField("port", device.facts.port))
            if !device.facts.serial.isEmpty {
                fields.append(LogField("serial", Self.shortened(device.facts.serial)))
            }
            text = "\(device.name) is \(device.state.rawValue)"
        case .session(let session):
            fields.append(LogField("link", String(session.link.number)))
            fields.append(LogField("phase", session.phase.rawValue))
            text = "session \(session.id.name) of \(session.device.name) is \(session.phase.rawValue)"
        case .app(let app):
            fields.append(LogField("app", app.id.name))
            fields.append(LogField("uid", String(app.uid)))
        case .fault(let fault, let strike, let ending):
            fields.append(LogField("fault", fault.id.name))
            fields.append(LogField("kind", fault.request.kind.rawValue))
            if let strike {
                fields.append(LogField("direction", strike.direction.rawValue))
                fields.append(LogField("packet", String(strike.packet)))
                if strike.suppressed > 0 { fields.append(LogField("suppressed", String(strike.suppressed))) }
            }
            let subject = "fault \(fault.id.name) (\(fault.request.kind.rawValue))"
            if let strike {
                text = "\(subject) struck: \(strike.effect)"
            } else if let ending {
                text = "\(subject) is gone: \(ending.rawValue)"
            } else {
                text = "\(subject) is set"
            }
        case .text(let line):
            // Each problem of a refused configuration has been logged on a line of its own.
            if event.kind != .configurationRefused { text = line }
        case .irregularity(let irregularity):
            fields.append(LogField("layer", irregularity.layer.rawValue))
            fields.append(LogField("end", irregularity.end.rawValue))
            fields.append(LogField("rule", irregularity.rule))
            fields.append(LogField("reaction", irregularity.reaction))
            fields.append(LogField("party", irregularity.party.rawValue))
            if let offset = irregularity.offset { fields.append(LogField("offset", String(offset))) }
            if irregularity.suppressed > 0 { fields.append(LogField("suppressed", String(irregularity.suppressed))) }
            text = "\(irregularity.rule) (\(irregularity.reaction)): \(irregularity.text)"
        case .message(let message):
            fields.append(LogField("message", message.number))
            text = "\(message.name) from the \(message.sender == .phone ? "phone" : "head unit")"
        case .file(let file):
            fields.append(LogField("size", String(file.size)))
            text = "a file of \(file.size) bytes from the \(file.sender == .phone ? "phone" : "head unit")"
        case .vehicle(let vehicle, let changed, let derivation):
            fields.append(LogField("revision", String(vehicle.revision)))
            let names = changed.map(\.rawValue).joined(separator: ", ")
            text =
                derivation.map {
                    "\($0.property.rawValue) is \($0.value) by \($0.cause.rawValue) \($0.measured) (\($0.rule))"
                }
                ?? "the vehicle changed: \(names)"
        case .none, .intent, .display, .input, .step, .lost: break
        }
        if let reason = event.reason {
            fields.append(LogField("reason", reason.code))
            text += ": \(reason.text)"
        }
        log(level, event.kind.rawValue, text, fields)
    }

    /// The last four characters of a serial: enough to tell two phones apart, too little to know one again.
    private static func shortened(_ serial: String) -> String {
        serial.count > 4 ? "…\(serial.suffix(4))" : serial
    }
}

extension Event {
    /// What the vehicle measures while it drives is input, too.
    fileprivate var logLevel: LogLevel {
        guard case .vehicle(_, let changed, _) = payload else { return kind.logLevel }
        return changed.allSatisfy { $0 == .track || VehicleField.measures.contains($0) } ? .debug : kind.logLevel
    }
}

extension EventKind {
    /// How loud an event of this kind is in the log.
    fileprivate var logLevel: LogLevel {
        switch self {
        case .deviceAttached, .deviceDetached, .sessionActive, .sessionClosed, .frontChanged, .phoneChanged,
            .vehicleChanged, .appLaunched, .appEnded, .configurationReloaded, .faultArmed, .faultCleared, .mark,
            .sessionWaiting:
            .info
        case .deviceRefused, .configurationRefused, .leaseTaken, .resync, .inputLost: .warning
        case .linkIrregularity: .notice
        case .messageSent, .messageReceived, .fileReceived, .deviceChanged, .sessionOpened, .sessionPhase,
            .displayAdded, .displayChanged, .displayRemoved, .inputKnob, .inputTouch, .inputTouchpad, .inputKey,
            .inputIntent, .inputStep,
            .faultStruck, .streamLost:
            .debug
        }
    }
}
