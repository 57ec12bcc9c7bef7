import LinuxIO
import RigCore
import RigModel
import ServiceManager
import USBTransport

/// The pipes of one plug of one device, on behalf of the core: opened, fed and closed as links ask for them.
///
/// One link at a time has them. A link that asks while they are still being closed for the one before waits for that.
final class USBWire {
    private enum State {
        /// Nothing is open. Exits: opening.
        case idle
        /// The node is being opened. Exits: preparing, idle.
        case opening
        /// The interface is being claimed and drained. Exits: open, closing, idle.
        case preparing(USBPipeOpening)
        /// Bytes pass. Exits: lingering, closing, idle.
        case open(USBPipe)
        /// The link is over, but what it sent is not out yet. Exits: closing.
        case lingering(USBPipe)
        /// Everything is being given back. Exits: idle.
        case closing
        /// The device is gone for good. Exits: none.
        case over
    }

    /// What the pipes are opened with.
    struct Place {
        let key: String
        let instance: UInt64
        let node: String
        let device: USBDeviceDescription
        let interface: USBStreamInterface
        let settings: USBPipeSettings
    }

    private let daemon: Daemon
    private let context: USBContext
    private let place: Place
    private var state = State.idle
    /// Who has the pipes.
    private var link: LinkID?
    /// Who asked while they were being closed.
    private var waiting: LinkID?
    /// The number of the last opening; what belongs to an earlier one is late.
    private var attempt: UInt64 = 0
    private var timer: TimerID?
    /// What went wrong, while the removal that may be behind it is waited for.
    private var failure: USBPipeFailure?
    /// True while somebody else holds the device.
    private(set) var isBusy = false
    /// Told when somebody else holds it, so that it is tried again.
    var onBusy: (() -> Void)?

    /// How long a goodbye may take to go out.
    private static let lingerTime: UInt64 = 300_000_000
    /// How long udev may take to say that a device is gone. What goes wrong with the pipes may be the first sign of it,
    /// so the link hears of that only then.
    private static let removalTime: UInt64 = 250_000_000

    init(daemon: Daemon, context: USBContext, _ place: Place) {
        self.daemon = daemon
        self.context = context
        self.place = place
        timer = daemon.loop.addTimer { [weak self] _ in self?.timePassed() }
    }

    deinit { if let timer { daemon.loop.removeTimer(timer) } }

    // MARK: What the core asks

    func open(_ link: LinkID) {
        switch state {
        case .idle:
            self.link = link
            begin()
        case .opening, .preparing: self.link = link
        case .open:
            // They were opened to see whether the device is free again.
            self.link = link
            daemon.feed(.wireOpened(link))
        case .lingering, .closing: waiting = link
        case .over: daemon.feed(.wireEnded(link, Self.reason(.gone)))
        }
    }

    func transmit(_ link: LinkID, _ bytes: [UInt8], ends: [Int]) {
        guard link == self.link, case .open(let pipe) = state else { return }
        var begin = 0
        for end in ends where end > begin && end <= bytes.count {
            // Each packet is a transfer of its own: units are known that read one packet of a transfer (POD).
            switch pipe.send(Array(bytes[begin..<end])) {
            case .accepted: begin = end
            case .full:
                let reason = Reason(
                    "notTaken", .device, "the device takes too little: \(pipe.pendingBytes) bytes wait to be sent")
                return daemon.feed(.wireEnded(link, reason))
            // The pipe tells the link itself.
            case .ended: return
            }
        }
    }

    func close(_ link: LinkID) {
        if waiting == link { waiting = nil }
        guard link == self.link else { return }
        self.link = nil
        failure = nil
        switch state {
        case .open(let pipe) where pipe.pendingBytes > 0:
            state = .lingering(pipe)
            setTimer(Self.lingerTime)
        case .open: shut()
        // What is under way looks whether anybody is there when it is done.
        case .opening: break
        case .preparing(let opening): cancel(opening)
        case .idle, .lingering, .closing, .over: break
        }
    }

    // MARK: What the bus says

    /// The device changed: a configuration that is waited for may be there.
    func deviceChanged() {
        if case .preparing(let opening) = state { opening.configurationMayHaveChanged() }
    }

    /// The device is gone: nothing is told any more.
    func end() {
        let before = state
        state = .over
        link = nil
        waiting = nil
        isBusy = false
        failure = nil
        setTimer(nil)
        switch before {
        case .preparing(let opening): opening.cancel()
        case .open(let pipe), .lingering(let pipe): pipe.close()
        case .idle, .opening, .closing, .over: break
        }
    }

    /// Looks whether whoever held the device has let go.
    func tryAgain() {
        guard isBusy, case .idle = state else { return }
        begin()
    }

    // MARK: Opening

    private func begin() {
        attempt += 1
        state = .opening
        let current = attempt
        context.open(node: place.node, key: place.instance, expected: place.device) { [weak self] outcome in
            guard let self, self.attempt == current, case .opening = self.state else {
                outcome.value?.close()
                return
            }
            self.opened(outcome)
        }
    }

