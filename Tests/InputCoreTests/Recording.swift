import Foundation
import RigModel

/// A recording of a real device in evemu's text form: a description and what the device sent.
struct Recording {
    let device: InputDeviceDescription
    let frames: [EvdevFrame]

    /// Where published recordings are on a machine that has them: `shared/fixtures/recordings` beside the repository or
    /// beside a folder that it is in.
    static let folder: URL? = {
        var place = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        while place.path != "/" {
            place.deleteLastPathComponent()
            let candidate = place.appendingPathComponent("shared/fixtures/recordings")
            if FileManager.default.fileExists(atPath: candidate.path) { return candidate }
        }
        return nil
    }()

    init(_ device: String, _ events: String) throws {
        let folder = Self.folder ?? URL(fileURLWithPath: "/")
        func lines(_ name: String) throws -> [[String]] {
            try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8).split(separator: "\n")
                .filter { $0.first != "#" }.map { $0.split { $0 == " " || $0 == "\t" }.map(String.init) }
        }
        var description = Self.device(try lines("\(device).desc"))
        let text = try String(contentsOf: folder.appendingPathComponent("\(device).\(events).events"), encoding: .utf8)
        for range in Self.ranges(text) {
            description.axes.removeAll { $0.code == range.code }
            description.axes.append(range)
        }
        self.device = description
        frames = Self.frames(try lines("\(device).\(events).events"))
    }

    /// The ranges that a file of events tells of its own device in its comments: those of the description may be another
    /// kernel's.
    private static func ranges(_ text: String) -> [AbsoluteRange] {
        var ranges: [AbsoluteRange] = []
        var isAbsolute = false
        for line in text.split(separator: "\n") where line.first == "#" {
            let words = line.split(separator: " ").map(String.init)
            if line.contains("Event type") { isAbsolute = line.contains("(EV_ABS)") }
            guard isAbsolute, words.count > 2 else { continue }
            if line.contains("Event code") {
                ranges.append(AbsoluteRange(code: UInt16(words[3]) ?? 0, minimum: 0, maximum: 0))
            }
            guard let value = Int32(words[2]), !ranges.isEmpty else { continue }
            switch words[1] {
            case "Min": ranges[ranges.count - 1].minimum = value
            case "Max": ranges[ranges.count - 1].maximum = value
            case "Resolution": ranges[ranges.count - 1].resolution = value
            default: break
            }
        }
        return ranges
    }

    private static func device(_ lines: [[String]]) -> InputDeviceDescription {
        var device = InputDeviceDescription()
        var bits: [Int: [UInt8]] = [:]
        for words in lines {
            let rest = Array(words.dropFirst())
            switch words[0] {
            case "N:": device.name = rest.joined(separator: " ")
            case "I:":
                let numbers = rest.map { UInt16($0, radix: 16) ?? 0 }
                (device.bus, device.vendor, device.product) = (numbers[0], numbers[1], numbers[2])
            case "P:": bits[-1, default: []] += rest.map { UInt8($0, radix: 16) ?? 0 }
            case "B:":
                bits[Int(rest[0], radix: 16) ?? 0, default: []] += rest.dropFirst().map { UInt8($0, radix: 16) ?? 0 }
            case "A:":
                let numbers = rest.dropFirst().map { Int32($0) ?? 0 }
                device.axes.append(
                    AbsoluteRange(
                        code: UInt16(rest[0], radix: 16) ?? 0, minimum: numbers[0], maximum: numbers[1],
                        resolution: numbers.count > 4 ? numbers[4] : 0))
            default: break
            }
        }
        func codes(_ type: Int) -> [UInt16] {
            (bits[type] ?? []).enumerated().flatMap { place, byte in
                (0..<8).filter { byte & (1 << UInt8($0)) != 0 }.map { UInt16(place * 8 + $0) }
            }
        }
        device.key = codes(1)
        device.rel = codes(2)
        device.abs = codes(3)
        device.props = codes(-1)
        return device
    }

    private static func frames(_ lines: [[String]]) -> [EvdevFrame] {
        var frames: [EvdevFrame] = []
        var events: [EvdevEvent] = []
        for words in lines where words[0] == "E:" {
            let parts = words[1].split(separator: ".")
            let time = 1_000_000_000 + (UInt64(parts[0]) ?? 0) * 1_000_000_000 + (UInt64(parts[1]) ?? 0) * 1_000
            let event = EvdevEvent(
                type: UInt16(words[2], radix: 16) ?? 0, code: UInt16(words[3], radix: 16) ?? 0,
                value: Int32(words[4]) ?? 0, time: time)
            if event.type == 0 && event.code == 0 {
                frames.append(EvdevFrame(cause: .reported, events: events, time: time))
                events = []
            } else {
                events.append(event)
            }
        }
        return frames
    }
}
