import RigTestKit
import Testing

/// The whole rig under whatever may happen, by seeds: what must hold after every event, and what must be left at the end.
@Suite struct WholeRigTests {
    @Test(arguments: 1...8 as ClosedRange<UInt64>) func theInvariantsHold(seed: UInt64) {
        var world = RandomWorld(seed: seed)
        world.happen(2_000)
        world.end()
        #expect(world.violation == nil, "seed \(seed), at \(world.counts.time) ns")
        let counts = world.counts
        #expect(counts.attaches > 40 && counts.attaches == counts.detaches, "seed \(seed): \(counts)")
        #expect(counts.calls > 1_000 && counts.calls == counts.answers, "seed \(seed): \(counts)")
        #expect(counts.injections > 100 && counts.acknowledged > 50, "seed \(seed): \(counts)")
        #expect(counts.verdicts > 10, "seed \(seed): \(counts)")
    }

    @Test func subscribersThatDoNotReadAreHeldWithinTheirLimit() {
        let losses = (1...4 as ClosedRange<UInt64>).reduce(0) { sum, seed in
            var world = RandomWorld(seed: seed)
            world.happen(2_000)
            #expect(world.violation == nil, "seed \(seed)")
            return sum + world.counts.losses
        }
        #expect(losses > 0, "otherwise no queue was ever full")
    }

    @Test func theSameSeedGivesTheSameWorld() {
        let counts = (1...2).map { _ in
            var world = RandomWorld(seed: 42)
            world.happen(500)
            return world.counts
        }
        #expect(counts[0] == counts[1])
    }
}
