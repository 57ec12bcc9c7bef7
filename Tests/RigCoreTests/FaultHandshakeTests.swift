import LinkProtocol
import RigConfiguration
import RigModel
import Testing

@testable import RigCore

/// Every fault at every place of a handshake, both ways and in both roles, on virtual time: the session becomes active,
/// or ends with a name. Never does it hang, and the timeline tells of each fault.
@Suite struct FaultHandshakeTests {
    /// What came of a handshake.
    struct Outcome: CustomStringConvertible {
        /// Where the device stands at the end.
        var state: String
        /// Why sessions were closed, in order.
        var reasons: [String]
        var strikes: Int
        var sessions: Int

        var description: String { "\(state) \(reasons.joined(separator: ",")) strikes \(strikes) sessions \(sessions)" }
    }

    static let places: [FaultPlace] =
        FaultPlace.atNames.compactMap(FaultPlace.init(at:)) + FaultPlace.fromNames.compactMap(FaultPlace.init(from:))

    /// Longer than four handshakes in which every step runs into its deadline.
    static let patience = 1_200 * Bench.second

    static func outcome(
        _ faults: [FaultRequest], profile: String = "iphone", seed: UInt64 = 1,
        phone: PhoneConditions = PhoneConditions(),
        identificationFirst: Bool = false
    ) -> Outcome {
        var bench = Bench(seed: seed)
        for fault in faults { bench.command(.setFault(fault)) }
        bench.plug(profile, "x", phone: phone, identificationFirst: identificationFirst)
        bench.pass(patience)
        var outcome = Outcome(
            state: bench.device("x")?.value(at: "state")?.text ?? "detached",
            reasons: bench.events(.sessionClosed).compactMap(\.reason?.code),
            strikes: bench.events(.faultStruck).count, sessions: bench.events(.sessionOpened).count)
        if let violation = RigInvariants.violation(in: bench.core) { outcome.state = "broken: \(violation)" }
        // Whatever was done, what is cleared leaves a link that works, or one that can be plugged again.
        bench.command(.clearFaults(.all))
        bench.unplug("x", surprise: false)
        bench.plug(profile, "x")
        if bench.device("x")?.value(at: "state")?.text != "active" { outcome.state += ", and cannot be plugged again" }
        return outcome
    }

    /// A place for packets of one way in a handshake of one profile.
    struct Way: Hashable {
        let profile: String
        let direction: FaultDirection
        let place: String
    }

    /// How many packets pass at each place in a handshake without losses, and how many of them have a payload.
    static let packets: [Way: (all: Int, withPayload: Int)] = {
        var counts: [Way: (all: Int, withPayload: Int)] = [:]
        for profile in ["iphone", "head-unit"] {
            for direction in [FaultDirection.toDevice, .fromDevice] {
                for place in places {
                    var bench = Bench()
                    bench.command(
                        .setFault(FaultRequest(.split, device: "x", direction: direction, place: place, count: nil)))
                    bench.plug(profile, "x")
                    bench.pass(60 * Bench.second)
                    let sizes = bench.events(.faultStruck).compactMap { event -> Int? in
                        if case .fault(_, let strike?, _) = event.payload { strike.bytes } else { nil }
                    }
                    counts[Way(profile: profile, direction: direction, place: "\(place)")] = (
                        sizes.count, sizes.count { $0 > LinkPacket.overhead }
                    )
                }
            }
        }
        return counts
    }()

    private static func isLegal(_ outcome: Outcome, _ kind: FaultKind?) -> Bool {
        switch outcome.state {
        case "active": outcome.reasons.count == outcome.sessions - 1
        // A session that was active is tried again without an end; the time was over in the middle of a try.
        case "connecting": outcome.sessions > 50 && outcome.reasons.count == outcome.sessions - 1
        case "failed": !outcome.reasons.isEmpty && outcome.reasons.count == outcome.sessions
        case "detached": kind.map { $0 == .unplug } ?? true
        default: false
        }
    }

