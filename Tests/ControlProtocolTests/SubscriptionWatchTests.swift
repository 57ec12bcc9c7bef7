import Testing
import WireBytes

@testable import ControlProtocol

@Suite("Subscriptions of both sides")
struct SubscriptionWatchTests {
    private func said(_ odd: ControlIrregularity?) -> String? {
        odd.map { "\($0.rule.rawValue) \($0.reaction.rawValue)" }
    }

    @Test("an update is odd before it is asked for, and after it is stopped", arguments: Subscription.all)
    func unasked(subscription: Subscription) {
        var watch = SubscriptionWatch()
        for update in subscription.updates {
            #expect(said(watch.receives(ControlMessage(update))) == "subscription keep")
        }
        watch.sends(ControlMessage(subscription.start))
        for update in subscription.updates { #expect(watch.receives(ControlMessage(update)) == nil) }
        watch.sends(ControlMessage(subscription.stop))
        for update in subscription.updates {
            #expect(said(watch.receives(ControlMessage(update))) == "subscription keep")
        }
    }

    @Test("a stop is odd without a start, and a second start says anew what is wanted", arguments: Subscription.all)
    func unstarted(subscription: Subscription) {
        var watch = SubscriptionWatch()
        #expect(said(watch.receives(ControlMessage(subscription.stop))) == "subscription keep")
        #expect(watch.receives(ControlMessage(subscription.start)) == nil)
        #expect(watch.receives(ControlMessage(subscription.start)) == nil)
        #expect(watch.receives(ControlMessage(subscription.stop)) == nil)
        #expect(said(watch.receives(ControlMessage(subscription.stop))) == "subscription keep")
    }

    @Test("what this side asked for is nothing that the other did")
    func sides() {
        let subscription = Subscription.all[0]
        var watch = SubscriptionWatch()
        watch.sends(ControlMessage(subscription.start))
        #expect(said(watch.receives(ControlMessage(subscription.stop))) == "subscription keep")
        #expect(watch.receives(ControlMessage(subscription.updates[0])) == nil)
    }
}
