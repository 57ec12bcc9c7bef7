internal import DashrigClient
internal import RigModel

/// The whole rig on one screen.
struct StatusText {
    let state: StateView
    let leases: [LeaseView]
    let style: Palette
    let width: Int?
    let directory: String

    func lines() -> [String] {
        head() + [""] + devices() + apps() + runs()
    }

    private func head() -> [String] {
        let instance = state.instance.isEmpty ? "main" : state.instance
        let title = "dashrig \(PrintableText.escaped(state.version)), instance \(PrintableText.escaped(instance))"
        let car = VehicleText.line(state.vehicle)
        var table = TextTable(
            [.init(title: ""), .init(title: "", leastWidth: 10)])
        table.add([.init("up", .faint), .init("\(Durations.age(state.time)), \(state.sequence) events")])
        table.add([.init("epoch", .faint), .init(state.epoch)])
        table.add([.init("sockets", .faint), .init(directory)])
        table.add([.init("car", .faint), .init(car)])
        table.add([.init("front", .faint), .init(front())])
        return [style.text(title, .strong)] + table.lines(width: width, style: style, hasHeading: false)
    }

    private func front() -> String {
        guard let session = state.frontSession else {
            return state.front ?? "none: there is no session in front"
        }
        return "\(session.device) (\(session.id))"
    }

    private func devices() -> [String] {
        guard !state.devices.isEmpty else {
            return ["No devices. Plug one in: dashrig plug iphone", ""]
        }
        var lines: [String] = []
        var table = TextTable([
            .init(title: "DEVICE"), .init(title: "KIND"), .init(title: "STATE"),
            .init(title: "SESSION", leastWidth: 10),
            .init(title: "NOTES", leastWidth: 10),
        ])
        for device in state.devices { table.add(row(device)) }
        lines += table.lines(width: width, style: style)
        lines.append("")
        lines += displays()
        return lines
    }

    private func row(_ device: DeviceView) -> [TextTable.Cell] {
        let session = device.session.flatMap { state.session($0) }
        var what = "-"
        if let session {
            what = "\(session.id) \(session.phase)"
            if let waiting = session.waiting { what += ", waits: \(StateText.waiting(waiting))" }
            if let ready = Durations.readiness(session) { what += " after \(ready)" }
        }
        let simulated = device.origin == Origin.simulated.rawValue ? "virtual" : "on port \(device.port)"
        let notes =
            [simulated, device.generation > 1 ? "generation \(device.generation)" : ""]
            + StateText.phone(device.phone) + [StateText.reason(device.reason)]
        return [
            .init(device.id, .name), .init(StateText.kind(device.kind)),
            .init(device.state, StateText.tone(deviceState: device.state)), .init(what),
            .init(notes.filter { !$0.isEmpty }.joined(separator: ", ")),
        ]
    }

    private func displays() -> [String] {
        guard !state.displays.isEmpty else { return [] }
        var table = TextTable([
            .init(title: "DISPLAY"), .init(title: "SIZE", leastWidth: 10), .init(title: "INPUTS", leastWidth: 8),
            .init(title: "LOOK", leastWidth: 8),
        ])
        for display in state.displays {
            let record = display.record
            table.add([
                .init(display.id, .name), .init(StateText.size(display)),
                .init(record.texts("inputs").joined(separator: " ")),
                .init("\(record.text("appearance") ?? ""), \(StateText.limits(record))"),
            ])
        }
        return table.lines(width: width, style: style) + [""]
    }

    /// Runs with what they hold or wait for.
    private func runs() -> [String] {
        guard !leases.isEmpty else { return [] }
        var table = TextTable([
            .init(title: "RUN"), .init(title: "OF", leastWidth: 10), .init(title: "HOLDS", leastWidth: 10),
            .init(title: "SINCE"), .init(title: "UID", isRight: true),
        ])
        for lease in leases {
            let things = lease.resources.isEmpty ? "nothing" : lease.resources.joined(separator: ", ")
            let age = state.time > lease.since ? Durations.age(state.time - lease.since) : Durations.age(0)
            table.add([
                .init(lease.id, .name), .init(lease.owner),
                .init(lease.isWaiting ? "waits for \(things)" : things, lease.isWaiting ? .notable : .plain),
                .init(age), .init(lease.uid.map { "\($0)" } ?? "-"),
            ])
        }
        return [""] + table.lines(width: width, style: style)
    }

    private func apps() -> [String] {
        guard !state.apps.isEmpty else { return ["No apps. Start one: dashrig launch Demo"] }
        var table = TextTable([
            .init(title: "APP"), .init(title: "NAME", leastWidth: 6), .init(title: "SESSION"), .init(title: "FOLLOWS"),
            .init(title: "UID", isRight: true),
        ])
        for app in state.apps {
            table.add([
                .init(app.id, .name), .init(app.name), .init(app.session ?? "-"),
                .init(app.device ?? "the front session"), .init("\(app.uid)"),
            ])
        }
        return table.lines(width: width, style: style)
    }
}
