public import LinuxIO

/// Why a virtual device cannot be made or used. The machine is at fault, its kernel or its permissions.
public enum UinputError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no node of uinput: the kernel has none, or its module is not there.
    case absent(String)
    /// The node is there, and no driver behind it.
    case notLoaded(String)
    /// Permissions keep us out.
    case noAccess(String)
    /// The kernel's uinput is older than version 5 (Linux 4.5), whose calls are used here.
    case tooOld(version: UInt32)
    /// The kernel made the device, but no evdev node came within the time: its evdev module is missing, or the node is late.
    case noNode(sysname: String)
    /// udev was not done with the node within the time.
    case udevLate(node: String)
    /// Permissions keep us from seeing whether the node can be used, and did so for the whole time.
    case nodeHidden(path: String)
    /// The kernel has taken the device away again.
    case gone(sysname: String)
    /// The device's files do not answer as they must.
    case unreadable(FileError)
    /// Something else.
    case system(SystemError)

    /// What is the matter and what to do.
    public var description: String {
        switch self {
        case .absent(let path):
            "there is no \(path): load the module with \"sudo modprobe uinput\"; where there is none, the kernel has no "
                + "uinput. \"dashrig doctor\" says more"
        case .notLoaded(let path): "\(path) has no driver: load the module with \"sudo modprobe uinput\""
        case .noAccess(let path):
            "no permission to open \(path): run this as root, or see \"dashrig doctor\" for a udev rule"
        case .tooOld(let version):
            "the kernel's uinput has version \(version); 5 is needed, which came with Linux 4.5"
        case .noNode(let sysname):
            "the kernel made \(sysname), but no evdev node for it: load the module with \"sudo modprobe evdev\""
        case .udevLate(let node):
            "udev is not done with \(node) in time: see \"systemctl status systemd-udevd\"; --timeout waits longer"
        case .nodeHidden(let path):
            "no permission to look at \(path), so nobody can say when the device can be used: run this as root, or give "
                + "your user that permission; --timeout waits longer for one that comes late"
        case .gone(let sysname):
            "the kernel has taken \(sysname) away again: see \"journalctl -k\", and make it anew"
        case .unreadable(let error): "the device does not answer as it must (\(error)): see \"journalctl -k\""
        case .system(let error): error.description
        }
    }
}
