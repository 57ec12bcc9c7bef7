/// The names a device has for itself.
public struct USBStrings: Equatable, Sendable {
    /// Who made it, or `nil` where it does not say.
    public var manufacturer: String?
    /// What it is.
    public var product: String?
    /// Its serial; may repeat among devices.
    public var serial: String?

    /// States names.
    public init(manufacturer: String? = nil, product: String? = nil, serial: String? = nil) {
        self.manufacturer = manufacturer
        self.product = product
        self.serial = serial
    }
}

extension USBDeviceHandle {
    /// Asks the device for its names: for when neither sysfs nor udev has them. Each of the up to four questions may
    /// take `timeout`; a name that the device refuses is left out, any other failure ends it.
    public func strings(timeout: UInt64 = 1_000_000_000, completion: @escaping (USBOutcome<USBStrings>) -> Void) {
        descriptor(string: 0, language: 0, timeout: timeout) { outcome in
            switch outcome {
            case .ok(let bytes):
                guard let language = USBStringDescriptor.languages(bytes).first else {
                    return completion(.ok(USBStrings()))
                }
                let wanted: [(WritableKeyPath<USBStrings, String?>, UInt8)] = [
                    (\.manufacturer, self.stringIndices.manufacturer), (\.product, self.stringIndices.product),
                    (\.serial, self.stringIndices.serial),
                ]
                self.ask(wanted[...], language: language, timeout: timeout, USBStrings(), completion)
            case .stalled: completion(.ok(USBStrings()))
            default: completion(outcome.map { _ in USBStrings() })
            }
        }
    }

    private func ask(
        _ wanted: ArraySlice<(WritableKeyPath<USBStrings, String?>, UInt8)>, language: UInt16, timeout: UInt64,
        _ known: USBStrings, _ completion: @escaping (USBOutcome<USBStrings>) -> Void
    ) {
        guard let (path, index) = wanted.first else { return completion(.ok(known)) }
        let rest = wanted.dropFirst()
        if index == 0 { return ask(rest, language: language, timeout: timeout, known, completion) }
        descriptor(string: index, language: language, timeout: timeout) { outcome in
            switch outcome {
            case .ok(let bytes):
                var more = known
                more[keyPath: path] = USBStringDescriptor.text(bytes)
                self.ask(rest, language: language, timeout: timeout, more, completion)
            case .stalled: self.ask(rest, language: language, timeout: timeout, known, completion)
            default: completion(outcome.map { _ in known })
            }
        }
    }

    private func descriptor(
        string index: UInt8, language: UInt16, timeout: UInt64, completion: @escaping (USBOutcome<[UInt8]>) -> Void
    ) {
        // GET_DESCRIPTOR of a string; 255 is the most that its one length byte can say.
        let request = USBControlRequest(type: 0x80, request: 6, value: 0x0300 | UInt16(index), index: language)
        control(request, length: 255, timeout: timeout, completion: completion)
    }
}

/// The layout of string descriptors (USB 2.0, 9.6.7): length, type 3, then little-endian words.
enum USBStringDescriptor {
    /// The languages of descriptor 0; English (United States) comes first if it is there.
    static func languages(_ bytes: [UInt8]) -> [UInt16] {
        let words = words(bytes)
        return words.filter { $0 == 0x0409 } + words.filter { $0 != 0x0409 }
    }

    /// The text of a string, repaired where it is not valid UTF-16; `nil` when it is empty or no string.
    static func text(_ bytes: [UInt8]) -> String? {
        let words = words(bytes)
        let padding: Set<UInt16> = [0, 0x20]
        guard let last = words.lastIndex(where: { !padding.contains($0) }) else { return nil }
        return String(decoding: words[...last], as: UTF16.self)
    }

    private static func words(_ bytes: [UInt8]) -> [UInt16] {
        guard bytes.count >= 2, bytes[1] == 3 else { return [] }
        // Devices are known that say more than they send.
        let end = min(Int(bytes[0]), bytes.count)
        return stride(from: 2, to: end - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
    }
}
