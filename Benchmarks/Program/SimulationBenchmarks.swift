import RigTestKit

/// The whole rig in virtual time: how many seconds of its clock go by in one second, with the invariants looked at after
/// every event.
enum SimulationBenchmarks {
    static var all: [Benchmark] { [wholeRig] }

    private static let happenings = 1_000

    private static var wholeRig: Benchmark {
        // The same world each time: its length is known once it was run.
        let counts = run()
        return Benchmark(
            name: "simulation.whole-rig", unit: "virtual s", unitsPerRun: Double(counts.time) / 1e9,
            itemsPerRun: Double(counts.events), work: { _ = run() })
    }

    private static func run() -> RandomWorld.Counts {
        var world = RandomWorld(seed: 1)
        world.happen(happenings)
        precondition(world.violation == nil, "SimulationBenchmarks: \(world.violation ?? "")")
        return world.counts
    }
}