    @Test(arguments: FaultKind.allCases, ["iphone", "head-unit"])
    func everyFaultAtEveryPlace(_ kind: FaultKind, _ profile: String) throws {
        for direction in FaultDirection.allCases {
            for place in kind == .stale ? [.anywhere] : Self.places {
                for after in kind == .stale ? [0] : [0, 1] {
                    let request = FaultRequest(
                        kind, device: "x", direction: direction, place: place, after: after,
                        duration: kind == .delay ? 700 * Bench.millisecond : nil)
                    guard (try? request.validate()) != nil else { continue }
                    let outcome = Self.outcome([request], profile: profile)
                    let cell = "\(kind.rawValue) \(direction.rawValue) \(place) after \(after), \(profile)"
                    #expect(Self.isLegal(outcome, kind), "\(cell): \(outcome)")
                    if after == 0, kind != .stale, direction != .both {
                        let way = Way(profile: profile, direction: direction, place: "\(place)")
                        let passing = Self.packets[way] ?? (0, 0)
                        // The detection bytes have no payload, however few they are.
                        let count = kind == .corruptPayload ? passing.withPayload : passing.all
                        let happens = count > 0 || kind.needsNoPacket && place.packet == nil
                        #expect((outcome.strikes > 0) == happens, "\(cell): \(outcome), of \(count) packets")
                    }
                    // One disturbance that is over leaves nothing that a repetition does not mend.
                    switch kind {
                    case .drop, .corruptHeader, .corruptPayload, .duplicate, .reorder, .delay, .split, .join:
                        #expect(outcome.state == "active" && outcome.sessions == 1, "\(cell): \(outcome)")
                    case .corruptLength, .reset, .stale: #expect(outcome.state == "active", "\(cell): \(outcome)")
                    case .stall, .unplug: break
                    }
                }
            }
        }
    }

    @Test(arguments: FaultKind.allCases, ["iphone", "head-unit"])
    func everyFaultAgainAndAgain(_ kind: FaultKind, _ profile: String) throws {
        guard kind != .unplug, kind != .stale else { return }
        for direction in FaultDirection.allCases {
            for place in Self.places {
                let request = FaultRequest(
                    kind, device: "x", direction: direction, place: place, count: nil,
                    duration: kind == .delay || kind == .stall ? 700 * Bench.millisecond : nil)
                guard (try? request.validate()) != nil else { continue }
                let outcome = Self.outcome([request], profile: profile)
                #expect(
                    Self.isLegal(outcome, kind),
                    "\(kind.rawValue) \(direction.rawValue) \(place) \(profile): \(outcome)")
            }
        }
    }

    /// Up to four faults at once, by seeds: 1,200 of them.
    @Test(arguments: 0..<8) func anyFaultsTogether(_ batch: Int) {
        for number in 0..<150 {
            let seed = UInt64(batch * 1_000 + number + 1)
            var numbers = TestNumbers(seed: seed &* 0x9E37_79B9_7F4A_7C15)
            let faults = (0...Int.random(in: 0..<4, using: &numbers)).map { _ in
                Self.anyFault(using: &numbers)
            }
            let profile = ["iphone", "android", "head-unit"].randomElement(using: &numbers) ?? "iphone"
            let isSlow = Bool.random(using: &numbers)
            let phone = PhoneConditions(
                slow: isSlow ? UInt64.random(in: 1..<300, using: &numbers) * Bench.millisecond : 0)
            let outcome = Self.outcome(
                faults, profile: profile, seed: seed, phone: phone,
                identificationFirst: Bool.random(using: &numbers))
            #expect(Self.isLegal(outcome, nil), "seed \(seed), \(profile): \(outcome)\n\(faults)")
        }
    }

    private static func anyFault(using numbers: inout TestNumbers) -> FaultRequest {
        let kind = FaultKind.allCases.randomElement(using: &numbers) ?? .drop
        var request = FaultRequest(
            kind, device: "x", direction: FaultDirection.allCases.randomElement(using: &numbers) ?? .both)
        if kind == .delay || kind == .join && Bool.random(using: &numbers) {
            request.duration = UInt64.random(in: 1...3_000, using: &numbers) * Bench.millisecond
        }
        if kind == .stall, Bool.random(using: &numbers) { request.duration = 5 * Bench.second }
        guard kind != .stale else { return request }
        request.place = places.randomElement(using: &numbers) ?? .anywhere
        if kind == .corruptPayload, request.place == .packet(.detection) { request.place = .anywhere }
        request.after = Int.random(in: 0..<4, using: &numbers)
        if kind != .unplug, kind != .stall {
            request.count = [1, 1, 2, 5, nil].randomElement(using: &numbers) ?? 1
        }
        return request
    }

    @Test func theSameSeedGivesTheSameRun() {
        func digest(_ seed: UInt64) -> UInt64? {
            var numbers = TestNumbers(seed: seed)
            var bench = Bench(seed: seed)
            bench.digest = ActionDigest()
            for _ in 0..<4 { bench.command(.setFault(Self.anyFault(using: &numbers))) }
            bench.plug("iphone", "x")
            bench.pass(100 * Bench.second)
            return bench.digest?.value
        }
        for seed in UInt64(1)...20 { #expect(digest(seed) == digest(seed)) }
    }
}
