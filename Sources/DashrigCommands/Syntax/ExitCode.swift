/// What the caller of `dashrig` learns from its end.
public enum ExitCode: Int32, Sendable, CaseIterable {
    /// Done, passed, nothing to complain about.
    case done = 0
    /// It was tried and did not come out as wanted.
    case failed = 1
    /// The command line or the scenario is wrong.
    case usage = 2
    /// The rig does not run, cannot be reached, or failed.
    case rig = 3
    /// Somebody stopped it.
    case interrupted = 4

    /// What it means, for help and documentation.
    public var meaning: String {
        switch self {
        case .done: "done; for a scenario: passed"
        case .failed:
            "it did not come out as wanted: an expectation failed, the session did not become active, the event did not "
                + "come in time, the rig refused, or doctor found something"
        case .usage: "the command line or the scenario is wrong; nothing was done"
        case .rig: "the rig is not running, cannot be reached, did not answer in time, or failed"
        case .interrupted: "interrupted by Ctrl-C or a signal, or the reader of the output went away"
        }
    }
}
