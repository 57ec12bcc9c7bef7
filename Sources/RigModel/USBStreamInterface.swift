/// An interface whose bulk pair carries a byte stream, and where it is found.
public struct USBStreamInterface: Equatable, Hashable, Sendable {
    /// The value of the configuration that has it.
    public var configuration: UInt8
    /// The interface's number.
    public var number: UInt8
    /// The alternate setting that has the endpoints.
    public var alternate: UInt8
    /// The endpoints.
    public var pair: USBBulkPair
    /// True when there is an interrupt endpoint too, as some units have it. Nothing is said on it.
    public var hasInterruptInput: Bool

    /// States an interface.
    public init(
        configuration: UInt8, number: UInt8, alternate: UInt8 = 0, pair: USBBulkPair, hasInterruptInput: Bool = false
    ) {
        self.configuration = configuration
        self.number = number
        self.alternate = alternate
        self.pair = pair
        self.hasInterruptInput = hasInterruptInput
    }
}

extension USBDeviceDescription {
    /// The interface of the iAP-style link: class FF, subclass F0, a bulk pair ([2+][C] V851, CAT, WIO, CLK). Its
    /// protocol byte and its string differ between units and are not looked at; nor is an interrupt endpoint.
    ///
    /// The configuration in use comes first, then the others in their order; `nil` when none has it.
    public var linkInterface: USBStreamInterface? {
        streamInterface { $0.code == 0xFF && $0.subclass == 0xF0 }
    }

    /// Whether the device is an Android phone in accessory mode: 18d1:2d00 to 18d1:2d05 ([2+] AOA, LIVI). Two of these
    /// are audio alone and have no accessory interface.
    public var isAndroidAccessory: Bool { vendor == 0x18D1 && (0x2D00...0x2D05).contains(product) }

    /// The interface of an Android phone in accessory mode: vendor specific, with a bulk pair, and not the one of the
    /// debug bridge (FF/42/01). `nil` for every other device, and for one that has audio alone.
    public var accessoryInterface: USBStreamInterface? {
        guard isAndroidAccessory else { return nil }
        return streamInterface { $0.code == 0xFF && $0.subclass == 0xFF }
    }

    private func streamInterface(_ fits: (USBClass) -> Bool) -> USBStreamInterface? {
        let inUse = configurations.filter { $0.value == activeConfiguration }
        for configuration in inUse + configurations.filter({ $0.value != activeConfiguration }) {
            for interface in configuration.interfaces where fits(interface.function) {
                // A packet size of 0 is a broken descriptor: no transfer could be sized by it.
                guard let pair = interface.bulkPair, pair.input.maxPacket > 0, pair.output.maxPacket > 0 else {
                    continue
                }
                return USBStreamInterface(
                    configuration: configuration.value, number: interface.number, alternate: interface.alternate,
                    pair: pair,
                    hasInterruptInput: interface.endpoints.contains { $0.transferType == .interrupt && $0.isIn })
            }
        }
        return nil
    }
}
