import LinkProtocol
import RigConfiguration
import RigModel
import Testing

@testable import RigCore

/// Every fault on a real wire, in either rig's way and both directions, at each phase and at any time after: it is seen in
/// the timeline of the rig that has it, and the session goes on or ends with a name at both ends.
@Suite struct WireFaultTests {
    /// Which of the two rigs has the fault.
    enum Place: String, CaseIterable, Sendable {
        case headUnit
        case phone

        /// The name of its device.
        var device: String { self == .headUnit ? "iphone-1" : "head-unit-1" }
    }

    static let places: [FaultPlace] =
        [.anywhere] + FaultPlace.phases.flatMap { [.during($0), .since($0)] }

    static func rig(_ place: Place, of pair: inout WiredPair) -> Bench {
        place == .headUnit ? pair.headUnit : pair.phone
    }

    /// A command at one of the two.
    static func command(_ command: Command, at place: Place, of pair: inout WiredPair) {
        let failure = place == .headUnit ? pair.headUnit.failure(of: command) : pair.phone.failure(of: command)
        #expect(failure == nil)
        pair.settle()
    }

    /// A handshake and what follows: input goes one way, and a message the other.
    static func run(_ request: FaultRequest, at place: Place, pieces: Int = 1_000_000) -> WiredPair {
        var pair = WiredPair()
        pair.pieces = pieces
        command(.setFault(request), at: place, of: &pair)
        pair.plug()
        pair.pass(30 * Bench.second)
        for _ in 0..<3 {
            pair.headUnit.command(.inject(Injection(.rotate(detents: 1, interval: 0))))
            pair.phone.command(.send(SendRequest(device: "head-unit-1", message: "NowPlayingUpdate")))
            pair.settle()
            pair.pass(3 * Bench.second)
        }
        pair.pass(300 * Bench.second)
        return pair
    }

    /// A way for packets, and where in the session.
    struct Way: Hashable {
        let place: Place
        let direction: FaultDirection
        let at: String
    }

    /// How many packets pass there without losses, and how many of them have a payload.
    static let packets: [Way: (all: Int, withPayload: Int)] = {
        var counts: [Way: (all: Int, withPayload: Int)] = [:]
        for place in Place.allCases {
            for direction in [FaultDirection.toDevice, .fromDevice] {
                for at in places {
                    var pair = run(
                        FaultRequest(.split, device: place.device, direction: direction, place: at, count: nil),
                        at: place)
                    let sizes = rig(place, of: &pair).events(.faultStruck).compactMap { event -> Int? in
                        if case .fault(_, let strike?, _) = event.payload { strike.bytes } else { nil }
                    }
                    counts[Way(place: place, direction: direction, at: "\(at)")] = (
                        sizes.count, sizes.count { $0 > LinkPacket.overhead }
                    )
                }
            }
        }
        return counts
    }()

    private func isNamed(_ bench: inout Bench, _ device: String) -> Bool {
        let closed = bench.events(.sessionClosed).compactMap(\.reason?.code).count
        let opened = bench.events(.sessionOpened).count
        return switch bench.device(device)?.value(at: "state")?.text {
        case "active": closed == opened - 1
        case "failed": closed == opened && opened > 0
        default: false
        }
    }

