internal import Glibc
internal import LinuxIO

/// A file that the user names for a report.
enum ReportFile {
    /// Writes the report: a regular file is replaced at once, so that nobody reads half of it; a device, a pipe or whatever
    /// else stands at the path is written into and stays what it is. Symbolic links are followed.
    static func write(_ path: String, _ text: String) throws(CommandLineFailure) {
        var facts = stat()
        let exists = stat(path, &facts) == 0
        let isRegular = facts.st_mode & S_IFMT == S_IFREG
        if exists && !isRegular { return try writeInto(path, text) }
        do {
            try FileContents.write(exists ? resolved(path) : path, Array(text.utf8))
        } catch {
            throw .file("the report cannot be written: \(error)")
        }
    }

    /// The file behind symbolic links: replacing the link itself would leave the file behind it as it was.
    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    private static func writeInto(_ path: String, _ text: String) throws(CommandLineFailure) {
        let number = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
        guard number >= 0 else {
            throw .file("the report cannot be written: \(SystemError("open", errno, path))")
        }
        let file = OwnedDescriptor(adopting: number)
        do {
            try DescriptorSink(descriptor: file.rawValue, environment: Environment(), interrupt: nil).write(text)
        } catch {
            switch error {
            case .refused(let why): throw .file("the report cannot be written: \(path): \(why)")
            case .readerGone, .interrupted: throw .file("the report cannot be written: \(path): nobody reads it")
            }
        }
    }
}
