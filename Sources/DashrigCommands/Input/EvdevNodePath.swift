internal import DashrigClient
internal import Glibc
internal import LinuxIO

/// The node of an input device, however it was named.
enum EvdevNodePath {
    /// Where the kernel lists input devices.
    private static let list = "/sys/class/input"

    /// A path, `event3`, or the name of one of the rig's input devices.
    static func find(_ name: String, _ call: Invocation) throws(CommandLineFailure) -> String {
        if name.contains("/") { return name }
        if isNode(name) { return "/dev/input/\(name)" }
        let state = try call.ask { [call] () throws(ClientFailure) in
            try RigConnection(
                socketDirectory: call.access.directory, timeout: call.access.callTimeout,
                interrupt: call.access.interrupt
            ).state()
        }
        guard let device = state.device(name) else {
            throw .failed(name: .unknownDevice, text: "the rig has no device \"\(name)\"; DEVICE may be a path too")
        }
        let found = nodes(at: device.port)
        switch found.count {
        case 0: throw .failed(name: .noNode, text: "\(name) has no evdev node at \(device.port); give its path")
        case 1: return "/dev/input/\(found[0])"
        default:
            throw .failed(
                name: .severalNodes,
                text: "\(name) has several nodes, record one: "
                    + found.map { "/dev/input/\($0)" }.joined(separator: ", "))
        }
    }

    /// The nodes at a place as the rig tells it: a USB port, what the driver says, or the place in sysfs.
    private static func nodes(at port: String) -> [String] {
        guard !port.isEmpty, let names = try? DirectoryTree.list(list) else { return [] }
        return names.filter(isNode).filter { name in
            guard let resolved = realpath("\(list)/\(name)", nil) else { return false }
            defer { free(resolved) }
            // `.../input/input7/event5`: what the driver says stands in the folder above.
            let parts = String(cString: resolved).split(separator: "/")
            let device = "/" + parts.dropLast().joined(separator: "/")
            let phys = (try? FileContents.read("\(device)/phys", limit: 4_096)) ?? []
            return parts.contains { $0 == port }
                || phys.split(separator: UInt8(ascii: "\n")).first.map { Array($0) } == Array(port.utf8)
        }
    }

    private static func isNode(_ name: String) -> Bool {
        name.hasPrefix("event") && name.utf8.count > 5
            && name.dropFirst(5).utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
