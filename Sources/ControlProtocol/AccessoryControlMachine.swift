/// The head unit's side of a handshake: it answers whatever the phone asks, in the phone's order.
///
/// ```
/// phone                                     unit
///   | AA00 ----------------------------------> |  authenticating
///   | <-------- AA01 certificate, AA06 if told |
///   | AA02 challenge ------------------------> |  asks its owner for a signature
///   | <------------------------ AA03 signature |
///   | AA05 ----------------------------------> |
///   | 1D00 ----------------------------------> |  identifying (may come before AA00)
///   | <------------------- 1D01 identification |
///   | 1D02 ----------------------------------> |
///   | <------------------------- AE03 if listed |  starting
///   | 4300 ----------------------------------> |  not on the classic path
///   | <--------------------------------- 4301  |
///   | <------------------------ D500 if listed |  active
/// ```
///
/// Certificates and signatures are bytes that its owner brings; nothing here knows a key.
public struct AccessoryControlMachine: ControlMachine {
    /// What is true now. Every case names its legal exits.
    enum State: Sendable {
        /// The link is not up. Exits: `handshaking` (start), `closed` (close).
        case idle
        /// The phone's requests are answered. Exits: `starting` or `active` (both parts are done), `closed`.
        case handshaking(Handshake)
        /// Both parts are done; what the configuration waits for is awaited, then 4300. Exits: `active` (4300 with a
        /// transport; on the classic path, the last that was awaited), `closed`.
        case starting(Starting)
        /// The session runs. Exits: `closed`.
        case active
        /// Over. No exits.
        case closed
    }

    /// Both parts of the handshake, which the phone may bring in any order.
    struct Handshake: Sendable {
        var authentication: Authentication = .awaitingRequest
        var identifying: Identifying = .awaitingRequest
        /// The phone told that it waits for its user; no deadline runs.
        var waiting: ControlWait?
        /// A 4300 that came early.
        var availability: CarPlayAvailability?
        /// What the configuration waits for and has not come.
        var missing: [MessageID]

        var isDone: Bool {
            switch (authentication, identifying) {
            case (.done, .done): true
            case (.awaitingRequest, _), (.awaitingChallenge, _), (.signing, _), (.awaitingResult, _),
                (.done, .awaitingRequest), (.done, .awaitingResult):
                false
            }
        }
    }

    /// What is between both parts and the session.
    struct Starting: Sendable {
        /// What holds the phone up; no deadline runs.
        var waiting: ControlWait?
        /// What the configuration waits for and has not come.
        var missing: [MessageID]
        /// A 4300 that came while something was missing.
        var availability: CarPlayAvailability?
    }

    enum Authentication: Sendable {
        /// AA00 is awaited. Exit: `awaitingChallenge`.
        case awaitingRequest
        /// The certificate was sent, AA02 is awaited. Exits: `signing`, failure (AA04).
        case awaitingChallenge
        /// The owner was asked for a signature. Exits: `awaitingResult`, failure (AA04, no signature).
        case signing
        /// The signature was sent, AA05 is awaited. Exits: `done`, failure (AA04).
        case awaitingResult
        /// AA05 came. No exits.
        case done
    }

    enum Identifying: Sendable {
        /// 1D00 is awaited. Exit: `awaitingResult`.
        case awaitingRequest
        /// This was sent, 1D02 or 1D03 is awaited. Exits: `done`, itself (1D03 on what can be dropped), failure (1D03).
        case awaitingResult(Identification)
        /// 1D02 came. No exits.
        case done
    }

    /// What the unit brings.
    public let configuration: AccessoryConfiguration
    /// What the phone accepted the unit as: what is configured without what was refused. Nil before.
    public internal(set) var identification: Identification?

    var state: State = .idle
    var subscriptions = SubscriptionWatch()
    /// Which updates the phone asked for.
    public var wanted: Subscriptions { subscriptions.wanted }
    private var stepDeadline: UInt64?

    /// A handshake that was not started.
    public init(configuration: AccessoryConfiguration) {
        self.configuration = configuration
    }

    // MARK: Getters

    /// How far the handshake is.
    public var phase: ControlPhase {
        switch state {
        case .idle: .idle
        case .handshaking(let handshake): Self.phase(of: handshake)
        case .starting: .starting
        case .active: .active
        case .closed: .closed
        }
    }

    /// What is awaited now.
    public var step: ControlStep? {
        switch state {
        case .handshaking(let handshake): Self.step(of: handshake)
        case .starting(let starting): starting.missing.isEmpty ? .availability : .information
        case .idle, .active, .closed: nil
        }
    }

    /// What holds the handshake up without a deadline.
    public var wait: ControlWait? {
        switch state {
        case .handshaking(let handshake): handshake.waiting
        case .starting(let starting): starting.waiting
        case .idle, .active, .closed: nil
        }
    }

    /// When `deadlineReached` is to be called next.
    public var nextDeadline: UInt64? { stepDeadline }

    /// The part that is under way; when none is, the one that comes next.
    private static func phase(of handshake: Handshake) -> ControlPhase {
        switch (handshake.authentication, handshake.identifying) {
        case (.awaitingChallenge, _), (.signing, _), (.awaitingResult, _): .authenticating
        case (.awaitingRequest, .awaitingResult): .identifying
        case (.awaitingRequest, .awaitingRequest), (.awaitingRequest, .done): .authenticating
        case (.done, _): .identifying
        }
    }

