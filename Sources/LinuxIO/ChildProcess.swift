internal import CLinux
internal import Glibc

/// A program that was started, its output, and its end. For the command line and for tests; the daemon starts none.
///
/// A child that is still running when this object goes is killed.
public final class ChildProcess {
    /// The child's process id. It stays reserved until the child was waited for.
    public let pid: Int32
    /// What came out so far on standard output.
    public var output: [UInt8] { outputStream.bytes }
    /// What came out so far on standard error.
    public var errorOutput: [UInt8] { errorStream.bytes }
    /// Whether captured output was dropped because of the limit.
    public var wasCut: Bool { outputStream.wasCut || errorStream.wasCut }
    /// How the child ended; nil as long as nobody knows.
    public private(set) var exit: ChildExit?

    private let processDescriptor: OwnedDescriptor
    private let leadsGroup: Bool
    private var outputStream: CapturedStream
    private var errorStream: CapturedStream
    private var inputDescriptor: OwnedDescriptor?

    /// Starts the program with every signal at its default and none blocked.
    public init(_ specification: ChildSpecification) throws(SystemError) {
        let launch = try ChildLaunch(specification)
        pid = launch.pid
        processDescriptor = OwnedDescriptor(adopting: launch.processDescriptor)
        leadsGroup = specification.leadsGroup
        outputStream = CapturedStream(launch.output, limit: specification.captureLimit)
        errorStream = CapturedStream(launch.errorOutput, limit: specification.captureLimit)
        inputDescriptor = launch.input >= 0 ? OwnedDescriptor(adopting: launch.input) : nil
    }

    deinit {
        if exit != nil { return }
        _ = kill(leadsGroup ? -pid : pid, SIGKILL)
        // A second is ample for a kill; a child stuck in the kernel must not hold us up and stays a zombie.
        let entry = pollfd(fd: processDescriptor.rawValue, events: Int16(POLLIN), revents: 0)
        var entries = [entry]
        _ = poll(&entries, 1, 1000)
        _ = waitpid(pid, nil, WNOHANG)
    }

    /// Readable when the child has ended.
    public var exitDescriptor: Int32 { processDescriptor.rawValue }

    /// Collects output until the child ends. Nil when the deadline (CLOCK_MONOTONIC nanoseconds) passed first.
    public func wait(until deadline: UInt64?) throws(SystemError) -> ChildExit? {
        while exit == nil {
            if try !pump(deadline) { return nil }
        }
        return exit
    }

    /// Collects output until it holds `text`. False when the child ended or the deadline passed first.
    public func waitForOutput(_ text: String, until deadline: UInt64?) throws(SystemError) -> Bool {
        while !outputStream.contains(text) && !errorStream.contains(text) {
            if exit != nil { return false }
            if try !pump(deadline) { return outputStream.contains(text) || errorStream.contains(text) }
        }
        return true
    }

    /// Hands over what came out so far on standard output, and makes room for more.
    public func takeOutput() -> [UInt8] { outputStream.take() }

    /// Sends a signal; nothing happens when the child has ended.
    public func signal(_ number: Int32) throws(SystemError) {
        if exit != nil { return }
        let target = leadsGroup ? -pid : pid
        _ = try check("kill", "\(target)") { kill(target, number) }
    }

    /// Feeds standard input, waiting as the pipe does. EPIPE when the child no longer reads (with SIGPIPE ignored).
    public func writeInput(_ bytes: [UInt8]) throws(SystemError) {
        guard let number = inputDescriptor?.rawValue else {
            throw SystemError("write", EBADF, "no open standard input")
        }
        try writeAll(number, bytes, path: "standard input of \(pid)")
    }

    /// Ends standard input.
    public func closeInput() { inputDescriptor = nil }

    /// Waits for one of: output, the end, the deadline (false), which also passes for a child that never stops talking.
    private func pump(_ deadline: UInt64?) throws(SystemError) -> Bool {
        // Negative numbers are left out by poll.
        let entries = [processDescriptor.rawValue, outputStream.number, errorStream.number].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        guard let ready = try waitUntilReady(entries, deadline: deadline) else { return false }
        try outputStream.drain()
        try errorStream.drain()
        guard ready[0].revents != 0 else { return deadline.map { SystemClock.monotonicNow() < $0 } ?? true }
        var status: Int32 = 0
        _ = try check("waitpid", "\(pid)") { waitpid(pid, &status, 0) }
        // The layout that the macros WIFEXITED and so on read.
        exit = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signaled(status & 0x7F)
        return true
    }
}

/// The reading end of one of a child's output pipes.
private struct CapturedStream: ~Copyable {
    private(set) var bytes: [UInt8] = []
    private(set) var wasCut = false
    /// -1 when nothing more can come.
    private(set) var number: Int32
    private var reader: OwnedDescriptor?
    private let limit: Int

    init(_ descriptor: Int32, limit: Int) {
        number = descriptor
        reader = descriptor >= 0 ? OwnedDescriptor(adopting: descriptor) : nil
        self.limit = limit
    }

    func contains(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard let first = wanted.first else { return true }
        for start in bytes.indices where bytes[start] == first {
            if bytes[start...].starts(with: wanted) { return true }
        }
        return false
    }

    mutating func take() -> [UInt8] {
        let taken = bytes
        bytes = []
        return taken
    }

    mutating func drain() throws(SystemError) {
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        // 1 MiB is all that a pipe holds; what a busy child adds meanwhile is for the next time.
        for _ in 0..<64 {
            guard let outcome = chunk.withUnsafeMutableBytes({ reader?.read(into: $0) }) else { return }
            switch outcome {
            case .bytes(let count):
                let room = limit - bytes.count
                if count > room { wasCut = true }
                bytes.append(contentsOf: chunk.prefix(min(count, room)))
            case .wouldBlock: return
            case .endOfFile:
                reader = nil
                number = -1
            case .failed(let error): throw error
            }
        }
    }
}
