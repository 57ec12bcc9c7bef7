import Glibc
import LinuxIO
import Testing
import VarlinkProtocol

/// `dashrigd` as its own process on a private socket folder, without hardware.
final class RunningDaemon {
    let folder: String
    private(set) var process: ChildProcess
    private let arguments: [String]
    private let environment: Environment
    private let wrapper: [String]

    static let rig = "org.dashrig.Rig"
    static let app = "org.dashrig.App"

    /// Starts it and waits until it listens. With `devices` it watches USB and knobs: on the machine of `environment`.
    /// A `wrapper` is a program with its arguments that becomes the daemon.
    init(
        _ arguments: [String] = [], environment: Environment = Environment(["PATH": "/usr/bin:/bin"]),
        devices: Bool = false, signer: String = "test", wrapper: [String] = []
    ) throws {
        folder = try Self.privateFolder()
        let buses = devices ? ["--ports-dir", "\(folder)-ports"] : ["--no-usb", "--no-input"]
        // The test signer needs no job, so that a plug is answered by an active session.
        var settings: [String] = []
        if !arguments.contains("--config") {
            settings = ["--config", "\(folder)-test.ini"]
            try FileContents.write(settings[1], Array("[authentication]\nsigner = \(signer)\n".utf8))
        }
        self.arguments =
            ["--socket-dir", folder, "--state-dir", "\(folder)-state", "--log-level", "debug"] + settings + buses
            + arguments
        self.environment = environment
        self.wrapper = wrapper
        process = try Self.start(self.arguments, environment, wrapper: wrapper)
        try waitUntilReady()
    }

    deinit {
        if process.exit == nil {
            try? process.signal(SIGKILL)
            _ = try? process.wait(until: Self.soon())
        }
        for name in [Self.rig, Self.app] { unlink("\(folder)/\(name)") }
        rmdir(folder)
        unlink("\(folder)-test.ini")
        let credentials = "\(stateFolder)/credentials"
        for name in (try? DirectoryTree.list(credentials)) ?? [] { unlink("\(credentials)/\(name)") }
        rmdir(credentials)
        rmdir(stateFolder)
    }

    /// Where it keeps its keys, unless it was started with another.
    var stateFolder: String { "\(folder)-state" }

    /// Ends it in whatever way and starts it again on the same folder.
    func restart() throws {
        process = try Self.start(arguments, environment, wrapper: wrapper)
        try waitUntilReady()
    }

    static func privateFolder() throws -> String {
        var template = Array("/tmp/dashrig-test-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap(mkdtemp) }
        return String(cString: try #require(made))
    }

    /// The daemon that this build made, beside the test bundle.
    static var program: String {
        get throws {
            let own = CommandLine.arguments[0]
            let place = own.contains(".build") ? own : try Self.executable()
            let parts = place.split(separator: "/", omittingEmptySubsequences: false)
            return parts.dropLast().joined(separator: "/") + "/dashrigd"
        }
    }

    private static func executable() throws -> String {
        // swift test runs the bundle through its own program; the bundle's path is among the arguments.
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
        return try #require(bundle, "the tests do not know where they were built")
    }

    static func start(
        _ arguments: [String], _ environment: Environment, wrapper: [String] = []
    ) throws -> ChildProcess {
        let words = wrapper + [try program] + arguments
        return try ChildProcess(
            ChildSpecification(
                words[0], Array(words.dropFirst()), environment: environment, output: .capture, errorOutput: .capture))
    }

    static func soon(_ seconds: UInt64 = 10) -> UInt64 { SystemClock.monotonicNow() + seconds * 1_000_000_000 }

    private func waitUntilReady() throws {
        let isReady = try process.waitForOutput("daemon.ready", until: Self.soon())
        try #require(isReady, "dashrigd did not start: \(String(decoding: process.errorOutput, as: UTF8.self))")
    }

    func connect(_ interface: String = rig) throws -> TestClient {
        try TestClient("\(folder)/\(interface)")
    }

    /// One call on a connection of its own.
    func call(_ method: String, _ parameters: JSONObject = [:], interface: String = rig) throws -> VarlinkReply {
        let client = try connect(interface)
        try client.send("\(interface).\(method)", parameters)
        return try client.reply()
    }

    /// Numbers from the kernel about the process.
    func fact(_ name: String) throws -> Int {
        let text = String(
            decoding: try FileContents.read("/proc/\(process.pid)/status", limit: 65_536), as: UTF8.self)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("\(name):") })
        return try #require(line.split(whereSeparator: { $0 == " " || $0 == "\t" }).compactMap { Int($0) }.first)
    }

