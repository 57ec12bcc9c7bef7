import RigModel

/// Devices that are told to change their mode: they leave the bus, and some come back as something else.
extension RigCore {
    /// Why the session of a device that changes its mode ends.
    static let modeChanged = Reason("modeChanged", .local, "the device was told to change its mode")

    mutating func switchMode(
        _ name: String, generation: UInt32?, _ mode: ModeSwitch, for client: ClientID,
        into actions: inout ActionBuffer
    ) {
        do throws(CommandFailure) {
            let entry = try attached(name, generation: generation)
            guard let key = entry.key, entry.plug == nil else {
                throw .invalidParameter("device", text: "'\(name)' is a virtual device; it has one mode only")
            }
            guard mode.suits(entry.device.facts.kind) else {
                let kind = entry.device.facts.kind.rawValue
                throw .invalidParameter("device", text: "'\(name)' is of the kind \(kind), which has no such mode")
            }
            guard entry.modeClient == nil, entry.device.state != .reenumerating else {
                throw .busy(owner: "another change of its mode", since: now)
            }
            devices.update(entry.device.id) { $0.modeClient = client }
            actions.append(.switchMode(key: key, mode))
        } catch {
            actions.append(.fail(client, error))
        }
    }

    mutating func modeAnswered(
        key: String, _ mode: ModeSwitch, refusal: Reason?, into actions: inout ActionBuffer
    ) {
        guard let id = devices.id(key: key) else { return }
        endModeSwitch(of: id, refusal, into: &actions)
        if refusal != nil { return }
        guard mode.returns else {
            let reason = Reason("roleSwitched", .local, "the phone became the host, as it was told")
            devices.update(id) { $0.departure = reason }
            return
        }
        closeSession(of: id, Self.modeChanged, into: &actions)
        deadlines.set(.retry(id.number), at: nil)
        setState(id, .reenumerating, nil, into: &actions)
        expectReturn(of: id)
    }

    /// Answers the client that waits for a device's change of mode, if one does.
    mutating func endModeSwitch(of id: DeviceID, _ refusal: Reason?, into actions: inout ActionBuffer) {
        guard let client = devices[id]?.modeClient else { return }
        devices.update(id) { $0.modeClient = nil }
        // It may have hung up meanwhile.
        guard clients[client] != nil else { return }
        if let refusal {
            actions.append(.fail(client, .deviceRefused(refusal)))
        } else {
            actions.append(.reply(client, .record([]), continues: false))
        }
    }

    /// A device that changes its mode has left the bus. It stays in the published state until it is back or late.
    mutating func leave(_ id: DeviceID, into actions: inout ActionBuffer) {
        let reason = Reason("notReturned", .device, Self.notReturnedText)
        takeBackHardware(of: id, into: &actions)
        let left = devices.detach(id, reason: reason, now: now, remembered: settings.maximumRemembered)
        let stays = devices.update(id) { entry -> Bool in
            entry.device.state = .reenumerating
            entry.device.reason = nil
            return true
        }
        if stays == true { return expectReturn(of: id) }
        // There is no room to remember it.
        deadlines.set(.reenumeration(id.number), at: nil)
        if let left { publishDevice(.deviceDetached, left, into: &actions) }
    }

    private static let notReturnedText =
        "the device left the bus to change its mode and did not come back in time; plug it in again"

    private mutating func expectReturn(of id: DeviceID) {
        let limit = now.addingReportingOverflow(settings.reenumerationWindow)
        deadlines.set(.reenumeration(id.number), at: limit.overflow ? .max : limit.partialValue)
    }

    mutating func reenumerationDeadlineReached(_ id: DeviceID, into actions: inout ActionBuffer) {
        guard let entry = devices[id], entry.device.state == .reenumerating else { return }
        if entry.isAttached {
            // It took the request and stays as it is.
            let reason = Reason(
                "modeNotChanged", .device, "the device took the change of its mode and did not leave the bus")
            return setState(id, .failed, reason, into: &actions)
        }
        let gone = devices.update(id) { entry -> Device in
            entry.device.state = .detached
            entry.device.reason = Reason("notReturned", .device, Self.notReturnedText)
            return entry.device
        }
        if let gone { publishDevice(.deviceDetached, gone, into: &actions) }
    }
}
