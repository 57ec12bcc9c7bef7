import ControlProtocol
import InputCore
import LinkProtocol
import RigModel

/// One whole end of a handshake: the link's machine and the control machine above it, joined.
///
/// Bytes in, bytes and notices out. Signatures are those of the fixed test signer, or asked for outside: no key and no
/// certificate of anybody is in here. The owner moves `outgoing` to the other end and acts on `notices`; the rest is
/// written by the extensions of this type alone.
struct Endpoint: Sendable {
    /// Packets for the other end.
    var outgoing = OutgoingPackets()
    /// What there is to know.
    var notices = EndpointNotices()
    /// Why it ended, once it did.
    var ending: Reason?

    var side: EndpointSide
    /// True when signatures are made and checked outside.
    let asksSigner: Bool
    var link: LinkMachine
    var control: EndpointControl
    var assembler = ControlMessageAssembler()
    var generator: SeededGenerator
    var linkOutput = LinkOutput()
    var controlOutput = ControlOutput()
    /// What the machines made, while it is acted on and they make more. Both pairs change places, so that none of them
    /// gives its memory back.
    var linkOutputInHand = LinkOutput()
    var controlOutputInHand = ControlOutput()
    let longPress: UInt64
    /// The question to an outside signer that is open, by its number, and how many were asked.
    var openQuestion: UInt64?
    var questionsAsked: UInt64 = 0
    /// While notices are acted on: the link has begun again behind this one.
    var isLinkGone = false
    /// The head unit's side: its input devices, as they are when a session begins.
    var encoder: HIDInputEncoder?
    /// The reports of the input that was put on the link last.
    var reports = HIDReportBatch()
    /// A message on its way to the link.
    var messageInHand: [UInt8] = []
    /// The phone's side: those of the head unit.
    var intake: HIDIntake
    /// What the other side sends on the file transfer channel.
    var files: FileIntake
    /// Packets given to the link since it was established.
    var packetsGiven: UInt64 = 0
    /// Bytes for the other end so far.
    var bytesMade: UInt64 = 0

    /// - Parameter longPress: from how many nanoseconds on a press is long; for the phone's side.
    init(
        _ side: EndpointSide, link parameters: LinkParameters, asksSigner: Bool, longPress: UInt64, seed: UInt64
    ) {
        self.side = side
        self.asksSigner = asksSigner
        self.longPress = longPress
        intake = HIDIntake(longPress: longPress)
        files = FileIntake(for: side)
        generator = SeededGenerator(seed: seed)
        let sequence = UInt8(truncatingIfNeeded: generator.next())
        switch side {
        case .accessory: link = LinkMachine(side: .accessory, parameters: parameters, initialSequence: sequence)
        case .device: link = LinkMachine(side: .device, parameters: parameters, initialSequence: sequence)
        }
        control = Self.control(for: side)
    }

    static func control(for side: EndpointSide) -> EndpointControl {
        switch side {
        case .accessory(let configuration): .accessory(AccessoryControlMachine(configuration: configuration))
        case .device(let configuration): .device(DeviceControlMachine(configuration: configuration))
        }
    }

    /// When `deadlineReached` is to be called next.
    var nextDeadline: UInt64? {
        guard let above = control.nextDeadline else { return link.nextDeadline }
        return link.nextDeadline.map { min($0, above) } ?? above
    }

    mutating func start(now: UInt64) {
        // A head unit that begins with its offer detects nobody.
        if case .accessory = side, link.parameters.beginsWithOffer { tell(.phase(.synchronizing)) }
        link.start(now: now, into: &linkOutput)
        drain(now: now)
    }

    mutating func receive(_ bytes: ArraySlice<UInt8>, now: UInt64) {
        link.receive(bytes, now: now, into: &linkOutput)
        drain(now: now)
    }

    mutating func deadlineReached(now: UInt64) {
        link.deadlineReached(now: now, into: &linkOutput)
        control.deadlineReached(now: now, into: &controlOutput)
        drain(now: now)
    }

    /// Says goodbye: the other end sees the link closed in an orderly way.
    mutating func close(now: UInt64) {
        control.close(now: now, into: &controlOutput)
        link.close(now: now, into: &linkOutput)
        drain(now: now)
    }

    /// Sends a message of the application; false when the session is not active.
    mutating func send(_ message: ControlMessage, now: UInt64) -> Bool {
        do throws(ControlSendError) {
            try control.send(message, into: &controlOutput)
        } catch {
            return false
        }
        drain(now: now)
        return true
    }

    /// The head unit's side: which updates the phone asked for.
    var wanted: Subscriptions? {
        guard control.phase == .active, case .accessory(let machine) = control else { return nil }
        return machine.wanted
    }

    /// Packets that wait for room in the other end's window.
    var packetsWaiting: Int { link.outstanding.waiting }

    /// Whether an update has room behind what waits for the other end.
    var hasRoomForUpdate: Bool { packetsWaiting + 16 <= link.parameters.sendQueueLimit / 2 }

    /// The way to the other end is gone: nothing more can be said.
    mutating func abandon(for reason: Reason, now: UInt64) {
        end(reason)
        control.close(now: now, into: &controlOutput)
        link.close(now: now, into: &linkOutput)
        drain(now: now)
        outgoing.removeAll()
    }

    /// The phone's side: a person does something to the phone.
    mutating func set(_ conditions: RigModel.PhoneConditions, now: UInt64) {
        guard case .device(var configuration) = side, case .device(var machine) = control else { return }
        // A handshake that begins anew on the same link has them too.
        configuration.conditions = ControlProtocol.PhoneConditions(conditions)
        side = .device(configuration)
        machine.setConditions(configuration.conditions, now: now, into: &controlOutput)
        control = .device(machine)
        drain(now: now)
    }

    /// An outside signer has answered a question. Without effect when it is no longer open.
    mutating func answer(_ answer: SignerAnswer, to question: UInt64, now: UInt64) {
        guard openQuestion == question else { return }
        openQuestion = nil
        switch (answer, control) {
        case (.signature(let signature), .accessory(var machine)):
            machine.signatureReady(signature, now: now, into: &controlOutput)
            control = .accessory(machine)
        case (.unavailable(let why), .accessory(var machine)):
            machine.signatureFailed(reason: why, into: &controlOutput)
            control = .accessory(machine)
        case (.verdict(let verdict), .device(var machine)):
            tell(.verdict(verdict))
            machine.verificationResult(verdict, now: now, into: &controlOutput)
            control = .device(machine)
        case (.unavailable(let why), .device):
            close(for: Reason("verifierUnavailable", .local, "the signature could not be verified: \(why)"), now: now)
        case (.signature, .device), (.verdict, .accessory): return
        }
        drain(now: now)
    }

    /// Ends the handshake for a reason of the control machine: the link goes with it.
    mutating func close(for reason: Reason, now: UInt64) {
        end(reason)
        control.close(now: now, into: &controlOutput)
        link.close(now: now, into: &linkOutput)
    }

    /// Hands over what is for the other end, in exchange for memory to go on with.
    mutating func handOver(_ packets: inout OutgoingPackets) {
        packets.removeAll()
        swap(&packets, &outgoing)
    }

    /// Hands over what there is to know, in exchange for memory to go on with.
    mutating func handOver(_ notices: inout EndpointNotices) {
        notices.removeAll()
        swap(&notices, &self.notices)
    }

    mutating func tell(_ notice: EndpointNotice) {
        if ending == nil { notices.list.append(notice) }
    }

    mutating func end(_ reason: Reason) {
        guard ending == nil else { return }
        notices.list.append(.ended(reason))
        ending = reason
        openQuestion = nil
    }
}
