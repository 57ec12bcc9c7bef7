/// Updates that one side sends because the other asked for them: a start, what it brings, and a stop. [2+]
///
/// A start names what is wanted by empty parameters with the numbers of the update's; see `MessageField.asked`.
public struct Subscription: Hashable, Sendable {
    /// Asks for updates, or says anew which.
    public let start: MessageID
    /// What is sent then.
    public let updates: [MessageID]
    /// Wants no more of them.
    public let stop: MessageID

    private init(_ start: UInt16, _ updates: [UInt16], _ stop: UInt16) {
        self.start = MessageID(start)
        self.updates = updates.map { MessageID($0) }
        self.stop = MessageID(stop)
    }

    /// Every one that is known, by ascending number of its start.
    public static let all: [Subscription] = [
        Subscription(0x4154, [0x4155], 0x4156), Subscription(0x4157, [0x4158], 0x4159),
        Subscription(0x4C00, [0x4C01], 0x4C02), Subscription(0x4C03, [0x4C04], 0x4C05),
        Subscription(0x4E03, [0x4E04], 0x4E05), Subscription(0x5000, [0x5001], 0x5002),
        Subscription(0x5200, [0x5201, 0x5202, 0x5204], 0x5203), Subscription(0xA100, [0xA101], 0xA102),
        Subscription(0xAE00, [0xAE01], 0xAE02), Subscription(0xDA00, [0xDA01], 0xDA02),
        Subscription(0xFFFA, [0xFFFB], 0xFFFC),
    ]

    /// The messages of which a unit that lists the first must list the second: a phone refuses features that can be
    /// started and not stopped [C] (OCBM, "RequiredInfoMissing").
    static let startsAndStops: [(start: MessageID, stop: MessageID)] =
        all.map { ($0.start, $0.stop) } + [
            (MessageID(0x0B00), MessageID(0x0B03)), (.startHID, .stopHID),
            (.startExternalAccessorySession, .stopExternalAccessorySession),
        ]
}

/// Which updates the other side asked this one for, and of what in them. Pure bookkeeping: tell it every message that was
/// received, ask it before an update is sent.
public struct Subscriptions: Equatable, Sendable {
    /// What a message was to the bookkeeping.
    public enum Change: Equatable, Sendable {
        /// It is no start or stop.
        case none
        /// Updates are wanted now that were not before.
        case started(Subscription)
        /// They were wanted already; what of them is wanted is told anew.
        case changed(Subscription)
        /// They are wanted no more.
        case stopped(Subscription)
        /// They were not wanted: an oddity of the other side.
        case alreadyStopped(Subscription)
    }

    /// What was asked for, by place in `Subscription.all`; nil is not wanted.
    private var wanted: [ControlParameters?]

    /// Nothing is wanted.
    public init() { wanted = Array(repeating: nil, count: Subscription.all.count) }

    /// Takes note of a message from the other side.
    public mutating func receive(_ message: ControlMessage) -> Change {
        for (index, subscription) in Subscription.all.enumerated() {
            if message.id == subscription.start {
                let before = wanted[index]
                // Kept for the whole session, and the memory of what it came in is not.
                wanted[index] = ControlParameters(
                    encoded: Array(message.parameters.encoded)[...], offset: message.parameters.offset)
                return before == nil ? .started(subscription) : .changed(subscription)
            }
            if message.id == subscription.stop {
                guard wanted[index] != nil else { return .alreadyStopped(subscription) }
                wanted[index] = nil
                return .stopped(subscription)
            }
        }
        return .none
    }

    /// Everything that is wanted now.
    public var active: [Subscription] {
        Subscription.all.enumerated().filter { wanted[$0.offset] != nil }.map(\.element)
    }

    /// What the start that holds now asked for; nil where nothing is wanted.
    public func request(_ start: MessageID) -> ControlParameters? {
        Subscription.all.firstIndex { $0.start == start }.flatMap { wanted[$0] }
    }

    /// True when the message is no update of a subscription, or one that is wanted.
    public func allows(_ update: MessageID) -> Bool {
        guard let index = Subscription.all.firstIndex(where: { $0.updates.contains(update) }) else { return true }
        return wanted[index] != nil
    }

    /// The part of an update that is wanted: nil when it is not wanted at all, or nothing in it is. A start that names
    /// nothing wants everything. Guidance names displays instead of fields and is not cut.
    public func wantedPart(of update: ControlMessage) -> ControlMessage? {
        guard let index = Subscription.all.firstIndex(where: { $0.updates.contains(update.id) }) else { return update }
        guard let asked = wanted[index] else { return nil }
        guard MessageCatalogue.layout(of: Subscription.all[index].start)?.fields == Self.asked(of: update.id) else {
            return update
        }
        guard let part = Self.part(of: update.parameters, asked: asked, depth: 1) else { return update }
        return part.isEmpty && !update.parameters.isEmpty ? nil : ControlMessage(update.id, parameters: part)
    }

    private static func asked(of update: MessageID) -> [MessageField]? {
        MessageCatalogue.layout(of: update)?.fields.map(\.asked)
    }

    /// Nil when either cannot be read: then the update goes as it is.
    private static func part(
        of parameters: ControlParameters, asked: ControlParameters, depth: Int
    ) -> ControlParameters? {
        guard let wishes = try? asked.all(), let values = try? parameters.all() else { return nil }
        guard !wishes.isEmpty else { return parameters }
        var result = ControlParameters()
        for value in values {
            guard let wish = wishes.first(where: { $0.id == value.id }) else { continue }
            if wish.value.isEmpty || depth >= MessageCatalogue.maximumDepth {
                try? result.append(value.id, bytes: value.value)
            } else if let inner = part(of: value.group(), asked: wish.group(), depth: depth + 1), !inner.isEmpty {
                try? result.append(value.id, group: inner)
            }
        }
        return result
    }
}
