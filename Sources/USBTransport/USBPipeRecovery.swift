/// What goes wrong with a transfer of a stream and can be mended.
enum USBPipeTrouble: Equatable {
    /// The endpoint is halted.
    case stall
    /// The transfer failed on the wire.
    case error

    func failure(_ endpoint: UInt8) -> USBPipeFailure {
        switch self {
        case .stall: .stalled(endpoint: endpoint)
        case .error: .transferErrors(endpoint: endpoint)
        }
    }
}

/// How one direction of a pipe is mended, and how often that may be. Pure: the time comes in.
struct USBPipeRecovery {
    enum Flow: Equatable {
        /// Transfers are under way. Exits: settling.
        case running
        /// Something went wrong. Awaited: the transfers that are called off. Exits: clearing, pausing.
        case settling(USBPipeTrouble)
        /// The halt is being cleared. Awaited: the job. Exits: running.
        case clearing
        /// An error is left alone for a while. Awaited: the time. Exits: running.
        case pausing(until: UInt64)
    }

    /// What comes after the last transfer has settled.
    enum Step: Equatable {
        case clearHalt
        case pause(until: UInt64)
        /// Nothing was waited for.
        case none
    }

    private(set) var flow = Flow.running
    /// When trouble began, the oldest first; no longer than the limit.
    private var times: [UInt64] = []
    private let limit: Int
    private let window: UInt64
    private let pause: UInt64

    init(_ settings: USBPipeSettings) {
        limit = max(0, settings.recoveries)
        window = settings.recoveryTime
        pause = settings.errorPause
    }

    /// Notes trouble. False when it came too often: the pipe is to end. More trouble of transfers that are still out is
    /// the same trouble.
    mutating func began(_ trouble: USBPipeTrouble, _ now: UInt64) -> Bool {
        switch flow {
        case .running:
            times.removeAll { now &- $0 >= window }
            if times.count >= limit { return false }
            times.append(now)
            flow = .settling(trouble)
            return true
        case .settling(.error) where trouble == .stall:
            flow = .settling(.stall)
            return true
        case .settling, .clearing, .pausing: return true
        }
    }

    /// Every transfer is back.
    mutating func settled(_ now: UInt64) -> Step {
        switch flow {
        case .settling(.stall):
            flow = .clearing
            return .clearHalt
        case .settling(.error):
            let until = now &+ pause
            flow = .pausing(until: until)
            return .pause(until: until)
        case .running, .clearing, .pausing: return .none
        }
    }

    /// The halt is cleared.
    mutating func cleared() {
        switch flow {
        case .clearing: flow = .running
        case .running, .settling, .pausing: break
        }
    }

    /// Time has passed; true when transfers may go on.
    mutating func timePassed(_ now: UInt64) -> Bool {
        switch flow {
        case .pausing(let until) where until <= now:
            flow = .running
            return true
        case .running, .settling, .clearing, .pausing: return false
        }
    }

    /// When something is to be done, or `nil`.
    var deadline: UInt64? {
        switch flow {
        case .pausing(let until): until
        case .running, .settling, .clearing: nil
        }
    }
}
