import CInputLoad
import DeviceTestKit
import Glibc
import LinuxIO

/// Why the input benchmark cannot go on.
struct InputBenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ text: String) { description = text }
}

/// A program that reads a knob and tells subscribers: the daemon, or what it is compared with.
final class MeasuredProgram {
    let name: String
    /// The FIFO that stands for the knob's event node.
    private let node: String
    let socket: String
    private let process: ChildProcess
    /// Where it counts what it allocates.
    private let count: String
    /// What a subscriber says first, and what it is then told when it knows everything.
    private let call: String?
    private let complete: String?
    private var load: OpaquePointer?
    /// What must live as long as it.
    private let world: [AnyObject]

    private init(
        _ name: String, node: String, socket: String, process: ChildProcess, count: String, call: String? = nil,
        complete: String? = nil, world: [AnyObject] = []
    ) {
        self.name = name
        self.node = node
        self.socket = socket
        self.process = process
        self.count = count
        self.call = call
        self.complete = complete
        self.world = world
    }

    deinit { disconnect() }

    /// The release daemon with a rig of its own: sockets and state in `place`, /sys and /dev of a mock machine, a
    /// PowerMate plugged in.
    static func daemon(in place: PrivateFolder) throws -> MeasuredProgram {
        let folder = place.path
        let testbed = try DeviceTestbed()
        let count = try counter("\(folder)/daemon-allocations")
        let settings = "\(folder)/dashrig.ini"
        try FileContents.write(settings, Array("[authentication]\nsigner = test\n".utf8))
        var environment = testbed.environment
        environment["LD_PRELOAD"] = "\(preload):\(environment["LD_PRELOAD"] ?? "")"
        environment[countVariable] = count
        let arguments = [
            "--config", settings, "--socket-dir", "\(folder)/sockets", "--state-dir", "\(folder)/state", "--ports-dir",
            "\(folder)/ports", "--no-usb",
        ]
        try DirectoryTree.create("\(folder)/sockets")
        let process = try start(DeviceTestbed.product("dashrigd"), arguments, environment, says: "daemon.ready")
        let knob = try testbed.addKnob()
        // The grab is the last thing that happens to a node that is opened.
        let end = SystemClock.monotonicNow() + 10_000_000_000
        while !knob.isGrabbed {
            guard SystemClock.monotonicNow() < end else { throw InputBenchmarkError("the knob is not opened") }
            usleep(1_000)
        }
        return MeasuredProgram(
            "dashrigd", node: testbed.root + knob.node, socket: "\(folder)/sockets/org.dashrig.Rig", process: process,
            count: count, call: #"{"method":"org.dashrig.Rig.Subscribe","parameters":{},"more":true}"#,
            complete: #""complete":true"#, world: [place, testbed, knob])
    }

    /// The release daemon with nothing to watch.
    static func idleDaemon(in place: PrivateFolder) throws -> MeasuredProgram {
        let folder = place.path
        let settings = "\(folder)/dashrig.ini"
        try FileContents.write(settings, Array("[authentication]\nsigner = test\n".utf8))
        try DirectoryTree.create("\(folder)/sockets")
        let arguments = [
            "--config", settings, "--socket-dir", "\(folder)/sockets", "--state-dir", "\(folder)/state", "--ports-dir",
            "\(folder)/ports", "--no-usb", "--no-input",
        ]
        let process = try start(DeviceTestbed.product("dashrigd"), arguments, Environment(), says: "daemon.ready")
        return MeasuredProgram(
            "dashrigd", node: "", socket: "\(folder)/sockets/org.dashrig.Rig", process: process, count: "",
            world: [place])
    }

    /// The C program that does the least that can be done.
    static func forwarder(in place: PrivateFolder) throws -> MeasuredProgram {
        let folder = place.path
        // The preload library knows an event node by the end of its path.
        let node = "\(folder)/dev/input/event0"
        try DirectoryTree.create("\(folder)/dev/input")
        guard mkfifo(node, 0o600) == 0 else { throw SystemError("mkfifo", errno, node) }
        let count = try counter("\(folder)/forwarder-allocations")
        let socket = "\(folder)/forwarder"
        let environment = Environment(["LD_PRELOAD": preload, countVariable: count])
        let process = try start(DeviceTestbed.product("bench-forwarder"), [node, socket], environment, says: "ready")
        return MeasuredProgram(
            "C", node: node, socket: socket, process: process, count: count, world: [place])
    }

    private static let preload = DeviceTestbed.product("libBenchmarkPreload.so")
    /// As `preload.h` has it.
    private static let countVariable = "DASHRIG_BENCHMARK_COUNT"

    private static func counter(_ path: String) throws(FileError) -> String {
        try FileContents.write(path, [UInt8](repeating: 0, count: 8))
        return path
    }

    private static func start(
        _ program: String, _ arguments: [String], _ environment: Environment, says text: String
    ) throws -> ChildProcess {
        let process = try ChildProcess(ChildSpecification(program, arguments, environment: environment))
        guard try process.waitForOutput(text, until: SystemClock.monotonicNow() + 20_000_000_000) else {
            throw InputBenchmarkError(
                "\(program) did not start: \(String(decoding: process.errorOutput, as: UTF8.self))")
        }
        return process
    }

    /// Makes one call and waits for its answer.
    func ask(_ call: String) throws {
        let deadline = SystemClock.monotonicNow() + 10_000_000_000
        let connection = try BlockingConnection(to: .path(socket), deadline: deadline)
        _ = try Self.exchange(call, on: connection, deadline: deadline)
    }

    /// Makes a call on a connection and gives its answer.
    static func exchange(_ call: String, on connection: borrowing BlockingConnection, deadline: UInt64) throws -> String
    {
        try connection.sendAll(Array(call.utf8) + [0], deadline: deadline)
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while answer.last != 0 {
            let outcome = Result {
                try buffer.withUnsafeMutableBytes { try connection.receive(into: $0, deadline: deadline) }
            }
            guard case .bytes(let count) = try outcome.get() else { throw InputBenchmarkError("no answer to \(call)") }
            answer += buffer[..<count]
        }
        let text = String(decoding: answer.dropLast(), as: UTF8.self)
        if text.contains(#""error":"#) { throw InputBenchmarkError("\(call) is answered: \(text)") }
        return text
    }

    // MARK: Measuring

    /// Connects so many subscribers, in place of those before.
    func connect(_ subscribers: Int) throws {
        disconnect()
        load = input_load_open(node, socket, call, complete, UInt32(subscribers))
        if load == nil { throw SystemError("connect", errno, "\(subscribers) subscribers of \(name)") }
    }

    func disconnect() {
        if let load { input_load_close(load) }
        load = nil
    }

    /// One round: the knob is turned so many times, at so many turns a second.
    func run(rate: Double, reports: Int) throws -> InputRound {
        guard let load else { throw InputBenchmarkError("\(name) has no subscribers") }
        let (cpu, allocations) = (try cpuTime(), try allocations())
        var result = input_load_result()
        guard input_load_run(load, rate, UInt64(reports), &result) == 0 else {
            throw SystemError("write", errno, "the knob of \(name)")
        }
        return InputRound(
            result, cpu: try cpuTime() - cpu, allocations: try self.allocations() - allocations)
    }

    /// What its threads have run, in nanoseconds.
    private func cpuTime() throws(FileError) -> UInt64 {
        let folder = "/proc/\(process.pid)/task"
        var sum: UInt64 = 0
        for thread in try DirectoryTree.list(folder) {
            let bytes = try FileContents.read("\(folder)/\(thread)/schedstat", limit: 128)
            sum += String(decoding: bytes, as: UTF8.self).split(separator: " ").first.flatMap { UInt64($0) } ?? 0
        }
        return sum
    }

    private func allocations() throws(FileError) -> UInt64 {
        try FileContents.read(count, limit: 8).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    }
}

/// What one round has shown.
struct InputRound {
    /// From the write to a subscriber's read, in nanoseconds.
    let p50: Double
    let p99: Double
    /// Per report, in nanoseconds of the program.
    let cpu: Double
    /// Per report.
    let allocations: Double
    /// Bytes of a message.
    let bytes: Double
    /// Messages that did not come, or not in their order.
    let lost: UInt64
    /// The part of the reports that found no room in the node's queue.
    let delayed: Double

    init(_ result: input_load_result, cpu: UInt64, allocations: UInt64) {
        let reports = Double(result.reports)
        p50 = Double(result.p50)
        p99 = Double(result.p99)
        self.cpu = Double(cpu) / reports
        self.allocations = Double(allocations) / reports
        bytes = result.message_bytes
        lost = result.lost
        delayed = Double(result.delayed) / reports
    }
}
