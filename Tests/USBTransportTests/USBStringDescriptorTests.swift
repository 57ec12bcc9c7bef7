import Testing

@testable import USBTransport

@Suite struct USBStringDescriptorTests {
    @Test(
        arguments: [
            ([4, 3, 0x09, 0x04], [0x0409]), ([6, 3, 0x07, 0x04, 0x09, 0x04], [0x0409, 0x0407]),
            ([8, 3, 0x07, 0x04], [0x0407]), ([2, 3], []), ([0, 3, 9, 4], []), ([4, 2, 9, 4], []), ([4], []), ([], []),
            ([5, 3, 0x09, 0x04, 0x07], [0x0409]),
        ] as [([UInt8], [UInt16])])
    func languages(bytes: [UInt8], expected: [UInt16]) {
        #expect(USBStringDescriptor.languages(bytes) == expected)
    }

    @Test(
        arguments: [
            ([6, 3, 0x41, 0, 0x42, 0], "AB"), ([8, 3, 0x41, 0, 0x20, 0, 0, 0], "A"), ([2, 3], nil), ([], nil),
            ([4, 3, 0x20, 0], nil), ([6, 3, 0x3D, 0xD8, 0xF1, 0xDC], "\u{1F4F1}"), ([4, 3, 0x3D, 0xD8], "\u{FFFD}"),
            ([255, 3, 0x41, 0], "A"), ([4, 3, 0x41, 0, 0x42, 0], "A"),
        ] as [([UInt8], String?)])
    func text(bytes: [UInt8], expected: String?) {
        #expect(USBStringDescriptor.text(bytes) == expected)
    }
}
