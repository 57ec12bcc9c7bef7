import LinuxIO
import Testing

@Suite struct UncreatableFolderTests {
    /// proc says "no such file" for a new folder although its parent is there.
    @Test(arguments: ["/proc/dashrig", "/proc/dashrig/deeper/still"])
    func aFileSystemThatTakesNoFoldersIsNamed(path: String) {
        #expect(throws: FileError.self) { try DirectoryTree.create(path) }
    }
}
