internal import LinuxIO
internal import VarlinkProtocol

/// A stream that lasts longer than its connections: when one ends it tells so, connects anew with growing pauses, and
/// begins with the whole state again. Waits on the calling thread, with deadlines. Belongs to one thread at a time.
final class StreamCursor {
    enum Step: Equatable {
        /// Something was told.
        case update(StreamUpdate)
        /// The connection is gone, for this reason; the next step connects anew.
        case disconnected(ClientFailure)
        /// The deadline passed.
        case deadline
    }

    private enum State {
        /// No connection was made so far. Exits: `connected`; `offline` when it may wait for the rig.
        case new
        /// No connection; the next attempt is at `retryAt`, after a pause of `pause`. Exits: `connected`, itself.
        case offline(retryAt: UInt64, pause: UInt64)
        /// Replies to the call come. Exit: `offline`.
        case connected(ClientChannel, ClientChannel.CallID, SubscriptionReader)
    }

    private let directory: SocketDirectory
    private let interface: SocketInterface
    private let call: VarlinkCall
    private let timeout: UInt64
    private let interrupt: Int32?
    private let waitsForRig: Bool
    private var state = State.new
    private var updates: [StreamUpdate] = []
    /// Why the connection is over, to be told after the last updates.
    private var farewell: ClientFailure?

    /// Pauses between attempts: 50 ms at first, doubled each time, 1 s at most. A daemon that the service manager starts
    /// again listens within a second.
    private static let firstPause: UInt64 = 50_000_000
    private static let longestPause: UInt64 = 1_000_000_000

    /// A cursor over a call that streams. `waitsForRig`: a rig that is not there yet is waited for; else the first
    /// attempt must succeed.
    init(
        _ directory: SocketDirectory, _ interface: SocketInterface, method: String, parameters: JSONObject,
        timeout: UInt64, interrupt: Int32?, waitsForRig: Bool
    ) {
        self.directory = directory
        self.interface = interface
        call = VarlinkCall(method: "\(interface.rawValue).\(method)", parameters: parameters, more: true)
        self.timeout = timeout
        self.interrupt = interrupt
        self.waitsForRig = waitsForRig
    }

    /// Whether the next step needs no waiting.
    var hasNext: Bool {
        if !updates.isEmpty { return true }
        switch state {
        case .new, .offline: return false
        case .connected(let channel, _, _): return channel.hasNext
        }
    }

    /// The next step. Throws what connecting anew cannot mend.
    func next(until deadline: UInt64?) throws(ClientFailure) -> Step {
        while updates.isEmpty {
            if let failure = farewell {
                farewell = nil
                return try leave(failure)
            }
            switch state {
            case .new:
                do {
                    try connect()
                } catch {
                    guard waitsForRig, Self.mayPass(error) else { throw error }
                    goOffline(pause: Self.firstPause)
                    return .disconnected(error)
                }
            case .offline(let retryAt, let pause):
                guard try sleep(until: min(retryAt, deadline ?? .max)) >= retryAt else { return .deadline }
                do {
                    try connect()
                } catch {
                    guard Self.mayPass(error) else { throw error }
                    goOffline(pause: min(pause * 2, Self.longestPause))
                    if let deadline, SystemClock.monotonicNow() >= deadline { return .deadline }
                }
            case .connected(let channel, let id, let reader):
                if let step = try receive(channel, id, reader, until: deadline) { return step }
            }
        }
        return .update(updates.removeFirst())
    }

    private func connect() throws(ClientFailure) {
        let channel = try ClientChannel(directory, interface, timeout: timeout, interrupt: interrupt)
        let id = try channel.send(call, timeout: timeout)
        state = .connected(channel, id, SubscriptionReader(isApp: interface == .app))
    }

    private func goOffline(pause: UInt64) {
        state = .offline(retryAt: ClientChannel.deadline(after: pause), pause: pause)
    }

    /// Takes one thing from the connection. Nothing when there is more to do.
    private func receive(
        _ channel: ClientChannel, _ id: ClientChannel.CallID, _ reader: SubscriptionReader, until deadline: UInt64?
    ) throws(ClientFailure) -> Step? {
        let event: ClientChannel.Event
        do {
            guard let next = try channel.next(until: deadline) else { return .deadline }
            event = next
        } catch {
            return try leave(error)
        }
        switch event {
        case .reply(_, let parameters, let isLast):
            var reader = reader
            do {
                updates += try reader.take(parameters)
            } catch {
                return try leave(error)
            }
            state = .connected(channel, id, reader)
            if isLast { farewell = .closed(method: call.method) }
            return nil
        case .failed(_, let error): return try leave(.refused(channel.refusal(error)))
        case .lost(_, let ending), .ended(let ending):
            switch ending {
            case .closed: return try leave(.closed(method: call.method))
            case .peerFault(let fault): return try leave(.protocolViolation(fault.description))
            }
        }
    }

    private func leave(_ failure: ClientFailure) throws(ClientFailure) -> Step {
        guard Self.mayPass(failure) else { throw failure }
        goOffline(pause: Self.firstPause)
        return .disconnected(failure)
    }

    /// Whether a new connection may help: the daemon was stopped, restarted, or closed a slow client.
    private static func mayPass(_ failure: ClientFailure) -> Bool {
        switch failure {
        case .notRunning, .timedOut, .closed: true
        case .refused(let refusal): ["SubscriberTooSlow", "LimitReached"].contains(refusal.shortName)
        case .notPermitted, .wrongPath, .protocolViolation, .interrupted, .system: false
        }
    }

    private func sleep(until time: UInt64) throws(ClientFailure) -> UInt64 {
        do {
            switch try DescriptorWait(nil, interrupt: interrupt).wait(until: time) {
            case .ready, .deadline: return SystemClock.monotonicNow()
            case .interrupted: throw ClientFailure.interrupted
            }
        } catch let error as SystemError {
            throw .system(error)
        } catch {
            throw .interrupted
        }
    }
}
