/// What a reader looks for in one input report, found once.
struct HIDReportPlan: Sendable {
    /// One element of a variable field.
    struct Element: Sendable {
        var field: HIDField
        var element: Int

        func value(in report: ArraySlice<UInt8>) -> Int? { field.value(element, in: report) }
    }

    /// The elements that make up one finger.
    struct Slot: Sendable {
        var tip: Element
        var x: Element
        var y: Element
        /// The finger's number; without one, the slot's place stands for it.
        var id: Element?
    }

    let layout: HIDReportLayout
    /// The axis that turns: a dial before a wheel, as one device may report both and turns only once.
    private(set) var rotation: Element?
    private(set) var pushX: Element?
    private(set) var pushY: Element?
    /// Buttons of their own, and arrays that name buttons.
    private(set) var buttons: [HIDField] = []
    private(set) var slots: [Slot] = []
    private(set) var contactCount: Element?

    /// Pages whose usages are buttons; what a person does with those of others is not known.
    private static let buttonPages = [
        HIDUsage.desktopPage, HIDUsage.keyboardPage, HIDUsage.buttonPage, HIDUsage.telephonyPage,
        HIDUsage.consumerPage,
    ]

    /// Fingers' parts, as they come together field by field.
    private struct SlotParts {
        var tip: Element?
        var x: Element?
        var y: Element?
        var id: Element?
    }

    init(_ layout: HIDReportLayout, of descriptor: HIDDescriptor) {
        self.layout = layout
        var parts: [(collection: Int, parts: SlotParts)] = []
        for field in descriptor.fields(of: layout) {
            if field.isArray {
                if field.usages.contains(where: { Self.buttonPages.contains($0.page) }) { buttons.append(field) }
                continue
            }
            guard field.isVariable else { continue }
            let isSwitch = field.bitSize == 1 || (field.logicalMinimum == 0 && field.logicalMaximum == 1)
            if isSwitch, field.usages.contains(where: { Self.buttonPages.contains($0.page) }) { buttons.append(field) }
            // Only the first elements can be anything of what follows; the list is short where the field is long.
            for element in 0..<min(field.count, 8) {
                guard let usage = field.usage(ofElement: element) else { break }
                let place = Element(field: field, element: element)
                take(usage, place, &parts)
            }
        }
        for (_, part) in parts {
            guard let x = part.x, let y = part.y else { continue }
            if let tip = part.tip {
                if slots.count < HIDReportReader.maximumContacts {
                    slots.append(Slot(tip: tip, x: x, y: y, id: part.id))
                }
            } else if pushX == nil, !x.field.isRelative, !y.field.isRelative {
                pushX = x
                pushY = y
            }
        }
    }

    private mutating func take(
        _ usage: HIDUsage, _ place: Element, _ parts: inout [(collection: Int, parts: SlotParts)]
    ) {
        func part(_ set: (inout SlotParts) -> Void) {
            let collection = place.field.collection
            let index: Int
            if let known = parts.firstIndex(where: { $0.collection == collection }) {
                index = known
            } else {
                parts.append((collection, SlotParts()))
                index = parts.count - 1
            }
            set(&parts[index].parts)
        }
        switch usage {
        case .dial:
            if rotation?.field.usage(ofElement: rotation?.element ?? 0) != .dial { rotation = place }
        case .wheel: rotation = rotation ?? place
        case .x: part { $0.x = $0.x ?? place }
        case .y: part { $0.y = $0.y ?? place }
        case .tipSwitch, .touch: part { $0.tip = $0.tip ?? place }
        case .contactIdentifier, .transducerIndex: part { $0.id = $0.id ?? place }
        case .contactCount: contactCount = contactCount ?? place
        default: break
        }
    }

    /// The buttons that a report says are down, each once, at most `HIDReportReader.maximumHeld`.
    func held(in report: ArraySlice<UInt8>) -> [HIDUsage] {
        var held: [HIDUsage] = []
        for field in buttons {
            for element in 0..<field.count {
                guard held.count < HIDReportReader.maximumHeld else { return held }
                guard let value = field.value(element, in: report) else { break }
                let usage: HIDUsage? =
                    if field.isArray {
                        field.usage(named: value)
                    } else {
                        value != 0 ? field.usage(ofElement: element) : nil
                    }
                guard let usage, Self.buttonPages.contains(usage.page), usage.id != 0, !held.contains(usage) else {
                    continue
                }
                held.append(usage)
            }
        }
        return held
    }
}
