import ControlProtocol
import RigModel

extension Reason {
    /// Whether this is why a handshake failed, a phone's conditions can have caused it, and after a change of them they
    /// cannot any more: then it is worth another try. A condition that was in nobody's way changes nothing.
    func isRemoved(from before: RigModel.PhoneConditions, to after: RigModel.PhoneConditions) -> Bool {
        if Self.timeouts.contains(code) {
            let refusesSession = before.refuse == .session && after.refuse != .session
            return refusesSession || after.isReadier(than: before) || after.isQuicker(than: before)
                || after.isOrderly(after: before)
        }
        // What comes in the wrong order is not expected, or makes the rest so.
        if Self.disorders.contains(code) { return after.isOrderly(after: before) }
        let steps = Self.refusals.first { $0.codes.contains(code) }?.steps ?? []
        guard let refused = before.refuse, steps.contains(refused) else { return false }
        return after.refuse.map { !steps.contains($0) } ?? true
    }

    private static let timeouts = Set(ControlStep.allCases.map { Reason(.stepTimedOut($0)).code })

    private static let disorders = codes(.unexpectedMessage(.startIdentification, during: nil))

    /// The refusals by name: as a head unit meets them, and as a phone tells of its own.
    private static let refusals: [(codes: Set<String>, steps: [HandshakeStep])] = [
        (
            codes(.authenticationRefused, .setToRefuse(.certificate), .setToRefuse(.signature)),
            [.authentication, .signature, .certificate]
        ),
        (
            codes(
                .identificationRefused(parameters: []), .identificationUnacceptable(parameters: [], attempts: 1),
                .setToRefuse(.identification)),
            [.identification]
        ),
        (codes(.trustRefused(by: .peer), .setToRefuse(.trust)), [.trust]),
        (codes(.setToRefuse(.session)), [.session]),
    ]

    private static func codes(_ failures: ControlFailure...) -> Set<String> { Set(failures.map { Reason($0).code }) }
}

extension RigModel.PhoneConditions {
    /// Whether something that made it wait does so no more, or not for as long.
    fileprivate func isReadier(than before: Self) -> Bool {
        (before.locked && !locked) || (!before.carPlay && carPlay) || (!before.trusted && trusted)
            || (!trusted && trustAfter ?? .max < before.trustAfter ?? .max)
    }

    /// Whether one of its answers comes earlier.
    fileprivate func isQuicker(than before: Self) -> Bool {
        slow < before.slow || RigModel.PhoneAnswer.allCases.contains { delays[$0] < before.delays[$0] }
    }

    /// Whether it does something in the wrong order no more.
    fileprivate func isOrderly(after before: Self) -> Bool { before.misorder != nil && misorder != before.misorder }
}
