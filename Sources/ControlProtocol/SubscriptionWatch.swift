/// What both sides asked each other for, to tell updates that nobody asked for, and stops of what was not started.
///
/// Nothing is kept back for it: a scenario may send what no real device would.
struct SubscriptionWatch: Equatable, Sendable {
    /// What the other side wants of this one.
    private(set) var wanted = Subscriptions()
    /// What this side wants of the other.
    private(set) var asked = Subscriptions()

    /// Takes note of a message that is sent.
    mutating func sends(_ message: ControlMessage) { _ = asked.receive(message) }

    /// Takes note of a message that was received; gives what is odd about it.
    mutating func receives(_ message: ControlMessage) -> ControlIrregularity? {
        switch wanted.receive(message) {
        case .started, .changed, .stopped: return nil
        case .alreadyStopped(let subscription):
            return ControlIrregularity(
                .subscription, message: message.id, offset: 4, reaction: .keep,
                detail: "it stops what \(subscription.start) has not started")
        case .none:
            guard !asked.allows(message.id) else { return nil }
            return ControlIrregularity(
                .subscription, message: message.id, offset: 4, reaction: .keep, detail: "nobody asked for this update")
        }
    }
}
