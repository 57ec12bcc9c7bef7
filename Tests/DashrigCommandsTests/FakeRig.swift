import DashrigClient
import Foundation
import Glibc
import LinuxIO
import RigModel
import VarlinkProtocol

/// A rig of a test: serves one socket on a thread of its own, and answers as the test says.
final class FakeRig: @unchecked Sendable {
    /// One client's connection, which may be written to from any thread.
    final class Peer: @unchecked Sendable {
        private let connection: UnixConnection

        init(_ connection: consuming UnixConnection) { self.connection = connection }

        var rawValue: Int32 { connection.rawValue }

        func reply(_ parameters: JSONObject = [:], continues: Bool = false) {
            var bytes: [UInt8] = []
            VarlinkReply(parameters: parameters, continues: continues).write(into: &bytes)
            send(bytes)
        }

        func fail(_ error: String, _ parameters: JSONObject = [:], text: String? = nil) {
            var reply: JSONObject = ["error": .string(error), "parameters": .object(parameters)]
            if let text { reply["org.dashrig"] = .object(["text": .string(text)]) }
            send(Array(JSON.object(reply).description.utf8) + [0])
        }

        /// Sends bytes whole, waiting for the client where its socket is full.
        func send(_ bytes: [UInt8]) {
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
        func close() { _ = shutdown(connection.rawValue, Int32(SHUT_RDWR)) }
    }

    typealias Handler = @Sendable (_ call: VarlinkCall, _ peer: Peer) -> Void

    /// The folder of the socket.
    let directory: SocketDirectory
    private let lock = NSLock()
    private var recorded: [VarlinkCall] = []
    private var closedCount = 0
    private let wake: LinuxIO.Pipe
    private let done = DispatchSemaphore(value: 0)

    /// Serves in `directory`, which must exist, until `stop`.
    init(_ directory: String, _ interface: SocketInterface = .rig, handler: @escaping Handler) throws {
        self.directory = SocketDirectory(directory)
        wake = try LinuxIO.Pipe()
        let box = try ListenerBox(path: self.directory.socket(interface))
        let thread = Thread { [self] in
            do {
                try serve(box, handler)
            } catch {
                fatalError("the fake rig failed: \(error)")
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
    var calls: [VarlinkCall] { lock.withLock { recorded } }

    /// How many clients have closed their connection.
    var closed: Int { lock.withLock { closedCount } }

    /// The parameters of the last call of a method.
    func parameters(of method: String) -> JSONObject? {
        calls.last { $0.method.hasSuffix(".\(method)") }?.parameters
    }

    /// Ends the service and all connections, and removes the socket.
    func stop() {
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

/// A folder of a test, removed with this object. Short, because a socket's path is.
final class TestFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/rigXXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A rig with a phone, as values of the model.
enum SampleRig {
    static func state(
        epoch: String = "e1", sequence: UInt64 = 41, devices: [Device] = [], sessions: [Session] = [],
        displays: [Display] = [], apps: [App] = [], front: String? = nil, version: String = "0.1.0"
    ) -> JSONObject {
        let record = RecordValue.record([
            RecordField("epoch", .string(epoch)), RecordField("sequence", .number(sequence)),
            RecordField("time", .int(192_000_000_000)), RecordField("base", .int(5)), RecordField("realtime", .int(7)),
            RecordField("bootID", .string("b")), RecordField("version", .string(version)),
            RecordField("instance", .string("main")), RecordField("front", .text(front)),
            RecordField("vehicle", Vehicle().record), RecordField("devices", .array(devices.map(\.record))),
            RecordField("sessions", .array(sessions.map(\.record))),
            RecordField("displays", .array(displays.map(\.record))), RecordField("apps", .array(apps.map(\.record))),
        ])
        return JSON(record).objectValue ?? [:]
    }

    static func device(
        _ name: String = "iphone-1", state: DeviceState = .active, session: UInt32? = 1, generation: UInt32 = 1,
        reason: Reason? = nil
    ) -> Device {
        let facts = DeviceFacts(
            kind: .iPhone, profile: "iphone", serial: "DASHRIG1", port: "virtual", origin: .simulated)
        var device = Device(id: DeviceID(1), name: name, facts: facts, peer: .simulated, phone: PhoneConditions())
        device.state = state
        device.generation = generation
        device.session = session.map { SessionID($0) }
        device.reason = reason
        return device
    }

    static func session(
        _ number: UInt32 = 1, _ device: Device = device(), phase: SessionPhase = .active, waiting: SessionWait? = nil,
        reason: Reason? = nil
    ) -> Session {
        var session = Session(
            id: SessionID(number), device: device.reference, link: LinkID(number), role: .headUnit, peer: .simulated,
            openedAt: 1_000_000_000)
        session.phase = phase
        session.waiting = waiting
        session.reason = reason
        if phase == .active { session.activeAt = 1_012_500_000 }
        return session
    }

    static func display(_ name: String = "main", scale: Int = 200) -> Display {
        let description = DisplayDescription(
            name: name, pixels: PixelSize(width: 800, height: 480), scaleHundredths: scale, widthMillimetres: 160,
            heightMillimetres: 96)
        return Display(session: SessionID(1), description: description, origin: .declared)
    }

    /// A phone with an active session in front, one display and one app.
    static var full: JSONObject {
        state(
            devices: [device()], sessions: [session()], displays: [display()],
            apps: [App(id: AppID(1), name: "Maps", device: nil, session: SessionID(1), uid: 1_000)], front: "s1")
    }

    static func event(_ sequence: UInt64, _ kind: EventKind, device: Device? = nil, _ payload: EventPayload = .none)
        -> JSON
    {
        let event = Event(
            sequence: sequence, time: 192_000_000_000 + sequence * 1_000_000, kind: kind, origin: .simulated,
            device: device?.reference, payload: payload)
        return JSON(event.record)
    }
}
