internal import CaptureFormat
internal import DashrigClient
internal import WireBytes

/// What a capture tells, turned into the blocks of a file.
struct CaptureRecording {
    /// A session that the file has an interface for.
    private struct Entry {
        let interface: UInt32
        let start: UInt64
        var packets: UInt64 = 0
        var dropped: UInt64 = 0
        /// What the next packet says beside its bytes.
        var comments: [String]
    }

    /// How many packets the file has.
    private(set) var packets: UInt64 = 0
    /// How many bytes of links.
    private(set) var bytes: UInt64 = 0
    /// How many sessions.
    private(set) var sessions = 0
    /// How many records are missing.
    private(set) var lost: UInt64 = 0

    private var writer = CaptureWriter()
    private var realtime: UInt64 = 0
    private var open: [String: Entry] = [:]
    /// Records that are missing before the next packet.
    private var lostBefore: UInt64 = 0

    /// The file's first block. Times are those of the rig's clock, which began at its `realtime`.
    mutating func begin(_ start: CaptureStartView) -> [UInt8] {
        realtime = start.realtime
        return writer.header(
            application: "dashrig \(ToolVersion.text)",
            comment: "links of dashrigd \(start.version), epoch \(start.epoch); link type USER0 (147)")
    }

    /// The blocks for what is told; none for what a newer rig may tell.
    mutating func take(_ record: CaptureRecordView) throws(CommandLineFailure) -> [UInt8] {
        switch record.kind {
        case "opened": return begin(record, "the session begins")
        case "joined": return begin(record, "the session was there when the capture began")
        case "bytes": return try packet(record)
        case "closed": return end(record)
        case "lost":
            let (sum, overflow) = lostBefore.addingReportingOverflow(record.dropped)
            lostBefore = overflow ? .max : sum
            lost &+= record.dropped
            return []
        default: return []
        }
    }

    private func time(_ record: CaptureRecordView) -> UInt64 { realtime &+ record.time }

    private mutating func begin(_ record: CaptureRecordView, _ comment: String) -> [UInt8] {
        let parts = [
            "session \(record.session) of \(record.device), generation \(record.generation)",
            record.role.map { "the rig plays the \(StateText.words($0))" }, record.peer.map { "the peer is \($0)" },
        ]
        let interface = CaptureWriter.Interface(
            name: "\(record.device)/\(record.session)",
            description: parts.compactMap { $0 }.joined(separator: ", "))
        open[record.session] = Entry(
            interface: writer.interfaceCount, start: time(record), comments: ["\(record.session): \(comment)"])
        sessions += 1
        return writer.interface(interface)
    }

    private mutating func packet(_ record: CaptureRecordView) throws(CommandLineFailure) -> [UInt8] {
        let direction: CaptureWriter.Direction
        switch record.direction {
        case "toDevice": direction = .outbound
        case "fromDevice": direction = .inbound
        default: throw Self.strange("the direction \(record.direction ?? "(none)") is unknown")
        }
        let content: [UInt8]
        do throws(WireError) {
            content = try Base64Text.parse(record.bytes ?? "")
        } catch {
            throw Self.strange("bytes that are no Base64: \(error)")
        }
        var blocks: [UInt8] = []
        if open[record.session] == nil { blocks += begin(record, "the session's beginning is missing") }
        guard var entry = open[record.session] else { return blocks }
        if lostBefore > 0 { entry.comments.append("\(lostBefore) records are missing before this one") }
        blocks += writer.packet(
            content, interface: entry.interface, time: time(record), direction, dropped: lostBefore,
            comments: entry.comments)
        entry.packets += 1
        entry.dropped &+= lostBefore
        entry.comments = []
        open[record.session] = entry
        lostBefore = 0
        packets += 1
        bytes += UInt64(content.count)
        return blocks
    }

    private mutating func end(_ record: CaptureRecordView) -> [UInt8] {
        guard let entry = open.removeValue(forKey: record.session) else { return [] }
        let why = record.reason.map { ", \($0.code): \($0.text)" } ?? ""
        return writer.statistics(
            CaptureWriter.Statistics(
                start: entry.start, end: time(record), received: entry.packets &+ entry.dropped,
                dropped: entry.dropped), interface: entry.interface,
            comment: "\(record.session): the session is over\(why)")
    }

    private static func strange(_ text: String) -> CommandLineFailure {
        .rig(.protocolViolation("the capture cannot be read: \(text)"))
    }
}
