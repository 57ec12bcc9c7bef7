public import LinuxIO

/// Who has what we wanted.
public struct USBHolder: Equatable, Sendable, CustomStringConvertible {
    /// The kernel driver that is bound to the interface; `usbfs` stands for another program.
    public let driver: String?
    /// The program that has the node open, where we are allowed to see it.
    public let program: String?
    /// That program's process, where we are allowed to see it.
    public let process: Int32?

    /// States a holder.
    public init(driver: String? = nil, program: String? = nil, process: Int32? = nil) {
        self.driver = driver
        self.program = program
        self.process = process
    }

    /// For a person: `gvfsd-mtp (812)`, `the driver usb-storage`, `another program`.
    public var description: String {
        if let program, let process { return "\(program) (\(process))" }
        if let driver, driver != "usbfs" { return "the driver \(driver)" }
        return "another program"
    }
}

/// How something that was asked of a USB device ended. Every way is normal in the life of a cable, so none is thrown.
public enum USBOutcome<Value> {
    /// It was done.
    case ok(Value)
    /// Somebody else has the device or the interface. Try again when they let go.
    case busy(USBHolder?)
    /// Permissions keep us out: the udev rule or the group of the service.
    case noAccess
    /// The device is not there any more, or another one is in its place.
    case gone
    /// A call to the kernel does not return. The device is left alone until it is replugged.
    case stuck
    /// The device did not answer in time; it may later.
    case timedOut
    /// The device refused this request (a STALL); it works otherwise.
    case stalled
    /// It was called off: the device is being closed.
    case cancelled
    /// The rig itself had no room for it.
    case refused(JobRefusal)
    /// Something else, named as libusb or the kernel names it.
    case failed(USBFailure)

    /// What a successful outcome holds.
    public var value: Value? {
        if case .ok(let value) = self { return value }
        return nil
    }
}

extension USBOutcome: Equatable where Value: Equatable {}
extension USBOutcome: Sendable where Value: Sendable {}

/// An error of libusb or the kernel that has no outcome of its own.
public struct USBFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was being done: `claim interface 1`.
    public let action: String
    /// The error's symbolic name: `LIBUSB_ERROR_IO`, `EMFILE`.
    public let name: String

    /// States a failure.
    public init(_ action: String, _ name: String) {
        self.action = action
        self.name = name
    }

    /// One line.
    public var description: String { "\(action): \(name)" }
}
