import ControlProtocol
import HIDReports
import InputCore
import LinkProtocol
import RigModel

/// What the owner of an endpoint is told.
enum EndpointNotice: Equatable, Sendable {
    /// The handshake reached another phase.
    case phase(SessionPhase)
    /// The handshake waits for a person, or no longer.
    case waiting(SessionWait?)
    /// The phone accepted a head unit of this name.
    case identified(String)
    /// The phone's side: the head unit declared its displays.
    case displays([DisplayDescription])
    /// The session runs.
    case active
    /// Something was damaged or against the rules.
    case irregularity(Irregularity)
    /// The other side said something that is no part of the handshake.
    case message(ControlMessage)
    /// The other side sent a whole file.
    case file(transfer: UInt8, type: UInt16?, size: Int)
    /// The phone's side: something came of an input device of the head unit.
    case hid(HIDArrival)
    /// It is over. Told once, and nothing is told after it.
    case ended(Reason)
    /// An outside signer is to answer this question, which has this number; it goes on with `answer`.
    case question(SignerQuestion, UInt64)
    /// The phone's side: what it says of the head unit.
    case verdict(CertificateVerdict)
}

/// Packets for the other end, one behind the other.
struct OutgoingPackets: Equatable, Sendable {
    /// Their bytes.
    private(set) var bytes: [UInt8] = []
    /// For every packet, the offset of the byte behind it.
    private(set) var ends: [Int] = []

    var isEmpty: Bool { bytes.isEmpty }

    /// The packets, one slice each.
    var packets: [ArraySlice<UInt8>] {
        var start = 0
        return ends.map { end in
            defer { start = end }
            return bytes[start..<end]
        }
    }

    /// Adds bytes that go out in one piece.
    mutating func append(_ piece: ArraySlice<UInt8>) {
        bytes += piece
        ends.append(bytes.count)
    }

    mutating func append(_ output: LinkOutput) {
        let base = bytes.count
        bytes += output.transmit
        ends += output.packetEnds.map { base + $0 }
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }
}

/// Which side of the handshake an endpoint plays, with what it brings.
enum EndpointSide: Sendable {
    /// The head unit.
    case accessory(AccessoryConfiguration)
    /// The phone.
    case device(DeviceConfiguration)
}

/// What became of input that was to be put on a link.
enum InputPut {
    /// It goes in these reports, the last in a packet of the link by number.
    case sent([AccessoryHIDReport], packet: UInt64)
    /// Too much waits for the other end. The device keeps the state that it is in.
    case dropped
    /// No device can say it.
    case unsayable
}

/// One whole end of a handshake: the link's machine and the control machine above it, joined.
///
/// Bytes in, bytes and notices out. Signatures are those of the fixed test signer, or asked for outside: no key and no
/// certificate of anybody is in here. The owner moves `outgoing` to the other end and acts on `notices`.
struct Endpoint: Sendable {
    /// Packets for the other end.
    var outgoing = OutgoingPackets()
    /// What there is to know, oldest first.
    var notices: [EndpointNotice] = []
    /// Why it ended, once it did.
    private(set) var ending: Reason?

    private var side: EndpointSide
    /// True when signatures are made and checked outside.
    private let asksSigner: Bool
    private var link: LinkMachine
    private var control: EndpointControl
    private var assembler = ControlMessageAssembler()
    private var generator: SeededGenerator
    private var linkOutput = LinkOutput()
    private var controlOutput = ControlOutput()
    private let longPress: UInt64
    /// The question to an outside signer that is open, by its number, and how many were asked.
    private(set) var openQuestion: UInt64?
    private var questionsAsked: UInt64 = 0
    /// While notices are acted on: the link has begun again behind this one.
    private var isLinkGone = false
    /// The head unit's side: its input devices, as they are when a session begins.
    private var encoder: HIDInputEncoder?
    /// The phone's side: those of the head unit.
    private var intake: HIDIntake
    /// What the other side sends on the file transfer channel.
    private var files: FileIntake
    /// Packets given to the link since it was established.
    private var packetsGiven: UInt64 = 0
    /// Bytes for the other end so far.
    private(set) var bytesMade: UInt64 = 0

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

