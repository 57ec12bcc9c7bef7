internal import CLinux
internal import Glibc
internal import LinuxIO

/// The sockets on which programs under test listen for uevents: `event<number>` in the testbed's folder.
///
/// The kernel queues ten messages for such a socket (net.unix.max_dgram_qlen), and umockdev ends the test program when
/// there is no room. So nothing is sent before there is.
enum ListenerQueues {
    /// Waits until every listener has room for one more message, calling `idle` meanwhile. False after ten seconds.
    static func waitForRoom(_ root: String, idle: () -> Void) -> Bool {
        let end = SystemClock.monotonicNow() + 10_000_000_000
        for name in (try? DirectoryTree.list(root)) ?? [] where isListener(name) {
            while !hasRoom("\(root)/\(name)") {
                if SystemClock.monotonicNow() >= end { return false }
                idle()
            }
        }
        return true
    }

    private static func isListener(_ name: String) -> Bool {
        name.hasPrefix("event") && name.utf8.count > 5 && name.utf8.dropFirst(5).allSatisfy { $0 >= 48 && $0 <= 57 }
    }

    /// True when a message could be sent, and when nobody listens any more.
    private static func hasRoom(_ path: String) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if descriptor < 0 { return true }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8).prefix($0.count - 1)) }
        let connected = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if connected != 0 { return true }
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&entry, 1, 0) != 0
    }
}
