import RigModel
import Testing

@testable import RigCore

/// The events that gestures are made of, and when each is due.
@Suite struct GesturePlanTests {
    static let millisecond: UInt64 = 1_000_000
    static let longPress: UInt64 = 500 * millisecond

    private func plan(_ gesture: Gesture) -> GesturePlan { GesturePlan(gesture, longPress: Self.longPress) }

    private func whole(_ gesture: Gesture) -> [(event: InputEvent, offset: UInt64)] {
        let plan = plan(gesture)
        return (0..<plan.count).map { (plan.event($0), plan.offset($0)) }
    }

    @Test(arguments: [Int32(1), -1, 7, -1_000, 1_000]) func aTurnAtOnceIsOneEvent(detents: Int32) {
        let all = whole(.rotate(detents: detents, interval: 0))
        #expect(all.map(\.event) == [.knob(.rotate(detents: detents))])
        #expect(all.map(\.offset) == [0])
    }

    @Test(arguments: [Int32(3), -3]) func aSpacedTurnIsOneEventForEachDetent(detents: Int32) {
        let all = whole(.rotate(detents: detents, interval: 80 * Self.millisecond))
        #expect(all.map(\.event) == Array(repeating: .knob(.rotate(detents: detents.signum())), count: 3))
        #expect(all.map(\.offset) == [0, 80, 160].map { $0 * Self.millisecond })
    }

    @Test func theLongestTurnDoesNotOverflow() {
        let plan = plan(.rotate(detents: -1_000, interval: Gesture.maximumDuration))
        #expect(plan.count == 1_000)
        #expect(plan.offset(999) == 999 * Gesture.maximumDuration)
    }

    @Test(arguments: [(UInt64(0), false), (80, false), (499, false), (500, true), (501, true), (60_000, true)])
    func aPressIsLongFromTheThresholdOn(milliseconds: UInt64, long: Bool) {
        let hold = milliseconds * Self.millisecond
        let all = whole(.press(hold: hold))
        #expect(all.map(\.event) == [.knob(.pressed), .knob(.released(held: hold, long: long))])
        #expect(all.map(\.offset) == [0, hold])
    }

