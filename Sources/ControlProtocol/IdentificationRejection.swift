public import WireBytes

/// One refused parameter of an identification.
public struct ParameterRefusal: Hashable, Sendable {
    /// The number of the parameter.
    public var parameter: UInt16
    /// The parts that are refused: messages for 6 and 7. None means all of it.
    public var messages: [MessageID]

    /// Names a parameter, whole or in parts.
    public init(_ parameter: UInt16, messages: [MessageID] = []) {
        self.parameter = parameter
        self.messages = messages
    }
}

/// 1D03: the phone refuses an identification. Each refused parameter is named by a parameter of that number, empty or
/// holding the parts that were refused. [2+] A real phone refused a list of messages both with and without saying which
/// (OCBM).
public struct IdentificationRejection: TypedControlMessage {
    /// The number of the message.
    public static let messageID = MessageID.identificationRejected

    /// What was refused, as it came.
    public var refused: ControlParameters

    /// Names parameters as refused whole.
    public init(parameters ids: [UInt16]) {
        refused = ControlParameters()
        for id in ids { refused.appendFlag(id) }
    }

    /// Names parameters as refused, with the messages where these are what was refused. Throws when they fit no message.
    public init(_ refusals: [ParameterRefusal]) throws(WireError) {
        refused = ControlParameters()
        for refusal in refusals { try refused.append(refusal.parameter, messageIDs: refusal.messages) }
    }

    /// Reads the parameters; the type tells the layout.
    public init(parameters: ControlParameters) throws(WireError) {
        _ = try parameters.all()
        refused = parameters
    }

    /// The parameters; the type tells the layout.
    public func encodeParameters() throws(WireError) -> ControlParameters { refused }

    /// The numbers of the refused parameters, in order.
    public func parameterIDs() throws(WireError) -> [UInt16] { try refused.all().map(\.id) }

    /// What was refused, in order; parts of the lists of messages only.
    public func refusals() throws(WireError) -> [ParameterRefusal] {
        var result: [ParameterRefusal] = []
        for parameter in try refused.all() {
            let isList = parameter.id == 6 || parameter.id == 7
            result.append(
                ParameterRefusal(parameter.id, messages: isList ? try parameter.messageIDs() : []))
        }
        return result
    }
}
