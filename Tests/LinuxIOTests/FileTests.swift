import CLinux
import Glibc
import LinuxIO
import Testing

@Suite struct FileContentsTests {
    @Test func whatIsWrittenIsRead() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("x")
        for bytes in [[], [1, 2, 3], [UInt8](repeating: 9, count: 100_000)] as [[UInt8]] {
            try FileContents.write(path, bytes)
            #expect(try FileContents.read(path, limit: 100_000) == bytes)
        }
        // Nothing else was left in the folder.
        #expect(try DirectoryTree.list(folder.path) == ["x"])
    }

    @Test func theLimitIsExact() throws {
        let folder = try TemporaryFolder()
        try FileContents.write(folder.file("x"), [UInt8](repeating: 1, count: 20_000))
        #expect(try FileContents.read(folder.file("x"), limit: 20_000).count == 20_000)
        #expect(throws: FileError.tooLarge(path: folder.file("x"), limit: 19_999)) {
            _ = try FileContents.read(folder.file("x"), limit: 19_999)
        }
        // procfs files say that they are empty, so the limit must hold without a size too.
        #expect(try !FileContents.read("/proc/self/status", limit: 65_536).isEmpty)
        #expect(throws: FileError.tooLarge(path: "/proc/self/status", limit: 100)) {
            _ = try FileContents.read("/proc/self/status", limit: 100)
        }
    }

    @Test func whatIsNoFileIsRefusedWithoutWaiting() throws {
        let folder = try TemporaryFolder()
        mkfifo(folder.file("fifo"), 0o600)
        for path in [folder.file("fifo"), folder.path, "/dev/zero"] {
            #expect(throws: FileError.notAFile(path: path)) { _ = try FileContents.read(path, limit: 10) }
        }
        #expect(throws: FileError.system(SystemError("open", ENOENT, folder.file("none")))) {
            _ = try FileContents.read(folder.file("none"), limit: 10)
        }
        #expect(throws: FileError.badPath("")) { _ = try FileContents.read("", limit: 10) }
        #expect(throws: FileError.badPath("a\0b")) { try FileContents.write("a\0b", []) }
    }

    @Test func aPipeIsReadToItsEnd() throws {
        let pipe = try PipeNumbers(nonBlocking: false)
        write(pipe.writer, "hello", 5)
        pipe.closeWriter()
        #expect(try FileContents.read(descriptor: pipe.reader, limit: 5, name: "input") == Array("hello".utf8))
        let longer = try PipeNumbers(nonBlocking: false)
        write(longer.writer, "hello!", 6)
        longer.closeWriter()
        #expect(throws: FileError.tooLarge(path: "input", limit: 5)) {
            _ = try FileContents.read(descriptor: longer.reader, limit: 5, name: "input")
        }
    }

    @Test func writingReplacesAtOnceAndSetsTheMode() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("x")
        try FileContents.write(path, [1], mode: 0o666)
        #expect(permissions(path) == 0o666)
        let old = OwnedDescriptor(adopting: open(path, O_RDONLY | O_CLOEXEC))
        try FileContents.write(path, [2], mode: 0o600)
        #expect(permissions(path) == 0o600)
        // Whoever has the old file open still sees the old bytes.
        #expect(try FileContents.read(descriptor: old.rawValue, limit: 10, name: "old") == [1])
    }

    @Test func aFailedWriteLeavesNothingBehind() throws {
        let folder = try TemporaryFolder()
        mkdir(folder.file("x"), 0o755)
        let error = #expect(throws: FileError.self) { try FileContents.write(folder.file("x"), [1]) }
        #expect(error == .notAFile(path: folder.file("x")))
        #expect(try DirectoryTree.list(folder.path) == ["x"])
    }
}

@Suite struct DirectoryTreeTests {
    @Test func parentsAreMadeAndGetTheMode() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a/b/c")
        try DirectoryTree.create(path, mode: 0o2770)
        for part in ["a", "a/b", "a/b/c"] { #expect(permissions(folder.file(part)) == 0o2770) }
        // Again, with another mode: what exists stays as it is.
        try DirectoryTree.create(path + "/", mode: 0o700)
        #expect(permissions(path) == 0o2770)
        try DirectoryTree.create(folder.file("d//e/"), mode: 0o700)
        #expect(permissions(folder.file("d/e")) == 0o700)
    }

    @Test func aFileInTheWayIsNamed() throws {
        let folder = try TemporaryFolder()
        try FileContents.write(folder.file("x"), [])
        #expect(throws: FileError.notAFolder(path: folder.file("x"))) { try DirectoryTree.create(folder.file("x")) }
        #expect(throws: FileError.notAFolder(path: folder.file("x"))) { try DirectoryTree.create(folder.file("x/y")) }
        #expect(throws: FileError.badPath("")) { try DirectoryTree.create("") }
    }

    @Test func aFolderThatMakesNoFoldersIsNamedOnce() {
        // procfs answers ENOENT for every new name.
        let path = "/proc/dashrig-test"
        #expect(throws: FileError.system(SystemError("mkdir", ENOENT, path))) { try DirectoryTree.create(path) }
        #expect(throws: FileError.system(SystemError("mkdir", ENOENT, path))) { try DirectoryTree.create(path + "/x") }
    }

    @Test func namesComeInByteOrderAndBounded() throws {
        let folder = try TemporaryFolder()
        for name in ["b", "a", "ä", "B", "10", "9", ".hidden"] { try FileContents.write(folder.file(name), []) }
        #expect(try DirectoryTree.list(folder.path) == [".hidden", "10", "9", "B", "a", "b", "ä"])
        #expect(try DirectoryTree.list(folder.path, limit: 7).count == 7)
        #expect(throws: FileError.tooManyEntries(path: folder.path, limit: 6)) {
            _ = try DirectoryTree.list(folder.path, limit: 6)
        }
        #expect(throws: FileError.notAFolder(path: folder.file("a"))) { _ = try DirectoryTree.list(folder.file("a")) }
    }
}

