internal import CLinux
internal import Glibc

/// One signal that arrived.
public struct ReceivedSignal: Equatable, Sendable {
    /// SIGTERM and so on.
    public let number: Int32
    /// Who sent it; 0 for the kernel (a terminal's Ctrl-C).
    public let senderPID: Int32
    /// The sender's user id.
    public let senderUID: UInt32
}

/// Signals as readable values instead of interruptions.
///
/// To be made before any thread exists and before any library is called: a thread started earlier would have the
/// signals open and be killed by them.
public struct SignalDescriptor: ~Copyable {
    private let descriptor: OwnedDescriptor

    /// Blocks the signals in the calling thread (and so in every later one) and opens a descriptor for them.
    public init(_ signals: [Int32]) throws(SystemError) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals where sigaddset(&set, signal) != 0 {
            throw .last("sigaddset", "signal \(signal)")
        }
        let failure = pthread_sigmask(SIG_BLOCK, &set, nil)
        if failure != 0 { throw SystemError("pthread_sigmask", failure) }
        let flags = Int32(SFD_CLOEXEC | SFD_NONBLOCK)
        descriptor = OwnedDescriptor(adopting: try check("signalfd") { signalfd(-1, &set, flags) })
    }

    /// To be watched for reading.
    public var rawValue: Int32 { descriptor.rawValue }

    /// The next signal that is waiting, nil when there is none. Equal signals that came together are one.
    public borrowing func next() throws(SystemError) -> ReceivedSignal? {
        var info = signalfd_siginfo()
        let outcome = withUnsafeMutableBytes(of: &info) { descriptor.read(into: $0) }
        switch outcome {
        case .bytes:
            return ReceivedSignal(
                number: Int32(truncatingIfNeeded: info.ssi_signo),
                senderPID: Int32(truncatingIfNeeded: info.ssi_pid), senderUID: info.ssi_uid)
        case .wouldBlock, .endOfFile: return nil
        case .failed(let error): throw error
        }
    }

    /// Ignores SIGPIPE in the whole process, so that a closed pipe is an error value (EPIPE) and not the end.
    public static func ignoreBrokenPipe() {
        signal(SIGPIPE, SIG_IGN)
    }
}
