import HIDReports

/// Any reports of any device: what goes down comes up once, contacts begin and end, and numbers stay within their limits.
///
/// Input: a choice of descriptor, for one of its own two bytes of length and the descriptor; then reports, each with its
/// length before it.
enum HIDReportsTarget {
    private static let standard: [StandardInput] = [
        .knob, .touchpad(contacts: 3), .touchscreen(maximumX: 799, maximumY: 479), .mediaKeys, .telephonyKeys,
        .consumerRemote,
    ]

    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        var input = FuzzInput(bytes)
        let choice = input.int(0...standard.count)
        var text: [UInt8] = []
        if choice < standard.count {
            text = standard[choice].descriptor
        } else {
            for _ in 0..<min(Int(input.word()), HIDDescriptor.maximumBytes) where !input.isAtEnd {
                text.append(input.byte())
            }
        }
        guard let descriptor = try? HIDDescriptor.parse(text) else {
            return try require(choice == standard.count, "\(choice): our own descriptor is refused")
        }
        var bench = Bench(descriptor)
        while !input.isAtEnd { try bench.read(input.bytes(upTo: 255)) }
        try bench.end()
        if choice < standard.count { try typed(standard[choice], FuzzInput(bytes)) }
    }

    /// What the typed form reads is written in as many bytes, and then always in the same ones.
    private static func typed(_ device: StandardInput, _ rest: FuzzInput) throws(FuzzFinding) {
        var input = rest
        _ = input.byte()
        while !input.isAtEnd {
            let bytes = input.bytes(upTo: 255)
            guard let once = rewritten(bytes, device) else { continue }
            try require(once.count == bytes.count, "\(device): \(bytes.count) bytes became \(once.count)")
            try require(rewritten(once, device) == once, "\(device): what was written is written otherwise")
        }
    }

    private static func rewritten(_ bytes: [UInt8], _ device: StandardInput) -> [UInt8]? {
        switch device {
        case .knob: try? KnobReport(bytes[...]).bytes
        case .touchpad(let contacts): try? TouchpadReport(bytes[...], capacity: contacts).bytes
        case .touchscreen: try? TouchscreenReport(bytes[...]).bytes
        case .mediaKeys: try? MediaKeyReport(bytes[...]).bytes
        case .telephonyKeys: try? TelephonyKeyReport(bytes[...]).bytes
        case .consumerRemote: try? ConsumerRemoteReport(bytes[...]).bytes
        }
    }

    private struct Bench {
        var reader: HIDReportReader
        var down: [HIDUsage] = []
        var touching: [Int] = []

        init(_ descriptor: HIDDescriptor) { reader = HIDReportReader(descriptor) }

        mutating func read(_ report: [UInt8]) throws(FuzzFinding) {
            var events: [HIDReportEvent] = []
            do throws(HIDReportError) {
                try reader.read(report[...], into: &events)
            } catch {
                try require(events.isEmpty, "a refused report did something: \(error)")
            }
            try note(events)
        }

        mutating func end() throws(FuzzFinding) {
            var events: [HIDReportEvent] = []
            reader.end(into: &events)
            try note(events)
            try require(down.isEmpty && touching.isEmpty, "held after the end: \(down) \(touching)")
        }

        private mutating func note(_ events: [HIDReportEvent]) throws(FuzzFinding) {
            try require(events.count <= 3 + 255 * 2 * HIDReportReader.maximumHeld, "\(events.count) events at once")
            for event in events {
                switch event {
                case .rotated(let units): try require(units != 0, "a turn of nothing")
                case .pushed(let x, let y): try require(max(abs(x), abs(y)) <= 1_000, "pushed to \(x),\(y)")
                case .button(let usage, isDown: true): down.append(usage)
                case .button(let usage, isDown: false):
                    guard let index = down.firstIndex(of: usage) else { throw FuzzFinding("\(usage) came up twice") }
                    down.remove(at: index)
                case .contacts(let contacts):
                    try require(contacts.contains { $0.phase != .still }, "a frame in which nothing changed")
                    for contact in contacts {
                        let places = 0...HIDContact.full
                        try require(places.contains(contact.x) && places.contains(contact.y), "\(contact)")
                        try require(
                            touching.contains(contact.number) == (contact.phase != .down), "\(contact) of \(touching)")
                        if contact.phase == .down { touching.append(contact.number) }
                        if contact.phase == .up { touching.removeAll { $0 == contact.number } }
                    }
                    try require(touching.count <= HIDReportReader.maximumContacts, "\(touching.count) contacts")
                }
            }
        }
    }
}
