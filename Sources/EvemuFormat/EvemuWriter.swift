public import RigModel

/// Writes what a device is and what it sends in evemu's text form, version 1.3, a piece at a time.
///
/// Times are written from the first event on, as evemu itself does it, in microseconds. Codes of types other than keys,
/// relative and absolute axes are not in a description here and so not in the file.
public struct EvemuWriter: Sendable {
    /// How many events were written, SYN_REPORTs not counted.
    public private(set) var eventCount = 0
    /// How many reports were written.
    public private(set) var frameCount = 0

    private var start: UInt64?

    /// A writer of one file.
    public init() {}

    /// The head of a file: version and description.
    public func head(_ device: InputDeviceDescription) -> String {
        // A name is one line, whatever a driver put into it.
        let name = Self.line(device.name)
        var text = "# EVEMU 1.3\n# Input device name: \"\(name)\"\n# Input device ID: bus 0x\(Self.hex(device.bus, 2))"
        text += " vendor 0x\(Self.hex(device.vendor, 4)) product 0x\(Self.hex(device.product, 4))"
        text += " version 0x\(Self.hex(device.version, 4))\nN: \(name)\nI: \(Self.hex(device.bus, 4))"
        text += " \(Self.hex(device.vendor, 4)) \(Self.hex(device.product, 4)) \(Self.hex(device.version, 4))\n"
        text += Self.bits("P:", device.props, bytes: 8)
        text += Self.bits("B: 00", device.ev, bytes: 8)
        text += Self.bits("B: 01", device.key, bytes: EvemuReader.maximumCodeBytes)
        text += Self.bits("B: 02", device.rel, bytes: 8)
        text += Self.bits("B: 03", device.abs, bytes: 8)
        for axis in device.axes {
            text += "A: \(Self.hex(axis.code, 2)) \(axis.minimum) \(axis.maximum) \(axis.fuzz) \(axis.flat)"
            text += " \(axis.resolution)\n"
        }
        return text
    }

    /// One report with its SYN_REPORT. How a node stood when it was opened is no report: that gives nothing. What was
    /// found after a loss is marked by a comment.
    public mutating func frame(_ frame: EvdevFrame) -> String {
        var text = ""
        switch frame.cause {
        case .initial: return ""
        case .reported: break
        case .recovered: text = "# events were lost; what follows is what had changed\n"
        }
        let start = start ?? frame.events.first.map { min($0.time, frame.time) } ?? frame.time
        self.start = start
        for event in frame.events {
            text += Self.event(event, start)
            eventCount += 1
        }
        text += Self.event(EvdevEvent(type: 0, code: 0, value: 0, time: frame.time), start)
        frameCount += 1
        return text
    }

    private static func event(_ event: EvdevEvent, _ start: UInt64) -> String {
        let microseconds = event.time > start ? (event.time - start) / 1_000 : 0
        let fraction = String(microseconds % 1_000_000)
        let magnitude = String(event.value.magnitude)
        return "E: \(microseconds / 1_000_000)." + zeros(6 - fraction.utf8.count) + fraction
            + " \(hex(event.type, 4)) \(hex(event.code, 4)) "
            + (event.value < 0 ? "-" + zeros(3 - magnitude.utf8.count) : zeros(4 - magnitude.utf8.count)) + magnitude
            + "\n"
    }

    /// Rows of eight bytes, as evemu has them.
    private static func bits(_ key: String, _ codes: [UInt16], bytes count: Int) -> String {
        var bytes = [UInt8](repeating: 0, count: count)
        for code in codes where Int(code) / 8 < count { bytes[Int(code) / 8] |= 1 << UInt8(code % 8) }
        var text = ""
        for row in stride(from: 0, to: count, by: 8) {
            text += key
            for byte in bytes[row..<min(row + 8, count)] { text += " " + hex(UInt16(byte), 2) }
            text += "\n"
        }
        return text
    }

    /// The longest name in bytes: what the kernel tells of one. A name whose bytes were mended is longer than it was.
    private static let maximumName = 256

    private static func line(_ name: String) -> String {
        var line = String.UnicodeScalarView()
        var size = 0
        for scalar in name.unicodeScalars {
            let shown: Unicode.Scalar = scalar.value < 0x20 || scalar.value == 0x7F ? "?" : scalar
            size += UTF8.width(shown)
            if size > maximumName { break }
            line.append(shown)
        }
        return String(line)
    }

    private static func hex(_ value: UInt16, _ digits: Int) -> String {
        let text = String(value, radix: 16)
        return zeros(digits - text.utf8.count) + text
    }

    private static func zeros(_ count: Int) -> String { String(repeating: "0", count: max(0, count)) }
}
