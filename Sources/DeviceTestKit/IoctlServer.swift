internal import CLinux
internal import Glibc
internal import LinuxIO

/// One open of a mock node by the program under test, as umockdev's preload library reports it: a stream of frames of
/// three machine words.
final class IoctlConnection: @unchecked Sendable {
    /// What the program does with the node.
    enum Call {
        /// `ioctl(fd, request, argument)`
        case ioctl(request: UInt, argument: UInt)
        /// `read(fd, address, length)`
        case read(address: UInt, length: Int)
        /// `write(fd, address, length)`
        case write(address: UInt, length: Int)
    }

    // umockdev's numbers: 1, 7 and 8 come from the program, the others are ours.
    private static let ioctlFrame: UInt = 1
    private static let doneFrame: UInt = 3
    private static let readMemoryFrame: UInt = 5
    private static let writeMemoryFrame: UInt = 6
    private static let readFrame: UInt = 7
    private static let writeFrame: UInt = 8

    let descriptor: Int32

    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Waits for the next call, at most so many milliseconds when given. `nil` when the program has closed the node;
    /// `.some(nil)` when nothing came in time.
    func next(timeout: Int32 = -1) -> Call?? {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let ready = poll(&entry, 1, timeout)
        if ready == 0 { return .some(nil) }
        guard let frame = receiveFrame() else { return nil }
        switch frame.0 {
        case Self.ioctlFrame: return .ioctl(request: frame.1, argument: frame.2)
        case Self.readFrame: return .read(address: frame.1, length: Int(clamping: frame.2))
        case Self.writeFrame: return .write(address: frame.1, length: Int(clamping: frame.2))
        default: return nil
        }
    }

    /// Ends a call: its result, and errno when that is -1.
    func done(_ result: Int, errno number: Int32 = 0) {
        send(Self.doneFrame, UInt(bitPattern: result), UInt(bitPattern: Int(number)))
    }

    /// Ends a call with -1 and an errno value.
    func fail(_ number: Int32) { done(-1, errno: number) }

    /// Reads the program's memory.
    func memory(at address: UInt, count: Int) -> [UInt8] {
        if count <= 0 { return [] }
        send(Self.readMemoryFrame, address, UInt(count))
        var bytes = [UInt8](repeating: 0, count: count)
        return bytes.withUnsafeMutableBytes { receive(into: $0) } ? bytes : []
    }

    /// Writes the program's memory.
    func setMemory(at address: UInt, _ bytes: [UInt8]) {
        if bytes.isEmpty { return }
        send(Self.writeMemoryFrame, address, UInt(bytes.count))
        bytes.withUnsafeBytes(sendAll)
    }

    /// Writes a C value into the program's memory.
    func setMemory(at address: UInt, value: some Any) {
        setMemory(at: address, withUnsafeBytes(of: value) { Array($0) })
    }

    /// Reads a C value out of the program's memory.
    func value<Value>(at address: UInt, as type: Value.Type) -> Value? {
        let bytes = memory(at: address, count: MemoryLayout<Value>.size)
        if bytes.count < MemoryLayout<Value>.size { return nil }
        return bytes.withUnsafeBytes { $0.loadUnaligned(as: type) }
    }

    private func receiveFrame() -> (UInt, UInt, UInt)? {
        var frame: (UInt, UInt, UInt) = (0, 0, 0)
        return withUnsafeMutableBytes(of: &frame) { receive(into: $0) } ? frame : nil
    }

    private func receive(into bytes: UnsafeMutableRawBufferPointer) -> Bool {
        var got = 0
        while got < bytes.count {
            let count = recv(descriptor, bytes.baseAddress?.advanced(by: got), bytes.count - got, 0)
            if count > 0 { got += count } else if count == 0 || errno != EINTR { return false }
        }
        return true
    }

    private func send(_ first: UInt, _ second: UInt, _ third: UInt) {
        withUnsafeBytes(of: (first, second, third), sendAll)
    }

    private func sendAll(_ bytes: UnsafeRawBufferPointer) {
        var sent = 0
        while sent < bytes.count {
            let flags = Int32(MSG_NOSIGNAL)
            let count = Glibc.send(descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, flags)
            if count > 0 { sent += count } else if errno != EINTR { return }
        }
    }
}

/// Listens where umockdev's preload library looks for whoever answers a node's ioctls, and serves every open of the node
/// on a thread of its own. A server that closes a connection makes the program under test abort, so it never does first.
final class IoctlServer: Sendable {
    private let path: String
    private let listener: Int32

    /// Begins to listen; `serve` runs once per open, and returns when the program has closed the node.
    init(path: String, serve: @escaping @Sendable (IoctlConnection) -> Void) throws(SystemError) {
        self.path = path
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if descriptor < 0 { throw SystemError("socket", errno) }
        listener = descriptor
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        precondition(bytes.count < MemoryLayout.size(ofValue: address.sun_path), "\(path) is too long for a socket")
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let bound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if bound != 0 || listen(descriptor, 64) != 0 { throw SystemError("bind", errno, path) }
        TestThread.start {
            while true {
                let open = dashrig_accept4(descriptor, nil, nil, Int32(SOCK_CLOEXEC.rawValue))
                if open >= 0 {
                    TestThread.start { serve(IoctlConnection(descriptor: open)) }
                } else if errno != EINTR {
                    close(descriptor)
                    return
                }
            }
        }
    }

    /// Answers no new opens. Those that are open are served until the program closes them.
    func stop() {
        unlink(path)
        // Wakes the thread in accept, which closes the listener.
        shutdown(listener, Int32(SHUT_RDWR))
    }
}
