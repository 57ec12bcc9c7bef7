internal import CLinux
internal import Glibc

/// A device's own side: what it says to control requests, and its bulk data. No I/O.
struct USBModel {
    let descriptors: [UInt8]
    /// The strings by their index; index 0 is the list of languages.
    let strings: [UInt8: String]
    let activeConfiguration: UInt8
    var behaviour: USBBehaviour
    /// The control requests it has seen: type, request, value, index.
    var requests: [(type: UInt8, request: UInt8, value: UInt16, index: UInt16)] = []
    /// What it has to send on its bulk endpoint.
    var bulkIn: [[UInt8]] = []
    /// What was sent to it.
    var bulkOut: [[UInt8]] = []

    /// The answer to a control request: its data, or `nil` for a STALL. Requests to the device are taken and forgotten.
    mutating func control(type: UInt8, request: UInt8, value: UInt16, index: UInt16) -> [UInt8]? {
        requests.append((type, request, value, index))
        switch (type, request) {
        case (0x80, 0x06): return descriptor(value)
        case (0x80, 0x08): return [activeConfiguration]
        case (0xC0, 51):  // Android accessory protocol: which version
            guard let version = behaviour.accessoryProtocol else { return nil }
            return [UInt8(version & 0xFF), UInt8(version >> 8)]
        case (0x40, 52), (0x40, 53): return behaviour.accessoryProtocol == nil ? nil : []
        case (0xC0, 0x53): return [0, 0, 0, 0]  // what a head unit asks an iPhone first; 0 is "no CarPlay"
        default: return nil
        }
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

/// One transfer that the program has handed to the kernel.
struct PendingTransfer {
    /// Where the program's `usbdevfs_urb` is.
    let address: UInt
    var block: usbdevfs_urb
    /// What the device sends with it.
    var data: [UInt8] = []
    /// When it is done, CLOCK_MONOTONIC; `nil` while nobody knows.
    var due: UInt64?
    /// True when it can be handed back.
    var isDone = false
}
