internal import CLibUSB
internal import LinuxIO

/// The eight bytes that begin a control transfer (USB 2.0, 9.3), as values.
public struct USBControlRequest: Equatable, Sendable {
    /// Direction in bit 7 (0x80 is from the device), type in bits 5 and 6, recipient in bits 0 to 4.
    public var type: UInt8
    /// Which request.
    public var request: UInt8
    /// Its value.
    public var value: UInt16
    /// Its index: mostly an interface, an endpoint or a language.
    public var index: UInt16

    /// States a request.
    public init(type: UInt8, request: UInt8, value: UInt16 = 0, index: UInt16 = 0) {
        self.type = type
        self.request = request
        self.value = value
        self.index = index
    }

    /// True when the device sends the data.
    public var isIn: Bool { type & 0x80 != 0 }
}

/// One asynchronous transfer, from its submission until libusb hands it back and no job uses it any more. The memory
/// that the kernel may write to lives exactly as long.
final class USBTransfer {
    private enum State: Equatable {
        /// The kernel has it. Awaited: its callback, or the deadline. Exits: cancelling, finished.
        case submitted
        /// It is called off. Awaited: its callback, or `until`. Exits: finished, lost.
        case cancelling(Cause, until: UInt64)
        /// libusb handed it back. Exits: none.
        case finished
        /// It never came back although it was called off. Its memory is given up, since the kernel may still write to
        /// it. Exits: finished, when it comes back after all.
        case lost
    }

    /// Why a transfer is called off.
    enum Cause: Equatable {
        case timedOut, closing, recovering
    }

    /// Who hears how it ended.
    private enum Owner {
        /// Hears it once.
        case once((USBOutcome<[UInt8]>) -> Void)
        /// Hears it after each submission and may submit it again.
        case stream((USBTransfer, USBOutcome<[UInt8]>) -> Void)
        /// Has heard it.
        case none
    }

    /// The setup packet in front of a control transfer's data.
    private static let setupSize = 8

    let pointer: UnsafeMutablePointer<libusb_transfer>
    private(set) var deadline: UInt64
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    /// Where the data begins: behind the setup packet of a control transfer.
    private let offset: Int
    private let isIn: Bool
    private var state = State.submitted
    private var cancelJobs = 0
    private var owner: Owner
    /// True when the end of this submission is on its way to the owner.
    private var isTold = false
    /// True from a submission of a stream's transfer until its owner was told how it ended.
    private(set) var isAwaited = false
    /// Gets the transfer when libusb hands it back.
    private let returned: (USBTransfer) -> Void

    /// A control transfer, not submitted yet. `length` is how many bytes are asked for, or `data` what is sent.
    init?(
        control request: USBControlRequest, data: [UInt8], length: UInt16, handle: LibUSBPointer, deadline: UInt64,
        returned: @escaping (USBTransfer) -> Void, completion: @escaping (USBOutcome<[UInt8]>) -> Void
    ) {
        let size = request.isIn ? length : UInt16(clamping: data.count)
        guard let pointer = libusb_alloc_transfer(0) else { return nil }
        self.pointer = pointer
        self.deadline = deadline
        self.returned = returned
        owner = .once(completion)
        isIn = request.isIn
        offset = Self.setupSize
        buffer = .allocate(capacity: offset + Int(size))
        buffer.initialize(repeating: 0)
        libusb_fill_control_setup(
            buffer.baseAddress, request.type, request.request, request.value, request.index, size)
        if !isIn { for (index, byte) in data.prefix(Int(size)).enumerated() { buffer[offset + index] = byte } }
        // The timeout is ours: libusb's own would call the transfer off on the loop's thread, where that can block.
        libusb_fill_control_transfer(pointer, handle.raw, buffer.baseAddress, transferReturned, nil, 0)
    }

