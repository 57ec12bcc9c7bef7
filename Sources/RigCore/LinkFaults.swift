import RigModel

/// The last bytes of a session, for the next one of the same device.
struct StaleBytes: Equatable, Sendable {
    var toDevice: [UInt8] = []
    var fromDevice: [UInt8] = []
}

/// A fault and the way that it is put into.
struct FaultPathOrder: Equatable, Sendable {
    /// `toDevice` or `fromDevice`.
    let direction: FaultDirection
    let order: FaultOrder
}

/// The faults in the way of a link, both ways. What comes out waits here until the link carries it on.
struct LinkFaults: Sendable {
    private var toDevice: FaultPath
    private var fromDevice: FaultPath
    private var toDeviceOutput = FaultOutput()
    private var fromDeviceOutput = FaultOutput()

    /// Puts faults into a session, at its beginning or while it runs.
    init(_ orders: [FaultPathOrder], stale: StaleBytes?, progress: SessionProgress, now: UInt64) {
        toDevice = FaultPath(direction: .toDevice, progress: progress)
        fromDevice = FaultPath(direction: .fromDevice, progress: progress)
        for order in orders { arm(order, now: now) }
        toDevice.start(stale: stale?.toDevice ?? [], now: now, into: &toDeviceOutput)
        fromDevice.start(stale: stale?.fromDevice ?? [], now: now, into: &fromDeviceOutput)
    }

    /// When `deadlineReached` is to be called next.
    var nextDeadline: UInt64? {
        guard let one = toDevice.nextDeadline else { return fromDevice.nextDeadline }
        return fromDevice.nextDeadline.map { min($0, one) } ?? one
    }

    /// What a fault wants of this session for the next one; `nil` when nothing.
    var staleBytes: StaleBytes? {
        guard !toDevice.recorded.isEmpty || !fromDevice.recorded.isEmpty else { return nil }
        return StaleBytes(toDevice: toDevice.recorded, fromDevice: fromDevice.recorded)
    }

    mutating func arm(_ order: FaultPathOrder, now: UInt64) {
        with(order.direction) { $0.arm(order.order, now: now, into: &$1) }
    }

    mutating func clear(_ id: FaultID, now: UInt64) {
        toDevice.clear(id, now: now, into: &toDeviceOutput)
        fromDevice.clear(id, now: now, into: &fromDeviceOutput)
    }

    mutating func reached(_ phase: SessionPhase, now: UInt64) {
        toDevice.reached(phase, now: now, into: &toDeviceOutput)
        fromDevice.reached(phase, now: now, into: &fromDeviceOutput)
    }

    /// A session begins on the link of the one before.
    mutating func sessionBegan() {
        toDevice.sessionBegan()
        fromDevice.sessionBegan()
    }

    mutating func deadlineReached(now: UInt64) {
        toDevice.deadlineReached(now: now, into: &toDeviceOutput)
        fromDevice.deadlineReached(now: now, into: &fromDeviceOutput)
    }

    /// Bytes came from the device's wire, cut in any way.
    mutating func read(_ bytes: [UInt8], now: UInt64) {
        fromDevice.read(bytes[...], now: now, into: &fromDeviceOutput)
    }

    /// Lets packets pass one way.
    ///
    /// - Returns: what comes out now, with what came out since the last time.
    mutating func carry(_ packets: OutgoingPackets, _ direction: FaultDirection, now: UInt64) -> FaultOutput {
        with(direction) { path, output in
            for packet in packets.packets { path.pass(packet, now: now, into: &output) }
            defer { output = FaultOutput() }
            return output
        }
    }

    private mutating func with<Result>(
        _ direction: FaultDirection, _ body: (inout FaultPath, inout FaultOutput) -> Result
    ) -> Result {
        switch direction {
        case .toDevice: body(&toDevice, &toDeviceOutput)
        case .fromDevice, .both: body(&fromDevice, &fromDeviceOutput)
        }
    }
}
