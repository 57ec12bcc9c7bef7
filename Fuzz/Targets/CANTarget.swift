import InputCore
import RigConfiguration
import RigModel

/// Frames of a CAN bus, whatever they are, at a controller of the shipped table: what goes down comes up once, each contact
/// is told from its beginning to its end, deadlines come to an end, and nothing is held when the bus is gone.
///
/// Input: which controller, then operations.
enum CANTarget {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        var input = FuzzInput(bytes)
        let profiles = CANTable.shipped.profiles
        guard !profiles.isEmpty else { return }
        let layout = input.pick(profiles).layout
        var decoder = CANInputDecoder(layout)
        var schedule = CANSchedule(layout)
        var ledger = Ledger()
        var frames: [CANFrame] = []
        var time: UInt64 = 1 << 40
        schedule.opened(now: time, into: &frames)
        while !input.isAtEnd {
            var inputs: [DeviceInput] = []
            switch input.int(0...7) {
            case 0...4:
                let ids = layout.identifiers
                let id = input.int(0...7) == 0 ? CANIdentifier(UInt32(input.word())) : input.pick(ids)
                let frame = CANFrame(id: id, data: input.bytes(upTo: 9), time: time)
                let hearing = decoder.decode(frame, into: &inputs)
                try require(ids.contains(id) == (hearing != .foreign), "\(id) was \(hearing)")
                schedule.heard(hearing, now: time, into: &frames)
            case 5: time &+= UInt64(input.byte()) << 24
            case 6: time = input.wide()
            default:
                if let next = decoder.nextDeadline {
                    time = max(time, next)
                    decoder.deadlineReached(now: time, into: &inputs)
                    try require(decoder.nextDeadline.map { $0 > time } ?? true || time == .max, "a deadline that stays")
                }
                schedule.deadlineReached(now: time, into: &frames)
            }
            try ledger.note(inputs)
            try require(frames.count <= 64, "\(frames.count) frames at once")
            frames = []
        }
        var inputs: [DeviceInput] = []
        decoder.end(time: time, into: &inputs)
        try ledger.note(inputs)
        try require(ledger.isEmpty && decoder.nextDeadline == nil, "held at the end")
    }

    /// What is held, by what was told.
    private struct Ledger {
        private var isPressed = false
        private var nudge: NudgeDirection?
        private var keys: [Key] = []
        private var contacts: [Int] = []

        var isEmpty: Bool { !isPressed && nudge == nil && keys.isEmpty && contacts.isEmpty }

        mutating func note(_ inputs: [DeviceInput]) throws(FuzzFinding) {
            for input in inputs {
                switch input {
                case .event(.knob(.rotate(let detents))): try require(detents != 0, "a turn of nothing")
                case .event(.knob(.pressed)):
                    try require(!isPressed, "pressed twice")
                    isPressed = true
                case .event(.knob(.released)):
                    try require(isPressed, "released twice")
                    isPressed = false
                case .event(.knob(.nudge(let direction, let isDown))):
                    try require(isDown ? nudge == nil : nudge == direction, "nudged from \(nudge as Any)")
                    nudge = isDown ? direction : nil
                case .event(.key(let key)):
                    let place = keys.firstIndex(of: key.key)
                    try require((place == nil) == key.down, "\(key.key) goes \(key.down ? "down" : "up") twice")
                    if let place { keys.remove(at: place) } else { keys.append(key.key) }
                case .event(.touchpad(let touch)): for contact in touch.contacts { try follow(contact) }
                case .event(.touch), .touch: throw FuzzFinding("a pad tells touches of a screen")
                case .intent: break
                }
            }
        }

        private mutating func follow(_ contact: PadContact) throws(FuzzFinding) {
            let place = contacts.firstIndex(of: contact.id)
            let (x, y) = (contact.point.x, contact.point.y)
            try require(min(x, y) >= 0 && max(x, y) <= PadPoint.full, "a contact at \(x),\(y)")
            switch contact.phase {
            case .began:
                try require(place == nil, "contact \(contact.id) touches down twice")
                contacts.append(contact.id)
            case .moved, .stationary: try require(place != nil, "contact \(contact.id) moves in the air")
            case .ended, .cancelled:
                guard let place else { throw FuzzFinding("contact \(contact.id) is lifted twice") }
                contacts.remove(at: place)
            }
        }
    }
}
