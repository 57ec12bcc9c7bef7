import ControlProtocol
import RigCore
import RigModel

/// The wires and the signer of a fuzzed rig: what it may do with them, and what may come from them.
struct RigWires {
    private enum State: Equatable {
        case opening, open, ended
    }

    private var wires: [(link: LinkID, state: State)] = []
    /// Packets that two rigs on one wire would have exchanged, to be given back: the bytes that a peer most likely sends.
    private var echoes: [[UInt8]] = []
    private var questions: [(ticket: SignerTicket, question: SignerQuestion)] = []
    /// Questions that were answered, the last few.
    private var answered: [(ticket: SignerTicket, question: SignerQuestion)] = []
    /// The last verdict that each phone asked for, and whether it was in the head unit's favour.
    private var verdicts: [(ticket: SignerTicket, isAccepted: Bool)] = []

    /// What devices were told to change to.
    private var switches: [(key: String, mode: ModeSwitch)] = []

    private var isPreparing = false

    private func place(of link: LinkID) -> Int? { wires.firstIndex { $0.link == link } }

    mutating func perform(_ action: CoreAction) throws(FuzzFinding) {
        switch action {
        case .openWire(let link, _):
            try require(place(of: link) == nil, "a wire is opened twice: \(link)")
            wires.append((link, .opening))
        case .transmit(let link, let bytes, let ends):
            let state = place(of: link).map { wires[$0].state }
            try require(state == .open || state == .ended, "bytes for a wire that is \(String(describing: state))")
            try require(!bytes.isEmpty && ends.last == bytes.count, "packets that do not add up")
            try require(zip(ends, ends.dropFirst()).allSatisfy(<), "packets out of order")
            if echoes.count < 16 { echoes.append(bytes) }
        case .closeWire(let link):
            guard let place = place(of: link) else { throw FuzzFinding("a wire is closed that is not open: \(link)") }
            wires.remove(at: place)
        case .askSigner(let ticket, let question):
            questions.append((ticket, question))
            guard case .verify = question else { return }
            verdicts.removeAll { $0.ticket.link == ticket.link && $0.ticket.end == ticket.end }
            verdicts.append((ticket, false))
        case .switchMode(let key, let mode): switches.append((key, mode))
        case .prepareSigner, .deliver, .reply, .open, .fail, .scenarioWrong, .capture, .close: break
        }
    }

    /// One of the wires there are.
    mutating func pick(_ input: inout FuzzInput) -> LinkID? { wires.isEmpty ? nil : input.pick(wires.map(\.link)) }

    /// Opens a wire that is being opened.
    mutating func open(_ link: LinkID) -> CoreEvent? {
        guard let place = place(of: link), wires[place].state == .opening else { return nil }
        wires[place].state = .open
        return .wireOpened(link)
    }

    /// The oldest request to change a mode is answered, perhaps when the device is gone.
    mutating func modeAnswer(_ input: inout FuzzInput) -> CoreEvent? {
        guard !switches.isEmpty else { return nil }
        let asked = switches.removeFirst()
        return .modeAnswered(
            key: asked.key, asked.mode,
            refusal: input.bool() ? Reason("stalled", .device, "the device does not know the request") : nil)
    }

    /// Something that a wire or the signer may do now, sometimes too late.
    mutating func event(_ input: inout FuzzInput) -> CoreEvent? {
        if isPreparing {
            isPreparing = false
            return .signerChanged(.ready(certificate: FixedTestSigner.certificate))
        }
        if !questions.isEmpty, input.bool() {
            return answer(questions.removeFirst(), &input)
        }
        guard !wires.isEmpty else { return .wireEnded(LinkID(UInt32(input.byte())), Self.pulled) }
        let place = input.int(0...wires.count - 1)
        let link = wires[place].link
        switch input.int(0...4) {
        case 0:
            if wires[place].state == .opening { wires[place].state = .open }
            return .wireOpened(link)
        case 1:
            wires[place].state = .ended
            return .wireEnded(link, Self.pulled)
        case 2: return .wireSent(link, Int(input.word()))
        case 3: return .wireReceived(link, echoes.isEmpty ? [] : input.pick(echoes))
        default: return .wireReceived(link, input.bytes(upTo: 64))
        }
    }

    private static let pulled = Reason("gone", .device, "the device is gone")

    /// A question is answered out of turn, or one that was answered before.
    mutating func lateAnswer(_ input: inout FuzzInput) -> CoreEvent? {
        if !answered.isEmpty, input.bool() { return answer(input.pick(answered), &input) }
        guard !questions.isEmpty else { return nil }
        return answer(questions.remove(at: input.int(0...questions.count - 1)), &input)
    }

    private mutating func answer(
        _ asked: (ticket: SignerTicket, question: SignerQuestion), _ input: inout FuzzInput
    ) -> CoreEvent {
        if !answered.contains(where: { $0.ticket == asked.ticket }) {
            answered.append(asked)
            if answered.count > 4 { answered.removeFirst() }
        }
        let said = answer(to: asked.question, &input)
        if case .verdict(.accepted) = said, let place = verdicts.firstIndex(where: { $0.ticket == asked.ticket }) {
            verdicts[place].isAccepted = true
        }
        return .signerAnswered(asked.ticket, said)
    }

    /// A phone takes nobody for whom the verifier has not spoken.
    func check(_ session: Session) throws(FuzzFinding) {
        guard session.authentication?.signer == .libcrypto, session.role == .phone || session.peer == .simulated
        else { return }
        let end: LinkEnd = session.role == .phone ? .rig : .partner
        let verdict = verdicts.last { $0.ticket.link == session.link && $0.ticket.end == end }
        try require(verdict?.isAccepted == true, "\(session.id.name) is active and nobody has verified its head unit")
    }

    private func answer(to question: SignerQuestion, _ input: inout FuzzInput) -> SignerAnswer {
        switch (question, input.int(0...3)) {
        case (_, 0): return .unavailable("the signer is broken")
        case (.sign(let challenge, _), 1): return .signature(FixedTestSigner.signature(of: challenge))
        case (.sign, _): return .signature(input.bytes(upTo: 200))
        case (.verify, 1):
            return .verdict(.refused(input.pick(CertificateRefusal.allCases), nil))
        case (.verify, _):
            return .verdict(.accepted(CertificateFacts(subject: "unit", serial: "01", notAfter: 0, shape: .p256)))
        }
    }

    /// The signer that a rig begins with; one that is being prepared is ready with the first event.
    mutating func signer(_ choice: UInt8) -> CoreSigner {
        switch choice & 3 {
        case 0: return .fixedTest
        case 1:
            isPreparing = true
            return .preparing
        case 2: return .failed("no keys")
        default: return .ready(certificate: FixedTestSigner.certificate)
        }
    }
}
