import CLinux
import Glibc
import LinuxIO
import Testing

@Suite struct OwnedDescriptorTests {
    @Test func theDescriptorIsClosedWithItsOwner() throws {
        let pipe = try PipeNumbers()
        do { _ = OwnedDescriptor(adopting: try #require(duplicate(pipe.reader))) }
        var copy = OwnedDescriptor(adopting: try #require(duplicate(pipe.writer)))
        pipe.closeWriter()
        let reader = OwnedDescriptor(adopting: try #require(duplicate(pipe.reader)))
        var buffer = [UInt8](repeating: 0, count: 8)
        #expect(buffer.withUnsafeMutableBytes { reader.read(into: $0) } == .wouldBlock)
        // The last writer goes with the old value.
        copy = OwnedDescriptor(adopting: open("/dev/null", O_WRONLY | O_CLOEXEC))
        #expect(buffer.withUnsafeMutableBytes { reader.read(into: $0) } == .endOfFile)
        #expect(copy.write([1]) == .bytes(1))
    }

    @Test func aReleasedDescriptorStaysOpen() throws {
        let number = OwnedDescriptor(adopting: open("/dev/null", O_RDWR | O_CLOEXEC)).release()
        #expect(fcntl(number, F_GETFD) == FD_CLOEXEC)
        #expect(close(number) == 0)
    }

    @Test func readsAndWritesAnswerWhatHappened() throws {
        SignalDescriptor.ignoreBrokenPipe()
        let pipe = try PipeNumbers()
        let reader = OwnedDescriptor(adopting: try #require(duplicate(pipe.reader)))
        let writer = OwnedDescriptor(adopting: try #require(duplicate(pipe.writer)))
        var buffer = [UInt8](repeating: 0, count: 100_000)
        #expect(writer.write([1, 2, 3]) == .bytes(3))
        #expect(buffer.withUnsafeMutableBytes { reader.read(into: $0) } == .bytes(3))
        #expect(buffer.prefix(3) == [1, 2, 3])
        while case .bytes = writer.write(buffer) {}
        #expect(writer.write(buffer) == .wouldBlock)
        let folder = OwnedDescriptor(adopting: open("/", O_RDONLY | O_CLOEXEC))
        let outcome = buffer.withUnsafeMutableBytes { folder.read(into: $0) }
        #expect(outcome == .failed(SystemError("read", EISDIR, "descriptor \(folder.rawValue)")))
    }

    @Test func aPipeWithoutReaderIsClosed() throws {
        SignalDescriptor.ignoreBrokenPipe()
        let (reader, writer) = try Pipe().release()
        let owned = OwnedDescriptor(adopting: writer)
        close(reader)
        #expect(owned.write([1]) == .closed)
    }

    @Test func aDuplicateIsClosedOnExec() throws {
        let first = OwnedDescriptor(adopting: open("/dev/null", O_RDWR))
        #expect(fcntl(first.rawValue, F_GETFD) == 0)
        let second = try first.duplicate()
        #expect(second.rawValue != first.rawValue)
        #expect(fcntl(second.rawValue, F_GETFD) == FD_CLOEXEC)
        try OwnedDescriptor.setCloseOnExec(first.rawValue)
        #expect(fcntl(first.rawValue, F_GETFD) == FD_CLOEXEC)
        #expect(throws: SystemError("fcntl", EBADF, "F_GETFD 9999")) { try OwnedDescriptor.setCloseOnExec(9999) }
    }

    private func duplicate(_ number: Int32) -> Int32? {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        return copy >= 0 ? copy : nil
    }
}

@Suite struct SystemErrorTests {
    @Test func itSaysTheCallTheContextAndTheReason() {
        let error = SystemError("bind", EADDRINUSE, "/run/x")
        #expect(error.description == "bind /run/x: Address already in use (EADDRINUSE)")
        #expect(SystemError("poll", ENOMEM).description == "poll: Cannot allocate memory (ENOMEM)")
    }

    @Test func anUnknownNumberIsStillSaid() {
        #expect(SystemError("ioctl", 4000).description == "ioctl: unknown error (errno 4000)")
    }
}

@Suite struct SystemClockTests {
    @Test func theMonotonicClockIsTheKernels() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let before = UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        let now = SystemClock.monotonicNow()
        clock_gettime(CLOCK_MONOTONIC, &time)
        #expect((before...UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)).contains(now))
    }

    @Test func theRealtimeClockCountsFrom1970() {
        var seconds = time_t()
        time(&seconds)
        let difference = Int64(SystemClock.realtimeNow() / 1_000_000_000) - Int64(seconds)
        #expect((-2...60).contains(difference))
    }

    @Test func theBootIDIsTheKernels() throws {
        let id = try SystemClock.bootID()
        #expect(id.utf8.count == 36)
        #expect(try SystemClock.bootID() == id)
    }
}

@Suite struct SignalDescriptorTests {
    @Test func signalsBecomeValues() async {
        await #expect(processExitsWith: .success) {
            let signals = try SignalDescriptor([SIGUSR1, SIGUSR2])
            #expect(try signals.next() == nil)
            pthread_kill(pthread_self(), SIGUSR2)
            pthread_kill(pthread_self(), SIGUSR1)
            pthread_kill(pthread_self(), SIGUSR1)
            let received = [try signals.next(), try signals.next(), try signals.next()]
            #expect(received.map { $0?.number } == [SIGUSR1, SIGUSR2, nil])
            #expect(received[0]?.senderPID == getpid())
            #expect(received[0]?.senderUID == getuid())
        }
    }

    @Test func theLoopHearsOfASignal() async {
        await #expect(processExitsWith: .success) {
            let signals = try SignalDescriptor([SIGTERM])
            let loop = try EventLoop()
            let number = signals.rawValue
            _ = try loop.add(number, .read) { [unowned loop] _ in loop.stop() }
            pthread_kill(pthread_self(), SIGTERM)
            #expect(try loop.run(until: SystemClock.monotonicNow() + 10_000_000_000) == .stopped)
            #expect(try signals.next()?.number == SIGTERM)
        }
    }

    @Test func aNumberThatIsNoSignalIsRefused() {
        let error = #expect(throws: SystemError.self) { _ = try SignalDescriptor([4711]) }
        #expect(error?.name == "EINVAL")
    }
}
