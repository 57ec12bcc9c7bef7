public import RigModel

/// What an evdev device was recognised as, and which of its codes mean what.
public struct InputProfile: Equatable, Sendable {
    /// The rule's name: `knob`.
    public let name: String
    /// What kind of thing it is.
    public let kind: DeviceKind
    /// What its name begins with: `knob` gives `knob-1`.
    public let namePrefix: String
    /// The rule's priority.
    public let priority: Int
    /// What the rule looks at.
    public let match: InputMatch
    /// Relative axes that can carry the turns, the best first.
    public let axes: [UInt16]
    /// Buttons that can be the press, the best first.
    public let pressButtons: [UInt16]
    /// Which of its codes mean what.
    public internal(set) var mapping: InputMapping
    /// Whether the device is taken only when `[input]` names it or its port: what people work with.
    public let needsChoice: Bool
    /// Whether a node like this is a device, or adds to one.
    public let part: InputPart
    /// Which nodes are one device together: those with the same group in the whole rig, or those of one physical device
    /// where it is empty.
    public let group: String
    /// Whether the node is grabbed; `nil` leaves that to `[input] grab`.
    public let grabs: Bool?

    /// The facts of a device that was recognised as this. `port` is the topology of the USB device behind it, or its
    /// `phys` where there is none.
    public func facts(of device: InputDeviceDescription, port: String) -> DeviceFacts {
        DeviceFacts(
            kind: kind, profile: name, namePrefix: namePrefix, vendor: device.vendor, product: device.product,
            serial: device.uniq, port: port,
            model: device.name, origin: .observed)
    }

    /// The axis that carries the turns of this device, or `nil` when it has none of them.
    public func axis(of device: InputDeviceDescription) -> UInt16? { axes.first(where: device.rel.contains) }

    /// The button that is the press of this device, or `nil` when it cannot be pressed.
    public func press(of device: InputDeviceDescription) -> UInt16? { pressButtons.first(where: device.key.contains) }

    /// How many units of the axis make one detent, from 1 to 100,000.
    public var unitsPerDetent: Int32 { mapping.units }

    /// True where the device counts up when it is turned counter-clockwise.
    public var reversed: Bool { mapping.reversed }

    /// Which codes of this device mean what. Surfaces and absolute axes have their ranges only when the node was open.
    public func layout(
        of device: InputDeviceDescription, longPress: UInt64 = InputLayout.defaultLongPress
    ) -> InputLayout {
        var keys: [KeyBinding] = []
        if let press = press(of: device) { keys.append(KeyBinding(press, .press)) }
        keys += mapping.keys.filter { device.key.contains($0.code) }
        return InputLayout(
            turn: turn(of: device), nudge: nudge(of: device), keys: keys, keyBounce: mapping.bounce,
            surface: surface(of: device),
            longPress: longPress)
    }

    private func turn(of device: InputDeviceDescription) -> TurnLayout? {
        var layout: TurnLayout
        if let axis = axis(of: device) {
            layout = TurnLayout(axis: axis, units: mapping.units, detents: mapping.detents)
            if let range = mapping.counterRange {
                layout.form = .counter(range: range)
            } else if mapping.highResolution, let fine = Self.highResolution(of: axis), device.rel.contains(fine) {
                layout = TurnLayout(
                    axis: fine, units: Int32(clamping: Int(mapping.units) * 120), detents: mapping.detents)
            }
        } else if let axis = mapping.positionAxes.first(where: device.abs.contains), let range = device.range(of: axis)
        {
            layout = TurnLayout(
                axis: axis, form: .position(minimum: range.minimum, maximum: range.maximum), units: mapping.units,
                detents: mapping.detents)
        } else {
            return nil
        }
        layout.reversed = mapping.reversed
        layout.bounce = mapping.bounce
        layout.acceleration = mapping.acceleration
        return layout
    }

    private func nudge(of device: InputDeviceDescription) -> NudgeLayout? {
        let x = mapping.nudgeX.first(where: device.abs.contains).flatMap(device.range)
        let y = mapping.nudgeY.first(where: device.abs.contains).flatMap(device.range)
        return x == nil && y == nil ? nil : NudgeLayout(x: x, y: y)
    }

    /// The axis that tells the motion of a wheel again in 1/120 of a detent.
    private static func highResolution(of axis: UInt16) -> UInt16? {
        switch axis {
        case 6: 12
        case 8: 11
        default: nil
        }
    }

    private func surface(of device: InputDeviceDescription) -> SurfaceLayout? {
        let surfaceKind: SurfaceLayout.Kind
        switch kind {
        case .touchscreen: surfaceKind = .screen
        case .touchpad: surfaceKind = mapping.movesFocus ? .focusPad : .pad
        case .iPhone, .iPad, .iPod, .androidPhone, .androidAccessory, .dongle, .headUnit, .knob, .keys: return nil
        }
        func axis(_ contact: UInt16, _ single: UInt16) -> AbsoluteRange {
            let code = device.abs.contains(contact) ? contact : single
            return device.range(of: code) ?? AbsoluteRange(code: code, minimum: 0, maximum: 0)
        }
        let slots: Int
        if device.abs.contains(0x2F) && device.abs.contains(0x35) {
            slots = device.range(of: 0x2F).map { Int($0.maximum) + 1 } ?? SurfaceLayout.maximumSlots
        } else {
            slots = 0
        }
        return SurfaceLayout(
            kind: surfaceKind, x: axis(0x35, 0), y: axis(0x36, 1), mount: mapping.mount, slots: max(0, slots))
    }
}

/// Which codes of a kind of input node mean what, as its rule says it.
public struct InputMapping: Equatable, Sendable {
    /// Whether the axis that repeats a wheel's motion in 1/120 of a detent is listened to instead, where it is there.
    public var highResolution = false
    /// For an axis that carries a counter instead of steps: how far it counts; `nil` for steps.
    public var counterRange: Int32?
    /// Absolute axes that can carry the turns where no relative one does, the best first.
    public var positionAxes: [UInt16] = []
    /// Absolute axes of a stick from left to right, the best first.
    public var nudgeX: [UInt16] = []
    /// Absolute axes of a stick from top to bottom, the best first.
    public var nudgeY: [UInt16] = []
    /// How many units of the axis make `detents` detents, from 1 to 100,000.
    public var units: Int32 = 1
    /// How many detents `units` units make, from 1 to 100.
    public var detents: Int32 = 1
    /// True where the device counts up when it is turned counter-clockwise.
    public var reversed = false
    /// For how many nanoseconds contacts bounce; 0 where they do not.
    public var bounce: UInt64 = 0
    /// How many detents one counts for at most when the knob is turned fast; 1 is no acceleration.
    public var acceleration: Int32 = 1
    /// The names of its keymaps.
    public var keymaps: [String] = []
    /// What these say, in their order.
    public var keys: [KeyBinding] = []
    /// Whether one finger on a touchpad moves the focus.
    public var movesFocus = false
    /// How a surface is mounted.
    public var mount = SurfaceMount()

    /// A mapping that is like nothing in particular.
    public init() {}
}

/// What an evdev node is to the device that it belongs to: a knob's turns and its press may come from two nodes.
public enum InputPart: String, Sendable, CaseIterable {
    /// The node makes a device.
    case whole
    /// The node adds to a device that another one makes, and waits for that one; alone it is nothing.
    case addition
}
