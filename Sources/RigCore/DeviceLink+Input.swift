import RigModel
import InputCore

/// Input on the link, and how far it has come.
extension DeviceLink {
    /// How input of the rig's people travels on this link.
    enum InputWay: Equatable, Sendable {
        /// The rig is the head unit: what it published goes to the phone as well.
        case alongside
        /// The rig is the phone of a partner: the partner's devices say it, and it is published when it comes.
        case through
        /// The rig is the phone of a real head unit, whose devices are its own.
        case none
    }

    /// The end that is the head unit and says input on the link, where the rig has a part in that.
    private var unit: Endpoint? {
        switch inputWay {
        case .alongside: rig
        case .through: partner
        case .none: nil
        }
    }

    /// How input travels.
    var inputWay: InputWay {
        switch (role, far) {
        case (.headUnit, _): .alongside
        case (.phone, .simulated): .through
        case (.phone, .opening), (.phone, .wire): .none
        }
    }

    /// The last step that a gesture's events can reach on this link.
    func reach(of gesture: Gesture, display: Int) -> InputStep {
        guard let unit, unit.carries(gesture, display: display) else { return .accepted }
        return unit.packetsAcknowledged == nil ? .delivered : .read
    }

    /// The head unit's end puts on the link what a person did; false when no device can say it there. What finds no
    /// room is dropped, and is not said in another way: what it would let go may still be on its way down.
    mutating func put(
        _ input: InputEvent, _ stamp: InputStamp, on display: (place: Int, pixels: PixelSize)?, now: UInt64
    ) -> Bool {
        let put: InputPut
        switch inputWay {
        case .alongside: put = rig.put(input, owner: stamp.owner, on: display, now: now)
        case .through:
            put = partner?.put(input, owner: stamp.owner, on: display, now: now) ?? .unsayable
            if case .sent = put, let reports = partner?.reports {
                for place in 0..<reports.count {
                    tracks.expect(stamp, component: reports[place].outlet, reports[place].report)
                }
            }
        case .none: return false
        }
        switch put {
        case .sent(let packet):
            if stamp.isTracked { tracks.follow(stamp.id, packet: packet) }
            return true
        case .dropped: return true
        case .unsayable: return false
        }
    }

    /// What a head unit that is gone still held is let go.
    mutating func endInput(now: UInt64) -> [LinkInput] {
        guard role == .phone else { return [] }
        return rig.endInput(now: now).map { LinkInput(arrival: $0, stamp: nil) }
    }

    /// Tells how far input has come that is followed.
    mutating func followInput() {
        guard let unit else { return }
        var steps: [RigNotice] = []
        tracks.advance(
            sent: unit.packetsSent, acknowledged: unit.packetsAcknowledged, made: isWire ? unit.bytesMade : 0,
            taken: isWire ? bytesTaken : 0
        ) { steps.append(.step($0, $1)) }
        told += steps
    }
}
