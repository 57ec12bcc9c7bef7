internal import CLinux
internal import Glibc

/// The act of starting a child: everything that posix_spawn needs, made and freed here. Its numbers belong to whoever
/// asked for the launch.
struct ChildLaunch {
    let pid: Int32
    let processDescriptor: Int32
    /// Our end of the pipe, non-blocking; -1 when the stream is not captured.
    let output: Int32
    let errorOutput: Int32
    /// Our end of the pipe to standard input; -1 when there is none.
    let input: Int32

    init(_ specification: ChildSpecification) throws(SystemError) {
        var ours: (output: OwnedPipeEnd, error: OwnedPipeEnd, input: OwnedPipeEnd) = (.init(), .init(), .init())
        let actions = try SpawnActions()
        ours.output = try actions.route(1, specification.output)
        ours.error = try actions.route(2, specification.errorOutput)
        ours.input = try actions.routeInput(specification.takesInput)
        try actions.pass(specification.descriptors)
        if let folder = specification.folder { try actions.start(in: folder) }
        let attributes = try SpawnAttributes(leadsGroup: specification.leadsGroup)
        let arguments = CStrings([specification.program] + specification.arguments)
        let environment = CStrings(specification.environment.lines)
        var child: pid_t = 0
        let failure = withExtendedLifetime((actions, attributes, arguments, environment)) {
            posix_spawnp(
                &child, specification.program, actions.pointer, attributes.pointer, arguments.pointer,
                environment.pointer)
        }
        if failure != 0 { throw SystemError("posix_spawn", failure, specification.program) }
        // Until it is waited for, the child's number cannot become another process's.
        let descriptor = dashrig_pidfd_open(child)
        if descriptor < 0 {
            let error = SystemError.last("pidfd_open", "\(child)")
            kill(child, SIGKILL)
            waitpid(child, nil, 0)
            throw error
        }
        pid = child
        processDescriptor = descriptor
        output = ours.output.release()
        errorOutput = ours.error.release()
        input = ours.input.release()
    }
}

/// Our end of a pipe, or none; closed unless released.
private final class OwnedPipeEnd {
    private var number: Int32

    init(_ number: Int32 = -1) { self.number = number }

    deinit { if number >= 0 { closeDescriptor(number) } }

    func release() -> Int32 {
        defer { number = -1 }
        return number
    }
}

/// posix_spawn's file actions, and the descriptors that must stay open until they have been done.
private final class SpawnActions {
    let pointer = UnsafeMutablePointer<posix_spawn_file_actions_t>.allocate(capacity: 1)
    private var kept: [Int32] = []

    init() throws(SystemError) {
        pointer.initialize(to: posix_spawn_file_actions_t())
        try need("posix_spawn_file_actions_init", posix_spawn_file_actions_init(pointer))
    }

    deinit {
        posix_spawn_file_actions_destroy(pointer)
        pointer.deallocate()
        for number in kept { closeDescriptor(number) }
    }

    func route(_ stream: Int32, _ target: ChildOutput) throws(SystemError) -> OwnedPipeEnd {
        switch target {
        case .inherit: return OwnedPipeEnd()
        case .discard:
            try openNull(stream, O_WRONLY)
            return OwnedPipeEnd()
        case .capture:
            // Only our end is non-blocking: a program does not expect that of its standard output.
            let pipe = try Pipe(nonBlocking: false)
            try pipe.reader.setNonBlocking()
            let (reader, writer) = pipe.release()
            kept.append(writer)
            let end = OwnedPipeEnd(reader)
            try duplicate(writer, stream)
            return end
        }
    }

    func routeInput(_ isPiped: Bool) throws(SystemError) -> OwnedPipeEnd {
        guard isPiped else {
            try openNull(0, O_RDONLY)
            return OwnedPipeEnd()
        }
        let (reader, writer) = try Pipe(nonBlocking: false).release()
        kept.append(reader)
        let end = OwnedPipeEnd(writer)
        try duplicate(reader, 0)
        return end
    }

    /// Moves everything above the highest target first, so that no target overwrites a source that is still needed.
    func pass(_ descriptors: [ChildSpecification.PassedDescriptor]) throws(SystemError) {
        let free = (descriptors.map(\.child).max() ?? 2) + 1
        var moved: [(source: Int32, target: Int32)] = []
        for entry in descriptors {
            let source = try check("fcntl", "F_DUPFD_CLOEXEC \(entry.parent)") {
                fcntl(entry.parent, F_DUPFD_CLOEXEC, free)
            }
            kept.append(source)
            moved.append((source, entry.child))
        }
        for (source, target) in moved { try duplicate(source, target) }
    }

    func start(in folder: String) throws(SystemError) {
        try need("posix_spawn_file_actions_addchdir_np", dashrig_spawn_addchdir(pointer, folder))
    }

    private func duplicate(_ source: Int32, _ target: Int32) throws(SystemError) {
        try need("posix_spawn_file_actions_adddup2", posix_spawn_file_actions_adddup2(pointer, source, target))
    }

    private func openNull(_ stream: Int32, _ flags: Int32) throws(SystemError) {
        try need(
            "posix_spawn_file_actions_addopen",
            posix_spawn_file_actions_addopen(pointer, stream, "/dev/null", flags, 0))
    }
}

/// posix_spawn's attributes: no signal blocked, every signal at its default, the group as asked.
private final class SpawnAttributes {
    let pointer = UnsafeMutablePointer<posix_spawnattr_t>.allocate(capacity: 1)

    init(leadsGroup: Bool) throws(SystemError) {
        pointer.initialize(to: posix_spawnattr_t())
        try need("posix_spawnattr_init", posix_spawnattr_init(pointer))
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        if leadsGroup { flags |= Int32(POSIX_SPAWN_SETPGROUP) }
        try need("posix_spawnattr_setsigmask", posix_spawnattr_setsigmask(pointer, &none))
        try need("posix_spawnattr_setsigdefault", posix_spawnattr_setsigdefault(pointer, &all))
        try need("posix_spawnattr_setflags", posix_spawnattr_setflags(pointer, Int16(flags)))
        try need("posix_spawnattr_setpgroup", posix_spawnattr_setpgroup(pointer, 0))
    }

    deinit {
        posix_spawnattr_destroy(pointer)
        pointer.deallocate()
    }
}

/// A null-ended array of C strings.
private final class CStrings {
    let pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ texts: [String]) {
        count = texts.count
        pointer = .allocate(capacity: texts.count + 1)
        for (index, text) in texts.enumerated() { (pointer + index).initialize(to: strdup(text)) }
        (pointer + texts.count).initialize(to: nil)
    }

    deinit {
        for index in 0..<count { free(pointer[index]) }
        pointer.deallocate()
    }
}

/// For calls that return their errno value.
private func need(_ call: String, _ result: Int32) throws(SystemError) {
    if result != 0 { throw SystemError(call, result) }
}
