import LinuxIO
import RigModel

/// The replies that tell the events of a turn, behind each other: each is made once, however many streams tell it, and a
/// stream that its client keeps up with is sent from here.
///
/// Whoever holds a range of it must have sent or copied it before the tape is emptied, at the end of a turn at the latest.
final class EventTape {
    private var bytes: [UInt8] = []

    /// Above so many bytes it is emptied in the middle of a turn, in which there is no end of events.
    static let mark = 262_144

    var count: Int { bytes.count }

    /// Adds the reply of an event.
    func append(_ event: Event) -> Range<Int> {
        let start = bytes.count
        ReplyRendering.append(event, to: &bytes)
        return start..<bytes.count
    }

    /// Puts a part of it behind other bytes.
    func copy(_ part: Range<Int>, to output: inout [UInt8]) { output += bytes[part] }

    /// Sends a part of it.
    func send(_ part: Range<Int>, on socket: borrowing UnixConnection) -> WriteOutcome {
        bytes.withUnsafeBytes { socket.send(UnsafeRawBufferPointer(rebasing: $0[part])) }
    }

    /// Empties it and keeps its memory, unless a burst made it large.
    func removeAll() {
        if bytes.capacity > 2 * Self.mark { bytes = [] } else { bytes.removeAll(keepingCapacity: true) }
    }
}
