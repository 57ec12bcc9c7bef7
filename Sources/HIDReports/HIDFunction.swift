/// What a device is, by what its descriptor says.
public enum HIDFunction: String, Sendable, CaseIterable {
    /// Something that is turned, and mostly pressed and pushed.
    case knob
    /// A surface that is touched and shows nothing.
    case touchpad
    /// A display that is touched.
    case touchscreen
    /// Keys of a player.
    case mediaKeys
    /// Keys of a telephone.
    case telephonyKeys
    /// Something else, or nothing.
    case unknown
}

extension HIDDescriptor {
    /// What the device is: the first of its applications that is known.
    public var function: HIDFunction {
        for index in collections.indices where collections[index].parent == nil {
            let function = function(of: index)
            if function != .unknown { return function }
        }
        return .unknown
    }

    /// What an outermost collection is, by its own usage and those of its inputs.
    ///
    /// The names decide where there is one for it; else a wheel or dial makes a knob (a mouse has a wheel, too, and is
    /// none), and a button among consumer keys makes one as well: some knobs call themselves consumer controls
    /// (IOHIDFamily, the select button of its unit test).
    public func function(of collection: Int) -> HIDFunction {
        guard collections.indices.contains(collection) else { return .unknown }
        let inputs = InputSummary(self, collections[collection].fields)
        switch collections[collection].usage {
        case .touchscreen where inputs.hasTouch: return .touchscreen
        case .touchpad where inputs.hasTouch: return .touchpad
        case .mouse: return .unknown
        case .multiAxisController where inputs.hasInput, .systemMultiAxisController where inputs.hasInput:
            return .knob
        case .phone where inputs.hasTelephonyKeys, .headset where inputs.hasTelephonyKeys: return .telephonyKeys
        default: break
        }
        if inputs.hasRotation { return .knob }
        if inputs.hasTelephonyKeys { return .telephonyKeys }
        guard collections[collection].usage == .consumerControl, inputs.hasConsumerKeys else { return .unknown }
        return inputs.hasButtons ? .knob : .mediaKeys
    }

    /// What the inputs of some fields are about.
    private struct InputSummary {
        var hasInput = false
        var hasTouch = false
        var hasRotation = false
        var hasButtons = false
        var hasConsumerKeys = false
        var hasTelephonyKeys = false

        init(_ descriptor: HIDDescriptor, _ range: Range<Int>) {
            for field in descriptor.fields[range.clamped(to: descriptor.fields.indices)] {
                guard field.kind == .input, !field.flags.contains(.constant) else { continue }
                hasInput = true
                for usages in field.usages {
                    func has(_ usage: HIDUsage) -> Bool {
                        usage.page == usages.page && usages.first <= usage.id && usage.id <= usages.last
                    }
                    if field.isVariable {
                        hasTouch = hasTouch || has(.tipSwitch) || has(.touch)
                        hasRotation = hasRotation || has(.wheel) || has(.dial)
                    }
                    switch usages.page {
                    case HIDUsage.buttonPage: hasButtons = true
                    case HIDUsage.consumerPage: hasConsumerKeys = true
                    case HIDUsage.telephonyPage: hasTelephonyKeys = true
                    default: break
                    }
                }
            }
        }
    }
}