    var descriptorCount: Int {
        get throws { try DirectoryTree.list("/proc/\(process.pid)/fd").count }
    }

    /// Lets the process open so many descriptors from now on.
    func setDescriptorLimit(_ count: Int) throws {
        let setting = ["--pid", String(process.pid), "--nofile=\(count):"]
        let tool = try ChildProcess(ChildSpecification("/usr/bin/prlimit", setting, environment: Environment()))
        try #require(try tool.wait(until: Self.soon()) == .exited(0))
    }

    /// Limits its descriptors so that a few numbers are free below the limit, whatever it was started with; gives the limit.
    /// Its own, the spare one too, took the lowest numbers that were free, and are below; those that it inherited may lie
    /// anywhere.
    func limitDescriptors(leaving free: Int) throws -> Int {
        let taken = Set(try DirectoryTree.list("/proc/\(process.pid)/fd").compactMap { Int($0) })
        var limit = 0
        var left = free
        while left > 0 {
            if !taken.contains(limit) { left -= 1 }
            limit += 1
        }
        try setDescriptorLimit(limit)
        return limit
    }

    func log() -> String { String(decoding: process.errorOutput, as: UTF8.self) }
}

/// A client that sends what it is told, right or wrong, and reads replies.
final class TestClient {
    private let connection: BlockingConnection
    private var reader = RecordReader(maximumRecordSize: 16 << 20)
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    init(_ path: String) throws {
        connection = try BlockingConnection(to: .path(path), deadline: RunningDaemon.soon())
    }

    func send(_ bytes: [UInt8]) throws { try connection.sendAll(bytes, deadline: RunningDaemon.soon()) }

    func send(
        _ method: String, _ parameters: JSONObject = [:], more: Bool = false, oneway: Bool = false
    ) throws {
        var bytes: [UInt8] = []
        VarlinkCall(method: method, parameters: parameters, oneway: oneway, more: more).write(into: &bytes)
        try send(bytes)
    }

    /// Ends its own side; what the daemon says still arrives.
    func finishSending() throws { try #require(shutdown(connection.rawValue, Int32(SHUT_WR)) == 0) }

    /// The next reply; fails when none comes in time or the connection ends.
    func reply(within seconds: UInt64 = 10) throws -> VarlinkReply {
        let next = try nextReply(within: seconds)
        return try #require(next, "the connection ended, or no reply came within \(seconds) s")
    }

    /// The next reply, or nil when the connection ended or none came in time.
    func nextReply(within seconds: UInt64 = 10) throws -> VarlinkReply? {
        let deadline = RunningDaemon.soon(seconds)
        while true {
            if let record = try reader.next() { return try VarlinkReply(parsing: record) }
            switch receive(until: deadline) {
            case .bytes(let count): reader.append(buffer[..<count])
            case .endOfFile, .timedOut: return nil
            }
        }
    }

    /// Whether the daemon has ended the connection, or does within a second.
    func isEnded() -> Bool {
        while true {
            switch receive(until: RunningDaemon.soon(1)) {
            case .bytes: continue
            case .endOfFile: return true
            case .timedOut: return false
            }
        }
    }

    /// A connection that was reset has ended as well.
    private func receive(until deadline: UInt64) -> TimedReadOutcome {
        do throws(UnixSocketError) {
            return try receiveBytes(until: deadline)
        } catch {
            return .endOfFile
        }
    }

    private func receiveBytes(until deadline: UInt64) throws(UnixSocketError) -> TimedReadOutcome {
        var outcome = TimedReadOutcome.timedOut
        var failure: UnixSocketError?
        buffer.withUnsafeMutableBytes { bytes in
            do throws(UnixSocketError) {
                outcome = try connection.receive(into: bytes, deadline: deadline)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return outcome
    }

    /// The events of a stream until one of a kind comes, that one included.
    func events(until kind: String) throws -> [JSONObject] {
        var events: [JSONObject] = []
        while true {
            guard let event = try reply().parameters["event"]?.objectValue else { continue }
            events.append(event)
            if event["kind"]?.stringValue == kind { return events }
        }
    }
}
