import ControlProtocol
import LinkProtocol
import RigModel
import WireBytes

/// What is done to a packet that a fault spoils. The detection bytes count as a packet without payload.
enum FaultCorruption {
    /// The spoiled packet, and what was done to it in a few words.
    typealias Result = (bytes: [UInt8], effect: String)

    /// The most bytes by which a packet is told to be longer than it is: more than any packet of a handshake that has no
    /// payload, so that the receiver swallows what comes behind it.
    static let maximumExcess = 64

    /// One bit of the start, the fields or the checksum of the header, and never of the length.
    static func header(of packet: [UInt8], _ generator: inout SeededGenerator) -> Result {
        let places = packet == LinkDetection.bytes ? Array(packet.indices) : [0, 1, 4, 5, 6, 7, 8]
        return flip(packet, at: places[below(places.count, &generator)], &generator)
    }

    /// One bit of the payload or its checksum; `nil` when there is no payload.
    static func payload(of packet: [UInt8], _ generator: inout SeededGenerator) -> Result? {
        let length = packet.count - LinkPacket.headerLength
        guard hasPayload(packet) else { return nil }
        return flip(packet, at: LinkPacket.headerLength + below(length, &generator), &generator)
    }

    static func hasPayload(_ packet: [UInt8]) -> Bool { packet.count > LinkPacket.overhead }

    /// Another length in a header whose checksum holds: half of the packets with a payload are told to be shorter.
    static func length(of packet: [UInt8], _ generator: inout SeededGenerator) -> Result {
        // The older protocol's length has a checksum that a receiver of this one compares byte by byte.
        if packet == LinkDetection.bytes { return flip(packet, at: 2, &generator) }
        // Longer by two at least: one byte more than a header is no legal length.
        let longer = packet.count + 2...max(packet.count + 2, packet.count + maximumExcess)
        let canBeLonger = longer.upperBound <= LinkPacket.maximumLength
        var told = longer.lowerBound + below(longer.count, &generator)
        if !canBeLonger || below(2, &generator) == 0, let length = shorterLength(of: packet, &generator) {
            told = length
        }
        var bytes = packet
        bytes[2] = UInt8(truncatingIfNeeded: told >> 8)
        bytes[3] = UInt8(truncatingIfNeeded: told)
        let checksum = LinkPacket.headerLength - 1
        bytes[checksum] = Checksum.twosComplement(of: bytes[..<checksum])
        return (bytes, "its length is told to be \(told) instead of \(packet.count)")
    }

    /// A length with at least one byte of payload, whose checksum does not happen to fit; `nil` where there is none.
    private static func shorterLength(of packet: [UInt8], _ generator: inout SeededGenerator) -> Int? {
        let first = LinkPacket.overhead + 1
        guard packet.count > first else { return nil }
        for _ in 0..<8 {
            let length = first + below(packet.count - first, &generator)
            if !Checksum.isValid(packet[LinkPacket.headerLength..<length]) { return length }
        }
        // One byte more than a header is no legal length at all.
        return LinkPacket.overhead
    }

    private static func flip(_ packet: [UInt8], at place: Int, _ generator: inout SeededGenerator) -> Result {
        var bytes = packet
        bytes[place] ^= 1 << UInt8(below(8, &generator))
        return (
            bytes, "byte \(place) is \(HexText.format([bytes[place]])) instead of \(HexText.format([packet[place]]))"
        )
    }

    private static func below(_ count: Int, _ generator: inout SeededGenerator) -> Int {
        Int(generator.next() % UInt64(max(1, count)))
    }
}

extension HandshakePacket {
    /// What a packet carries; `nil` for what is no step of a handshake, and for the parts of a long message behind its
    /// first packet.
    init?(carriedBy packet: [UInt8]) {
        if packet == LinkDetection.bytes {
            self = .detection
            return
        }
        guard packet.count >= LinkPacket.headerLength else { return nil }
        let control = LinkPacket.Control(rawValue: packet[4])
        if control.contains(.synchronize) {
            self = control.contains(.acknowledge) ? .answer : .offer
            return
        }
        let message = packet[LinkPacket.headerLength...]
        guard message.count > ControlMessage.headerLength,
            message.prefix(2).allSatisfy({ $0 == ControlMessage.startByte })
        else { return nil }
        let high = message[message.startIndex + 4]
        let low = message[message.startIndex + 5]
        switch MessageID(UInt16(high) << 8 | UInt16(low)) {
        case .requestAuthenticationCertificate: self = .certificateRequest
        case .authenticationCertificate: self = .certificate
        case .requestAuthenticationChallengeResponse: self = .challenge
        case .authenticationResponse: self = .response
        case .authenticationSucceeded, .authenticationFailed: self = .authenticationResult
        case .startIdentification: self = .identificationRequest
        case .identificationInformation: self = .identification
        case .identificationAccepted, .identificationRejected: self = .identificationResult
        case .carPlayAvailability: self = .availability
        case .carPlayStartSession: self = .startSession
        case .displayDeclaration: self = .displays
        default: return nil
        }
    }
}
