/// Verdicts in the XML that continuous-integration systems read: `testsuites`, one `testsuite`, one `testcase` per
/// verdict. It keeps to what the schema of Jenkins' xUnit plug-in (junit-10) allows; times are seconds.
public enum JUnitXML {
    /// Renders verdicts. `timelines`, where given, belong to the verdicts in the same order and become `system-out`;
    /// `timestamp` is ISO 8601 and comes from the caller, who has a clock.
    ///
    /// A failed expectation is a `failure`; a wrong script, a failed rig and an interruption are an `error`, because none
    /// of them says anything about what was tested.
    public static func render(
        _ verdicts: [Verdict], timelines: [[TimelineEntry]] = [], suite: String = "dashrig", timestamp: String? = nil
    ) -> String {
        let failures = verdicts.count { $0.outcome == .failed }
        let errors = verdicts.count { $0.outcome != .failed && $0.outcome != .passed }
        let time = DurationText.seconds(verdicts.reduce(0) { $0.later(by: $1.duration) })
        let totals = [
            ("name", suite), ("tests", "\(verdicts.count)"), ("failures", "\(failures)"), ("errors", "\(errors)"),
            ("time", time),
        ]
        var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        xml += "<testsuites\(attributes(totals))>\n"
        let more = [("skipped", "0")] + (timestamp.map { [("timestamp", $0)] } ?? [])
        xml += "  <testsuite\(attributes(totals + more))>\n"
        for (index, verdict) in verdicts.enumerated() {
            xml += testCase(verdict, timelines.indices.contains(index) ? timelines[index] : [])
        }
        xml += "  </testsuite>\n</testsuites>\n"
        return xml
    }

    private static func testCase(_ verdict: Verdict, _ timeline: [TimelineEntry]) -> String {
        let head = attributes([
            ("name", verdict.name), ("classname", verdict.file), ("time", DurationText.seconds(verdict.duration)),
        ])
        var inner = ""
        if verdict.outcome != .passed {
            let element = verdict.outcome == .failed ? "failure" : "error"
            let message = verdict.failures.first?.text ?? verdict.outcome.rawValue
            let named = attributes([("type", verdict.outcome.rawValue), ("message", message)])
            inner += "      <\(element)\(named)>\(text(TimelineText.render(verdict)))</\(element)>\n"
        }
        if !timeline.isEmpty {
            inner += "      <system-out>\(text(TimelineText.render(timeline)))</system-out>\n"
        }
        return inner.isEmpty ? "    <testcase\(head)/>\n" : "    <testcase\(head)>\n\(inner)    </testcase>\n"
    }

    private static func attributes(_ pairs: [(String, String)]) -> String {
        pairs.map { " \($0.0)=\"\(escaped($0.1, isAttribute: true))\"" }.joined()
    }

    private static func text(_ text: String) -> String { escaped(text, isAttribute: false) }

    /// Escapes what XML reads as markup, keeps line ends in attributes, and replaces what XML 1.0 cannot hold at all.
    private static func escaped(_ text: String, isAttribute: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"" where isAttribute: result += "&quot;"
            case "\n" where isAttribute, "\t" where isAttribute, "\r": result += "&#\(scalar.value);"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
                result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
