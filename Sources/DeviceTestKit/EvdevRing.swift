internal import CLinux
internal import LinuxIO

/// The kernel's queue of one open of an evdev node: a ring that drops everything it holds when it overflows, and hands
/// out whole frames only.
struct EvdevRing {
    /// One event before it has its time in the reader's form.
    struct Item: Equatable {
        var type: UInt16
        var code: UInt16
        var value: Int32
        var time: UInt64
    }

    private var items: [Item] = []
    /// How many of them belong to whole frames.
    private(set) var readable = 0
    private let size: Int

    /// How many events it holds.
    var count: Int { items.count }

    /// A ring of `size` places, a power of two: 64 for a knob.
    init(size: Int) { self.size = size }

    /// Puts an event in. The ring is full when one place is left; then all that is in it goes, and a SYN_DROPPED stands
    /// in front of the newest event.
    mutating func put(_ item: Item) {
        items.append(item)
        if items.count >= size {
            let dropped = Item(type: UInt16(EV_SYN), code: UInt16(SYN_DROPPED), value: 0, time: item.time)
            items = [dropped, item]
            readable = 0
        }
        if item.type == UInt16(EV_SYN) && item.code == UInt16(SYN_REPORT) { readable = items.count }
    }

    /// Takes up to `count` events of whole frames.
    mutating func take(_ count: Int) -> [Item] {
        let taken = Array(items.prefix(min(count, readable)))
        items.removeFirst(taken.count)
        readable -= taken.count
        return taken
    }

    /// Takes the key events out, as reading the key state does, and the frames that are empty then.
    mutating func flushKeys() {
        var kept: [Item] = []
        var readableKept = 0
        var sinceReport = 0
        for (index, item) in items.enumerated() {
            if item.type == UInt16(EV_KEY) { continue }
            let isReport = item.type == UInt16(EV_SYN) && item.code == UInt16(SYN_REPORT)
            if isReport && sinceReport == 0 { continue }
            sinceReport = isReport ? 0 : sinceReport + 1
            kept.append(item)
            if index < readable { readableKept = kept.count }
        }
        items = kept
        readable = readableKept
    }
}
