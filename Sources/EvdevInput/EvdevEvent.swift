public import LinuxIO
public import RigModel

/// What a reader tells its owner, in the order of the device.
public enum EvdevNotice: Equatable, Sendable {
    /// An event, whatever it is: `SYN_REPORT` and `SYN_DROPPED` too, so that the stream can be recorded and decoded
    /// elsewhere.
    case event(EvdevEvent)
    /// The keys that are down, read back from the kernel after the `SYN_REPORT` that ended a loss. Events that follow
    /// may be older than this state; they end where it says.
    case keyState(down: [UInt16], time: UInt64)
    /// The device cannot be read any more. Nothing follows; the reader has closed it.
    case gone(EvdevEnd)
}

/// Why a reader is at its end.
public enum EvdevEnd: Equatable, Sendable {
    /// The device was unplugged (ENODEV).
    case unplugged
    /// Our access was revoked, or the device failed: the errno value as text is in the error.
    case failed(SystemError)
}

/// Why a node cannot be read.
public enum EvdevError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Permissions keep us out. They may come later: udev sets them after the node is there.
    case noAccess(String)
    /// The node is not there, or its device is gone.
    case gone(String)
    /// Another program has the device to itself.
    case busy(String)
    /// The node is no evdev node.
    case notEvdev(String)
    /// Opening it does not return: its driver hangs.
    case stuck(String)
    /// The rig had no room for it; try again.
    case refused(String)
    /// Something else.
    case system(SystemError)

    /// One line.
    public var description: String {
        switch self {
        case .noAccess(let node):
            "\(node): no permission to read it; the udev rule gives it to the group dashrig-devices"
        case .gone(let node): "\(node): not there any more"
        case .busy(let node): "\(node): another program has it to itself"
        case .notEvdev(let node): "\(node): not an evdev node"
        case .stuck(let node): "\(node): opening it does not return; replug the device"
        case .refused(let node): "\(node): too many devices are being opened"
        case .system(let error): error.description
        }
    }
}
