/// A small generator with a seed, for tests: the same seed gives the same numbers on every machine (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    /// The seed it was made with, to be printed when a test fails.
    public let seed: UInt64
    private var state: UInt64

    /// A generator that starts at `seed`.
    public init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// True in `percent` of 100 cases.
    public mutating func chance(percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &self) < percent
    }

    /// `count` random bytes.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<max(0, count)).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }
}
