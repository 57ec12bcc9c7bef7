/// The input devices that a head unit of ours has, each with its descriptor and the form of its reports.
///
/// Layouts of knob, touchscreen, media and telephony keys are those that LIVI uses, the remote's is Nocturne's [1]; the
/// touchpad's is ours, because none was found in public.
public enum StandardInput: Equatable, Sendable {
    /// Reports are `KnobReport`.
    case knob
    /// Reports are `TouchpadReport`, of 1 to 10 contacts.
    case touchpad(contacts: Int)
    /// Reports are `TouchscreenReport`; the largest coordinates, 1 to 32,767.
    case touchscreen(maximumX: Int, maximumY: Int)
    /// Reports are `MediaKeyReport`.
    case mediaKeys
    /// Reports are `TelephonyKeyReport`.
    case telephonyKeys
    /// Reports are `ConsumerRemoteReport`.
    case consumerRemote

    /// What it is.
    public var function: HIDFunction {
        switch self {
        case .knob: .knob
        case .touchpad: .touchpad
        case .touchscreen: .touchscreen
        case .mediaKeys, .consumerRemote: .mediaKeys
        case .telephonyKeys: .telephonyKeys
        }
    }

    /// The report descriptor.
    public var descriptor: [UInt8] {
        var builder = HIDDescriptorBuilder()
        switch self {
        case .knob: Self.buildKnob(&builder)
        case .touchpad(let contacts): Self.buildTouchpad(&builder, contacts: contacts)
        case .touchscreen(let maximumX, let maximumY): Self.buildTouchscreen(&builder, maximumX, maximumY)
        case .mediaKeys: Self.buildMediaKeys(&builder)
        case .telephonyKeys: Self.buildTelephonyKeys(&builder)
        case .consumerRemote: Self.buildConsumerRemote(&builder)
        }
        return builder.bytes
    }

    // MARK: The descriptors

    /// Four bytes: bit 0 select, bit 1 home, bit 2 back, 5 bits unused; X and Y, where it is pushed to, -127 to 127;
    /// the wheel's turn since the last report.
    private static func buildKnob(_ builder: inout HIDDescriptorBuilder) {
        builder.open(.application, .multiAxisController)
        builder.logicalRange(0, 1)
        builder.elements(bits: 1, count: 1)
        builder.usagePage(HIDUsage.buttonPage)
        builder.usage(.button1)
        builder.field(.variable)
        builder.elements(bits: 1, count: 2)
        builder.usagePage(HIDUsage.consumerPage)
        builder.usage(.home)
        builder.usage(.back)
        builder.field(.variable)
        builder.padding(bits: 5)
        builder.logicalRange(-127, 127)
        builder.elements(bits: 8, count: 2)
        builder.open(.physical, .pointer)
        builder.usage(.x)
        builder.usage(.y)
        builder.field(.variable)
        builder.close()
        builder.elements(bits: 8, count: 1)
        builder.usage(.wheel)
        builder.field([.variable, .relative])
        builder.close()
    }

    /// Per contact 5 bytes: bit 0 tip, bits 1 to 3 unused, bits 4 to 7 the contact's number; X and Y, 0 to
    /// `TouchpadReport.maximum`, low byte first. Then the number of contacts, and bit 0 the button, 7 bits unused.
    private static func buildTouchpad(_ builder: inout HIDDescriptorBuilder, contacts: Int) {
        builder.open(.application, .touchpad)
        for _ in 0..<TouchpadReport.legal(contacts) {
            builder.open(.logical, .finger)
            builder.logicalRange(0, 1)
            builder.elements(bits: 1, count: 1)
            builder.usage(.tipSwitch)
            builder.field(.variable)
            builder.padding(bits: 3)
            builder.logicalRange(0, 15)
            builder.elements(bits: 4, count: 1)
            builder.usage(.contactIdentifier)
            builder.field(.variable)
            builder.usagePage(HIDUsage.desktopPage)
            builder.logicalRange(0, Int(TouchpadReport.maximum))
            builder.elements(bits: 16, count: 2)
            builder.usage(.x)
            builder.usage(.y)
            builder.field(.variable)
            builder.close()
        }
        builder.usagePage(HIDUsage.digitizerPage)
        builder.logicalRange(0, TouchpadReport.legal(contacts))
        builder.elements(bits: 8, count: 1)
        builder.usage(.contactCount)
        builder.field(.variable)
        builder.usagePage(HIDUsage.buttonPage)
        builder.logicalRange(0, 1)
        builder.elements(bits: 1, count: 1)
        builder.usage(.button1)
        builder.field(.variable)
        builder.padding(bits: 7)
        builder.close()
    }

    /// Per contact 6 bytes: its number, bit 0 touch, 7 bits unused, X and Y, low byte first. 109 bytes, the largest X of
    /// the first contact at offset 39, as where the layout is known from.
    private static func buildTouchscreen(
        _ builder: inout HIDDescriptorBuilder, _ maximumX: Int, _ maximumY: Int
    ) {
        func wide(_ builder: inout HIDDescriptorBuilder, _ maximum: Int) {
            // Two bytes whatever the number is, so that nothing moves.
            builder.logicalMaximumInTwoBytes(TouchscreenReport.legal(maximum))
        }
        builder.open(.application, .touchscreen)
        for _ in 0..<TouchscreenReport.contactCount {
            builder.usagePage(HIDUsage.digitizerPage)
            builder.usage(.finger)
            builder.open(.logical)
            builder.logicalRange(0, 1)
            builder.elements(bits: 8, count: 1)
            builder.usage(.transducerIndex)
            builder.field(.variable)
            builder.usage(.touch)
            builder.elementBits(1)
            builder.field(.variable)
            builder.elementBits(7)
            builder.field(.constant)
            builder.usagePage(HIDUsage.desktopPage)
            builder.usage(.x)
            wide(&builder, maximumX)
            builder.elements(bits: 16, count: 1)
            builder.field(.variable)
            builder.usage(.y)
            wide(&builder, maximumY)
            builder.elementBits(16)
            builder.field(.variable)
            builder.close()
        }
        builder.close()
    }

    /// One byte: the key that is held, 0 for none.
    private static func buildMediaKeys(_ builder: inout HIDDescriptorBuilder) {
        builder.open(.application, .consumerControl)
        builder.logicalRange(1, MediaKey.allCases.count)
        builder.elements(bits: 8, count: 1)
        for key in MediaKey.allCases { builder.usage(key.usage) }
        builder.field(.nullState)
        builder.close()
    }

    /// One byte: the key that is held, 0 for none.
    private static func buildTelephonyKeys(_ builder: inout HIDDescriptorBuilder) {
        builder.open(.application, .phone)
        builder.open(.logical, .telephonyKeyPad)
        builder.logicalRange(1, TelephonyKey.allCases.count)
        builder.elements(bits: 8, count: 1)
        for key in TelephonyKey.allCases { builder.usage(key.usage) }
        builder.field(.nullState)
        builder.close()
        builder.close()
    }

    /// Ten bits, one per key, low byte first, 6 bits unused.
    private static func buildConsumerRemote(_ builder: inout HIDDescriptorBuilder) {
        builder.open(.application, .consumerControl)
        builder.logicalRange(0, 1)
        builder.elements(bits: 1, count: ConsumerRemoteKey.allCases.count)
        for key in ConsumerRemoteKey.allCases { builder.usage(key.usage) }
        builder.field(.variable)
        builder.padding(bits: 16 - ConsumerRemoteKey.allCases.count)
        builder.close()
    }
}