    @Test func aNanosecondBelowTheThresholdIsShort() {
        #expect(
            plan(.press(hold: Self.longPress - 1)).event(1) == .knob(.released(held: Self.longPress - 1, long: false)))
        #expect(plan(.press(hold: Self.longPress)).event(1) == .knob(.released(held: Self.longPress, long: true)))
    }

    @Test(arguments: NudgeDirection.allCases) func aNudgeGoesThereAndBack(direction: NudgeDirection) {
        let all = whole(.nudge(direction, hold: 5))
        #expect(all.map(\.event) == [.knob(.nudge(direction, down: true)), .knob(.nudge(direction, down: false))])
        #expect(all.map(\.offset) == [0, 5])
    }

    @Test(arguments: Key.allCases) func aKeyGoesDownAndUp(key: Key) {
        let all = whole(.key(key, hold: 9))
        #expect(all.map(\.event) == [.key(KeyEvent(key: key, down: true)), .key(KeyEvent(key: key, down: false))])
        #expect(all.map(\.offset) == [0, 9])
    }

    private func contact(_ id: Int, _ x: Int, _ y: Int, _ phase: ContactPhase) -> Contact {
        Contact(id: id, point: PixelPoint(x: x, y: y), phase: phase)
    }

    private func frame(_ contacts: Contact...) -> InputEvent { .touch(TouchEvent(contacts: contacts)) }

    @Test func aTapIsDownAndUpAtOnePlace() {
        let path = ContactPath(id: 3, points: [PixelPoint(x: 10, y: 20)])
        let all = whole(.touch([path], duration: 60 * Self.millisecond))
        #expect(all.map(\.event) == [frame(contact(3, 10, 20, .began)), frame(contact(3, 10, 20, .ended))])
        #expect(all.map(\.offset) == [0, 60 * Self.millisecond])
    }

    @Test func aSwipeMovesAtSixtyFramesASecond() {
        let path = ContactPath(id: 0, points: [PixelPoint(x: 0, y: 100), PixelPoint(x: 300, y: 40)])
        let all = whole(.touch([path], duration: 100 * Self.millisecond))
        // 100 ms hold five whole frames of 16.67 ms behind the first, then comes the lift.
        #expect(
            all.map(\.event) == [
                frame(contact(0, 0, 100, .began)), frame(contact(0, 50, 90, .moved)),
                frame(contact(0, 100, 80, .moved)), frame(contact(0, 150, 70, .moved)),
                frame(contact(0, 200, 60, .moved)), frame(contact(0, 250, 50, .moved)),
                frame(contact(0, 300, 40, .ended)),
            ])
        #expect(
            all.map(\.offset) == [0, 16_666_667, 33_333_334, 50_000_001, 66_666_668, 83_333_335, 100_000_000])
    }

    @Test func aSwipeOfNoTimeIsDownAtItsBeginningAndUpAtItsEnd() {
        let path = ContactPath(id: 0, points: [PixelPoint(x: 1, y: 2), PixelPoint(x: 3, y: 4)])
        let all = whole(.touch([path], duration: 0))
        #expect(all.map(\.event) == [frame(contact(0, 1, 2, .began)), frame(contact(0, 3, 4, .ended))])
        #expect(all.map(\.offset) == [0, 0])
    }

    @Test func aSwipeOfExactlyOneFrameHasAMoveAndALift() {
        let path = ContactPath(id: 0, points: [PixelPoint(x: 0, y: 0), PixelPoint(x: 10, y: 0)])
        let whole = GesturePlan(.touch([path], duration: GesturePlan.frameInterval), longPress: 0)
        #expect(whole.count == 3)
        #expect(whole.offset(1) == GesturePlan.frameInterval)
        #expect(whole.offset(2) == GesturePlan.frameInterval)
        let less = GesturePlan(.touch([path], duration: GesturePlan.frameInterval - 1), longPress: 0)
        #expect(less.count == 2)
    }

    @Test func anAngleTakesTheSameTimeOnEachOfItsStretches() {
        let points = [PixelPoint(x: 0, y: 0), PixelPoint(x: 100, y: 0), PixelPoint(x: 100, y: 10)]
        let plan = plan(.touch([ContactPath(id: 0, points: points)], duration: 200 * Self.millisecond))
        #expect(plan.count == 13)
        let places = (0..<13).compactMap { index -> PixelPoint? in
            if case .touch(let touch) = plan.event(index) { touch.contacts[0].point } else { nil }
        }
        #expect(places.first == points[0])
        #expect(places[3] == PixelPoint(x: 50, y: 0))
        #expect(places[6] == points[1], "the corner at half of the time")
        #expect(places[9] == PixelPoint(x: 100, y: 5))
        #expect(places.last == points[2])
    }

    @Test func aFingerThatRestsIsStationaryWhileAnotherMoves() {
        let moving = ContactPath(id: 1, points: [PixelPoint(x: 0, y: 0), PixelPoint(x: 20, y: 0)])
        let resting = ContactPath(id: 0, points: [PixelPoint(x: 5, y: 5)])
        let all = whole(.touch([resting, moving], duration: 34 * Self.millisecond))
        #expect(
            all.map(\.event) == [
                frame(contact(0, 5, 5, .began), contact(1, 0, 0, .began)),
                frame(contact(0, 5, 5, .stationary), contact(1, 6, 0, .moved)),
                frame(contact(0, 5, 5, .stationary), contact(1, 13, 0, .moved)),
                frame(contact(0, 5, 5, .ended), contact(1, 20, 0, .ended)),
            ])
    }

    @Test func theContactsOfAFrameStandInTheOrderOfTheirIDs() {
        let paths = [4, 0, 9].map { ContactPath(id: $0, points: [PixelPoint(x: $0, y: $0)]) }
        guard case .touch(let touch) = plan(.touch(paths, duration: 0)).event(0) else {
            Issue.record("it is a touch")
            return
        }
        #expect(touch.contacts.map(\.id) == [0, 4, 9])
        let pads = [4, 0, 9].map { ContactPath(id: $0, points: [PadPoint(x: $0, y: $0)]) }
        guard case .touchpad(let pad) = plan(.touchpad(pads, duration: 0)).event(0) else {
            Issue.record("it is a touchpad")
            return
        }
        #expect(pad.contacts.map(\.id) == [0, 4, 9])
    }

    @Test func aTouchpadIsMovedLikeATouchscreen() {
        let path = ContactPath(id: 2, points: [PadPoint(x: 0, y: 10_000), PadPoint(x: 10_000, y: 0)])
        let all = whole(.touchpad([path], duration: 34 * Self.millisecond))
        func frame(_ x: Int, _ y: Int, _ phase: ContactPhase) -> InputEvent {
            .touchpad(TouchpadEvent(contacts: [PadContact(id: 2, point: PadPoint(x: x, y: y), phase: phase)]))
        }
        #expect(
            all.map(\.event) == [
                frame(0, 10_000, .began), frame(3_333, 6_667, .moved), frame(6_666, 3_334, .moved),
                frame(10_000, 0, .ended),
            ])
        #expect(all.map(\.offset) == [0, 16_666_667, 33_333_334, 34_000_000])
    }

    @Test func theLongestGestureIsComputedEventByEvent() {
        let points = (0..<Gesture.maximumPoints).map { PixelPoint(x: $0 % 2 == 0 ? 0 : 16_383, y: $0 * 260) }
        let paths = (0..<Gesture.maximumContacts).map { ContactPath(id: $0, points: points) }
        let plan = plan(.touch(paths, duration: Gesture.maximumDuration))
        #expect(plan.count == 3_601)
        var last: UInt64 = 0
        for index in 0..<plan.count {
            #expect(plan.offset(index) >= last)
            last = plan.offset(index)
            guard index % 97 == 0 || index == plan.count - 1 else { continue }
            guard case .touch(let touch) = plan.event(index) else { continue }
            #expect(
                touch.contacts.allSatisfy { (0...16_383).contains($0.point.x) && (0...16_380).contains($0.point.y) })
        }
        #expect(last == Gesture.maximumDuration)
    }
}
