import HIDReports
import InputCore
import RigModel

/// What the devices of one head unit hold, and who pressed it.
///
/// A device on the link tells its state and not who changed it: two gestures can share one button, and a key can be let
/// go by the press of another. What is let go is published as what was pressed, by its own source and tag.
///
/// It is no larger than what the decoders of the devices hold, which bound it.
struct HeldInputs: Sendable {
    private enum Control: Equatable, Sendable {
        case select
        case nudge(NudgeDirection)
        case key(Key)
        case padContact(Int)
        case touch(screen: Int, Int)
    }

    private struct Holder: Sendable {
        var device: String
        var control: Control
        var stamp: InputStamp
    }

    /// A part of what was done, and who did it.
    struct Part: Sendable {
        var input: HIDInput
        /// Who did it.
        var stamp: InputStamp
        /// Whether that is somebody else than who caused the report.
        var isForeign: Bool
    }

    private var holders: [Holder] = []

    /// Divides what one report said by who it belongs to: what others held comes first.
    mutating func attribute(_ input: HIDInput, of device: String, screen: Int, by stamp: InputStamp) -> [Part] {
        let whole = Part(input: input, stamp: stamp, isForeign: false)
        switch input {
        case .knob(.rotate): return [whole]
        case .knob(.pressed): return [hold(.select, device, whole)]
        case .knob(.released): return [release(.select, device, whole)]
        case .knob(.nudge(let direction, let isDown)):
            return [isDown ? hold(.nudge(direction), device, whole) : release(.nudge(direction), device, whole)]
        case .key(let event):
            return [event.down ? hold(.key(event.key), device, whole) : release(.key(event.key), device, whole)]
        case .touchpad(let event):
            return divide(
                event.contacts, whole, device, { .padContact($0.id) }, { HeldChange($0.phase) },
                { .touchpad(TouchpadEvent(contacts: $0)) })
        case .touch(let contacts):
            return divide(
                contacts, whole, device, { .touch(screen: screen, $0.number) }, { HeldChange(ContactPhase($0.phase)) },
                { .touch($0) })
        }
    }

    private mutating func hold(_ control: Control, _ device: String, _ part: Part) -> Part {
        holders.removeAll { $0.device == device && $0.control == control }
        holders.append(Holder(device: device, control: control, stamp: part.stamp))
        return part
    }

    private mutating func release(_ control: Control, _ device: String, _ part: Part) -> Part {
        guard let place = holders.firstIndex(where: { $0.device == device && $0.control == control }) else {
            return part
        }
        var holder = holders.remove(at: place).stamp
        guard holder.source != part.stamp.source || holder.owner != part.stamp.owner else { return part }
        holder.isCancellation = part.stamp.isCancellation
        return Part(input: part.input, stamp: holder, isForeign: true)
    }

    private enum HeldChange {
        case down
        case up
        case none

        init(_ phase: ContactPhase) {
            switch phase {
            case .began: self = .down
            case .moved, .stationary: self = .none
            case .ended, .cancelled: self = .up
            }
        }
    }

    private mutating func divide<Finger>(
        _ fingers: [Finger], _ whole: Part, _ device: String, _ control: (Finger) -> Control,
        _ change: (Finger) -> HeldChange, _ frame: ([Finger]) -> HIDInput
    ) -> [Part] {
        var parts: [Part] = []
        var own: [Finger] = []
        for finger in fingers {
            switch change(finger) {
            case .none: own.append(finger)
            case .down:
                _ = hold(control(finger), device, whole)
                own.append(finger)
            case .up:
                let part = release(control(finger), device, whole)
                if part.isForeign {
                    parts.append(Part(input: frame([finger]), stamp: part.stamp, isForeign: true))
                } else {
                    own.append(finger)
                }
            }
        }
        if !own.isEmpty || parts.isEmpty { parts.append(Part(input: frame(own), stamp: whole.stamp, isForeign: false)) }
        return parts
    }
}
