public import LinuxIO
public import RigModel

/// What a reader tells its owner, in the order of the device.
public enum EvdevNotice: Equatable, Sendable {
    /// A whole frame. Do not keep it: its storage is used again.
    case frame(EvdevFrame)
    /// The kernel dropped events of this node: motion is lost. Once per loss; the frames that tell how keys, axes and
    /// slots stand follow as soon as the queue is empty.
    case lost(time: UInt64)
    /// The device was to be taken for us alone once no key was held any more, and could not be. It is read all the same.
    case grabRefused(EvdevError)
    /// The device cannot be read any more. Nothing follows; the reader has closed it.
    case gone(EvdevEnd)
}

/// Why a reader is at its end.
public enum EvdevEnd: Equatable, Sendable {
    /// The device was unplugged (ENODEV, and its node is away).
    case unplugged
    /// Our access was taken away (ENODEV, but the node is there): by EVIOCREVOKE, or by a driver that starts anew. Opening
    /// it again can help.
    case revoked
    /// The device failed, by EIO for instance. Opening it again can help.
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