@Suite struct FolderLockTests {
    @Test func oneHoldsItAtATimeAndItLeavesNothingBehind() throws {
        let folder = try TemporaryFolder()
        do {
            let lock = try FolderLock(folder.path)
            #expect(throws: LockError.held(path: folder.path, owner: "")) { _ = try FolderLock(folder.path) }
            _ = consume lock
        }
        _ = try FolderLock(folder.path)
        #expect(try DirectoryTree.list(folder.path).isEmpty)
    }

    @Test func whatIsNoFolderIsNamed() throws {
        let folder = try TemporaryFolder()
        try FileContents.write(folder.file("x"), [])
        #expect(throws: LockError.file(.notAFolder(path: folder.file("x")))) { _ = try FolderLock(folder.file("x")) }
        let missing = folder.file("missing")
        #expect(throws: LockError.file(.system(SystemError("open", ENOENT, missing)))) { _ = try FolderLock(missing) }
    }
}

@Suite struct LockFileTests {
    @Test func theSecondComerLearnsTheOwner() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("lock")
        do {
            let lock = try LockFile(path, owner: "bench (pid 17)", mode: 0o660)
            #expect(permissions(path) == 0o660)
            #expect(throws: LockError.held(path: path, owner: "bench (pid 17)")) { _ = try LockFile(path, owner: "b") }
            #expect(lock.path == path)
        }
        // Free again, and no old name is shown.
        #expect(try FileContents.read(path, limit: 100).isEmpty)
        let next = try LockFile(path, owner: "x")
        #expect(throws: LockError.held(path: path, owner: "x")) { _ = try LockFile(path, owner: "b") }
        #expect(next.path == path)
    }

    @Test func theLockGoesWithItsProcess() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("lock")
        let child = try ChildProcess(
            ChildSpecification("flock", ["-o", path, "sh", "-c", "echo held; exec sleep 100"], leadsGroup: true))
        #expect(try child.waitForOutput("held", until: never()))
        #expect(throws: LockError.held(path: path, owner: "")) { _ = try LockFile(path, owner: "b") }
        try child.signal(SIGKILL)
        #expect(try child.wait(until: never()) == .signaled(SIGKILL))
        let lock = try LockFile(path, owner: "b")
        #expect(lock.path == path)
    }

    @Test func aRemovedFileIsNoLongerTheLock() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("lock")
        let first = try LockFile(path, owner: "a")
        unlink(path)
        let second = try LockFile(path, owner: "b")
        #expect(throws: LockError.held(path: path, owner: "b")) { _ = try LockFile(path, owner: "c") }
        _ = (first.path, second.path)
    }

    @Test func longAndOddOwnersAreCut() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("lock")
        let lock = try LockFile(path, owner: String(repeating: "x", count: 1000) + "\n")
        #expect(throws: LockError.held(path: path, owner: String(repeating: "x", count: 256))) {
            _ = try LockFile(path, owner: "b")
        }
        // A stranger's text is shown up to its first control character.
        let number = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
        write(number, "me\u{1B}[2J", 6)
        close(number)
        #expect(throws: LockError.held(path: path, owner: "me")) { _ = try LockFile(path, owner: "b") }
        _ = lock.path
    }

    @Test func whatIsNoFileIsRefused() throws {
        let folder = try TemporaryFolder()
        mkfifo(folder.file("fifo"), 0o600)
        #expect(throws: LockError.file(.notAFile(path: folder.file("fifo")))) {
            _ = try LockFile(folder.file("fifo"), owner: "b")
        }
        symlink(folder.file("target"), folder.file("link"))
        #expect(throws: LockError.file(.system(SystemError("open", ELOOP, folder.file("link"))))) {
            _ = try LockFile(folder.file("link"), owner: "b")
        }
    }
}

@Suite struct FactsTests {
    @Test func filesAreToldApart() throws {
        let folder = try TemporaryFolder()
        let pipe = try PipeNumbers()
        let receiver = try DatagramReceiver(folder.file("socket"))
        try FileContents.write(folder.file("file"), [])
        symlink(folder.file("file"), folder.file("link"))
        #expect(try FileFacts(path: folder.file("file")).kind == .file)
        #expect(try FileFacts(path: folder.file("link")) == FileFacts(path: folder.file("file")))
        #expect(try FileFacts(path: receiver.path).kind == .socket)
        #expect(try FileFacts(path: folder.path).kind == .other)
        #expect(try FileFacts(path: "/dev/null").kind == .characterDevice)
        #expect(try FileFacts(of: pipe.reader).kind == .pipe)
        #expect(try FileFacts(of: pipe.reader) == FileFacts(of: pipe.writer))
        #expect(throws: SystemError("stat", ENOENT, "/nonexistent")) { _ = try FileFacts(path: "/nonexistent") }
        #expect(throws: SystemError("fstat", EBADF, "descriptor 9999")) { _ = try FileFacts(of: 9999) }
    }

    @Test func groupsAreFoundByName() throws {
        #expect(try ProcessFacts.groupID(named: "root") == 0)
        #expect(try ProcessFacts.groupID(named: "dashrig-no-such-group") == nil)
        #expect(ProcessFacts.pid == getpid())
        #expect(ProcessFacts.userID == geteuid())
        #expect(ProcessFacts.groupID == getegid())
    }
}
