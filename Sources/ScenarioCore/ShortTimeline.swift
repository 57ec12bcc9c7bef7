/// A timeline cut to what led to its first failure, for somebody who did not watch it.
public enum ShortTimeline {
    /// A part of it.
    public enum Part: Equatable, Sendable {
        /// A line as it was.
        case entry(TimelineEntry)
        /// So many lines were left out here.
        case gap(Int)
    }

    /// How many of the last steps, met expectations and notes before the failure stay.
    public static let keptSteps = 24
    /// How many of the last events before it stay.
    public static let keptEvents = 8
    /// How many lines behind it stay: how the run was taken down.
    public static let keptEnd = 4

    /// Cuts a timeline. Without a failure its end counts as one.
    public static func parts(_ entries: [TimelineEntry]) -> [Part] {
        let failure = entries.firstIndex { $0.kind == .failure } ?? entries.count
        var keeps = [Bool](repeating: false, count: entries.count)
        var (steps, events) = (keptSteps, keptEvents)
        for place in entries.indices.prefix(failure).reversed() where !TimelineText.isRoutine(entries[place]) {
            if entries[place].kind == .event {
                if events > 0 { keeps[place] = true }
                events -= 1
            } else {
                if steps > 0 { keeps[place] = true }
                steps -= 1
            }
            if steps <= 0 && events <= 0 { break }
        }
        for place in entries.indices.dropFirst(failure).prefix(1 + keptEnd) { keeps[place] = true }
        var parts: [Part] = []
        var gap = 0
        for (place, entry) in entries.enumerated() {
            if keeps[place] {
                if gap > 0 { parts.append(.gap(gap)) }
                gap = 0
                parts.append(.entry(entry))
            } else {
                gap += 1
            }
        }
        if gap > 0 { parts.append(.gap(gap)) }
        return parts
    }

    /// The same as lines for a person.
    public static func render(_ entries: [TimelineEntry], style: TextStyle = TextStyle()) -> String {
        parts(entries).map { part in
            switch part {
            case .entry(let entry): TimelineText.line(entry, style: style)
            case .gap(let count):
                String(repeating: " ", count: 16) + "\(style.signs ? "…" : "...") \(count) more "
                    + (count == 1 ? "line" : "lines")
            }
        }.joined(separator: "\n")
    }
}
