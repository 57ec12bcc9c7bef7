import InputCore
import RigModel

/// A device of some nodes, and what must hold of what it tells.
struct InputFuzzBench {
    static let keys: [UInt16] = [0x100, 28, 172, 0x110, 114, 115]
    private static let display = DisplayDescription(
        name: "main", pixels: PixelSize(width: 800, height: 480), widthMillimetres: 160, heightMillimetres: 96)

    private var nodes: [InputDecoder]
    private var assembly: InputAssembly
    private var time: UInt64 = 1 << 40
    private(set) var isPressed = false
    private var nudges: [NudgeDirection] = []
    private(set) var keys: [Key] = []
    /// Contacts that are down, of each node.
    private(set) var down: [[Int]]
    /// The sum of everything that was turned.
    private(set) var detents: Int64 = 0

    init(_ layouts: [InputLayout], _ limits: IntentLimits) {
        nodes = layouts.map { InputDecoder($0, limits: limits) }
        assembly = InputAssembly(limits: limits)
        down = layouts.map { _ in [] }
    }

    mutating func operate(_ input: inout FuzzInput) throws(FuzzFinding) {
        guard !nodes.isEmpty else {
            _ = input.rest()
            return
        }
        let node = input.int(0...nodes.count - 1)
        switch input.int(0...7) {
        case 0...4:
            var events: [EvdevEvent] = []
            for _ in 0..<input.int(0...12) { events.append(event(&input)) }
            let frame = EvdevFrame(
                cause: input.pick([.reported, .reported, .recovered, .initial]), events: events, time: time)
            var inputs: [DeviceInput] = []
            nodes[node].decode(frame, into: &inputs)
            try take(inputs, from: node)
        case 5: time &+= UInt64(input.byte()) << 20
        case 6: time = input.wide()
        default: try passDeadlines()
        }
    }

    /// Decodes a frame of a node.
    mutating func feed(_ frame: EvdevFrame, node: Int) throws(FuzzFinding) {
        time = max(time, frame.time)
        var inputs: [DeviceInput] = []
        nodes[node].decode(frame, into: &inputs)
        try take(inputs, from: node)
    }

    mutating func end() throws(FuzzFinding) {
        for node in nodes.indices {
            var inputs: [DeviceInput] = []
            nodes[node].end(time: time, into: &inputs)
            try take(inputs, from: node)
            try require(nodes[node].nextDeadline == nil, "a deadline of a node that is gone")
            inputs = []
            nodes[node].end(time: time, into: &inputs)
            try require(inputs.isEmpty, "told after the end: \(inputs)")
        }
        var told: [DeviceInput] = []
        assembly.end(into: &told)
        try require(assembly.nextDeadline == nil, "a deadline of a device that is gone")
        try require(!isPressed && nudges.isEmpty && keys.isEmpty, "held at the end")
        try require(down.allSatisfy(\.isEmpty), "touched at the end: \(down)")
    }

    private func event(_ input: inout FuzzInput) -> EvdevEvent {
        let type = input.pick([1, 1, 2, 3, 3, 3, 0, 4] as [UInt16])
        let code: UInt16 =
            switch type {
            case 1: input.pick(Self.keys + [0x14A, 0x145, 0x14D, 0x14E, 0x14F, 0x148])
            case 2: input.pick([7, 8, 11, 0])
            case 3: input.pick([0x2F, 0x39, 0x35, 0x36, 0, 1, 7, 8])
            default: input.word()
            }
        let value: Int32 =
            input.bool() ? input.pick([-1, 0, 1, 2, 9, 10, .max, .min]) : Int32(Int16(bitPattern: input.word()))
        return EvdevEvent(type: type, code: code, value: value, time: time)
    }

