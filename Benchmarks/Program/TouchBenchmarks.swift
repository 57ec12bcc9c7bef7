import InputCore
import RigModel

/// One frame of fingers that move, as `DetentBenchmarks` has a detent: all of them go to and fro by a few units.
enum TouchBenchmarks {
    private static let fingers = [1, 5]
    private static let axis: Int32 = 4_095

    static var all: [Benchmark] {
        fingers.map { pad($0, nil) }
            + ["iphone", "head-unit"].flatMap { profile in
                fingers.map { pad($0, profile) } + fingers.map { screen($0, profile) }
            }
    }

    private static func pad(_ fingers: Int, _ profile: String?) -> Benchmark {
        let facts = DeviceFacts(kind: .touchpad, profile: "touchpad", port: "1-1", origin: .observed)
        return moves("pad", fingers, facts, "input.touchpad", profile) { step, phases in
            let contacts = phases.enumerated().map { id, phase in
                PadContact(id: id, point: PadPoint(x: 1_000 * (id + 1) + 50 * step, y: 5_000), phase: phase)
            }
            return .event(.touchpad(TouchpadEvent(contacts: contacts)))
        }
    }

    /// A touchscreen needs a session: without one there is no display that a touch could be on.
    private static func screen(_ fingers: Int, _ profile: String) -> Benchmark {
        var facts = DeviceFacts(kind: .touchscreen, profile: "touchscreen", port: "1-1", origin: .observed)
        facts.surface = SurfaceLayout(
            kind: .screen, x: AbsoluteRange(code: EvdevCode.contactX, minimum: 0, maximum: axis),
            y: AbsoluteRange(code: EvdevCode.contactY, minimum: 0, maximum: axis), slots: 10)
        return moves("screen", fingers, facts, "input.touch", profile) { step, phases in
            .touch(
                phases.enumerated().map { id, phase in
                    let place = Int32(500 * (id + 1) + 50 * step)
                    return SurfaceContact(id: id, x: place, y: axis / 2, phase: phase)
                })
        }
    }

    private static func moves(
        _ surface: String, _ fingers: Int, _ facts: DeviceFacts, _ kind: String, _ profile: String?,
        _ frame: (_ step: Int, _ phases: [ContactPhase]) -> DeviceInput
    ) -> Benchmark {
        let name = "touch.\(surface)-\(fingers)-\(profile.map { "to-\($0)" } ?? "no-session")"
        let moves = (1...8).map { frame($0 % 4, Array(repeating: .moved, count: fingers)) }
        // One finger after the other: on the link a touchscreen has two, and leaves out those that come later.
        let first = (0..<fingers).map { frame(0, Array(repeating: .stationary, count: $0) + [.began]) }
        var rig = BenchmarkRig(facts, kind, profile, first: first + [moves[0]])
        return Benchmark(
            name: name, unit: "", unitsPerRun: Double(moves.count), itemsPerRun: Double(moves.count),
            work: {
                for move in moves { rig.use(move) }
            })
    }
}
