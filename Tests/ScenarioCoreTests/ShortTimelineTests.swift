import RigModel
import ScenarioCore
import Testing

/// What is left of a long timeline for somebody who did not watch it.
@Suite struct ShortTimelineTests {
    private func entry(_ number: Int, _ kind: TimelineEntry.Kind) -> TimelineEntry {
        TimelineEntry(time: UInt64(number) * 1_000_000, kind: kind, text: "\(kind.rawValue) \(number)")
    }

    @Test func whatLedToTheFailureStays() {
        var entries = (0..<100).map { entry($0, $0 % 2 == 0 ? .step : .event) }
        entries.append(entry(100, .failure))
        entries += (101..<120).map { entry($0, .note) }
        let parts = ShortTimeline.parts(entries)
        let kept = parts.compactMap { part in if case .entry(let entry) = part { entry.text } else { nil } }
        #expect(kept.count { $0.hasPrefix("step") } == ShortTimeline.keptSteps)
        #expect(kept.count { $0.hasPrefix("event") } == ShortTimeline.keptEvents)
        #expect(kept.count { $0.hasPrefix("note") } == ShortTimeline.keptEnd)
        #expect(kept.contains("failure 100") && kept.contains("step 98") && kept.contains("event 99"))
        let left = parts.reduce(0) { sum, part in if case .gap(let count) = part { sum + count } else { sum } }
        #expect(left + kept.count == entries.count, "every line is shown or counted")
        #expect(parts.first == .gap(52))
    }

    @Test func aShortOneStaysWhole() {
        let entries = [entry(0, .step), entry(1, .event), entry(2, .failure)]
        #expect(ShortTimeline.parts(entries) == entries.map(ShortTimeline.Part.entry))
        #expect(ShortTimeline.render(entries) == TimelineText.render(entries))
        #expect(ShortTimeline.parts([]).isEmpty)
    }

    @Test func whatPeopleRarelyWantTakesNoRoom() {
        var entries = [entry(0, .event)]
        entries += (1...50).map { TimelineEntry(time: UInt64($0), kind: .step, text: "mark \"\($0)\"") }
        entries.append(entry(51, .failure))
        #expect(ShortTimeline.parts(entries) == [.entry(entries[0]), .gap(50), .entry(entries[51])])
    }

    @Test func gapsAreTold() {
        let entries = (0..<60).map { entry($0, .step) }
        let lines = ShortTimeline.render(entries).split(separator: "\n")
        #expect(lines.count == 1 + ShortTimeline.keptSteps)
        #expect(lines[0] == "                … 36 more lines")
    }
}
