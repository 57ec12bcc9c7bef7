internal import CLibUSB
internal import Glibc
internal import LinuxIO
public import RigModel

/// How closing a device ended.
public enum USBCloseOutcome: Equatable, Sendable {
    /// Everything was handed back.
    case closed
    /// A transfer or a job did not come back. What it uses is given up; the rig goes on without it.
    case stuck
}

/// An open USB device.
///
/// Removal has two phases: `close` marks it dead at once, so that nothing new begins, and calls its transfers off; it
/// is freed when the last of them has come back, or given up when one does not. Nobody waits.
public final class USBDeviceHandle {
    private enum State: Equatable {
        /// It can be used. Exits: closing, stuck.
        case open
        /// It is dead for its owner. Awaited: the last transfer and the last job, or `until`. Exits: closed, stuck.
        case closing(until: UInt64)
        /// libusb has let go of it. Exits: none.
        case closed
        /// A call or a transfer did not come back; it is never touched again. Exits: none.
        case stuck
    }

    /// Its node when it was opened.
    public let node: String
    /// The key of its jobs.
    public let key: UInt64
    /// What libusb knows of it. Strings and port are empty; `strings` asks for the former.
    public let description: USBDeviceDescription
    /// Called once when a transfer finds out that the device is gone, mostly before udev says so.
    public var onGone: (() -> Void)?
    /// True from the moment a transfer found the device gone.
    public private(set) var isGone = false

    let stringIndices: (manufacturer: UInt8, product: UInt8, serial: UInt8)
    /// Holds on to the context until it is closed or given up.
    private let context: USBContext
    private let pointer: LibUSBPointer
    private let descriptor: Int32
    private var state = State.open
    private var inFlight: [USBTransfer] = []
    private var runningJobs = 0
    private var closeCompletion: ((USBCloseOutcome) -> Void)?

    init(context: USBContext, device: OpenedDevice, node: String, key: UInt64) {
        self.context = context
        self.node = node
        self.key = key
        pointer = device.handle
        descriptor = device.descriptor
        description = device.description
        stringIndices = device.strings
    }

    /// True when it can be used.
    public var isOpen: Bool { state == .open && !isGone }
    /// True when a call to its driver did not return.
    public var isStuck: Bool { state == .stuck }

    // MARK: Calls that can block

    /// Claims an interface. With `detaching`, a kernel driver that is bound to it is sent away first.
    public func claim(
        interface: UInt8, detaching: Bool = false, within time: UInt64 = 2_000_000_000,
        completion: @escaping (USBOutcome<Bool>) -> Void
    ) {
        let (pointer, descriptor, node) = (pointer, descriptor, node)
        run(within: time, completion) {
            LibUSBJobs.claim(pointer, descriptor: descriptor, node: node, interface: interface, detaching: detaching)
        }
    }

    /// Gives an interface back.
    public func release(
        interface: UInt8, within time: UInt64 = 2_000_000_000, completion: @escaping (USBOutcome<Bool>) -> Void
    ) {
        let pointer = pointer
        run(within: time, completion) { LibUSBJobs.release(pointer, interface: interface) }
    }

    /// Resets the device.
    public func reset(within time: UInt64 = 5_000_000_000, completion: @escaping (USBOutcome<Bool>) -> Void) {
        let pointer = pointer
        run(within: time, completion) { LibUSBJobs.reset(pointer) }
    }

    /// Ends a STALL of a bulk endpoint.
    public func clearHalt(
        endpoint: UInt8, within time: UInt64 = 2_000_000_000, completion: @escaping (USBOutcome<Bool>) -> Void
    ) {
        let pointer = pointer
        run(within: time, completion) { LibUSBJobs.clearHalt(pointer, endpoint: endpoint) }
    }

    /// Selects a configuration. The device's interfaces must not be claimed.
    public func setConfiguration(
        _ value: UInt8, within time: UInt64 = 5_000_000_000, completion: @escaping (USBOutcome<Bool>) -> Void
    ) {
        let pointer = pointer
        run(within: time, completion) { LibUSBJobs.setConfiguration(pointer, value: value) }
    }

    /// Selects an alternate setting of a claimed interface.
    public func setAlternate(
        interface: UInt8, alternate: UInt8, within time: UInt64 = 2_000_000_000,
        completion: @escaping (USBOutcome<Bool>) -> Void
    ) {
        let pointer = pointer
        run(within: time, completion) {
            LibUSBJobs.setAlternate(pointer, interface: interface, alternate: alternate)
        }
    }

