import CLinux
import Glibc
import LinuxIO
import Testing

/// Both ends of one stream.
struct ConnectionPair: ~Copyable {
    let near: UnixConnection
    let far: UnixConnection

    init() throws {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemError("socketpair", errno) }
        near = UnixConnection(adopting: OwnedDescriptor(adopting: ends[0]))
        far = UnixConnection(adopting: OwnedDescriptor(adopting: ends[1]))
    }
}

extension UnixConnection {
    /// Everything that is there.
    borrowing func receiveAll() -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case .bytes(let count) = buffer.withUnsafeMutableBytes({ receive(into: $0) }) {
            all.append(contentsOf: buffer.prefix(count))
        }
        return all
    }
}

@Suite struct UnixConnectionTests {
    @Test func bytesArriveInOrder() throws {
        let pair = try ConnectionPair()
        #expect(pair.near.send([1, 2]) == .bytes(2))
        #expect(pair.near.send([3]) == .bytes(1))
        #expect(pair.far.receiveAll() == [1, 2, 3])
    }

    @Test func receivingAnswersWhatHappened() throws {
        let pair = try ConnectionPair()
        var buffer = [UInt8](repeating: 0, count: 2)
        #expect(buffer.withUnsafeMutableBytes { pair.far.receive(into: $0) } == .wouldBlock)
        _ = pair.near.send([1, 2, 3])
        #expect(buffer.withUnsafeMutableBytes { pair.far.receive(into: $0) } == .bytes(2))
        try pair.near.finishSending()
        #expect(buffer.withUnsafeMutableBytes { pair.far.receive(into: $0) } == .bytes(1))
        #expect(buffer.withUnsafeMutableBytes { pair.far.receive(into: $0) } == .endOfFile)
        #expect(pair.far.send([4]) == .bytes(1))
    }

    @Test func aFullConnectionWouldBlockAndAGoneOneIsClosed() async {
        // In a process of its own that takes SIGPIPE seriously.
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_DFL)
            var ends: [Int32] = [-1, -1]
            let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
            #expect(socketpair(AF_UNIX, type, 0, &ends) == 0)
            let connection = UnixConnection(adopting: OwnedDescriptor(adopting: ends[0]))
            let chunk = [UInt8](repeating: 1, count: 10_000)
            while case .bytes = connection.send(chunk) {}
            #expect(connection.send(chunk) == .wouldBlock)
            #expect(connection.send(gathering: [chunk, chunk][...]) == .wouldBlock)
            close(ends[1])
            #expect(connection.send(chunk) == .closed)
            #expect(connection.send(gathering: [chunk, chunk][...]) == .closed)
        }
    }

    @Test func severalBuffersGoOutWithOneSend() throws {
        let pair = try ConnectionPair()
        let buffers: [[UInt8]] = [[1, 2, 3], [], [4], [5, 6]]
        #expect(pair.near.send(gathering: buffers[...], from: 2) == .bytes(4))
        #expect(pair.far.receiveAll() == [3, 4, 5, 6])
        #expect(pair.near.send(gathering: buffers[2...], from: 0) == .bytes(3))
        #expect(pair.far.receiveAll() == [4, 5, 6])
        #expect(pair.near.send(gathering: buffers[4...]) == .bytes(0))
    }

    @Test(arguments: [64, 65, 200])
    func noMoreThan64BuffersAreGathered(count: Int) throws {
        let pair = try ConnectionPair()
        let buffers = (0..<count).map { [UInt8(truncatingIfNeeded: $0)] }
        #expect(pair.near.send(gathering: buffers[...]) == .bytes(64))
        #expect(pair.far.receiveAll() == Array(0..<64))
    }

    /// A seeded walk: what comes out is what went in, whatever is taken at a time.
    @Test func partialSendsLoseNothing() throws {
        var random = SplitMix(seed: 20_261_130)
        let pair = try ConnectionPair()
        try pair.near.setSendBufferSize(4608)
        let buffers = (0..<300).map { _ in
            (0..<Int(random.next() % 700)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        }
        var received: [UInt8] = []
        var index = 0
        var offset = 0
        var blocked = 0
        while index < buffers.count {
            switch pair.near.send(gathering: buffers[index...], from: offset) {
            case .bytes(var taken):
                while index < buffers.count, taken >= buffers[index].count - offset {
                    taken -= buffers[index].count - offset
                    index += 1
                    offset = 0
                }
                offset += taken
            case .wouldBlock:
                blocked += 1
                received += pair.far.receiveAll()
            case .closed, .failed: Issue.record("the connection broke"); return
            }
        }
        received += pair.far.receiveAll()
        #expect(received == Array(buffers.joined()), "seed 20261130")
        #expect(blocked > 0)
    }

    @Test func passedDescriptorsAreDropped() throws {
        let pair = try ConnectionPair()
        let pipe = try PipeNumbers()
        let text = Array("hello".utf8)
        let sent = text.withUnsafeBytes {
            dashrig_send_descriptor(pair.near.rawValue, nil, 0, $0.baseAddress, $0.count, pipe.writer, 0)
        }
        #expect(sent == 5)
        pipe.closeWriter()
        var byte: UInt8 = 0
        // The message holds the last writer as long as it is on its way …
        #expect(read(pipe.reader, &byte, 1) == -1)
        #expect(pair.far.receiveAll() == text)
        // … and once it is received nobody has one.
        #expect(read(pipe.reader, &byte, 1) == 0)
    }
}

