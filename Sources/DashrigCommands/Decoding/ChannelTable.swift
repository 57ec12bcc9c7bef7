internal import ControlProtocol
internal import LinkProtocol
internal import WireBytes

/// What the payloads of packets mean: synchronisation, missing packets, and the streams of the channels.
struct ChannelTable {
    /// What each channel was declared as, by its id.
    private var kinds = [LinkChannel?](repeating: nil, count: 256)
    private var isDeclared = false
    /// The control messages that are being put together, by the channel's id.
    private var assemblies: [ControlAssembly?] = Array(repeating: nil, count: 256)
    /// Where the payload of the last packet of each sequence number lies, to know one that came twice.
    private var payloads = [ArraySlice<UInt8>?](repeating: nil, count: 256)

    /// The parts that a payload is made of. Only sound payloads go into streams.
    mutating func take(_ header: LinkPacketView, payload: ArraySlice<UInt8>) -> [DecodedPart] {
        if header.control.contains(.synchronize) { return synchronization(payload, isSound: header.isPayloadSound) }
        if header.control.contains(.extendedAcknowledge) {
            let missing = DecodedPart.Value.numbers(payload.map(UInt64.init), names: [])
            return [DecodedPart("missing", at: payload.startIndex, length: payload.count, missing)]
        }
        guard header.isPayloadSound else { return [raw(payload)] }
        let id = Int(header.channelID)
        switch kind(id, payload) {
        case .control?:
            if payloads[Int(header.sequence)] == payload, assemblies[id]?.isEmpty == false {
                return [raw(payload, note: "sent again")]
            }
            payloads[Int(header.sequence)] = payload
            var assembly = assemblies[id] ?? ControlAssembly()
            assemblies[id] = nil
            defer { assemblies[id] = assembly }
            return assembly.take(payload)
        case .fileTransfer?: return [ChannelPayload.fileTransfer(payload)]
        case .externalAccessory?: return [ChannelPayload.externalAccessory(payload)]
        case nil: return [raw(payload)]
        }
    }

    /// What a channel carries: as declared, else as its payload looks.
    private func kind(_ id: Int, _ payload: ArraySlice<UInt8>) -> LinkChannel? {
        if isDeclared { return kinds[id] }
        let looksLikeControl = payload.starts(with: [ControlMessage.startByte, ControlMessage.startByte])
        return looksLikeControl || assemblies[id]?.isEmpty == false ? .control : nil
    }

    private func raw(_ payload: ArraySlice<UInt8>, note: String? = nil) -> DecodedPart {
        DecodedPart("payload", at: payload.startIndex, length: payload.count, .bytes(Array(payload)), note: note)
    }

    /// Messages that were not whole at the end.
    mutating func unfinished(at end: Int) -> [DecodedPart] {
        assemblies.indices.compactMap { id in
            guard let rest = assemblies[id]?.unfinished(at: end) else { return nil }
            var part = rest
            part.id = UInt64(id)
            part.title = "channel"
            return part
        }
    }

    // MARK: Payloads that are no stream

    private mutating func synchronization(_ payload: ArraySlice<UInt8>, isSound: Bool) -> [DecodedPart] {
        let parsed: LinkSynchronization
        do throws(WireError) {
            parsed = try LinkSynchronization(parsing: payload)
        } catch {
            var part = raw(payload)
            part.problem = "no synchronisation: \(error.moved(by: payload.startIndex))"
            return [part]
        }
        if isSound {
            kinds = Array(repeating: nil, count: 256)
            for channel in parsed.channels { kinds[Int(channel.id)] = channel.channel }
            isDeclared = true
        }
        var place = payload.startIndex
        func field(_ name: String, _ length: Int, _ value: UInt64, _ note: String? = nil) -> DecodedPart {
            defer { place += length }
            return DecodedPart(name, at: place, length: length, .number(value), note: note)
        }
        var part = DecodedPart("synchronization", at: payload.startIndex, length: payload.count)
        part.note = Self.remark(parsed)
        part.parts = [
            field("version", 1, UInt64(parsed.version)),
            field("maximumOutstandingPackets", 1, UInt64(parsed.maximumOutstandingPackets)),
            field("maximumPacketLength", 2, UInt64(parsed.maximumPacketLength), "bytes"),
            field("retransmissionTimeout", 2, UInt64(parsed.retransmissionTimeout), "ms"),
            field("acknowledgementTimeout", 2, UInt64(parsed.acknowledgementTimeout), "ms"),
            field("maximumRetransmissions", 1, UInt64(parsed.maximumRetransmissions)),
            field("maximumCumulativeAcknowledgements", 1, UInt64(parsed.maximumCumulativeAcknowledgements)),
        ]
        for channel in parsed.channels {
            var entry = DecodedPart("channel", at: place, length: 3, title: Self.title(channel))
            entry.id = UInt64(channel.id)
            entry.parts = [
                field("id", 1, UInt64(channel.id)), field("type", 1, UInt64(channel.type)),
                field("version", 1, UInt64(channel.version)),
            ]
            part.parts.append(entry)
        }
        return [part]
    }

    private static func remark(_ parsed: LinkSynchronization) -> String? {
        do throws(LinkParameterError) {
            try parsed.validate()
            return parsed.isWithoutAcknowledgements ? "no acknowledgements" : nil
        } catch {
            return "outside of what is legal: \(error)"
        }
    }

    private static func title(_ channel: LinkChannelDeclaration) -> String {
        switch channel.channel {
        case .control?: "control"
        case .fileTransfer?: "fileTransfer"
        case .externalAccessory?: "externalAccessory"
        case nil: "unknown"
        }
    }
}
