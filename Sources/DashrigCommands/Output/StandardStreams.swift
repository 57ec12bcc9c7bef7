internal import Glibc

/// Standard input, output and error as the process was given them.
enum StandardStreams {
    /// Opens `/dev/null` for each stream that was closed by whoever started the process, and answers their numbers.
    ///
    /// Else the next socket would get the number 1 or 2, and whatever is written to it. To be called before anything else
    /// is opened.
    static func openMissing() -> [Int32] {
        var missing: [Int32] = []
        for number in Int32(0)...2 where fcntl(number, F_GETFD) == -1 {
            // The lowest free number is this one, since those below are open by now.
            if open("/dev/null", O_RDWR) == number { missing.append(number) }
        }
        return missing
    }
}
