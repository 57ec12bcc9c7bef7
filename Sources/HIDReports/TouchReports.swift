/// A report of a `StandardInput.touchscreen`: two contacts, six bytes each.
public struct TouchscreenReport: InputReport {
    /// One finger's part of a report.
    public struct Contact: Equatable, Sendable {
        /// Its number, 0 or 1.
        public var index: UInt8
        /// Whether it touches; else the place is where it was lifted.
        public var isTouching: Bool
        /// From the left edge, 0 to the descriptor's largest.
        public var x: UInt16
        /// From the top edge, 0 to the descriptor's largest.
        public var y: UInt16

        /// States a contact; a number above 1 is cut to 1.
        public init(index: UInt8, isTouching: Bool, x: UInt16, y: UInt16) {
            self.index = min(index, 1)
            self.isTouching = isTouching
            self.x = x
            self.y = y
        }
    }

    /// Contacts in each report.
    public static let contactCount = 2
    /// Bytes of a report.
    public static let byteCount = 12

    /// Exactly two contacts.
    public let contacts: [Contact]

    /// States a report. Contacts that are missing are made up as not touching; more than two are cut.
    public init(contacts: [Contact]) {
        // As they are where they fit, which takes no copy.
        var list = contacts.count <= Self.contactCount ? contacts : Array(contacts[..<Self.contactCount])
        for index in 0..<UInt8(Self.contactCount) where list.count < Self.contactCount {
            if !list.contains(where: { $0.index == index }) {
                list.append(Contact(index: index, isTouching: false, x: 0, y: 0))
            }
        }
        self.contacts = list
    }

    /// Reads a report. Throws when it is not 12 bytes or a contact's number is not 0 or 1; unused bits are not looked
    /// at.
    public init(_ bytes: ArraySlice<UInt8>) throws(HIDReportError) {
        let bytes = try bytes.whole(Self.byteCount)
        var list: [Contact] = []
        for start in [0, 6] {
            let index = bytes[start]
            guard index < UInt8(Self.contactCount) else {
                throw .outOfRange(value: Int(index), minimum: 0, maximum: 1, offset: start)
            }
            list.append(
                Contact(
                    index: index, isTouching: bytes[start + 1] & 1 == 1, x: bytes.littleEndian(at: start + 2),
                    y: bytes.littleEndian(at: start + 4)))
        }
        contacts = list
    }

    /// Appends the report's bytes.
    public func encode(into bytes: inout [UInt8]) {
        for contact in contacts {
            bytes.append(contact.index)
            bytes.append(contact.isTouching ? 1 : 0)
            bytes.appendLittleEndian(contact.x)
            bytes.appendLittleEndian(contact.y)
        }
    }

    /// A largest coordinate that the descriptor can hold.
    static func legal(_ maximum: Int) -> Int { min(max(maximum, 1), 32_767) }
}

/// A report of a `StandardInput.touchpad`: five bytes per contact, then their number and the button.
public struct TouchpadReport: InputReport {
    /// One finger's part of a report.
    public struct Contact: Equatable, Sendable {
        /// Its number, 0 to 15, the same from touching down to lifting.
        public var id: UInt8
        /// Whether it touches; else it was lifted with this report.
        public var isTouching: Bool
        /// From the left edge, 0 to `TouchpadReport.maximum`.
        public var x: UInt16
        /// From the top edge, 0 to `TouchpadReport.maximum`.
        public var y: UInt16

        /// States a contact; a number above 15 and places above the largest are cut down to it.
        public init(id: UInt8, isTouching: Bool, x: UInt16, y: UInt16) {
            self.id = min(id, 15)
            self.isTouching = isTouching
            self.x = min(x, TouchpadReport.maximum)
            self.y = min(y, TouchpadReport.maximum)
        }
    }

    /// The largest coordinate: hundredths of a percent of the pad's width or height, 100 %. Ours.
    public static let maximum: UInt16 = 10_000
    /// The contacts that a pad may have: ours; ten fingers.
    public static let legalContacts = 1...10

    /// Contacts that a report of this pad has room for.
    public let capacity: Int
    /// The contacts that touch or were lifted, at most `capacity`.
    public let contacts: [Contact]
    /// Whether the pad is pressed down.
    public var isPressed: Bool

    /// States a report of a pad with room for `capacity` contacts, which is cut to 1 to 10; more contacts are cut.
    public init(contacts: [Contact], isPressed: Bool = false, capacity: Int) {
        self.capacity = Self.legal(capacity)
        // As they are where they fit, which takes no copy.
        self.contacts = contacts.count <= self.capacity ? contacts : Array(contacts[..<self.capacity])
        self.isPressed = isPressed
    }

    /// Reads a report of a pad with room for `capacity` contacts. Throws on another length, and on a number of contacts
    /// or a place beyond the largest; unused bits and contacts behind the number are not looked at.
    public init(_ bytes: ArraySlice<UInt8>, capacity: Int) throws(HIDReportError) {
        self.capacity = Self.legal(capacity)
        let bytes = try bytes.whole(Self.byteCount(capacity: capacity))
        let tail = 5 * self.capacity
        guard bytes[tail] <= self.capacity else {
            throw .outOfRange(value: Int(bytes[tail]), minimum: 0, maximum: self.capacity, offset: tail)
        }
        var list: [Contact] = []
        for start in stride(from: 0, to: 5 * Int(bytes[tail]), by: 5) {
            let places = [bytes.littleEndian(at: start + 1), bytes.littleEndian(at: start + 3)]
            for (index, place) in places.enumerated() where place > Self.maximum {
                throw .outOfRange(
                    value: Int(place), minimum: 0, maximum: Int(Self.maximum), offset: start + 1 + 2 * index)
            }
            list.append(
                Contact(id: bytes[start] >> 4, isTouching: bytes[start] & 1 == 1, x: places[0], y: places[1]))
        }
        contacts = list
        isPressed = bytes[tail + 1] & 1 == 1
    }

    /// Appends the report's bytes.
    public func encode(into bytes: inout [UInt8]) {
        for contact in contacts {
            bytes.append(contact.id << 4 | (contact.isTouching ? 1 : 0))
            bytes.appendLittleEndian(contact.x)
            bytes.appendLittleEndian(contact.y)
        }
        bytes.append(contentsOf: repeatElement(0, count: 5 * (capacity - contacts.count)))
        bytes.append(UInt8(contacts.count))
        bytes.append(isPressed ? 1 : 0)
    }

    /// Bytes of a report with room for `capacity` contacts.
    public static func byteCount(capacity: Int) -> Int { 5 * legal(capacity) + 2 }

    static func legal(_ contacts: Int) -> Int {
        min(max(contacts, legalContacts.lowerBound), legalContacts.upperBound)
    }
}

extension Array<UInt8> {
    /// The two bytes at an offset that is known to be there, the low one first.
    fileprivate func littleEndian(at offset: Int) -> UInt16 { UInt16(self[offset]) | UInt16(self[offset + 1]) << 8 }

    fileprivate mutating func appendLittleEndian(_ value: UInt16) {
        append(UInt8(value & 0xFF))
        append(UInt8(value >> 8))
    }
}
