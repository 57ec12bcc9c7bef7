import DeviceMonitor
import DeviceTestKit
import Glibc
import LinuxIO
import RigModel
import Testing

@Suite(.serialized, .enabled(if: DeviceTestbed.isAvailable, Comment(rawValue: DeviceTestbed.skipReason)))
struct DeviceMonitorTests {
    // MARK: What is seen

    @Test func aPlugIsSeenWholeAndAnUnplugOnce() throws {
        let testbed = try DeviceTestbed()
        let harness = try MonitorHarness()
        harness.serve(testbed)
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
        let multiplexer = usb.configurations.last?.interfaces.first { $0.function == USBClass(255, 254, 2) }
        #expect(multiplexer?.bulkPair != nil)
        testbed.unplug(phone)
        #expect(try harness.run { $0.removed.count == 1 })
        try harness.run(for: 100_000_000)
        #expect(harness.added.count == 1 && harness.removed.map(\.instance) == [device.instance])
    }

    @Test func everyFixtureIsDescribed() throws {
        let testbed = try DeviceTestbed()
        let harness = try MonitorHarness()
        harness.serve(testbed)
        try harness.monitor.start()
        let names = try DeviceFixture.names()
        #expect(names.count >= 7)
        for (index, name) in names.enumerated() {
            try testbed.plug(name, port: "1-\(index + 1)")
        }
        #expect(try harness.run { $0.added.count == names.count })
        let ids = harness.added.compactMap(\.usb).map { UInt32($0.vendor) << 16 | UInt32($0.product) }
        for id: UInt32 in [0x05AC_12A8, 0x18D1_4EE1, 0x18D1_2D00, 0x18D1_2D01, 0x1314_1520, 0x1314_1521] {
            #expect(ids.contains(id))
        }
        #expect(harness.added.allSatisfy { $0.usb?.activeConfiguration != nil && $0.usb?.serial.isEmpty == false })
        #expect(Set(harness.added.map { $0.usb?.port }).count == names.count)
    }

