/// What brings an Android phone into accessory mode ([2+] AOA): the question for its protocol, six strings, the start.
/// Pure: requests out, outcomes in. After a good end the phone leaves the bus and returns as 18d1:2d00 to 2d05.
public struct AccessoryModeExchange {
    /// Where an exchange is. The raw value is its name in reasons.
    public enum Step: Equatable, Sendable {
        case protocolQuery
        case string(AccessoryStrings.Field)
        case start

        /// For a person.
        public var name: String {
            switch self {
            case .protocolQuery: "the protocol query"
            case .string(let field): "the string \(field)"
            case .start: "the start request"
            }
        }
    }

    /// Why a phone did not get into accessory mode. The phone is as it was, except after `start`.
    public enum Failure: Error, Equatable, Sendable {
        /// It has no accessory mode: it answers with protocol 0, or refuses the question.
        case notSupported
        /// Its answer to the protocol query has not two bytes.
        case badAnswer(bytes: Int)
        /// It refused a step (a STALL).
        case refused(Step)
        /// It did not answer a step in time.
        case silent(Step)
        /// It left the bus before the start.
        case gone(Step)
        /// The transport failed.
        case transport(Step, USBPipeFailure)
    }

    /// What to do next.
    public enum Action: Equatable, Sendable {
        /// Ask the device for `length` bytes.
        case ask(USBControlRequest, length: UInt16)
        /// Send the device `data`.
        case tell(USBControlRequest, data: [UInt8])
        /// The phone was told to start; it speaks this protocol.
        case started(protocolVersion: UInt16)
        /// It is over without success.
        case failed(Failure)
        /// Nothing: the exchange is over, or was not begun.
        case none
    }

    private enum State: Equatable {
        /// Nothing was sent. Exits: querying.
        case idle
        /// The protocol is asked for. Exits: sending, over.
        case querying
        /// A string is sent. Exits: sending (the next), starting, over.
        case sending(AccessoryStrings.Field, version: UInt16)
        /// The start is sent. Exits: over.
        case starting(version: UInt16)
        /// It has ended. Exits: none.
        case over
    }

    private let strings: AccessoryStrings
    private var state = State.idle

    /// An exchange with these strings.
    public init(_ strings: AccessoryStrings) { self.strings = strings }

    /// The first action.
    public mutating func begin() -> Action {
        switch state {
        case .idle:
            state = .querying
            return .ask(USBControlRequest(type: 0xC0, request: 51), length: 2)
        case .querying, .sending, .starting, .over: return .none
        }
    }

    /// The outcome of the last action; what to do then.
    public mutating func ended(_ outcome: USBOutcome<[UInt8]>) -> Action {
        switch state {
        case .idle, .over: return .none
        case .querying: return answered(outcome)
        case .sending(let field, let version):
            guard case .ok = outcome else { return fail(outcome, at: .string(field)) }
            let fields = AccessoryStrings.Field.allCases
            if let next = fields.first(where: { $0.rawValue > field.rawValue }) { return send(next, version) }
            state = .starting(version: version)
            return .tell(USBControlRequest(type: 0x40, request: 53), data: [])
        case .starting(let version):
            switch outcome {
            // A phone may leave before it has acknowledged the start.
            case .ok, .gone:
                state = .over
                return .started(protocolVersion: version)
            default: return fail(outcome, at: .start)
            }
        }
    }

    private mutating func answered(_ outcome: USBOutcome<[UInt8]>) -> Action {
        switch outcome {
        case .ok(let bytes):
            guard bytes.count == 2 else { return fail(.badAnswer(bytes: bytes.count)) }
            let version = UInt16(bytes[0]) | UInt16(bytes[1]) << 8
            switch version {
            case 0: return fail(.notSupported)
            // 1 and 2 are known; a later one keeps the three requests, as 2 did.
            default: return send(.manufacturer, version)
            }
        // A device that does not know the request refuses it.
        case .stalled: return fail(.notSupported)
        default: return fail(outcome, at: .protocolQuery)
        }
    }

    private mutating func send(_ field: AccessoryStrings.Field, _ version: UInt16) -> Action {
        state = .sending(field, version: version)
        return .tell(
            USBControlRequest(type: 0x40, request: 52, index: field.rawValue), data: strings.terminated(field))
    }

    private mutating func fail(_ outcome: USBOutcome<[UInt8]>, at step: Step) -> Action {
        switch outcome {
        case .stalled: fail(.refused(step))
        case .timedOut: fail(.silent(step))
        case .gone: fail(.gone(step))
        default: fail(.transport(step, USBPipeFailure(outcome, step: step.name) ?? .cancelled))
        }
    }

    private mutating func fail(_ failure: Failure) -> Action {
        state = .over
        return .failed(failure)
    }
}

extension AccessoryModeExchange.Failure: CustomStringConvertible {
    /// Its name in records and logs.
    public var name: String {
        switch self {
        case .notSupported: "accessoryNotSupported"
        case .badAnswer: "accessoryAnswerUnknown"
        case .refused: "accessoryRefused"
        case .silent: "accessorySilent"
        case .gone: "gone"
        case .transport(_, let failure): failure.name
        }
    }

    /// One sentence.
    public var description: String {
        switch self {
        case .notSupported: "the phone has no accessory mode"
        case .badAnswer(let count): "the phone's answer to the protocol query has \(count) bytes instead of 2"
        case .refused(let step): "the phone refused \(step.name)"
        case .silent(let step): "the phone did not answer \(step.name) in time"
        case .gone(let step): "the phone was unplugged at \(step.name)"
        case .transport(let step, let failure): "\(step.name): \(failure)"
        }
    }
}

extension USBDeviceHandle {
    /// Runs the exchange. After a success the phone leaves the bus and comes back in accessory mode; the handle is of no
    /// more use. Each of the eight requests may take `timeout`.
    public func startAccessoryMode(
        _ strings: AccessoryStrings, timeout: UInt64 = 1_000_000_000,
        completion: @escaping (Result<UInt16, AccessoryModeExchange.Failure>) -> Void
    ) {
        var exchange = AccessoryModeExchange(strings)
        perform(exchange.begin(), exchange, timeout, completion)
    }

    private func perform(
        _ action: AccessoryModeExchange.Action, _ exchange: AccessoryModeExchange, _ timeout: UInt64,
        _ completion: @escaping (Result<UInt16, AccessoryModeExchange.Failure>) -> Void
    ) {
        let next: (USBOutcome<[UInt8]>) -> Void = { outcome in
            var exchange = exchange
            let action = exchange.ended(outcome)
            self.perform(action, exchange, timeout, completion)
        }
        switch action {
        case .ask(let request, let length): control(request, length: length, timeout: timeout, completion: next)
        case .tell(let request, let data): control(request, data: data, timeout: timeout, completion: next)
        case .started(let version): completion(.success(version))
        case .failed(let failure): completion(.failure(failure))
        case .none: break
        }
    }
}
