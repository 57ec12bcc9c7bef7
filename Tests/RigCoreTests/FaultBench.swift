import ControlProtocol
import LinkProtocol
import RigModel

@testable import RigCore

/// One path with what came out of it.
struct FaultBench {
    static let millisecond: UInt64 = 1_000_000

    var path: FaultPath
    var now: UInt64 = 1_000
    /// What the receiver read, one element a read.
    var reads: [[UInt8]] = []
    var notices: [FaultNotice] = []

    init(_ direction: FaultDirection = .fromDevice, maximumLength: Int = LinkPacket.maximumLength) {
        path = FaultPath(direction: direction, maximumLength: maximumLength)
    }

    mutating func run(_ body: (inout FaultPath, UInt64, inout FaultOutput) -> Void) {
        var output = FaultOutput()
        body(&path, now, &output)
        reads += output.chunks.map { Array($0) }
        notices += output.notices
    }

    /// Sets a fault; its chances come from `seed`.
    mutating func arm(
        _ kind: FaultKind, _ number: UInt32 = 1, at place: FaultPlace = .anywhere, after: Int = 0,
        afterBytes: Int? = nil,
        count: Int? = 1, duration: UInt64? = nil, isStalled: Bool = false, seed: UInt64 = 1
    ) {
        let request = FaultRequest(
            kind, direction: path.direction, place: place, after: after, afterBytes: afterBytes, count: count,
            duration: duration)
        let order = FaultOrder(
            id: FaultID(number), request: request, left: count, isStalled: isStalled, seed: seed)
        run { $0.arm(order, now: $1, into: &$2) }
    }

    mutating func clear(_ number: UInt32 = 1) { run { $0.clear(FaultID(number), now: $1, into: &$2) } }
    mutating func start(stale: [UInt8] = []) { run { $0.start(stale: stale, now: $1, into: &$2) } }
    mutating func reach(_ phase: SessionPhase) { run { $0.reached(phase, now: $1, into: &$2) } }
    mutating func pass(_ packets: [UInt8]...) {
        for packet in packets { run { $0.pass(packet[...], now: $1, into: &$2) } }
    }
    mutating func read(_ bytes: [UInt8]) { run { $0.read(bytes[...], now: $1, into: &$2) } }

    /// Lets time pass and wakes the path whenever it wants to be woken.
    mutating func wait(_ duration: UInt64) {
        let end = now + duration
        while let deadline = path.nextDeadline, deadline <= end {
            now = max(now, deadline)
            run { $0.deadlineReached(now: $1, into: &$2) }
        }
        now = end
    }

    /// What was told, in short: `struck 2 delay`, `ended 1`, `unplug 1`.
    var told: [String] {
        notices.map { notice in
            switch notice {
            case .struck(let id, let strike, _): "struck \(id.number) at \(strike.packet)"
            case .ended(let id): "ended \(id.number)"
            case .unplug(let id): "unplug \(id.number)"
            }
        }
    }

    var strikes: [FaultStrike] {
        notices.compactMap { if case .struck(_, let strike, _) = $0 { strike } else { nil } }
    }

    mutating func forget() {
        reads = []
        notices = []
    }

    // MARK: Packets

    /// A payload packet whose number can be told from its bytes.
    static func packet(_ sequence: UInt8, count: Int = 4) -> [UInt8] {
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) &* 7 &+ sequence }
        return LinkPacket(
            control: .acknowledge, sequence: sequence, acknowledgement: 9, channelID: 1, payload: payload[...]
        ).encoded
    }

    static func acknowledgement(_ sequence: UInt8) -> [UInt8] {
        LinkPacket(control: .acknowledge, sequence: sequence, acknowledgement: 9).encoded
    }

    /// A packet that carries a control message without parameters.
    static func message(_ id: MessageID, _ sequence: UInt8 = 1) -> [UInt8] {
        let payload: [UInt8] = [0x40, 0x40, 0, 6, UInt8(id.rawValue >> 8), UInt8(id.rawValue & 0xFF)]
        return LinkPacket(
            control: .acknowledge, sequence: sequence, acknowledgement: 9, channelID: 1, payload: payload[...]
        ).encoded
    }
}
