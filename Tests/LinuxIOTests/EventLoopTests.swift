import LinuxIO
import Testing

@Suite struct EventLoopTests {
    /// Far enough away to mean "never" for a loop that is stopped by what it waits for.
    static func soon(_ seconds: UInt64 = 10) -> UInt64 { SystemClock.monotonicNow() + seconds * 1_000_000_000 }

    @Test func aReadableDescriptorReachesItsHandler() throws {
        let loop = try EventLoop()
        let pipe = try Pipe()
        var seen: [Readiness] = []
        let id = try loop.add(pipe.reader.rawValue, .read) { readiness in
            seen.append(readiness)
            loop.stop()
        }
        #expect(try loop.run(until: 0) == .limitReached)
        #expect(seen.isEmpty)
        #expect(pipe.writer.write([1, 2, 3]) == .bytes(3))
        #expect(try loop.run(until: Self.soon()) == .stopped)
        #expect(seen == [.readable])
        loop.remove(id)
    }
}
