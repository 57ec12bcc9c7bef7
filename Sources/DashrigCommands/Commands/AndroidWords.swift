internal import RigModel

/// The words behind a command of Android Automotive's shell: options of one dash first, then values.
struct AndroidWords {
    private var words: ArraySlice<String>
    private let path: [String]

    init(_ words: [String], path: [String]) {
        self.words = words[...]
        self.path = path
    }

    /// A problem with the command line.
    func failure(_ text: String, _ suggestion: String? = nil) -> CommandLineFailure {
        .usage(UsageFailure(text, suggestion: suggestion, path: path))
    }

    /// What is there has no meaning here.
    func meaningless(_ what: String, _ reason: String) -> CommandLineFailure {
        failure("\(what) has no meaning here: \(reason)")
    }

    /// Takes the next option; `nil` where the values begin.
    mutating func option() -> String? {
        guard let word = words.first, Self.isOption(word) else { return nil }
        return words.popFirst()
    }

    /// Takes a value of an option, or of the command.
    mutating func value(_ what: String) throws(CommandLineFailure) -> String {
        guard let word = words.popFirst() else {
            throw failure(what.hasPrefix("-") ? "\(what) needs a value" : "\(what) is missing")
        }
        return word
    }

    /// Takes a whole number.
    mutating func number(_ what: String, in range: ClosedRange<Int>) throws(CommandLineFailure) -> Int {
        let word = try value(what)
        guard let number = Int(word) else { throw failure("\(what): \"\(word)\" is no whole number") }
        guard range.contains(number) else {
            throw failure("\(what): \(word) is not between \(range.lowerBound) and \(range.upperBound)")
        }
        return number
    }

    /// Takes a coordinate in pixels: a whole number, or one with a point and zeros.
    mutating func pixel(_ what: String) throws(CommandLineFailure) -> Int {
        let word = try value(what)
        let maximum = DisplayDescription.maximumPixels - 1
        guard let number = Double(word), number.isFinite else { throw failure("\(what): \"\(word)\" is no number") }
        guard number >= 0, number <= Double(maximum) else {
            throw failure("\(what): \(word) is not between 0 and \(maximum)")
        }
        guard let pixel = Int(exactly: number) else { throw failure("\(what): pixels are whole numbers, not \(word)") }
        return pixel
    }

    /// Takes milliseconds as nanoseconds.
    mutating func milliseconds(_ what: String) throws(CommandLineFailure) -> UInt64 {
        let maximum = Int(Gesture.maximumDuration / 1_000_000)
        return UInt64(try number(what, in: 1...maximum)) * 1_000_000
    }

    /// Takes the number of a display and gives its name here.
    mutating func display() throws(CommandLineFailure) -> String {
        switch try number("-d", in: 0...Int(Int32.max)) {
        case 0: return "main"
        case 1: return "cluster"
        case let other: throw meaningless("-d \(other)", "there is 0 for main and 1 for cluster; others by --display")
        }
    }

    /// Whether another value follows, and no option.
    var hasValue: Bool {
        guard let word = words.first else { return false }
        return !Self.isOption(word)
    }

    private static func isOption(_ word: String) -> Bool {
        word.hasPrefix("-") && word.utf8.count > 1 && Double(word) == nil
    }

    /// Refuses whatever still stands there.
    func end() throws(CommandLineFailure) {
        if let word = words.first { throw failure("\"\(word)\" is too much") }
    }

    /// An option that no form of the command has.
    func unknown(_ option: String, _ known: [String]) -> CommandLineFailure {
        failure("there is no option \(option)", Spelling.nearest(to: option, among: known))
    }
}
