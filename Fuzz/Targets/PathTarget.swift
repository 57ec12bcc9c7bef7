import RigModel
import ScenarioCore
import VarlinkProtocol

/// A record and a path, as JSON and text with a NUL between: paths lead where a walk by hand leads, every record has a
/// line of text, and records that read as parts of a verdict are published as they were read.
enum PathTarget {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        let parts = bytes[...].parts(atMost: 2)
        guard let json = try? JSON.parse(parts[0]) else { return }
        let record = RecordValue(json)
        if parts.count > 1 {
            let path = String(decoding: parts[1], as: UTF8.self)
            try require(record.value(at: path) == walk(record, path), "the path '\(path)' leads elsewhere")
        }
        try require(record.value(at: "") == record, "the empty path is not the record")
        let text = EventText.line(record)
        try require(!text.utf8.contains(0x0A), "a line of text has a line end in it: \(text)")
        _ = EventText.value(record)
        try checkDecoding(record)
        try checkRun(record)
    }

    private static func walk(_ record: RecordValue, _ path: String) -> RecordValue? {
        var parts: [String] = [""]
        for character in path {
            if character == "." { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        var current = record
        for part in parts where !part.isEmpty {
            switch current {
            case .object(let fields):
                guard let field = fields.first(where: { $0.name == part }) else { return nil }
                current = field.value
            case .array(let values):
                guard let index = Int(part), index >= 0, index < values.count else { return nil }
                current = values[index]
            case .null, .bool, .int, .double, .string: return nil
            }
        }
        return current
    }

    /// Decoding is the inverse of publishing.
    private static func checkDecoding(_ record: RecordValue) throws(FuzzFinding) {
        if let verdict = try? Verdict(record: record) {
            try require((try? Verdict(record: verdict.record)) == verdict, "a verdict is published otherwise")
            _ = TimelineText.render(verdict, style: TextStyle(colours: true, full: true))
            _ = JUnitXML.render([verdict])
        }
        if let failure = try? RunFailure(record: record) {
            try require((try? RunFailure(record: failure.record)) == failure, "a failure is published otherwise")
        }
        if let counts = try? RunCounts(record: record) {
            try require((try? RunCounts(record: counts.record)) == counts, "counts are published otherwise")
        }
        if let entry = try? TimelineEntry(record: record) {
            try require((try? TimelineEntry(record: entry.record)) == entry, "an entry is published otherwise")
            let line = TimelineText.line(entry, style: TextStyle(full: true))
            try require(!line.utf8.contains(0x0A), "a line of a timeline has a line end in it: \(line)")
            _ = JUnitXML.render([], timelines: [[entry]])
        }
    }

    /// A client's run takes whatever record the rig sends.
    private static func checkRun(_ record: RecordValue) throws(FuzzFinding) {
        guard var run = scenario.map({ ScenarioRun($0, name: "fuzz") }) else { throw FuzzFinding("no scenario") }
        var actions: [ScenarioAction] = []
        run.start(now: 1, into: &actions)
        run.received(record: record, now: 2, into: &actions)
        run.received(record: record, now: 3, into: &actions)
        run.cancel(now: 4, into: &actions)
        try require(run.isFinished, "a run goes on after it was cancelled")
    }

    private static let scenario = try? Scenario(
        parsing: """
            expect input knob where knob.detents >= 2 and input.tag ~ a exactly 3 within 10s
            expect device detached device phone where generation > 1
            """, file: "fuzz.rig")
}

extension RecordValue {
    /// A JSON value as a record has it. The parser has seen to it that names are unique.
    init(_ json: JSON) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .string(value)
        case .array(let values): self = .array(values.map { RecordValue($0) })
        case .object(let object):
            self = .object(object.members.map { RecordField($0.key, RecordValue($0.value)) })
        }
    }
}
