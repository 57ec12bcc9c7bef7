import DashrigDaemon
import Glibc
import LinuxIO
import ServiceManager
import VarlinkProtocol

/// `org.varlink.certification` on the daemon's own server, and our client against anybody's: what independent
/// implementations are run against in CI. Only tests build and run it.
enum CertificationProgram {
    static func run(_ arguments: [String]) -> Int32 {
        guard arguments.count == 2, ["serve", "check"].contains(arguments[0]) else {
            say("usage: varlink-certification serve|check SOCKET")
            return 2
        }
        do {
            if arguments[0] == "serve" { try serve(arguments[1]) } else { return try check(arguments[1]) }
            return 0
        } catch {
            say("varlink-certification: \(error)")
            return 1
        }
    }

    private static func say(_ text: String) { _ = SharedStream(2).write(Array("\(text)\n".utf8)) }

    /// Serves until SIGTERM.
    private static func serve(_ path: String) throws {
        SignalDescriptor.ignoreBrokenPipe()
        let signals = try SignalDescriptor([SIGTERM, SIGINT])
        let loop = try EventLoop()
        let server = try ClientServer(
            loop: loop, journal: try Journal(.standardError(prefixed: false), identifier: "varlink-certification"),
            limits: ClientServer.Limits(rigCallBytes: 1 << 20, appCallBytes: 1 << 20, queueBytes: 1 << 20),
            version: DaemonMain.version, foreign: [try InterfaceDescription(parsing: Certification.interfaceText)],
            tokens: { "" })
        var service = CertificationService()
        server.onForeignCall = { service.handle($0, record: $1, into: &$2) }
        try server.listen(try UnixListener(path: path), interface: Certification.interfaceName)
        _ = try loop.add(signals.rawValue, .read) { _ in loop.stop() }
        loop.beforeWait = { server.flush() }
        say("ready")
        try loop.run()
    }

    /// Runs our client through the whole certification of a server.
    private static func check(_ path: String) throws -> Int32 {
        let deadline = SystemClock.monotonicNow() + 30_000_000_000
        let connection = try BlockingConnection(to: .path(path), deadline: deadline)
        var wire = VarlinkClientConnection()
        var client = try CertificationClient()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var actions: [CertificationClient.Action] = []
        if let call = client.start() { actions.append(.send(call)) }
        while true {
            for action in actions {
                switch action {
                case .send(let call):
                    var bytes: [UInt8] = []
                    _ = try wire.send(call, into: &bytes)
                    try connection.sendAll(bytes, deadline: deadline)
                // A oneway call has no reply to wait for: its handing over is what the client waits for.
                case .passed:
                    say("passed")
                    return 0
                case .failed(let failure):
                    say("failed: \(failure)")
                    return 1
                }
            }
            actions.removeAll()
            var outcome = TimedReadOutcome.timedOut
            try buffer.withUnsafeMutableBytes { outcome = try connection.receive(into: $0, deadline: deadline) }
            var events: [VarlinkClientConnection.Event] = []
            switch outcome {
            case .bytes(let count): wire.receive(buffer[..<count], into: &events)
            case .endOfFile: wire.streamEnded(into: &events)
            case .timedOut: throw UnixSocketError.timedOut(path)
            }
            for event in events { client.handle(event, into: &actions) }
        }
    }
}
