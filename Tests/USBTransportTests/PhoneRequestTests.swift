import DeviceTestKit
import Glibc
import LinuxIO
import RigModel
import Testing

@testable import USBTransport

@Suite struct AppleAnswerTests {
    @Test func modes() {
        #expect(AppleMode([3, 3, 3, 0])?.isInitial == true)
        #expect(AppleMode([5, 3, 3, 0])?.isInitial == false)
        #expect(AppleMode([3, 3, 3]) == nil && AppleMode([3, 3, 3, 0, 0]) == nil)
    }

    @Test func capabilities() {
        #expect(AppleCapabilities([1, 0, 0, 0])?.isCarPlayCapable == true)
        #expect(AppleCapabilities([0, 0, 0, 0])?.isCarPlayCapable == false)
        #expect(AppleCapabilities([0xFE, 0xFF, 0xFF, 0xFF])?.isCarPlayCapable == false)
        #expect(AppleCapabilities([1, 2, 3, 4])?.bits == 0x0403_0201)
        #expect(AppleCapabilities([]) == nil && AppleCapabilities([1, 0, 0]) == nil)
    }

    /// §6.4 of the vectors: the setup packets.
    @Test func requests() {
        #expect(AppleRequest.mode == USBControlRequest(type: 0xC0, request: 0x45))
        #expect(AppleRequest.capabilities == USBControlRequest(type: 0xC0, request: 0x53))
        #expect(AppleRequest.roleSwitch(carPlay: true) == USBControlRequest(type: 0x40, request: 0x51, value: 1))
        #expect(AppleRequest.roleSwitch(carPlay: false) == USBControlRequest(type: 0x40, request: 0x51))
    }
}

@Suite(.serialized, .enabled(if: DeviceTestbed.isAvailable, Comment(rawValue: DeviceTestbed.skipReason)))
struct PhoneRequestTests {
    // MARK: Apple

    @Test func probesAreAnsweredBeforeAConfigurationIsSelected() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        var behaviour = USBBehaviour()
        behaviour.appleMode = [3, 3, 3, 0]
        behaviour.appleCapabilities = [1, 0, 0, 0]
        let mock = try testbed.plug(try DeviceFixture.load("iphone-12a8").configured(0), behaviour: behaviour)
        let handle = try harness.open(mock)
        let mode = try harness.finish { handle.appleMode(completion: $0) }
        #expect(mode.value?.isInitial == true)
        let capabilities = try harness.finish { handle.appleCapabilities(completion: $0) }
        #expect(capabilities.value?.isCarPlayCapable == true)
        #expect(mock.deeds.isEmpty && mock.requests.suffix(2).map(\.request) == [0x45, 0x53])
        try harness.close(handle)
    }

    @Test func probesThatFailSayHow() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug("iphone-12a8")
        let handle = try harness.open(mock)
        #expect(try harness.finish { handle.appleMode(completion: $0) } == .stalled)
        mock.behaviour.appleMode = [3, 3]
        #expect(
            try harness.finish { handle.appleMode(completion: $0) } == .failed(USBFailure("get mode", "SHORT_ANSWER")))
        mock.behaviour.answers[0x53] = .never
        #expect(try harness.finish { handle.appleCapabilities(timeout: 20_000_000, completion: $0) } == .timedOut)
        try harness.close(handle)
    }

    @Test func theRoleSwitchIsTakenOrRefused() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug("iphone-12a8")
        let handle = try harness.open(mock)
        #expect(try harness.finish { handle.appleRoleSwitch(completion: $0) } == .stalled)
        mock.behaviour.takesRoleSwitch = true
        #expect(try harness.finish { handle.appleRoleSwitch(completion: $0) } == .ok(true))
        mock.behaviour.answers[0x51] = .error(ENODEV)
        #expect(try harness.finish { handle.appleRoleSwitch(completion: $0) } == .ok(true), "it left at once")
        try harness.close(handle)
    }

    // MARK: Android

    private func start(
        _ harness: TransportHarness, _ mock: USBMock
    ) throws -> Result<UInt16, AccessoryModeExchange.Failure> {
        let handle = try harness.open(mock)
        let strings = try AccessoryModeExchangeTests.strings()
        let result = try harness.finish {
            handle.startAccessoryMode(strings, timeout: 50_000_000, completion: $0)
        }
        try harness.close(handle)
        return result
    }

    @Test func aPhoneBecomesAnAccessoryAndIsSpokenTo() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        var behaviour = USBBehaviour()
        behaviour.accessoryProtocol = 2
        let phone = try testbed.plug("pixel-mtp-4ee1", behaviour: behaviour)
        #expect(try start(harness, phone) == .success(2))
        #expect(phone.requests.suffix(8).map(\.request) == [51, 52, 52, 52, 52, 52, 52, 53])
        #expect(phone.sentStrings == ["Android", "Android Auto", "Ü", "2.0.1", "", "HU-1"])
        testbed.unplug(phone)
        let accessory = try testbed.plug("aoa-adb-2d01")
        accessory.attach { input, _ in USBMock.PeerTurn(output: input.map { $0.reversed() }) }
        var settings = USBPipeSettings()
        settings.drain = USBDrain()
        let (pipe, log) = try harness.pipe(accessory, settings)
        #expect(log.send([1, 2, 3], pipe) == .accepted)
        #expect(try harness.run { log.bytes == [3, 2, 1] })
        try harness.close(pipe)
    }

    @Test func aPhoneThatRefusesSaysWhere() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug("pixel-mtp-4ee1")
        #expect(try start(harness, mock) == .failure(.notSupported))
        mock.behaviour.accessoryProtocol = 0
        #expect(try start(harness, mock) == .failure(.notSupported))
        mock.behaviour.accessoryProtocol = 2
        mock.behaviour.answers[52] = .stall
        #expect(try start(harness, mock) == .failure(.refused(.string(.manufacturer))))
        mock.behaviour.answers[52] = .never
        #expect(try start(harness, mock) == .failure(.silent(.string(.manufacturer))))
        mock.behaviour.answers[52] = nil
        mock.behaviour.answers[53] = .stall
        #expect(try start(harness, mock) == .failure(.refused(.start)))
        mock.behaviour.answers[53] = .error(ENODEV)
        #expect(try start(harness, mock) == .success(2), "it left before it acknowledged")
        mock.behaviour.answers[51] = .error(ENODEV)
        #expect(try start(harness, mock) == .failure(.gone(.protocolQuery)))
    }
}
