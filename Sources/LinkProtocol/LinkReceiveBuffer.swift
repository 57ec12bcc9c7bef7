/// Payloads that came out of order and wait for an earlier one, by their number.
///
/// A window has at most 127 packets, so the low seven bits of a number tell those in it apart. The memory of small
/// payloads is kept for the next ones.
struct LinkReceiveBuffer: Sendable {
    private struct Slot: Sendable {
        var isFilled = false
        var channelID: UInt8 = 0
        var payload: [UInt8] = []
    }

    private static let slotCount = 128
    /// The most memory that an empty slot keeps, in bytes. Ours: two packets of the length that accessories take.
    private static let idleCapacity = 8_192

    /// Made with the first packet that comes out of order.
    private var slots: [Slot] = []
    /// Payloads held.
    private(set) var count = 0
    /// Bytes held.
    private(set) var byteCount = 0

    private func index(_ sequence: UInt8) -> Int { Int(sequence) & (Self.slotCount - 1) }

    func holds(_ sequence: UInt8) -> Bool { count > 0 && slots[index(sequence)].isFilled }

    mutating func hold(_ payload: ArraySlice<UInt8>, channelID: UInt8, sequence: UInt8) {
        if slots.isEmpty { slots = [Slot](repeating: Slot(), count: Self.slotCount) }
        let index = index(sequence)
        slots[index].isFilled = true
        slots[index].channelID = channelID
        slots[index].payload.append(contentsOf: payload)
        count += 1
        byteCount += payload.count
    }

    /// The channel of a payload that is held.
    func channelID(_ sequence: UInt8) -> UInt8 { slots[index(sequence)].channelID }

    /// The bytes of a payload that is held.
    func payload(_ sequence: UInt8) -> ArraySlice<UInt8> { slots[index(sequence)].payload[...] }

    /// Forgets a payload that is held.
    mutating func release(_ sequence: UInt8) {
        let index = index(sequence)
        slots[index].isFilled = false
        count -= 1
        byteCount -= slots[index].payload.count
        slots[index].payload.removeAll(keepingCapacity: slots[index].payload.capacity <= Self.idleCapacity)
    }
}

/// A set of packet numbers.
struct LinkSequenceSet: Sendable {
    private var words: [4 of UInt64] = .init(repeating: 0)
    private(set) var isEmpty = true

    func contains(_ sequence: UInt8) -> Bool { words[Int(sequence >> 6)] >> UInt64(sequence & 63) & 1 == 1 }

    mutating func insert(_ sequence: UInt8) {
        words[Int(sequence >> 6)] |= 1 << UInt64(sequence & 63)
        isEmpty = false
    }

    mutating func removeAll() {
        words = .init(repeating: 0)
        isEmpty = true
    }
}
