public import LinuxIO

/// What the service manager left in the environment and cannot be used. The manager's fault, or that of whoever set the
/// variable by hand.
public enum ServiceEnvironmentError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The variable's text is not what its protocol asks for.
    case malformed(variable: String, value: String)
    /// NOTIFY_SOCKET names a kind of address that is not supported here.
    case unsupportedAddress(String)
    /// LISTEN_FDS promises a descriptor that is not open.
    case notOpen(descriptor: Int32)
    /// No socket to the manager can be opened: our own process or the kernel is out of something.
    case noSocket(SystemError)

    /// One line with the variable.
    public var description: String {
        switch self {
        case .malformed(let variable, let value): "\(variable)=\(value.debugDescription): not a value of this variable"
        case .unsupportedAddress(let value):
            "NOTIFY_SOCKET=\(value.debugDescription): neither an absolute path nor an abstract name (@…) of 107 bytes"
        case .notOpen(let descriptor): "LISTEN_FDS: descriptor \(descriptor) is not open"
        case .noSocket(let error): "no socket to the service manager: \(error)"
        }
    }
}

/// Reads a variable that holds a plain decimal number.
func number(_ variable: String, _ value: String) throws(ServiceEnvironmentError) -> UInt64 {
    guard !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(value) else {
        throw .malformed(variable: variable, value: value)
    }
    return number
}
