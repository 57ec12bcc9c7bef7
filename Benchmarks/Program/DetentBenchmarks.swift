import InputCore
import RigModel

/// One detent of a knob through the whole rig in memory: published to one subscriber, said by a report over the link of the
/// session in front, read by its other end and acknowledged. No daemon, no socket, no device.
enum DetentBenchmarks {
    static var all: [Benchmark] { [detent(nil), detent("iphone"), detent("head-unit")] }

    /// - Parameter profile: the simulated other end; without one there is no session.
    static func detent(_ profile: String?) -> Benchmark {
        let name = profile.map { "detent.to-\($0)" } ?? "detent.no-session"
        let detent = DeviceInput.event(.knob(.rotate(detents: 1)))
        let knob = DeviceFacts(kind: .knob, profile: "knob", port: "1-1", origin: .observed)
        var rig = BenchmarkRig(knob, "input.knob", profile, first: [detent])
        let detents = 64
        return Benchmark(
            name: name, unit: "", unitsPerRun: Double(detents), itemsPerRun: Double(detents),
            work: {
                for _ in 0..<detents { rig.use(detent) }
            })
    }
}
