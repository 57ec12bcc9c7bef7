internal import DashrigClient
internal import ScenarioCore

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

    /// How long a session took from its opening to `active`; nothing while it is not.
    static func readiness(_ session: SessionView) -> String? {
        session.activeAt.flatMap { $0 >= session.openedAt ? DurationText.short($0 - session.openedAt) : nil }
    }
}
