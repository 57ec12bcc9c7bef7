internal import ControlProtocol

/// The messages of a control stream that comes in pieces, and what lies between them.
///
/// After garbage the search goes on at the next two start bytes; a machine ends the session there, but who looks at the
/// bytes wants to see what follows. At most one message is held.
struct ControlAssembly {
    private var held: [UInt8] = []
    /// Pieces of which bytes are held.
    private var pieces = 0

    /// Whether no message has begun that is not whole.
    var isEmpty: Bool { held.isEmpty }

    /// The messages that this piece completes. Offsets are those of the piece; those of a message that began in an
    /// earlier piece count from its own start.
    mutating func take(_ piece: ArraySlice<UInt8>) -> [DecodedPart] {
        var parts: [DecodedPart] = []
        let rest = held.isEmpty ? piece : takeHeld(piece, into: &parts)
        guard let rest else { return parts }
        let left = ControlInspection.walk(rest) { parts.append($0) }
        if !left.isEmpty {
            held = Array(left)
            pieces = 1
            parts.append(pending(left))
        }
        return parts
    }

    /// Completes what began in earlier pieces. Answers what of the piece is behind it; nothing when it is not whole yet.
    private mutating func takeHeld(
        _ piece: ArraySlice<UInt8>, into parts: inout [DecodedPart]
    ) -> ArraySlice<UInt8>? {
        let before = held.count
        let all = held + piece
        pieces += 1
        var place = 0
        while place < before {
            switch ControlInspection.begin(all[place...]) {
            case .message(let length):
                // A copy, so that offsets count from the message's start.
                var message = ControlInspection.message(Array(all[place..<place + length])[...])
                message.note = (message.note.map { $0 + ", " } ?? "") + "from \(pieces) packets, offsets from its start"
                parts.append(message)
                place += length
            case .garbage(let count):
                var garbage = ControlInspection.garbage(all[place..<place + count])
                garbage.offset = piece.startIndex
                garbage.note = "it began in an earlier packet"
                parts.append(garbage)
                place += count
            case .unfinished:
                held = Array(all[place...])
                parts.append(pending(piece))
                return nil
            }
        }
        held = []
        pieces = 0
        return piece.dropFirst(place - before)
    }

    /// That more is to come; the packet holds the beginning or the middle of a message.
    private func pending(_ piece: ArraySlice<UInt8>) -> DecodedPart {
        var part = DecodedPart("messagePart", at: piece.startIndex, length: piece.count, .bytes(Array(piece)))
        if let length = ControlInspection.length(held[...]) {
            part.note = "\(held.count) of \(length) bytes so far"
        } else {
            part.note = "\(held.count) bytes so far"
        }
        return part
    }

    /// What has begun and never became whole, at the end of everything.
    func unfinished(at end: Int) -> DecodedPart? {
        guard !held.isEmpty else { return nil }
        var part = ControlInspection.unfinished(held[...])
        part.offset = end
        part.length = 0
        return part
    }
}
