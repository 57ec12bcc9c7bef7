internal import LinuxIO
public import RigModel

/// Brings an open device to where a pipe can be used: configuration, claim, alternate setting, drain. Every step is
/// bounded; nothing waits inside a call. Owns the device until the pipe does; it is closed when the opening fails.
public final class USBPipeOpening {
    private enum State: Equatable {
        /// The device is asked for its configuration. Exits: waiting, configuring, claiming, over.
        case asking
        /// No configuration is selected. Awaited: a change, or the time. Exits: asking, over.
        case waiting
        /// The configuration is being selected. Exits: claiming, over.
        case configuring
        /// The interface is claimed. Exits: selecting, draining, over.
        case claiming
        /// The alternate setting is selected. Exits: draining, over.
        case selecting
        /// The pipe reads what is left of an earlier use. Exits: over.
        case draining
        /// Its owner knows how it ended. Exits: none.
        case over
    }

    private let handle: USBDeviceHandle
    private let interface: USBStreamInterface
    private let settings: USBPipeSettings
    private let completion: (Result<USBPipe, USBPipeFailure>) -> Void
    private var state = State.asking
    private var tries = 0
    private var timer: TimerID?
    private var pipe: USBPipe?

    /// Begins. `completion` is called once, later, unless `cancel` comes first.
    public init(
        _ handle: USBDeviceHandle, _ interface: USBStreamInterface, settings: USBPipeSettings = USBPipeSettings(),
        completion: @escaping (Result<USBPipe, USBPipeFailure>) -> Void
    ) {
        self.handle = handle
        self.interface = interface
        self.settings = settings
        self.completion = completion
        // Holds on to the opening until it is over.
        timer = handle.loop.addTimer { _ in self.retry() }
        ask()
    }

    /// udev says that the device changed: if a configuration is waited for, it is asked for at once.
    public func configurationMayHaveChanged() { retry() }

    /// Calls it off and closes the device, whose end `closed` hears; `completion` is not called any more. Without effect
    /// when it is over.
    public func cancel(closed: @escaping (USBCloseOutcome) -> Void = { _ in }) {
        if state == .over { return }
        finish()
        if let pipe { pipe.close(completion: closed) } else { handle.close(completion: closed) }
        pipe = nil
    }

    private func finish() {
        state = .over
        if let timer { handle.loop.removeTimer(timer) }
        timer = nil
    }

    private func fail(_ failure: USBPipeFailure) {
        if state == .over { return }
        finish()
        if let pipe { pipe.close() } else { handle.close() }
        pipe = nil
        completion(.failure(failure))
    }

    // MARK: Configuration

    private func retry() {
        guard state == .waiting else { return }
        ask()
    }

    private func ask() {
        state = .asking
        tries += 1
        if let timer { handle.loop.setTimer(timer, nil) }
        // GET_CONFIGURATION (USB 2.0, 9.4.2): one byte, 0 while none is selected.
        let request = USBControlRequest(type: 0x80, request: 8)
        handle.control(request, length: 1, timeout: settings.controlTime) { [self] in answered($0) }
    }

    private func answered(_ outcome: USBOutcome<[UInt8]>) {
        guard state == .asking else { return }
        switch outcome {
        case .ok(let bytes):
            let active = bytes.first ?? 0
            if active == interface.configuration { return claim() }
            if settings.setsConfiguration { return configure() }
            if active == 0 { return wait() }
            fail(.otherConfiguration(active: active, needed: interface.configuration))
        // Some devices refuse the question; the claim will say more.
        case .stalled: claim()
        default: fail(USBPipeFailure(outcome, step: "which configuration is selected") ?? .cancelled)
        }
    }

    private func wait() {
        if tries >= max(1, settings.configurationTries) { return fail(.notConfigured(tries: tries)) }
        state = .waiting
        if let timer {
            handle.loop.setTimer(timer, SystemClock.monotonicNow() &+ settings.configurationInterval)
        }
    }

    private func configure() {
        state = .configuring
        handle.setConfiguration(interface.configuration) { [self] outcome in
            guard state == .configuring else { return }
            if let failure = USBPipeFailure(outcome, step: "select configuration \(interface.configuration)") {
                return fail(failure)
            }
            claim()
        }
    }

    // MARK: Interface

    private func claim() {
        state = .claiming
        handle.claim(interface: interface.number, detaching: settings.detachesDriver) { [self] outcome in
            guard state == .claiming else { return }
            switch outcome {
            case .ok where interface.alternate != 0: select()
            case .ok: begin()
            // The kernel knows no such interface while no configuration is selected.
            case .failed(let failure) where failure.name == "LIBUSB_ERROR_NOT_FOUND": wait()
            default: fail(USBPipeFailure(outcome, step: "claim interface \(interface.number)") ?? .cancelled)
            }
        }
    }

    private func select() {
        state = .selecting
        handle.setAlternate(interface: interface.number, alternate: interface.alternate) { [self] outcome in
            guard state == .selecting else { return }
            if let failure = USBPipeFailure(outcome, step: "select alternate setting \(interface.alternate)") {
                return fail(failure)
            }
            begin()
        }
    }

    private func begin() {
        state = .draining
        guard let pipe = USBPipe(handle, interface, settings) else {
            return fail(.failed(USBFailure("allocate transfers", "LIBUSB_ERROR_NO_MEM")))
        }
        self.pipe = pipe
        pipe.openingFailed = { [self] in fail($0) }
        let failure = pipe.begin { [self] in
            guard state == .draining else { return }
            finish()
            pipe.openingFailed = nil
            self.pipe = nil
            completion(.success(pipe))
        }
        if let failure { fail(failure) }
    }
}
