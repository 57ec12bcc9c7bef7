import LinuxIO
import RigModel
import USBTransport

/// What is asked of phones outside any link: probes of Apple devices, Android's accessory mode, the role switch.
enum USBModes {
    /// How the rig shows itself to an Android phone. These two first strings start Android Auto where the phone has it
    /// ([2+] AAS, HUR, LIVI); the others are free.
    static func strings(version: String) -> AccessoryStrings? {
        try? AccessoryStrings(
            manufacturer: "Android", model: "Android Auto", description: "Dashrig", version: version,
            uri: "", serial: "")
    }

    /// What an Apple device answered; `nil` where it did not.
    struct Probe: Equatable {
        var mode: String?
        var isCarPlayCapable: Bool?
    }

    /// Asks an Apple device for its mode and for what it can do. Each question may take a second; one that is refused
    /// leaves its answer out.
    static func probe(_ handle: USBDeviceHandle, completion: @escaping (Probe) -> Void) {
        handle.appleMode { mode in
            var probe = Probe(mode: mode.value.map { hexadecimal($0.bytes) })
            handle.appleCapabilities { capabilities in
                probe.isCarPlayCapable = capabilities.value?.isCarPlayCapable
                completion(probe)
            }
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count < 2 ? "0" + digits : digits
        }.joined()
    }

    /// Tells a device to change its mode; why it does not, or `nil` when it does.
    static func perform(
        _ mode: ModeSwitch, on handle: USBDeviceHandle, version: String, completion: @escaping (Reason?) -> Void
    ) {
        switch mode {
        case .accessory:
            guard let strings = strings(version: version) else {
                return completion(Reason("badStrings", .local, "the rig's own strings are too long"))
            }
            handle.startAccessoryMode(strings) { result in
                switch result {
                case .success: completion(nil)
                case .failure(let failure): completion(Reason(failure.name, .device, failure.description))
                }
            }
        case .carPlayHost: switchRole(handle, carPlay: true, completion)
        case .plainHost: switchRole(handle, carPlay: false, completion)
        }
    }

    private static func switchRole(
        _ handle: USBDeviceHandle, carPlay: Bool, _ completion: @escaping (Reason?) -> Void
    ) {
        handle.appleRoleSwitch(carPlay: carPlay) { outcome in
            completion(reason(outcome, refused: "the phone refused the role switch"))
        }
    }

    /// Why something that was asked of a device did not work; `nil` when it did.
    static func reason<Value>(_ outcome: USBOutcome<Value>, refused: String) -> Reason? {
        switch outcome {
        case .ok: nil
        case .stalled: Reason("refused", .device, refused)
        case .busy(let holder): USBWire.reason(.busy(holder))
        case .noAccess: USBWire.reason(.noAccess)
        case .gone: USBWire.reason(.gone)
        case .stuck: USBWire.reason(.stuck)
        case .timedOut: Reason("silent", .device, "the device did not answer in time")
        case .cancelled: USBWire.reason(.cancelled)
        case .refused(let refusal): USBWire.reason(.refused(refusal))
        case .failed(let failure): USBWire.reason(.failed(failure))
        }
    }
}
