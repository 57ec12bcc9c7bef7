public import RigModel

/// One record of a raw CAN socket: `struct can_frame` of linux/can.h, 16 bytes.
public enum CANRecord: Equatable, Sendable {
    /// A frame with data, of no time yet.
    case frame(CANFrame)
    /// The bus tells what is wrong with it.
    case busError(CANBusError)

    /// Bytes of a record (CAN_MTU).
    public static let size = 16
    /// CAN_EFF_FLAG, CAN_RTR_FLAG and CAN_ERR_FLAG.
    static let extended: UInt32 = 0x8000_0000
    static let request: UInt32 = 0x4000_0000
    static let error: UInt32 = 0x2000_0000

    /// Reads a record; `nil` for one that is cut off, for a request for data, and for an error that says nothing for us.
    public init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.size else { return nil }
        let word = bytes.loadUnaligned(as: UInt32.self)
        if word & Self.error != 0 {
            guard let error = CANBusError(classes: word & 0x1FFF_FFFF, controller: bytes[9]) else { return nil }
            self = .busError(error)
            return
        }
        guard word & Self.request == 0 else { return nil }
        let id = word & Self.extended != 0 ? CANIdentifier(extended: word) : CANIdentifier(word)
        let length = min(Int(bytes[4]), CANFrame.maximumBytes)
        self = .frame(CANFrame(id: id, data: bytes[8..<8 + length]))
    }

    /// A frame as the socket takes it.
    public static func bytes(of frame: CANFrame) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: size)
        let word = frame.id.number | (frame.id.isExtended ? extended : 0)
        withUnsafeBytes(of: word) { for (place, byte) in $0.enumerated() { bytes[place] = byte } }
        bytes[4] = UInt8(truncatingIfNeeded: frame.count)
        for place in 0..<frame.count { bytes[8 + place] = frame.byte(place) ?? 0 }
        return bytes
    }
}

/// What a CAN controller says of its bus (linux/can/error.h).
public enum CANBusError: String, Equatable, Sendable {
    /// It has switched itself off after too many errors (CAN_ERR_BUSOFF); whoever set the interface up restarts it.
    case off
    /// It was restarted after that (CAN_ERR_RESTARTED).
    case restarted
    /// It no longer disturbs others with its errors, of which there were many (CAN_ERR_CRTL_RX_PASSIVE, _TX_PASSIVE).
    case passive
    /// It received more than could be read (CAN_ERR_CRTL_RX_OVERFLOW).
    case overflow

    /// The gravest of what an error frame says; `nil` for none of these.
    init?(classes: UInt32, controller: UInt8) {
        if classes & 0x40 != 0 {
            self = .off
        } else if classes & 0x100 != 0 {
            self = .restarted
        } else if classes & 0x04 != 0 && controller & 0x01 != 0 {
            self = .overflow
        } else if classes & 0x04 != 0 && controller & 0x30 != 0 {
            self = .passive
        } else {
            return nil
        }
    }
}
