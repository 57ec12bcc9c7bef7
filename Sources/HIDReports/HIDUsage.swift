// HIDReports: HID report descriptors and the reports they describe, read and built. Which bus or message carries them
// is not its matter. Start at `HIDDescriptor.parse`; `HIDReportReader` turns reports into what a person did.
//
// Numbers are those of "Device Class Definition for HID 1.11" and "HID Usage Tables", both public.

/// What a control is for: a page and a number on it.
public struct HIDUsage: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The usage page.
    public var page: UInt16
    /// The number on the page.
    public var id: UInt16

    /// States a usage.
    public init(_ page: UInt16, _ id: UInt16) {
        self.page = page
        self.id = id
    }

    /// Page before number.
    public static func < (left: HIDUsage, right: HIDUsage) -> Bool {
        (left.page, left.id) < (right.page, right.id)
    }

    /// As page/number in hexadecimal: `0C/0224`.
    public var description: String {
        func hex(_ value: UInt16, _ width: Int) -> String {
            let digits = String(value, radix: 16, uppercase: true)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(hex(page, 2))/\(hex(id, 2))"
    }
}

/// Pages.
extension HIDUsage {
    /// Generic desktop.
    public static let desktopPage: UInt16 = 0x01
    /// Keyboard and keypad.
    public static let keyboardPage: UInt16 = 0x07
    /// Buttons, numbered from 1.
    public static let buttonPage: UInt16 = 0x09
    /// Telephony devices.
    public static let telephonyPage: UInt16 = 0x0B
    /// Consumer devices.
    public static let consumerPage: UInt16 = 0x0C
    /// Digitizers: touchscreens and touchpads.
    public static let digitizerPage: UInt16 = 0x0D
    /// The first page that belongs to vendors.
    public static let firstVendorPage: UInt16 = 0xFF00
}

/// Usages that this target knows.
extension HIDUsage {
    /// Desktop: pointer, a collection.
    public static let pointer = HIDUsage(desktopPage, 0x01)
    /// Desktop: mouse, a collection.
    public static let mouse = HIDUsage(desktopPage, 0x02)
    /// Desktop: multi-axis controller, a collection; what LIVI's knob calls itself.
    public static let multiAxisController = HIDUsage(desktopPage, 0x08)
    /// Desktop: system multi-axis controller, a collection.
    public static let systemMultiAxisController = HIDUsage(desktopPage, 0x0E)
    /// Desktop: X.
    public static let x = HIDUsage(desktopPage, 0x30)
    /// Desktop: Y.
    public static let y = HIDUsage(desktopPage, 0x31)
    /// Desktop: dial.
    public static let dial = HIDUsage(desktopPage, 0x37)
    /// Desktop: wheel.
    public static let wheel = HIDUsage(desktopPage, 0x38)

    /// Buttons: the first.
    public static let button1 = HIDUsage(buttonPage, 1)

    /// Keyboard: delete, the last key of LIVI's telephone.
    public static let keyboardDelete = HIDUsage(keyboardPage, 0x2A)

    /// Telephony: phone, a collection.
    public static let phone = HIDUsage(telephonyPage, 0x01)
    /// Telephony: headset, a collection.
    public static let headset = HIDUsage(telephonyPage, 0x05)
    /// Telephony: key pad, a collection.
    public static let telephonyKeyPad = HIDUsage(telephonyPage, 0x06)

    /// Consumer: consumer control, a collection.
    public static let consumerControl = HIDUsage(consumerPage, 0x01)
    /// Consumer: AC Home.
    public static let home = HIDUsage(consumerPage, 0x0223)
    /// Consumer: AC Back.
    public static let back = HIDUsage(consumerPage, 0x0224)

    /// Digitizer: touch screen, a collection.
    public static let touchscreen = HIDUsage(digitizerPage, 0x04)
    /// Digitizer: touch pad, a collection.
    public static let touchpad = HIDUsage(digitizerPage, 0x05)
    /// Digitizer: finger, a collection.
    public static let finger = HIDUsage(digitizerPage, 0x22)
    /// Digitizer: touch.
    public static let touch = HIDUsage(digitizerPage, 0x33)
    /// Digitizer: transducer index.
    public static let transducerIndex = HIDUsage(digitizerPage, 0x38)
    /// Digitizer: tip switch.
    public static let tipSwitch = HIDUsage(digitizerPage, 0x42)
    /// Digitizer: contact identifier.
    public static let contactIdentifier = HIDUsage(digitizerPage, 0x51)
    /// Digitizer: contact count.
    public static let contactCount = HIDUsage(digitizerPage, 0x54)
}

/// Usages that follow each other on one page; both ends belong to it.
public struct HIDUsageRange: Hashable, Sendable {
    /// The page.
    public var page: UInt16
    /// The first number.
    public var first: UInt16
    /// The last number, not below the first.
    public var last: UInt16

    /// States a range; ends in the wrong order are put right.
    public init(page: UInt16, first: UInt16, last: UInt16) {
        self.page = page
        self.first = min(first, last)
        self.last = max(first, last)
    }

    /// A range of one.
    public init(_ usage: HIDUsage) { self.init(page: usage.page, first: usage.id, last: usage.id) }

    /// How many usages it has, at least 1.
    public var count: Int { Int(last) - Int(first) + 1 }
}
