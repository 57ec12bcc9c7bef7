import ControlProtocol
import WireBytes

/// A stream of control messages: in any pieces it gives the same, and every message that reads as a typed one is written
/// as it was read.
///
/// Input: one byte for the limit, three for the cuts, then the stream.
enum ControlDecoding {
    static func run(_ input: inout FuzzInput) throws(FuzzFinding) {
        let limit = input.pick([6, 40, 512, ControlMessage.maximumLength])
        let cuts = FuzzCuts(&input)
        let stream = input.rest()
        let whole = try assemble([stream], limit: limit)
        let cut = try assemble(cuts.chunks(stream), limit: limit)
        try require(cut == whole, "cut in another way the stream is something else: \(cut) against \(whole)")
        for message in whole.messages { try check(message) }
        try checkBooks(whole.messages)
        // Any bytes are parameters too, whatever message they are in.
        let parameters = ControlParameters(encoded: stream, offset: ControlMessage.headerLength)
        try checkTyped(parameters)
        for id in [.identificationInformation, .nowPlayingUpdate, .displayDeclaration] as [MessageID]
        where stream.count <= ControlMessage.maximumLength - ControlMessage.headerLength {
            try checkContent(ControlMessage(id, parameters: parameters))
        }
    }

    private struct Assembled: Equatable {
        var messages: [ControlMessage] = []
        var failure: ControlStreamError?
        var held = 0
    }

    private static func assemble(_ chunks: [ArraySlice<UInt8>], limit: Int) throws(FuzzFinding) -> Assembled {
        var assembler = ControlMessageAssembler(limit: limit)
        var assembled = Assembled()
        for chunk in chunks {
            var rest = chunk
            do throws(ControlStreamError) {
                while let message = try assembler.next(from: &rest) { assembled.messages.append(message) }
            } catch {
                try require(assembled.failure ?? error == error, "a broken stream is told as \(error) later")
                try require(!error.reason.isEmpty, "a broken stream without text")
                assembled.failure = error
            }
            let held = assembler.heldCount
            try require(held <= assembler.limit, "\(held) bytes are held, at most \(assembler.limit) may be")
        }
        assembled.held = assembler.heldCount
        return assembled
    }

    private static func check(_ message: ControlMessage) throws(FuzzFinding) {
        try require(!message.id.description.isEmpty, "a message without a name")
        switch Result(catching: { () throws(WireError) in
            try ControlMessage(parsing: try message.encoded()[...])
        }) {
        case .success(let again): try require(again == message, "\(message.id) is encoded as \(again)")
        case .failure(let error): throw FuzzFinding("\(message.id) was received and cannot be sent: \(error)")
        }
        try checkContent(message)
        try checkTyped(message.parameters)
    }

    /// By name and value nothing is lost, and what is shown can be written again.
    static func checkContent(_ message: ControlMessage) throws(FuzzFinding) {
        let content = MessageContent(message)
        for problem in content.problems() { try require(!problem.description.isEmpty, "a problem without text") }
        switch Result(catching: { () throws(FieldError) in try content.message() }) {
        case .success(let again): try require(again == message, "\(message.id) is written as \(again), not \(message)")
        case .failure(let error): throw FuzzFinding("\(message.id) was read and cannot be written: \(error)")
        }
    }

    /// Bookkeeping that is told any message.
    static func checkBooks(_ messages: [ControlMessage]) throws(FuzzFinding) {
        var subscriptions = Subscriptions()
        var sessions = ExternalAccessorySessions()
        for message in messages {
            _ = subscriptions.receive(message)
            _ = sessions.note(message)
            try require(
                sessions.open.count <= ExternalAccessorySessions.maximumCount, "\(sessions.open.count) open sessions")
            let part = subscriptions.wantedPart(of: message)
            try require(part?.encodedLength ?? 0 <= message.encodedLength, "\(message.id) grows when it is cut")
            if part != nil { try require(subscriptions.allows(message.id), "\(message.id) is not wanted and goes") }
        }
    }

    /// Reads parameters as every typed message.
    static func checkTyped(_ parameters: ControlParameters) throws(FuzzFinding) {
        try check(AuthenticationCertificate.self, parameters)
        try check(AuthenticationChallenge.self, parameters)
        try check(AuthenticationResponse.self, parameters)
        try check(AccessoryAuthenticationSerialNumber.self, parameters)
        try check(DeviceInformationUpdate.self, parameters)
        try check(DeviceLanguageUpdate.self, parameters)
        try check(DeviceTimeUpdate.self, parameters)
        try check(DeviceTransportIdentifiers.self, parameters)
        try check(PowerSourceUpdate.self, parameters)
        try check(DisplayDeclarations.self, parameters)
        try check(Identification.self, parameters)
        try check(IdentificationRejection.self, parameters)
        try check(CarPlayAvailability.self, parameters)
        try check(CarPlayStartSession.self, parameters)
        try check(PhoneCondition.self, parameters)
        try check(NowPlayingUpdate.self, parameters)
        try check(CallStateUpdate.self, parameters)
        try check(VehicleStatusUpdate.self, parameters)
        try check(LocationInformation.self, parameters)
        try check(StartLocationInformation.self, parameters)
        try check(PowerUpdate.self, parameters)
        try check(RouteGuidanceUpdate.self, parameters)
        try check(RouteGuidanceManeuver.self, parameters)
        try check(StartHID.self, parameters)
        try check(AccessoryHIDReport.self, parameters)
        try check(IdentificationUpdate.self, parameters)
        try check(DeviceUUIDUpdate.self, parameters)
        try check(WirelessSessionUpdate.self, parameters)
        try check(StartExternalAccessorySession.self, parameters)
        try check(ExternalAccessorySessionStatus.self, parameters)
    }

    private static func check<Message: TypedControlMessage>(
        _ type: Message.Type, _ parameters: ControlParameters
    ) throws(FuzzFinding) {
        let message: Message
        do throws(WireError) {
            message = try Message(parameters: parameters)
        } catch {
            return try require(!error.description.isEmpty, "an error without text")
        }
        switch Result(catching: { () throws(WireError) in try Message(parameters: try message.encodeParameters()) }) {
        case .success(let again): try require(again == message, "\(type) is written as \(again), not \(message)")
        case .failure(let error): throw FuzzFinding("\(type) was read and cannot be written: \(error): \(message)")
        }
    }
}
