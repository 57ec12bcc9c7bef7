internal import LinuxIO
public import RigModel

/// A byte stream each way over a bulk pair of an open device. Made by `USBPipeOpening`.
///
/// Several reads are with the kernel at all times, so that the device never waits; what they bring comes in order. Sends
/// go one after the other, each to its end, with a packet of no bytes behind one whose last packet is full. A STALL and a
/// transfer error are mended, but not for ever. Everything is called, and calls back, on the loop's thread; callbacks
/// never come from inside a call. The pipe owns the device from the moment its opening began.
public final class USBPipe {
    private enum State: Equatable {
        /// Bytes of an earlier use are thrown away. Exits: running, ending, closed.
        case draining(until: UInt64, quiet: UInt64)
        /// Bytes move. Exits: ending, closed.
        case running
        /// It came to an end. Awaited: transfers that still bring bytes, or the end of the device's teardown. Nothing
        /// new begins. Exits: ended, closed.
        case ending(USBPipeFailure)
        /// It came to an end and its owner knows. Exits: closed.
        case ended
        /// Its owner has no more interest. Exits: none.
        case closed
    }

    /// What became of bytes that were to be sent.
    public enum SendOutcome: Equatable, Sendable {
        /// They are sent as soon as the device takes them.
        case accepted
        /// There is no room now; nothing of them is sent. Try again after `sent`.
        case full
        /// The pipe has ended.
        case ended
    }

    /// Bytes from the device, at least one, at most `USBPipeSettings.readLength`. May hold less or more than one
    /// packet of a protocol.
    public var received: (([UInt8]) -> Void)?
    /// So many more bytes were taken by the device.
    public var sent: ((Int) -> Void)?
    /// The pipe has come to its end; called once, after the last `received`, and never after `close`.
    public var ended: ((USBPipeFailure) -> Void)?

    /// The interface it uses.
    public let interface: USBStreamInterface
    /// How many bytes of an earlier use were thrown away.
    public private(set) var drainedBytes = 0
    /// How many bytes wait to be sent or are being sent.
    public private(set) var pendingBytes = 0
    /// How often a STALL or an error was mended.
    public private(set) var recoveries = 0

    private let handle: USBDeviceHandle
    private let settings: USBPipeSettings
    private var state = State.running
    private var reads: [USBTransfer] = []
    private var write: USBTransfer?
    private var readRecovery: USBPipeRecovery
    private var writeRecovery: USBPipeRecovery
    private var outgoing: [ArraySlice<UInt8>] = []
    /// Bytes of the write that is under way.
    private var writing = 0
    private var timer: TimerID?
    private var drained: (() -> Void)?

    init?(_ handle: USBDeviceHandle, _ interface: USBStreamInterface, _ settings: USBPipeSettings) {
        self.handle = handle
        self.interface = interface
        self.settings = settings
        readRecovery = USBPipeRecovery(settings)
        writeRecovery = USBPipeRecovery(settings)
        outgoing.reserveCapacity(16)
        let inputSize = Self.wholePackets(settings.readLength, interface.pair.input)
        for _ in 0..<min(max(settings.reads, 1), 16) {
            let read = handle.streamTransfer(endpoint: interface.pair.input.address, capacity: inputSize) {
                [weak self] in self?.readEnded($0, $1)
            }
            guard let read else { return nil }
            reads.append(read)
        }
        let outputSize = Self.wholePackets(settings.readLength, interface.pair.output)
        write = handle.streamTransfer(endpoint: interface.pair.output.address, capacity: outputSize) {
            [weak self] in self?.writeEnded($0, $1)
        }
        if write == nil { return nil }
        timer = handle.loop.addTimer { [weak self] now in self?.timePassed(now) }
    }

    deinit {
        if let timer { handle.loop.removeTimer(timer) }
        // An owner that forgets the pipe leaves the device to nobody.
        handle.close()
    }

    /// A read that is no multiple of the packet size could overflow: the device sends whole packets.
    private static func wholePackets(_ length: Int, _ endpoint: USBEndpoint) -> Int {
        let packet = max(1, Int(endpoint.maxPacket))
        return max(1, min(length, 1 << 20) / packet) * packet
    }

    // MARK: Use

    /// Sends bytes, as one transfer. No bytes are nothing to send.
    public func send(_ bytes: [UInt8]) -> SendOutcome {
        switch state {
        case .running: break
        case .draining, .ending, .ended, .closed: return .ended
        }
        if bytes.isEmpty { return .accepted }
        if outgoing.count >= settings.outgoingSends || pendingBytes + bytes.count > settings.outgoingBytes {
            return .full
        }
        outgoing.append(bytes[...])
        pendingBytes += bytes.count
        startWrite()
        return .accepted
    }

