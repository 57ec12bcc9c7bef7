import ControlProtocol
import RigTestKit
import WireBytes

/// Control messages, made from an input's decisions: mostly right ones, in any order.
enum FuzzMessages {
    static func message(_ input: inout FuzzInput) -> ControlMessage {
        do throws(WireError) {
            return try typed(&input)
        } catch {
            // What fits no message is one without parameters.
            return ControlMessage(input.pick(MessageID.known))
        }
    }

    /// Any number, with parameters that are none, or some of any content.
    static func anyMessage(_ input: inout FuzzInput) -> ControlMessage {
        let id = input.bool() ? input.pick(MessageID.known) : MessageID(input.word())
        guard input.bool() else {
            return ControlMessage(id, parameters: ControlParameters(encoded: input.bytes(upTo: 64)[...]))
        }
        var parameters = ControlParameters()
        for _ in 0..<input.int(0...6) {
            let number = UInt16(input.byte() & 0x1F)
            try? parameters.append(number, bytes: input.bytes(upTo: 16))
        }
        return ControlMessage(id, parameters: parameters)
    }

    private static func typed(_ input: inout FuzzInput) throws(WireError) -> ControlMessage {
        switch input.int(0...18) {
        case 0: return ControlMessage(.requestAuthenticationCertificate)
        case 1: return try AuthenticationCertificate(certificate: FixedTestSigner.certificate).message()
        case 2:
            let challenge = [UInt8](repeating: 1, count: input.pick([20, 32, 1, 256, 257]))
            return try AuthenticationChallenge(challenge: challenge).message()
        case 3: return try AuthenticationResponse(signature: input.bytes(upTo: 64)).message()
        case 4: return ControlMessage(.authenticationSucceeded)
        case 5: return ControlMessage(.authenticationFailed)
        case 6: return ControlMessage(.startIdentification)
        case 7: return try identification(&input).message()
        case 8: return ControlMessage(.identificationAccepted)
        case 9:
            let refused = (0..<input.int(0...4)).map { _ in UInt16(input.byte() & 0x1F) }
            return try IdentificationRejection(parameters: refused).message()
        case 10:
            let wired = CarPlayAvailability.Transport(
                isAvailable: input.bool(), identifier: input.optional { $0.text(upTo: 8) })
            let wireless = input.optional { CarPlayAvailability.Transport(isAvailable: $0.bool()) }
            return try CarPlayAvailability(wired: wired, wireless: wireless).message()
        case 11:
            let addresses = [String](repeating: "fe80::1", count: input.int(0...17))
            return try CarPlayStartSession(wiredAddresses: addresses, port: input.optional { $0.long() }).message()
        case 12:
            var display = HandshakeExamples.display
            if input.bool() { display.pixelWidth = input.word() }
            return try DisplayDeclarations(displays: Array(repeating: display, count: input.int(0...2))).message()
        case 13: return try PhoneCondition(progress: input.pick(PhoneCondition.Progress.allCases)).message()
        case 15:
            var update = IdentificationUpdate()
            update.name = input.optional { $0.text(upTo: 8) }
            return try update.message()
        case 16: return ControlMessage(.cancelIdentification)
        case 17:
            let messages = (0..<input.int(0...2)).map { _ in input.pick([.powerSourceUpdate, .startHID] as [MessageID])
            }
            return try IdentificationRejection([ParameterRefusal(6, messages: messages)]).message()
        case 18: return try DeviceLanguageUpdate(language: input.text(upTo: 8)).message()
        default: return try PowerSourceUpdate(availableCurrent: input.word(), chargesBattery: input.bool()).message()
        }
    }

    private static func identification(_ input: inout FuzzInput) -> Identification {
        let flags = input.byte()
        var configuration = HandshakeExamples.accessory(startsSessionOnLink: flags & 1 == 0)
        configuration.usesOwnMessages = flags & 2 == 0
        var sent = configuration.sentIdentification
        if flags & 4 != 0 { sent.name = "" }
        if flags & 8 != 0 { sent.messagesSent = [] }
        if flags & 16 != 0 { sent.messagesReceived.append(contentsOf: MessageID.known) }
        return sent
    }
}
