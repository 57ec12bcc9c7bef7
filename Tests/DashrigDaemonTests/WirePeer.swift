import ControlProtocol
import DeviceTestKit
import LinkProtocol
import RigTestKit

/// A whole end of the protocol behind the bulk pipes of a mock device.
final class WirePeer<Machine: TestAnswerable>: @unchecked Sendable {
    // Only the mock's own thread uses it once it is attached.
    private var end: HandshakeEnd<Machine>
    private var hasStarted = false

    init(_ end: HandshakeEnd<Machine>, answers: TestAnswers = TestAnswers()) {
        self.end = end
        self.end.answers = answers
    }

    /// Puts it behind a mock.
    func attach(to mock: USBMock) {
        mock.attach { [self] received, now in turn(received, now) }
    }

    private func turn(_ received: [[UInt8]], _ now: UInt64) -> USBMock.PeerTurn {
        if !hasStarted {
            hasStarted = true
            end.start(now: now)
        }
        for bytes in received where !bytes.isEmpty { end.receive(bytes[...], now: now) }
        if let deadline = deadline, deadline <= now { end.deadlineReached(now: now) }
        defer { end.packets.removeAll() }
        return USBMock.PeerTurn(output: end.packets, deadline: deadline)
    }

    private var deadline: UInt64? {
        [end.link.nextDeadline, end.control.nextDeadline].compactMap(\.self).min()
    }
}

enum WirePeers {
    /// A phone.
    static func phone(answers: TestAnswers = TestAnswers()) -> WirePeer<DeviceControlMachine> {
        WirePeer(
            HandshakeEnd(
                link: LinkMachine(side: .device, parameters: .device, initialSequence: 0x2D),
                control: DeviceControlMachine(configuration: HandshakeExamples.device())), answers: answers)
    }

    /// A head unit.
    static func headUnit(answers: TestAnswers = TestAnswers()) -> WirePeer<AccessoryControlMachine> {
        WirePeer(
            HandshakeEnd(
                link: LinkMachine(side: .accessory, parameters: .accessory, initialSequence: 0),
                control: AccessoryControlMachine(configuration: HandshakeExamples.accessory())), answers: answers)
    }
}