    /// Stops at once: nothing is received, told or sent after this, not even what waits to be sent. `completion` says
    /// later what became of the device; closing twice is harmless.
    public func close(
        within time: UInt64 = USBContext.teardownTime, completion: @escaping (USBCloseOutcome) -> Void = { _ in }
    ) {
        state = .closed
        forgetOwner()
        handle.close(within: time, completion: completion)
    }

    private func forgetOwner() {
        received = nil
        sent = nil
        ended = nil
        drained = nil
        outgoing = []
        pendingBytes = 0
        if let timer { handle.loop.removeTimer(timer) }
        timer = nil
    }

    // MARK: Begin

    /// Supplies the device with reads. `ready` is called when the pipe can be used: at once, or after the drain.
    func begin(ready: @escaping () -> Void) -> USBPipeFailure? {
        for read in reads {
            if let failure = USBPipeFailure(handle.start(read), step: "begin to read") { return failure }
        }
        guard let drain = settings.drain else {
            ready()
            return nil
        }
        let now = SystemClock.monotonicNow()
        state = .draining(until: now &+ drain.time, quiet: now &+ min(drain.quietTime, drain.time))
        drained = ready
        updateTimer()
        return nil
    }

    private func endDrain() {
        state = .running
        updateTimer()
        let ready = drained
        drained = nil
        ready?()
    }

    // MARK: Reading

    private func readEnded(_ read: USBTransfer, _ outcome: USBOutcome<[UInt8]>) {
        switch outcome {
        case .ok(let bytes): take(bytes)
        // What a transfer brought before it went wrong came from the device all the same.
        case .stalled, .failed, .cancelled, .timedOut, .gone: take(read.moved > 0 ? read.bytes : [])
        case .busy, .noAccess, .stuck, .refused: break
        }
        switch outcome {
        case .ok: break
        // Called off late, for trouble that is over.
        case .cancelled where readRecovery.flow == .running: break
        case .cancelled, .timedOut: break
        case .stalled: trouble(.stall, input: true)
        case .failed(.overflow): end(.overflow(endpoint: interface.pair.input.address))
        case .failed: trouble(.error, input: true)
        case .gone, .stuck, .busy, .noAccess, .refused:
            if let failure = USBPipeFailure(outcome, step: "read") { end(failure) }
        }
        switch state {
        case .draining, .running:
            if readRecovery.flow == .running { start(read) } else { settleReads() }
        case .ending: finishEnding()
        case .ended, .closed: break
        }
    }

    private func take(_ bytes: [UInt8]) {
        if bytes.isEmpty { return }
        switch state {
        case .draining(let until, _):
            guard let drain = settings.drain else { return }
            drainedBytes += bytes.count
            if drainedBytes >= drain.bytes { return endDrain() }
            state = .draining(until: until, quiet: min(until, SystemClock.monotonicNow() &+ drain.quietTime))
            updateTimer()
        case .running, .ending: received?(bytes)
        case .ended, .closed: break
        }
    }

    private func start(_ read: USBTransfer) {
        if let failure = USBPipeFailure(handle.start(read), step: "read") { end(failure) }
    }

    private func settleReads() {
        guard !reads.contains(where: \.isAwaited) else { return }
        settle(input: true)
    }

    private func resumeReads() {
        for read in reads where !read.isAwaited { start(read) }
    }

    // MARK: Writing

    private func startWrite() {
        guard case .running = state, writing == 0, writeRecovery.flow == .running, let write, !write.isAwaited,
            let bytes = outgoing.first
        else { return }
        let size = Self.wholePackets(settings.readLength, interface.pair.output)
        writing = min(bytes.count, size)
        // A piece in the middle is whole packets, so the device sees one transfer.
        write.load(bytes, endsPacket: bytes.count <= size)
        if let failure = USBPipeFailure(handle.start(write, timeout: settings.writeTime), step: "send") {
            writing = 0
            end(failure)
        }
    }

    private func writeEnded(_ write: USBTransfer, _ outcome: USBOutcome<[UInt8]>) {
        let count: Int
        switch outcome {
        case .ok, .stalled, .failed, .cancelled, .timedOut, .gone: count = min(write.moved, writing)
        case .busy, .noAccess, .stuck, .refused: count = 0
        }
        writing = 0
        took(count)
        switch outcome {
        case .ok where count > 0: break
        case .ok, .failed: trouble(.error, input: false)
        case .stalled: trouble(.stall, input: false)
        case .timedOut: end(.notTaken(endpoint: interface.pair.output.address))
        case .cancelled: break
        case .gone, .stuck, .busy, .noAccess, .refused:
            if let failure = USBPipeFailure(outcome, step: "send") { end(failure) }
        }
        switch state {
        case .running:
            if writeRecovery.flow == .running {
                startWrite()
            } else {
                settle(input: false)
            }
        case .ending: finishEnding()
        case .draining, .ended, .closed: break
        }
    }

