/// One thing that bytes say, with what is inside of it: a packet, a field, a message, a run of garbage.
///
/// Text for people and JSON are made from the same parts, so that they cannot say different things.
struct DecodedPart: Equatable {
    /// What a part is worth.
    enum Value: Equatable {
        /// Nothing by itself.
        case none
        /// A whole number.
        case number(UInt64)
        /// A number that people write in hexadecimal, with so many digits.
        case code(UInt64, digits: Int)
        /// A whole number with a sign.
        case signed(Int64)
        /// True or false.
        case bool(Bool)
        /// Text.
        case text(String)
        /// Bytes as they are.
        case bytes([UInt8])
        /// Numbers in a row, with what each stands for where that is known.
        case numbers([UInt64], names: [String?])
    }

    /// What it is, one of a documented list, in lower camel case.
    var name: String
    /// Its number, where parts of this name are told apart by one.
    var id: UInt64?
    /// Digits of the number where people write it in hexadecimal.
    var idDigits: Int?
    /// What it is called: a message's or parameter's name, a packet's flags.
    var title: String?
    /// Its first byte.
    var offset: Int
    /// Its bytes.
    var length: Int
    /// What it is worth.
    var value = Value.none
    /// What is to be said of it, in a few words.
    var note: String?
    /// What is wrong with it; nothing when it is sound.
    var problem: String?
    /// What is inside, in order.
    var parts: [DecodedPart] = []

    init(
        _ name: String, at offset: Int, length: Int, _ value: Value = .none, title: String? = nil,
        note: String? = nil, problem: String? = nil
    ) {
        self.name = name
        self.offset = offset
        self.length = length
        self.value = value
        self.title = title
        self.note = note
        self.problem = problem
    }

    /// How many problems there are in it.
    var problemCount: Int { parts.reduce(problem == nil ? 0 : 1) { $0 + $1.problemCount } }
}

/// What was found in all, for the last line.
struct DecodedTotals: Equatable {
    /// How many of each name, in the order in which the names came first.
    private(set) var counts: [(name: String, count: Int)] = []
    /// How many things are wrong.
    private(set) var problems = 0

    /// Counts a part.
    mutating func add(_ part: DecodedPart) {
        if let index = counts.firstIndex(where: { $0.name == part.name }) {
            counts[index].count += 1
        } else {
            counts.append((part.name, 1))
        }
        problems += part.problemCount
    }

    static func == (left: DecodedTotals, right: DecodedTotals) -> Bool {
        left.problems == right.problems && left.counts.elementsEqual(right.counts) { $0 == $1 }
    }
}
