import DeviceTestKit
import Glibc
import LinuxIO
import RigModel
import Testing

@testable import USBTransport

@Suite(.serialized, .enabled(if: DeviceTestbed.isAvailable, Comment(rawValue: DeviceTestbed.skipReason)))
struct USBPipeOpeningTests {
    private static var unconfigured: DeviceFixture {
        get throws { try DeviceFixture.load(USBPipeTests.headUnit).configured(0) }
    }

    private func failure(_ result: Result<USBPipe, USBPipeFailure>) -> USBPipeFailure? {
        if case .failure(let failure) = result { return failure }
        return nil
    }

    // MARK: Configuration

    @Test func aConfigurationIsWaitedFor() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug(try Self.unconfigured)
        let handle = try harness.open(mock)
        #expect(handle.description.activeConfiguration == nil)
        var settings = USBPipeSettings()
        settings.configurationInterval = 60_000_000_000
        let result = Answer<Result<USBPipe, USBPipeFailure>>()
        let opening = USBPipeOpening(handle, try harness.interface(handle), settings: settings) { result.value = $0 }
        #expect(try harness.run { mock.requests.last?.request == 8 })
        opening.configurationMayHaveChanged()
        try harness.run(for: 10_000_000)
        #expect(result.value == nil)
        mock.configuration = 1
        opening.configurationMayHaveChanged()
        #expect(try harness.run { result.value != nil })
        try harness.close(try #require(result.value).get())
        #expect(mock.deeds.isEmpty, "the rig selected nothing")
    }

    @Test func aConfigurationThatNeverComesIsGivenUp() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug(try Self.unconfigured)
        var settings = USBPipeSettings()
        settings.configurationInterval = 1_000_000
        settings.configurationTries = 4
        #expect(failure(try harness.openPipe(mock, settings)) == .notConfigured(tries: 4))
        #expect(try harness.run { mock.opens == 0 })
    }

    @Test func aConfigurationIsSelectedWhereThatIsAllowed() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug(try Self.unconfigured)
        var settings = USBPipeSettings()
        settings.setsConfiguration = true
        let (pipe, log) = try harness.pipe(mock, settings)
        #expect(mock.deeds == [.setConfiguration(1)] && mock.configuration == 1)
        #expect(log.send([1], pipe) == .accepted)
        #expect(try harness.run { log.sent == 1 })
        try harness.close(pipe)
    }

    @Test func anotherConfigurationIsLeftAlone() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug(USBPipeTests.headUnit)
        mock.configuration = 3
        #expect(failure(try harness.openPipe(mock)) == .otherConfiguration(active: 3, needed: 1))
        #expect(mock.deeds.isEmpty)
    }

    @Test func aWaitCanBeCalledOff() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug(try Self.unconfigured)
        let handle = try harness.open(mock)
        let result = Answer<Bool>()
        let opening = USBPipeOpening(handle, try harness.interface(handle)) { _ in result.count += 1 }
        try harness.run(for: 5_000_000)
        opening.cancel()
        #expect(try harness.run { mock.opens == 0 })
        #expect(result.count == 0)
    }

    // MARK: Claim

    @Test func whoeverHoldsTheInterfaceIsNamed() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        var behaviour = USBBehaviour()
        behaviour.claim = .busy(driver: "cdc_ncm")
        let mock = try testbed.plug(USBPipeTests.headUnit, behaviour: behaviour)
        #expect(failure(try harness.openPipe(mock)) == .busy(USBHolder(driver: "cdc_ncm")))
        var settings = USBPipeSettings()
        settings.detachesDriver = true
        try harness.close(try harness.pipe(mock, settings).pipe)
        #expect(mock.deeds == [.detachDriver(0)])
        mock.behaviour.claim = .busy(driver: "usbfs")
        #expect(failure(try harness.openPipe(mock, settings)) == .busy(USBHolder(driver: "usbfs")))
        #expect(try harness.run { mock.opens == 0 })
    }

    @Test func aClaimThatHangsIsStuck() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        var behaviour = USBBehaviour()
        behaviour.claim = .hangs
        let mock = try testbed.plug(USBPipeTests.headUnit, behaviour: behaviour)
        #expect(failure(try harness.openPipe(mock)) == .stuck)
        mock.releaseHangs()
        try harness.run(for: 20_000_000)
    }

    @Test func aDeviceThatIsSilentOrGoneSaysSo() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug(USBPipeTests.headUnit)
        var settings = USBPipeSettings()
        settings.controlTime = 20_000_000
        mock.behaviour.answers[8] = .never
        #expect(
            failure(try harness.openPipe(mock, settings)) == .silent(step: "which configuration is selected"))
        // A device that refuses the question is claimed all the same.
        mock.behaviour.answers[8] = .stall
        try harness.close(try harness.pipe(mock, settings).pipe)
        mock.behaviour.answers[8] = .error(ENODEV)
        #expect(failure(try harness.openPipe(mock, settings)) == .gone)
    }

    // MARK: Drain

    @Test func staleBytesAreThrownAway() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug("aoa-adb-2d01")
        mock.send(pattern(700))
        mock.send([1, 2, 3])
        var settings = USBPipeSettings()
        settings.drain = USBDrain()
        let (pipe, log) = try harness.pipe(mock, settings)
        #expect(pipe.drainedBytes == 703)
        mock.send([4])
        #expect(try harness.run { log.bytes == [4] })
        try harness.close(pipe)
    }

    @Test func aDrainEndsWhateverComes() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug("aoa-2d00")
        // It never falls quiet: a byte each millisecond, until unplug.
        mock.attach { _, now in USBMock.PeerTurn(output: [[9]], deadline: now + 1_000_000) }
        var settings = USBPipeSettings()
        settings.drain = USBDrain()
        settings.drain?.time = 50_000_000
        let first = try harness.pipe(mock, settings)
        #expect(first.pipe.drainedBytes > 0)
        try harness.close(first.pipe)
        settings.drain?.time = 60_000_000_000
        settings.drain?.quietTime = 60_000_000_000
        settings.drain?.bytes = 20
        let second = try harness.pipe(mock, settings)
        #expect(second.pipe.drainedBytes >= 20)
        #expect(try harness.run { !second.log.bytes.isEmpty }, "what comes after the drain is taken")
        try harness.close(second.pipe)
    }
}
