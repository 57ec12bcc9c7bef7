/// A report of one of our own devices.
public protocol InputReport: Equatable, Sendable {
    /// Appends the report's bytes.
    func encode(into bytes: inout [UInt8])
}

extension InputReport {
    /// The report's bytes.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        encode(into: &bytes)
        return bytes
    }
}