    @Test func inputNodesAreDescribedBySysfs() throws {
        let testbed = try DeviceTestbed()
        let harness = try MonitorHarness()
        harness.serve(testbed)
        try harness.monitor.start()
        let profiles: [EvdevProfile] = [.powerMate, .wheelEncoder, .mouse, .keyboard]
        let mocks = try profiles.map { try testbed.addInput($0) }
        #expect(try harness.run { $0.added.count == profiles.count })
        for (mock, profile) in zip(mocks, profiles) {
            let device = try #require(harness.added.first { $0.syspath == mock.syspath })
            #expect(device.node == mock.node && device.category == .inputNode && device.usb == nil)
            #expect(
                device.input
                    == InputDeviceDescription(
                        bus: profile.id.bus, vendor: profile.id.vendor, product: profile.id.product,
                        version: profile.id.version, name: profile.name, phys: "mock/input0",
                        ev: device.input?.ev ?? [], key: profile.keys, rel: profile.relative))
            #expect(device.input?.ev.contains(0) == true)
        }
        for mock in mocks { testbed.remove(mock) }
        #expect(try harness.run { $0.removed.count == profiles.count })
        #expect(harness.added.count == profiles.count)
    }

    // MARK: Once, whatever happens

    @Test func twentyReplugsAreTwentyPlugs() throws {
        let testbed = try DeviceTestbed()
        let harness = try MonitorHarness()
        harness.serve(testbed)
        try harness.monitor.start()
        for round in 1...20 {
            let phone = try testbed.plug("pixel-mtp-4ee1")
            // Every third plug is pulled before anybody has looked at it.
            if round % 3 != 0 { #expect(try harness.run { $0.added.last?.node == phone.node }) }
            testbed.unplug(phone)
            try harness.run(for: 10_000_000)
        }
        #expect(try harness.run { $0.added.count == $0.removed.count && $0.isIdle })
        #expect(harness.added.map(\.instance) == harness.removed.map(\.instance))
        #expect(harness.added.count >= 14)
        #expect(harness.monitor.devices.isEmpty)
    }

    @Test func aPhoneLeftInIsFoundOnceByEveryStart() throws {
        let testbed = try DeviceTestbed()
        try testbed.plug("iphone-12a8")
        let knob = try testbed.addKnob()
        for _ in 0..<50 {
            let harness = try MonitorHarness()
            harness.serve(testbed)
            try harness.monitor.start()
            #expect(try harness.run { $0.isEnumerated && $0.added.count == 2 && $0.isIdle })
            #expect(harness.added.contains { $0.node == knob.node })
            harness.monitor.stop()
        }
    }

    @Test func aPlugDuringTheStartIsFoundOnce() throws {
        let testbed = try DeviceTestbed()
        for round in 0..<20 {
            let harness = try MonitorHarness()
            harness.serve(testbed)
            try harness.monitor.start()
            // The listing runs on a thread; the plug falls before, into or behind it.
            if round % 4 != 0 { usleep(UInt32(round * 137)) }
            let phone = try testbed.plug("aoa-2d00")
            #expect(try harness.run { $0.isEnumerated && $0.added.count == 1 && $0.isIdle })
            try harness.run(for: 10_000_000)
            testbed.unplug(phone)
            #expect(try harness.run { $0.removed.count == 1 })
            #expect(harness.added.count == 1, "round \(round)")
            harness.monitor.stop()
        }
    }

    @Test func anUnplugDuringTheStartLeavesNothing() throws {
        let testbed = try DeviceTestbed()
        for round in 0..<20 {
            let phone = try testbed.plug("aoa-2d00")
            let harness = try MonitorHarness()
            harness.serve(testbed)
            try harness.monitor.start()
            if round % 4 != 0 { usleep(UInt32(round * 137)) }
            testbed.unplug(phone)
            #expect(try harness.run { $0.isEnumerated && $0.isIdle && $0.added.count == $0.removed.count })
            try harness.run(for: 10_000_000)
            #expect(harness.added.count == harness.removed.count && harness.monitor.devices.isEmpty, "round \(round)")
            harness.monitor.stop()
        }
    }

    @Test func addBindChangeBindIsOnePlug() throws {
        let testbed = try DeviceTestbed()
        let harness = try MonitorHarness()
        harness.serve(testbed)
        try harness.monitor.start()
        #expect(try harness.run(until: \.isEnumerated))
        let phone = try testbed.plug("iphone-12a8")
        for action in ["bind", "change", "bind", "add", "change"] { testbed.uevent(phone.syspath, action) }
        #expect(try harness.run { $0.added.count == 1 && $0.isIdle })
        try harness.run(for: 50_000_000)
        #expect(harness.added.count == 1 && harness.removed.isEmpty)
        testbed.uevent(phone.syspath, "unbind")
        #expect(try harness.run { $0.changes.contains { if case .unbound = $0 { true } else { false } } })
        #expect(harness.removed.isEmpty, "unbound is not gone")
        testbed.setProperty(phone.syspath, "ID_DASHRIG", "1")
        testbed.uevent(phone.syspath, "change")
        #expect(
            try harness.run { harness in
                harness.changes.contains { change in
                    if case .changed(let device) = change { device.properties["ID_DASHRIG"] == "1" } else { false }
                }
            })
    }

    // MARK: Incomplete devices

    @Test(arguments: [0, 50, 500, 2_000] as [UInt64])
    func attributesThatComeLateAreWaitedFor(milliseconds: UInt64) throws {
        let testbed = try DeviceTestbed()
        let harness = try MonitorHarness()
        harness.serve(testbed)
        try harness.monitor.start()
        var arrival = DeviceTestbed.Arrival()
        arrival.hasDescriptors = false
        arrival.hasNode = false
        let phone = try testbed.plug("iphone-12a8", arrival: arrival)
        try harness.run(for: milliseconds * 1_000_000)
        #expect(harness.added.isEmpty)
        if milliseconds >= 50 { #expect(harness.monitor.pending.map(\.syspath) == [phone.syspath]) }
        testbed.completeDescriptors(phone)
        phone.revealNode()
        // No event tells of it.
        let start = SystemClock.monotonicNow()
        #expect(try harness.run { $0.added.count == 1 })
        #expect(SystemClock.monotonicNow() - start < 4_000_000_000)
        #expect(harness.added.first?.usb?.configurations.count == 4)
        #expect(harness.monitor.pending.isEmpty)
        let told = harness.changes.contains { if case .incomplete = $0 { true } else { false } }
        #expect(told == (milliseconds > 1_000), "permissions that come half a second late are normal")
    }

    // MARK: Lost events

    @Test func whatNoEventToldIsFoundByARescan() throws {
        let testbed = try DeviceTestbed()
        let harness = try MonitorHarness()
        harness.serve(testbed)
        try harness.monitor.start()
        let first = try testbed.plug("iphone-12a8")
        let second = try testbed.plug("aoa-2d00", port: "1-2")
        #expect(try harness.run { $0.added.count == 2 && $0.isIdle })
        testbed.unplug(first, quietly: true)
        testbed.unplug(second, quietly: true)
        try harness.run(for: 150_000_000)
        #expect(harness.removed.isEmpty)
        harness.monitor.resynchronize()
        #expect(try harness.run { $0.removed.count == 2 })
        let resync = try #require(harness.changes.firstIndex(of: .resynchronized(.requested)))
        let removal = try #require(
            harness.changes.firstIndex { if case .removed(_, .vanished) = $0 { true } else { false } })
        #expect(resync < removal, "the reason comes before what follows from it")
        let third = try testbed.plug("carlinkit-1314-1520")
        #expect(try harness.run { $0.added.count == 3 }, "the monitor hears again")
        #expect(harness.added.last?.node == third.node)
    }

    // MARK: The handler

    @Test func theHandlerMayStopTheMonitor() throws {
        let testbed = try DeviceTestbed()
        let loop = try EventLoop()
        let jobs = try JobPool(loop: loop)
        var calls = 0
        var monitor: DeviceMonitor?
        monitor = DeviceMonitor(loop: loop, jobs: jobs) { change in
            if case .added = change {
                calls += 1
                monitor?.resynchronize()
                monitor?.stop()
                monitor = nil
            }
        }
        testbed.whileListenersAreBusy = { _ = try? loop.run(until: SystemClock.monotonicNow() + 1_000_000) }
        try monitor?.start()
        for index in 1...4 { try testbed.plug("aoa-2d00", port: "1-\(index)") }
        let limit = SystemClock.monotonicNow() + 1_000_000_000
        while monitor != nil && SystemClock.monotonicNow() < limit {
            try loop.run(until: SystemClock.monotonicNow() + 5_000_000)
        }
        try loop.run(until: SystemClock.monotonicNow() + 50_000_000)
        #expect(calls == 1)
        jobs.shutDown()
    }

    @Test func aQuietBusCostsNoTurns() throws {
        let testbed = try DeviceTestbed()
        let harness = try MonitorHarness()
        harness.serve(testbed)
        try harness.monitor.start()
        try testbed.plug("iphone-12a8")
        #expect(try harness.run { $0.added.count == 1 && $0.isIdle })
        try harness.run(for: 100_000_000)
        #expect(harness.monitor.nextDeadline == nil)
        var turns = 0
        harness.loop.beforeWait = { turns += 1 }
        try harness.run(for: 200_000_000)
        #expect(turns < 5)
    }
}
