import CLinux
import Glibc
import LinuxIO
import Testing

@Suite struct UnixListenerTests {
    @Test func clientsAreTakenUntilNobodyWaits() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("s")
        var listener = try UnixListener(path: path)
        let first = try BlockingConnection(to: .path(path), deadline: never())
        let second = try BlockingConnection(to: .path(path), deadline: never())
        #expect(listener.take() == .connection)
        #expect(listener.take() == .connection)
        #expect(listener.take() == .wouldBlock)
        _ = (first.rawValue, second.rawValue)
    }

    @Test func acceptedConnectionsAreNonBlockingAndClosedOnExec() throws {
        let folder = try TemporaryFolder()
        var listener = try UnixListener(path: folder.file("s"))
        #expect(fcntl(listener.rawValue, F_GETFD) == FD_CLOEXEC)
        let client = try BlockingConnection(to: .path(folder.file("s")), deadline: never())
        #expect(fcntl(client.rawValue, F_GETFD) == FD_CLOEXEC)
        let connection = try listener.nextConnection()
        #expect(fcntl(connection.rawValue, F_GETFD) == FD_CLOEXEC)
        #expect(fcntl(connection.rawValue, F_GETFL) & O_NONBLOCK != 0)
    }

    @Test(arguments: [0o660, 0o600, 0o666] as [UInt32])
    func theFileHasExactlyTheMode(mode: UInt32) throws {
        let folder = try TemporaryFolder()
        let listener = try UnixListener(path: folder.file("s"), mode: mode)
        #expect(permissions(folder.file("s")) == mode)
        _ = listener.rawValue
    }

    @Test func theUmaskDoesNotChangeTheMode() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            umask(0o777)
            let listener = try UnixListener(path: folder.file("s"), mode: 0o660)
            umask(0o022)
            #expect(permissions(folder.file("s")) == 0o660)
            _ = listener.rawValue
        }
    }

    @Test(.enabled(if: geteuid() == 0)) func theFileBelongsToTheGroup() throws {
        let folder = try TemporaryFolder()
        let listener = try UnixListener(path: folder.file("s"), group: 4242)
        var facts = stat()
        #expect(lstat(folder.file("s"), &facts) == 0)
        #expect(facts.st_gid == 4242)
        #expect(facts.st_uid == 0)
        #expect(permissions(folder.file("s")) == 0o660)
        _ = listener.rawValue
    }

    @Test func aStaleSocketIsReplaced() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("s")
        try leaveStaleSocket(path)
        var listener = try UnixListener(path: path)
        let client = try BlockingConnection(to: .path(path), deadline: never())
        #expect(listener.take() == .connection)
        _ = client.rawValue
    }

    @Test func aLiveSocketIsRefusedAndLeftAlone() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("s")
        var listener = try UnixListener(path: path)
        #expect(throws: UnixSocketError.inUse(path)) { _ = try UnixListener(path: path) }
        // The probe is a client like any other; after it the first listener still works.
        #expect(listener.take() == .connection)
        let client = try BlockingConnection(to: .path(path), deadline: never())
        #expect(listener.take() == .connection)
        _ = client.rawValue
    }

    @Test func aLiveSocketWithAFullQueueIsRefused() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("s")
        let listener = try UnixListener(path: path, backlog: 0)
        let client = try BlockingConnection(to: .path(path), deadline: never())
        #expect(throws: UnixSocketError.inUse(path)) { _ = try UnixListener(path: path) }
        _ = (listener.rawValue, client.rawValue)
    }

    @Test func aLiveDatagramSocketIsRefused() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("s")
        let receiver = try DatagramReceiver(path)
        #expect(throws: UnixSocketError.inUse(path)) { _ = try UnixListener(path: path) }
        _ = receiver.path
    }

    @Test func whatIsNoSocketIsRefusedAndLeftAlone() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("s")
        try FileContents.write(path, [1, 2, 3])
        #expect(throws: UnixSocketError.notASocket(path)) { _ = try UnixListener(path: path) }
        #expect(try FileContents.read(path, limit: 10) == [1, 2, 3])
        #expect(throws: UnixSocketError.notASocket(folder.path)) { _ = try UnixListener(path: folder.path) }
        // A link to a stale socket is not followed either.
        try leaveStaleSocket(folder.file("stale"))
        symlink(folder.file("stale"), folder.file("link"))
        #expect(throws: UnixSocketError.notASocket(folder.file("link"))) {
            _ = try UnixListener(path: folder.file("link"))
        }
    }

    @Test func pathsUpTo107BytesArePossible() throws {
        let folder = try TemporaryFolder()
        let room = UnixAddress.limit - folder.path.utf8.count - 1
        let longest = folder.file(String(repeating: "s", count: room))
        var listener = try UnixListener(path: longest)
        let client = try BlockingConnection(to: .path(longest), deadline: never())
        #expect(listener.take() == .connection)
        let tooLong = longest + "s"
        #expect(throws: UnixSocketError.pathTooLong(tooLong, bytes: 108, limit: 107)) {
            _ = try UnixListener(path: tooLong)
        }
        #expect(throws: UnixSocketError.badPath("")) { _ = try UnixListener(path: "") }
        #expect(throws: UnixSocketError.badPath("/tmp/a\0b")) { _ = try UnixListener(path: "/tmp/a\0b") }
        _ = client.rawValue
    }

    @Test func aMissingFolderIsNamed() throws {
        let error = #expect(throws: UnixSocketError.self) { _ = try UnixListener(path: "/tmp/dashrig-none/s") }
        #expect(error == .system(SystemError("bind", ENOENT, "/tmp/dashrig-none/s")))
    }

    @Test func theFileIsRemovedWithItsListenerOnly() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("s")
        do {
            let listener = try UnixListener(path: path)
            #expect(FileFacts.exists(path))
            _ = listener.rawValue
        }
        #expect(!FileFacts.exists(path))
        do {
            let listener = try UnixListener(path: path)
            // A successor has put its own file there.
            unlink(path)
            try FileContents.write(path, [7])
            _ = listener.rawValue
        }
        #expect(try FileContents.read(path, limit: 10) == [7])
    }

    private func leaveStaleSocket(_ path: String) throws {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let address = try sockaddr_un(path: path)
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(result == 0)
        close(number)
        #expect(FileFacts.exists(path))
    }
}

