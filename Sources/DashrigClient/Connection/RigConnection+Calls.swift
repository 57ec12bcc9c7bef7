public import RigModel
public import VarlinkProtocol

extension RigConnection {
    /// The whole state now.
    public func state() throws(ClientFailure) -> StateView {
        StateView(try Self.part("state", of: try rig("GetState"), method: "GetState"))
    }

    /// Plugs in a virtual device. Answers at once; its session comes later, as events tell.
    @discardableResult
    public func plug(_ request: PlugRequest) throws(ClientFailure) -> DeviceView {
        DeviceView(try Self.part("device", of: try rig("Plug", request.parameters), method: "Plug"))
    }

    /// Pulls a virtual device: with a goodbye, or by surprise. With a generation, only if that is the one there.
    public func unplug(_ device: String, surprise: Bool = false, generation: UInt32? = nil) throws(ClientFailure) {
        var parameters: JSONObject = ["device": .string(device)]
        if surprise { parameters["surprise"] = true }
        parameters["generation"] = generation.map { .int(Int64($0)) }
        try rig("Unplug", parameters)
    }

    /// Changes what is set on a phone.
    public func setPhone(
        _ device: String, _ change: PhoneChange, generation: UInt32? = nil
    ) throws(ClientFailure) {
        var parameters: JSONObject = ["device": .string(device)]
        parameters["generation"] = generation.map { .int(Int64($0)) }
        parameters["locked"] = change.locked.map(JSON.bool)
        parameters["trusted"] = change.trusted.map(JSON.bool)
        parameters["trustAfterMilliseconds"] = change.trustAfter.map { .milliseconds($0) }
        parameters["slowMilliseconds"] = change.slow.map { .milliseconds($0) }
        if let refuse = change.refuse { parameters["refuse"] = .string(refuse?.rawValue ?? "none") }
        parameters["delays"] = JSON.delays(change.delays)
        if let misorder = change.misorder { parameters["misorder"] = .string(misorder?.rawValue ?? "none") }
        parameters["carPlay"] = change.carPlay.map(JSON.bool)
        try rig("SetPhone", parameters)
    }

    /// Brings an Android phone into accessory mode; returns when the phone has taken it.
    public func startAccessory(_ device: String, generation: UInt32? = nil) throws(ClientFailure) {
        var parameters: JSONObject = ["device": .string(device)]
        parameters["generation"] = generation.map { .int(Int64($0)) }
        try rig("StartAccessory", parameters)
    }

    /// Makes an Apple phone the USB host; returns when the phone has taken it.
    public func switchRole(
        _ device: String, carPlay: Bool = true, generation: UInt32? = nil
    ) throws(ClientFailure) {
        var parameters: JSONObject = ["device": .string(device), "carPlay": .bool(carPlay)]
        parameters["generation"] = generation.map { .int(Int64($0)) }
        try rig("SwitchRole", parameters)
    }

    /// Tries the handshake of a device at which it failed again.
    public func retry(_ device: String, generation: UInt32? = nil) throws(ClientFailure) {
        var parameters: JSONObject = ["device": .string(device)]
        if let generation { parameters["generation"] = .int(Int64(generation)) }
        try rig("Retry", parameters)
    }

    /// Puts a device's session in front.
    public func setFront(_ device: String) throws(ClientFailure) {
        try rig("SetFront", ["device": .string(device)])
    }

    /// Changes a display; answers it as it is now.
    @discardableResult
    public func setDisplay(_ change: DisplayChange) throws(ClientFailure) -> DisplayView {
        DisplayView(try Self.part("display", of: try rig("SetDisplay", change.parameters), method: "SetDisplay"))
    }

    /// Changes the vehicle; answers it as it is now.
    @discardableResult
    public func setVehicle(_ change: VehicleChange) throws(ClientFailure) -> VehicleView {
        return VehicleView(try Self.part("vehicle", of: try rig("SetVehicle", change.parameters), method: "SetVehicle"))
    }

