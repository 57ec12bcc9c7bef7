import DeviceTestKit
import Glibc
import LinuxIO
import RigModel
import Testing

@testable import USBTransport

@Suite(.serialized, .enabled(if: DeviceTestbed.isAvailable, Comment(rawValue: DeviceTestbed.skipReason)))
struct USBPipeTests {
    static let headUnit = "headunit-iap-25e1-4351"
    /// Around one packet, around several, around one read or piece of a write (16,384), and two of them.
    static let sizes = [1, 2, 511, 512, 513, 1_023, 1_024, 1_025, 16_383, 16_384, 16_385, 32_768, 40_001]

    // MARK: Bytes

    @Test func bytesGoOutWithAPacketOfNoneBehindAFullOne() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug(Self.headUnit)
        let (pipe, log) = try harness.pipe(mock)
        var expected: [[UInt8]] = []
        for size in Self.sizes {
            let bytes = pattern(size, size)
            #expect(log.send(bytes, pipe) == .accepted)
            // What is longer than a piece comes in pieces of whole packets.
            var rest = bytes[...]
            while !rest.isEmpty {
                expected.append(Array(rest.prefix(16_384)))
                rest = rest.dropFirst(16_384)
            }
            if size.isMultiple(of: 512) { expected.append([]) }
        }
        let total = Self.sizes.reduce(0, +)
        #expect(try harness.run { log.sent == total })
        #expect(mock.received == expected)
        #expect(pipe.pendingBytes == 0 && log.ends.isEmpty)
        try harness.close(pipe)
        #expect(try harness.run { mock.opens == 0 })
    }

    @Test func bytesComeInOrderWhateverTheirSizes() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug(Self.headUnit)
        for ending in [true, false] {
            let (pipe, log) = try harness.pipe(mock)
            var expected: [UInt8] = []
            for size in Self.sizes {
                let bytes = pattern(size, size)
                expected += bytes
                mock.send(bytes, ending: ending)
            }
            // Full packets without an end wait for what fills the read, or for a packet that is not full.
            mock.send([0xAA])
            expected.append(0xAA)
            #expect(try harness.run { log.bytes.count == expected.count })
            #expect(log.bytes == expected)
            #expect(log.received.allSatisfy { !$0.isEmpty && $0.count <= 16_384 })
            try harness.close(pipe)
        }
    }

    @Test func severalReadsAreAlwaysWithTheKernel() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug(Self.headUnit)
        var settings = USBPipeSettings()
        settings.reads = 3
        let (pipe, log) = try harness.pipe(mock, settings)
        #expect(mock.transfersWaiting == 3)
        for round in 1...20 {
            mock.send([UInt8(round)])
            #expect(try harness.run { log.received.count == round })
            #expect(mock.transfersWaiting == 3)
        }
        mock.send([])
        mock.send([21])
        #expect(try harness.run { log.received.count == 21 })
        #expect(log.received.last == [21], "a packet of no bytes is nothing to tell")
        try harness.close(pipe)
    }

    @Test func aPeerBehindThePipeHearsAndAnswers() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug(Self.headUnit)
        mock.attach { input, _ in USBMock.PeerTurn(output: input.filter { !$0.isEmpty }) }
        let (pipe, log) = try harness.pipe(mock)
        var expected: [UInt8] = []
        for round in 0..<100 {
            let bytes = pattern(1 + round * 37 % 1_500, round)
            expected += bytes
            #expect(log.send(bytes, pipe) == .accepted)
        }
        #expect(try harness.run { log.bytes.count == expected.count })
        #expect(log.bytes == expected && log.sent == expected.count)
        try harness.close(pipe)
    }

    // MARK: Bounds

    @Test func aFullQueueSaysSo() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        var behaviour = USBBehaviour()
        behaviour.takesOutput = false
        let mock = try testbed.plug(Self.headUnit, behaviour: behaviour)
        var settings = USBPipeSettings()
        settings.outgoingBytes = 1_000
        settings.outgoingSends = 4
        let (pipe, log) = try harness.pipe(mock, settings)
        #expect(log.send([], pipe) == .accepted)
        #expect(log.send(pattern(1_001), pipe) == .full, "more than there is room for in all")
        #expect(log.send(pattern(600), pipe) == .accepted)
        #expect(log.send(pattern(401), pipe) == .full, "by bytes")
        #expect(log.send(pattern(400), pipe) == .accepted)
        #expect(pipe.pendingBytes == 1_000)
        #expect(log.send([1], pipe) == .full)
        mock.takeOutput(true)
        #expect(try harness.run { log.sent == 1_000 })
        mock.takeOutput(false)
        for _ in 0..<4 { #expect(log.send([1], pipe) == .accepted) }
        #expect(log.send([1], pipe) == .full, "by number")
        mock.takeOutput(true)
        #expect(try harness.run { log.sent == 1_004 })
        #expect(mock.received.flatMap { $0 } == pattern(600) + pattern(400) + [1, 1, 1, 1])
        try harness.close(pipe)
    }

    @Test func aDeviceThatTakesNothingEndsIt() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        var behaviour = USBBehaviour()
        behaviour.takesOutput = false
        let mock = try testbed.plug(Self.headUnit, behaviour: behaviour)
        var settings = USBPipeSettings()
        settings.writeTime = 50_000_000
        let (pipe, log) = try harness.pipe(mock, settings)
        #expect(log.send([1, 2, 3], pipe) == .accepted)
        mock.send([9])
        #expect(try harness.run { !log.ends.isEmpty })
        #expect(log.ends == [.notTaken(endpoint: 0x01)] && log.sent == 0 && log.bytes == [9])
        #expect(log.send([1], pipe) == .ended)
        try harness.close(pipe)
        #expect(try harness.run { mock.opens == 0 })
    }

    @Test func aPacketThatIsTooLargeEndsIt() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug(Self.headUnit)
        var settings = USBPipeSettings()
        settings.readLength = 512
        let (pipe, log) = try harness.pipe(mock, settings)
        mock.send([1, 2])
        mock.send(packet: pattern(513))
        #expect(try harness.run { !log.ends.isEmpty })
        #expect(log.ends == [.overflow(endpoint: 0x81)])
        #expect(log.bytes.starts(with: [1, 2]))
        try harness.close(pipe)
    }

    @Test func nothingIsToldAfterClosing() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug(Self.headUnit)
        let (pipe, log) = try harness.pipe(mock)
        for _ in 0..<8 { mock.send([1]) }
        pipe.received = { _ in
            log.received.append([1])
            pipe.close()
        }
        #expect(try harness.run { mock.opens == 0 })
        #expect(log.received.count == 1 && log.ends.isEmpty && pipe.send([1]) == .ended)
        #expect(harness.context.transfersInFlight == 0 && harness.context.openDevices == 0)
    }

    @Test func aPipeThatIsForgottenIsClosed() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug(Self.headUnit)
        do { _ = try harness.openPipe(mock).get() }
        #expect(try harness.run { mock.opens == 0 })
        #expect(harness.context.transfersInFlight == 0)
    }

    // MARK: Trouble

    @Test(arguments: [0, 512, 1_024])
    func aStallOfOutputIsClearedAndNothingIsSentTwice(after: Int) throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug(Self.headUnit)
        let (pipe, log) = try harness.pipe(mock)
        mock.halt(0x01, after: after)
        #expect(log.send(pattern(2_000), pipe) == .accepted)
        #expect(log.send([7], pipe) == .accepted)
        #expect(try harness.run { log.sent == 2_001 })
        #expect(mock.received.flatMap { $0 } == pattern(2_000) + [7])
        #expect(mock.deeds == [.clearHalt(0x01, transfersWait: false)])
        #expect(pipe.recoveries == 1 && log.ends.isEmpty)
        try harness.close(pipe)
    }

    @Test func aStallOfInputIsClearedWithNothingWaiting() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug(Self.headUnit)
        let (pipe, log) = try harness.pipe(mock)
        // One full packet is in a read that the halt then ends.
        mock.send(pattern(512), ending: false)
        mock.halt(0x81)
        mock.send([5, 6])
        #expect(try harness.run { log.bytes.count == 514 })
        #expect(log.bytes == pattern(512) + [5, 6])
        #expect(mock.deeds == [.clearHalt(0x81, transfersWait: false)])
        #expect(mock.transfersWaiting == 4 && log.ends.isEmpty)
        try harness.close(pipe)
    }

    @Test(arguments: [0x81, 0x01] as [UInt8])
    func anEndpointThatStallsForEverEndsIt(endpoint: UInt8) throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        var behaviour = USBBehaviour()
        behaviour.haltsAgain = true
        let mock = try testbed.plug(Self.headUnit, behaviour: behaviour)
        let (pipe, log) = try harness.pipe(mock)
        mock.halt(endpoint)
        _ = log.send([1], pipe)
        #expect(try harness.run { !log.ends.isEmpty })
        #expect(log.ends == [.stalled(endpoint: endpoint)])
        #expect(mock.deeds.count == 3, "cleared three times, not more")
        try harness.close(pipe)
    }

    /// The kernel's call would keep the device's lock, and with it the loop, for 5 s.
    @Test(arguments: [0x81, 0x01] as [UInt8], [USBBehaviour.Answer.never, .stall])
    func aHaltThatTheDeviceDoesNotClearEndsItWithoutTheKernelsCall(
        endpoint: UInt8, answer: USBBehaviour.Answer
    ) throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug(Self.headUnit)
        var settings = USBPipeSettings()
        settings.controlTime = 20_000_000
        let (pipe, log) = try harness.pipe(mock, settings)
        mock.behaviour.answers[1] = answer
        mock.halt(endpoint)
        _ = log.send([1], pipe)
        #expect(try harness.run { !log.ends.isEmpty })
        #expect(log.ends == [answer == .stall ? .stalled(endpoint: endpoint) : .silent(step: "clear a halt")])
        #expect(mock.deeds.isEmpty)
        try harness.close(pipe)
    }

    @Test(arguments: [0x81, 0x01] as [UInt8])
    func aTransferErrorIsTriedAgain(endpoint: UInt8) throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug(Self.headUnit)
        var settings = USBPipeSettings()
        settings.errorPause = 5_000_000
        let (pipe, log) = try harness.pipe(mock, settings)
        mock.fail(endpoint, with: [EPROTO])
        mock.send([4, 5])
        #expect(log.send([1, 2, 3], pipe) == .accepted)
        #expect(try harness.run { log.bytes == [4, 5] && log.sent == 3 })
        #expect(log.ends.isEmpty && pipe.recoveries == 1 && mock.deeds.isEmpty)
        try harness.close(pipe)
    }

    @Test(arguments: [0x81, 0x01] as [UInt8])
    func transfersThatAlwaysFailEndIt(endpoint: UInt8) throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug(Self.headUnit)
        var settings = USBPipeSettings()
        settings.errorPause = 1_000_000
        let (pipe, log) = try harness.pipe(mock, settings)
        mock.fail(endpoint, with: [Int32](repeating: EILSEQ, count: 64))
        _ = log.send([1], pipe)
        #expect(try harness.run { !log.ends.isEmpty })
        #expect(log.ends == [.transferErrors(endpoint: endpoint)])
        try harness.close(pipe)
    }

    @Test func anEndlessPipeCostsNoTurns() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug(Self.headUnit)
        let (pipe, _) = try harness.pipe(mock)
        try harness.run(for: 20_000_000)
        let calls = mock.calls
        try harness.run(for: 100_000_000)
        #expect(mock.calls == calls)
        try harness.close(pipe)
    }
}
