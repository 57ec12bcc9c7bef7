import RigConfiguration
import RigModel
import Testing

@testable import RigCore

/// What is set on the rig that plays the phone of a real head unit.
@Suite struct WirePhoneTests {
    typealias Row = PhoneMatrixTests.Row

    /// Pairs whose phone is so slow that each moment of the handshake lasts.
    private static func pair(_ change: PhoneChange? = nil) -> WiredPair {
        var pair = WiredPair()
        var plug = change ?? PhoneChange()
        plug.slow = PhoneMatrixTests.step
        pair.phonePlug = plug
        pair.plug()
        return pair
    }

    private static func waiting(_ bench: inout Bench) -> String? {
        bench.state().value(at: "sessions.0.waiting")?.text
    }

    /// The outcomes are those of `PhoneMatrixTests`, to be seen at both ends of the wire.
    @Test(arguments: PhoneMatrixTests.waits + PhoneMatrixTests.refusals + PhoneMatrixTests.misorders)
    func eachConditionInEachMoment(_ row: Row) {
        let moments = PhoneMatrixTests.moments(identificationFirst: false)
        for (index, (moment, outcome)) in zip(moments, row.outcomes.0).enumerated() {
            // The two phases before are over at once on this wire.
            guard moment != .detecting, moment != .synchronizing else { continue }
            let cell = "\(moment): \(outcome)"
            var pair: WiredPair
            if moment == .plug {
                pair = Self.pair(row.change)
            } else {
                pair = Self.pair()
                pair.pass(UInt64(index - 3) * PhoneMatrixTests.step + PhoneMatrixTests.step / 2)
                pair.setPhone(row.change)
            }
            switch outcome {
            case "w":
                pair.pass(5 * Bench.second)
                #expect(Self.waiting(&pair.phone) == row.wait?.rawValue, "\(cell)")
                #expect(pair.phone.events(.sessionClosed).isEmpty && pair.headUnit.events(.sessionClosed).isEmpty)
                pair.setPhone(row.undo)
                pair.pass(5 * Bench.second)
                #expect(pair.phone.events(.sessionClosed).isEmpty && pair.headUnit.events(.sessionClosed).isEmpty)
            case "f":
                while pair.phone.events(.sessionClosed).isEmpty, pair.phone.now < 5 * Bench.second {
                    pair.pass(PhoneMatrixTests.step / 10)
                }
                let phone = pair.phone.events(.sessionClosed).first?.reason
                // Without a partner of its own, the rig only sees that a real head unit ends the link.
                let isMisorder = PhoneMatrixTests.misorders.contains { $0.name == row.name }
                #expect(phone?.code == (isMisorder ? "resetByPeer" : row.reasons?.phone.code), "\(cell)")
                let unit = pair.headUnit.events(.sessionClosed).first?.reason
                let seen: PhoneMatrixTests.Failure? =
                    row.reasons?.unit.code == "trustRefused" ? .init("trustRefused", .peer) : row.reasons?.unit
                #expect(unit.map { .init($0.code, $0.party) } == seen, "\(cell)")
                pair.setPhone(row.undo)
                pair.restart()
                pair.pass(70 * Bench.second)
            default:
                pair.pass(20 * Bench.second)
                #expect(pair.phone.events(.sessionClosed).isEmpty && pair.headUnit.events(.sessionClosed).isEmpty)
            }
            #expect(pair.phone.phase() == "active" && pair.headUnit.phase() == "active", "\(cell)")
            #expect(Self.waiting(&pair.phone) == nil && Self.waiting(&pair.headUnit) == nil, "\(cell)")
        }
    }

    /// A head unit of ours that asks to be told knows what it waits for.
    @Test(arguments: PhoneMatrixTests.waits.prefix(3)) func theHeadUnitIsToldWhatItWaitsFor(_ row: Row) {
        var pair = WiredPair()
        pair.phonePlug = row.change
        pair.plug()
        #expect(Self.waiting(&pair.headUnit) == row.wait?.rawValue)
        #expect(Self.waiting(&pair.phone) == row.wait?.rawValue)
        pair.setPhone(row.undo)
        #expect(Self.waiting(&pair.headUnit) == nil && Self.waiting(&pair.phone) == nil)
        #expect(pair.phone.phase() == "active" && pair.headUnit.phase() == "active")
    }

    /// What was set while a session ran holds for the next one, also when the head unit begins it on the same link.
    @Test(arguments: PhoneMatrixTests.waits) func itHoldsForAHeadUnitThatBeginsAgain(_ row: Row) {
        var pair = WiredPair()
        pair.plug()
        pair.setPhone(row.change)
        #expect(pair.phone.phase() == "active")
        pair.restart()
        pair.pass(2 * Bench.second)
        #expect(Self.waiting(&pair.phone) == row.wait?.rawValue)
        // The same head unit begins again while it waits: the wait begins anew with it.
        pair.restart(seed: 4)
        pair.pass(2 * Bench.second)
        #expect(Self.waiting(&pair.phone) == row.wait?.rawValue)
        #expect(pair.phone.state().value(at: "sessions.0.id")?.text == "s2")
        pair.setPhone(row.undo)
        #expect(pair.phone.phase() == "active" && pair.headUnit.phase() == "active")
        #expect(pair.phone.events(.sessionClosed).count == 1)
    }
}
