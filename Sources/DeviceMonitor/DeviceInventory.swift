/// Knows which devices are there: turns uevents, enumerations and looks at sysfs into a stream in which every plug is
/// added once and removed once. Pure: no clock, no libudev, no file.
///
/// The table is keyed by syspath and matched by what was saved in it, so a remove needs nothing from sysfs. Whatever
/// the order of events and listings, a plug is known by its numbers: an event of another plug at the same syspath is
/// either stale, and ignored, or means that the old one is gone.
public struct DeviceInventory: Sendable {
    /// Where one plug stands.
    private enum State: Equatable, Sendable {
        /// Its attributes are being read; `again` when an event came meanwhile. Awaited: `probed`.
        /// Exits: waiting, settled, stuck, probing.
        case probing(ProbeID, again: Bool)
        /// It lacks something. Awaited: an event, or `retryAt` where there is one. Exits: probing.
        case waiting(retryAt: UInt64?)
        /// It was read whole, and reported unless its owner ignores it. Awaited: an event. Exits: probing.
        case settled
        /// Reading it did not return. Awaited: its removal. Exits: none.
        case stuck
    }

    /// Where the listing of all devices stands.
    private enum Listing: Equatable, Sendable {
        /// Nothing was asked for. Exits: running (`start`).
        case idle
        /// A listing is being made; what was removed meanwhile may still be in it. `again` when events were lost
        /// meanwhile. Awaited: `enumerated`, `enumerationFailed`. Exits: done, resting, running.
        case running(ResynchronizationReason?, removed: [DeviceSighting], again: ResynchronizationReason?)
        /// The table follows the events. Exits: running, resting (`eventsLost`).
        case done(at: UInt64)
        /// A listing failed, or the last one was a moment ago; the next comes at `until`. Exits: running.
        case resting(until: UInt64, ResynchronizationReason?)
    }

    /// One plug.
    private struct Entry: Sendable {
        let instance: UInt64
        var sighting: DeviceSighting
        var state: State
        /// As it was last reported, or `nil` when the owner does not know of it.
        var reported: DeviceSnapshot?
        /// Since when it is looked at without success.
        var since: UInt64
        var attempt = 0
        var missing: [MissingPart] = []
        var toldIncomplete = false
        /// Since when its syspath is away.
        var goneSince: UInt64?
        /// The number of the listing that was running or done when an event or a listing last mentioned it.
        var mentioned: UInt64
    }

    private let settings: InventorySettings
    private var relevance: @Sendable (DeviceSnapshot) -> DeviceRelevance
    /// Sorted by syspath.
    private var entries: [Entry] = []
    private var listing = Listing.idle
    private var listingNumber: UInt64 = 0
    private var failedListings = 0
    private var wasEnumerated = false
    private var lastInstance: UInt64 = 0
    private var lastProbe: UInt64 = 0

    /// The most removals that are remembered during one listing; older ones are forgotten, and the monitor's own order
    /// of events then sets the table right.
    private static let maximumRemembered = 4_096

    /// An empty inventory. `relevance` is asked whenever a device's description was read.
    public init(
        settings: InventorySettings = InventorySettings(),
        relevance: @escaping @Sendable (DeviceSnapshot) -> DeviceRelevance
    ) {
        self.settings = settings
        self.relevance = relevance
    }

    // MARK: Listings

    /// Judges devices by other rules from now on: the configuration was read again. Everything is listed and looked at
    /// once more; what was reported stays reported.
    public mutating func judge(
        by relevance: @escaping @Sendable (DeviceSnapshot) -> DeviceRelevance, now: UInt64,
        into actions: inout [InventoryAction]
    ) {
        self.relevance = relevance
        eventsLost(.requested, now: now, into: &actions)
    }

    /// The monitor is open: list what is there. A programmer's error when called twice.
    public mutating func start(into actions: inout [InventoryAction]) {
        precondition(listing == .idle, "DeviceInventory.start was called twice")
        beginListing(nil, into: &actions)
    }

    /// Events were lost, or the owner wants everything read again.
    public mutating func eventsLost(
        _ reason: ResynchronizationReason, now: UInt64, into actions: inout [InventoryAction]
    ) {
        switch listing {
        case .idle:
            break
        case .running(let current, let removed, _):
            listing = .running(current, removed: removed, again: reason)
        case .done(let last):
            let earliest = after(last, settings.rescanInterval)
            if now >= earliest {
                beginListing(reason, into: &actions)
            } else {
                listing = .resting(until: earliest, reason)
            }
        case .resting(let until, let earlier):
            listing = .resting(until: until, earlier ?? reason)
        }
    }

