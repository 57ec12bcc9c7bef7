/// What one report said, in order. Most say one thing, which lies in the value itself and allocates nothing.
public struct HIDInputs: Equatable, Sendable, RandomAccessCollection {
    private var first: HIDInput?
    private var others: [HIDInput] = []

    /// Nothing.
    public init() {}

    /// 0.
    public var startIndex: Int { 0 }
    /// How many things were said.
    public var endIndex: Int { first == nil ? 0 : 1 + others.count }

    /// What was said at a place.
    public subscript(_ place: Int) -> HIDInput {
        if place == 0, let first { return first }
        return others[place - 1]
    }

    /// Adds what was said next.
    public mutating func append(_ input: HIDInput) {
        if first == nil { first = input } else { others.append(input) }
    }
}
