internal import EvemuFormat
internal import RigConfiguration
public import RigModel

/// A place on a surface in millionths of its sides, from the top left.
public struct SurfacePlace: Equatable, Sendable {
    /// From the left: 0 to 1,000,000.
    public var x: Int
    /// From the top: 0 to 1,000,000.
    public var y: Int

    /// States a place.
    public init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }
}

/// One thing that a virtual device is told to do, a line of its input.
public enum VirtualInputCommand: Equatable, Sendable {
    /// So many detents in one report, positive clockwise: `turn -3`.
    case turn(Int32)
    /// The button goes down: `press`.
    case press
    /// The button comes up: `release`.
    case release
    /// A finger touches a place and leaves it: `tap 0.5 0.5`.
    case tap(SurfacePlace)
    /// A finger comes down in a slot: `down 0 0.5 0.5`.
    case down(slot: Int, SurfacePlace)
    /// The finger of a slot goes to a place: `move 0 0.6 0.5`.
    case move(slot: Int, SurfacePlace)
    /// The finger of a slot is lifted: `up 0`.
    case up(slot: Int)
    /// What follows is done so many nanoseconds after what stands before: `wait 50ms`.
    case wait(UInt64)
    /// Tells a word once everything in front of it is done, for whoever waits for that: `echo half`.
    case echo(String)
    /// An event as in evemu's form, sent with its report; its time is not looked at: `E: 0.000000 0002 0007 0001`.
    case event(EvdevEvent)

    /// The most detents of one report: ours. True knobs send what came in 8 ms, some dozens.
    public static let maximumDetents = 1_000
    /// The longest pause: ours, an hour.
    public static let maximumWait: UInt64 = 3_600_000_000_000

    /// Reads a line without its end; nothing for an empty one and for a comment, which begins with `#`.
    public static func parse(_ line: ArraySlice<UInt8>) throws(VirtualInputRefusal) -> VirtualInputCommand? {
        let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
        guard let first = words.first, first.first != UInt8(ascii: "#") else { return nil }
        if first.count >= 2 && first[first.startIndex + 1] == UInt8(ascii: ":") { return try event(line, first) }
        return try command(words.map { String(decoding: $0, as: UTF8.self) })
    }

    private static func event(
        _ line: ArraySlice<UInt8>, _ first: ArraySlice<UInt8>
    ) throws(VirtualInputRefusal) -> VirtualInputCommand {
        guard first.first == UInt8(ascii: "E") else {
            throw VirtualInputRefusal(
                "only the events (E:) of a recording can be sent; its description makes a device with --play FILE")
        }
        do throws(EvemuFieldProblem) {
            return .event(try EvemuEventLine.parse(line))
        } catch {
            throw VirtualInputRefusal(field: error.field, "expected is \(error.expected)")
        }
    }

    private static let usage: [(word: String, form: String, count: Int)] = [
        ("turn", "turn DETENTS", 2), ("press", "press", 1), ("release", "release", 1), ("tap", "tap X Y", 3),
        ("down", "down SLOT X Y", 4), ("move", "move SLOT X Y", 4), ("up", "up SLOT", 2), ("wait", "wait TIME", 2),
        ("echo", "echo WORD", 2),
    ]

    private static func command(_ words: [String]) throws(VirtualInputRefusal) -> VirtualInputCommand {
        guard let known = usage.first(where: { $0.word == words[0] }) else {
            let names = usage.map(\.word)
            let near = Spelling.nearest(to: words[0], among: names).map { "; did you mean \"\($0)\"?" } ?? ""
            throw VirtualInputRefusal(
                "\(Quotation.quoted(words[0])) is none of \(names.joined(separator: ", ")) and E:\(near)")
        }
        guard words.count == known.count else {
            // The first word that is too much, or where the first one is missing.
            throw VirtualInputRefusal(field: min(words.count, known.count) + 1, "the form is: \(known.form)")
        }
        switch known.word {
        case "turn": return .turn(try detents(words[1]))
        case "press": return .press
        case "release": return .release
        case "tap": return .tap(try place(words, at: 1))
        case "down": return .down(slot: try slot(words[1]), try place(words, at: 2))
        case "move": return .move(slot: try slot(words[1]), try place(words, at: 2))
        case "up": return .up(slot: try slot(words[1]))
        case "echo": return .echo(words[1])
        default: return .wait(try time(words[1]))
        }
    }

    private static func detents(_ text: String) throws(VirtualInputRefusal) -> Int32 {
        let sign = text.first == "-" || text.first == "+" ? text.first : nil
        let digits = sign == nil ? text : String(text.dropFirst())
        let number = Int32(try number(digits, of: text, in: 1...maximumDetents, field: 2))
        return sign == "-" ? -number : number
    }

    private static func slot(_ text: String) throws(VirtualInputRefusal) -> Int {
        try number(text, of: text, in: 0...VirtualInputDevice.maximumSlots - 1, field: 2)
    }

    private static func number(
        _ digits: String, of text: String, in range: ClosedRange<Int>, field: Int
    ) throws(VirtualInputRefusal) -> Int {
        do throws(ConfigurationValueError) {
            return try ConfigurationValue.integer(digits, in: range)
        } catch {
            throw VirtualInputRefusal(
                field: field,
                "\(Quotation.quoted(text)) is no whole number from \(range.lowerBound) to \(range.upperBound)")
        }
    }

    private static func time(_ text: String) throws(VirtualInputRefusal) -> UInt64 {
        do throws(ConfigurationValueError) {
            return try ConfigurationValue.duration(text, in: 0...maximumWait)
        } catch {
            throw VirtualInputRefusal(field: 2, error.text)
        }
    }

    private static func place(_ words: [String], at index: Int) throws(VirtualInputRefusal) -> SurfacePlace {
        SurfacePlace(
            x: try fraction(words[index], field: index + 1), y: try fraction(words[index + 1], field: index + 2))
    }

    /// A number from 0 to 1 with at most six decimals, in millionths.
    private static func fraction(_ text: String, field: Int) throws(VirtualInputRefusal) -> Int {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let decimals = parts.count == 2 ? parts[1] : ""
        let isNumber = (parts + [""]).allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        if isNumber && parts.count <= 2 && parts[0].utf8.count == 1 && decimals.utf8.count <= 6
            && (parts.count == 1 || !decimals.isEmpty),
            let value = Int(parts[0] + decimals + String(repeating: "0", count: 6 - decimals.utf8.count)),
            value <= 1_000_000
        {
            return value
        }
        throw VirtualInputRefusal(
            field: field, "\(Quotation.quoted(text)) is no number from 0 to 1 with at most six decimals, as in 0.25")
    }
}