    /// The listing is made: everything that was there, in any order.
    public mutating func enumerated(
        _ sightings: [DeviceSighting], now: UInt64, into actions: inout [InventoryAction]
    ) {
        guard case .running(let reason, let removed, let again) = listing else { return }
        failedListings = 0
        listing = .done(at: now)
        if let reason { actions.append(.report(.resynchronized(reason))) }
        var listed: Set<String> = []
        for sighting in sightings where sighting.category != .usbInterface {
            listed.insert(sighting.syspath)
            let wasRemoved = removed.contains {
                $0.syspath == sighting.syspath && $0.identity.matches(sighting.identity)
            }
            if !wasRemoved { mention(sighting, fromListing: true, now: now, into: &actions) }
        }
        for entry in entries where !listed.contains(entry.sighting.syspath) && entry.mentioned < listingNumber {
            if let index = find(entry.sighting.syspath) { remove(index, .vanished, into: &actions) }
        }
        if !wasEnumerated {
            wasEnumerated = true
            actions.append(.report(.enumerated))
        }
        if let again { eventsLost(again, now: now, into: &actions) }
    }

    /// The listing could not be made, or the monitor could not be opened again; it is tried again by itself.
    public mutating func enumerationFailed(now: UInt64) {
        guard case .running(let reason, _, let again) = listing else { return }
        let wait = backoff(failedListings, from: settings.rescanInterval)
        failedListings = min(failedListings + 1, 63)
        listing = .resting(until: after(now, wait), reason ?? again)
    }

    // MARK: Events

    /// A uevent came. Events of interfaces are taken as a hint that their device has changed.
    public mutating func received(
        _ action: UeventAction, _ sighting: DeviceSighting, now: UInt64, into actions: inout [InventoryAction]
    ) {
        if sighting.category == .usbInterface {
            interfaceEvent(action, sighting, now: now, into: &actions)
            return
        }
        switch action {
        case .add, .change:
            mention(sighting, fromListing: false, now: now, into: &actions)
        case .bind:
            mention(sighting, fromListing: false, now: now, into: &actions) { .bound($0) }
        case .unbind:
            // Nothing is made of an unbind alone: the remove that mostly follows would have to undo it at once.
            if let index = find(sighting.syspath), entries[index].sighting.identity.matches(sighting.identity) {
                mention(sighting, fromListing: false, now: now, into: &actions) { .unbound($0) }
            }
        case .remove:
            if case .running(let reason, var removed, let again) = listing {
                if removed.count >= Self.maximumRemembered { removed.removeFirst() }
                removed.append(sighting)
                listing = .running(reason, removed: removed, again: again)
            }
            // The removal of an earlier plug can come late, behind a listing that has seen the next one.
            if let index = find(sighting.syspath), entries[index].sighting.identity.matches(sighting.identity) {
                remove(index, .removed, into: &actions)
            }
        }
    }

    /// A look at a device's attributes has ended. An answer that nobody waits for any more is ignored.
    public mutating func probed(
        _ id: ProbeID, _ outcome: ProbeOutcome, now: UInt64, into actions: inout [InventoryAction]
    ) {
        guard let (index, again) = awaiting(id) else { return }
        switch outcome {
        case .read(let reading):
            entries[index].goneSince = nil
            judge(index, reading, now: now, into: &actions)
        case .gone:
            let since = entries[index].goneSince ?? now
            entries[index].goneSince = since
            if !again && now >= after(since, settings.vanishedAfter) {
                remove(index, .vanished, into: &actions)
                return
            }
            wait(index, nil, now: now, into: &actions)
        case .refused:
            wait(index, nil, now: now, into: &actions)
        case .abandoned:
            markStuck(index, into: &actions)
            return
        }
        if again { lookAgain(index, now: now, into: &actions) }
    }

    // MARK: Time

    /// When `deadlineReached` wants to be called, or `nil` while only an event can change anything.
    public var nextDeadline: UInt64? {
        var earliest: UInt64?
        if case .resting(let until, _) = listing { earliest = until }
        for entry in entries {
            if case .waiting(let retryAt?) = entry.state { earliest = min(earliest ?? .max, retryAt) }
        }
        return earliest
    }

