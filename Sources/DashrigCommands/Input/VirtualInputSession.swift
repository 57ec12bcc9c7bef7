internal import DashrigClient
internal import Glibc
internal import LinuxIO
internal import RigModel
internal import UinputDevice
internal import VirtualInput

/// A virtual device from its making to its end, and what it is told to do meanwhile.
final class VirtualInputSession {
    /// How many reports were sent.
    private(set) var reports = 0
    /// How many events were in them.
    private(set) var events = 0
    /// How many lines were wrong.
    private(set) var refusedLines = 0
    /// How many events at the end had no SYN_REPORT behind and were not sent.
    var unfinished: Int { encoder.unfinished }
    /// By how much the latest report with a time was sent too late, in nanoseconds.
    private(set) var latest: UInt64 = 0
    /// The evdev node; empty until it is ready.
    private(set) var node = ""
    /// Whether udev runs and has told of it.
    private(set) var isKnownToUdev = false

    let sysname: String
    var syspath: String { readiness.syspath }

    private let device: UinputDevice
    private var readiness: NodeReadiness
    private let report: VirtualInputReport
    private let readyWithin: UInt64
    private let loop: EventLoop
    private var isInterrupted = false
    private var encoder: VirtualInputEncoder
    /// When what comes next is due: pauses count from the last one's end, so that they do not add up what is late.
    private var due: UInt64 = 0
    private var lastSent: UInt64?

    /// How often it is looked whether the node is ready, in nanoseconds: ours; udev takes some milliseconds.
    private static let lookInterval: UInt64 = 5_000_000
    /// How long the device stays after its last report, in nanoseconds: what readers have not read when it goes is lost.
    /// Ours: a reader that is late by more has other troubles.
    private static let lingerTime: UInt64 = 200_000_000
    /// Up to how much lateness is caught up with, in nanoseconds. A reader's queue holds some thirty reports: more of them at
    /// once, which no true device sends, would run over. Ours.
    private static let catchUp: UInt64 = 10_000_000
    /// How much of standard input is read at once, in bytes: what a pipe holds is four times that.
    private static let chunk = 16_384

    init(
        _ device: VirtualInputDevice, _ report: VirtualInputReport, _ call: Invocation
    ) throws(CommandLineFailure) {
        self.report = report
        readyWithin = call.access.callTimeout
        encoder = VirtualInputEncoder(device)
        do throws(SystemError) { loop = try EventLoop() } catch { throw .rig(.system(error)) }
        // The place by which the rig and its udev rule know it; a process has one device.
        let place = "\(InputDeviceDescription.virtualPlace)virtual-\(ProcessFacts.pid)/input0"
        do throws(UinputError) {
            self.device = try UinputDevice(device, at: call.machine.root + "/dev/uinput", phys: place)
        } catch {
            throw Self.failure(error)
        }
        sysname = self.device.sysname
        readiness = NodeReadiness(root: call.machine.root, sysname: sysname, created: self.device.created)
        guard let interrupt = call.access.interrupt else { return }
        do throws(SystemError) {
            _ = try loop.add(interrupt, .read) { [unowned self] _ in
                isInterrupted = true
                loop.stop()
            }
        } catch {
            throw .rig(.system(error))
        }
    }

    /// Takes the device away.
    func end() { device.destroy() }

    /// Returns when the node can be used.
    func waitUntilReady() throws(CommandLineFailure) {
        let end = SystemClock.monotonicNow().addingClamped(readyWithin)
        while true {
            let late: UinputError
            switch readiness.look() {
            case .ready(let node, let byUdev):
                self.node = node
                isKnownToUdev = byUdev
                return
            case .noNode: late = .noNode(sysname: sysname)
            case .udevBusy(let node): late = .udevLate(node: node)
            case .denied(let path): late = .nodeHidden(path: path)
            case .gone: throw Self.failure(.gone(sysname: sysname))
            case .failed(let error): throw Self.failure(.unreadable(error))
            }
            let now = SystemClock.monotonicNow()
            if now >= end { throw Self.failure(late) }
            try wait(until: now + Self.lookInterval)
        }
    }

    /// Does what the lines of a descriptor say, up to its end.
    func follow(descriptor number: Int32) throws(CommandLineFailure) {
        let input: InheritedInput
        do throws(SystemError) { input = try InheritedInput(number) } catch { throw .rig(.system(error)) }
        due = SystemClock.monotonicNow()
        var lines = VirtualInputLines()
        var buffer = [UInt8](repeating: 0, count: Self.chunk)
        while true {
            let isWaiting = try waitUntilReadable(input.descriptor.rawValue)
            // Whoever types or sends lines late wants them done when they come.
            if isWaiting { due = max(due, SystemClock.monotonicNow()) }
            switch buffer.withUnsafeMutableBytes({ input.descriptor.read(into: $0) }) {
            case .bytes(let count): lines.append(buffer[..<count])
            case .wouldBlock: continue
            case .endOfFile:
                lines.end()
                try perform(&lines)
                return
            case .failed(let error): throw .file("standard input: \(error)")
            }
            try perform(&lines)
        }
    }

