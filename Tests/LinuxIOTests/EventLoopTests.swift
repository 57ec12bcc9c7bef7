import CLinux
import Glibc
import LinuxIO
import Testing

@Suite struct EventLoopTests {
    @Test func aReadableDescriptorReachesItsHandler() throws {
        let loop = try EventLoop()
        let pipe = try Pipe()
        var seen: [Readiness] = []
        let id = try loop.add(pipe.reader.rawValue, .read) { [unowned loop] readiness in
            seen.append(readiness)
            loop.stop()
        }
        #expect(try loop.run(until: 0) == .limitReached)
        #expect(seen.isEmpty)
        #expect(pipe.writer.write([1, 2, 3]) == .bytes(3))
        #expect(try loop.run(until: never()) == .stopped)
        #expect(seen == [.readable])
        #expect(loop.remove(id))
        #expect(!loop.remove(id))
        #expect(loop.watchCount == 0)
    }

    @Test func aDescriptorThatIsNotReadStaysReady() throws {
        let loop = try EventLoop()
        let pipe = try Pipe()
        _ = pipe.writer.write([1])
        var calls = 0
        _ = try loop.add(pipe.reader.rawValue, .read) { _ in calls += 1 }
        for _ in 0..<3 { try loop.run(until: 0) }
        #expect(calls == 3)
    }

    /// Both watches are ready in one batch; whichever runs first removes the other and puts a new watch into its slot,
    /// on a descriptor with the same number. The kernel's event for the old one must not reach the new one.
    @Test func anEventOfARemovedWatchReachesNobody() throws {
        let loop = try EventLoop()
        let pipes = [try PipeNumbers(), try PipeNumbers()]
        var ids: [WatchID] = []
        var log: [String] = []
        var kept: [PipeNumbers] = []
        for index in 0..<2 {
            ids.append(
                try loop.add(pipes[index].reader, .read) { [unowned loop] _ in
                    log.append("old")
                    loop.remove(ids[index])
                    guard log.count == 1 else { return }
                    let other = 1 - index
                    loop.remove(ids[other])
                    // An idle pipe in the place of the readable one.
                    guard let idle = try? PipeNumbers() else { return }
                    dup2(idle.reader, pipes[other].reader)
                    for _ in 0..<2 {
                        _ = try? loop.add(pipes[other].reader, .read) { _ in log.append("new") }
                        _ = try? loop.add(idle.reader, .read) { _ in log.append("new") }
                    }
                    kept.append(idle)
                })
        }
        for pipe in pipes { write(pipe.writer, "x", 1) }
        try loop.run(until: 0)
        #expect(log == ["old"])
        #expect(loop.watchCount == 2)
        try loop.run(until: 0)
        #expect(log == ["old"])
    }

    @Test func aHandlerMayRemoveItself() throws {
        let loop = try EventLoop()
        let pipe = try Pipe()
        _ = pipe.writer.write([1])
        var id: WatchID?
        var calls = 0
        id = try loop.add(pipe.reader.rawValue, .read) { [unowned loop] _ in
            calls += 1
            if let id { loop.remove(id) }
        }
        for _ in 0..<2 { try loop.run(until: 0) }
        #expect(calls == 1)
    }

    @Test func aRemovedDescriptorCanBeWatchedAgain() throws {
        let loop = try EventLoop()
        let pipe = try Pipe()
        _ = pipe.writer.write([1])
        loop.remove(try loop.add(pipe.reader.rawValue, .read) { _ in Issue.record("removed") })
        try loop.run(until: 0)
        var calls = 0
        _ = try loop.add(pipe.reader.rawValue, .read) { _ in calls += 1 }
        try loop.run(until: 0)
        #expect(calls == 1)
    }

