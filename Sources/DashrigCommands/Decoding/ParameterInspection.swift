internal import ControlProtocol
internal import WireBytes

/// The parameters of a message or group.
struct ParameterInspection {
    /// Looks at the parameters of a message of this number.
    init(of id: MessageID) {}

    /// The parameters, one part each, and what is behind them when their lengths do not add up.
    func parts(_ parameters: ControlParameters) -> [DecodedPart] {
        var parts: [DecodedPart] = []
        var reader = parameters.reader
        var end = parameters.offset
        do throws(WireError) {
            while let parameter = try reader.next() {
                parts.append(Self.unknown(parameter))
                end = parameter.offset + parameter.value.count
            }
        } catch {
            let rest = parameters.encoded.dropFirst(end - parameters.offset)
            var part = DecodedPart("rest", at: end, length: rest.count, .bytes(Array(rest)))
            part.problem = "no parameter: \(error)"
            parts.append(part)
        }
        return parts
    }

    /// A parameter of which only the number is known.
    private static func unknown(_ parameter: ControlParameter) -> DecodedPart {
        var part = DecodedPart(
            "parameter", at: parameter.offset - ControlParameter.headerLength,
            length: parameter.value.count + ControlParameter.headerLength, .bytes(Array(parameter.value)))
        part.id = UInt64(parameter.id)
        return part
    }
}
