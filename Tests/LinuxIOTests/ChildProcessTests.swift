import CLinux
import Glibc
import LinuxIO
import Testing

@Suite struct ChildProcessTests {
    @Test func outputAndStatusAreCollected() throws {
        let child = try shell("echo out; echo err >&2; exit 7")
        #expect(try child.wait(until: never()) == .exited(7))
        #expect(child.output == Array("out\n".utf8))
        #expect(child.errorOutput == Array("err\n".utf8))
        #expect(child.exit == .exited(7))
        #expect(try child.wait(until: 0) == .exited(7))
    }

    @Test func muchOutputOnBothStreamsBlocksNobody() throws {
        let child = try shell("head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2")
        #expect(try child.wait(until: never()) == .exited(0))
        #expect(child.output.count == 1_000_000)
        #expect(child.errorOutput.count == 1_000_000)
        #expect(!child.wasCut)
    }

    @Test func outputBeyondTheLimitIsCutAndTold() throws {
        let child = try ChildProcess(
            ChildSpecification("sh", ["-c", "head -c 200000 /dev/zero"], captureLimit: 150_000))
        #expect(try child.wait(until: never()) == .exited(0))
        #expect(child.output.count == 150_000)
        #expect(child.wasCut)
    }

    @Test func aChildThatNeverStopsTalkingDoesNotHoldTheDeadlineUp() throws {
        let child = try shell("exec yes")
        #expect(try !child.waitForOutput("never said", until: milliseconds(50)))
        #expect(try child.wait(until: milliseconds(50)) == nil)
        try child.signal(SIGKILL)
        #expect(try child.wait(until: never()) == .signaled(SIGKILL))
    }

    @Test func waitingEndsAtTheDeadlineAndTheChildCanBeKilled() throws {
        let child = try shell("echo ready; exec sleep 100")
        #expect(try child.waitForOutput("ready", until: never()))
        let deadline = milliseconds(10)
        #expect(try child.wait(until: deadline) == nil)
        #expect(SystemClock.monotonicNow() >= deadline)
        #expect(try !child.waitForOutput("never said", until: milliseconds(10)))
        try child.signal(SIGTERM)
        #expect(try child.wait(until: never()) == .signaled(SIGTERM))
        // Its number may be another process's by now.
        try child.signal(SIGTERM)
        #expect(try !child.waitForOutput("never said", until: nil))
    }

    @Test func theChildStartsWithSignalsOpen() throws {
        // Blocked and ignored here; neither may reach the child, or it could not be stopped.
        var set = sigset_t()
        var before = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &set, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        SignalDescriptor.ignoreBrokenPipe()
        let child = try ChildProcess(ChildSpecification("grep", ["Sig[BI]", "/proc/self/status"]))
        #expect(try child.wait(until: never()) == .exited(0))
        let masks = String(decoding: child.output, as: UTF8.self).split(separator: "\n").map {
            UInt64($0.split(separator: "\t").last ?? "", radix: 16) ?? .max
        }
        // The C library ignores its own signals 32 and 33 in every child.
        #expect(masks.map { $0 & ~0x1_8000_0000 } == [0, 0], "\(masks)")
    }

