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
        /// Where a finger on a touchscreen is.
        var contact: HIDContact?
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
    /// Fingers that were taken back and are not lifted so far.
    private var takenBack: [(device: String, control: Control)] = []

    /// Divides what one report said by who it belongs to; `parts` gets what others held first.
    mutating func attribute(
        _ input: HIDInput, of device: String, screen: Int, by stamp: InputStamp, into parts: inout [Part]
    ) {
        let whole = Part(input: input, stamp: stamp, isForeign: false)
        switch input {
        case .knob(.rotate): parts.append(whole)
        case .knob(.pressed): parts.append(hold(.select, device, whole))
        case .knob(.released): parts.append(release(.select, device, whole))
        case .knob(.nudge(let direction, let isDown)):
            parts.append(isDown ? hold(.nudge(direction), device, whole) : release(.nudge(direction), device, whole))
        case .key(let event):
            parts.append(event.down ? hold(.key(event.key), device, whole) : release(.key(event.key), device, whole))
        case .touchpad(let event):
            divide(
                event.contacts, whole, device, { .padContact($0.id) }, { HeldChange($0.phase) },
                { .touchpad(TouchpadEvent(contacts: $0)) }, into: &parts)
        case .touch(let contacts):
            let admitted = admit(contacts, device, screen)
            if admitted.isEmpty { return }
            divide(
                admitted, whole, device, { .touch(screen: screen, $0.number) }, { HeldChange(ContactPhase($0.phase)) },
                { .touch($0) }, into: &parts)
            for contact in admitted {
                let control = Control.touch(screen: screen, contact.number)
                guard let place = holders.firstIndex(where: { $0.device == device && $0.control == control }) else {
                    continue
                }
                holders[place].contact = contact
            }
        }
    }

    /// Takes back the fingers on touchscreens whose display changes; what follows of them is left out until they are
    /// lifted.
    ///
    /// - Parameter isChanged: whether the display of a touchscreen changes, by its place among the touchscreens.
    /// - Returns: what is to be told, with the touchscreen.
    mutating func takeBackTouches(_ isChanged: (Int) -> Bool) -> [(part: Part, screen: Int)] {
        var parts: [(part: Part, screen: Int)] = []
        var kept: [Holder] = []
        for holder in holders {
            guard case .touch(let screen, _) = holder.control, isChanged(screen), var contact = holder.contact else {
                kept.append(holder)
                continue
            }
            takenBack.append((holder.device, holder.control))
            contact.phase = .up
            var stamp = holder.stamp
            stamp.isCancellation = true
            parts.append((Part(input: .touch([contact]), stamp: stamp, isForeign: true), screen))
        }
        holders = kept
        return parts
    }

    /// What is left of a frame without the fingers that were taken back: nothing where it only tells that others rest.
    private mutating func admit(_ contacts: [HIDContact], _ device: String, _ screen: Int) -> [HIDContact] {
        guard !takenBack.isEmpty else { return contacts }
        let admitted = contacts.filter { contact in
            let control = Control.touch(screen: screen, contact.number)
            guard let place = takenBack.firstIndex(where: { $0 == (device, control) }) else { return true }
            switch contact.phase {
            case .moved, .still: return false
            case .up:
                takenBack.remove(at: place)
                return false
            case .down:
                takenBack.remove(at: place)
                return true
            }
        }
        let isNews = admitted.count == contacts.count || admitted.contains { $0.phase != .still }
        return isNews ? admitted : []
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
        _ change: (Finger) -> HeldChange, _ frame: ([Finger]) -> HIDInput, into parts: inout [Part]
    ) {
        // Mostly all fingers belong to who caused the report: then no copy is made of them.
        var own: [Finger]?
        for (place, finger) in fingers.enumerated() {
            switch change(finger) {
            case .none: own?.append(finger)
            case .down:
                _ = hold(control(finger), device, whole)
                own?.append(finger)
            case .up:
                let part = release(control(finger), device, whole)
                if part.isForeign {
                    own = own ?? Array(fingers[..<place])
                    parts.append(Part(input: frame([finger]), stamp: part.stamp, isForeign: true))
                } else {
                    own?.append(finger)
                }
            }
        }
        if own?.isEmpty != true {
            parts.append(Part(input: frame(own ?? fingers), stamp: whole.stamp, isForeign: false))
        }
    }
}