    @Test func theInterestCanBeChanged() throws {
        let loop = try EventLoop()
        let pipe = try Pipe()
        var seen: [Readiness] = []
        let id = try loop.add(pipe.writer.rawValue, []) { seen.append($0) }
        try loop.run(until: 0)
        #expect(seen.isEmpty)
        try loop.modify(id, .write)
        try loop.run(until: 0)
        #expect(seen == [.writable])
        try loop.modify(id, [])
        try loop.run(until: 0)
        #expect(seen == [.writable])
        loop.remove(id)
        #expect(throws: SystemError("epoll_ctl", ENOENT, "modify a removed watch")) { try loop.modify(id, .read) }
    }

    @Test func hangUpsAreToldWithoutInterest() throws {
        let loop = try EventLoop()
        let pipe = try PipeNumbers()
        var seen: [Readiness] = []
        _ = try loop.add(pipe.reader, []) { seen.append($0) }
        pipe.closeWriter()
        try loop.run(until: 0)
        #expect(seen == [.hangUp])
    }

    @Test func whatCannotBeWatchedIsRefused() throws {
        let loop = try EventLoop()
        let folder = try TemporaryFolder()
        let pipe = try Pipe()
        _ = try loop.add(pipe.reader.rawValue, .read) { _ in }
        let twice = #expect(throws: SystemError.self) { _ = try loop.add(pipe.reader.rawValue, .read) { _ in } }
        #expect(twice?.name == "EEXIST")
        let file = OwnedDescriptor(adopting: open(folder.file("x"), O_RDWR | O_CREAT, 0o600))
        let regular = #expect(throws: SystemError.self) { _ = try loop.add(file.rawValue, .read) { _ in } }
        #expect(regular?.name == "EPERM")
        let closed = #expect(throws: SystemError.self) { _ = try loop.add(9999, .read) { _ in } }
        #expect(closed?.name == "EBADF")
        #expect(loop.watchCount == 1)
    }

    @Test func theHookRunsOncePerTurnAfterAllHandlers() throws {
        let loop = try EventLoop()
        let pipes = [try PipeNumbers(), try PipeNumbers(), try PipeNumbers()]
        var log: [String] = []
        for pipe in pipes {
            _ = try loop.add(pipe.reader, .read) { _ in log.append("handler") }
            write(pipe.writer, "x", 1)
        }
        loop.beforeWait = { log.append("hook") }
        loop.onDeadline = { _ in log.append("deadline") }
        loop.setDeadline(0)
        try loop.run(until: 0)
        #expect(log == ["hook", "handler", "handler", "handler", "deadline", "hook"])
    }

    @Test func stopBeforeRunMakesNoTurn() throws {
        let loop = try EventLoop()
        let pipe = try Pipe()
        _ = pipe.writer.write([1])
        var calls = 0
        _ = try loop.add(pipe.reader.rawValue, .read) { _ in calls += 1 }
        loop.stop()
        #expect(try loop.run(until: never()) == .stopped)
        #expect(calls == 0)
        #expect(try loop.run(until: 0) == .limitReached)
        #expect(calls == 1)
    }

    @Test func manyWatchesAreAllServed() throws {
        let loop = try EventLoop()
        var pipes: [PipeNumbers] = []
        var served: Set<Int32> = []
        for _ in 0..<200 {
            let pipe = try PipeNumbers()
            pipes.append(pipe)
            _ = try loop.add(pipe.reader, .read) { _ in
                served.insert(pipe.reader)
                var byte: UInt8 = 0
                read(pipe.reader, &byte, 1)
            }
            write(pipe.writer, "x", 1)
        }
        // The batch holds 64 events, so this takes four turns.
        for _ in 0..<4 { try loop.run(until: 0) }
        #expect(served.count == 200)
    }
}

/// A pipe whose ends are plain numbers, for tests that close and replace them.
final class PipeNumbers {
    let reader: Int32
    private(set) var writer: Int32

    init(nonBlocking: Bool = true) throws { (reader, writer) = try Pipe(nonBlocking: nonBlocking).release() }

    deinit {
        close(reader)
        closeWriter()
    }

    func closeWriter() {
        if writer >= 0 { close(writer) }
        writer = -1
    }
}
