import ControlProtocol
import LinkProtocol
import RigModel
import Testing

@testable import RigCore

/// Each kind of fault on one path: what comes out, byte by byte and read by read.
@Suite struct FaultPathTests {
    static let directions: [FaultDirection] = [.toDevice, .fromDevice]
    private static let one = FaultBench.packet(1)
    private static let two = FaultBench.packet(2)
    private static let three = FaultBench.packet(3)

    private func bench(_ direction: FaultDirection = .fromDevice) -> FaultBench {
        var bench = FaultBench(direction)
        bench.start()
        return bench
    }

    @Test(arguments: directions) func withoutAFaultEverythingPasses(_ direction: FaultDirection) {
        var bench = bench(direction)
        #expect(bench.path.isClear)
        bench.pass(LinkDetection.bytes, Self.one, Self.two)
        #expect(bench.reads == [LinkDetection.bytes, Self.one, Self.two])
        #expect(bench.notices.isEmpty && bench.path.nextDeadline == nil)
    }

    @Test(arguments: directions) func dropLosesThePacket(_ direction: FaultDirection) {
        var bench = bench(direction)
        bench.arm(.drop, after: 1, count: 2)
        bench.pass(Self.one, Self.two, Self.three, Self.one)
        #expect(bench.reads == [Self.one, Self.one])
        #expect(bench.told == ["struck 1 at 2", "struck 1 at 3", "ended 1"])
        #expect(
            bench.strikes.first
                == FaultStrike(
                    direction: direction, packet: 2, phase: .detecting, bytes: Self.two.count, effect: "it is lost"))
        #expect(bench.path.isClear)
    }

    @Test func anotherSessionOnTheSameLinkCountsAnew() {
        var bench = bench()
        bench.arm(.drop, after: 1, count: 2)
        bench.arm(.duplicate, 2, at: .since(.identifying), count: nil)
        bench.reach(.identifying)
        bench.pass(Self.one, Self.two)
        #expect(bench.told == ["struck 2 at 1", "struck 1 at 2"])
        bench.forget()
        bench.path.sessionBegan()
        // The first packet passes again, and the place of the other is still to be reached.
        bench.pass(Self.one, Self.two)
        #expect(bench.told == ["struck 1 at 4", "ended 1"])
        #expect(bench.strikes.first?.phase == .detecting)
        bench.forget()
        bench.reach(.identifying)
        bench.pass(Self.three)
        #expect(bench.told == ["struck 2 at 5"])
    }

    @Test func whatIsLeftIsTold() {
        var bench = bench()
        bench.arm(.drop, count: 2)
        bench.arm(.duplicate, 2, count: nil)
        bench.pass(Self.one, Self.two, Self.three)
        let left = bench.notices.compactMap { notice -> String? in
            if case .struck(let id, _, let left) = notice {
                "\(id.name) \(left.map(String.init) ?? "always")"
            } else {
                nil
            }
        }
        #expect(left == ["f1 1", "f1 0", "f2 always"])
    }

    @Test(arguments: directions) func duplicateDoublesThePacket(_ direction: FaultDirection) {
        var bench = bench(direction)
        bench.arm(.duplicate)
        bench.pass(Self.one, Self.two)
        #expect(bench.reads == [Self.one, Self.one, Self.two])
        #expect(bench.told == ["struck 1 at 1", "ended 1"])
    }

    @Test(arguments: directions) func splitCutsIntoBytes(_ direction: FaultDirection) {
        var bench = bench(direction)
        bench.arm(.split)
        bench.pass(Self.one, Self.two)
        #expect(bench.reads == Self.one.map { [$0] } + [Self.two])
        #expect(bench.told == ["struck 1 at 1", "ended 1"])
    }

    @Test(arguments: directions) func reorderSwapsTwoPackets(_ direction: FaultDirection) {
        var bench = bench(direction)
        bench.arm(.reorder, count: 2)
        bench.pass(Self.one, Self.two, Self.three)
        #expect(bench.reads == [Self.two, Self.one])
        #expect(bench.path.nextDeadline == bench.now + 100 * FaultBench.millisecond)
        // Nothing comes behind it: it goes on when its time is over.
        bench.wait(99 * FaultBench.millisecond)
        #expect(bench.reads.count == 2)
        bench.wait(FaultBench.millisecond)
        #expect(bench.reads == [Self.two, Self.one, Self.three])
        #expect(bench.told == ["struck 1 at 1", "struck 1 at 3", "ended 1"])
        #expect(bench.path.isClear && bench.path.nextDeadline == nil)
    }

    @Test(arguments: directions) func delayKeepsTheOrder(_ direction: FaultDirection) {
        var bench = bench(direction)
        bench.arm(.delay, count: 1, duration: 50 * FaultBench.millisecond)
        bench.pass(Self.one, Self.two)
        bench.wait(30 * FaultBench.millisecond)
        bench.pass(Self.three)
        #expect(bench.reads.isEmpty && bench.told == ["struck 1 at 1"])
        #expect(bench.path.heldBytes == 3 * Self.one.count)
        bench.wait(20 * FaultBench.millisecond)
        #expect(bench.reads == [Self.one, Self.two, Self.three])
        #expect(bench.told == ["struck 1 at 1", "ended 1"])
        #expect(bench.path.heldBytes == 0)
    }

    @Test func eachDelayedPacketHasItsOwnTime() {
        var bench = bench()
        bench.arm(.delay, count: nil, duration: 50 * FaultBench.millisecond)
        bench.pass(Self.one)
        bench.wait(20 * FaultBench.millisecond)
        bench.pass(Self.two)
        bench.wait(30 * FaultBench.millisecond)
        #expect(bench.reads == [Self.one])
        bench.wait(20 * FaultBench.millisecond)
        #expect(bench.reads == [Self.one, Self.two])
    }

    @Test(arguments: directions) func joinMakesOneRead(_ direction: FaultDirection) {
        var bench = bench(direction)
        bench.arm(.join, duration: 30 * FaultBench.millisecond)
        bench.pass(Self.one, Self.two)
        bench.wait(10 * FaultBench.millisecond)
        bench.pass(Self.three)
        #expect(bench.reads.isEmpty)
        bench.wait(20 * FaultBench.millisecond)
        #expect(bench.reads == [Self.one + Self.two + Self.three])
        bench.pass(Self.one)
        #expect(bench.reads.count == 2)
        #expect(bench.told == ["struck 1 at 1", "ended 1"])
    }

    @Test(arguments: directions) func aStallLastsUntilItIsCleared(_ direction: FaultDirection) {
        var bench = bench(direction)
        bench.arm(.stall)
        #expect(bench.told == ["struck 1 at 0"], "it strikes at once")
        bench.pass(Self.one, Self.two)
        bench.wait(3_600_000 * FaultBench.millisecond)
        #expect(bench.reads.isEmpty && bench.path.nextDeadline == nil)
        bench.clear()
        #expect(bench.reads == [Self.one, Self.two])
        #expect(bench.told == ["struck 1 at 0"], "who clears knows that it has ended")
        #expect(bench.path.isClear)
    }

    @Test func aStallMayHaveAnEnd() {
        var bench = bench()
        bench.arm(.stall, after: 1, count: 2, duration: 40 * FaultBench.millisecond)
        bench.pass(Self.one, Self.two)
        #expect(bench.reads == [Self.one])
        bench.wait(40 * FaultBench.millisecond)
        #expect(bench.reads == [Self.one, Self.two])
        bench.pass(Self.three)
        #expect(bench.told == ["struck 1 at 1", "struck 1 at 3"])
        bench.wait(40 * FaultBench.millisecond)
        #expect(bench.told.last == "ended 1")
    }

    @Test func aStallAtAPacketHoldsIt() {
        var bench = bench()
        let challenge = FaultBench.message(.requestAuthenticationChallengeResponse)
        bench.arm(.stall, at: .packet(.challenge))
        bench.pass(Self.one, challenge, Self.two)
        #expect(bench.reads == [Self.one])
        bench.clear()
        #expect(bench.reads == [Self.one, challenge, Self.two])
    }

    @Test func aStallOfTheSessionBeforeGoesOn() {
        var bench = FaultBench()
        let request = FaultRequest(.stall)
        let order = FaultOrder(id: FaultID(1), request: request, left: 0, isStalled: true, seed: 1)
        bench.run { $0.arm(order, now: $1, into: &$2) }
        bench.start()
        bench.pass(Self.one)
        #expect(bench.reads.isEmpty && bench.notices.isEmpty)
        bench.clear()
        #expect(bench.reads == [Self.one])
    }

    @Test(arguments: directions) func aResetPacketLooksLikeTheSenders(_ direction: FaultDirection) throws {
        var bench = bench(direction)
        bench.arm(.reset, after: 2)
        bench.pass(Self.one, Self.two, Self.three)
        #expect(bench.reads.count == 4 && bench.reads[0] == Self.one && bench.reads[1] == Self.two)
        #expect(bench.reads[2] == [0xFF, 0x5A, 0x00, 0x09, 0x10, 0x02, 0x00, 0x00, 0x8C])
        #expect(bench.reads[3] == Self.three)
        #expect(bench.told == ["struck 1 at 2", "ended 1"])
        #expect(bench.strikes.first?.bytes == 9)
    }

    @Test(arguments: directions) func unplugLetsNothingPassAnyMore(_ direction: FaultDirection) {
        var bench = bench(direction)
        bench.arm(.unplug, after: 1)
        bench.arm(.delay, 2, count: nil, duration: 5 * FaultBench.millisecond)
        bench.pass(Self.one, Self.two)
        bench.wait(50 * FaultBench.millisecond)
        #expect(bench.reads.isEmpty)
        #expect(bench.told.prefix(2) == ["struck 1 at 1", "unplug 1"])
        #expect(!bench.path.isClear)
    }

    @Test(arguments: directions) func theCableIsPulledBehindAByte(_ direction: FaultDirection) {
        let length = Self.one.count
        for bytes in [1, length - 1, length, length + 1, 2 * length + 3] {
            var bench = bench(direction)
            bench.arm(.unplug, afterBytes: bytes)
            #expect(bench.told.isEmpty, "it waits for bytes")
            bench.pass(Self.one, Self.two, Self.three)
            #expect(bench.reads.flatMap { $0 } == Array((Self.one + Self.two + Self.three).prefix(bytes)))
            #expect(
                bench.told.prefix(2) == [
                    "struck 1 at \(bytes <= length ? 1 : bytes <= length + Self.two.count ? 2 : 3)",
                    "unplug 1",
                ])
        }
    }

    @Test(arguments: directions) func aStallBehindAByteHoldsTheRest(_ direction: FaultDirection) {
        var bench = bench(direction)
        bench.arm(.stall, afterBytes: Self.one.count + 2)
        bench.pass(Self.one, Self.two, Self.three)
        #expect(bench.reads.flatMap { $0 } == Self.one + Self.two.prefix(2))
        bench.clear()
        #expect(bench.reads.flatMap { $0 } == Self.one + Self.two + Self.three)
    }

    @Test func staleBytesComeFirst() {
        var first = FaultBench()
        first.arm(.stale)
        first.start()
        first.pass(Self.one, Self.two)
        #expect(first.reads == [Self.one, Self.two] && first.notices.isEmpty, "there was no session before")
        #expect(first.path.recorded == Self.one + Self.two)
        var second = FaultBench()
        second.arm(.stale)
        second.start(stale: first.path.recorded)
        second.pass(Self.three)
        #expect(second.reads == [Self.one + Self.two, Self.three])
        #expect(second.told == ["struck 1 at 0", "ended 1"])
        #expect(second.path.recorded.isEmpty, "what nobody wants is not recorded")
    }

    @Test func staleBytesAreTheLastAndBounded() {
        var bench = bench()
        bench.arm(.stale, count: nil)
        for number in 0..<UInt8(200) { bench.pass(FaultBench.packet(number, count: 90)) }
        #expect(bench.path.recorded.count == FaultPath.maximumRecorded)
        #expect(bench.path.recorded.suffix(100) == FaultBench.packet(199, count: 90)[...])
        bench.pass([UInt8](repeating: 7, count: 10_000))
        #expect(bench.path.recorded == [UInt8](repeating: 7, count: FaultPath.maximumRecorded))
    }

    // MARK: Places

    @Test func aPhaseIsAPlace() {
        var bench = bench()
        bench.arm(.drop, at: .during(.authenticating), after: 1, count: nil)
        bench.pass(Self.one, Self.one)
        bench.reach(.authenticating)
        bench.pass(Self.one, Self.two)
        bench.reach(.identifying)
        bench.pass(Self.three)
        bench.reach(.authenticating)
        bench.pass(Self.two)
        #expect(bench.reads == [Self.one, Self.one, Self.one, Self.three])
        #expect(bench.strikes.map(\.phase) == [.authenticating, .authenticating])
    }

    @Test func fromAPhaseOn() {
        var bench = bench()
        bench.arm(.drop, at: .since(.identifying), count: nil)
        bench.reach(.authenticating)
        bench.pass(Self.one)
        bench.reach(.identifying)
        bench.pass(Self.two)
        bench.reach(.active)
        bench.pass(Self.three)
        #expect(bench.reads == [Self.one])
        #expect(bench.strikes.map(\.phase) == [.identifying, .active])
    }

    @Test(arguments: [FaultKind.reset, .unplug, .stall]) func whatNeedsNoPacketHappensWhenItsPlaceIsReached(
        _ kind: FaultKind
    ) {
        for (place, expected) in [
            (FaultPlace.anywhere, SessionPhase.detecting), (.during(.authenticating), .authenticating),
            (.since(.identifying), .identifying), (.during(.active), .active),
        ] {
            var bench = FaultBench()
            bench.arm(kind, at: place)
            bench.start()
            for phase in [SessionPhase.synchronizing, .authenticating, .identifying, .starting, .active] {
                bench.reach(phase)
            }
            #expect(bench.strikes.map(\.phase) == [expected], "\(kind.rawValue) \(place)")
            // In a session that runs it happens when it is set.
            bench.forget()
            if kind == .unplug { bench = self.bench() }
            bench.reach(.active)
            if kind == .stall { bench.clear() }
            bench.arm(kind, 2, at: .during(.active))
            #expect(bench.strikes.map(\.phase) == [.active])
        }
    }

    static let packets: [(HandshakePacket, [UInt8])] = [
        (.detection, LinkDetection.bytes),
        (.offer, LinkPacket(control: .synchronize, sequence: 1, acknowledgement: 0, payload: [1, 2]).encoded),
        (
            .answer,
            LinkPacket(control: [.synchronize, .acknowledge], sequence: 1, acknowledgement: 0, payload: [1]).encoded
        ),
        (.certificateRequest, FaultBench.message(.requestAuthenticationCertificate)),
        (.certificate, FaultBench.message(.authenticationCertificate)),
        (.challenge, FaultBench.message(.requestAuthenticationChallengeResponse)),
        (.response, FaultBench.message(.authenticationResponse)),
        (.authenticationResult, FaultBench.message(.authenticationSucceeded)),
        (.authenticationResult, FaultBench.message(.authenticationFailed)),
        (.identificationRequest, FaultBench.message(.startIdentification)),
        (.identification, FaultBench.message(.identificationInformation)),
        (.identificationResult, FaultBench.message(.identificationAccepted)),
        (.identificationResult, FaultBench.message(.identificationRejected)),
        (.availability, FaultBench.message(.carPlayAvailability)),
        (.startSession, FaultBench.message(.carPlayStartSession)),
        (.displays, FaultBench.message(.displayDeclaration)),
    ]

    @Test func everyPacketOfAHandshakeIsAPlace() {
        #expect(Set(Self.packets.map(\.0)) == Set(HandshakePacket.allCases))
        for (place, bytes) in Self.packets {
            for (other, otherBytes) in Self.packets {
                var bench = bench()
                bench.arm(.drop, at: .packet(place), count: nil)
                bench.pass(otherBytes)
                #expect(bench.reads.isEmpty == (place == other), "\(place.rawValue) meets \(other.rawValue)")
            }
            var bench = bench()
            bench.arm(.drop, at: .packet(place), after: 1)
            bench.pass(bytes, bytes, bytes)
            #expect(bench.reads == [bytes, bytes] && bench.told.first == "struck 1 at 2")
        }
        for bytes in [
            FaultBench.acknowledgement(1), FaultBench.packet(1, count: 6), FaultBench.message(MessageID(0x4E0A)),
        ] {
            #expect(HandshakePacket(carriedBy: bytes) == nil)
        }
        for count in 0..<20 { _ = HandshakePacket(carriedBy: [UInt8](repeating: 0x40, count: count)) }
    }

    // MARK: Several

    @Test func eachFaultHasItsPlaceWhateverTheOrder() {
        for isReversed in [false, true] {
            var bench = bench()
            let kinds: [(FaultKind, UInt32)] = [(.split, 1), (.duplicate, 2)]
            for (kind, number) in isReversed ? kinds.reversed() : kinds { bench.arm(kind, number) }
            bench.pass(Self.one)
            #expect(bench.reads == Self.one.map { [$0] } + [Self.one], "doubled first, then the first of both is cut")
        }
        var bench = bench()
        bench.arm(.duplicate, 1, count: nil)
        bench.arm(.drop, 2)
        bench.pass(Self.one, Self.two)
        #expect(bench.reads == [Self.two, Self.two], "what is lost is not doubled")
    }

    @Test func whatAFaultLetsGoMeetsThoseBehindIt() {
        var bench = bench()
        bench.arm(.delay, 1, duration: 10 * FaultBench.millisecond)
        bench.arm(.split, 2)
        bench.pass(Self.one)
        #expect(bench.reads.isEmpty)
        bench.clear(1)
        #expect(bench.reads == Self.one.map { [$0] })
        #expect(bench.told == ["struck 1 at 1", "struck 2 at 1", "ended 2"])
    }

    // MARK: Bounds

    @Test(arguments: [FaultKind.stall, .delay, .reorder]) func whatDoesNotFitIsLostAndTold(_ kind: FaultKind) {
        var bench = bench()
        bench.arm(kind, count: kind == .delay ? nil : 1, duration: kind == .delay ? 60_000_000_000 : nil)
        if kind == .reorder {
            // It holds one packet; another fault holds the rest.
            bench.arm(.stall, 2)
        }
        let packet = FaultBench.packet(1, count: 60_000)
        for _ in 0..<6 { bench.pass(packet) }
        #expect(bench.path.heldBytes <= FaultPath.maximumHeld)
        #expect(bench.path.heldBytes > FaultPath.maximumHeld - packet.count)
        #expect(bench.strikes.count { $0.effect.contains("it is lost, because") } >= 1)
        #expect(bench.reads.isEmpty)
    }

    @Test(arguments: [FaultKind.stall, .delay, .join]) func onlySoManyPiecesAreHeldHoweverSmall(_ kind: FaultKind) {
        var bench = bench()
        bench.arm(kind, count: kind == .delay ? nil : 1, duration: 60_000_000_000)
        let count = FaultPath.maximumHeldPieces + 100
        for _ in 0..<count { bench.pass(Self.one) }
        #expect(bench.path.heldBytes <= FaultPath.maximumHeldPieces * Self.one.count)
        if kind == .join {
            #expect(bench.reads.flatMap { $0 }.count == count * Self.one.count, "what does not fit goes on")
        } else {
            #expect(bench.strikes.count { $0.effect.contains("it is lost, because") } == 100)
        }
    }

    @Test func faultsThatDoubleEachOtherDoNotDoubleWithoutEnd() {
        var bench = bench()
        for number in 1...16 { bench.arm(.duplicate, UInt32(number), count: nil) }
        bench.pass(Self.one)
        #expect(bench.reads.count == FaultPath.maximumPassed.pieces)
        bench.forget()
        let long = FaultBench.packet(1, count: 60_000)
        bench.pass(long)
        #expect(bench.reads.count * long.count <= FaultPath.maximumPassed.bytes && bench.reads.count >= 4)
        #expect(bench.reads.allSatisfy { $0 == long })
    }

    @Test func aJoinedReadThatIsFullGoesOn() {
        var bench = bench()
        bench.arm(.join)
        let packet = FaultBench.packet(1, count: 60_000)
        for _ in 0..<6 { bench.pass(packet) }
        #expect(bench.reads.map(\.count) == [4 * packet.count, packet.count, packet.count])
        #expect(bench.told == ["struck 1 at 1", "ended 1"])
    }

    // MARK: The wire

    @Test func readsAreCutWherePacketsAre() {
        var bench = bench()
        bench.arm(.drop, after: 1)
        let garbage: [UInt8] = [0x00, 0xFF, 0x00, 0x5A]
        let stream = garbage + Self.one + Self.two + Self.three
        for byte in stream { bench.read([byte]) }
        #expect(bench.reads.flatMap { $0 } == garbage + Self.one + Self.three)
        #expect(bench.told == ["struck 1 at 2", "ended 1"])
    }

    @Test func withTheLastFaultAnIncompletePacketPasses() {
        var bench = bench()
        bench.arm(.drop)
        bench.read(Self.one + Self.two.prefix(5))
        #expect(bench.reads == [Array(Self.two.prefix(5))])
        #expect(bench.path.isClear)
        var other = self.bench()
        other.arm(.drop, at: .during(.active))
        other.read(Array(Self.one.prefix(3)))
        #expect(other.reads.isEmpty && other.path.heldBytes == 3)
        other.clear()
        #expect(other.reads == [Array(Self.one.prefix(3))] && other.path.isClear)
    }
}
