/// Finds what somebody probably meant.
public enum NearestWord {
    /// Words longer than this are not compared: nobody mistypes those.
    public static let maximumLength = 64

    /// The candidate with the fewest typing mistakes (a letter too many, too few, wrong, or two swapped), without regard
    /// to case, or `nil` when every candidate is further away than a third of the word, at least one mistake. The first
    /// of equally near ones wins.
    public static func among(_ candidates: [String], to word: some StringProtocol) -> String? {
        let wanted = Array(word.lowercased().unicodeScalars)
        guard !wanted.isEmpty, wanted.count <= maximumLength else { return nil }
        var best: (word: String, distance: Int)?
        for candidate in candidates {
            let letters = Array(candidate.lowercased().unicodeScalars)
            guard letters.count <= maximumLength else { continue }
            let limit = max(1, max(wanted.count, letters.count) / 3)
            guard abs(letters.count - wanted.count) <= limit else { continue }
            let distance = mistakes(wanted, letters)
            if distance <= limit, distance < best?.distance ?? Int.max { best = (candidate, distance) }
        }
        return best?.word
    }

    /// The optimal string alignment distance.
    private static func mistakes(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let same = left[row] == right[column]
                var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (same ? 0 : 1))
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
