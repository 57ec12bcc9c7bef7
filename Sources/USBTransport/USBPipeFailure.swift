public import LinuxIO

/// Why a pipe could not be opened, or why it ended. Each has a name that stays the same.
public enum USBPipeFailure: Error, Equatable, Sendable {
    /// Somebody else has the device or the interface.
    case busy(USBHolder?)
    /// Permissions keep the rig out.
    case noAccess
    /// The device was unplugged, or counts as unplugged.
    case gone
    /// A call to the device's driver does not return.
    case stuck
    /// The device did not answer in time while it was being prepared.
    case silent(step: String)
    /// No configuration was selected, although the device was asked so many times.
    case notConfigured(tries: Int)
    /// The interface is in a configuration that is not in use, and the rig may not select it.
    case otherConfiguration(active: UInt8, needed: UInt8)
    /// The device refused a request while it was being prepared.
    case refusedRequest(step: String)
    /// An endpoint stalled again and again.
    case stalled(endpoint: UInt8)
    /// Transfers of an endpoint failed again and again.
    case transferErrors(endpoint: UInt8)
    /// The device did not take what was sent to it.
    case notTaken(endpoint: UInt8)
    /// The device sent a packet that is larger than it says its packets are.
    case overflow(endpoint: UInt8)
    /// The rig called it off.
    case cancelled
    /// The rig itself had no room for it.
    case refused(JobRefusal)
    /// Something else, as libusb or the kernel names it.
    case failed(USBFailure)

    /// What an outcome that is not `ok` means; `nil` for one that is. `step` says what was asked.
    init?<Value>(_ outcome: USBOutcome<Value>, step: String) {
        switch outcome {
        case .ok: return nil
        case .busy(let holder): self = .busy(holder)
        case .noAccess: self = .noAccess
        case .gone: self = .gone
        case .stuck: self = .stuck
        case .timedOut: self = .silent(step: step)
        case .stalled: self = .refusedRequest(step: step)
        case .cancelled: self = .cancelled
        case .refused(let refusal): self = .refused(refusal)
        case .failed(let failure): self = .failed(failure)
        }
    }

    /// Its name in records and logs.
    public var name: String {
        switch self {
        case .busy: "busy"
        case .noAccess: "noAccess"
        case .gone: "gone"
        case .stuck: "stuck"
        case .silent: "silent"
        case .notConfigured: "notConfigured"
        case .otherConfiguration: "otherConfiguration"
        case .refusedRequest: "refusedRequest"
        case .stalled: "stalled"
        case .transferErrors: "transferErrors"
        case .notTaken: "notTaken"
        case .overflow: "overflow"
        case .cancelled: "cancelled"
        case .refused: "refused"
        case .failed: "failed"
        }
    }
}

extension USBPipeFailure: CustomStringConvertible {
    /// One sentence: what happened and what to do.
    public var description: String {
        switch self {
        case .busy(let holder): "the interface is held by \(holder.map(\.description) ?? "another program"); end that"
        case .noAccess: "the device cannot be opened; the udev rule gives it to dashrig-devices"
        case .gone: "the device was unplugged"
        case .stuck: "a call to the device's driver does not return; replug the device"
        case .silent(let step): "the device did not answer in time: \(step)"
        case .notConfigured(let tries): "no configuration was selected in \(tries) tries; allow the rig to select it"
        case .otherConfiguration(let active, let needed):
            "configuration \(active) is selected and the interface is in \(needed); allow the rig to select it"
        case .refusedRequest(let step): "the device refused a request: \(step)"
        case .stalled(let endpoint): "endpoint \(Self.text(endpoint)) stalled again and again"
        case .transferErrors(let endpoint): "transfers of endpoint \(Self.text(endpoint)) fail; check the cable"
        case .notTaken(let endpoint): "the device takes nothing from endpoint \(Self.text(endpoint))"
        case .overflow(let endpoint): "the device sent a packet that is too large on endpoint \(Self.text(endpoint))"
        case .cancelled: "it was called off"
        case .refused(let refusal): "the rig has no room for it: \(refusal)"
        case .failed(let failure): failure.description
        }
    }

    private static func text(_ endpoint: UInt8) -> String {
        let digits = String(endpoint, radix: 16)
        return "0x" + (digits.count < 2 ? "0" : "") + digits
    }
}
