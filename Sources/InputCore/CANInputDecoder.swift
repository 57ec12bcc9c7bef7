public import RigModel

/// What a frame was to a controller.
public enum CANHearing: Equatable, Sendable {
    /// It is none of its messages.
    case foreign
    /// It is one of its messages.
    case heard
    /// The controller says that it has forgotten how it was started; it was taken for a new one.
    case forgotten
}

/// Turns the frames of one controller on a CAN bus into what was done with it, in the same words as an evdev node.
///
/// The layout says where things stand in the frames; what they mean is then the matter of `InputDecoder`, so a counter that
/// runs over its end, a press and a finger are the same here as there. A counter's first value tells no turn, and fingers
/// that are on the pad when it is first heard are no touch. When nothing is heard for `silence` while something is held,
/// it is let go; the counter is remembered. Frames cannot trap it, whatever is in them.
public struct CANInputDecoder: Sendable {
    /// What the frames mean.
    public let layout: CANLayout

    private let inputLayout: InputLayout
    private let limits: IntentLimits
    private var decoder: InputDecoder
    /// Which controls are down, in the layout's order.
    private var isDown: [Bool]
    private var pad: Pad
    /// When a frame of the controller last came.
    private var heardAt: UInt64 = 0
    /// Kept allocated from frame to frame.
    private var frame = EvdevFrame(cause: .reported)

    /// What is known of the touchpad.
    private enum Pad: Equatable, Sendable {
        /// Nothing. Exits: known.
        case unknown
        /// How many fingers are on it. Exits: known, unknown (silence, start).
        case known(fingers: Int)

        var fingers: Int {
            switch self {
            case .unknown: 0
            case .known(let fingers): fingers
            }
        }
    }

    /// The code of the first control; the others follow. Below the codes of a pad's fingers (0x145 on), of which the most
    /// controls keep clear: each meaning stands once, so there are at most 27.
    private static let firstKey: UInt16 = 0x100
    private static let maximumControls = 64

    /// A decoder for a controller of which nothing was heard yet.
    public init(_ layout: CANLayout, limits: IntentLimits = IntentLimits()) {
        var layout = layout
        layout.controls = Array(layout.controls.prefix(Self.maximumControls))
        self.layout = layout
        self.limits = limits
        inputLayout = Self.inputLayout(layout, limits)
        decoder = InputDecoder(inputLayout, limits: limits)
        isDown = layout.controls.map { _ in false }
        pad = .unknown
    }

    /// The touchpad, for whoever tells what the device has.
    public var surface: SurfaceLayout? { inputLayout.surface }

    /// Takes one frame and appends what was done: turns, keys, contacts, intents.
    public mutating func decode(_ heard: CANFrame, into inputs: inout [DeviceInput]) -> CANHearing {
        guard isOurs(heard.id) else { return .foreign }
        heardAt = max(heardAt, heard.time)
        if let reset = layout.reset, reset.id == heard.id, Self.allHold(reset.tests, in: heard) == true {
            start(time: heard.time, into: &inputs)
            return .forgotten
        }
        frame.time = heard.time
        if let turn = layout.turn, turn.id == heard.id, let place = turn.counter.value(in: heard) {
            add(EvdevCode.absolute, EvdevCode.wheel, place)
        }
        for place in layout.controls.indices where layout.controls[place].id == heard.id { takeControl(place, heard) }
        pass(.reported, &inputs)
        if let pad = layout.pad, pad.id == heard.id { takePad(pad, heard, &inputs) }
        return .heard
    }

    /// When `deadlineReached` is to be called; `nil` when nothing waits.
    public var nextDeadline: UInt64? {
        let silence = isHolding ? heardAt.adding(layout.silence) : nil
        guard let next = decoder.nextDeadline else { return silence }
        return min(next, silence ?? next)
    }

    /// Time has passed: what is held by a controller that has gone silent is let go.
    public mutating func deadlineReached(now: UInt64, into inputs: inout [DeviceInput]) {
        decoder.deadlineReached(now: now, into: &inputs)
        if isHolding && heardAt.adding(layout.silence) <= now { letGo(time: now, into: &inputs) }
    }

    /// The bus is gone, or is no longer listened to: what is held is let go, and nothing is known any more.
    public mutating func end(time: UInt64, into inputs: inout [DeviceInput]) { start(time: time, into: &inputs) }

    // MARK: What frames say

    private func isOurs(_ id: CANIdentifier) -> Bool {
        layout.turn?.id == id || layout.pad?.id == id || layout.reset?.id == id
            || layout.controls.contains { $0.id == id } || layout.alive.contains(id)
    }

