/// Turns the input reports of a device into what a person did, whatever the device's layout.
///
/// It keeps what the last reports said: buttons that are held, contacts, where a knob is pushed to. A value outside of its
/// field's range means nothing and changes nothing; a contact's place outside of it is cut to the edge. No report can trap
/// it, and what it keeps is bounded by its limits.
public struct HIDReportReader: Sendable {
    /// The most contacts at a time: ours; ten fingers.
    public static let maximumContacts = 10
    /// The most buttons of one report that can be held at a time: ours; the others are not looked at.
    public static let maximumHeld = 64

    /// What the reports are like.
    public let descriptor: HIDDescriptor

    private struct Tracked {
        var number: Int
        /// The device's number for it.
        var id: Int
        var x: Int
        var y: Int
    }

    private struct Report {
        var plan: HIDReportPlan
        var held: [HIDUsage] = []
        /// The last value of an absolute axis that turns; `nil` before the first.
        var position: Int?
    }

    /// One for each input report.
    private var reports: [Report]
    /// Of the contacts, the only report that has any; a second one is not looked at.
    private let touchReport: Int?
    /// Ascending by number.
    private var contacts: [Tracked] = []
    /// What has come of a frame that takes several reports, and how many contacts it still lacks.
    private var gathered: [Tracked] = []
    private var lifted: [Tracked] = []
    private var awaited = 0
    private var push = (x: 0, y: 0)
    /// The last frame that was told, whose memory the next one takes when nobody has it any more; and contacts on their
    /// way.
    private var frame: [HIDContact] = []
    private var next: [Tracked] = []

    /// A reader for a device of which nothing is held or touched.
    public init(_ descriptor: HIDDescriptor) {
        self.descriptor = descriptor
        let reports = descriptor.reports.filter { $0.kind == .input }
            .map { Report(plan: HIDReportPlan($0, of: descriptor)) }
        touchReport = reports.firstIndex { !$0.plan.slots.isEmpty }
        self.reports = reports
    }

    /// Takes one report, its number first where reports are numbered. `events` gets what was done: turns, then pushes,
    /// then touches, then buttons that came up, then those that went down.
    ///
    /// Throws when the report fits no layout; then nothing changes.
    public mutating func read(
        _ report: ArraySlice<UInt8>, into events: inout [HIDReportEvent]
    ) throws(HIDReportError) {
        let layout = try descriptor.inputReport(for: report)
        guard let index = reports.firstIndex(where: { $0.plan.layout.id == layout.id }) else {
            throw .unknownReport(layout.id)
        }
        turn(index, report, &events)
        push(index, report, &events)
        if index == touchReport { touch(reports[index].plan, report, &events) }
        hold(index, reports[index].plan.held(in: report), &events)
    }

    /// The device is gone or starts anew: what is held or touched is let go.
    public mutating func end(into events: inout [HIDReportEvent]) {
        finishPush(0, 0, &events)
        forgetGathered()
        finishFrame(&events)
        for index in reports.indices {
            hold(index, [], &events)
            reports[index].position = nil
        }
    }

    // MARK: Knobs

    private mutating func turn(
        _ index: Int, _ report: ArraySlice<UInt8>, _ events: inout [HIDReportEvent]
    ) {
        guard let axis = reports[index].plan.rotation, let value = axis.value(in: report), axis.field.holds(value)
        else { return }
        var change = value
        if !axis.field.isRelative {
            let last = reports[index].position
            reports[index].position = value
            guard let last else { return }
            // An absolute dial goes on at the other end: the shorter way round is the one that was turned.
            let turn = axis.field.logicalMaximum - axis.field.logicalMinimum + 1
            change = value - last
            if change > turn / 2 { change -= turn }
            if change < -(turn / 2) { change += turn }
        }
        if change != 0 { events.append(.rotated(change)) }
    }

    private mutating func push(
        _ index: Int, _ report: ArraySlice<UInt8>, _ events: inout [HIDReportEvent]
    ) {
        func thousandths(_ axis: HIDReportPlan.Element) -> Int? {
            guard let value = axis.value(in: report), axis.field.holds(value) else { return nil }
            let range = axis.field.logicalMaximum - axis.field.logicalMinimum
            guard range > 0 else { return 0 }
            // Twice the way from the middle, which may lie between two values.
            return (2 * value - axis.field.logicalMinimum - axis.field.logicalMaximum) * 1_000 / range
        }
        guard let x = reports[index].plan.pushX, let y = reports[index].plan.pushY else { return }
        finishPush(thousandths(x) ?? push.x, thousandths(y) ?? push.y, &events)
    }