    /// Plays a recording so often, in its time.
    func play(_ playback: VirtualInputPlayback, _ order: VirtualInputOrder) throws(CommandLineFailure) {
        let length = playback.duration.played(at: order.speed)
        var start = SystemClock.monotonicNow().addingClamped(order.delay)
        for _ in 0..<order.rounds {
            for report in playback.reports {
                let wanted = start.addingClamped(report.offset.played(at: order.speed))
                due = wanted
                try pause()
                start = start.addingClamped(due - wanted)
                try send(report.events)
            }
            start = start.addingClamped(length)
        }
    }

    /// Stays until readers had time to read the last report.
    func linger() throws(CommandLineFailure) {
        if let lastSent { try wait(until: lastSent.addingClamped(Self.lingerTime)) }
    }

    // MARK: Lines

    private func perform(_ lines: inout VirtualInputLines) throws(CommandLineFailure) {
        while let line = lines.next() {
            switch line {
            case .tooLong(let number):
                try refuse(
                    VirtualInputProblem(
                        line: number, text: "it is longer than \(VirtualInputLines.maximumLine) bytes"))
            case .whole(let number, let bytes):
                for action in try actions(of: bytes, number) { try perform(action) }
            }
            if isInterrupted { throw .interrupted }
        }
    }

    /// What a line means; nothing for a refused one.
    private func actions(of line: ArraySlice<UInt8>, _ number: Int) throws(CommandLineFailure) -> [VirtualInputAction] {
        let refusal: VirtualInputRefusal
        do throws(VirtualInputRefusal) {
            guard let command = try VirtualInputCommand.parse(line) else { return [] }
            return try encoder.actions(for: command)
        } catch {
            refusal = error
        }
        try refuse(VirtualInputProblem(line: number, refusal))
        return []
    }

    private func perform(_ action: VirtualInputAction) throws(CommandLineFailure) {
        switch action {
        case .report(let events): try send(events)
        case .pause(let time):
            due = due.addingClamped(time)
            try pause()
        case .echo(let word): try report.echo(word)
        }
    }

    private func refuse(_ problem: VirtualInputProblem) throws(CommandLineFailure) {
        refusedLines += 1
        try report.refuse(problem)
    }

    private func send(_ events: [EvdevEvent]) throws(CommandLineFailure) {
        do throws(UinputError) { try device.send(events) } catch { throw Self.failure(error) }
        reports += 1
        self.events += events.count
        lastSent = SystemClock.monotonicNow()
    }

    // MARK: Waiting

    /// Waits until what comes next is due, and notes how late it is then. What is not caught up with moves all that follows.
    private func pause() throws(CommandLineFailure) {
        if SystemClock.monotonicNow() < due { try wait(until: due) }
        let now = SystemClock.monotonicNow()
        let late = now - min(due, now)
        latest = max(latest, late)
        if late > Self.catchUp { due = now - Self.catchUp }
    }

    private func wait(until time: UInt64) throws(CommandLineFailure) {
        do throws(SystemError) { try loop.run(until: time) } catch { throw .rig(.system(error)) }
        if isInterrupted { throw .interrupted }
    }

    /// Waits for bytes or the end of a descriptor. Answers whether there was anything to wait for: a regular file is
    /// always ready and cannot be watched.
    private func waitUntilReadable(_ number: Int32) throws(CommandLineFailure) -> Bool {
        var isReady = false
        var isFirst = true
        do throws(SystemError) {
            let watch = try loop.add(number, .read) { [unowned self] _ in
                isReady = true
                loop.stop()
            }
            defer { loop.remove(watch) }
            while !isReady && !isInterrupted {
                // First without waiting, to know whether it is late.
                if isFirst {
                    _ = try loop.run(until: 0)
                } else {
                    _ = try loop.run()
                }
                if isReady || isInterrupted { break }
                isFirst = false
            }
        } catch {
            guard error.number == EPERM else { throw .rig(.system(error)) }
            return false
        }
        if isInterrupted { throw .interrupted }
        return !isFirst
    }

    private static func failure(_ error: UinputError) -> CommandLineFailure {
        let name: FailureName =
            switch error {
            case .absent: .uinputAbsent
            case .notLoaded: .uinputNotLoaded
            case .noAccess: .uinputNotPermitted
            case .tooOld: .uinputTooOld
            case .noNode: .noNode
            case .udevLate: .udevLate
            case .nodeHidden: .nodeHidden
            case .gone: .deviceGone
            case .unreadable: .nodeUnreadable
            case .system: .uinputFailed
            }
        return .failed(name: name, text: error.description)
    }
}

/// A descriptor of whoever started the program, which stays open behind it.
private final class InheritedInput {
    let descriptor: OwnedDescriptor

    init(_ number: Int32) throws(SystemError) {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        if copy < 0 { throw SystemError("fcntl", errno, "descriptor \(number)") }
        descriptor = OwnedDescriptor(adopting: copy)
    }
}
