import Glibc

/// Files of `Tests/Fixtures`, read where this source file lies. A test compares those of the interfaces with what the
/// daemon serves.
enum FixtureFile {
    /// The text of a file that must be there: it is part of the repository.
    static func text(_ path: String, from source: StaticString = #filePath) -> String {
        let root = "\(source)".split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(
            separator: "/")
        let name = "\(root)/Tests/Fixtures/\(path)"
        guard let file = fopen(name, "r") else { preconditionFailure("\(name) cannot be opened") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }
}
