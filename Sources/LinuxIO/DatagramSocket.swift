internal import CLinux
internal import Glibc

/// An unbound, non-blocking Unix datagram socket with one receiver: for protocols that only send, such as readiness and
/// the journal.
///
/// Unconnected, so that a receiver that was restarted is found again with the next message.
public struct DatagramSocket: ~Copyable, Sendable {
    /// Whom the messages go to.
    public let receiver: UnixAddress

    private let descriptor: OwnedDescriptor
    private let address: sockaddr_un
    private let length: socklen_t

    /// Opens a socket, closed on exec. Whether anybody is there shows with the first message.
    public init(to receiver: UnixAddress) throws(UnixSocketError) {
        let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let (address, length) = try receiver.encoded()
        descriptor = OwnedDescriptor(
            adopting: try socketCall { () throws(SystemError) in
                try check("socket", "AF_UNIX") { socket(AF_UNIX, type, 0) }
            })
        self.receiver = receiver
        self.address = address
        self.length = length
    }

    /// Sends one message, whole or not at all. EMSGSIZE when it is longer than the send buffer allows.
    public borrowing func send(_ bytes: [UInt8]) -> WriteOutcome {
        let number = descriptor.rawValue
        return outcome("sendto") { target, length in
            bytes.withUnsafeBytes { sendto(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL), target, length) }
        }
    }

    /// Sends one message without bytes that carries an open descriptor. Ours stays open.
    public borrowing func send(descriptor passed: borrowing OwnedDescriptor) -> WriteOutcome {
        let number = descriptor.rawValue
        let file = passed.rawValue
        return outcome("sendmsg") { target, length in
            dashrig_send_descriptor(number, target, length, nil, 0, file, Int32(MSG_NOSIGNAL))
        }
    }

    private borrowing func outcome(
        _ call: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int
    ) -> WriteOutcome {
        while true {
            let count = withSocketAddress(address) { body($0, length) }
            if count >= 0 { return .bytes(count) }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            case let number: return .failed(SystemError(call, number, receiver.description))
            }
        }
    }
}

/// Bytes in an anonymous file that nobody can change any more: how the journal takes a large entry.
public enum SealedMemory {
    /// Makes the file. `name` shows up under /proc only.
    public static func make(_ bytes: [UInt8], name: String) throws(SystemError) -> OwnedDescriptor {
        let flags = dashrig_MFD_CLOEXEC | dashrig_MFD_ALLOW_SEALING
        let file = OwnedDescriptor(adopting: try check("memfd_create", name) { dashrig_memfd_create(name, flags) })
        let number = file.rawValue
        try writeAll(number, bytes, path: name)
        _ = try check("fcntl", "F_ADD_SEALS") { fcntl(number, dashrig_F_ADD_SEALS, dashrig_F_SEAL_ALL) }
        return file
    }
}
