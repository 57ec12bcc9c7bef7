import HIDReports
import Testing

@Suite struct HIDFunctionTests {
    /// A head unit's device may say what it is in other ways than ours.
    @Test(arguments: [
        // IOHIDFamily's select button as its authors meant it: a button among consumer keys.
        (
            "05 0C 09 01 A1 01 15 00 25 01 75 01 95 01 05 09 09 01 81 02 05 0C 0A 24 02 81 02 75 06 81 01 C0",
            HIDFunction.knob
        ),
        // A dial that has no name for itself.
        ("05 01 09 00 A1 01 09 37 15 81 25 7F 75 08 95 01 81 06 C0", .knob),
        ("05 01 09 0E A1 01 09 37 15 81 25 7F 75 08 95 01 81 06 C0", .knob),
        // The wheel of a consumer control.
        ("05 0C 09 01 A1 01 05 01 09 38 15 81 25 7F 75 08 95 01 81 06 C0", .knob),
        // A multi-axis controller without any input, and one with padding only.
        ("05 01 09 08 A1 01 C0", .unknown),
        ("05 01 09 08 A1 01 75 08 95 01 81 01 C0", .unknown),
        // A mouse has a wheel.
        ("05 01 09 02 A1 01 09 30 09 31 09 38 15 81 25 7F 75 08 95 03 81 06 C0", .unknown),
        // A keyboard.
        ("05 01 09 06 A1 01 05 07 19 00 29 65 15 00 25 65 75 08 95 06 81 00 C0", .unknown),
        // Touch devices of one finger without a collection of its own.
        (
            "05 0D 09 04 A1 01 09 42 15 00 25 01 75 01 95 01 81 02 75 07 81 01 05 01 09 30 09 31 26 FF 7F 75 10 95 02 81 02 C0",
            .touchscreen
        ),
        (
            "05 0D 09 05 A1 01 09 42 15 00 25 01 75 01 95 01 81 02 75 07 81 01 05 01 09 30 09 31 26 FF 7F 75 10 95 02 81 02 C0",
            .touchpad
        ),
        // A pen.
        ("05 0D 09 02 A1 01 09 42 15 00 25 01 75 01 95 01 81 02 75 07 81 01 C0", .unknown),
        // A touch screen that only says that it is one.
        ("05 0D 09 04 A1 01 05 01 09 30 26 FF 7F 75 10 95 01 81 02 C0", .unknown),
        // Consumer keys as bits; the same under a name that is no consumer control's.
        ("05 0C 09 01 A1 01 15 00 25 01 75 01 95 08 09 CD 09 B5 81 02 C0", .mediaKeys),
        ("05 01 09 80 A1 01 05 0C 15 00 25 01 75 01 95 08 09 CD 09 B5 81 02 C0", .unknown),
        // A headset, and telephony keys of something else.
        ("05 0B 09 05 A1 01 15 00 25 01 75 01 95 08 09 20 09 2F 81 02 C0", .telephonyKeys),
        ("05 0C 09 01 A1 01 15 00 25 01 75 01 95 08 0B 20 00 0B 00 81 02 C0", .telephonyKeys),
        // Output and feature reports are no input.
        ("05 01 09 08 A1 01 09 38 15 81 25 7F 75 08 95 01 91 06 B1 06 C0", .unknown),
        // The first application that is known.
        (
            "05 01 09 06 A1 01 05 07 19 00 29 65 25 65 75 08 95 06 81 00 C0 05 0C 09 01 A1 01 09 CD 25 01 75 08 95 01 81 00 C0",
            .mediaKeys
        ),
        ("", .unknown),
    ])
    func knowsADeviceByWhatItSays(hex: String, function: HIDFunction) throws {
        #expect(try HIDVectors.descriptor(hex).function == function)
    }

    @Test func aCollectionThatIsNotThereIsNothing() throws {
        let knob = try HIDVectors.descriptor(HIDVectors.knob)
        #expect(knob.function(of: 0) == .knob)
        #expect(knob.function(of: 7) == .unknown)
        #expect(knob.application(of: 1) == 0)
        #expect(knob.application(of: 9) == 9)
    }
}
