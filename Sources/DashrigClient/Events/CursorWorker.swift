internal import Glibc
internal import LinuxIO

/// A plain thread that waits on a cursor, so that no thread of Swift's pool ever blocks.
///
/// The thread starts with the first batch and ends with this object, with a failure or with a cancellation.
final class CursorWorker: Sendable {
    typealias Batch = Result<[RigUpdate], ClientFailure>

    private let mailbox: WorkerMailbox

    init(_ makeCursor: @escaping @Sendable (_ interrupt: Int32) -> RigEventCursor) {
        mailbox = WorkerMailbox(makeCursor)
    }

    deinit { mailbox.close() }

    /// What comes next and all that needs no further waiting: at least one update. `interrupted` when the task was
    /// cancelled, now or before, and after a failure.
    func batch() async -> Batch {
        await withTaskCancellationHandler {
            await withCheckedContinuation { mailbox.ask($0) }
        } onCancel: {
            mailbox.close()
        }
    }
}

/// Where a task leaves its question and the thread finds it. All mutable state is behind one lock; a pthread lock, which
/// the thread sanitizer understands.
private final class WorkerMailbox: @unchecked Sendable {
    typealias Question = CheckedContinuation<CursorWorker.Batch, Never>

    private let makeCursor: @Sendable (_ interrupt: Int32) -> RigEventCursor
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    private var question: Question?
    private var isClosed = false
    /// Wakes the thread out of its wait on the socket; opened with the thread.
    private var wake: Pipe?

    /// At most so many updates are handed over at once.
    private static let batchSize = 256

    init(_ makeCursor: @escaping @Sendable (_ interrupt: Int32) -> RigEventCursor) {
        self.makeCursor = makeCursor
        lock = .allocate(capacity: 1)
        lock.initialize(to: pthread_mutex_t())
        changed = .allocate(capacity: 1)
        changed.initialize(to: pthread_cond_t())
        pthread_mutex_init(lock, nil)
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(lock)
        changed.deallocate()
        lock.deallocate()
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body()
    }

    /// Leaves a question; its answer comes from the thread, or at once when there is none.
    func ask(_ continuation: Question) {
        let refusal: ClientFailure? = locked {
            if isClosed { return .interrupted }
            precondition(question == nil, "an iterator is used by one task at a time")
            do throws(SystemError) {
                if wake == nil { try startThread() }
            } catch {
                isClosed = true
                return .system(error)
            }
            question = continuation
            pthread_cond_signal(changed)
            return nil
        }
        if let refusal { continuation.resume(returning: .failure(refusal)) }
    }

    /// Ends the thread, and answers a question that it did not take.
    func close() {
        let unanswered: Question? = locked {
            if !isClosed {
                isClosed = true
                // The pipe is empty, so that one byte always fits.
                _ = wake?.writer.write([1])
                pthread_cond_signal(changed)
            }
            defer { question = nil }
            return question
        }
        unanswered?.resume(returning: .failure(.interrupted))
    }

    private func startThread() throws(SystemError) {
        let pipe = try Pipe()
        let start = Unmanaged.passRetained(ThreadStart(mailbox: self, interrupt: pipe.reader.rawValue))
        // The application's signals are the application's business: the thread starts with all of them blocked.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        var thread = pthread_t()
        let result = pthread_create(&thread, nil, runWorker, start.toOpaque())
        pthread_sigmask(SIG_SETMASK, &before, nil)
        guard result == 0 else {
            start.release()
            throw SystemError("pthread_create", result)
        }
        pthread_detach(thread)
        wake = consume pipe
    }

    /// The thread: answers questions until the mailbox is closed or the cursor fails.
    func serve(interrupt: Int32) {
        let cursor = makeCursor(interrupt)
        while let question = nextQuestion() {
            let batch = Self.take(cursor)
            if case .failure = batch { locked { isClosed = true } }
            question.resume(returning: batch)
        }
    }

    private func nextQuestion() -> Question? {
        locked {
            while question == nil && !isClosed { pthread_cond_wait(changed, lock) }
            defer { question = nil }
            return question
        }
    }

    private static func take(_ cursor: RigEventCursor) -> CursorWorker.Batch {
        var updates: [RigUpdate] = []
        do {
            repeat {
                if case .update(let update) = try cursor.next() { updates.append(update) }
            } while cursor.hasNext && updates.count < batchSize
        } catch {
            // What came before the failure is told first; the failure comes again with the next question.
            if updates.isEmpty { return .failure(error) }
        }
        return .success(updates)
    }
}

/// What a new thread gets to know.
private final class ThreadStart: Sendable {
    let mailbox: WorkerMailbox
    let interrupt: Int32

    init(mailbox: WorkerMailbox, interrupt: Int32) {
        self.mailbox = mailbox
        self.interrupt = interrupt
    }
}

private func runWorker(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
    start.mailbox.serve(interrupt: start.interrupt)
    return nil
}
