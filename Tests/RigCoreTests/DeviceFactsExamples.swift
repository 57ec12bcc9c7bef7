import RigModel

extension DeviceFacts {
    /// An iPhone as the USB shows it.
    static func iPhone(_ serial: String, port: String) -> DeviceFacts {
        DeviceFacts(
            kind: .iPhone, profile: "iphone", vendor: 0x05AC, product: 0x12A8, serial: serial, port: port,
            manufacturer: "Apple Inc.", model: "iPhone", origin: .observed)
    }

    /// An Android phone as the USB shows it.
    static func android(_ serial: String, port: String) -> DeviceFacts {
        DeviceFacts(
            kind: .androidPhone, profile: "android", vendor: 0x18D1, product: 0x4EE1, serial: serial, port: port,
            origin: .observed)
    }

    /// A head unit as the USB shows it.
    static func headUnit(_ serial: String, port: String) -> DeviceFacts {
        DeviceFacts(
            kind: .headUnit, profile: "head-unit", vendor: 0x1D6B, product: 0x0104, serial: serial, port: port,
            origin: .observed)
    }

    /// A rotary knob on evdev.
    static func knob(_ serial: String = "", port: String) -> DeviceFacts {
        DeviceFacts(kind: .knob, profile: "knob", serial: serial, port: port, origin: .observed)
    }

    /// The same device as something else.
    func shown(as kind: DeviceKind, serial: String? = nil) -> DeviceFacts {
        var facts = self
        facts.kind = kind
        facts.serial = serial ?? facts.serial
        return facts
    }
}
