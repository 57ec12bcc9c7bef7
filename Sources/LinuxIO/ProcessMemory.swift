internal import Glibc

/// What this process keeps resident.
public enum ProcessMemory {
    /// Gives back the pages of code that only the start needed.
    ///
    /// The kernel maps sixteen pages around each one that is touched, so a start that runs a little of everything leaves
    /// nearly the whole program resident. These pages are clean copies of the files and come back by a minor fault when
    /// they are needed; only code is given back, since pages that the linker wrote to would be lost.
    ///
    /// - Throws: when the list of mappings cannot be read. Nothing is given back then.
    public static func releaseStartUpCode() throws(FileError) {
        let maps = try FileContents.read("/proc/self/maps", limit: 1 << 20)
        for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            guard fields.count >= 6, fields[1] == "r-xp", fields[5].hasPrefix("/") else { continue }
            let bounds = fields[0].split(separator: "-").compactMap { UInt(String($0), radix: 16) }
            guard bounds.count == 2, bounds[0] < bounds[1], let start = UnsafeMutableRawPointer(bitPattern: bounds[0])
            else { continue }
            // Refused for a mapping that is locked into memory, which is then meant to stay.
            _ = madvise(start, Int(bounds[1] - bounds[0]), MADV_DONTNEED)
        }
    }
}
