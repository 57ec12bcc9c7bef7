public import LinuxIO

/// Why there are no credentials, or why they did not do what was asked.
public enum CredentialError: Error, Equatable, Sendable, CustomStringConvertible {
    /// libcrypto is not there, and why.
    case unavailable(String)
    /// The folder or a file in it could not be read or written.
    case file(FileError, folder: String)
    /// The file is there, and not as it was written.
    case damaged(path: String, String, remove: String)
    /// The file or folder is open to others (its permission bits).
    case tooOpen(path: String, mode: UInt32, wanted: UInt32)
    /// Another process has been making credentials in the folder for too long.
    case busy(folder: String)
    /// libcrypto refused to do this, and what it said.
    case refused(String, String)
    /// A challenge has another length than its shape asks for, in bytes.
    case challengeLength(Int, expected: Int)

    /// One line: what is wrong, where, and what to do.
    public var description: String {
        switch self {
        case .unavailable(let why):
            "libcrypto is not available (\(why)); install it, or set `signer = test` in [authentication]"
        case .file(let error, let folder):
            "\(error); let the daemon read and write \(folder), or name another folder with --state-dir"
        case .damaged(let path, let what, let remove):
            "\(path): \(what); put back a copy of it, or remove \(remove), which is then made anew at the next use"
        case .tooOpen(let path, let mode, let wanted):
            "\(path): others may use it (mode \(octal(mode))); run: chmod \(octal(wanted)) \(path)"
        case .busy(let folder):
            "\(folder): another process is at work there; stop it, or name another folder with --state-dir"
        case .refused(let what, let why):
            "libcrypto cannot \(what): \(why)"
        case .challengeLength(let length, let expected):
            "the challenge is \(length) bytes long, and this kind of key signs \(expected)"
        }
    }
}

private func octal(_ mode: UInt32) -> String {
    let digits = String(mode, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}
