internal import LinkProtocol
internal import WireBytes

/// Everything that the bytes of a link say, in order: packets, detection, garbage, and what ends too early.
///
/// Packets are found where `LinkPacketDecoder` finds them; what it drops is shown with what is wrong about it. The
/// bytes of both directions may be mixed, as in a transcript.
struct LinkInspection {
    private let bytes: [UInt8]
    private var channels = ChannelTable()

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Goes through all of it and tells one part after the other.
    mutating func run(_ tell: (DecodedPart) -> Void) {
        var place = 0
        while place < bytes.count {
            let begin = Begin(bytes[place...])
            let part: DecodedPart
            switch begin {
            case .detection: part = DecodedPart("detection", at: place, length: LinkDetection.bytes.count)
            case .packet(let length):
                part = packet(bytes[place..<place + length])
                place += length
                tell(part)
                continue
            case .damaged:
                part = damaged(bytes[place..<nextBegin(behind: place)])
            case .unfinished(let needed):
                part = unfinished(bytes[place...], needed: needed)
            case .garbage:
                let end = nextBegin(behind: place)
                var run = DecodedPart("garbage", at: place, length: end - place, .bytes(Array(bytes[place..<end])))
                run.problem = "no packet begins here; \(counted(end - place, "byte")) before the next one"
                if end == bytes.count { run.problem = "no packet begins here" }
                part = run
            }
            place += part.length
            tell(part)
        }
        for part in channels.unfinished(at: bytes.count) { tell(part) }
    }

    /// What begins at a place.
    private enum Begin {
        case detection
        /// A sound header; the packet is all there.
        case packet(length: Int)
        /// The start of a packet whose header is wrong.
        case damaged
        /// It goes on behind the last byte; so many are needed in all, as far as is known.
        case unfinished(needed: Int)
        case garbage

        init(_ bytes: ArraySlice<UInt8>) {
            let first = bytes.startIndex
            guard bytes[first] == LinkPacket.start.0 else {
                self = .garbage
                return
            }
            guard bytes.count >= 2 else {
                self = .unfinished(needed: 2)
                return
            }
            if bytes[first + 1] != LinkPacket.start.1 {
                let detection = LinkDetection.bytes
                guard detection.starts(with: bytes.prefix(detection.count)) else {
                    self = .garbage
                    return
                }
                self = bytes.count >= detection.count ? .detection : .unfinished(needed: detection.count)
                return
            }
            guard bytes.count >= LinkPacket.headerLength else {
                self = .unfinished(needed: LinkPacket.headerLength)
                return
            }
            let length = LinkInspection.length(bytes)
            guard Checksum.isValid(bytes.prefix(LinkPacket.headerLength)), LinkInspection.isLegal(length) else {
                self = .damaged
                return
            }
            self = bytes.count >= length ? .packet(length: length) : .unfinished(needed: length)
        }
    }

    private func nextBegin(behind place: Int) -> Int {
        var next = place + 1
        while let found = bytes[next...].firstIndex(of: LinkPacket.start.0) {
            if case .garbage = Begin(bytes[found...]) { next = found + 1 } else { return found }
        }
        return bytes.count
    }

    private static func length(_ packet: ArraySlice<UInt8>) -> Int {
        Int(packet[packet.startIndex + 2]) << 8 | Int(packet[packet.startIndex + 3])
    }

    /// A header alone, or a header, a payload and its checksum.
    private static func isLegal(_ length: Int) -> Bool {
        length >= LinkPacket.headerLength && length != LinkPacket.overhead
    }

    // MARK: Packets

    /// A packet with a sound header, whole.
    private mutating func packet(_ bytes: ArraySlice<UInt8>) -> DecodedPart {
        let header = LinkPacketView(bytes)
        var part = DecodedPart(
            "packet", at: bytes.startIndex, length: bytes.count, title: header.title)
        part.note = counted(bytes.count, "byte")
        part.parts = header.fields
        if let payload = header.payload {
            part.parts += channels.take(header, payload: payload)
            part.parts.append(header.payloadChecksum)
        }
        return part
    }

    /// A packet whose header is wrong, with the bytes up to where the next one may begin.
    private func damaged(_ bytes: ArraySlice<UInt8>) -> DecodedPart {
        var part = DecodedPart("packet", at: bytes.startIndex, length: bytes.count)
        guard bytes.count >= LinkPacket.headerLength else {
            part.value = .bytes(Array(bytes))
            part.problem = "another packet begins inside of its header"
            return part
        }
        let header = LinkPacketView(bytes)
        part.title = header.title
        part.note = "dropped by who receives it"
        part.parts = header.fields
        let length = Self.length(bytes)
        if !Self.isLegal(length) {
            part.parts[0].problem = "no packet has this length"
        }
        let rest = bytes.dropFirst(LinkPacket.headerLength)
        guard !rest.isEmpty else { return part }
        if Self.isLegal(length), length == bytes.count, let payload = header.payload {
            part.parts.append(
                DecodedPart("payload", at: payload.startIndex, length: payload.count, .bytes(Array(payload))))
            part.parts.append(header.payloadChecksum)
        } else {
            part.parts.append(DecodedPart("rest", at: rest.startIndex, length: rest.count, .bytes(Array(rest))))
        }
        return part
    }

    /// What ends before it is whole.
    private func unfinished(_ bytes: ArraySlice<UInt8>, needed: Int) -> DecodedPart {
        var part = DecodedPart("incomplete", at: bytes.startIndex, length: bytes.count)
        guard bytes.count >= LinkPacket.headerLength else {
            part.value = .bytes(Array(bytes))
            part.problem = "the beginning of a packet or a detection; it ends after \(counted(bytes.count, "byte"))"
            return part
        }
        let header = LinkPacketView(bytes)
        part.title = header.title
        part.problem = "a packet of \(needed) bytes, of which \(bytes.count) are there"
        part.parts = header.fields
        let rest = bytes.dropFirst(LinkPacket.headerLength)
        if !rest.isEmpty {
            part.parts.append(DecodedPart("payload", at: rest.startIndex, length: rest.count, .bytes(Array(rest))))
        }
        return part
    }
}

/// `1 byte`, `2 bytes`.
func counted(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
