public import LinuxIO

/// A sink over standard output or standard error. A reader that does not read can be waited for and given up on.
public final class DescriptorSink: TextSink {
    private let target: Target
    private let facts: TerminalFacts
    private let interrupt: Int32?
    private var loop: EventLoop?
    private var isPollable = true

    private enum Target {
        case open(OpenDescriptor)
        /// The descriptor was closed when the program began.
        case closed(OutputFailure)
    }

    private final class OpenDescriptor {
        let descriptor: OwnedDescriptor

        init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }
    }

    /// What a pipe takes whole once it says that it takes anything (PIPE_BUF).
    private static let chunk = 4_096

    /// A sink over an inherited descriptor, which stays open. `wasClosed`: whoever started the process gave it none, so
    /// that nothing can be written. `interrupt` becomes readable when waiting is to end.
    public init(descriptor number: Int32, environment: Environment, wasClosed: Bool = false, interrupt: Int32?) {
        facts = TerminalFacts(descriptor: number, environment: environment)
        self.interrupt = interrupt
        if wasClosed {
            target = .closed(.refused("descriptor \(number) was closed when the program was started"))
            return
        }
        let inherited = OwnedDescriptor(adopting: number)
        do {
            target = .open(OpenDescriptor(try inherited.duplicate()))
        } catch {
            target = .closed(.refused(error.description))
        }
        _ = inherited.release()
    }

    /// Whether a person looks at it.
    public var isTerminal: Bool { facts.isTerminal }
    /// Columns of the terminal.
    public var width: Int? { facts.width }
    /// Whether colour is wanted.
    public var usesColor: Bool { facts.usesColor }

    /// Writes all of the text, waiting as long as the reader needs, or until the interruption.
    public func write(_ text: String) throws(OutputFailure) { try write(Array(text.utf8)) }

    /// Writes all of the bytes, in the same way.
    func write(_ bytes: [UInt8]) throws(OutputFailure) {
        let open: OpenDescriptor
        switch target {
        case .open(let target): open = target
        case .closed(let failure): throw failure
        }
        var offset = 0
        while offset < bytes.count {
            let isWritable: Bool
            do {
                isWritable = try waitUntilWritable(open.descriptor.rawValue)
            } catch {
                throw .refused(error.description)
            }
            if !isWritable { throw .interrupted }
            let end = isPollable ? min(bytes.count, offset + Self.chunk) : bytes.count
            switch bytes[offset..<end].withUnsafeBytes({ open.descriptor.write($0) }) {
            case .bytes(let count): offset += count
            case .wouldBlock: continue
            case .closed: throw .readerGone
            case .failed(let error): throw .refused("\(error.text) (\(error.name))")
            }
        }
    }

    /// Answers false when an interruption came first. What can be written is written even while an interruption waits:
    /// the last words are part of it.
    private func waitUntilWritable(_ number: Int32) throws(SystemError) -> Bool {
        guard isPollable else { return true }
        if self.loop == nil { self.loop = try EventLoop() }
        guard let loop else { return true }
        var isWritable = false
        let watch: WatchID
        do throws(SystemError) {
            watch = try loop.add(number, .write) { _ in
                isWritable = true
                loop.stop()
            }
        } catch {
            // A regular file is always ready and cannot be waited for.
            isPollable = false
            return true
        }
        defer { loop.remove(watch) }
        var interruptWatch: WatchID?
        if let interrupt { interruptWatch = try loop.add(interrupt, .read) { _ in loop.stop() } }
        defer { if let interruptWatch { loop.remove(interruptWatch) } }
        try loop.run()
        return isWritable
    }
}
