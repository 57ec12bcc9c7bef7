/// How many irregularities of one link, or strikes of one fault, are published: a peer that sends nothing but damage, or a
/// fault that strikes at every packet, must not fill everybody's streams. What is not published is counted and told with
/// the next one that is.
struct PublishingBudget: Sendable {
    /// How many may come at once. Ours: more than any test looks at one by one, few enough for every subscriber.
    static let burst: UInt64 = 64
    /// How long it takes until one more may be published, in nanoseconds: 20 in a second.
    static let interval: UInt64 = 50_000_000

    private var left = Self.burst
    private var since: UInt64 = 0
    private(set) var suppressed: UInt64 = 0

    /// Whether one more may be published at `now`, and how many were held back before it; `nil` when it may not.
    mutating func take(now: UInt64) -> UInt64? {
        let earned = (now - min(since, now)) / Self.interval
        if earned > 0 {
            left = min(Self.burst, left + earned)
            since = left == Self.burst ? now : since + earned * Self.interval
        }
        guard left > 0 else {
            suppressed += 1
            return nil
        }
        if left == Self.burst { since = now }
        left -= 1
        defer { suppressed = 0 }
        return suppressed
    }
}