@Suite struct PeerCredentialsTests {
    @Test func thePeerIsThisProcess() throws {
        let pair = try ConnectionPair()
        let peer = try pair.near.peerCredentials()
        #expect(peer.pid == getpid())
        #expect(peer.uid == geteuid())
        #expect(peer.gid == getegid())
        var groups = [gid_t](repeating: 0, count: 256)
        let count = getgroups(256, &groups)
        #expect(peer.groups.sorted() == groups.prefix(Int(max(0, count))).sorted())
    }

    @Test(.enabled(if: geteuid() == 0)) func manySupplementaryGroupsAreAllTold() async {
        await #expect(processExitsWith: .success) {
            let groups = (0..<100).map { gid_t(5000 + $0) }
            #expect(setgroups(groups.count, groups) == 0)
            let pair = try ConnectionPair()
            let peer = try pair.near.peerCredentials()
            #expect(peer.groups.sorted() == groups)
            #expect(peer.isMember(of: 5099))
            #expect(!peer.isMember(of: 5100))
        }
    }

    @Test func theEffectiveGroupCountsToo() {
        let peer = PeerCredentials(pid: 1, uid: 2, gid: 3, groups: [4])
        #expect(peer.isMember(of: 3))
        #expect(peer.isMember(of: 4))
        #expect(!peer.isMember(of: 2))
    }

    @Test func whatIsNoSocketHasNoPeer() throws {
        let pipe = try PipeNumbers()
        let error = #expect(throws: SystemError.self) { _ = try PeerCredentials(of: pipe.reader) }
        #expect(error?.name == "ENOTSOCK")
    }
}

@Suite struct BlockingConnectionTests {
    @Test func aMissingOrDeadListenerIsNotRunning() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("s")
        #expect(throws: UnixSocketError.notRunning(path, SystemError("connect", ENOENT, path))) {
            _ = try BlockingConnection(to: .path(path), deadline: never())
        }
        let abstract = "dashrig-test-nobody-\(getpid())"
        #expect(
            throws: UnixSocketError.notRunning("@" + abstract, SystemError("connect", ECONNREFUSED, "@" + abstract))
        ) { _ = try BlockingConnection(to: .abstract(abstract), deadline: never()) }
    }

    @Test func aFullListenerIsWaitedForUntilTheDeadline() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("s")
        let listener = try UnixListener(path: path, backlog: 0)
        let first = try BlockingConnection(to: .path(path), deadline: never())
        let deadline = milliseconds(20)
        #expect(throws: UnixSocketError.timedOut(path)) {
            _ = try BlockingConnection(to: .path(path), deadline: deadline)
        }
        #expect(SystemClock.monotonicNow() >= deadline)
        _ = (listener.rawValue, first.rawValue)
    }

    @Test func receivingEndsAtTheDeadline() throws {
        let folder = try TemporaryFolder()
        var listener = try UnixListener(path: folder.file("s"))
        let client = try BlockingConnection(to: .path(folder.file("s")), deadline: nil)
        var buffer = [UInt8](repeating: 0, count: 8)
        let deadline = milliseconds(20)
        let late = try buffer.withUnsafeMutableBytes { try client.receive(into: $0, deadline: deadline) }
        #expect(late == .timedOut)
        #expect(SystemClock.monotonicNow() >= deadline)
        do {
            let server = try listener.nextConnection()
            #expect(server.send([1, 2]) == .bytes(2))
            let came = try buffer.withUnsafeMutableBytes { try client.receive(into: $0, deadline: never()) }
            #expect(came == .bytes(2))
        }
        let end = try buffer.withUnsafeMutableBytes { try client.receive(into: $0, deadline: never()) }
        #expect(end == .endOfFile)
    }

    @Test func sendingAllWaitsAndKnowsAClosedPeer() throws {
        let folder = try TemporaryFolder()
        var listener = try UnixListener(path: folder.file("s"))
        let client = try BlockingConnection(to: .path(folder.file("s")), deadline: never())
        let much = [UInt8](repeating: 7, count: 2_000_000)
        let deadline = milliseconds(20)
        #expect(throws: UnixSocketError.timedOut(folder.file("s"))) { try client.sendAll(much, deadline: deadline) }
        #expect(SystemClock.monotonicNow() >= deadline)
        #expect(listener.take() == .connection)
        #expect(throws: UnixSocketError.closed(folder.file("s"))) { try client.sendAll(much, deadline: never()) }
    }
}

/// A small seeded generator (SplitMix64), so that a failure can be had again.
struct SplitMix {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