    /// A bulk transfer, not submitted yet. Reads up to `length` bytes, or sends `data`.
    init?(
        bulk endpoint: UInt8, data: [UInt8], length: Int, handle: LibUSBPointer, deadline: UInt64,
        returned: @escaping (USBTransfer) -> Void, completion: @escaping (USBOutcome<[UInt8]>) -> Void
    ) {
        isIn = endpoint & 0x80 != 0
        guard let size = Int32(exactly: isIn ? length : data.count), size >= 0,
            let pointer = libusb_alloc_transfer(0)
        else { return nil }
        self.pointer = pointer
        self.deadline = deadline
        self.returned = returned
        owner = .once(completion)
        offset = 0
        buffer = .allocate(capacity: Int(size))
        buffer.initialize(repeating: 0)
        if !isIn { _ = buffer.update(from: data) }
        libusb_fill_bulk_transfer(pointer, handle.raw, endpoint, buffer.baseAddress, size, transferReturned, nil, 0)
    }

    /// A bulk transfer of a byte stream, used again and again: neither its memory nor its owner is replaced.
    init?(
        stream endpoint: UInt8, capacity: Int, handle: LibUSBPointer, returned: @escaping (USBTransfer) -> Void,
        completion: @escaping (USBTransfer, USBOutcome<[UInt8]>) -> Void
    ) {
        isIn = endpoint & 0x80 != 0
        guard let size = Int32(exactly: capacity), size > 0, let pointer = libusb_alloc_transfer(0) else { return nil }
        self.pointer = pointer
        deadline = .max
        state = .finished
        self.returned = returned
        owner = .stream(completion)
        offset = 0
        buffer = .allocate(capacity: capacity)
        buffer.initialize(repeating: 0)
        libusb_fill_bulk_transfer(pointer, handle.raw, endpoint, buffer.baseAddress, size, transferReturned, nil, 0)
    }

    deinit {
        libusb_free_transfer(pointer)
        buffer.deallocate()
    }

    /// Makes a transfer of a stream ready to be submitted again.
    func rearm(deadline: UInt64) {
        precondition(!isInFlight, "the kernel has this transfer")
        self.deadline = deadline
        state = .submitted
        isTold = false
        isAwaited = true
        callOffCause = nil
    }

    /// Takes back `rearm`: it was not submitted.
    func disarm() {
        state = .finished
        isAwaited = false
    }

    /// Puts bytes into an OUT transfer of a stream; as many as fit. `endsPacket` makes the device see the end: a packet
    /// of no bytes follows when the last one is full (USB 2.0, 5.8.3).
    func load(_ bytes: ArraySlice<UInt8>, endsPacket: Bool) {
        precondition(!isInFlight && !isIn, "the kernel has this transfer")
        let count = min(bytes.count, buffer.count)
        _ = buffer.update(from: bytes.prefix(count))
        pointer.pointee.length = Int32(truncatingIfNeeded: count)
        pointer.pointee.flags = endsPacket ? UInt8(LIBUSB_TRANSFER_ADD_ZERO_PACKET.rawValue) : 0
    }

    /// How many bytes the last submission moved, whatever its outcome.
    var moved: Int { min(max(Int(pointer.pointee.actual_length), 0), buffer.count - offset) }

    /// What the last submission of an IN transfer brought, whatever its outcome.
    var bytes: [UInt8] { Array(buffer[offset..<offset + moved]) }

    /// Hands it to the kernel. From then on it keeps itself alive until it is returned.
    func submit() -> Int32 {
        let reference = Unmanaged.passRetained(self)
        pointer.pointee.user_data = reference.toOpaque()
        let code = libusb_submit_transfer(pointer)
        if code != 0 { reference.release() }
        return code
    }

    /// When something must be done about it, or `nil`.
    var nextDeadline: UInt64? {
        switch state {
        case .submitted: deadline
        case .cancelling(_, let until): until
        case .finished, .lost: nil
        }
    }

    /// True while the kernel may have it.
    var isInFlight: Bool {
        switch state {
        case .submitted, .cancelling: true
        case .finished, .lost: false
        }
    }