    private mutating func finishPush(_ x: Int, _ y: Int, _ events: inout [HIDReportEvent]) {
        guard push != (x, y) else { return }
        push = (x, y)
        events.append(.pushed(x: x, y: y))
    }

    // MARK: Contacts

    /// Gathers a frame. Without a contact count each report is one. With it, the count stands in a frame's first report
    /// and 0 in those that follow, until as many contacts have come ("hybrid mode" of touch devices).
    private mutating func touch(
        _ plan: HIDReportPlan, _ report: ArraySlice<UInt8>, _ events: inout [HIDReportEvent]
    ) {
        var present = plan.slots.count
        if let count = plan.contactCount?.value(in: report) {
            if count > 0 || awaited == 0 {
                forgetGathered()
                awaited = min(max(count, 0), Self.maximumContacts)
            }
            present = min(present, awaited)
            awaited -= present
        } else {
            forgetGathered()
        }
        for (index, slot) in plan.slots.prefix(present).enumerated() {
            let id = slot.id?.value(in: report) ?? index
            let contact = Tracked(number: 0, id: id, x: Self.place(slot.x, report), y: Self.place(slot.y, report))
            if slot.tip.value(in: report) ?? 0 == 0 {
                // Where it was lifted. Devices that do not say so send zeros.
                if contact.x != 0 || contact.y != 0 { lifted.append(contact) }
            } else if !gathered.contains(where: { $0.id == id }), gathered.count < Self.maximumContacts {
                gathered.append(contact)
            }
        }
        if awaited == 0 { finishFrame(&events) }
    }

    private static func place(_ axis: HIDReportPlan.Element, _ report: ArraySlice<UInt8>) -> Int {
        let field = axis.field
        guard let value = axis.value(in: report) else { return 0 }
        return HIDContact.scale(
            min(max(value, field.logicalMinimum), field.logicalMaximum) - field.logicalMinimum,
            from: field.logicalMaximum - field.logicalMinimum, to: HIDContact.full)
    }

    /// Compares what was gathered with what was there. A contact that is missing was lifted.
    private mutating func finishFrame(_ events: inout [HIDReportEvent]) {
        frame.removeAll(keepingCapacity: true)
        next.removeAll(keepingCapacity: true)
        for contact in contacts {
            if let now = gathered.first(where: { $0.id == contact.id }) {
                let moved = now.x != contact.x || now.y != contact.y
                frame.append(
                    HIDContact(number: contact.number, phase: moved ? .moved : .still, x: now.x, y: now.y))
                next.append(Tracked(number: contact.number, id: contact.id, x: now.x, y: now.y))
            } else {
                let end = lifted.first { $0.id == contact.id } ?? contact
                frame.append(HIDContact(number: contact.number, phase: .up, x: end.x, y: end.y))
            }
        }
        for new in gathered where !contacts.contains(where: { $0.id == new.id }) {
            // A number is not used again in the frame that frees it.
            guard let number = freeNumber(preferring: new.id) else { continue }
            frame.append(HIDContact(number: number, phase: .down, x: new.x, y: new.y))
            next.append(Tracked(number: number, id: new.id, x: new.x, y: new.y))
        }
        forgetGathered()
        next.sort { $0.number < $1.number }
        swap(&contacts, &next)
        guard frame.contains(where: { $0.phase != .still }) else { return }
        frame.sort { $0.number < $1.number }
        events.append(.contacts(frame))
    }

    private mutating func forgetGathered() {
        gathered.removeAll(keepingCapacity: true)
        lifted.removeAll(keepingCapacity: true)
        awaited = 0
    }

    /// A number that no contact of the frame has.
    private func freeNumber(preferring id: Int) -> Int? {
        func isFree(_ number: Int) -> Bool { !frame.contains { $0.number == number } }
        let numbers = 0..<Self.maximumContacts
        if numbers.contains(id), isFree(id) { return id }
        return numbers.first(where: isFree)
    }

    // MARK: Buttons

    private mutating func hold(_ index: Int, _ held: [HIDUsage], _ events: inout [HIDReportEvent]) {
        let before = reports[index].held
        guard held != before else { return }
        reports[index].held = held
        for usage in before where !held.contains(usage) { events.append(.button(usage, isDown: false)) }
        for usage in held where !before.contains(usage) { events.append(.button(usage, isDown: true)) }
    }
}