    private static func control(for side: EndpointSide) -> EndpointControl {
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

    /// Whether an update has room behind what waits for the other end; told when it has not. A later one says the same.
    mutating func hasRoomForUpdate() -> Bool {
        guard link.outstanding.waiting + 16 > link.parameters.sendQueueLimit / 2 else { return true }
        tell(
            .irregularity(
                Irregularity(
                    layer: .control, end: .rig, rule: "vehicleBacklog", party: .peer, reaction: "drop",
                    text: "the vehicle is not told, as \(link.outstanding.waiting) packets wait for the other side")))
        return false
    }

    // MARK: Input

    /// Packets that left for the other end, and those that it has acknowledged, since the link was established. `nil`
    /// where the link knows no acknowledgements.
    var packetsSent: UInt64 { packetsGiven - UInt64(link.outstanding.waiting) }
    var packetsAcknowledged: UInt64? {
        guard let agreement = link.agreement, agreement.own.retransmissionTimeout > 0 else { return nil }
        return packetsSent - UInt64(link.outstanding.inFlight)
    }

    /// The head unit's side: whether its devices can say a gesture, on the display at a place.
    func carries(_ gesture: Gesture, display: Int) -> Bool {
        guard control.phase == .active, let encoder else { return false }
        return encoder.carries(gesture, display: display)
    }

    /// The head unit's side: puts on the link what a person did.
    mutating func put(
        _ input: InputEvent, owner: UInt64, on display: (place: Int, pixels: PixelSize)?, now: UInt64
    ) -> InputPut {
        guard control.phase == .active, var encoder else { return .unsayable }
        guard let reports = encoder.reports(for: input, owner: owner, on: display) else { return .unsayable }
        self.encoder = encoder
        guard hasRoom(for: input) else { return .dropped }
        let messages = reports.map { AccessoryHIDReport(component: $0.outlet, report: $0.bytes) }
        for message in messages { offer(message) }
        drain(now: now)
        return .sent(messages, packet: packetsGiven)
    }

    /// Motion may fill half of what may wait on the link; what is held and let go has the rest. Nothing more is put then:
    /// a report says the whole state of its device, so the next one puts it right.
    private mutating func hasRoom(for input: InputEvent) -> Bool {
        let limit = link.parameters.sendQueueLimit
        guard link.outstanding.waiting + 16 > (input.isMotion ? limit / 2 : limit) else { return true }
        tell(
            .irregularity(
                Irregularity(
                    layer: .hid, end: .rig, rule: "hidBacklog", party: .peer, reaction: "drop",
                    text: "input is dropped, as \(link.outstanding.waiting) packets wait for the other side")))
        return false
    }

    private mutating func offer(_ message: some TypedControlMessage) {
        // What does not fit a message, or comes when the session is over, is not sent; both are seen by its absence.
        guard let message = try? message.message() else { return }
        try? control.send(message, into: &controlOutput)
    }

    private mutating func offerDevices() {
        guard case .accessory(let configuration) = side else { return }
        let encoder = HIDInputEncoder(displays: configuration.displays.map(DisplayDescription.init))
        self.encoder = encoder
        for (index, outlet) in encoder.outlets.enumerated() {
            // Vendor and product as LIVI has them [1], the product counted on so that the devices differ.
            offer(
                StartHID(
                    component: outlet.id, vendor: 2, product: UInt16(truncatingIfNeeded: index + 1),
                    descriptor: outlet.input.descriptor))
        }
    }

    /// The phone's side: what a head unit that is gone still held is let go.
    mutating func endInput(now: UInt64) -> [HIDArrival] { intake.end(now: now) }

    private mutating func receiveMessage(_ message: ControlMessage, now: UInt64) {
        guard case .device = side, let arrival = intake.receive(message, now: now) else {
            return tell(.message(message))
        }
        if message.id != .accessoryHIDReport { tell(.message(message)) }
        tell(.hid(arrival))
    }

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

    // MARK: Joining

    /// Carries what one machine made to the other until both are quiet. Each round uses up what the round before made,
    /// and only a message from the other end makes more, so it ends.
    private mutating func drain(now: UInt64) {
        drainControl(now: now)
        while !linkOutput.isEmpty {
            outgoing.append(linkOutput)
            bytesMade &+= UInt64(linkOutput.transmit.count)
            let notices = linkOutput.notices
            let payloads = linkOutput.payloads
            linkOutput.removeAll()
            let begun = notices.lastIndex(of: .restarted) ?? 0
            for (index, notice) in notices.enumerated() {
                // A head unit that began again in the same read takes no answer to what it said before.
                isLinkGone = index < begun
                act(on: notice, payloads, now: now)
                // What a message did is told before the end of the link that came right behind it.
                drainControl(now: now)
            }
            isLinkGone = false
        }
    }

    private mutating func drainControl(now: UInt64) {
        while !controlOutput.isEmpty {
            let messages = controlOutput.messages
            let notices = controlOutput.notices
            controlOutput.removeAll()
            for message in messages { put(message, now: now) }
            for notice in notices { act(on: notice, now: now) }
        }
    }

    private mutating func act(on notice: LinkNotice, _ payloads: [UInt8], now: UInt64) {
        switch notice {
        case .detected: tell(.phase(.synchronizing))
        case .restarted:
            for arrival in intake.end(now: now) { tell(.hid(arrival)) }
            // The machine of before has nobody to speak to any more, whatever comes due or is set or answered.
            control = Self.control(for: side)
            openQuestion = nil
            tell(.phase(.synchronizing))
        case .established:
            control = Self.control(for: side)
            assembler = ControlMessageAssembler()
            encoder = nil
            intake = HIDIntake(longPress: longPress)
            files = FileIntake(for: side)
            packetsGiven = 0
            control.start(now: now, into: &controlOutput)
        case .received(.control, let payload): receiveControl(payloads[payload], now: now)
        case .received(.fileTransfer, let payload): receiveFile(payloads[payload], now: now)
        case .irregularity(let found): tell(.irregularity(Irregularity(found)))
        case .received(.externalAccessory, _), .countered: break
        case .closed(let failure):
            control.close(now: now, into: &controlOutput)
            end(Reason(failure))
        }
    }

    private mutating func receiveControl(_ payload: ArraySlice<UInt8>, now: UInt64) {
        var rest = payload
        while true {
            do throws(ControlStreamError) {
                guard let message = try assembler.next(from: &rest) else { return }
                control.receive(message, now: now, into: &controlOutput)
            } catch {
                control.streamFailed(error, into: &controlOutput)
                return
            }
        }
    }

    private mutating func put(_ message: ControlMessage, now: UInt64) {
        guard !isLinkGone else { return }
        do {
            try give(try message.encoded(), on: .control, now: now)
        } catch {
            // What is ours to send did not fit our own link: nothing the peer could mend.
            let reason = Reason(
                "unsendable", .local, "the message \(message.id) could not be put on the link: \(error)")
            close(for: reason, now: now)
        }
    }

    private mutating func give(_ payload: [UInt8], on channel: LinkChannel, now: UInt64) throws(LinkSendError) {
        let before = link.outstanding
        try link.send(payload, on: channel, now: now, into: &linkOutput)
        let after = link.outstanding
        packetsGiven += UInt64(max(0, after.inFlight + after.waiting - before.inFlight - before.waiting))
    }

    private mutating func receiveFile(_ payload: ArraySlice<UInt8>, now: UInt64) {
        let (notice, reply) = files.receive(payload)
        if let notice { tell(notice) }
        guard let reply else { return }
        do {
            try give(reply, on: .fileTransfer, now: now)
        } catch {
            close(
                for: Reason("unsendable", .local, "an answer of the file transfer could not be sent: \(error)"),
                now: now)
        }
    }

    private mutating func act(on notice: ControlNotice, now: UInt64) {
        switch notice {
        case .phaseChanged(let phase):
            if let phase = SessionPhase(phase) { tell(.phase(phase)) }
        case .needSignature(let challenge, let shape):
            guard !asksSigner else { return ask(.sign(challenge: challenge, shape: shape)) }
            guard case .accessory(var machine) = control else { return }
            machine.signatureReady(FixedTestSigner.signature(of: challenge), now: now, into: &controlOutput)
            control = .accessory(machine)
        case .needChallenge(let count):
            guard case .device(var machine) = control else { return }
            machine.challengeReady(generator.bytes(count), now: now, into: &controlOutput)
            control = .device(machine)
        case .verify(let certificate, let challenge, let signature):
            let question = SignerQuestion.verify(
                certificate: certificate, challenge: challenge, signature: signature)
            guard !asksSigner else { return ask(question) }
            guard case .device(var machine) = control else { return }
            let verdict = FixedTestSigner.verdict(
                certificate: certificate, challenge: challenge, signature: signature)
            tell(.verdict(verdict))
            machine.verificationResult(verdict, now: now, into: &controlOutput)
            control = .device(machine)
        case .identified(let identification): tell(.identified(identification.name))
        case .waiting(let wait): tell(.waiting(SessionWait(wait)))
        case .irregularity(let found): tell(.irregularity(Irregularity(found)))
        case .authenticated, .identificationReduced, .identificationUpdated: break
        case .resumed:
            if let phase = SessionPhase(control.phase) { tell(.phase(phase)) }
            tell(.waiting(nil))
        case .displaysDeclared(let displays): tell(.displays(displays.map(DisplayDescription.init)))
        case .received(let message): receiveMessage(message, now: now)
        case .active:
            tell(.active)
            offerDevices()
        case .failed(let failure): close(for: Reason(failure), now: now)
        }
    }

    private mutating func ask(_ question: SignerQuestion) {
        questionsAsked += 1
        openQuestion = questionsAsked
        tell(.question(question, questionsAsked))
    }

    /// Ends the handshake for a reason of the control machine: the link goes with it.
    private mutating func close(for reason: Reason, now: UInt64) {
        end(reason)
        control.close(now: now, into: &controlOutput)
        link.close(now: now, into: &linkOutput)
    }

    private mutating func tell(_ notice: EndpointNotice) {
        if ending == nil { notices.append(notice) }
    }

    private mutating func end(_ reason: Reason) {
        guard ending == nil else { return }
        notices.append(.ended(reason))
        ending = reason
        openQuestion = nil
    }
}

extension SessionPhase {
    /// The published name of a control machine's phase; `active` and `closed` have events of their own.
    init?(_ phase: ControlPhase) {
        switch phase {
        case .authenticating: self = .authenticating
        case .identifying: self = .identifying
        case .starting: self = .starting
        case .idle, .active, .closed: return nil
        }
    }
}
