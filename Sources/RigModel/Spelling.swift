/// Finds what somebody probably meant. For configuration keys, device and profile names, commands and fields.
public enum Spelling {
    /// Longer words get no suggestion, so that the cost of a wrong word stays small.
    public static let longestWord = 64

    /// The candidate nearest to `word`, or `nil` when none is near enough to be what was meant. At most a third of the
    /// letters may differ (at least one); upper and lower case, `_` and `-` are taken as equal. A word that begins
    /// exactly one candidate stands for it. Of equally near candidates the first wins.
    public static func nearest(to word: some StringProtocol, among candidates: some Sequence<String>) -> String? {
        let wanted = folded(word)
        guard !wanted.isEmpty, wanted.count <= longestWord else { return nil }
        var best: (distance: Int, candidate: String)?
        var completions: [String] = []
        for candidate in candidates {
            let letters = folded(candidate)
            guard !letters.isEmpty, letters.count <= longestWord else { continue }
            if wanted.count >= 3 && letters.starts(with: wanted) { completions.append(candidate) }
            let allowed = max(1, max(wanted.count, letters.count) / 3)
            // Two words of one or two letters that share none are not near.
            let distance = distance(wanted, letters)
            guard distance <= allowed, distance < max(wanted.count, letters.count) else { continue }
            if best.map({ distance < $0.distance }) ?? true { best = (distance, candidate) }
        }
        return best?.candidate ?? (completions.count == 1 ? completions.first : nil)
    }

    /// At most `limit` of the candidates as a person is told of them, the last one "and 7 more": where there are more, the
    /// nearest to the word first, and of equally near ones the first.
    public static func some(
        of candidates: [String], near word: some StringProtocol, limit: Int = 8
    ) -> [String] {
        guard candidates.count > limit else { return candidates }
        let wanted = folded(word.prefix(longestWord))
        let ranked = candidates.enumerated().map { index, candidate in
            (distance: distance(wanted, folded(candidate.prefix(longestWord))), index: index, candidate: candidate)
        }
        .sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }
        return ranked.prefix(limit - 1).map(\.candidate) + ["and \(candidates.count - limit + 1) more"]
    }

    private static func folded(_ word: some StringProtocol) -> [Unicode.Scalar] {
        guard word.utf8.count <= longestWord * 4 else { return [] }
        return word.lowercased().unicodeScalars.map { $0 == "_" ? "-" : $0 }
    }

    /// How many letters must be inserted, removed, replaced or swapped with their neighbour.
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforeLast = [Int](repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            current.reserveCapacity(right.count + 1)
            for column in right.indices {
                var cost = min(last[column + 1] + 1, current[column] + 1)
                cost = min(cost, last[column] + (left[row] == right[column] ? 0 : 1))
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
