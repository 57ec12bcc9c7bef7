internal import LinkProtocol
internal import WireBytes

/// The fields of a packet of which at least the header is there, sound or not.
struct LinkPacketView {
    private let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    private func byte(_ index: Int) -> UInt8 { bytes[bytes.startIndex + index] }

    var control: LinkPacket.Control { LinkPacket.Control(rawValue: byte(4)) }
    var sequence: UInt8 { byte(5) }
    var channelID: UInt8 { byte(7) }

    /// The bytes between header and payload checksum; nothing when there are none.
    var payload: ArraySlice<UInt8>? {
        let body = bytes.dropFirst(LinkPacket.headerLength)
        return body.count < 2 ? nil : body.dropLast()
    }

    /// Whether the payload agrees with its checksum.
    var isPayloadSound: Bool {
        let body = bytes.dropFirst(LinkPacket.headerLength)
        return body.isEmpty || Checksum.isValid(body)
    }

    private static let flags: [(LinkPacket.Control, String)] = [
        (.synchronize, "SYN"), (.acknowledge, "ACK"), (.extendedAcknowledge, "EAK"), (.reset, "RST"), (.sleep, "SLP"),
    ]

    private var flagNames: [String] { Self.flags.filter { control.contains($0.0) }.map(\.1) }

    /// What the packet is for: its flags, or data.
    var title: String {
        if control == .acknowledge, bytes.count > LinkPacket.headerLength { return "data" }
        return flagNames.isEmpty ? "no flags" : flagNames.joined(separator: "+")
    }

    /// The fields of the header behind its first two bytes.
    var fields: [DecodedPart] {
        let start = bytes.startIndex
        let names = flagNames.isEmpty ? nil : flagNames.joined(separator: " ")
        let unknown = control.subtracting(LinkPacket.Control(rawValue: 0xF8)).rawValue
        var flags = DecodedPart("control", at: start + 4, length: 1, .code(UInt64(byte(4)), digits: 2), note: names)
        if unknown != 0 { flags.note = [names, "unknown bits"].compactMap { $0 }.joined(separator: " and ") }
        return [
            DecodedPart("length", at: start + 2, length: 2, .number(UInt64(byte(2)) << 8 | UInt64(byte(3)))), flags,
            DecodedPart("sequence", at: start + 5, length: 1, .number(UInt64(sequence))),
            DecodedPart("acknowledgement", at: start + 6, length: 1, .number(UInt64(byte(6)))),
            DecodedPart("channel", at: start + 7, length: 1, .number(UInt64(channelID))),
            checksum("headerChecksum", at: start + 8, of: bytes[start..<start + 8]),
        ]
    }

    /// The last byte of a packet with a payload.
    var payloadChecksum: DecodedPart {
        checksum("payloadChecksum", at: bytes.endIndex - 1, of: bytes[(bytes.startIndex + 9)..<(bytes.endIndex - 1)])
    }

    private func checksum(_ name: String, at place: Int, of covered: ArraySlice<UInt8>) -> DecodedPart {
        let expected = Checksum.twosComplement(of: covered)
        var part = DecodedPart(name, at: place, length: 1, .code(UInt64(bytes[place]), digits: 2))
        if bytes[place] == expected {
            part.note = "right"
        } else {
            let digits = String(expected, radix: 16, uppercase: true)
            part.problem = "wrong, 0x\(digits.count == 1 ? "0" : "")\(digits) is expected"
        }
        return part
    }
}
