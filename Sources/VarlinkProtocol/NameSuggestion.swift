/// The candidate that was probably meant: at most two letters (one in names of up to four) inserted, left out,
/// replaced or swapped, upper and lower case being the same. The first of the nearest; nil if none is near.
func nearestName(to name: String, among candidates: [String]) -> String? {
    let wanted = Array(name.lowercased().utf8)
    var nearest: (name: String, distance: Int)?
    for candidate in candidates {
        let other = Array(candidate.lowercased().utf8)
        let limit = other.count <= 4 ? 1 : 2
        // A hostile name can be long; only names of like length are compared, so the cost is bounded by the candidates.
        guard abs(other.count - wanted.count) <= limit else { continue }
        let distance = editDistance(wanted, other)
        if distance <= limit, distance < nearest?.distance ?? Int.max { nearest = (candidate, distance) }
    }
    return nearest?.name
}

/// Insertions, deletions, replacements and swaps of neighbours that lead from one text to the other.
private func editDistance(_ from: [UInt8], _ to: [UInt8]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...to.count)
    for row in from.indices {
        var current = [row + 1]
        for column in to.indices {
            let replaced = previous[column] + (from[row] == to[column] ? 0 : 1)
            var best = min(replaced, previous[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, from[row] == to[column - 1], from[row - 1] == to[column] {
                best = min(best, beforePrevious[column - 1] + 1)
            }
            current.append(best)
        }
        (beforePrevious, previous) = (previous, current)
    }
    return previous[to.count]
}
