import ControlProtocol
import LinkProtocol
import RigTestKit
import Testing

@Suite("Handshake of both ends")
struct HandshakeTests {
    @Test func smoke() {
        var pair = EndpointPair(accessory: HandshakeExamples.accessory(), device: HandshakeExamples.device())
        pair.start()
        let ok = pair.drive(until: { $0.accessory.control.phase == .active && $0.device.control.phase == .active })
        for s in pair.sent { print(s.time, s.from, s.bytes.map { String($0, radix: 16) }.joined(separator: " ")) }
        for e in pair.device.events { print("D", e.time, e.source) }
        for e in pair.accessory.events { print("A", e.time, e.source) }
        #expect(ok)
    }
}
