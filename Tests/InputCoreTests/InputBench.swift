import InputCore
import RigConfiguration
import RigModel

/// One input device of one or more nodes as the daemon drives it, on a virtual clock: rules, decoders, assembly and
/// geometry together.
struct InputBench {
    struct Node {
        var description: InputDeviceDescription
        var rule: String
        var decoder: InputDecoder
    }

    static let display = DisplayDescription(
        name: "main", pixels: PixelSize(width: 800, height: 480), widthMillimetres: 160, heightMillimetres: 96)

    private(set) var nodes: [Node] = []
    private var assembly: InputAssembly
    let limits: IntentLimits
    private(set) var now: UInt64 = 1_000_000_000
    /// What came out since the last `take`.
    private(set) var told: [DeviceInput] = []

    init(limits: IntentLimits = IntentLimits()) {
        self.limits = limits
        assembly = InputAssembly(limits: limits)
    }

    /// Adds a node by the rule that fits it; `false` when none does.
    mutating func add(_ description: InputDeviceDescription, _ table: DeviceTable, isChosen: Bool) -> Bool {
        guard let profile = table.classify(description, isChosen: isChosen) else { return false }
        let layout = profile.layout(of: description, longPress: limits.longPress)
        nodes.append(
            Node(description: description, rule: profile.name, decoder: InputDecoder(layout, limits: limits)))
        return true
    }

    mutating func feed(_ events: [EvdevEvent], cause: EvdevFrame.Cause = .reported, node: Int = 0) {
        let stamped = events.map { EvdevEvent(type: $0.type, code: $0.code, value: $0.value, time: now) }
        var inputs: [DeviceInput] = []
        nodes[node].decoder.decode(EvdevFrame(cause: cause, events: stamped, time: now), into: &inputs)
        assembly.take(inputs, from: node, at: now, into: &told)
    }

    /// Lets time pass; deadlines are called when they are due.
    mutating func wait(_ nanoseconds: UInt64) {
        let end = now + nanoseconds
        while let (next, node) = nextDeadline, next <= end {
            now = max(now, next)
            if let node {
                var inputs: [DeviceInput] = []
                nodes[node].decoder.deadlineReached(now: now, into: &inputs)
                assembly.take(inputs, from: node, at: now, into: &told)
            } else {
                assembly.deadlineReached(now: now, into: &told)
            }
        }
        now = end
    }

    /// The first deadline, and whose it is; `nil` for the assembly's.
    private var nextDeadline: (UInt64, Int?)? {
        var next = assembly.nextDeadline.map { ($0, Int?.none) }
        for (place, node) in nodes.enumerated() {
            if let own = node.decoder.nextDeadline, own < next?.0 ?? .max { next = (own, place) }
        }
        return next
    }

    /// Every node is pulled.
    mutating func end() {
        for place in nodes.indices {
            var inputs: [DeviceInput] = []
            nodes[place].decoder.end(time: now, into: &inputs)
            assembly.take(inputs, from: place, at: now, into: &told)
        }
        assembly.end(into: &told)
    }

    mutating func take() -> [DeviceInput] {
        defer { told = [] }
        return told
    }

    /// What came out as lines, touches in pixels of `display`.
    mutating func lines() -> [String] {
        take().map { input in
            switch input {
            case .event(let event): Self.line(event)
            case .intent(let intent): "intent \(Self.line(intent))"
            case .touch(let contacts):
                nodes.compactMap(\.decoder.layout.surface).first.map { surface in
                    let geometry = TouchGeometry(surface, on: Self.display, revision: 1)
                    return Self.line(.touch(geometry.event(contacts)))
                } ?? "touch without a surface"
            }
        }
    }

    static func line(_ event: InputEvent) -> String {
        switch event {
        case .knob(.rotate(let detents)): return "rotate \(detents)"
        case .knob(.pressed): return "press"
        case .knob(.released(let held, let long)): return "release \(held / 1_000_000)ms" + (long ? " long" : "")
        case .knob(.nudge(let direction, let down)): return (down ? "nudge " : "nudge-end ") + direction.rawValue
        case .key(let key): return "key \(key.key.rawValue) \(key.down ? "down" : "up")"
        case .touch(let touch):
            let contacts = touch.contacts.map { "\($0.id) \($0.phase.rawValue) \($0.point.x),\($0.point.y)" }
            return "touch " + contacts.joined(separator: " | ") + (touch.outsideSafeArea ? " outside" : "")
        case .touchpad(let touch):
            let contacts = touch.contacts.map { "\($0.id) \($0.phase.rawValue) \($0.point.x),\($0.point.y)" }
            return "pad " + contacts.joined(separator: " | ")
        }
    }

    static func line(_ intent: InputIntent) -> String {
        switch intent {
        case .press: "press"
        case .longPress: "longPress"
        case .doublePress: "doublePress"
        case .pressTurn(let detents): "pressTurn \(detents)"
        case .tap(let fingers): "tap \(fingers)"
        case .swipe(let direction, let fingers, let speed): "swipe \(direction.rawValue) \(fingers) \(speed)"
        case .scroll(let x, let y): "scroll \(x),\(y)"
        case .focus(let direction): "focus \(direction.rawValue)"
        }
    }
}
