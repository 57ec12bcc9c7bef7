import DeviceTestKit
import LinuxIO
import RigModel
import Testing

@testable import USBTransport

@Suite(.serialized, .enabled(if: DeviceTestbed.isAvailable, Comment(rawValue: DeviceTestbed.skipReason)))
struct USBPipeUnplugTests {
    /// Where the transfers are when the cable is pulled.
    enum Moment: CaseIterable {
        case idle, reading, halfRead, writing, halfWritten, both, inputStalled, outputStalled, clearing, erring, cut
        case draining, closing
    }

    @Test func unplugInEveryState200Times() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        testbed.whileListenersAreBusy = {}
        let moments = Moment.allCases
        for round in 0..<200 {
            let moment = moments[round % moments.count]
            let mock = try testbed.plug(USBPipeTests.headUnit, arrival: Self.quickly)
            try unplug(at: moment, testbed, harness, mock, "round \(round), \(moment)")
            #expect(try harness.run { mock.opens == 0 }, "round \(round), \(moment): the node is given back")
        }
        #expect(harness.context.openDevices == 0 && harness.context.transfersInFlight == 0)
        #expect(harness.jobs.stuckThreads == 0)
    }

    private static var quickly: DeviceTestbed.Arrival {
        var arrival = DeviceTestbed.Arrival()
        arrival.bind = false
        return arrival
    }

    private func unplug(
        at moment: Moment, _ testbed: DeviceTestbed, _ harness: TransportHarness, _ mock: USBMock,
        _ comment: Comment
    ) throws {
        var settings = USBPipeSettings()
        settings.errorPause = 1_000_000
        if moment == .draining {
            settings.drain = USBDrain()
            let handle = try harness.open(mock)
            let outcome = Answer<Result<USBPipe, USBPipeFailure>>()
            let opening = USBPipeOpening(handle, try harness.interface(handle), settings: settings) {
                outcome.value = $0
                outcome.count += 1
            }
            #expect(try harness.run { mock.transfersWaiting == 4 }, comment)
            testbed.unplug(mock, quietly: true)
            #expect(try harness.run { outcome.value != nil }, comment)
            guard case .failure(.gone) = outcome.value else {
                Issue.record("\(comment): not gone but \(String(describing: outcome.value))")
                return
            }
            opening.cancel()
            #expect(outcome.count == 1, comment)
            return
        }
        let (pipe, log) = try harness.pipe(mock, settings)
        var expected: [UInt8] = []
        switch moment {
        case .idle, .draining: break
        case .reading:
            // One for each read; what the kernel has not got when the cable is pulled stays in the device.
            for _ in 0..<4 { mock.send([1, 2, 3]) }
            expected = [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3]
        case .halfRead:
            mock.send(pattern(512), ending: false)
            expected = pattern(512)
        case .writing:
            mock.takeOutput(false)
            for _ in 0..<8 { #expect(log.send(pattern(700), pipe) == .accepted) }
        case .halfWritten:
            for _ in 0..<8 { #expect(log.send(pattern(20_000), pipe) == .accepted) }
            #expect(try harness.run { log.sent > 0 })
        case .both:
            mock.send([9])
            expected = [9]
            for _ in 0..<8 { #expect(log.send(pattern(20_000), pipe) == .accepted) }
        case .inputStalled: mock.halt(0x81)
        case .outputStalled:
            mock.halt(0x01, after: 512)
            #expect(log.send(pattern(700), pipe) == .accepted)
        case .clearing:
            mock.behaviour.haltsAgain = true
            mock.halt(0x81)
            #expect(try harness.run { !mock.deeds.isEmpty })
        case .erring:
            mock.fail(0x81, with: [71])
            #expect(try harness.run { pipe.recoveries > 0 })
        case .cut: mock.cutCable()
        case .closing:
            let closed = Answer<USBCloseOutcome>()
            pipe.close { closed.value = $0 }
            testbed.unplug(mock, quietly: true)
            #expect(try harness.run { closed.value != nil }, comment)
            #expect(closed.value == .closed && log.ends.isEmpty, comment)
            return
        }
        testbed.unplug(mock, quietly: true)
        #expect(try harness.run { !log.ends.isEmpty }, comment)
        if moment == .clearing {
            // It may have stalled once too often before.
            #expect(log.ends == [.gone] || log.ends == [.stalled(endpoint: 0x81)], comment)
        } else {
            #expect(log.ends == [.gone], comment)
        }
        #expect(log.bytes == expected, comment)
        #expect(log.send([1], pipe) == .ended, comment)
        try harness.close(pipe)
        #expect(log.ends.count == 1, comment)
    }

    @Test func aTransferThatNeverComesBackDoesNotHoldTheEndUpForEver() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        var behaviour = USBBehaviour()
        behaviour.cancelReturns = false
        behaviour.takesOutput = false
        let mock = try testbed.plug(USBPipeTests.headUnit, behaviour: behaviour)
        var settings = USBPipeSettings()
        settings.writeTime = 20_000_000
        let (pipe, log) = try harness.pipe(mock, settings)
        #expect(log.send([1], pipe) == .accepted)
        let beats = harness.beats
        #expect(try harness.run { !log.ends.isEmpty })
        #expect(log.ends == [.stuck])
        #expect(harness.beats - beats >= 5, "the loop turned meanwhile")
        mock.releaseHangs()
        try harness.run(for: 20_000_000)
    }
}
