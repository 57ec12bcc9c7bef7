import RigModel

/// How much of everything a rig holds, for those who test that it holds no more than it may.
package struct RigCensus: Equatable, Sendable {
    /// One table of the rig.
    package struct Row: Equatable, Sendable {
        /// What is counted.
        package let name: String
        /// How many there are.
        package let count: Int
        /// The most there may be.
        package let limit: Int
    }

    /// Every table.
    package let rows: [Row]
    /// What belongs to something that is gone, one line each.
    package let orphans: [String]

    /// The first table that holds more than it may, as a line; nothing when none does.
    package var excess: String? {
        rows.first { $0.count > $0.limit }.map { "\($0.count) \($0.name), and at most \($0.limit) are allowed" }
    }

    /// What is left of a rig that everybody has gone from, one line each.
    package var remains: [String] {
        rows.filter { $0.count > 0 && $0.name != "remembered devices" }.map { "\($0.count) \($0.name)" }
    }
}

extension RigCore {
    /// Counts what the rig holds.
    package var census: RigCensus {
        let failed = devices.all.count { $0.device.state == .failed || $0.device.state == .reenumerating }
        let owners = links.count + failed + gestures.count + waits.count + runs.count + sequences.count
        return RigCensus(
            rows: [
                RigCensus.Row(name: "devices", count: devices.attachedCount, limit: settings.maximumDevices),
                RigCensus.Row(
                    name: "remembered devices", count: devices.all.count { !$0.isShown },
                    limit: settings.maximumRemembered),
                RigCensus.Row(name: "links", count: links.count, limit: devices.attachedCount),
                RigCensus.Row(name: "sessions", count: sessions.count, limit: links.count),
                RigCensus.Row(name: "clients", count: clients.count, limit: settings.maximumClients),
                RigCensus.Row(name: "subscribers", count: subscribers.count, limit: settings.maximumSubscriptions),
                RigCensus.Row(name: "captures", count: captures.count, limit: settings.maximumCaptures),
                RigCensus.Row(name: "apps", count: apps.count, limit: settings.maximumApps),
                RigCensus.Row(name: "faults", count: faults.count, limit: settings.maximumFaults),
                RigCensus.Row(name: "gestures", count: gestures.count, limit: settings.maximumGestures),
                RigCensus.Row(name: "sequences", count: sequences.count, limit: settings.maximumSequences),
                RigCensus.Row(name: "runs", count: runs.count, limit: settings.maximumRuns),
                // A client makes one call at a time.
                RigCensus.Row(name: "answers that wait", count: waits.count + heldAnswers.count, limit: clients.count),
                RigCensus.Row(name: "deadlines", count: deadlines.count, limit: owners + (playback == nil ? 0 : 1)),
            ], orphans: orphans)
    }

    private var orphans: [String] {
        var lines: [String] = []
        for entry in sessions.values {
            let device = devices.id(named: entry.session.device.name).flatMap { devices[$0] }
            if device?.isAttached != true || device?.device.session != entry.session.id {
                lines.append("session \(entry.session.id.name) has no device")
            }
            if links[entry.session.link] == nil { lines.append("session \(entry.session.id.name) has no link") }
        }
        for link in links.values where sessions[link.session] == nil { lines.append("a link has no session") }
        for gesture in gestures.values {
            if let session = gesture.session, sessions[session] == nil {
                lines.append("a gesture goes to \(session.name), which is over")
            }
        }
        for sequence in sequences.values where clients[sequence.client] == nil {
            lines.append("a sequence of a client that is gone")
        }
        for hold in holds.holds {
            if let session = hold.place.session, sessions[session] == nil {
                lines.append("\(hold.control) is held in \(session.name), which is over")
            }
        }
        for wait in waits.values where clients[wait.client] == nil {
            lines.append("an answer to a client that is gone")
        }
        for answer in heldAnswers where clients[answer.client] == nil {
            lines.append("an answer to a client that is gone")
        }
        for app in apps.values {
            if let session = app.app.session, sessions[session] == nil {
                lines.append("\(app.app.id.name) is in \(session.name), which is over")
            }
            if clients[app.client] == nil { lines.append("\(app.app.id.name) has no client") }
        }
        for fault in faults.values {
            if let device = fault.device, devices[device]?.isAttached != true {
                lines.append("fault \(fault.fault.id.name) is for a device that is gone")
            }
        }
        if let session = front.session, sessions[session] == nil {
            lines.append("\(session.name) is in front and over")
        }
        return lines
    }
}
