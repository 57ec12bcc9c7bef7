public import WireBytes

/// The message that comes most often, without a copy: what `message()` makes and `init(_:)` reads, in the bytes
/// themselves.
extension AccessoryHIDReport {
    /// Appends the bytes of the whole message with a report. Throws `.excess` when it fits no message; then nothing is
    /// appended.
    public static func encode(
        component: UInt16, report: ArraySlice<UInt8>, into bytes: inout [UInt8]
    ) throws(WireError) {
        let length = ControlMessage.headerLength + 2 * ControlParameter.headerLength + 2 + report.count
        try ControlMessage.encodeHeader(messageID, length: length, into: &bytes)
        bytes.appendBigEndian(UInt16(ControlParameter.headerLength + 2))
        bytes.appendBigEndian(0)
        bytes.appendBigEndian(component)
        // No longer than the message, which the length field can tell.
        bytes.appendBigEndian(UInt16(truncatingIfNeeded: ControlParameter.headerLength + report.count))
        bytes.appendBigEndian(1)
        bytes.append(contentsOf: report)
    }

    /// Reads the parameters of a message of this kind in place: the report is a part of it. Throws as `init(_:)` does.
    public static func read(
        _ message: ControlMessage
    ) throws(WireError) -> (component: UInt16, report: ArraySlice<UInt8>?) {
        guard message.id == messageID else {
            throw WireError(.invalid("\(message.id) is not \(messageID)"), offset: 4, field: "message")
        }
        var component: UInt16?
        var report: ArraySlice<UInt8>?
        var count = 0
        var reader = message.parameters.reader
        while let parameter = try reader.next() {
            count += 1
            guard count <= ControlParameters.maximumCount else {
                throw WireError(
                    .tooMany(limit: ControlParameters.maximumCount), offset: parameter.offset, field: "parameters")
            }
            switch (parameter.id, component, report) {
            case (0, nil, _): component = try parameter.integer()
            case (1, _, nil): report = parameter.value
            case (0, _, _), (1, _, _):
                throw WireError(.repeated, offset: parameter.offset, field: "parameter \(parameter.id)")
            default: break
            }
        }
        guard let component else {
            throw WireError(.missing, offset: message.parameters.offset, field: "parameter 0")
        }
        return (component, report)
    }
}