    private func opened(_ outcome: USBOutcome<USBDeviceHandle>) {
        guard let handle = outcome.value else {
            state = .idle
            return failed(Self.failure(outcome))
        }
        if link == nil && !isBusy {
            state = .closing
            handle.close { [weak self] _ in self?.closed() }
            return
        }
        let current = attempt
        let opening = USBPipeOpening(handle, place.interface, settings: place.settings) { [weak self] result in
            guard let self, self.attempt == current, case .preparing = self.state else {
                if case .success(let pipe) = result { pipe.close() }
                return
            }
            self.prepared(result)
        }
        state = .preparing(opening)
    }

    private func prepared(_ result: Result<USBPipe, USBPipeFailure>) {
        switch result {
        case .failure(let failure):
            state = .idle
            failed(failure)
        case .success(let pipe):
            state = .open(pipe)
            listen(pipe)
            if pipe.drainedBytes > 0 {
                daemon.journal.log(
                    .debug, "device.drained", "\(pipe.drainedBytes) bytes of an earlier use were thrown away")
            }
            if isBusy {
                isBusy = false
                daemon.feed(.deviceUsable(key: place.key))
                if link == nil { shut() }
            } else if let link {
                daemon.feed(.wireOpened(link))
            } else {
                shut()
            }
        }
    }

    private func listen(_ pipe: USBPipe) {
        pipe.received = { [weak self] bytes in
            guard let self, let link = self.link else { return }
            self.daemon.feed(.wireReceived(link, bytes))
        }
        pipe.sent = { [weak self, weak pipe] count in
            guard let self else { return }
            if let link = self.link { self.daemon.feed(.wireSent(link, count)) }
            if case .lingering = self.state, pipe?.pendingBytes == 0 { self.shut() }
        }
        pipe.ended = { [weak self] failure in self?.pipeEnded(failure) }
    }

    private func pipeEnded(_ failure: USBPipeFailure) {
        switch state {
        case .open(let pipe), .lingering(let pipe):
            state = .closing
            pipe.close { [weak self] _ in self?.closed() }
        case .idle, .opening, .preparing, .closing, .over: return
        }
        failed(failure)
    }

    private func failed(_ failure: USBPipeFailure) {
        switch failure {
        case .busy:
            let wasBusy = isBusy
            isBusy = true
            if !wasBusy { daemon.feed(.deviceBusy(key: place.key, Self.reason(failure))) }
            onBusy?()
        case .stuck: daemon.feed(.deviceStuck(key: place.key, Self.reason(failure)))
        case .gone, .cancelled, .noAccess, .silent, .notConfigured, .otherConfiguration, .refusedRequest, .stalled,
            .transferErrors, .notTaken, .overflow, .refused, .failed:
            self.failure = failure
            setTimer(Self.removalTime)
        }
    }

    /// The device is still there: whoever has the link hears what went wrong.
    private func tellFailure() {
        guard let failure else { return }
        self.failure = nil
        if isBusy {
            // It is not held any more; whoever wants it next hears what is wrong.
            isBusy = false
            daemon.feed(.deviceUsable(key: place.key))
        } else if let link {
            daemon.feed(.wireEnded(link, Self.reason(failure)))
        }
    }

    // MARK: Closing

    private func cancel(_ opening: USBPipeOpening) {
        state = .closing
        opening.cancel { [weak self] _ in self?.closed() }
    }

    private func shut() {
        switch state {
        case .open(let pipe), .lingering(let pipe):
            setTimer(nil)
            state = .closing
            pipe.close { [weak self] _ in self?.closed() }
        case .idle, .opening, .preparing, .closing, .over: break
        }
    }

    private func closed() {
        guard case .closing = state else { return }
        state = .idle
        guard let next = waiting else { return }
        waiting = nil
        open(next)
    }

    private func timePassed() {
        switch state {
        case .lingering: shut()
        case .idle, .closing: tellFailure()
        case .opening, .preparing, .open, .over: break
        }
    }

    private func setTimer(_ time: UInt64?) {
        guard let timer else { return }
        daemon.loop.setTimer(timer, time.map { SystemClock.monotonicNow() &+ $0 })
    }

    // MARK: Words

    private static func failure(_ outcome: USBOutcome<USBDeviceHandle>) -> USBPipeFailure {
        switch outcome {
        case .ok, .cancelled: .cancelled
        case .busy(let holder): .busy(holder)
        case .noAccess: .noAccess
        case .gone: .gone
        case .stuck: .stuck
        case .timedOut: .silent(step: "open")
        case .stalled: .refusedRequest(step: "open")
        case .refused(let refusal): .refused(refusal)
        case .failed(let failure): .failed(failure)
        }
    }

    /// A failure as it is published.
    static func reason(_ failure: USBPipeFailure) -> Reason {
        let party: Party =
            switch failure {
            case .busy, .noAccess, .cancelled, .refused, .otherConfiguration: .local
            case .gone, .stuck, .silent, .notConfigured, .refusedRequest, .stalled, .transferErrors, .notTaken,
                .overflow, .failed:
                .device
            }
        return Reason(failure.name, party, failure.description)
    }
}