    /// Injects a gesture, or a part of one, and waits until it has come as far as `wait`, for at most `within` nanoseconds.
    /// What a part puts down is let go when this connection ends.
    @discardableResult
    public func inject(
        _ injection: Injection, wait: InputStep = .accepted, within: UInt64 = 1_000_000_000
    ) throws(ClientFailure) -> InjectionView {
        var parameters = injection.parameters
        if wait != .accepted {
            parameters["wait"] = .string(wait.rawValue)
            parameters["withinMilliseconds"] = .milliseconds(within)
        }
        // The rig takes that long to answer by agreement; the timeout is for what comes on top.
        let (patience, overflow) = timeout.addingReportingOverflow(wait == .accepted ? 0 : within)
        return InjectionView(RecordValue(try rig("Inject", parameters, timeout: overflow ? .max : patience)))
    }

    /// Injects inputs at their times. With `wait` above `accepted` it answers when all are sent and have come so far, or as
    /// far as they can, or `within` nanoseconds after the time of the last one. The sequence ends with this connection.
    @discardableResult
    public func inject(
        _ sequence: InjectionSequence, wait: InputStep = .accepted, within: UInt64 = 1_000_000_000
    ) throws(ClientFailure) -> InjectionView {
        try injectSequence(sequence.parameters, wait: wait, within: within)
    }

    /// Injects a sequence that is given as the parameters of `InjectSequence`, which the rig checks.
    @discardableResult
    public func injectSequence(
        _ parameters: JSONObject, wait: InputStep, within: UInt64
    ) throws(ClientFailure) -> InjectionView {
        var parameters = parameters
        var patience = timeout
        if wait != .accepted {
            parameters["wait"] = .string(wait.rawValue)
            parameters["withinMilliseconds"] = .milliseconds(within)
            // The rig takes that long to answer by agreement; the timeout is for what comes on top.
            for time in [within, SequenceLength.nanoseconds(of: parameters)] {
                let (sum, overflow) = patience.addingReportingOverflow(time)
                patience = overflow ? .max : sum
            }
        }
        return InjectionView(RecordValue(try rig("InjectSequence", parameters, timeout: patience)))
    }

    /// Has one side of a session send a message.
    public func send(_ request: SendRequest) throws(ClientFailure) {
        var parameters: JSONObject = [
            "device": .string(request.device), "message": .string(request.message), "fields": JSON(request.fields),
        ]
        if let generation = request.generation { parameters["generation"] = .int(Int64(generation)) }
        if let sender = request.sender { parameters["sender"] = .string(sender.rawValue) }
        try rig("Send", parameters)
    }

    /// The faults that are set, of one device or of all, and what can be set.
    public func listFaults(of device: String? = nil) throws(ClientFailure) -> FaultsView {
        var parameters = JSONObject()
        parameters["device"] = device.map(JSON.string)
        return FaultsView(RecordValue(try rig("ListFaults", parameters)))
    }

    /// What runs hold for themselves, oldest first.
    public func leases() throws(ClientFailure) -> [LeaseView] {
        RecordValue(try rig("ListLeases")).elements("leases").map(LeaseView.init)
    }

    /// Takes from a run what it holds, and so ends it. Without force it is only refused, which says whose it is.
    public func unlease(_ lease: String, force: Bool) throws(ClientFailure) {
        try rig("Unlease", ["lease": .string(lease), "force": .bool(force)])
    }

    /// Sets a fault; answers it with its id.
    @discardableResult
    public func setFault(_ request: FaultRequest) throws(ClientFailure) -> FaultView {
        FaultView(try Self.part("fault", of: try rig("SetFault", request.parameters), method: "SetFault"))
    }

    /// Clears faults; answers the ids of those that were there.
    @discardableResult
    public func clearFaults(fault: String? = nil, device: String? = nil) throws(ClientFailure) -> [String] {
        var parameters = JSONObject()
        parameters["fault"] = fault.map(JSON.string)
        parameters["device"] = device.map(JSON.string)
        return RecordValue(try rig("ClearFaults", parameters)).texts("cleared")
    }

    /// Writes a line into the timeline.
    public func mark(_ text: String) throws(ClientFailure) {
        try rig("Mark", ["text": .string(text)])
    }

    /// The virtual devices and the head units there are.
    public func listProfiles() throws(ClientFailure) -> ProfilesView {
        ProfilesView(RecordValue(try rig("ListProfiles")))
    }
}
