import InputCore
import RigModel

/// What a real input device holds down, and the session in which it began: what is let go is let go there, whatever is in
/// front by then.
struct HardwareHold: Equatable, Sendable {
    private enum Control: Equatable, Sendable {
        case button
        case nudge(NudgeDirection)
        case key(Key)
        case finger(Int)
        case padFinger(Int)
    }

    /// The most that one device is taken to hold at once: ours, more than hands can. What is above it is not waited for.
    static let maximum = 64

    /// The session that was in front when the first of it went down; `nil` is none.
    private(set) var session: SessionID?
    private var controls: [Control] = []

    /// Takes note of an event.
    ///
    /// - Parameter front: the session in front.
    /// - Returns: the session that the event belongs to.
    mutating func take(_ input: InputEvent, front: SessionID?) -> SessionID? {
        if controls.isEmpty { session = front }
        switch input {
        case .knob(.pressed): hold(.button)
        case .knob(.released): letGo(.button)
        case .knob(.nudge(let direction, let down)): down ? hold(.nudge(direction)) : letGo(.nudge(direction))
        case .knob(.rotate): break
        case .key(let key): key.down ? hold(.key(key.key)) : letGo(.key(key.key))
        case .touch(let touch): for contact in touch.contacts { take(.finger(contact.id), contact.phase) }
        case .touchpad(let touch): for contact in touch.contacts { take(.padFinger(contact.id), contact.phase) }
        }
        return session
    }

    /// Takes note of a frame of a touchscreen that has no pixels yet, as of an event.
    mutating func take(_ contacts: [SurfaceContact], front: SessionID?) -> SessionID? {
        if controls.isEmpty { session = front }
        for contact in contacts { take(.finger(contact.id), contact.phase) }
        return session
    }

    private mutating func take(_ finger: Control, _ phase: ContactPhase) {
        switch phase {
        case .began: hold(finger)
        case .moved, .stationary: break
        case .ended, .cancelled: letGo(finger)
        }
    }

    private mutating func hold(_ control: Control) {
        if controls.count < Self.maximum, !controls.contains(control) { controls.append(control) }
    }

    private mutating func letGo(_ control: Control) { controls.removeAll { $0 == control } }
}