    /// True when it was called off and `until` has passed.
    func isOverdue(_ now: UInt64) -> Bool {
        if case .cancelling(_, let until) = state { return until <= now }
        return false
    }

    /// True when its own deadline has passed and nobody called it off.
    func hasTimedOut(_ now: UInt64) -> Bool { state == .submitted && deadline <= now }

    /// Notes that it is called off; false when it was before, or is over.
    func beginCancelling(_ cause: Cause, until: UInt64) -> Bool {
        guard state == .submitted else { return false }
        state = .cancelling(cause, until: until)
        return true
    }

    /// A cancel job uses the memory: it is kept until `cancelJobEnded`.
    func cancelJobStarted() {
        cancelJobs += 1
        if cancelJobs == 1 { _ = Unmanaged.passRetained(self) }
    }

    /// The cancel job is done with the memory.
    func cancelJobEnded() {
        cancelJobs -= 1
        if cancelJobs == 0 { Unmanaged.passUnretained(self).release() }
    }

    /// Gives it up: its owner hears `stuck`, its memory stays.
    func lose() -> USBDelivery? {
        guard isInFlight else { return nil }
        state = .lost
        return delivery { .stuck }
    }

    /// The outcome for its owner, or `nil` when it has been told before.
    func takeResult() -> USBDelivery? { delivery(result) }

    private func delivery(_ outcome: () -> USBOutcome<[UInt8]>) -> USBDelivery? {
        if isTold { return nil }
        isTold = true
        return .ended(self, outcome())
    }

    /// Tells its owner.
    func tell(_ outcome: USBOutcome<[UInt8]>) {
        isAwaited = false
        switch owner {
        case .once(let completion):
            owner = .none
            completion(outcome)
        case .stream(let completion): completion(self, outcome)
        case .none: break
        }
    }

    /// libusb has handed it back.
    fileprivate func finish() {
        callOffCause = if case .cancelling(let cause, _) = state { cause } else { nil }
        state = .finished
        returned(self)
    }

    private var callOffCause: Cause?

    /// True when it came back because the device is gone.
    var foundDeviceGone: Bool { pointer.pointee.status == LIBUSB_TRANSFER_NO_DEVICE }

    private func result() -> USBOutcome<[UInt8]> {
        let transfer = pointer.pointee
        switch transfer.status {
        case LIBUSB_TRANSFER_COMPLETED:
            return .ok(isIn ? bytes : [])
        case LIBUSB_TRANSFER_CANCELLED: return callOffCause == .timedOut ? .timedOut : .cancelled
        case LIBUSB_TRANSFER_TIMED_OUT: return .timedOut
        case LIBUSB_TRANSFER_STALL: return .stalled
        case LIBUSB_TRANSFER_NO_DEVICE: return .gone
        case LIBUSB_TRANSFER_OVERFLOW: return .failed(.overflow)
        default: return .failed(USBFailure("transfer", "LIBUSB_TRANSFER_ERROR"))
        }
    }
}

/// What waits to be told on the loop, after the current work.
enum USBDelivery {
    /// Something to do.
    case work(() -> Void)
    /// A transfer that came back or was given up.
    case ended(USBTransfer, USBOutcome<[UInt8]>)

    func tell() {
        switch self {
        case .work(let work): work()
        case .ended(let transfer, let outcome): transfer.tell(outcome)
        }
    }
}

extension USBFailure {
    /// The device sent more than was asked for.
    static let overflow = USBFailure("transfer", "LIBUSB_TRANSFER_OVERFLOW")
}

/// libusb's callback. Runs on the loop's thread, inside the handling of libusb's events, so it only takes note.
private func transferReturned(_ pointer: UnsafeMutablePointer<libusb_transfer>?) {
    guard let data = pointer?.pointee.user_data else { return }
    Unmanaged<USBTransfer>.fromOpaque(data).takeRetainedValue().finish()
}
