public import RigCore
public import RigModel
public import ScenarioCore

/// A scenario that runs in a `VirtualRig` of its own, once for each seed.
///
/// A seed decides what a real rig leaves to chance: the challenges and first sequence numbers of a handshake, what a
/// fault corrupts, the scenario's random choices, and by how much the rig is late each time it wakes. The same seed gives the same run.
public struct ScenarioSimulation: Sendable {
    /// The scenario's text.
    public let text: String
    /// The file that places in it are told with.
    public let file: String
    /// The tracks that it plays.
    public let tracks: [TrackFile]
    /// Its values, the files that it includes, and the row of its table. Its seed is that of each run.
    public let options: ScenarioOptions
    /// The rig.
    public let settings: CoreSettings
    /// By how many nanoseconds at most the rig is late; see `VirtualRig`.
    public let lateness: UInt64

    /// What came of one run.
    public struct Run: Sendable {
        /// Its verdict.
        public let verdict: Verdict
        /// The whole timeline where it was asked for, else nothing.
        public let timeline: [TimelineEntry]
        /// Nanoseconds of the rig's clock that went by.
        public let time: UInt64
        /// How many events the rig was given.
        public let turns: Int
    }

    /// The lateness when nobody says: 2 ms, the most that the project allows an idle machine at its 99th percentile.
    public static let usualLateness: UInt64 = 2_000_000
    /// The most that one run may keep the rig busy, in events: a scenario of the greatest size needs a tenth.
    public static let maximumTurns = 20_000_000

    /// Prepares runs; the text is judged by each.
    public init(
        _ text: String, file: String, tracks: [TrackFile] = [], options: ScenarioOptions = ScenarioOptions(),
        settings: CoreSettings, lateness: UInt64 = usualLateness
    ) {
        self.text = text
        self.file = file
        self.tracks = tracks
        self.options = options
        self.settings = settings
        self.lateness = lateness
    }

    /// Runs it once.
    ///
    /// - Parameter isWatched: whether the timeline is kept.
    public func run(seed: UInt64, isWatched: Bool = false) -> Run {
        var rig = VirtualRig(settings: settings, seed: seed, lateness: lateness)
        var timeline: [TimelineEntry] = []
        let client = rig.connect()
        var options = options
        options.seed = seed
        rig.handle(.clientCalled(client, .run(name: file, text: text, tracks: tracks, options: options)))
        while true {
            if let verdict = look(at: rig.wanted, isWatched: isWatched, &timeline) {
                return Run(verdict: verdict, timeline: timeline, time: rig.now, turns: rig.turns)
            }
            let verdict: Verdict?
            if rig.turns >= Self.maximumTurns {
                verdict = failed(.rigFailed, "the rig was still busy after \(rig.turns) events", at: rig.now)
            } else if rig.wake(until: .max) {
                verdict = nil
            } else {
                verdict = failed(.rigFailed, "the rig waits for nothing, and the run is not over", at: rig.now)
            }
            if let verdict { return Run(verdict: verdict, timeline: timeline, time: rig.now, turns: rig.turns) }
        }
    }

    private func look(at wanted: ActionBuffer, isWatched: Bool, _ timeline: inout [TimelineEntry]) -> Verdict? {
        for action in wanted.actions {
            switch action {
            case .reply(_, let record, _):
                do throws(RecordProblem) {
                    if let verdict = record.value(at: "verdict") { return try Verdict(record: verdict) }
                    if isWatched, let entry = record.value(at: "entry") {
                        timeline.append(try TimelineEntry(record: entry))
                    }
                } catch {
                    return failed(.rigFailed, "the rig's answer cannot be read: \(error.field): \(error.text)", at: 0)
                }
            case .scenarioWrong(_, let problems):
                return Verdict(
                    name: file, file: file, outcome: .scriptWrong, duration: 0, counts: RunCounts(),
                    failures: problems.map { RunFailure(outcome: .scriptWrong, place: nil, step: nil, text: $0) })
            case .fail(_, let failure): return failed(.rigFailed, failure.text, at: 0)
            case .deliver, .open, .openWire, .transmit, .closeWire, .switchMode, .prepareSigner, .askSigner, .capture,
                .close:
                break
            }
        }
        return nil
    }

    private func failed(_ outcome: Outcome, _ text: String, at time: UInt64) -> Verdict {
        Verdict(
            name: file, file: file, outcome: outcome, duration: time, counts: RunCounts(),
            failures: [RunFailure(outcome: outcome, place: nil, step: nil, text: text)])
    }
}