    private static func step(of handshake: Handshake) -> ControlStep {
        switch (handshake.authentication, handshake.identifying) {
        case (.awaitingChallenge, _): .challenge
        case (.signing, _): .signature
        case (.awaitingResult, _): .authenticationResult
        case (.awaitingRequest, .awaitingResult), (.done, .awaitingResult): .identificationResult
        case (.awaitingRequest, .awaitingRequest), (.awaitingRequest, .done), (.done, .awaitingRequest),
            (.done, .done):
            .request
        }
    }

    // MARK: Events

    /// Begins, once the link is up.
    public mutating func start(now: UInt64, into output: inout ControlOutput) {
        switch state {
        case .idle: enter(.handshaking(Handshake(missing: configuration.awaited)), now: now, into: &output)
        case .handshaking, .starting, .active, .closed: break
        }
    }

    /// Takes one message from the other side.
    public mutating func receive(_ message: ControlMessage, now: UInt64, into output: inout ControlOutput) {
        do throws(ControlFailure) {
            switch state {
            case .idle, .closed:
                break
            case .handshaking(let handshake):
                guard admits(message, into: &output) else { return }
                try receive(message, in: handshake, now: now, into: &output)
            case .starting(let starting):
                guard admits(message, into: &output) else { return }
                try receive(message, whenStarting: starting, now: now, into: &output)
            case .active:
                guard admits(message, into: &output) else { return }
                try receiveWhenActive(message, into: &output)
            }
        } catch {
            fail(error, into: &output)
        }
    }

    /// The signature that was asked for by `needSignature`. Without effect when none is awaited: the handshake may have
    /// ended meanwhile.
    public mutating func signatureReady(_ signature: [UInt8], now: UInt64, into output: inout ControlOutput) {
        guard case .handshaking(var handshake) = state, case .signing = handshake.authentication else { return }
        do throws(ControlFailure) {
            try send(AuthenticationResponse(signature: signature), into: &output)
            handshake.authentication = .awaitingResult
            enter(.handshaking(handshake), now: now, into: &output)
        } catch {
            fail(error, into: &output)
        }
    }

    /// The signature that was asked for cannot be made. Without effect when none is awaited.
    public mutating func signatureFailed(reason: String, into output: inout ControlOutput) {
        guard case .handshaking(let handshake) = state, case .signing = handshake.authentication else { return }
        fail(.signatureUnavailable(reason), into: &output)
    }

    /// The control channel's bytes make no messages: it fails.
    public mutating func streamFailed(_ error: ControlStreamError, into output: inout ControlOutput) {
        fail(.brokenStream(error), into: &output)
    }

    /// Does what is due at `now`.
    public mutating func deadlineReached(now: UInt64, into output: inout ControlOutput) {
        guard let deadline = stepDeadline, deadline <= now, let step else { return }
        fail(.stepTimedOut(step), into: &output)
    }

    /// Sends a message of the application. Throws unless the session is active.
    public mutating func send(_ message: ControlMessage, into output: inout ControlOutput) throws(ControlSendError) {
        guard case .active = state else { throw ControlSendError(phase: phase) }
        subscriptions.sends(message)
        output.messages.append(message)
    }

    /// Tells the phone that the unit is something else from now on (1D06). Throws unless the phone has accepted it.
    public mutating func updateIdentification(
        _ update: IdentificationUpdate, into output: inout ControlOutput
    ) throws(ControlSendError) {
        guard let accepted = identification, phase != .closed, let message = try? update.message() else {
            throw ControlSendError(phase: phase)
        }
        identification = update.applied(to: accepted)
        output.messages.append(message)
    }

    /// Takes the identification back that the phone has not answered yet (1D05): the handshake is over. Throws when none
    /// is on its way.
    public mutating func cancelIdentification(into output: inout ControlOutput) throws(ControlSendError) {
        guard case .handshaking(let handshake) = state, case .awaitingResult = handshake.identifying else {
            throw ControlSendError(phase: phase)
        }
        output.messages.append(ControlMessage(.cancelIdentification))
        fail(.identificationCancelled(by: .local), into: &output)
    }

    /// Ends it from this side or because the link is gone.
    public mutating func close(now: UInt64, into output: inout ControlOutput) {
        switch state {
        case .idle, .handshaking, .starting, .active: enter(.closed, now: now, into: &output)
        case .closed: break
        }
    }

    // MARK: Transitions

    /// Takes a new state, tells a new phase and sets the deadline of what is awaited now.
    mutating func enter(_ next: State, now: UInt64, into output: inout ControlOutput) {
        let before = phase
        state = next
        if phase != before { output.notices.append(.phaseChanged(phase)) }
        if let step, wait == nil {
            stepDeadline = now.adding(configuration.deadlines[step])
        } else {
            stepDeadline = nil
        }
    }

    private mutating func fail(_ failure: ControlFailure, into output: inout ControlOutput) {
        switch state {
        case .idle, .closed:
            break
        case .handshaking, .starting, .active:
            state = .closed
            stepDeadline = nil
            output.notices.append(.failed(failure))
            output.notices.append(.phaseChanged(.closed))
        }
    }

    func send(_ message: some TypedControlMessage, into output: inout ControlOutput) throws(ControlFailure) {
        output.messages.append(try .encoding(message))
    }
}
