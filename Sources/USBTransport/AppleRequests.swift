/// Which set of configurations an Apple device offers, as its answer to "get mode" says ([1] UMX).
public struct AppleMode: Equatable, Sendable {
    /// The four bytes of the answer. `03 03 03 00` is what a device says at first; `05 03 03 00` is the other answer
    /// that is known. What each byte means is not public [?].
    public let bytes: [UInt8]

    /// True for the answer of a device that nobody has switched to another mode yet: `03 03 03 00` [1].
    public var isInitial: Bool { bytes == [3, 3, 3, 0] }

    /// Reads an answer; `nil` when it has not four bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 4 else { return nil }
        self.bytes = bytes
    }
}

/// What an Apple device says it can do as a USB host ([X]: the sources agree on the request, not on its bits).
public struct AppleCapabilities: Equatable, Sendable {
    /// The answer: four bytes, little-endian. `01 00 00 00` was seen where CarPlay is possible (CAT, RSW, RPI28),
    /// `00 00 00 00` from a real phone on which it seems to be off (POD).
    public let bits: UInt32

    /// Bit 0: CarPlay is possible now. Derived from the answers above [D].
    public var isCarPlayCapable: Bool { bits & 1 != 0 }

    /// Reads an answer; `nil` when it has not four bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 4 else { return nil }
        bits = UInt32(bytes[0]) | UInt32(bytes[1]) << 8 | UInt32(bytes[2]) << 16 | UInt32(bytes[3]) << 24
    }
}

/// The vendor requests of Apple phones that the rig makes.
public enum AppleRequest {
    /// Get mode, C0/45, four bytes back [1] UMX. Reads only. Answered before a configuration is selected.
    public static let mode = USBControlRequest(type: 0xC0, request: 0x45)
    /// Get capabilities, C0/53, four bytes back [2+]. Reads only. Some units ask it before SET_CONFIGURATION ([1] CAT).
    public static let capabilities = USBControlRequest(type: 0xC0, request: 0x53)
    /// How many bytes both answers have.
    public static let answerLength: UInt16 = 4

    /// Role switch, 40/51 ([2+][C] MTK, WIO, OCBM, V851): the phone leaves the bus as a device and becomes the host. The
    /// value is 1 for CarPlay and 0 for the plain iAP-style host mode.
    public static func roleSwitch(carPlay: Bool) -> USBControlRequest {
        USBControlRequest(type: 0x40, request: 0x51, value: carPlay ? 1 : 0)
    }
}

extension USBDeviceHandle {
    /// Asks an Apple device for its mode. Changes nothing in it.
    public func appleMode(timeout: UInt64 = 1_000_000_000, completion: @escaping (USBOutcome<AppleMode>) -> Void) {
        ask(AppleRequest.mode, "get mode", timeout, AppleMode.init, completion)
    }

    /// Asks an Apple device what it can do. Changes nothing in it.
    public func appleCapabilities(
        timeout: UInt64 = 1_000_000_000, completion: @escaping (USBOutcome<AppleCapabilities>) -> Void
    ) {
        ask(AppleRequest.capabilities, "get capabilities", timeout, AppleCapabilities.init, completion)
    }

    /// Tells an Apple device to become the host. Only for an explicit command: the device leaves the bus. A device that
    /// leaves before it has acknowledged the request did what was asked.
    public func appleRoleSwitch(
        carPlay: Bool = true, timeout: UInt64 = 1_000_000_000, completion: @escaping (USBOutcome<Bool>) -> Void
    ) {
        control(AppleRequest.roleSwitch(carPlay: carPlay), data: [], timeout: timeout) { outcome in
            if case .gone = outcome { return completion(.ok(true)) }
            completion(outcome.map { _ in true })
        }
    }

    private func ask<Value>(
        _ request: USBControlRequest, _ name: String, _ timeout: UInt64, _ read: @escaping ([UInt8]) -> Value?,
        _ completion: @escaping (USBOutcome<Value>) -> Void
    ) {
        control(request, length: AppleRequest.answerLength, timeout: timeout) { outcome in
            switch outcome {
            case .ok(let bytes):
                guard let value = read(bytes) else {
                    return completion(.failed(USBFailure(name, "SHORT_ANSWER")))
                }
                completion(.ok(value))
            case .busy(let holder): completion(.busy(holder))
            case .noAccess: completion(.noAccess)
            case .gone: completion(.gone)
            case .stuck: completion(.stuck)
            case .timedOut: completion(.timedOut)
            case .stalled: completion(.stalled)
            case .cancelled: completion(.cancelled)
            case .refused(let refusal): completion(.refused(refusal))
            case .failed(let failure): completion(.failed(failure))
            }
        }
    }
}
