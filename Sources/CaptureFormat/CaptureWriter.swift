// CaptureFormat: the pcapng file of captured sessions, as bytes. It knows no file, no clock and no protocol. Start at
// `CaptureWriter`.

/// Makes the blocks of a pcapng file (IETF draft "PCAP Next Generation Capture File Format"), one call a block.
///
/// Every block is whole in itself, so that a file is valid wherever writing ends between two of them. A session is an
/// interface of the file, with its own name; times are nanoseconds of CLOCK_REALTIME. Numbers are little-endian, which
/// the file itself says.
public struct CaptureWriter: Sendable {
    /// LINKTYPE_USER0: reserved for private use by the registry of link types. The bytes of a block are those of the link.
    public static let linkType: UInt16 = 147
    /// The longest text of an option that is written, in bytes of UTF-8: ours; an option's length has 16 bits.
    public static let maximumText = 1_024

    /// Which way a packet went, seen from the rig (epb_flags, bits 0 and 1).
    public enum Direction: UInt32, Sendable, CaseIterable {
        /// It came from the device.
        case inbound = 1
        /// The rig sent it.
        case outbound = 2
    }

    /// What stands in a file about one session.
    public struct Interface: Equatable, Sendable {
        /// Its short name.
        public var name: String
        /// One line about it.
        public var description: String

        /// States one.
        public init(name: String, description: String) {
            self.name = name
            self.description = description
        }
    }

    /// What is known of an interface at its end.
    public struct Statistics: Equatable, Sendable {
        /// Nanoseconds since 1970 at its beginning.
        public var start: UInt64
        /// Nanoseconds since 1970 at its end.
        public var end: UInt64
        /// How many packets were received for the file.
        public var received: UInt64
        /// How many of them are not in it.
        public var dropped: UInt64

        /// States them.
        public init(start: UInt64, end: UInt64, received: UInt64, dropped: UInt64) {
            self.start = start
            self.end = end
            self.received = received
            self.dropped = dropped
        }
    }

    /// How many interfaces were described; the next one gets this number.
    public private(set) var interfaceCount: UInt32 = 0

    /// A writer for a file of its own.
    public init() {}

    // MARK: Blocks

    /// The first block of a file. `application` says what wrote it, `comment` anything for who opens it.
    public func header(application: String, comment: String? = nil) -> [UInt8] {
        var body: [UInt8] = []
        body.append(littleEndian: 0x1A2B_3C4D as UInt32)
        body.append(littleEndian: 1 as UInt16)
        body.append(littleEndian: 0 as UInt16)
        // Of unknown length: it grows as long as the file is open.
        body.append(littleEndian: UInt64.max)
        var options = Options()
        if let comment { options.append(1, text: comment) }
        options.append(4, text: application)
        return Self.block(0x0A0D_0D0A, body + options.bytes)
    }

    /// Describes the next interface; packets name it by the number that `interfaceCount` was before.
    public mutating func interface(_ interface: Interface) -> [UInt8] {
        interfaceCount += 1
        var body: [UInt8] = []
        body.append(littleEndian: Self.linkType)
        body.append(littleEndian: 0 as UInt16)
        // No limit: packets are whole.
        body.append(littleEndian: 0 as UInt32)
        var options = Options()
        options.append(2, text: interface.name)
        options.append(3, text: interface.description)
        // Times in units of 10^-9 s.
        options.append(9, [9])
        return Self.block(1, body + options.bytes)
    }

    /// One packet. `dropped` are packets that are missing before it.
    public func packet(
        _ bytes: [UInt8], interface: UInt32, time: UInt64, _ direction: Direction, dropped: UInt64 = 0,
        comments: [String] = []
    ) -> [UInt8] {
        var body: [UInt8] = []
        body.append(littleEndian: interface)
        Self.append(time: time, to: &body)
        let length = UInt32(clamping: bytes.count)
        body.append(littleEndian: length)
        body.append(littleEndian: length)
        body += bytes
        body.pad()
        var options = Options()
        for comment in comments { options.append(1, text: comment) }
        options.append(2, Self.bytes(direction.rawValue))
        if dropped > 0 { options.append(4, Self.bytes(dropped)) }
        return Self.block(6, body + options.bytes)
    }

    /// What is known of an interface when it is over.
    public func statistics(_ statistics: Statistics, interface: UInt32, comment: String) -> [UInt8] {
        var body: [UInt8] = []
        body.append(littleEndian: interface)
        Self.append(time: statistics.end, to: &body)
        var options = Options()
        options.append(1, text: comment)
        options.append(2, Self.time(statistics.start))
        options.append(3, Self.time(statistics.end))
        options.append(4, Self.bytes(statistics.received))
        options.append(5, Self.bytes(statistics.dropped))
        return Self.block(5, body + options.bytes)
    }

    // MARK: Parts of blocks

    /// A block: type, length, body, length again.
    private static func block(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
        let length = UInt32(clamping: body.count + 12)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(body.count + 12)
        bytes.append(littleEndian: type)
        bytes.append(littleEndian: length)
        bytes += body
        bytes.append(littleEndian: length)
        return bytes
    }

    /// A time is written as its upper half, then its lower one.
    private static func append(time: UInt64, to bytes: inout [UInt8]) { bytes += self.time(time) }

    private static func time(_ time: UInt64) -> [UInt8] {
        Self.bytes(UInt32(truncatingIfNeeded: time >> 32)) + Self.bytes(UInt32(truncatingIfNeeded: time))
    }

    private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: value)
        return bytes
    }

    /// Options: code, length, value, filled up to four bytes; a code of 0 ends them.
    private struct Options {
        private var list: [UInt8] = []

        var bytes: [UInt8] { list + [0, 0, 0, 0] }

        mutating func append(_ code: UInt16, _ value: [UInt8]) {
            list.append(littleEndian: code)
            list.append(littleEndian: UInt16(clamping: value.count))
            list += value
            list.pad()
        }

        mutating func append(_ code: UInt16, text: String) {
            // Cut between characters, not inside of one.
            var cut = text
            while cut.utf8.count > CaptureWriter.maximumText { cut.removeLast() }
            append(code, Array(cut.utf8))
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(littleEndian value: some FixedWidthInteger) {
        var rest = value
        for _ in 0..<value.bitWidth / 8 {
            append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    /// Fills up to a multiple of four.
    fileprivate mutating func pad() {
        while !count.isMultiple(of: 4) { append(0) }
    }
}
