public import LinuxIO

/// A sink over standard output or standard error. A reader that does not read can be waited for and given up on.
public final class DescriptorSink: TextSink {
    private let descriptor: OwnedDescriptor?
    private let openFailure: OutputFailure?
    private let facts: TerminalFacts
    private let interrupt: Int32?
    private var loop: EventLoop?
    private var isPollable = true

    /// What a pipe takes whole once it says that it takes anything (PIPE_BUF).
    private static let chunk = 4_096

    /// A sink over an inherited descriptor, which stays open. `interrupt` becomes readable when waiting is to end.
    public init(descriptor number: Int32, environment: Environment, interrupt: Int32?) {
        facts = TerminalFacts(descriptor: number, environment: environment)
        self.interrupt = interrupt
        let inherited = OwnedDescriptor(adopting: number)
        do {
            descriptor = try inherited.duplicate()
            openFailure = nil
        } catch {
            descriptor = nil
            openFailure = .refused(error.description)
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
    public func write(_ text: String) throws(OutputFailure) {
        if let openFailure { throw openFailure }
        let bytes = Array(text.utf8)
        var offset = 0
        while offset < bytes.count {
            try waitUntilWritable()
            offset += try writeSome(bytes[offset..<min(bytes.count, offset + Self.chunk)])
        }
    }

    private func writeSome(_ bytes: ArraySlice<UInt8>) throws(OutputFailure) -> Int {
        guard let outcome = bytes.withUnsafeBytes({ descriptor?.write($0) }) else { throw .readerGone }
        switch outcome {
        case .bytes(let count): return count
        case .wouldBlock: return 0
        case .closed: throw .readerGone
        case .failed(let error): throw .refused("\(error.text) (\(error.name))")
        }
    }

    private func waitUntilWritable() throws(OutputFailure) {
        guard isPollable, let number = descriptor?.rawValue else { return }
        let isWritable: Bool
        do {
            isWritable = try waitUntilWritable(number)
        } catch {
            throw .refused(error.description)
        }
        if !isWritable { throw .interrupted }
    }

    /// Answers false when an interruption came first. What can be written is written even while an interruption waits:
    /// the last words are part of it.
    private func waitUntilWritable(_ number: Int32) throws(SystemError) -> Bool {
        let loop = try self.loop ?? EventLoop()
        self.loop = loop
        var isWritable = false
        let watch: WatchID
        do {
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
