/// The members of a JSON object: unique keys, in the order they were written.
///
/// A small array of pairs: look-up by key is linear, which beats hashing for the few members a call has, and the order
/// is the same in every process.
public struct JSONObject: Sendable {
    /// One member.
    public struct Member: Sendable, Equatable {
        /// The key, compared byte by byte.
        public var key: String
        /// The value.
        public var value: JSON

        /// A member from its two parts.
        public init(key: String, value: JSON) {
            self.key = key
            self.value = value
        }

        /// Same key bytes and equal value.
        public static func == (left: Member, right: Member) -> Bool {
            left.key.hasSameBytes(as: right.key) && left.value == right.value
        }
    }

    /// The members in order. Keys are unique.
    public private(set) var members: [Member]

    /// No members.
    public init() {
        members = []
    }

    /// Takes members that are known to have unique keys.
    init(uniqueMembers: [Member]) {
        members = uniqueMembers
    }

    /// For literals: a repeated key is a mistake in the source text.
    init(pairs: [(String, JSON)]) {
        members = pairs.map { Member(key: $0.0, value: $0.1) }
        precondition(Self.indexOfRepeatedKey(in: members[...]) == nil, "a key is given twice in an object literal")
    }

    /// The value of `key`. Setting replaces in place or appends; setting nil removes. Linear in the number of members.
    public subscript(key: String) -> JSON? {
        get {
            guard let index = index(of: key) else { return nil }
            return members[index].value
        }
        set {
            switch (index(of: key), newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
        }
    }

    /// The keys in order.
    public var keys: [String] { members.map(\.key) }

    private func index(of key: String) -> Int? {
        members.firstIndex { $0.key.hasSameBytes(as: key) }
    }

    /// Above this many members, keys are sorted to find repeats instead of compared each with each, so that a hostile
    /// object of 100,000 keys does not cost 10^10 comparisons.
    private static let linearLimit = 16

    /// The index of the first member, in order, whose key stands earlier in `members` too.
    static func indexOfRepeatedKey(in members: ArraySlice<Member>) -> Int? {
        if members.count <= linearLimit {
            for index in members.indices.dropFirst() {
                let key = members[index].key
                if members[members.startIndex..<index].contains(where: { $0.key.hasSameBytes(as: key) }) {
                    return index
                }
            }
            return nil
        }
        let sorted = sortedIndices(of: members)
        var first: Int?
        for (left, right) in zip(sorted, sorted.dropFirst())
        where members[left].key.hasSameBytes(as: members[right].key) {
            first = Swift.min(first ?? right, right)
        }
        return first
    }

    /// Indices ordered by key bytes, equal keys by position.
    private static func sortedIndices(of members: ArraySlice<Member>) -> [Int] {
        members.indices.sorted { left, right in
            let leftKey = members[left].key.utf8
            let rightKey = members[right].key.utf8
            if leftKey.elementsEqual(rightKey) { return left < right }
            return leftKey.lexicographicallyPrecedes(rightKey)
        }
    }
}

extension JSONObject: Equatable {
    /// Equal keys with equal values, in any order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        guard left.members.count == right.members.count else { return false }
        if zip(left.members, right.members).allSatisfy({ $0.key.hasSameBytes(as: $1.key) }) {
            return zip(left.members, right.members).allSatisfy { $0.value == $1.value }
        }
        let leftOrder = sortedIndices(of: left.members[...])
        let rightOrder = sortedIndices(of: right.members[...])
        return zip(leftOrder, rightOrder).allSatisfy { left.members[$0] == right.members[$1] }
    }
}

extension JSONObject: RandomAccessCollection {
    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of members.
    public var endIndex: Int { members.count }
    /// The member at a position below `endIndex`.
    public subscript(position: Int) -> Member { members[position] }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Members in the order written; a key given twice is the programmer's error.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self.init(pairs: elements)
    }
}
