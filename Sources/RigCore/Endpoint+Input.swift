import ControlProtocol
import HIDReports
import InputCore
import LinkProtocol
import RigModel

/// What became of input that was to be put on a link.
enum InputPut {
    /// It goes in `Endpoint.reports`, the last in a packet of the link by number.
    case sent(packet: UInt64)
    /// Too much waits for the other end. The device keeps the state that it is in.
    case dropped
    /// No device can say it.
    case unsayable
}
/// Input on the link: reports of the head unit's devices, made at one end and read at the other.
extension Endpoint {
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
        reports.removeAll()
        guard control.phase == .active, encoder?.encode(input, owner: owner, on: display, into: &reports) == true
        else { return .unsayable }
        guard hasRoom(for: input) else { return .dropped }
        for place in 0..<reports.count { putReport(place, now: now) }
        drain(now: now)
        return .sent(packet: packetsGiven)
    }

    /// Gives the link a report of an active session. The control machine takes no note of reports, so their bytes go past
    /// it.
    private mutating func putReport(_ place: Int, now: UInt64) {
        let (outlet, report) = reports[place]
        messageInHand.removeAll(keepingCapacity: true)
        do {
            try AccessoryHIDReport.encode(component: outlet, report: report, into: &messageInHand)
            try give(messageInHand[...], on: .control, now: now)
        } catch {
            close(for: Self.unsendable(.accessoryHIDReport, error), now: now)
        }
    }

    /// Motion may fill half of what may wait on the link; what is held and let go has the rest. Nothing more is put then:
    /// a report says the whole state of its device, so the next one puts it right.
    mutating func hasRoom(for input: InputEvent) -> Bool {
        let limit = link.parameters.sendQueueLimit
        guard link.outstanding.waiting + 16 > (input.isMotion ? limit / 2 : limit) else { return true }
        tell(
            .irregularity(
                Irregularity(
                    layer: .hid, end: .rig, rule: "hidBacklog", party: .peer, reaction: "drop",
                    text: "input is dropped, as \(link.outstanding.waiting) packets wait for the other side")))
        return false
    }

    /// The head unit's side: offers an input device; told when that cannot be said.
    mutating func offer(_ message: some TypedControlMessage) {
        do {
            try control.send(try message.message(), into: &controlOutput)
        } catch {
            tell(
                .irregularity(
                    Irregularity(
                        layer: .hid, end: .rig, rule: "hidOffer", party: .local, reaction: "drop",
                        text: "an input device is not offered, as its message cannot be sent: \(error)")))
        }
    }

    mutating func offerDevices() {
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

    mutating func receiveMessage(_ message: ControlMessage, now: UInt64) {
        guard case .device = side, let arrival = intake.receive(message, now: now, reports: &notices.reports) else {
            return tell(.message(message))
        }
        if message.id != .accessoryHIDReport { tell(.message(message)) }
        tell(.hid(arrival))
    }
}
