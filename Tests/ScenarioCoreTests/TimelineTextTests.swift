import RigModel
import ScenarioCore
import Testing

@Suite struct TimelineTextTests {
    @Test(arguments: [
        (TimelineEntry(time: 0, kind: .step, text: "lock p", line: 3, lateness: 0), "    0.000    3  ▸ lock p"),
        (
            TimelineEntry(time: 1_234_567_890, kind: .step, text: "lock p", line: 12_345, lateness: 1_500_000),
            "    1.23412345  ▸ lock p  (1.5ms late)"
        ),
        (TimelineEntry(time: 0, kind: .step, text: "lock p", line: 3, lateness: 999_999), "    0.000    3  ▸ lock p"),
        (
            TimelineEntry(time: 0, kind: .step, text: "lock p", line: 3, lateness: 1_000_000),
            "    0.000    3  ▸ lock p  (1ms late)"
        ),
        (TimelineEntry(time: 5, kind: .event, text: "resync"), "    0.000       · resync"),
        (TimelineEntry(time: 5, kind: .expectation, text: "mark", line: 1), "    0.000    1  ✓ mark"),
        (TimelineEntry(time: 5, kind: .note, text: "n"), "    0.000       – n"),
        (TimelineEntry(time: 5, kind: .failure, text: "a\u{1B}b", line: 1), "    0.000    1  ✗ a\\u{1B}b"),
    ])
    func anEntryIsOneLine(_ entry: TimelineEntry, _ line: String) {
        #expect(TimelineText.line(entry) == line)
    }

    @Test func coloursAndSignsAreTheCallersWish() {
        let entry = TimelineEntry(time: 0, kind: .failure, text: "f", line: 1)
        #expect(TimelineText.line(entry, style: TextStyle(signs: false)) == "    0.000    1  ! f")
        let coloured = TimelineText.line(entry, style: TextStyle(colours: true))
        #expect(coloured == "\u{1B}[2m    0.000    1\u{1B}[0m  \u{1B}[31m✗ f\u{1B}[0m")
        for kind in TimelineEntry.Kind.allCases {
            let plain = TimelineText.line(
                TimelineEntry(time: 0, kind: kind, text: "t"), style: TextStyle(signs: false))
            #expect(plain.utf8.allSatisfy { $0 < 0x80 })
        }
    }

    @Test func routineLinesAreLeftOutUnlessWanted() throws {
        let run = try VirtualRun("mark hello\ntouch swipe 1 2 to 3 4")
        let brief = TimelineText.render(run.timeline)
        let full = TimelineText.render(run.timeline, style: TextStyle(full: true))
        #expect(!brief.contains("▸ mark hello") && brief.contains("mark                         hello"))
        #expect(!brief.contains("moved") && brief.contains("began"))
        #expect(full.contains("▸ mark hello") && full.contains("moved"))
    }

    @Test func aFailedVerdictSaysWhatAPersonNeeds() throws {
        let run = try VirtualRun(
            "mark a\nmark b\nexpect mark where text = c within 50ms", file: "a.rig")
        #expect(
            TimelineText.render(run.verdict) == """
                FAILED  test: 2 of 3 steps, 0 of 1 expectations met, 2 events in 0.050 s; at most 0ms late
                  a.rig:3:1: mark did not come within 50ms
                      line      expect mark where text = c within 50ms
                      expected  mark where text = c within 50ms
                      note      mark came at 0.000 s, but text was 'b', not c
                      the last events before it:
                          0.000       · mark                         a
                          0.000       · mark                         b
                """)
    }

    @Test(arguments: [
        (Outcome.passed, "PASSED"), (.failed, "FAILED"), (.scriptWrong, "SCRIPT WRONG"), (.rigFailed, "RIG FAILED"),
        (.interrupted, "INTERRUPTED"),
    ])
    func aSummaryBeginsWithTheOutcome(_ outcome: Outcome, _ word: String) {
        var counts = RunCounts()
        counts.steps = 3
        counts.done = 1
        counts.maximumLateness = 1_200_000
        let verdict = Verdict(
            name: "n", file: "f", outcome: outcome, duration: 2_000_000_000, counts: counts, failures: [])
        #expect(
            TimelineText.summary(verdict)
                == "\(word)  n: 1 of 3 steps, 0 of 0 expectations met, 0 events in 2.000 s; at most 1.2ms late")
    }
}