    private func took(_ count: Int) {
        guard count > 0, let first = outgoing.first else { return }
        if count >= first.count { outgoing.removeFirst() } else { outgoing[0] = first.dropFirst(count) }
        pendingBytes -= min(count, pendingBytes)
        sent?(count)
    }

    // MARK: Trouble

    private func trouble(_ trouble: USBPipeTrouble, input: Bool) {
        switch state {
        case .draining, .running: break
        case .ending, .ended, .closed: return
        }
        let now = SystemClock.monotonicNow()
        let isNew = (input ? readRecovery : writeRecovery).flow == .running
        let mayGoOn = input ? readRecovery.began(trouble, now) : writeRecovery.began(trouble, now)
        if !mayGoOn {
            let endpoint = input ? interface.pair.input.address : interface.pair.output.address
            return end(trouble.failure(endpoint))
        }
        if !isNew { return }
        recoveries += 1
        // The kernel clears a halt only when no transfer waits behind it.
        if input { for read in reads where read.isAwaited { handle.callOff(read) } }
    }

    private func settle(input: Bool) {
        let now = SystemClock.monotonicNow()
        switch input ? readRecovery.settled(now) : writeRecovery.settled(now) {
        case .clearHalt:
            let endpoint = input ? interface.pair.input.address : interface.pair.output.address
            clearHalt(endpoint, input: input)
        case .pause: updateTimer()
        case .none: break
        }
    }

    /// Asks the device to clear a halt, then has the kernel do the same for the host's side. The kernel's call keeps the
    /// device's lock for the 5 s that it waits for an answer, and the loop would wait for that lock with its next call: so
    /// it is made only for a device that has just answered.
    private func clearHalt(_ endpoint: UInt8, input: Bool) {
        // CLEAR_FEATURE, ENDPOINT_HALT (USB 2.0, 9.4.1).
        let request = USBControlRequest(type: 0x02, request: 1, index: UInt16(endpoint))
        handle.control(request, data: [], timeout: settings.controlTime) { [weak self] outcome in
            guard let self, self.isCleared(outcome, endpoint) else { return }
            self.handle.clearHalt(endpoint: endpoint) { [weak self] in self?.haltCleared($0, endpoint, input: input) }
        }
    }

    /// Whether a step of clearing was done; ends the pipe when it could not be.
    private func isCleared<Value>(_ outcome: USBOutcome<Value>, _ endpoint: UInt8) -> Bool {
        switch state {
        case .draining, .running: break
        case .ending, .ended, .closed: return false
        }
        // A device that refuses even this is as good as halted.
        if case .stalled = outcome {
            end(.stalled(endpoint: endpoint))
            return false
        }
        if let failure = USBPipeFailure(outcome, step: "clear a halt") {
            end(failure)
            return false
        }
        return true
    }

    private func haltCleared(_ outcome: USBOutcome<Bool>, _ endpoint: UInt8, input: Bool) {
        guard isCleared(outcome, endpoint) else { return }
        if input {
            readRecovery.cleared()
            resumeReads()
        } else {
            writeRecovery.cleared()
            startWrite()
        }
    }

    // MARK: Time

    private func timePassed(_ now: UInt64) {
        if readRecovery.timePassed(now) { resumeReads() }
        if writeRecovery.timePassed(now) { startWrite() }
        if case .draining(let until, let quiet) = state, min(until, quiet) <= now { endDrain() }
        updateTimer()
    }

    private func updateTimer() {
        guard let timer else { return }
        var earliest = [readRecovery.deadline, writeRecovery.deadline].compactMap { $0 }.min()
        if case .draining(let until, let quiet) = state { earliest = min(earliest ?? .max, until, quiet) }
        handle.loop.setTimer(timer, earliest)
    }

    // MARK: End

    private func end(_ failure: USBPipeFailure) {
        switch state {
        case .draining, .running: break
        case .ending, .ended, .closed: return
        }
        state = .ending(failure)
        outgoing = []
        // Keeps the pipe until its owner knows, within the time that closing may take.
        handle.close { [self] _ in tellEnd() }
        handle.later { [self] in finishEnding() }
    }

    private func finishEnding() {
        let isOut = reads.contains(where: \.isAwaited) || write?.isAwaited == true
        if !isOut { tellEnd() }
    }

    private func tellEnd() {
        guard case .ending(let failure) = state else { return }
        state = .ended
        let tell = ended
        let ready = drained
        forgetOwner()
        // One that ends while it is drained was never handed over.
        if ready != nil { openingFailed?(failure) } else { tell?(failure) }
        openingFailed = nil
    }

    /// Hears of an end before `ready`.
    var openingFailed: ((USBPipeFailure) -> Void)?
}
