import RigModel

/// A fault and what the rig holds for it beside what it publishes.
struct FaultEntry: Sendable {
    /// How it stands in one direction.
    struct Way: Sendable {
        /// `toDevice` or `fromDevice`.
        let direction: FaultDirection
        /// How often it may still strike; `nil` is without end.
        var left: Int?
        /// It is a stall that lasts until it is cleared, and has begun.
        var isStalled = false
        /// It has ended in the session that runs.
        var isOver = false
    }

    var fault: Fault
    /// The device that it has found.
    var device: DeviceID?
    /// The directions that it was set for.
    var ways: [Way]
    /// How many of its strikes are published.
    var budget = PublishingBudget()
    /// Where its chances come from.
    let seed: UInt64

    init(_ fault: Fault, device: DeviceID?, seed: UInt64) {
        self.fault = fault
        self.device = device
        self.seed = seed
        let directions: [FaultDirection]
        switch fault.request.direction {
        case .toDevice, .fromDevice: directions = [fault.request.direction]
        case .both: directions = [.toDevice, .fromDevice]
        }
        ways = directions.map { Way(direction: $0, left: fault.request.count) }
    }

    /// What is to be put into the link of a session.
    var orders: [FaultPathOrder] {
        ways.filter { $0.isStalled || $0.left != 0 }.map { way in
            FaultPathOrder(
                direction: way.direction,
                order: FaultOrder(
                    id: fault.id, request: fault.request, left: way.left, isStalled: way.isStalled,
                    // Each session and each direction has its own chances, from the same seed.
                    seed: seed &+ UInt64(fault.strikes) &* 2 &+ (way.direction == .toDevice ? 0 : 1)))
        }
    }

    /// Whether it has nothing more to do, neither in this session nor in another.
    var isUsedUp: Bool { ways.allSatisfy { $0.left == 0 && !$0.isStalled } }

    mutating func change(_ direction: FaultDirection, _ change: (inout Way) -> Void) {
        for index in ways.indices where ways[index].direction == direction { change(&ways[index]) }
    }
}
