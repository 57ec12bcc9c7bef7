import DeviceMonitor
import DeviceTestKit
import LinuxIO
import RigModel
import Testing

@Suite(.serialized, .enabled(if: DeviceTestbed.isAvailable, Comment(rawValue: DeviceTestbed.skipReason)))
struct DeviceMonitorTests {
    @Test func aPlugIsSeenWholeAndAnUnplugOnce() throws {
        let testbed = try DeviceTestbed()
        let harness = try MonitorHarness()
        try harness.monitor.start()
        #expect(try harness.run(until: \.isEnumerated))
        let phone = try testbed.plug("iphone-12a8", serial: "ABC0001")
        #expect(try harness.run { $0.added.count == 1 && $0.isIdle })
        let device = try #require(harness.added.first)
        #expect(device.category == .usbDevice)
        #expect(device.syspath == phone.syspath)
        #expect(device.node == phone.node)
        #expect(device.access == .granted)
        #expect(device.identity.usbAddress == USBAddress(bus: 1, device: 2))
        let usb = try #require(device.usb)
        #expect(usb.vendor == 0x05AC && usb.product == 0x12A8 && usb.release == 0x1006)
        #expect(usb.manufacturer == "Apple Inc." && usb.model == "iPhone" && usb.serial == "ABC0001")
        #expect(usb.port == "1-1" && usb.speed == .high && usb.activeConfiguration == 4)
        #expect(usb.configurations.map(\.value) == [1, 2, 3, 4])
        #expect(
            usb.configurations.last?.interfaces.contains { $0.function == USBClass(255, 254, 2) && $0.bulkPair != nil }
                == true)
        testbed.unplug(phone)
        #expect(try harness.run { $0.removed.count == 1 })
        try harness.run(for: 100_000_000)
        #expect(harness.added.count == 1 && harness.removed.map(\.instance) == [device.instance])
    }
}
