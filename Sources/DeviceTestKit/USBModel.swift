internal import CLinux
internal import Glibc

/// A device's own side: what it says to control requests, and its bulk data. No I/O.
struct USBModel {
    let descriptors: [UInt8]
    /// The strings by their index; index 0 is the list of languages.
    let strings: [UInt8: String]
    var activeConfiguration: UInt8
    var behaviour: USBBehaviour
    /// The control requests it has seen: type, request, value, index.
    var requests: [(type: UInt8, request: UInt8, value: UInt16, index: UInt16)] = []
    /// The strings of the accessory protocol that it was sent.
    var accessoryStrings: [String] = []
    /// The packets it has to send on its bulk endpoint.
    var packetsIn: [[UInt8]] = []
    /// What was sent to it; a packet of no bytes behind a full one is an entry of its own.
    var bulkOut: [[UInt8]] = []
    /// The same, for a peer that has not seen it yet.
    var forPeer: [[UInt8]] = []
    var hasPeer = false
    /// Endpoints that refuse.
    var halts: [UInt8: USBHalt] = [:]
    /// errno values with which the next transfers of an endpoint fail, the first one first.
    var failures: [UInt8: [Int32]] = [:]
    /// What else the program did, in order.
    var deeds: [USBMock.Deed] = []

    /// The answer to a control request: its data, or `nil` for a STALL. Requests to the device are taken and forgotten.
    mutating func control(type: UInt8, request: UInt8, value: UInt16, index: UInt16) -> [UInt8]? {
        requests.append((type, request, value, index))
        switch (type, request) {
        case (0x80, 0x06): return descriptor(value)
        case (0x80, 0x08): return [activeConfiguration]
        case (0x02, 0x01): return []  // clear a halt; the kernel's own call then ends it here
        case (0xC0, 51):  // Android accessory protocol: which version
            guard let version = behaviour.accessoryProtocol else { return nil }
            return [UInt8(version & 0xFF), UInt8(version >> 8)]
        case (0x40, 52), (0x40, 53): return behaviour.accessoryProtocol == nil ? nil : []
        case (0xC0, 0x45): return behaviour.appleMode
        case (0xC0, 0x53): return behaviour.appleCapabilities  // what a head unit asks an iPhone first
        case (0x40, 0x51): return behaviour.takesRoleSwitch ? [] : nil
        default: return nil
        }
    }

    /// The most bytes of one packet of an endpoint, as the first descriptor says that names it; 512 for an unknown one.
    func packetSize(_ endpoint: UInt8) -> Int {
        var offset = 0
        while offset + 1 < descriptors.count, descriptors[offset] >= 2 {
            let length = Int(descriptors[offset])
            if descriptors[offset + 1] == 5, length >= 7, offset + 6 < descriptors.count,
                descriptors[offset + 2] == endpoint
            {
                return max(1, Int(descriptors[offset + 4]) | Int(descriptors[offset + 5] & 7) << 8)
            }
            offset += length
        }
        return 512
    }

    /// Takes what the program sent on a bulk OUT endpoint.
    mutating func take(_ bytes: [UInt8], endsPacket: Bool, endpoint: UInt8) {
        var parts = [bytes]
        if endsPacket && !bytes.isEmpty && bytes.count.isMultiple(of: packetSize(endpoint)) { parts.append([]) }
        bulkOut += parts
        if hasPeer { forPeer += parts }
    }

    /// Has bytes to send, as packets; `ending` with one of no bytes when the last one is full.
    mutating func give(_ bytes: [UInt8], ending: Bool, endpoint: UInt8) {
        let size = packetSize(endpoint)
        var rest = bytes[...]
        while !rest.isEmpty {
            packetsIn.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        if bytes.isEmpty || ending && bytes.count.isMultiple(of: size) { packetsIn.append([]) }
    }

    private func descriptor(_ value: UInt16) -> [UInt8]? {
        switch value >> 8 {
        case 1: return Array(descriptors.prefix(18))
        case 3:
            let index = UInt8(truncatingIfNeeded: value)
            if index == 0 { return [4, 3, 0x09, 0x04] }
            guard let text = strings[index] else { return nil }
            let bytes = text.utf16.prefix(126).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            return [UInt8(2 + bytes.count), 3] + bytes
        default: return nil
        }
    }
}

/// An endpoint that refuses.
enum USBHalt {
    /// The next transfer is refused after so many bytes.
    case armed(after: Int)
    /// It is halted: transfers wait until the halt is cleared.
    case halted
}

/// One transfer that the program has handed to the kernel.
struct PendingTransfer {
    /// Where the program's `usbdevfs_urb` is.
    let address: UInt
    var block: usbdevfs_urb
    /// What the device sends with it, or what is sent to the device.
    var data: [UInt8] = []
    /// When it is done, CLOCK_MONOTONIC; `nil` while nobody knows.
    var due: UInt64?
    /// True when it can be handed back.
    var isDone = false
    /// Ends it with a status: 0, or a negative errno value.
    mutating func finish(_ status: Int32) {
        block.status = status
        isDone = true
    }
}
