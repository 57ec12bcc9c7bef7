/// By how much a rig is woken late, the same for the same seed (SplitMix64, public domain constants of Steele, Lea and
/// Flood, 2014).
struct Lateness: Sendable {
    private let most: UInt64
    private var state: UInt64

    /// - Parameter most: nanoseconds; 0 is never late.
    init(most: UInt64, seed: UInt64) {
        self.most = min(most, .max - 1)
        // Not the rig's own row of numbers: its challenges must not hang together with when it is late.
        state = ~seed
    }

    /// The next one, in nanoseconds.
    mutating func next() -> UInt64 {
        guard most > 0 else { return 0 }
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return (mixed ^ (mixed >> 31)) % (most + 1)
    }
}
