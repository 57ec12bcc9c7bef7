public import DashrigClient
import Foundation
import Glibc
import LinuxIO
public import VarlinkProtocol

/// A rig of a test: serves one socket on a thread of its own, and answers as the test says.
public final class FakeRig: @unchecked Sendable {
    /// One client's connection, which may be written to from any thread.
    public final class Peer: @unchecked Sendable {
        private let connection: UnixConnection

        init(_ connection: consuming UnixConnection) { self.connection = connection }

        var rawValue: Int32 { connection.rawValue }

        /// Sends a reply; with `continues`, one of several.
        public func reply(_ parameters: JSONObject = [:], continues: Bool = false) {
            var bytes: [UInt8] = []
            VarlinkReply(parameters: parameters, continues: continues).write(into: &bytes)
            send(bytes)
        }

        /// Sends an error by its qualified name; `text` goes under the vendor's key.
        public func fail(_ error: String, _ parameters: JSONObject = [:], text: String? = nil) {
            var reply: JSONObject = ["error": .string(error), "parameters": .object(parameters)]
            if let text { reply["org.dashrig"] = .object(["text": .string(text)]) }
            send(Array(JSON.object(reply).description.utf8) + [0])
        }

        /// Sends bytes whole, waiting for the client where its socket is full.
        public func send(_ bytes: [UInt8]) {
            var offset = 0
            while offset < bytes.count {
                let outcome = bytes.withUnsafeBytes { connection.send(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
                switch outcome {
                case .bytes(let count): offset += count
                case .wouldBlock:
                    var entry = pollfd(fd: connection.rawValue, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&entry, 1, 1_000)
                case .closed, .failed: return
                }
            }
        }

        func receive(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome { connection.receive(into: buffer) }

        /// Ends the connection, both ways.
        public func close() { _ = shutdown(connection.rawValue, Int32(SHUT_RDWR)) }
    }

    /// Answers one call, on the thread of the rig.
    public typealias Handler = @Sendable (_ call: VarlinkCall, _ peer: Peer) -> Void

    /// The folder of the socket.
    public let directory: SocketDirectory
    private let lock = NSLock()
    private var recorded: [VarlinkCall] = []
    private var closedCount = 0
    private let wake: LinuxIO.Pipe
    private let done = DispatchSemaphore(value: 0)

    /// Serves in `directory`, which must exist, until `stop`.
    public init(_ directory: String, _ interface: SocketInterface = .rig, handler: @escaping Handler) throws {
        self.directory = SocketDirectory(directory)
        wake = try LinuxIO.Pipe()
        let box = try ListenerBox(path: self.directory.socket(interface))
        let thread = Thread { [self] in
            do {
                try serve(box, handler)
            } catch {
                preconditionFailure("the fake rig failed: \(error)")
            }
            box.listener = nil
            done.signal()
        }
        thread.start()
    }

    private final class ListenerBox: @unchecked Sendable {
        var listener: UnixListener?

        init(path: String) throws { listener = try UnixListener(path: path) }

        func accept() -> Peer? {
            guard case .connection(let connection)? = listener?.accept() else { return nil }
            return Peer(connection)
        }
    }

    /// The calls so far, in order.
    public var calls: [VarlinkCall] { lock.withLock { recorded } }

    /// How many clients have closed their connection.
    public var closed: Int { lock.withLock { closedCount } }

    /// The parameters of the last call of a method.
    public func parameters(of method: String) -> JSONObject? {
        calls.last { $0.method.hasSuffix(".\(method)") }?.parameters
    }

    /// Ends the service and all connections, and removes the socket.
    public func stop() {
        _ = wake.writer.write([0])
        done.wait()
    }

    private func serve(_ box: ListenerBox, _ handler: @escaping Handler) throws {
        let loop = try EventLoop()
        var peers: [Int32: (peer: Peer, watch: WatchID, reader: RecordReader)] = [:]
        _ = try loop.add(wake.reader.rawValue, .read) { _ in loop.stop() }
        func remove(_ number: Int32) {
            guard let entry = peers.removeValue(forKey: number) else { return }
            loop.remove(entry.watch)
            lock.withLock { closedCount += 1 }
        }
        func read(_ number: Int32) {
            guard let peer = peers[number]?.peer else { return }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            switch buffer.withUnsafeMutableBytes({ peer.receive(into: $0) }) {
            case .wouldBlock: return
            case .endOfFile, .failed: remove(number)
            case .bytes(let count):
                peers[number]?.reader.append(buffer[..<count])
                while let record = try? peers[number]?.reader.next() {
                    guard case .call(let call) = VarlinkCall.read(record) else { continue }
                    lock.withLock { recorded.append(call) }
                    handler(call, peer)
                }
            }
        }
        guard let listening = box.listener?.rawValue else { return }
        _ = try loop.add(listening, .read) { _ in
            while let peer = box.accept() {
                let number = peer.rawValue
                if let watch = try? loop.add(number, [.read, .peerClosed], handler: { _ in read(number) }) {
                    peers[number] = (peer, watch, RecordReader(maximumRecordSize: 1 << 20))
                }
            }
        }
        try loop.run()
        for number in Array(peers.keys) {
            peers[number]?.peer.close()
            remove(number)
        }
    }
}
