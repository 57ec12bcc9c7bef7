/// Somebody who turns a knob on a thread of their own while the test looks on.
public final class Turner: Sendable {
    private let done = Guarded(false)

    /// Begins at once.
    public init(_ work: @escaping @Sendable () -> Void) {
        TestThread.start { [done] in
            work()
            done.use { $0 = true }
        }
    }

    /// Whether they have finished.
    public var isDone: Bool { done.use { $0 } }

    /// Waits until they have.
    public func join() { done.wait(until: { $0 }, then: { _ in }) }
}
