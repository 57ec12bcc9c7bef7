import LinuxIO
import Testing

@Suite struct UncreatableFolderTests {
    /// proc says "no such file" for a new folder although its parent is there.
    @Test(arguments: ["/proc/dashrig", "/proc/dashrig/deeper/still"])
    func aFileSystemThatTakesNoFoldersIsNamed(path: String) {
        #expect(throws: FileError.self) { try DirectoryTree.create(path) }
    }
}

@Suite struct UnwritableTargetTests {
    @Test func aDeviceOrAFolderIsNotReplaced() throws {
        let folder = try TemporaryFolder()
        #expect(throws: FileError.notAFile(path: folder.path)) { try FileContents.write(folder.path, [1]) }
        #expect(throws: FileError.notAFile(path: "/dev/full")) { try FileContents.write("/dev/full", [1]) }
        #expect(try FileFacts(path: "/dev/full").kind != .file)
    }
}
