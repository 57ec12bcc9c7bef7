internal import RigModel

/// The surface of a virtual touchpad or touchscreen.
public struct VirtualSurface: Equatable, Sendable {
    /// How many places there are from left to right.
    public var width: Int32
    /// How many places there are from top to bottom.
    public var height: Int32
    /// Places per millimetre; 0 where the device does not tell.
    public var resolution: Int32
    /// How many contacts it tells apart.
    public var slots: Int

    /// States a surface: sides from 2, slots from 1.
    public init(width: Int32, height: Int32, resolution: Int32, slots: Int) {
        self.width = width
        self.height = height
        self.resolution = resolution
        self.slots = slots
    }

    /// A pad of 100 mm by 60 mm, which is a large one of a car or a laptop, and five fingers.
    public static let touchpad = VirtualSurface(width: 1_000, height: 600, resolution: 10, slots: 5)
    /// A screen of 1280 by 720 places and ten fingers, whose size in millimetres is not told, as most do.
    public static let touchscreen = VirtualSurface(width: 1_280, height: 720, resolution: 0, slots: 10)
    /// The surface that a kind has when nothing else is asked for; `nil` for a knob.
    public static func standard(_ kind: VirtualInputDevice.Kind) -> VirtualSurface? {
        switch kind {
        case .knob: nil
        case .touchpad: .touchpad
        case .touchscreen: .touchscreen
        }
    }
}

extension VirtualInputDevice {
    /// A device of a kind; `surface` is not looked at for a knob.
    ///
    /// - Parameters:
    ///   - name: what it calls itself; `nil` for `Dashrig knob` and so on.
    ///   - vendor: 0 when it shall have none.
    ///   - product: 0 when it shall have none.
    public init(
        _ kind: Kind, name: String? = nil, vendor: UInt16 = 0, product: UInt16 = 0, surface: VirtualSurface? = nil
    ) throws(VirtualInputRefusal) {
        var device = InputDeviceDescription(
            bus: Self.virtualBus, vendor: vendor, product: product, version: 1,
            name: name ?? "Dashrig \(kind.rawValue)")
        switch kind {
        case .knob:
            device.key = [InputCode.button0]
            device.rel = [InputCode.dial]
        case .touchpad:
            device.key = [InputCode.left, InputCode.touch] + InputCode.fingerCounts
            device.props = [InputCode.pointer, InputCode.buttonPad]
            try Self.add(surface ?? .touchpad, to: &device)
        case .touchscreen:
            device.key = [InputCode.touch]
            device.props = [InputCode.direct]
            try Self.add(surface ?? .touchscreen, to: &device)
        }
        device.key.sort()
        try self.init(device, kind: kind)
    }

    private static func add(
        _ surface: VirtualSurface, to device: inout InputDeviceDescription
    ) throws(VirtualInputRefusal) {
        guard surface.width > 1, surface.height > 1 else {
            throw VirtualInputRefusal("a surface has at least 2 places on each side")
        }
        guard (1...maximumSlots).contains(surface.slots) else {
            throw VirtualInputRefusal("a surface has 1 to \(maximumSlots) slots")
        }
        func range(_ code: UInt16, _ count: Int32, _ resolution: Int32 = 0) -> AbsoluteRange {
            AbsoluteRange(code: code, minimum: 0, maximum: count - 1, resolution: resolution)
        }
        device.axes = [
            range(InputCode.absoluteX, surface.width, surface.resolution),
            range(InputCode.absoluteY, surface.height, surface.resolution),
            range(InputCode.slot, Int32(surface.slots)),
            range(InputCode.contactX, surface.width, surface.resolution),
            range(InputCode.contactY, surface.height, surface.resolution),
            range(InputCode.trackingID, InputCode.trackingIDs),
        ]
        device.abs = device.axes.map(\.code)
    }
}

/// The codes that virtual devices of a kind have (linux/input-event-codes.h).
enum InputCode {
    static let synchronization: UInt16 = 0
    static let key: UInt16 = 1
    static let relative: UInt16 = 2
    static let absolute: UInt16 = 3

    static let report: UInt16 = 0
    static let dial: UInt16 = 7
    static let button0: UInt16 = 0x100
    static let left: UInt16 = 0x110
    static let touch: UInt16 = 0x14A
    /// BTN_TOOL_FINGER, _DOUBLETAP, _TRIPLETAP, _QUADTAP and _QUINTTAP.
    static let fingerCounts: [UInt16] = [0x145, 0x14D, 0x14E, 0x14F, 0x148]

    static let absoluteX: UInt16 = 0x00
    static let absoluteY: UInt16 = 0x01
    static let slot: UInt16 = 0x2F
    static let contactX: UInt16 = 0x35
    static let contactY: UInt16 = 0x36
    static let trackingID: UInt16 = 0x39
    /// How many contacts are numbered before the numbers begin anew: as most drivers do it.
    static let trackingIDs: Int32 = 0x1_0000

    static let pointer: UInt16 = 0
    static let direct: UInt16 = 1
    static let buttonPad: UInt16 = 2
}
