import LinkProtocol
import Testing

@Suite("Two link ends on a bad cable")
struct LinkSimulationTests {
    static let seedsPerPart: UInt64 = 1_000

    @Test(
        "10,000 seeds: what was sent arrives in order and once, or an end says why not; never a hang",
        arguments: 0..<10 as Range<UInt64>)
    func seeds(part: UInt64) {
        var complete = 0
        var reasons: [String: Int] = [:]
        for seed in part * Self.seedsPerPart..<(part + 1) * Self.seedsPerPart {
            var simulation = LinkSimulation(seed: seed)
            switch simulation.run() {
            case .complete: complete += 1
            case .failed(let unit, let phone): reasons["\(unit ?? "-") \(phone ?? "-")", default: 0] += 1
            case .wrong(let what): Issue.record("seed \(seed): \(what)")
            }
        }
        // Few repetitions on a cable that loses a third do end a link; most come through.
        #expect(complete > 850, "\(complete) complete, \(reasons.sorted { $0.key < $1.key })")
    }

    @Test("a cable that only loses brings everything with enough tries", arguments: [0...0, 1...10, 10...30])
    func losses(range: ClosedRange<Int>) {
        var failed = 0
        for seed in 20_000..<20_200 as Range<UInt64> {
            var form = LinkSimulation.Form(lossRange: range, isOrderly: true)
            form.extendedAcknowledgement = LinkParameters.ExtendedAcknowledgement.allCases[Int(seed % 3)]
            var simulation = LinkSimulation(seed: seed, form: form)
            switch simulation.run() {
            case .complete: break
            case .failed: failed += 1
            case .wrong(let what): Issue.record("seed \(seed): \(what)")
            }
        }
        // A tenth of the seeds has nothing in common to agree on.
        #expect(failed <= (range.lowerBound == 0 ? 10 : 80))
    }

    @Test("without acknowledgements everything arrives, and nothing is sent that is no payload")
    func withoutAcknowledgements() {
        for seed in 30_000..<30_300 as Range<UInt64> {
            var simulation = LinkSimulation(seed: seed, form: LinkSimulation.Form(withoutAcknowledgements: true))
            #expect(simulation.run() == .complete, "seed \(seed)")
            #expect(simulation.total(\.acknowledgementsSent) == 0, "seed \(seed)")
            #expect(simulation.total(\.retransmitted) == 0, "seed \(seed)")
        }
    }

    @Test(
        "numbers wrap, with windows of every size",
        arguments: [1...1, 2...2, 16...16, 63...64, 126...127] as [ClosedRange<UInt8>])
    func wrap(windows: ClosedRange<UInt8>) {
        for seed in 40_000..<40_006 as Range<UInt64> {
            var form = LinkSimulation.Form(lossRange: 0...5, maximumPayloads: 700)
            form.windows = windows
            var simulation = LinkSimulation(seed: seed, form: form)
            if case .wrong(let what) = simulation.run() { Issue.record("seed \(seed): \(what)") }
        }
    }

    @Test("the same seed does the same")
    func repeats() {
        for seed in 0..<20 as Range<UInt64> {
            var first = LinkSimulation(seed: seed)
            var second = LinkSimulation(seed: seed)
            #expect(first.run() == second.run())
            #expect(first.total(\.sent) == second.total(\.sent))
            #expect(first.total(\.retransmitted) == second.total(\.retransmitted))
        }
    }
}