    /// Does what is due. Harmless when nothing is.
    public mutating func deadlineReached(now: UInt64, into actions: inout [InventoryAction]) {
        if case .resting(let until, let reason) = listing, until <= now { beginListing(reason, into: &actions) }
        for index in entries.indices {
            if case .waiting(let retryAt?) = entries[index].state, retryAt <= now {
                probe(index, into: &actions)
            }
        }
    }

    // MARK: What is known

    /// The devices that are not reported because something is missing, by syspath.
    public var pending: [PendingDevice] {
        entries.compactMap { entry in
            switch entry.state {
            case .probing, .waiting:
                entry.reported == nil
                    ? PendingDevice(syspath: entry.sighting.syspath, missing: entry.missing, since: entry.since) : nil
            case .settled, .stuck: nil
            }
        }
    }

    /// The devices that were reported and are not gone, by syspath.
    public var reported: [DeviceSnapshot] { entries.compactMap(\.reported) }

    // MARK: Parts

    private mutating func beginListing(_ reason: ResynchronizationReason?, into actions: inout [InventoryAction]) {
        listingNumber += 1
        listing = .running(reason, removed: [], again: nil)
        actions.append(.enumerate(reason))
    }

    private mutating func interfaceEvent(
        _ action: UeventAction, _ sighting: DeviceSighting, now: UInt64, into actions: inout [InventoryAction]
    ) {
        switch action {
        case .add, .change, .bind:
            guard let slash = sighting.syspath.utf8.lastIndex(of: UInt8(ascii: "/")),
                let index = find(sighting.syspath[..<slash])
            else { return }
            lookAgain(index, now: now, into: &actions)
        case .unbind, .remove:
            // They come with every unplug and with every new configuration; the adds of the latter tell enough.
            break
        }
    }

    /// Takes a device into the table or brings its entry up to date, then looks at it.
    private mutating func mention(
        _ sighting: DeviceSighting, fromListing: Bool, now: UInt64, into actions: inout [InventoryAction],
        telling change: ((DeviceSnapshot) -> DeviceChange)? = nil
    ) {
        guard let index = find(sighting.syspath) else {
            insert(sighting, now: now, into: &actions)
            return
        }
        let earlier = entries[index].sighting
        let known = earlier.identity
        if !known.matches(sighting.identity) {
            // A listing can be older than an event that came while it was made; the event's successors say the rest.
            if sighting.identity.isOlder(than: known) || fromListing && entries[index].mentioned == listingNumber {
                return
            }
            remove(index, .replaced, into: &actions)
            insert(sighting, now: now, into: &actions)
            return
        }
        entries[index].mentioned = listingNumber
        entries[index].sighting = sighting.filled(from: earlier)
        if let change, var snapshot = entries[index].reported, entries[index].state != .stuck {
            snapshot.properties = sighting.properties
            snapshot.identity = entries[index].sighting.identity
            entries[index].reported = snapshot
            actions.append(.report(change(snapshot)))
        }
        lookAgain(index, now: now, into: &actions)
    }

    private mutating func insert(_ sighting: DeviceSighting, now: UInt64, into actions: inout [InventoryAction]) {
        lastInstance += 1
        lastProbe += 1
        let id = ProbeID(number: lastProbe)
        let entry = Entry(
            instance: lastInstance, sighting: sighting, state: .probing(id, again: false), since: now,
            mentioned: listingNumber)
        entries.insert(entry, at: position(of: sighting.syspath))
        actions.append(.probe(ProbeRequest(id: id, instance: lastInstance, sighting: sighting)))
    }

    private mutating func remove(_ index: Int, _ cause: RemovalCause, into actions: inout [InventoryAction]) {
        let entry = entries.remove(at: index)
        if let snapshot = entry.reported { actions.append(.report(.removed(snapshot, cause))) }
    }

    private mutating func probe(_ index: Int, into actions: inout [InventoryAction]) {
        lastProbe += 1
        let id = ProbeID(number: lastProbe)
        entries[index].state = .probing(id, again: false)
        let entry = entries[index]
        actions.append(.probe(ProbeRequest(id: id, instance: entry.instance, sighting: entry.sighting)))
    }

