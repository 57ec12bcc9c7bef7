public import RigModel

/// A fault in the words of a scenario's step. Works from the record, which is all that a client has.
public enum FaultText {
    /// `drop fromDevice at authenticating after 3 count 2`: what would set it again, without its device.
    public static func line(_ state: RecordValue) -> String {
        var words = [state.text(at: "kind") ?? "", state.text(at: "direction") ?? ""]
        if let place = state.text(at: "at") { words.append("at \(place)") }
        if let phase = state.text(at: "since") { words.append("from \(phase)") }
        if let after = state.whole(at: "after"), after > 0 { words.append("after \(after)") }
        if let bytes = state.whole(at: "afterBytes") { words.append("after \(bytes) bytes") }
        if let count = state.whole(at: "count") {
            if count != 1 { words.append("count \(count)") }
        } else {
            words.append("always")
        }
        if let duration = state.whole(at: "durationMilliseconds"), duration > 0 {
            let (nanoseconds, over) = UInt64(duration).multipliedReportingOverflow(by: 1_000_000)
            words.append("for \(over ? "\(duration)ms" : DurationText.text(nanoseconds))")
        }
        if state.truth(at: "keep") == true { words.append("keep") }
        return words.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// `toDevice` as a person says it.
    static func direction(_ name: String) -> String {
        switch FaultDirection(rawValue: name) {
        case .toDevice: "to the device"
        case .fromDevice: "from the device"
        case .both: "both ways"
        case nil: name
        }
    }

    /// `struck once`, `struck 3 times`, `never struck`.
    public static func times(_ count: Int64, _ word: String) -> String {
        switch count {
        case 0: "never \(word)"
        case 1: "\(word) once"
        default: "\(word) \(count) times"
        }
    }
}