    @Test func environmentFolderAndArgumentsAreTheGivenOnes() throws {
        let folder = try TemporaryFolder()
        let child = try ChildProcess(
            ChildSpecification(
                "sh", ["-c", "pwd; env | grep -v ^_ | sort; printf '%s|' \"$@\"", "sh", "a b", ""],
                environment: Environment(["X": "1", "PWD": folder.path]), folder: folder.path))
        #expect(try child.wait(until: never()) == .exited(0))
        #expect(
            String(decoding: child.output, as: UTF8.self) == "\(folder.path)\nPWD=\(folder.path)\nX=1\na b||")
    }

    @Test func inputIsFed() throws {
        let child = try ChildProcess(ChildSpecification("cat", takesInput: true))
        try child.writeInput(Array("hello".utf8))
        child.closeInput()
        #expect(try child.wait(until: never()) == .exited(0))
        #expect(child.output == Array("hello".utf8))
        #expect(throws: SystemError("write", EBADF, "no open standard input")) { try child.writeInput([1]) }
        let without = try ChildProcess(ChildSpecification("cat"))
        #expect(try without.wait(until: never()) == .exited(0))
    }

    @Test func passedDescriptorsGetTheirNumbersEvenCrosswise() throws {
        let first = try PipeNumbers()
        let second = try PipeNumbers()
        // Each one's number is the other's target. By path, since dash knows only one digit after ">&".
        let child = try ChildProcess(
            ChildSpecification(
                "sh",
                [
                    "-c",
                    """
                    echo to-first >/dev/fd/\(second.writer)
                    echo to-second >/dev/fd/\(first.writer)
                    test -e /dev/fd/\(first.reader) || echo closed
                    """,
                ],
                descriptors: [
                    .init(parent: first.writer, child: second.writer),
                    .init(parent: second.writer, child: first.writer),
                ]))
        #expect(try child.wait(until: never()) == .exited(0))
        var buffer = [UInt8](repeating: 0, count: 64)
        #expect(read(first.reader, &buffer, 64) == 9)
        #expect(read(second.reader, &buffer, 64) == 10)
        // What is closed on exec stays ours.
        #expect(child.output == Array("closed\n".utf8))
    }

    /// The targets are the very numbers that come next here: what is staged on the way must not be overwritten.
    @Test func passedDescriptorsMayGoToAnyNumber() async {
        await #expect(processExitsWith: .success) {
            let pipes = try (0..<10).map { _ in try PipeNumbers() }
            let free = dup(0)
            close(free)
            let targets = (0..<10).map { free + 9 - Int32($0) }
            let script = (0..<10).map { "echo \($0) >/dev/fd/\(targets[$0])" }.joined(separator: "; ")
            let descriptors = (0..<10).map {
                ChildSpecification.PassedDescriptor(parent: pipes[$0].writer, child: targets[$0])
            }
            let child = try ChildProcess(ChildSpecification("sh", ["-c", script], descriptors: descriptors))
            #expect(try child.wait(until: never()) == .exited(0))
            #expect(pipes.map { $0.text() } == (0..<10).map { "\($0)\n" })
        }
    }

    @Test func aMissingProgramIsAnError() throws {
        #expect(throws: SystemError("posix_spawn", ENOENT, "/nonexistent/x")) {
            _ = try ChildProcess(ChildSpecification("/nonexistent/x"))
        }
    }

    @Test func aForgottenChildIsKilled() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("lock")
        do {
            let child = try ChildProcess(
                ChildSpecification("flock", [path, "sh", "-c", "echo held; sleep 100"], leadsGroup: true))
            #expect(try child.waitForOutput("held", until: never()))
        }
        // With the whole group gone the lock is free.
        let free = try ChildProcess(ChildSpecification("flock", ["-w", "30", path, "true"]))
        #expect(try free.wait(until: never()) == .exited(0))
    }

    private func shell(_ script: String) throws -> ChildProcess {
        try ChildProcess(ChildSpecification("sh", ["-c", script]))
    }
}

@Suite struct EnvironmentTests {
    @Test func theProcessesOwnIsCopied() async {
        await #expect(processExitsWith: .success) {
            setenv("DASHRIG_TEST", "a=b", 1)
            var copy = Environment.current()
            #expect(copy["DASHRIG_TEST"] == "a=b")
            #expect(copy["DASHRIG_TEST_NONE"] == nil)
            #expect(Environment.get("DASHRIG_TEST") == "a=b")
            Environment.unset(["DASHRIG_TEST"])
            #expect(Environment.get("DASHRIG_TEST") == nil)
            #expect(copy["DASHRIG_TEST"] == "a=b")
            copy["DASHRIG_TEST"] = nil
            #expect(copy == Environment.current())
        }
    }

    @Test func linesAreSorted() {
        #expect(Environment(["B": "2", "A": "", "C": "x=y"]).lines == ["A=", "B=2", "C=x=y"])
    }
}

@Suite struct TerminalFactsTests {
    @Test func aPipeIsNoTerminal() throws {
        let pipe = try PipeNumbers()
        let facts = TerminalFacts(descriptor: pipe.writer, environment: Environment(["TERM": "xterm"]))
        #expect(!facts.isTerminal && !facts.usesColor && facts.width == nil)
        for (text, width) in [("120", 120), ("0", nil), ("-3", nil), ("x", nil), ("10001", nil)] as [(String, Int?)] {
            let told = TerminalFacts(descriptor: pipe.writer, environment: Environment(["COLUMNS": text]))
            #expect(told.width == width, "COLUMNS=\(text)")
        }
    }

    @Test func aTerminalSaysItsWidthAndColourIsTheUsersChoice() throws {
        let master = OwnedDescriptor(adopting: open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC))
        // TIOCSPTLCK and TIOCGPTPEER, which are function-like macros.
        var locked: Int32 = 0
        #expect(ioctl(master.rawValue, 0x4004_5431, &locked) == 0)
        let terminal = OwnedDescriptor(adopting: ioctl(master.rawValue, 0x5441, O_RDWR | O_NOCTTY | O_CLOEXEC))
        var size = winsize(ws_row: 25, ws_col: 93, ws_xpixel: 0, ws_ypixel: 0)
        #expect(ioctl(terminal.rawValue, UInt(TIOCSWINSZ), &size) == 0)
        func facts(_ values: [String: String]) -> TerminalFacts {
            TerminalFacts(descriptor: terminal.rawValue, environment: Environment(values))
        }
        #expect(facts(["TERM": "xterm"]).isTerminal)
        #expect(facts(["TERM": "xterm", "COLUMNS": "40"]).width == 93)
        #expect(facts(["TERM": "xterm"]).usesColor)
        #expect(facts(["TERM": "xterm", "NO_COLOR": ""]).usesColor)
        #expect(!facts(["TERM": "xterm", "NO_COLOR": "1"]).usesColor)
        #expect(!facts(["TERM": "dumb"]).usesColor)
        #expect(!facts([:]).usesColor)
    }
}
