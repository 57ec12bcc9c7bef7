internal import RigCore
internal import RigModel

/// What must hold of everything that a rig says, whatever happens to it.
struct WorldWatch: Sendable {
    private var sequence: UInt64 = 0
    /// The generation of each name that is attached.
    private var attached: [String: UInt32] = [:]
    /// The highest generation of each name so far.
    private var generations: [String: UInt32] = [:]
    private var open: Set<UInt32> = []
    private var closed: Set<UInt32> = []
    /// The input events that were published, by number.
    private var inputs: Set<UInt64> = []
    private(set) var attaches = 0
    private(set) var detaches = 0

    /// Whether each attach has had its detach.
    var isEven: Bool { attached.isEmpty && open.isEmpty && attaches == detaches }

    /// Looks at what was published; what does not hold, or nothing.
    mutating func violation(in events: [Event]) -> String? {
        for event in events {
            guard event.sequence == sequence + 1 else {
                return "sequence \(event.sequence) follows \(sequence)"
            }
            sequence = event.sequence
            if let problem = device(event) ?? session(event) ?? input(event) {
                return "\(event.kind.rawValue) (\(event.sequence)): \(problem)"
            }
        }
        return nil
    }

    private mutating func device(_ event: Event) -> String? {
        guard let device = event.device else { return nil }
        switch event.kind {
        case .deviceAttached:
            guard attached[device.name] == nil else { return "\(device.name) is attached already" }
            // More than one higher when the rig had forgotten the name in between.
            guard device.generation > generations[device.name] ?? 0 else {
                return "generation \(device.generation) of \(device.name) follows \(generations[device.name] ?? 0)"
            }
            attached[device.name] = device.generation
            generations[device.name] = device.generation
            attaches += 1
        case .deviceDetached:
            guard attached[device.name] == device.generation else {
                return "generation \(device.generation) of \(device.name) is detached and was not attached"
            }
            attached[device.name] = nil
            detaches += 1
        case .faultArmed, .faultCleared, .deviceRefused: break
        default:
            guard attached[device.name] == device.generation else {
                return "generation \(device.generation) of \(device.name) is not there"
            }
        }
        return nil
    }

    private mutating func session(_ event: Event) -> String? {
        guard let session = event.session?.number else { return nil }
        if closed.contains(session) { return "session \(session) is over" }
        switch event.kind {
        case .sessionOpened: if !open.insert(session).inserted { return "session \(session) is opened twice" }
        case .sessionClosed:
            guard open.remove(session) != nil else { return "session \(session) is closed and was not open" }
            closed.insert(session)
            guard event.reason != nil else { return "session \(session) is closed without a reason" }
        // A device has its session a moment before that is open.
        case .deviceChanged: break
        default: if !open.contains(session) { return "session \(session) is not open" }
        }
        return nil
    }

    private mutating func input(_ event: Event) -> String? {
        guard case .input = event.payload, let number = event.input?.id.number else { return nil }
        return inputs.insert(number).inserted ? nil : "input \(number) is published twice"
    }
}
