import WireBytes

extension TypedControlMessage {
    /// Reads a message whose content matters to a handshake.
    static func decoding(_ message: ControlMessage) throws(ControlFailure) -> Self {
        do throws(WireError) {
            return try Self(message)
        } catch {
            throw .malformedMessage(message.id, error)
        }
    }
}

extension ControlMessage {
    /// Makes a message of values from this side's configuration.
    static func encoding(_ message: some TypedControlMessage) throws(ControlFailure) -> ControlMessage {
        do throws(WireError) {
            return try message.message()
        } catch {
            throw .unencodable(type(of: message).messageID, error)
        }
    }
}

extension IdentificationRejection {
    /// What was refused, of a message that matters to a handshake.
    func decodedRefusals() throws(ControlFailure) -> [ParameterRefusal] {
        do throws(WireError) {
            return try refusals()
        } catch {
            throw .malformedMessage(Self.messageID, error)
        }
    }
}
