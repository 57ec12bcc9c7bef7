// LinkProtocol: one iAP-style link, both ends: detection, synchronisation, acknowledgement, retransmission, reset and
// the channels inside. It knows no message of a channel, no clock and no transport. Start at `LinkMachine`.

import WireBytes

/// One packet of the link: nine bytes of header, then a payload with a checksum of its own when there is one.
///
/// Layout, big-endian, as captured between real devices [C] and read the same way by several projects (WIO, LIVI, NOC,
/// POD, OCBM): start `FF 5A`, total length u16, control u8, sequence u8, acknowledgement u8, channel id u8, header
/// checksum u8, payload, payload checksum u8.
public struct LinkPacket: Equatable, Sendable {
    /// The control byte: what a packet is for.
    public struct Control: OptionSet, Hashable, Sendable {
        /// The value as it is on the wire.
        public let rawValue: UInt8

        /// Keeps every bit as given, known or not.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Opens or answers a synchronisation; the payload is a `LinkSynchronization`. [C]
        public static let synchronize = Control(rawValue: 0x80)
        /// The acknowledgement field counts. [C]
        public static let acknowledge = Control(rawValue: 0x40)
        /// The payload names packets that are missing. [2+]
        public static let extendedAcknowledge = Control(rawValue: 0x20)
        /// Ends the link at once. [2+]
        public static let reset = Control(rawValue: 0x10)
        /// Known by name only; no source sends it. What comes with it is ignored and told.
        public static let sleep = Control(rawValue: 0x08)
        /// Bits that no source gives a meaning.
        public static let unknown = Control(rawValue: 0x07)
    }

    /// Bytes before the payload. [C]
    public static let headerLength = 9
    /// Bytes that a packet with a payload adds to it: the header and the payload checksum. [C]
    public static let overhead = 10
    /// The longest packet that the length field can tell.
    public static let maximumLength = 65_535
    /// The first two bytes of every packet. [C]
    public static let start: (UInt8, UInt8) = (0xFF, 0x5A)

    /// What the packet is for.
    public var control: Control
    /// The sender's packet sequence number, modulo 256. A packet without payload repeats the last one used.
    public var sequence: UInt8
    /// The last sequence number received in order; counts only with `.acknowledge`.
    public var acknowledgement: UInt8
    /// The channel of the payload; 0 for packets that carry none of a channel. Not enforced: some cars fill it (CAT).
    public var channelID: UInt8
    /// The payload without its checksum, at most `maximumLength - overhead` bytes.
    public var payload: ArraySlice<UInt8>

    /// Makes a packet of these fields.
    public init(
        control: Control, sequence: UInt8, acknowledgement: UInt8, channelID: UInt8 = 0,
        payload: ArraySlice<UInt8> = []
    ) {
        self.control = control
        self.sequence = sequence
        self.acknowledgement = acknowledgement
        self.channelID = channelID
        self.payload = payload
    }

    /// Bytes on the wire.
    public var encodedLength: Int {
        payload.isEmpty ? Self.headerLength : payload.count + Self.overhead
    }

    /// Appends the packet's bytes.
    ///
    /// The payload must leave room for `overhead` in `maximumLength`; whoever makes packets checks that where the
    /// payload comes in (`LinkMachine.send`), so a longer one here is a programmer's error.
    public func encode(into bytes: inout [UInt8]) {
        let length = encodedLength
        precondition(length <= Self.maximumLength, "LinkPacket: a payload of \(payload.count) bytes fits no packet")
        let begin = bytes.endIndex
        bytes.append(Self.start.0)
        bytes.append(Self.start.1)
        bytes.appendBigEndian(UInt16(truncatingIfNeeded: length))
        bytes.append(control.rawValue)
        bytes.append(sequence)
        bytes.append(acknowledgement)
        bytes.append(channelID)
        bytes.append(Checksum.twosComplement(of: bytes[begin...]))
        if !payload.isEmpty {
            bytes.append(contentsOf: payload)
            bytes.append(Checksum.twosComplement(of: payload))
        }
    }

    /// The packet's bytes.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(encodedLength)
        encode(into: &bytes)
        return bytes
    }
}

/// The six bytes with which an accessory asks whether the other side speaks this protocol, and which a device echoes.
///
/// They are one well-formed packet of the older protocol, which a side that speaks only that one refuses. [C]
public enum LinkDetection {
    /// The bytes, the same in both directions.
    public static let bytes: [UInt8] = [0xFF, 0x55, 0x02, 0x00, 0xEE, 0x10]
    /// The byte in which they differ from the start of a packet. [2+]
    static let second: UInt8 = 0x55
}
