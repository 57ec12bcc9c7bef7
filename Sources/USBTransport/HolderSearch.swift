internal import Glibc
internal import LinuxIO

/// Finds the program that has a device node open, so that "busy" can say who. Runs as a job: it walks over /proc.
///
/// Only processes of the same user can be looked into (all of them for root). Whoever stays unseen is "another program".
enum HolderSearch {
    static func program(holding node: String) -> (name: String, process: Int32)? {
        let own = getpid()
        guard let processes = try? DirectoryTree.list("/proc") else { return nil }
        for name in processes {
            guard let process = Int32(name), process != own, let open = try? DirectoryTree.list("/proc/\(name)/fd")
            else { continue }
            for descriptor in open where link("/proc/\(name)/fd/\(descriptor)") == node {
                let text = (try? FileContents.read("/proc/\(name)/comm", limit: 256)) ?? []
                let command = String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
                return (command, process)
            }
        }
        return nil
    }

    private static func link(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}
