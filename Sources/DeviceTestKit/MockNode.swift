internal import CLinux
internal import Glibc
internal import LinuxIO

/// A FIFO where the program under test expects a device node, so that it can be waited for with epoll. What can be read
/// from it says nothing but "ready"; the data go through the ioctl server.
final class MockNode: Sendable {
    private let path: String
    private let hiddenPath: String
    private let descriptor: Int32

    /// Makes the FIFO and the folders above it. A hidden one is not at its path before `reveal`.
    init(path: String, hidden: Bool = false) throws(SystemError) {
        self.path = path
        hiddenPath = path + ".late"
        makeFolders(above: path)
        unlink(path)
        let first = hidden ? hiddenPath : path
        if mkfifo(first, 0o660) != 0 { throw SystemError("mkfifo", errno, first) }
        descriptor = open(first, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        if descriptor < 0 { throw SystemError("open", errno, first) }
        // One page, so that filling it is quick.
        _ = fcntl(descriptor, Self.setPipeSize, 4_096)
    }

    deinit { close(descriptor) }

    /// F_SETPIPE_SZ, which glibc shows only with _GNU_SOURCE.
    private static let setPipeSize: Int32 = 1_031

    /// Ready to read while `ready`, as an evdev node with events.
    func setReadable(_ ready: Bool) {
        drain()
        if ready { fill(1) }
    }

    /// Ready to write while `ready`, as a USB node with a transfer to hand back.
    func setWritable(_ ready: Bool) {
        if ready { drain() } else { fill(4_096) }
    }

    /// Sets the permissions, wherever the FIFO is.
    func setMode(_ mode: UInt32) {
        if chmod(path, mode) != 0 { _ = chmod(hiddenPath, mode) }
    }

    /// Puts a hidden FIFO where it belongs.
    func reveal() { rename(hiddenPath, path) }

    /// Takes the FIFO away, as udev takes a node away. Whoever has it open keeps it.
    func remove() {
        unlink(path)
        unlink(hiddenPath)
    }

    private func drain() {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while read(descriptor, &buffer, buffer.count) > 0 {}
    }

    private func fill(_ count: Int) {
        let buffer = [UInt8](repeating: 0, count: count)
        while write(descriptor, buffer, count) > 0 && count > 1 {}
        if count > 1 { while write(descriptor, buffer, 1) > 0 {} }
    }
}

/// Makes every folder above a path.
func makeFolders(above path: String) {
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
        folder += "/" + part
        mkdir(folder, 0o755)
    }
}
