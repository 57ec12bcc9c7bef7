import RigModel

/// Frames of contacts on their way. Emptied, it keeps the memory of its first ones, and of the frames in it, which the next
/// ones take when nobody has them any more.
struct ContactFrames: Sendable {
    /// The most frames that memory is kept for: ours; one report is seldom more than two frames.
    private static let kept = 4

    private var frames: [[SurfaceContact]] = []
    private(set) var count = 0

    /// The contacts of a frame, the oldest frame first.
    subscript(_ place: Int) -> [SurfaceContact] { frames[place] }

    /// Begins a frame.
    mutating func begin() {
        if count < frames.count {
            frames[count].removeAll(keepingCapacity: true)
        } else {
            frames.append([])
        }
        count += 1
    }

    /// Adds a contact to the frame that was begun last.
    mutating func append(_ contact: SurfaceContact) { frames[count - 1].append(contact) }

    /// Empties it.
    mutating func removeAll() {
        if frames.count > Self.kept { frames.removeLast(frames.count - Self.kept) }
        count = 0
    }
}

/// Keeps the contacts of a touch surface: slots of protocol B, or the single place of a surface without slots.
///
/// A slot keeps its place when its contact is lifted: the kernel does not repeat a value that the slot had before.
struct ContactDecoder: Sendable {
    /// What is known of one slot, and what happened to it in this frame.
    private enum State: Equatable, Sendable {
        /// No contact. Exits: began, ignored.
        case empty
        /// A contact that was there when the device was opened: it did not touch down now. Exits: empty.
        case ignored
        /// It touched down in this frame. Exits: resting (frame told), lifted.
        case began
        /// It is down and did not move in this frame. Exits: moved, lifted.
        case resting
        /// It is down and moved in this frame. Exits: resting (frame told), lifted.
        case moved
        /// It was lifted in this frame. Exits: empty (frame told).
        case lifted

        /// Whether a finger is there that is told of.
        var isDown: Bool {
            switch self {
            case .began, .resting, .moved: true
            case .empty, .ignored, .lifted: false
            }
        }

        /// Whether this frame has something to tell of it.
        var isNews: Bool {
            switch self {
            case .began, .moved, .lifted: true
            case .empty, .ignored, .resting: false
            }
        }

        /// What it did in this frame; `nil` for what is not told of.
        var phase: ContactPhase? {
            switch self {
            case .empty, .ignored: nil
            case .began: .began
            case .resting: .stationary
            case .moved: .moved
            case .lifted: .ended
            }
        }
    }

    private struct Slot: Sendable {
        var state = State.empty
        var x: Int32 = 0
        var y: Int32 = 0
    }

    private let hasSlots: Bool
    private var slots: [Slot]
    /// The slot that the device speaks of; `nil` for one above those that are listened to.
    private var selected: Int? = 0
    /// How many fingers the device says are there; 0 where it does not say.
    private var toolFingers = 0

    init(_ layout: SurfaceLayout) {
        hasSlots = layout.slots > 0
        slots = Array(repeating: Slot(), count: max(1, layout.slots))
    }

    /// How many fingers are on the surface: those that are told apart, or more when the device counts more.
    var fingers: Int { max(toolFingers, slots.reduce(0) { $0 + ($1.state.isDown ? 1 : 0) }) }

    /// Takes one event. Appends the frame so far to `frames` when a contact ends and another begins in one slot.
    mutating func take(
        _ event: EvdevEvent, isState: Bool, into frames: inout ContactFrames
    ) {
        switch (event.type, event.code) {
        case (EvdevCode.absolute, EvdevCode.slot):
            selected = slots.indices.contains(Int(event.value)) ? Int(event.value) : nil
        case (EvdevCode.absolute, EvdevCode.trackingID):
            if hasSlots { setContact(isDown: event.value >= 0, isState, &frames) }
        case (EvdevCode.absolute, EvdevCode.contactX):
            if hasSlots { move(event.value, isX: true) }
        case (EvdevCode.absolute, EvdevCode.contactY):
            if hasSlots { move(event.value, isX: false) }
        // With slots these repeat one of the contacts for old readers.
        case (EvdevCode.absolute, EvdevCode.absoluteX):
            if !hasSlots { move(event.value, isX: true) }
        case (EvdevCode.absolute, EvdevCode.absoluteY):
            if !hasSlots { move(event.value, isX: false) }
        case (EvdevCode.key, EvdevCode.touch):
            if !hasSlots && event.value != 2 { setContact(isDown: event.value != 0, isState, &frames) }
        case (EvdevCode.key, let code):
            guard let place = EvdevCode.fingerCounts.firstIndex(of: code) else { return }
            if event.value == 1 {
                toolFingers = place + 1
            } else if toolFingers == place + 1 {
                toolFingers = 0
            }
        default: break
        }
    }

    /// The frame is complete; appended when anything happened to a contact.
    mutating func finish(into frames: inout ContactFrames) {
        guard slots.contains(where: { $0.state.isNews }) else { return }
        frames.begin()
        for id in slots.indices {
            guard let phase = slots[id].state.phase else { continue }
            frames.append(SurfaceContact(id: id, x: slots[id].x, y: slots[id].y, phase: phase))
            slots[id].state = phase == .ended ? .empty : .resting
        }
    }

    /// The device is gone: what touches it is taken back.
    mutating func end(into frames: inout ContactFrames) {
        if slots.contains(where: { $0.state.isDown }) { frames.begin() }
        for id in slots.indices {
            if slots[id].state.isDown {
                frames.append(SurfaceContact(id: id, x: slots[id].x, y: slots[id].y, phase: .cancelled))
            }
            slots[id].state = .empty
        }
        toolFingers = 0
        selected = 0
    }

    private mutating func setContact(isDown: Bool, _ isState: Bool, _ frames: inout ContactFrames) {
        guard let slot = selected else { return }
        switch (slots[slot].state, isDown) {
        case (.empty, true): slots[slot].state = isState ? .ignored : .began
        case (.ignored, false): slots[slot].state = .empty
        case (.ignored, true):
            // Another contact than that which was there at the beginning.
            if !isState && hasSlots { slots[slot].state = .began }
        case (.began, true): break
        case (.began, false):
            finish(into: &frames)
            slots[slot].state = .lifted
        case (.resting, false), (.moved, false): slots[slot].state = .lifted
        case (.resting, true), (.moved, true):
            // A new number in a slot that was not emptied is another finger.
            guard hasSlots else { return }
            slots[slot].state = .lifted
            finish(into: &frames)
            slots[slot].state = .began
        case (.lifted, true):
            finish(into: &frames)
            slots[slot].state = .began
        case (.empty, false), (.lifted, false): break
        }
    }

    private mutating func move(_ value: Int32, isX: Bool) {
        guard let slot = selected, (isX ? slots[slot].x : slots[slot].y) != value else { return }
        if isX { slots[slot].x = value } else { slots[slot].y = value }
        if slots[slot].state == .resting { slots[slot].state = .moved }
    }
}