    private mutating func lookAgain(_ index: Int, now: UInt64, into actions: inout [InventoryAction]) {
        switch entries[index].state {
        case .probing(let id, _):
            entries[index].state = .probing(id, again: true)
        case .waiting(let retryAt):
            entries[index].attempt = 0
            if retryAt == nil { entries[index].since = now }
            probe(index, into: &actions)
        case .settled:
            entries[index].attempt = 0
            entries[index].since = now
            probe(index, into: &actions)
        case .stuck:
            break
        }
    }

    /// Decides what a reading makes of a device.
    private mutating func judge(
        _ index: Int, _ reading: ProbeReading, now: UInt64, into actions: inout [InventoryAction]
    ) {
        let snapshot = snapshot(index, reading)
        var missing = reading.missing
        let classifiable = !missing.contains { part in
            switch part {
            case .identifiers, .descriptors, .capabilities: true
            case .node, .access, .configuration: false
            }
        }
        let wanted = classifiable ? relevance(snapshot) : .reportedWhenAccessible
        if now >= after(entries[index].since, settings.configurationGrace) {
            missing.removeAll { $0 == .configuration }
        }
        // What was reported once is not taken back when its permissions change.
        if wanted == .reported || entries[index].reported != nil { missing.removeAll { $0 == .access } }
        if wanted == .ignored { missing = [] }
        entries[index].missing = missing
        guard missing.isEmpty else {
            wait(index, snapshot, now: now, into: &actions)
            return
        }
        entries[index].state = .settled
        entries[index].attempt = 0
        if let before = entries[index].reported {
            entries[index].reported = snapshot
            if before != snapshot { actions.append(.report(.changed(snapshot))) }
        } else if wanted != .ignored {
            entries[index].reported = snapshot
            actions.append(.report(.added(snapshot)))
        }
    }

    private mutating func wait(
        _ index: Int, _ snapshot: DeviceSnapshot?, now: UInt64, into actions: inout [InventoryAction]
    ) {
        let since = entries[index].since
        var retryAt: UInt64? = after(now, backoff(entries[index].attempt, from: settings.firstRetry))
        entries[index].attempt = min(entries[index].attempt + 1, 63)
        if entries[index].missing == [.configuration] {
            retryAt = min(retryAt ?? .max, max(after(since, settings.configurationGrace), now))
        }
        if now >= after(since, settings.giveUpAfter) { retryAt = nil }
        entries[index].state = .waiting(retryAt: retryAt)
        if let snapshot, !entries[index].toldIncomplete, entries[index].reported == nil,
            now >= after(since, settings.tellIncompleteAfter)
        {
            entries[index].toldIncomplete = true
            actions.append(.report(.incomplete(snapshot, entries[index].missing)))
        }
    }

    private mutating func markStuck(_ index: Int, into actions: inout [InventoryAction]) {
        entries[index].state = .stuck
        let snapshot = entries[index].reported ?? snapshot(index, ProbeReading(of: entries[index].sighting))
        if entries[index].reported == nil && relevance(snapshot) == .ignored { return }
        entries[index].reported = snapshot
        actions.append(.report(.stuck(snapshot)))
    }

    private func snapshot(_ index: Int, _ reading: ProbeReading) -> DeviceSnapshot {
        let entry = entries[index]
        return DeviceSnapshot(
            instance: entry.instance, category: entry.sighting.category, syspath: entry.sighting.syspath,
            node: entry.sighting.node, access: reading.access, identity: entry.sighting.identity,
            properties: entry.sighting.properties, usb: reading.usb, input: reading.input)
    }

    private func backoff(_ attempt: Int, from first: UInt64) -> UInt64 {
        let doubled = first.multipliedReportingOverflow(by: 1 << UInt64(min(attempt, 32)))
        return doubled.overflow ? settings.longestRetry : min(doubled.partialValue, settings.longestRetry)
    }

    private func after(_ time: UInt64, _ wait: UInt64) -> UInt64 {
        let sum = time.addingReportingOverflow(wait)
        return sum.overflow ? .max : sum.partialValue
    }

    private func awaiting(_ id: ProbeID) -> (index: Int, again: Bool)? {
        for index in entries.indices {
            if case .probing(id, let again) = entries[index].state { return (index, again) }
        }
        return nil
    }

    private func find(_ syspath: some StringProtocol) -> Int? {
        let index = position(of: syspath)
        return index < entries.count && entries[index].sighting.syspath == syspath ? index : nil
    }

    private func position(of syspath: some StringProtocol) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].sighting.syspath < syspath { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
