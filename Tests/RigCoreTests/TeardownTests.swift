import RigConfiguration
import RigModel
import Testing

@testable import RigCore

/// Everything that hangs off a session is released by its end, once and in a fixed order (field reports B13, B27).
@Suite struct TeardownTests {
    enum Cause: String, CaseIterable, CustomTestStringConvertible {
        case pulled, busy, stuck, turned

        var testDescription: String { rawValue }

        var code: String {
            switch self {
            case .pulled: "surpriseRemoval"
            case .busy: "busy"
            case .stuck: "stuck"
            case .turned: "modeChanged"
            }
        }
    }

    @Test(arguments: Cause.allCases) func theOrderIsAlwaysTheSame(cause: Cause) throws {
        let shipped = CoreSettings(.shipped, version: "")
        var bench = Bench { $0.headUnits = shipped.headUnits.filter { $0.displays.count == 2 } }
        let facts = DeviceFacts.iPhone("A1B2C3D4", port: "1-1")
        bench.attach(facts)
        bench.attach(.iPhone("A1B2C3D5", port: "1-2"))
        let app = bench.launch()
        let client = bench.connect()
        let press = Injection(.press(hold: Bench.second))
        bench.handle(.clientCalled(client, .inject(press, wait: .read, within: 60 * Bench.second)))
        bench.command(.inject(Injection(.key(.home, hold: Bench.second))))
        bench.pass(10 * Bench.millisecond)
        let before = bench.events.count
        let told = bench.streams[app]?.count ?? 0
        switch cause {
        case .pulled: bench.detach("1-1")
        case .busy: bench.handle(.deviceBusy(key: "1-1", Reason("busy", .device, "")))
        case .stuck: bench.handle(.deviceStuck(key: "1-1", Reason("stuck", .device, "")))
        case .turned: bench.handle(.deviceChanged(key: "1-1", facts.shown(as: .headUnit)))
        }
        let released: [EventKind] = [
            .inputKnob, .inputKey, .displayRemoved, .displayRemoved, .sessionClosed, .frontChanged,
        ]
        #expect(bench.kinds(from: before).prefix(6) == released[...])
        let after = bench.events.dropFirst(before)
        #expect(after.prefix(4).compactMap(\.display) == ["s1/main", "s1/main", "s1/cluster", "s1/main"])
        #expect(after.first { $0.kind == .sessionClosed }?.reason?.code == cause.code)
        guard case .session(let session)? = after.first(where: { $0.kind == .sessionClosed })?.payload else {
            Issue.record("session.closed carries the session")
            return
        }
        #expect(session.phase == .closed)
        #expect(session.reason?.code == cause.code)
        #expect(bench.replies[client]?.last?.value(at: "reached")?.text == "accepted", "who waited is answered")
        // The app goes to the other phone, which it is then told of.
        #expect(
            bench.streams[app]?.dropFirst(told).prefix(9).map(\.kind)
                == released + [.sessionActive, .displayAdded, .displayAdded])
        #expect(after.prefix(9).map(\.time) == Array(repeating: bench.now, count: 9), "all of it at once")
        #expect(bench.core.gestures.isEmpty && bench.core.waits.isEmpty)
        #expect(bench.events(.sessionClosed).count == 1)
    }

    @Test func oneOfFourThatIsPulledDoesNotDisturbTheOthers() {
        // Field report B14.
        var bench = Bench()
        for number in 1...4 { bench.attach(.iPhone("A1B2C3D\(number)", port: "1-\(number)")) }
        let apps = (1...4).map { bench.launch(device: "iphone-\($0)", token: "\($0)") }
        for number in 1...4 {
            bench.command(.inject(Injection(.rotate(detents: 5, interval: 20), device: "iphone-\(number)")))
        }
        bench.pass(50)
        bench.detach("1-2")
        bench.pass(Bench.second)
        let turns = apps.map { app in (bench.streams[app] ?? []).reduce(0) { $0 + $1.detents } }
        #expect(turns == [5, 3, 5, 5])
        #expect(bench.names(of: "sessions") == ["s1", "s3", "s4"])
    }
}
