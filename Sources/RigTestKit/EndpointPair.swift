public import ControlProtocol
public import LinkProtocol

/// A unit and a phone on one virtual cable and one virtual clock.
///
/// Nothing happens by itself: `step` moves the clock to the next thing due, which is a delivery or a deadline, and lets
/// it happen. Two things due at the same time happen in the order in which they were set; deliveries before deadlines.
public struct EndpointPair {
    /// One end.
    public typealias Side = LinkMachine.Side

    /// What becomes of a packet on the cable.
    public enum Fate: Sendable {
        case deliver
        case drop
        /// It arrives twice.
        case duplicate
        /// One bit of it is wrong, at this offset if it is that long.
        case corrupt(offset: Int)
        /// It arrives this many nanoseconds later than it would, behind those sent after it.
        case delay(UInt64)
    }

    private struct Delivery {
        var due: UInt64
        var order: Int
        var to: Side
        var bytes: ArraySlice<UInt8>
    }

    /// The clock, in nanoseconds.
    public private(set) var now: UInt64
    /// The unit.
    public var accessory: HandshakeEnd<AccessoryControlMachine>
    /// The phone.
    public var device: HandshakeEnd<DeviceControlMachine>
    /// Nanoseconds from one end to the other.
    public var latency: UInt64
    /// How what arrives is cut.
    public var chunker: Chunker
    /// Decides about every packet, given who sends it and its number among that end's packets.
    public var fate: (Side, Int, ArraySlice<UInt8>) -> Fate = { _, _, _ in .deliver }
    /// Everything that was sent, oldest first, before its fate.
    public private(set) var sent: [(time: UInt64, from: Side, bytes: [UInt8])] = []
    /// The cable is pulled: nothing arrives any more.
    public private(set) var isUnplugged = false

    private var deliveries: [Delivery] = []
    private var orders = 0
    private var counts: [Side: Int] = [.accessory: 0, .device: 0]

    /// Two ends that were not started. The unit's numbers begin at 0x00 and the phone's at 0x2D, as captured [C].
    public init(
        accessory: AccessoryConfiguration, device: DeviceConfiguration,
        accessoryLink: LinkParameters = .accessory, deviceLink: LinkParameters = .device,
        latency: UInt64 = 1_000_000, chunker: Chunker = .whole, now: UInt64 = 0
    ) {
        self.accessory = HandshakeEnd(
            link: LinkMachine(side: .accessory, parameters: accessoryLink, initialSequence: 0),
            control: AccessoryControlMachine(configuration: accessory))
        self.device = HandshakeEnd(
            link: LinkMachine(side: .device, parameters: deviceLink, initialSequence: 0x2D),
            control: DeviceControlMachine(configuration: device))
        self.latency = latency
        self.chunker = chunker
        self.now = now
    }

    /// Starts both ends, the phone first.
    public mutating func start() {
        device.start(now: now)
        accessory.start(now: now)
        collect()
    }

    /// Pulls the cable: what is on it is lost, and both ends are told.
    public mutating func unplug() {
        isUnplugged = true
        deliveries = []
        accessory.close(now: now)
        device.close(now: now)
        collect()
    }

    /// Calls the unit and puts on the cable what it sends.
    public mutating func withAccessory(_ body: (inout HandshakeEnd<AccessoryControlMachine>, UInt64) -> Void) {
        body(&accessory, now)
        collect()
    }

    /// Calls the phone and puts on the cable what it sends.
    public mutating func withDevice(_ body: (inout HandshakeEnd<DeviceControlMachine>, UInt64) -> Void) {
        body(&device, now)
        collect()
    }

    /// When the next thing is due.
    public var nextDue: UInt64? {
        [deliveries.first?.due, accessory.nextDeadline, device.nextDeadline].compactMap(\.self).min()
    }

    /// Lets the next thing happen; false when nothing is due, ever.
    public mutating func step() -> Bool {
        guard let due = nextDue else { return false }
        now = max(now, due)
        if let first = deliveries.first, first.due <= now {
            deliveries.removeFirst()
            for chunk in chunker.chunks(first.bytes) {
                switch first.to {
                case .accessory: accessory.receive(chunk, now: now)
                case .device: device.receive(chunk, now: now)
                }
            }
        } else {
            if let deadline = accessory.nextDeadline, deadline <= now { accessory.deadlineReached(now: now) }
            if let deadline = device.nextDeadline, deadline <= now { device.deadlineReached(now: now) }
        }
        collect()
        return true
    }

    /// Steps until `condition` holds or nothing is due. False when `limit` steps were not enough, which fails a test
    /// that would never end.
    public mutating func drive(limit: Int = 10_000, until condition: (EndpointPair) -> Bool = { _ in false }) -> Bool {
        for _ in 0..<limit {
            if condition(self) { return true }
            guard step() else { return true }
        }
        return condition(self)
    }

    /// Lets everything happen that is due within `duration` nanoseconds, and moves the clock on by it. False when
    /// `limit` steps were not enough.
    public mutating func run(for duration: UInt64, limit: Int = 10_000) -> Bool {
        let end = now + duration
        for _ in 0..<limit {
            guard let due = nextDue, due <= end else {
                now = end
                return true
            }
            _ = step()
        }
        return false
    }

    private mutating func collect() {
        put(accessory.packets, from: .accessory, to: .device)
        accessory.packets = []
        put(device.packets, from: .device, to: .accessory)
        device.packets = []
    }

    private mutating func put(_ packets: [[UInt8]], from: Side, to: Side) {
        for packet in packets {
            sent.append((now, from, packet))
            let number = counts[from, default: 0]
            counts[from] = number + 1
            guard !isUnplugged else { continue }
            switch fate(from, number, packet[...]) {
            case .deliver:
                deliver(packet[...], to: to, after: 0)
            case .drop:
                break
            case .duplicate:
                deliver(packet[...], to: to, after: 0)
                deliver(packet[...], to: to, after: 0)
            case .corrupt(let offset):
                var spoiled = packet
                if spoiled.indices.contains(offset) { spoiled[offset] ^= 0x10 }
                deliver(spoiled[...], to: to, after: 0)
            case .delay(let more):
                deliver(packet[...], to: to, after: more)
            }
        }
    }

    private mutating func deliver(_ bytes: ArraySlice<UInt8>, to: Side, after more: UInt64) {
        let delivery = Delivery(due: now + latency + more, order: orders, to: to, bytes: bytes)
        orders += 1
        let place = deliveries.firstIndex { ($0.due, $0.order) > (delivery.due, delivery.order) }
        deliveries.insert(delivery, at: place ?? deliveries.endIndex)
    }
}
