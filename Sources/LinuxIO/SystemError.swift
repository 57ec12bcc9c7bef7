internal import CLinux
internal import Glibc

/// A system call that failed: which one, why, and on what.
///
/// Whose fault it is depends on the call; the caller knows and says so. The text is never translated, so that it can be
/// searched for and compared.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The system call or C function, as in its manual page: "bind", "epoll_ctl".
    public let call: String
    /// The errno value, always above 0.
    public let number: Int32
    /// What the call was about: a path, a descriptor number, a limit. Nil when the call says it all.
    public let context: String?

    /// An error with a known errno value.
    public init(_ call: String, _ number: Int32, _ context: String? = nil) {
        self.call = call
        self.number = number
        self.context = context
    }

    /// The error that the last failed call left in errno. To be made before any other call.
    static func last(_ call: String, _ context: String? = nil) -> SystemError {
        SystemError(call, Glibc.errno, context)
    }

    /// The symbolic name, such as "ENOENT"; "errno 4095" for a number that the C library does not know.
    public var name: String {
        guard let text = dashrig_strerrorname(number) else { return "errno \(number)" }
        return String(cString: text)
    }

    /// The plain English text, such as "No such file or directory".
    public var text: String {
        guard let text = dashrig_strerrordesc(number) else { return "unknown error" }
        return String(cString: text)
    }

    /// One line: "bind /run/dashrig/x: Address already in use (EADDRINUSE)".
    public var description: String {
        guard let context else { return "\(call): \(text) (\(name))" }
        return "\(call) \(context): \(text) (\(name))"
    }
}

/// Makes a call that answers -1 and sets errno, again for as long as a signal interrupts it.
@inline(__always)
func check<Result: SignedInteger>(
    _ call: String, _ context: @autoclosure () -> String? = nil, _ body: () -> Result
) throws(SystemError) -> Result {
    while true {
        let result = body()
        if result != -1 { return result }
        let number = errno
        if number != EINTR { throw SystemError(call, number, context()) }
    }
}