    @Test(arguments: FaultKind.allCases.filter { $0 != .unplug && $0 != .stale }, Place.allCases)
    func everyFaultOnAWire(_ kind: FaultKind, _ place: Place) {
        for direction in [FaultDirection.toDevice, .fromDevice] {
            for at in Self.places {
                let request = FaultRequest(
                    kind, device: place.device, direction: direction, place: at,
                    duration: kind == .delay ? 700 * Bench.millisecond : nil)
                guard (try? request.validate()) != nil else { continue }
                var pair = Self.run(request, at: place)
                let cell = "\(kind.rawValue) \(direction.rawValue) \(at)"
                let reasons = pair.headUnit.events(.sessionClosed).map { $0.reason?.code ?? "" }
                #expect(isNamed(&pair.headUnit, "iphone-1"), "\(cell): \(reasons)")
                #expect(isNamed(&pair.phone, "head-unit-1"), "\(cell): \(reasons)")
                #expect(RigInvariants.violation(in: pair.headUnit.core) == nil, "\(cell)")
                #expect(RigInvariants.violation(in: pair.phone.core) == nil, "\(cell)")
                let strikes = Self.rig(place, of: &pair).events(.faultStruck)
                let passing = Self.packets[Way(place: place, direction: direction, at: "\(at)")] ?? (0, 0)
                let count = kind == .corruptPayload ? passing.withPayload : passing.all
                #expect(strikes.isEmpty == !(count > 0 || kind.needsNoPacket), "\(cell), of \(count) packets")
                #expect(
                    Self.rig(place == .phone ? .headUnit : .phone, of: &pair).events(.faultStruck).isEmpty, "\(cell)")
                switch kind {
                case .drop, .corruptHeader, .corruptPayload, .duplicate, .reorder, .delay, .split, .join:
                    #expect(pair.headUnit.phase() == "active" && pair.phone.phase() == "active", "\(cell): \(reasons)")
                    #expect(reasons.isEmpty, "\(cell): a repetition mends it")
                case .corruptLength, .reset:
                    #expect(pair.headUnit.phase() == "active" && pair.phone.phase() == "active", "\(cell): \(reasons)")
                case .stall, .stale, .unplug: break
                }
                // Whatever it was, cleared it leaves a wire that works.
                Self.command(.clearFaults(.all), at: place, of: &pair)
                pair.replug()
                pair.pass(5 * Bench.second)
                #expect(pair.headUnit.phase() == "active" && pair.phone.phase() == "active", "\(cell), cleared")
            }
        }
    }

    @Test(arguments: Place.allCases) func bytesOfTheSessionBefore(_ place: Place) {
        for direction in [FaultDirection.toDevice, .fromDevice] {
            var pair = Self.run(FaultRequest(.stale, device: place.device, direction: direction), at: place)
            #expect(Self.rig(place, of: &pair).events(.faultStruck).isEmpty, "there was no session before")
            // The session fails, and the next begins with what is left of it.
            pair.endWires()
            pair.pass(300 * Bench.second)
            #expect(Self.rig(place, of: &pair).events(.faultStruck).count == 1, "\(direction)")
            #expect(pair.headUnit.phase() == "active" && pair.phone.phase() == "active", "\(direction)")
        }
    }

    @Test(arguments: Place.allCases) func aRealCableIsNotPulled(_ place: Place) {
        var pair = WiredPair()
        pair.plug()
        let request = Command.setFault(FaultRequest(.unplug, device: place.device))
        let failure = place == .headUnit ? pair.headUnit.failure(of: request) : pair.phone.failure(of: request)
        guard case .notPermitted(let text)? = failure else {
            Issue.record("it was taken: \(String(describing: failure))")
            return
        }
        #expect(text.contains("real device"))
    }

    /// Faults also strike when the wire brings every byte on its own.
    @Test(arguments: [FaultKind.drop, .corruptHeader, .reorder, .duplicate, .reset])
    func packetsAreFoundInSingleBytes(_ kind: FaultKind) {
        for place in Place.allCases {
            for at in [FaultPlace.anywhere, .during(.synchronizing), .during(.identifying), .since(.active)] {
                var pair = Self.run(
                    FaultRequest(kind, device: place.device, direction: .fromDevice, place: at), at: place, pieces: 1)
                #expect(pair.headUnit.phase() == "active" && pair.phone.phase() == "active", "\(place) \(at)")
                #expect(!Self.rig(place, of: &pair).events(.faultStruck).isEmpty, "\(place) \(at)")
            }
        }
    }

    @Test(arguments: Place.allCases) func theyAreListed(_ place: Place) throws {
        var pair = WiredPair()
        pair.plug()
        let kinds = FaultKind.allCases.filter { $0 != .unplug }
        for kind in kinds {
            let request = FaultRequest(
                kind, device: place.device, place: kind == .stale ? .anywhere : .during(.starting),
                duration: kind == .delay ? Bench.second : nil)
            Self.command(.setFault(request), at: place, of: &pair)
        }
        var bench = Self.rig(place, of: &pair)
        let client = bench.connect()
        bench.handle(.clientCalled(client, .listFaults(device: place.device)))
        let answer = try #require(bench.replies[client]?.first)
        #expect(answer.value(at: "kinds")?.count == FaultKind.allCases.count)
        guard case .array(let faults)? = answer.value(at: "faults") else {
            Issue.record("no faults: \(answer)")
            return
        }
        #expect(faults.compactMap { $0.value(at: "kind")?.text } == kinds.map(\.rawValue))
    }
}
