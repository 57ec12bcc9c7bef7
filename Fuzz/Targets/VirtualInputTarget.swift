import EvemuFormat
import RigModel
import VirtualInput

/// Virtual input devices: whatever lines say, only events that the device has are sent, contacts begin and end in turn, a
/// refused line has a word, and lines mean the same however they are cut; whatever a recording describes, no withheld key is
/// made or sent.
///
/// Input: `k`, `p` or `s` for a kind, the size of the pieces, then lines; anything else is a recording.
enum VirtualInputTarget {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        let kind: VirtualInputDevice.Kind
        switch bytes.first {
        case UInt8(ascii: "k"): kind = .knob
        case UInt8(ascii: "p"): kind = .touchpad
        case UInt8(ascii: "s"): kind = .touchscreen
        default: return try recording(bytes)
        }
        let surface = VirtualSurface(width: 1_000, height: .max, resolution: 0, slots: 3)
        guard let device = try? VirtualInputDevice(kind, surface: surface) else {
            throw FuzzFinding("a \(kind) cannot be made")
        }
        let pieces = Int(bytes.dropFirst().first ?? 0) + 1
        try commands(Array(bytes.dropFirst(2)), pieces, device)
    }

    private static func commands(_ text: [UInt8], _ pieces: Int, _ device: VirtualInputDevice) throws(FuzzFinding) {
        let cut = lines(text, pieces)
        try require(cut == lines(text, text.count + 1), "pieces of \(pieces) bytes make other lines")
        var encoder = VirtualInputEncoder(device)
        var contacts = Contacts()
        for case .whole(let number, let line) in cut {
            let actions: [VirtualInputAction]
            do throws(VirtualInputRefusal) {
                guard let command = try VirtualInputCommand.parse(line) else { continue }
                // Single events may say anything of contacts.
                if case .event = command { contacts.isFollowed = false }
                actions = try encoder.actions(for: command)
            } catch {
                try require(error.field >= 1 && error.field <= line.count + 1, "line \(number): word \(error.field)")
                try require(!error.text.isEmpty, "line \(number) is refused without words")
                continue
            }
            for case .report(let events) in actions {
                try require(!events.isEmpty && events.allSatisfy(device.sends), "line \(number) sends what it may not")
                try contacts.take(events, device)
            }
        }
    }

    private static func lines(_ text: [UInt8], _ pieces: Int) -> [VirtualInputLines.Line] {
        var lines = VirtualInputLines()
        var found: [VirtualInputLines.Line] = []
        for start in stride(from: 0, to: text.count, by: pieces) {
            lines.append(text[start..<min(start + pieces, text.count)])
            while let line = lines.next() { found.append(line) }
        }
        lines.end()
        while let line = lines.next() { found.append(line) }
        return found
    }

    private static func recording(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let recording = try? EvemuRecording(parsing: bytes), let described = recording.device,
            let device = try? VirtualInputDevice(recorded: described)
        else { return }
        let keys = device.description.key
        try require(!keys.contains { WithheldKey.name(of: $0) != nil }, "it has a withheld key")
        try require(device.description.name.utf8.count <= VirtualInputDevice.maximumName, "its name is too long")
        let playback = VirtualInputPlayback(recording.frames, on: device)
        var played = 0
        var last: UInt64 = 0
        for report in playback.reports {
            try require(!report.events.isEmpty && report.events.allSatisfy(device.sends), "it sends what it has not")
            try require(report.offset >= last && report.offset <= playback.duration, "a report goes back in time")
            last = report.offset
            played += report.events.count
        }
        let all = recording.frames.reduce(0) { $0 + $1.events.count }
        try require(played + playback.leftOut == all, "\(all) events, \(played) played, \(playback.leftOut) left out")
    }

    /// The contacts that the kernel has, by what it was sent.
    private struct Contacts {
        var isFollowed = true
        private var slot: Int32 = 0
        private var down: [Int32] = []

        mutating func take(_ events: [EvdevEvent], _ device: VirtualInputDevice) throws(FuzzFinding) {
            guard isFollowed else { return }
            for event in events {
                switch (event.type, event.code) {
                case (3, 0x2F): slot = event.value
                case (3, 0x39) where event.value < 0:
                    try require(down.contains(slot), "slot \(slot) ends what has not begun")
                    down.removeAll { $0 == slot }
                case (3, 0x39):
                    try require(!down.contains(slot), "slot \(slot) begins twice")
                    down.append(slot)
                case (1, 0x14A): try require((event.value == 1) != down.isEmpty, "BTN_TOUCH is not what fingers do")
                case (3, let code):
                    let range = device.description.range(of: code)
                    try require(
                        range.map { ($0.minimum...$0.maximum).contains(event.value) } ?? false, "axis \(code) is left")
                case (_, _): break
                }
            }
        }
    }
}
