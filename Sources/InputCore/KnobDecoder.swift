public import RigModel

/// Turns the raw events of one evdev node into what a knob did.
///
/// A frame counts when its SYN_REPORT arrives. After SYN_DROPPED everything up to the next SYN_REPORT is discarded, then
/// the button is set right from the key state that the edge reads back: motion that was lost stays lost and is told as
/// `inputLost`, never made up. Bytes from a device cannot trap it.
public struct KnobDecoder: Sendable {
    /// What the caller has to say or do beside passing the events on.
    public enum Notice: Equatable, Sendable {
        /// The kernel dropped events of this device: tell everyone (`input.lost`), once per loss. The key state that
        /// `resynchronize` needs is read after the SYN_REPORT that follows.
        case inputLost
    }

    /// Where the decoder stands in the stream.
    private enum State: Equatable {
        /// Frames are whole. Rotation and button changes since the last SYN_REPORT are gathered.
        /// Exits: dropping (SYN_DROPPED).
        case gathering
        /// Events are missing and the rest of the torn frame is discarded; SYN_REPORT is awaited.
        /// Exits: unsure (SYN_REPORT).
        case dropping
        /// Frames are whole again but the button may have moved unseen; `resynchronize` is awaited. Frames count
        /// meanwhile. Exits: gathering (`resynchronize`), dropping (SYN_DROPPED).
        case unsure
    }

    /// What is known of the press button.
    private enum Button: Equatable {
        /// It is up. Exits: down.
        case up
        /// It went down at this time. Exits: up.
        case down(since: UInt64)
    }

    private let layout: KnobLayout
    private var state = State.gathering
    private var button = Button.up
    /// Units of the axis in this frame, positive clockwise; held within ±`Int32.max` so that sums cannot overflow.
    private var rotation: Int64 = 0
    /// Units that did not make a whole detent yet; always smaller than one detent.
    private var remainder: Int64 = 0
    /// The button's changes in this frame in their order; kept allocated from frame to frame.
    private var changes: [(down: Bool, time: UInt64)] = []

    /// The most button changes that one frame can hold. The kernel reports a change of state only, so a true frame has
    /// one; the rest of a longer one is a broken device's and is cut.
    private static let maximumChanges = 16

    /// A decoder for a device that was just opened. A button that is held while its device appears is not a press.
    public init(layout: KnobLayout) { self.layout = layout }

    /// Takes one raw event. `time` is in nanoseconds on whatever clock the caller uses; `events` gets what the knob did
    /// when a frame is complete: first its rotation, then its button.
    public mutating func decode(
        type: UInt16, code: UInt16, value: Int32, time: UInt64, into events: inout [InputEvent]
    ) -> Notice? {
        switch type {
        case EvdevCode.synchronization:
            return synchronize(code: code, into: &events)
        case EvdevCode.relative:
            if state != .dropping && code == layout.axis { turn(value) }
        case EvdevCode.key:
            if state != .dropping && code == layout.press { push(value, time) }
        default:
            break
        }
        return nil
    }

    /// Takes a whole frame. How a node stood when it was opened is no press and no turn.
    public mutating func decode(_ frame: EvdevFrame, into events: inout [InputEvent]) {
        switch frame.cause {
        case .initial: return
        case .reported, .recovered: break
        }
        for event in frame.events {
            switch event.type {
            case EvdevCode.relative: if event.code == layout.axis { turn(event.value) }
            case EvdevCode.key: if event.code == layout.press { push(event.value, event.time) }
            default: break
            }
        }
        finishFrame(into: &events)
    }

    /// Takes the keys that are down now, read from the kernel after the SYN_REPORT that ended a loss. What differs from
    /// what is known becomes an event at `time`. Harmless at any other moment.
    public mutating func resynchronize(
        keysDown: some Sequence<UInt16>, time: UInt64, into events: inout [InputEvent]
    ) {
        if state == .unsure { state = .gathering }
        guard let press = layout.press else { return }
        setButton(down: keysDown.contains(press), time, into: &events)
    }

    /// The device is gone: a button that is down comes up, so that nothing stays pressed for ever.
    public mutating func end(time: UInt64, into events: inout [InputEvent]) {
        clearFrame()
        remainder = 0
        state = .gathering
        setButton(down: false, time, into: &events)
    }

    // MARK: Parts of a frame

    private mutating func synchronize(code: UInt16, into events: inout [InputEvent]) -> Notice? {
        switch code {
        case EvdevCode.report:
            switch state {
            case .gathering, .unsure: finishFrame(into: &events)
            case .dropping: state = .unsure
            }
            return nil
        case EvdevCode.dropped:
            clearFrame()
            switch state {
            case .gathering, .unsure:
                state = .dropping
                return .inputLost
            case .dropping:
                return nil
            }
        default:
            return nil
        }
    }

    private mutating func turn(_ value: Int32) {
        let units = layout.reversed ? -Int64(value) : Int64(value)
        let limit = Int64(Int32.max)
        rotation = min(max(rotation + units, -limit), limit)
    }

    private mutating func push(_ value: Int32, _ time: UInt64) {
        // 2 is the kernel's autorepeat of a key that is held.
        guard value == 0 || value == 1, changes.count < Self.maximumChanges else { return }
        changes.append((value == 1, time))
    }

    private mutating func finishFrame(into events: inout [InputEvent]) {
        if rotation != 0 {
            let unit = Int64(layout.unitsPerDetent)
            let total = remainder + rotation
            remainder = total % unit
            rotation = 0
            let detents = Int32(clamping: total / unit)
            if detents != 0 { events.append(.knob(.rotate(detents: detents))) }
        }
        for change in changes { setButton(down: change.down, change.time, into: &events) }
        changes.removeAll(keepingCapacity: true)
    }

    private mutating func clearFrame() {
        rotation = 0
        changes.removeAll(keepingCapacity: true)
    }

    private mutating func setButton(down: Bool, _ time: UInt64, into events: inout [InputEvent]) {
        switch (button, down) {
        case (.up, true):
            button = .down(since: time)
            events.append(.knob(.pressed))
        case (.down(let since), false):
            button = .up
            // A device's clock that runs backwards makes a press of no length, not one of 584 years.
            let held = time > since ? time - since : 0
            events.append(.knob(.released(held: held, long: held >= layout.longPress)))
        case (.up, false), (.down, true):
            break
        }
    }
}