    private func run(
        within time: UInt64, _ completion: @escaping (USBOutcome<Bool>) -> Void,
        _ work: @escaping @Sendable () -> USBOutcome<Bool>
    ) {
        if let refusal: USBOutcome<Bool> = refusal() {
            context.later { completion(refusal) }
            return
        }
        runningJobs += 1
        context.run(key: key, within: time, work) { outcome in
            if outcome == .stuck { self.giveUp() } else { self.runningJobs -= 1 }
            if outcome == .gone { self.noteGone() }
            completion(outcome)
            self.finishClosing()
        }
    }

    // MARK: Transfers

    /// A control transfer from the device: up to `length` bytes.
    public func control(
        _ request: USBControlRequest, length: UInt16, timeout: UInt64,
        completion: @escaping (USBOutcome<[UInt8]>) -> Void
    ) {
        precondition(request.isIn, "a request to the device carries its data")
        submit(completion) { deadline, returned in
            USBTransfer(
                control: request, data: [], length: length, handle: self.pointer, deadline: deadline(timeout),
                returned: returned, completion: completion)
        }
    }

    /// A control transfer to the device, with at most 65,535 bytes.
    public func control(
        _ request: USBControlRequest, data: [UInt8], timeout: UInt64,
        completion: @escaping (USBOutcome<[UInt8]>) -> Void
    ) {
        precondition(!request.isIn, "a request from the device has a length")
        submit(completion) { deadline, returned in
            USBTransfer(
                control: request, data: data, length: 0, handle: self.pointer, deadline: deadline(timeout),
                returned: returned, completion: completion)
        }
    }

    /// A bulk transfer: reads up to `length` bytes from an IN endpoint, or sends `data` to an OUT endpoint.
    public func bulk(
        endpoint: UInt8, data: [UInt8] = [], length: Int = 0, timeout: UInt64,
        completion: @escaping (USBOutcome<[UInt8]>) -> Void
    ) {
        submit(completion) { deadline, returned in
            USBTransfer(
                bulk: endpoint, data: data, length: length, handle: self.pointer, deadline: deadline(timeout),
                returned: returned, completion: completion)
        }
    }

    private func submit(
        _ completion: @escaping (USBOutcome<[UInt8]>) -> Void,
        _ make: ((UInt64) -> UInt64, @escaping (USBTransfer) -> Void) -> USBTransfer?
    ) {
        if let refusal: USBOutcome<[UInt8]> = refusal() {
            context.later { completion(refusal) }
            return
        }
        let now = SystemClock.monotonicNow()
        let transfer = make({ now.addingReportingOverflow($0).overflow ? .max : now + $0 }) { [self] transfer in
            context.returned(transfer, of: self)
        }
        guard let transfer else {
            context.later { completion(.failed(USBFailure("allocate a transfer", "LIBUSB_ERROR_NO_MEM"))) }
            return
        }
        let code = context.submit(transfer)
        if code == 0 {
            inFlight.append(transfer)
        } else {
            let outcome = USBOutcome<[UInt8]>.failure(code, "submit a transfer")
            if outcome == .gone { noteGone() }
            context.later { completion(outcome) }
        }
    }

    // MARK: Streams

    /// A transfer that is submitted again and again; not submitted yet. `nil` when there is no memory for it.
    func streamTransfer(
        endpoint: UInt8, capacity: Int, completion: @escaping (USBTransfer, USBOutcome<[UInt8]>) -> Void
    ) -> USBTransfer? {
        USBTransfer(
            stream: endpoint, capacity: capacity, handle: pointer,
            returned: { [self] transfer in context.returned(transfer, of: self) }, completion: completion)
    }

    /// Submits a transfer of a stream; what is in the way when it is not taken. Tells nobody by itself.
    func start(_ transfer: USBTransfer, timeout: UInt64 = .max) -> USBOutcome<Bool> {
        if let refusal: USBOutcome<Bool> = refusal() { return refusal }
        let deadline = SystemClock.monotonicNow().addingReportingOverflow(timeout)
        transfer.rearm(deadline: deadline.overflow ? .max : deadline.partialValue)
        let code = context.submit(transfer)
        if code == 0 {
            inFlight.append(transfer)
            return .ok(true)
        }
        transfer.disarm()
        let outcome = USBOutcome<Bool>.failure(code, "submit a transfer")
        if outcome == .gone { noteGone() }
        return outcome
    }

