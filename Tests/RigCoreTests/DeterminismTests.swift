import RigModel
import Testing

@testable import RigCore

/// The same events make the same actions, in every process.
@Suite struct DeterminismTests {
    /// Runs a simulation and gives its digest as text.
    static func digest(seed: UInt64) -> String {
        var simulation = RigSimulation(seed: seed)
        simulation.bench.digest = ActionDigest()
        for _ in 0..<600 { simulation.step() }
        simulation.finish()
        return "\(simulation.bench.digest?.value ?? 0) of \(simulation.bench.events.count) events"
    }

    @Test func oneSeedMakesOneRun() {
        let first = Self.digest(seed: 401)
        #expect(Self.digest(seed: 401) == first)
        #expect(Self.digest(seed: 402) != first, "the digest sees what is different")
    }

    @Test func twoProcessesAgree() async throws {
        // Dictionary and Set have another order in each process: whoever iterates one gives himself away here.
        let first = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            print("digest \(DeterminismTests.digest(seed: 403)) hash \("dashrig".hashValue)")
        }
        let second = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            print("digest \(DeterminismTests.digest(seed: 403)) hash \("dashrig".hashValue)")
        }
        let lines = [first, second].map { result in
            String(decoding: result?.standardOutputContent ?? [], as: UTF8.self).split(separator: "\n")
                .first { $0.hasPrefix("digest ") }?.split(separator: " ").map(String.init) ?? []
        }
        try #require(lines.allSatisfy { $0.count == 7 }, "both told what they did: \(lines)")
        #expect(lines[0].dropLast(2) == lines[1].dropLast(2))
        #expect(lines[0].last != lines[1].last, "the two processes hash with different seeds")
    }
}
