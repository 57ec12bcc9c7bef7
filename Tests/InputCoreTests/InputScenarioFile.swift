import Foundation
import InputCore
import RigConfiguration
import RigModel

/// A device, what it sends and what must come of it: `Tests/Fixtures/input/*.txt`.
///
/// Blocks between blank lines. The first is the device: `rule NAME` (the rule that must decide), `name`, `id VENDOR
/// PRODUCT`, `key`, `rel`, `prop` (codes), `abs CODE MIN MAX [UNITS-PER-MM]`, `chosen`, `double-press TIME`; `node` begins
/// the next node of the same device. Then blocks of events and of what must be told take turns. An event line is one frame:
/// `REL_DIAL 1, BTN_0 1`, with `initial` or `recovered` before it where it is not reported, `@1` for node 1; `wait 20ms`
/// and `gone` stand alone. `-` says that nothing must be told. `#` begins a comment.
struct InputScenarioFile {
    enum Step {
        case frame(EvdevFrame.Cause, node: Int, [EvdevEvent])
        case wait(UInt64)
        case gone
    }

    struct Exchange {
        let line: Int
        let steps: [Step]
        let expected: [String]
    }

    struct Node {
        var description = InputDeviceDescription()
        var rule = ""
    }

    struct Failure: Error { let text: String }

    private(set) var nodes: [Node] = []
    private(set) var isChosen = false
    private(set) var limits = IntentLimits()
    private(set) var exchanges: [Exchange] = []

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/input")

    static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".txt") }.sorted()
    }

    init(_ name: String) throws {
        let text = try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
        var blocks: [[(number: Int, text: String)]] = [[]]
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.first == "#" { continue }
            if line.isEmpty {
                if blocks.last?.isEmpty == false { blocks.append([]) }
            } else {
                blocks[blocks.count - 1].append((number + 1, String(line)))
            }
        }
        if blocks.last?.isEmpty == true { blocks.removeLast() }
        guard blocks.count % 2 == 1 else { throw Failure(text: "\(name): events without what is expected") }
        try readDevice(blocks[0].map(\.text))
        for place in stride(from: 1, to: blocks.count, by: 2) {
            let expected = blocks[place + 1].map(\.text)
            exchanges.append(
                Exchange(
                    line: blocks[place][0].number, steps: try blocks[place].map { try Self.step($0.text) },
                    expected: expected == ["-"] ? [] : expected))
        }
    }

    private mutating func readDevice(_ lines: [String]) throws {
        nodes = [Node()]
        for line in lines {
            let words = line.split(separator: " ").map(String.init)
            let rest = Array(words.dropFirst())
            let last = nodes.count - 1
            switch words[0] {
            case "node": nodes.append(Node())
            case "chosen": isChosen = true
            case "rule": nodes[last].rule = rest[0]
            case "name": nodes[last].description.name = rest.joined(separator: " ")
            case "double-press": limits.doublePress = try Self.time(rest[0])
            case "id":
                nodes[last].description.vendor = UInt16(rest[0], radix: 16) ?? 0
                nodes[last].description.product = UInt16(rest[1], radix: 16) ?? 0
            case "key": nodes[last].description.key += try rest.map { try Self.code($0).code }
            case "rel": nodes[last].description.rel += try rest.map { try Self.code($0).code }
            case "prop": nodes[last].description.props += rest.compactMap { UInt16($0) }
            case "abs":
                let code = try Self.code(rest[0]).code
                nodes[last].description.abs.append(code)
                nodes[last].description.axes.append(
                    AbsoluteRange(
                        code: code, minimum: Int32(rest[1]) ?? 0, maximum: Int32(rest[2]) ?? 0,
                        resolution: rest.count > 3 ? Int32(rest[3]) ?? 0 : 0))
            default: throw Failure(text: line)
            }
        }
    }

    private static func step(_ line: String) throws -> Step {
        if line == "gone" { return .gone }
        if line.hasPrefix("wait ") { return .wait(try time(String(line.dropFirst(5)))) }
        var rest = Substring(line)
        var node = 0
        var cause = EvdevFrame.Cause.reported
        if rest.first == "@" {
            node = Int(rest.dropFirst().prefix { $0 != " " }) ?? 0
            rest = rest.drop { $0 != " " }.dropFirst()
        }
        for (word, meaning) in [("initial", EvdevFrame.Cause.initial), ("recovered", .recovered)]
        where rest.hasPrefix(word) {
            cause = meaning
            rest = rest.dropFirst(word.count).drop { $0 == " " }
        }
        let events = try rest.split(separator: ",").map { part in
            let words = part.split(separator: " ")
            guard words.count == 2, let value = Int32(words[1]) else { throw Failure(text: line) }
            let (type, code) = try code(String(words[0]))
            return EvdevEvent(type: type, code: code, value: value, time: 0)
        }
        return .frame(cause, node: node, events)
    }

    private static func time(_ text: String) throws -> UInt64 { try ConfigurationValue.duration(text) }

    private static func code(_ word: String) throws -> (type: UInt16, code: UInt16) {
        guard let code = codes[word] else { throw Failure(text: "no code \(word)") }
        let type: UInt16 = word.hasPrefix("REL_") ? 2 : word.hasPrefix("ABS_") ? 3 : 1
        return (type, code)
    }

    private static let codes: [String: UInt16] = [
        "REL_X": 0, "REL_DIAL": 7, "REL_WHEEL": 8, "REL_WHEEL_HI_RES": 11, "ABS_X": 0, "ABS_Y": 1, "ABS_RUDDER": 7,
        "ABS_WHEEL": 8, "ABS_MT_SLOT": 0x2F, "ABS_MT_POSITION_X": 0x35, "ABS_MT_POSITION_Y": 0x36,
        "ABS_MT_TRACKING_ID": 0x39, "BTN_0": 0x100, "BTN_4": 0x104, "BTN_5": 0x105, "BTN_6": 0x106, "BTN_7": 0x107,
        "BTN_8": 0x108, "BTN_1": 0x101, "BTN_2": 0x102, "BTN_3": 0x103, "BTN_LEFT": 0x110, "BTN_TOUCH": 0x14A,
        "BTN_TOOL_FINGER": 0x145, "BTN_TOOL_DOUBLETAP": 0x14D, "BTN_TOOL_TRIPLETAP": 0x14E, "KEY_1": 2, "KEY_2": 3,
        "KEY_A": 30, "KEY_BACKSPACE": 14, "KEY_ENTER": 28, "KEY_UP": 103, "KEY_LEFT": 105, "KEY_RIGHT": 106,
        "KEY_DOWN": 108, "KEY_MUTE": 113, "KEY_VOLUMEDOWN": 114, "KEY_VOLUMEUP": 115, "KEY_SLEEP": 142,
        "KEY_WAKEUP": 143, "KEY_BACK": 158, "KEY_HOMEPAGE": 172, "KEY_NEXTSONG": 163, "KEY_PLAYPAUSE": 164,
        "KEY_PREVIOUSSONG": 165, "KEY_PHONE": 169, "KEY_PICKUP_PHONE": 0x1BD, "KEY_HANGUP_PHONE": 0x1BE,
        "KEY_VOICECOMMAND": 0x246,
    ]
}