@Suite struct PassedListenerTests {
    @Test func aListeningSocketIsTakenOverAndItsFileKept() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("s")
        let original = try UnixListener(path: path)
        do {
            let number = fcntl(original.rawValue, F_DUPFD, 0)
            #expect(fcntl(number, F_SETFL, 0) == 0)
            var passed = try UnixListener(adopting: OwnedDescriptor(adopting: number))
            #expect(passed.path == path)
            #expect(fcntl(number, F_GETFD) == FD_CLOEXEC)
            #expect(passed.take() == .wouldBlock)
            let client = try BlockingConnection(to: .path(path), deadline: never())
            #expect(passed.take() == .connection)
            _ = client.rawValue
        }
        #expect(FileFacts.exists(path))
    }

    @Test func whatIsNoListenerIsRefused() throws {
        let tcp = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let datagram = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        let idle = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let null = open("/dev/null", O_RDWR)
        for (number, reason) in [
            (tcp, "not an AF_UNIX socket"), (datagram, "not a stream socket"), (idle, "a socket that does not listen"),
            (null, "not a socket"),
        ] {
            #expect(throws: UnixSocketError.notAListener(descriptor: number, reason: reason)) {
                _ = try UnixListener(adopting: OwnedDescriptor(adopting: number))
            }
        }
    }
}

@Suite struct DescriptorLimitTests {
    @Test func aClientAtTheLimitIsTakenAndTold() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let path = folder.file("s")
            var listener = try UnixListener(path: path)
            let first = try BlockingConnection(to: .path(path), deadline: never())
            let second = try BlockingConnection(to: .path(path), deadline: never())
            var filling: [Int32] = []
            try limitDescriptors()
            while case let number = dup(0), number >= 0 { filling.append(number) }
            #expect(errno == EMFILE)
            // One at a time, each answered and let go before the next.
            for client in [first.rawValue, second.rawValue] {
                do {
                    let connection = try listener.nextOverLimit()
                    #expect(connection.send(Array("full".utf8)) == .bytes(4))
                }
                var buffer = [UInt8](repeating: 0, count: 8)
                #expect(recv(client, &buffer, 8, 0) == 4)
                #expect(recv(client, &buffer, 8, 0) == 0)
            }
            #expect(listener.take() == .wouldBlock)

            // Room again: an ordinary connection.
            close(filling.removeLast())
            close(filling.removeLast())
            let third = try BlockingConnection(to: .path(path), deadline: never())
            #expect(listener.take() == .connection)
            _ = third.rawValue
        }
    }

    @Test func theNextClientIsRefusedWhileTheSpareIsInUse() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let path = folder.file("s")
            var listener = try UnixListener(path: path)
            let first = try BlockingConnection(to: .path(path), deadline: never())
            let second = try BlockingConnection(to: .path(path), deadline: never())
            try limitDescriptors()
            while dup(0) >= 0 {}
            do {
                let held = try listener.nextOverLimit()
                #expect(listener.take() == .failed)
                _ = held.rawValue
            }
            #expect(listener.take() == .overLimit)
            #expect(listener.take() == .wouldBlock)
            _ = (first.rawValue, second.rawValue)
        }
    }
}

/// Lets this process have few descriptors, and gives this thread a table of its own: libdispatch's threads, which the
/// test library runs on, abort when they find none left.
private func limitDescriptors() throws {
    typealias Unshare = @convention(c) (Int32) -> Int32
    let unshare = unsafeBitCast(try #require(dlsym(nil, "unshare")), to: Unshare.self)
    // CLONE_FILES
    guard unshare(0x400) == 0 else { throw SystemError("unshare", errno) }
    var limit = rlimit(rlim_cur: 64, rlim_max: 64)
    guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
        throw SystemError("setrlimit", errno)
    }
}

/// `AcceptOutcome` without its connection, which is closed.
enum Taken: Equatable {
    case connection, overLimit, wouldBlock, failed
}

struct UnexpectedOutcome: Error {
    let outcome: Taken
}

extension UnixListener {
    /// The next ordinary client.
    mutating func nextConnection() throws -> UnixConnection {
        switch accept() {
        case .connection(let connection): return connection
        case .overLimit: throw UnexpectedOutcome(outcome: .overLimit)
        case .wouldBlock: throw UnexpectedOutcome(outcome: .wouldBlock)
        case .failed: throw UnexpectedOutcome(outcome: .failed)
        }
    }

    /// The next client, which must have come over the limit.
    mutating func nextOverLimit() throws -> UnixConnection {
        switch accept() {
        case .connection: throw UnexpectedOutcome(outcome: .connection)
        case .overLimit(let connection): return connection
        case .wouldBlock: throw UnexpectedOutcome(outcome: .wouldBlock)
        case .failed: throw UnexpectedOutcome(outcome: .failed)
        }
    }

    mutating func take() -> Taken {
        switch accept() {
        case .connection: .connection
        case .overLimit: .overLimit
        case .wouldBlock: .wouldBlock
        case .failed: .failed
        }
    }
}

extension FileFacts {
    static func exists(_ path: String) -> Bool {
        var facts = stat()
        return lstat(path, &facts) == 0
    }
}
