import CLinux
import Glibc
import LinuxIO

/// A folder of one test's own, removed with everything in it.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/dashrig-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError("mkdtemp", errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    func file(_ name: String) -> String { path + "/" + name }

    private static func remove(_ path: String) {
        for name in (try? DirectoryTree.list(path)) ?? [] {
            let entry = path + "/" + name
            if unlink(entry) != 0 { remove(entry) }
        }
        rmdir(path)
    }
}

/// A time that only a hanging test reaches.
func never() -> UInt64 { SystemClock.monotonicNow() + 60_000_000_000 }

func milliseconds(_ count: UInt64) -> UInt64 { SystemClock.monotonicNow() + count * 1_000_000 }

/// The permission bits of what is at a path.
func permissions(_ path: String) -> UInt32 {
    var facts = stat()
    return lstat(path, &facts) == 0 ? facts.st_mode & 0o7777 : 0
}

/// A datagram socket bound to a path: plays the journal and the service manager.
final class DatagramReceiver {
    let path: String
    let descriptor: Int32

    init(_ path: String) throws {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        let address = try sockaddr_un(path: path)
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw SystemError("bind", errno, path) }
    }

    deinit { close(descriptor) }

    /// The next message, nil when there is none.
    func next() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count >= 0 ? Array(buffer.prefix(count)) : nil
    }

    /// The descriptor that the next message carries, and the message.
    func nextWithDescriptor() -> (bytes: [UInt8], descriptor: Int32)? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        var control = [UInt8](repeating: 0, count: 64)
        return buffer.withUnsafeMutableBytes { bytes in
            control.withUnsafeMutableBytes { control in
                var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    message.msg_iov = part
                    message.msg_iovlen = 1
                    message.msg_control = control.baseAddress
                    message.msg_controllen = control.count
                    let count = recvmsg(descriptor, &message, Int32(MSG_CMSG_CLOEXEC))
                    guard count >= 0, message.msg_controllen >= 20 else { return nil }
                    // One header of 16 bytes, then the number.
                    return (Array(bytes.prefix(count)), control.loadUnaligned(fromByteOffset: 16, as: Int32.self))
                }
            }
        }
    }
}

extension sockaddr_un {
    init(path: String) throws {
        self.init()
        sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        try withUnsafeMutableBytes(of: &sun_path) {
            guard bytes.count < $0.count else { throw SystemError("bind", ENAMETOOLONG, path) }
            $0.copyBytes(from: bytes)
        }
    }
}