    /// Calls a transfer of a stream off; it ends as cancelled, or with what it had come to.
    func callOff(_ transfer: USBTransfer) {
        cancel(transfer, .recovering, SystemClock.monotonicNow())
        context.updateTimer()
    }

    var loop: EventLoop { context.loop }

    /// Calls something after the current work, on the loop.
    func later(_ work: @escaping () -> Void) { context.later(work) }

    private func refusal<Value>() -> USBOutcome<Value>? {
        switch state {
        case .open: isGone ? .gone : nil
        case .closing, .closed: .cancelled
        case .stuck: .stuck
        }
    }

    // MARK: Closing

    /// Closes it; `completion` is called once, within `time`. Closing twice is harmless, the first completion counts.
    public func close(
        within time: UInt64 = USBContext.teardownTime, completion: @escaping (USBCloseOutcome) -> Void = { _ in }
    ) {
        switch state {
        case .open:
            let now = SystemClock.monotonicNow()
            state = .closing(until: now.addingReportingOverflow(time).overflow ? .max : now + time)
            onGone = nil
            closeCompletion = completion
            for transfer in inFlight { cancel(transfer, .closing, now) }
            context.updateTimer()
            finishClosing()
        case .closing: break
        case .closed: context.later { completion(.closed) }
        case .stuck: context.later { completion(.stuck) }
        }
    }

    private func finishClosing() {
        guard case .closing = state, inFlight.isEmpty, runningJobs == 0 else { return }
        state = .closed
        context.unwatch(descriptor)
        // With the node handed in by us, this makes no call that can block; closing the node does.
        libusb_close(pointer.raw)
        context.closed(self)
        let completion = closeCompletion
        closeCompletion = nil
        context.closeNode(descriptor, key: key) { completion?($0 ? .closed : .stuck) }
    }

    private func giveUp() {
        if state == .stuck || state == .closed { return }
        state = .stuck
        let lost = inFlight
        inFlight = []
        for transfer in lost {
            if let tell = transfer.lose() { context.later(tell) }
        }
        context.abandon(self, descriptor: descriptor)
        if let completion = closeCompletion {
            closeCompletion = nil
            context.later { completion(.stuck) }
        }
    }

    private func noteGone() {
        if isGone { return }
        isGone = true
        if let onGone {
            self.onGone = nil
            context.later(onGone)
        }
    }

    // MARK: For the context

    func transferEnded(foundGone: Bool) {
        inFlight.removeAll { !$0.isInFlight }
        if foundGone { noteGone() }
        finishClosing()
    }

    var nextDeadline: UInt64? {
        if case .closing(let until) = state { return until }
        return nil
    }

    func deadlineReached(_ now: UInt64) {
        for transfer in inFlight {
            if transfer.isOverdue(now) { return giveUp() }
            if transfer.hasTimedOut(now) { cancel(transfer, .timedOut, now) }
        }
        if case .closing(let until) = state, until <= now { giveUp() }
    }

    /// Calls a transfer off in a job: the kernel waits for the driver to hand it back, and a bad driver never does.
    private func cancel(_ transfer: USBTransfer, _ cause: USBTransfer.Cause, _ now: UInt64) {
        let limit = now.addingReportingOverflow(USBContext.teardownTime)
        guard transfer.beginCancelling(cause, until: limit.overflow ? .max : limit.partialValue) else { return }
        transfer.cancelJobStarted()
        let pointer = TransferPointer(raw: transfer.pointer)
        context.run(
            key: key, within: USBContext.teardownTime,
            { USBOutcome<Bool>.ok(libusb_cancel_transfer(pointer.raw) == 0) },
            completion: { outcome in
                // A job that did not return still uses the memory, so that is never given back.
                if outcome != .stuck { transfer.cancelJobEnded() }
                if outcome == .stuck { self.giveUp() }
                // One that never ran leaves the transfer to its deadline.
            })
    }
}

/// A transfer on its way to the job that calls it off. libusb locks it.
private struct TransferPointer: @unchecked Sendable {
    let raw: UnsafeMutablePointer<libusb_transfer>
}
