internal import DashrigClient
internal import EvdevInput
internal import EvemuFormat
internal import LinuxIO
internal import RigModel

/// Reads one evdev node on a loop of its own and writes its reports as they come.
final class EvdevRecorder {
    /// Why a recording is over.
    enum Ending: Equatable {
        /// The time that was asked for is over.
        case time
        /// Somebody stopped it.
        case interrupted
        /// It could not begin or go on.
        case failed(CommandLineFailure)
    }

    /// What was written so far.
    private(set) var writer = EvemuWriter()
    /// How often the kernel lost events.
    private(set) var losses = 0
    /// What the device calls itself; empty until it was opened.
    private(set) var name = ""

    /// Whether the node was opened and the file begun.
    var isOpen: Bool { file != nil }

    private let node: String
    private let path: String
    private let interrupt: Int32?
    private let loop: EventLoop
    private let jobs: JobPool
    private var reader: EvdevReader?
    private var file: CaptureFile?
    private var size = 0
    private var ending: Ending?

    init(node: String, path: String, interrupt: Int32?) throws(SystemError) {
        self.node = node
        self.path = path
        self.interrupt = interrupt
        loop = try EventLoop()
        jobs = try JobPool(loop: loop, threads: 1)
        if let interrupt { _ = try loop.add(interrupt, .read) { [unowned self] _ in end(.interrupted) } }
    }

    /// Records until a time, an interruption or the device's end.
    func run(until end: UInt64?) -> Ending {
        do throws(EvdevError) {
            try EvdevReader.open(
                node: node, loop: loop, jobs: jobs, key: 1, handler: { [unowned self] in heard($0) },
                completion: { [unowned self] in opened($0) })
        } catch {
            return .failed(Self.failure(error))
        }
        do throws(SystemError) {
            try loop.run(until: end)
        } catch {
            self.end(.failed(.rig(.system(error))))
        }
        reader?.close()
        reader = nil
        jobs.shutDown()
        if file == nil && ending == nil { return .failed(Self.failure(.stuck(node))) }
        return ending ?? .time
    }

    private func end(_ reason: Ending) {
        if ending == nil { ending = reason }
        loop.stop()
    }

    private func opened(_ result: Result<EvdevReader, EvdevError>) {
        switch result {
        case .failure(let error): end(.failed(Self.failure(error)))
        case .success(let reader):
            self.reader = reader
            do throws(CommandLineFailure) {
                // Only now is the file touched: what a refused recording would have replaced stays as it is.
                file = try CaptureFile(path, interrupt: interrupt, what: "recording")
                name = reader.description.name
                try write(writer.head(reader.description))
            } catch {
                end(.failed(error))
            }
        }
    }

    private func heard(_ notice: EvdevNotice) {
        switch notice {
        case .frame(let frame):
            do throws(CommandLineFailure) { try write(writer.frame(frame)) } catch { end(.failed(error)) }
            if writer.eventCount + writer.frameCount + EvdevFrame.maximumEvents > EvemuRecording.maximumEvents
                || size + EvdevFrame.maximumEvents * EvemuRecording.maximumLine > EvemuRecording.maximumBytes
            {
                end(.failed(.failed(name: .recordingFull, text: "the recording is as large as one may be")))
            }
        case .lost: losses += 1
        case .grabRefused: break
        case .gone(let reason):
            let text =
                switch reason {
                case .unplugged: "\(node): the device was unplugged"
                case .revoked: "\(node): the access was taken away"
                case .failed(let error): error.description
                }
            end(.failed(.failed(name: .deviceGone, text: text)))
        }
    }

    private func write(_ text: String) throws(CommandLineFailure) {
        size += text.utf8.count
        try file?.write(Array(text.utf8))
    }

    private static func failure(_ error: EvdevError) -> CommandLineFailure {
        .failed(name: .deviceNotReadable, text: error.description)
    }
}
