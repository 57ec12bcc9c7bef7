import ControlProtocol

/// The control machine of either side, as one value.
enum EndpointControl: ControlMachine {
    case accessory(AccessoryControlMachine)
    case device(DeviceControlMachine)

    var phase: ControlPhase {
        switch self {
        case .accessory(let machine): machine.phase
        case .device(let machine): machine.phase
        }
    }

    var step: ControlStep? {
        switch self {
        case .accessory(let machine): machine.step
        case .device(let machine): machine.step
        }
    }

    var wait: ControlWait? {
        switch self {
        case .accessory(let machine): machine.wait
        case .device(let machine): machine.wait
        }
    }

    var nextDeadline: UInt64? {
        switch self {
        case .accessory(let machine): machine.nextDeadline
        case .device(let machine): machine.nextDeadline
        }
    }

    mutating func start(now: UInt64, into output: inout ControlOutput) {
        change {
            $0.start(now: now, into: &output)
        } _: {
            $0.start(now: now, into: &output)
        }
    }

    mutating func receive(_ message: ControlMessage, now: UInt64, into output: inout ControlOutput) {
        change {
            $0.receive(message, now: now, into: &output)
        } _: {
            $0.receive(message, now: now, into: &output)
        }
    }

    mutating func streamFailed(_ error: ControlStreamError, into output: inout ControlOutput) {
        change {
            $0.streamFailed(error, into: &output)
        } _: {
            $0.streamFailed(error, into: &output)
        }
    }

    mutating func deadlineReached(now: UInt64, into output: inout ControlOutput) {
        change {
            $0.deadlineReached(now: now, into: &output)
        } _: {
            $0.deadlineReached(now: now, into: &output)
        }
    }

    mutating func send(_ message: ControlMessage, into output: inout ControlOutput) throws(ControlSendError) {
        switch self {
        case .accessory(var machine):
            try machine.send(message, into: &output)
            self = .accessory(machine)
        case .device(var machine):
            try machine.send(message, into: &output)
            self = .device(machine)
        }
    }

    mutating func close(now: UInt64, into output: inout ControlOutput) {
        change {
            $0.close(now: now, into: &output)
        } _: {
            $0.close(now: now, into: &output)
        }
    }

    private mutating func change(
        _ accessory: (inout AccessoryControlMachine) -> Void, _ device: (inout DeviceControlMachine) -> Void
    ) {
        switch self {
        case .accessory(var machine):
            accessory(&machine)
            self = .accessory(machine)
        case .device(var machine):
            device(&machine)
            self = .device(machine)
        }
    }
}