    /// Everything that is due now is told, and then nothing is due any more.
    private mutating func passDeadlines() throws(FuzzFinding) {
        for node in nodes.indices {
            guard let deadline = nodes[node].nextDeadline else { continue }
            time = max(time, deadline)
            var inputs: [DeviceInput] = []
            nodes[node].deadlineReached(now: time, into: &inputs)
            try take(inputs, from: node)
            try require(nodes[node].nextDeadline ?? .max >= time, "a deadline comes over and over")
        }
        guard let deadline = assembly.nextDeadline else { return }
        time = max(time, deadline)
        var told: [DeviceInput] = []
        assembly.deadlineReached(now: time, into: &told)
        for input in told { try note(input) }
        try require(assembly.nextDeadline ?? .max >= time, "the device's deadline comes over and over")
    }

    private mutating func take(_ inputs: [DeviceInput], from node: Int) throws(FuzzFinding) {
        for input in inputs {
            switch input {
            case .touch(let contacts):
                try follow(contacts.map { ($0.id, $0.phase) }, node)
                if let surface = nodes[node].layout.surface {
                    let geometry = TouchGeometry(surface, on: Self.display, revision: 1)
                    for contact in geometry.event(contacts).contacts {
                        try require(
                            PixelRect(Self.display.pixels).contains(x: contact.point.x, y: contact.point.y),
                            "\(contact.point) is not on the display")
                    }
                }
            case .event(.touchpad(let touch)):
                try follow(touch.contacts.map { ($0.id, $0.phase) }, node)
                for contact in touch.contacts {
                    let range = 0...PadPoint.full
                    try require(
                        range.contains(contact.point.x) && range.contains(contact.point.y),
                        "\(contact.point) is not on the pad")
                }
            case .event, .intent: break
            }
        }
        var told: [DeviceInput] = []
        assembly.take(inputs, from: node, at: time, into: &told)
        for input in told { try note(input) }
    }

    private mutating func follow(_ contacts: [(id: Int, phase: ContactPhase)], _ node: Int) throws(FuzzFinding) {
        try require(!contacts.isEmpty && contacts.count <= SurfaceLayout.maximumSlots, "\(contacts.count) contacts")
        for (id, phase) in contacts {
            let place = down[node].firstIndex(of: id)
            switch phase {
            case .began:
                try require(place == nil, "contact \(id) touches down twice")
                down[node].append(id)
            case .moved, .stationary: try require(place != nil, "contact \(id) moves in the air")
            case .ended, .cancelled:
                guard let place else { throw FuzzFinding("contact \(id) is lifted twice") }
                down[node].remove(at: place)
            }
        }
    }

    private mutating func note(_ input: DeviceInput) throws(FuzzFinding) {
        switch input {
        case .event(.knob(.rotate(let turned))):
            try require(turned != 0, "a turn of nothing")
            detents += Int64(turned)
        case .event(.knob(.pressed)):
            try require(!isPressed, "pressed twice")
            isPressed = true
        case .event(.knob(.released)):
            try require(isPressed, "released twice")
            isPressed = false
        case .event(.knob(.nudge(let direction, let isDown))): try push(direction, isDown)
        case .event(.key(let key)):
            let place = keys.firstIndex(of: key.key)
            try require((place == nil) == key.down, "\(key.key) goes \(key.down ? "down" : "up") twice")
            if let place { keys.remove(at: place) } else { keys.append(key.key) }
        case .intent(.scroll(let x, let y)): try require(x != 0 || y != 0, "a scroll of nothing")
        case .intent(.pressTurn(let detents)): try require(detents != 0, "a turn of nothing")
        case .intent(.tap(let fingers)), .intent(.swipe(_, let fingers, _)):
            try require((1...SurfaceLayout.maximumSlots).contains(fingers), "\(fingers) fingers")
        case .intent, .touch, .event(.touchpad), .event(.touch): break
        }
    }

    /// Two nodes may push two ways at once; each way is begun once and ended once.
    private mutating func push(_ direction: NudgeDirection, _ isDown: Bool) throws(FuzzFinding) {
        let place = nudges.firstIndex(of: direction)
        try require((place == nil) == isDown, "\(direction) is pushed \(isDown ? "twice" : "no more twice")")
        if let place { nudges.remove(at: place) } else { nudges.append(direction) }
    }
}