    private mutating func takeControl(_ place: Int, _ heard: CANFrame) {
        let control = layout.controls[place]
        guard Self.allHold(control.concerns, in: heard) == true, let isNowDown = Self.allHold(control.down, in: heard)
        else { return }
        // A frame that repeats a press may be the first that is heard of it: then it was pressed for someone else.
        if !isNowDown && !control.held.isEmpty && Self.allHold(control.held, in: heard) == true { return }
        guard isNowDown != isDown[place] else { return }
        isDown[place] = isNowDown
        add(EvdevCode.key, Self.firstKey + UInt16(place), isNowDown ? 1 : 0)
    }

    private mutating func takePad(_ layout: CANPad, _ heard: CANFrame, _ inputs: inout [DeviceInput]) {
        guard let state = heard.byte(layout.state), let count = layout.counts.first(where: { $0.value == state })
        else { return }
        let before = pad.fingers
        for (slot, place) in layout.places.enumerated() {
            let (was, isNow) = (slot < before, slot < count.fingers)
            guard was || isNow, !isNow || place.y.value(in: heard) != nil && place.x.value(in: heard) != nil else {
                if isNow { return frame.events.removeAll(keepingCapacity: true) }
                continue
            }
            add(EvdevCode.absolute, EvdevCode.slot, Int32(slot))
            if was != isNow { add(EvdevCode.absolute, EvdevCode.trackingID, isNow ? 0 : -1) }
            if isNow, let x = place.x.value(in: heard), let y = place.y.value(in: heard) {
                add(EvdevCode.absolute, EvdevCode.contactX, x)
                add(EvdevCode.absolute, EvdevCode.contactY, layout.isFromBottom ? place.y.maximum - y : y)
            }
        }
        if before != count.fingers {
            addTool(before, isDown: false)
            addTool(count.fingers, isDown: true)
        }
        let isFirst = pad == .unknown
        pad = .known(fingers: count.fingers)
        pass(isFirst ? .initial : .reported, &inputs)
    }

    private mutating func addTool(_ fingers: Int, isDown: Bool) {
        guard EvdevCode.fingerCounts.indices.contains(fingers - 1) else { return }
        add(EvdevCode.key, EvdevCode.fingerCounts[fingers - 1], isDown ? 1 : 0)
    }

    private mutating func add(_ type: UInt16, _ code: UInt16, _ value: Int32) {
        frame.events.append(EvdevEvent(type: type, code: code, value: value, time: frame.time))
    }

    private mutating func pass(_ cause: EvdevFrame.Cause, _ inputs: inout [DeviceInput]) {
        guard !frame.events.isEmpty else { return }
        frame.cause = cause
        decoder.decode(frame, into: &inputs)
        frame.events.removeAll(keepingCapacity: true)
    }

    /// Whether all of some tests hold; `nil` where the frame is too short to say.
    private static func allHold(_ tests: [CANTest], in frame: CANFrame) -> Bool? {
        var all = true
        for test in tests {
            guard let holds = test.holds(in: frame) else { return nil }
            if !holds { all = false }
        }
        return all
    }

    // MARK: What is held

    private var isHolding: Bool { pad.fingers > 0 || isDown.contains(true) }

    private mutating func letGo(time: UInt64, into inputs: inout [DeviceInput]) {
        decoder.end(time: time, into: &inputs)
        for place in isDown.indices { isDown[place] = false }
        pad = .unknown
    }

    private mutating func start(time: UInt64, into inputs: inout [DeviceInput]) {
        letGo(time: time, into: &inputs)
        decoder = InputDecoder(inputLayout, limits: limits)
    }

    private static func inputLayout(_ layout: CANLayout, _ limits: IntentLimits) -> InputLayout {
        let turn = layout.turn.map { turn in
            TurnLayout(
                axis: EvdevCode.wheel, form: .position(minimum: 0, maximum: turn.counter.maximum), units: turn.units,
                detents: turn.detents, reversed: turn.reversed)
        }
        let surface = layout.pad.flatMap { pad in
            pad.places.first.map { first in
                SurfaceLayout(
                    kind: .pad, x: AbsoluteRange(code: EvdevCode.contactX, minimum: 0, maximum: first.x.maximum),
                    y: AbsoluteRange(code: EvdevCode.contactY, minimum: 0, maximum: first.y.maximum),
                    slots: pad.places.count)
            }
        }
        let keys = layout.controls.enumerated().map { KeyBinding(firstKey + UInt16($0.offset), $0.element.meaning) }
        return InputLayout(turn: turn, keys: keys, surface: surface, longPress: limits.longPress)
    }
}
