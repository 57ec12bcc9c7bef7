/// Times as people read them.
enum Durations {
    /// How long something has lasted: `40 s`, `3 min 12 s`, `2 h 5 min`, `4 d 3 h`.
    static func age(_ nanoseconds: UInt64) -> String {
        let seconds = nanoseconds / 1_000_000_000
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3_600: return "\(seconds / 60) min \(seconds % 60) s"
        case ..<86_400: return "\(seconds / 3_600) h \(seconds % 3_600 / 60) min"
        default: return "\(seconds / 86_400) d \(seconds % 86_400 / 3_600) h"
        }
    }

    /// A short time: `7 ms`, `940 ms`, `1.2 s`.
    static func short(_ nanoseconds: UInt64) -> String {
        let milliseconds = nanoseconds / 1_000_000
        if milliseconds < 1_000 { return "\(milliseconds) ms" }
        return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s"
    }

    /// A time on the rig's clock: seconds with milliseconds, `12.345`.
    static func clock(_ nanoseconds: UInt64) -> String {
        let milliseconds = nanoseconds / 1_000_000
        let fraction = String(milliseconds % 1_000)
        return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}
