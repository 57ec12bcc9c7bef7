import DeviceTestKit
import Glibc
import LinuxIO
import RigModel
import Testing

@testable import USBTransport

@Suite(.serialized, .enabled(if: DeviceTestbed.isAvailable, Comment(rawValue: DeviceTestbed.skipReason)))
struct USBTransportTests {
    // MARK: Opening

    @Test func openingReadsTheDescriptors() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        for name in try DeviceFixture.names() {
            let mock = try testbed.plug(name)
            let handle = try harness.open(mock)
            let description = handle.description
            let sysfs = try USBDescriptors.parse(try FileContents.read(mock.syspath + "/descriptors", limit: 65_536))
            #expect(description.vendor == sysfs.vendor && description.product == sysfs.product, "\(name)")
            #expect(description.release == sysfs.release)
            #expect(description.configurations == sysfs.configurations, "\(name)")
            #expect(description.activeConfiguration == sysfs.configurations.last?.value)
            #expect(description.speed == .high)
            try harness.close(handle)
            testbed.unplug(mock)
        }
        #expect(harness.context.openDevices == 0)
    }

    @Test func aNodeThatIsNotThereIsGone() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug("aoa-2d00")
        testbed.unplug(mock)
        let outcome = try harness.finish { harness.context.open(node: mock.node, key: 1, completion: $0) }
        #expect(outcome.isGone)
    }

    @Test func anotherDeviceAtTheNodeIsNotTheOneExpected() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug("aoa-2d00")
        for (vendor, product, release) in [
            (0x18D2, 0x2D00, 0x0510), (0x18D1, 0x2D01, 0x0510), (0x18D1, 0x2D00, 0x0511),
        ]
            as [(UInt16, UInt16, UInt16)]
        {
            let other = USBDeviceDescription(vendor: vendor, product: product, release: release, port: "1-1")
            let outcome = try harness.finish {
                harness.context.open(node: mock.node, key: 1, expected: other, completion: $0)
            }
            #expect(outcome.isGone)
            #expect(try harness.run { mock.opens == 0 })
        }
        let same = USBDeviceDescription(vendor: 0x18D1, product: 0x2D00, release: 0x0510, port: "1-1")
        let right = try harness.finish { harness.context.open(node: mock.node, key: 1, expected: same, completion: $0) }
        try harness.close(try #require(right.value))
    }

    @Test func anOpenThatHangsIsStuckAndTheLoopTurns() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        var behaviour = USBBehaviour()
        behaviour.openHangs = true
        let mock = try testbed.plug("iphone-12a8", behaviour: behaviour)
        let fine = try testbed.plug("aoa-2d00", port: "1-2")
        let before = harness.beats
        let start = SystemClock.monotonicNow()
        let outcome = try harness.finish {
            harness.context.open(node: mock.node, key: 1, within: 300_000_000, completion: $0)
        }
        #expect(outcome.isStuck)
        #expect(SystemClock.monotonicNow() - start >= 300_000_000)
        #expect(harness.beats - before >= 5, "the loop turned meanwhile")
        // The other device does not notice.
        let handle = try harness.open(fine, key: 2)
        try harness.close(handle)
        mock.releaseHangs()
        #expect(try harness.run { mock.opens == 0 }, "what came too late is given back")
    }

    @Test func anOpenThatReturnsTooLateIsGivenBack() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        var behaviour = USBBehaviour()
        behaviour.openHangs = true
        let mock = try testbed.plug("iphone-12a8", behaviour: behaviour)
        let outcome = try harness.finish {
            harness.context.open(node: mock.node, key: 1, within: 50_000_000, completion: $0)
        }
        #expect(outcome.isStuck && mock.opens == 1)
        mock.releaseHangs(succeeding: true)
        #expect(try harness.run { mock.opens == 0 && harness.jobs.stuckThreads == 0 })
        #expect(harness.context.openDevices == 0)
        // The key is free again.
        try harness.close(try harness.open(mock))
    }

    // MARK: Claims

    @Test func claimsAreGivenBackWithTheDevice() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug("aoa-adb-2d01")
        let handle = try harness.open(mock)
        for interface: UInt8 in [0, 1] {
            #expect(try harness.finish { handle.claim(interface: interface, completion: $0) } == .ok(true))
        }
        #expect(try harness.finish { handle.release(interface: 1, completion: $0) } == .ok(true))
        let second = try harness.open(mock, key: 2)
        let outcome = try harness.finish { second.claim(interface: 0, completion: $0) }
        guard case .busy(let holder) = outcome else {
            Issue.record("not busy but \(outcome)")
            return
        }
        #expect(holder?.driver == "usbfs")
        try harness.close(handle)
        #expect(try harness.run { mock.opens == 1 })
        #expect(try harness.finish { second.claim(interface: 0, completion: $0) } == .ok(true))
        try harness.close(second)
        #expect(try harness.run { mock.opens == 0 })
    }

    @Test func aBusyInterfaceSaysWho() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        var behaviour = USBBehaviour()
        behaviour.claim = .busy(driver: "usb-storage")
        let mock = try testbed.plug("pixel-mtp-4ee1", behaviour: behaviour)
        let handle = try harness.open(mock)
        let outcome = try harness.finish { handle.claim(interface: 0, completion: $0) }
        #expect(outcome == .busy(USBHolder(driver: "usb-storage")))
        mock.behaviour = USBBehaviour()
        #expect(try harness.finish { handle.claim(interface: 0, completion: $0) } == .ok(true))
        try harness.close(handle)
    }

    @Test func aClaimThatHangsMakesOnlyItsDeviceStuck() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        var behaviour = USBBehaviour()
        behaviour.claim = .hangs
        let mock = try testbed.plug("iphone-12a8", behaviour: behaviour)
        let fine = try testbed.plug("aoa-2d00", port: "1-2")
        let handle = try harness.open(mock, key: 1)
        let other = try harness.open(fine, key: 2)
        let before = harness.beats
        let stuck = Answer<USBOutcome<Bool>>()
        handle.claim(interface: 0, within: 400_000_000) { stuck.value = $0 }
        for _ in 0..<10 {
            let request = USBControlRequest(type: 0x80, request: 6, value: 0x0100)
            let answer = try harness.finish {
                other.control(request, length: 18, timeout: 1_000_000_000, completion: $0)
            }
            #expect(answer.value?.count == 18)
        }
        #expect(stuck.value == nil)
        #expect(try harness.run { stuck.value != nil })
        #expect(stuck.value == .stuck && handle.isStuck)
        #expect(harness.beats - before >= 5)
        #expect(try harness.finish { handle.claim(interface: 0, completion: $0) } == .stuck)
        let closing: USBCloseOutcome = try harness.finish { handle.close(completion: $0) }
        #expect(closing == .stuck)
        try harness.close(other)
        mock.releaseHangs()
        try harness.run(for: 50_000_000)
    }

    @Test func nothingOfAStuckDeviceIsTouched() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug("aoa-2d00")
        let handle = try harness.open(mock)
        let read = Answer<USBOutcome<[UInt8]>>()
        handle.bulk(endpoint: 0x81, length: 512, timeout: 60_000_000_000) { read.value = $0 }
        mock.behaviour.claim = .hangs
        #expect(try harness.finish { handle.claim(interface: 0, within: 50_000_000, completion: $0) } == .stuck)
        #expect(try harness.run { read.value != nil })
        #expect(read.value == .stuck)
        // Its data come, but asking for them would wait for the lock that the claim holds.
        mock.send([1])
        let (calls, before) = (mock.calls, harness.beats)
        try harness.run(for: 100_000_000)
        #expect(mock.calls == calls && harness.beats - before >= 5)
        mock.releaseHangs()
        try harness.run(for: 50_000_000)
    }

    @Test func closingWaitsForTheCallThatIsUnderWay() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug("aoa-2d00")
        let handle = try harness.open(mock)
        mock.behaviour.claim = .hangs
        var order: [String] = []
        handle.claim(interface: 0) { order.append("claim \($0)") }
        try harness.run(for: 20_000_000)
        handle.close { order.append("close \($0)") }
        try harness.run(for: 50_000_000)
        #expect(order.isEmpty && mock.opens == 1)
        mock.releaseHangs(succeeding: true)
        #expect(try harness.run { order.count == 2 })
        #expect(order == ["claim ok(true)", "close closed"])
    }

    @Test(arguments: [true, false])
    func aCallThatFindsTheDeviceGoneSaysSo(claiming: Bool) throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug("aoa-2d00")
        let handle = try harness.open(mock)
        let gone = Answer<Bool>()
        handle.onGone = { gone.count += 1 }
        testbed.unplug(mock)
        if claiming {
            #expect(try harness.finish { handle.claim(interface: 0, completion: $0) } == .gone)
        } else {
            let request = USBControlRequest(type: 0x80, request: 8)
            let answer = try harness.finish {
                handle.control(request, length: 1, timeout: 1_000_000_000, completion: $0)
            }
            #expect(answer == .gone)
        }
        #expect(try harness.run { gone.count == 1 })
        #expect(handle.isGone && !handle.isOpen)
        try harness.close(handle)
    }

    @Test func aResetThatHangsIsStuck() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug("aoa-2d00")
        let handle = try harness.open(mock)
        #expect(try harness.finish { handle.reset(completion: $0) } == .ok(true))
        #expect(try harness.finish { handle.clearHalt(endpoint: 0x81, completion: $0) } == .ok(true))
        mock.behaviour.resetReturns = false
        #expect(try harness.finish { handle.reset(within: 100_000_000, completion: $0) } == .stuck)
        mock.releaseHangs()
        try harness.run(for: 50_000_000)
    }

    // MARK: Transfers

    @Test func theDeviceSaysItsNames() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug("iphone-12a8", serial: "Zürich-Gerät-📱")
        let handle = try harness.open(mock)
        let strings = try harness.finish { handle.strings(completion: $0) }
        #expect(
            strings == .ok(USBStrings(manufacturer: "Apple Inc.", product: "iPhone", serial: "Zürich-Gerät-📱")))
        try harness.close(handle)
    }

    @Test func accessoryProtocolIsAskedFor() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        var behaviour = USBBehaviour()
        behaviour.accessoryProtocol = 2
        let mock = try testbed.plug("pixel-mtp-4ee1", behaviour: behaviour)
        let handle = try harness.open(mock)
        let request = USBControlRequest(type: 0xC0, request: 51)
        let version = try harness.finish { handle.control(request, length: 2, timeout: 1_000_000_000, completion: $0) }
        #expect(version == .ok([2, 0]))
        let name = USBControlRequest(type: 0x40, request: 52, index: 0)
        let sent = try harness.finish {
            handle.control(name, data: Array("Dashrig".utf8) + [0], timeout: 1_000_000_000, completion: $0)
        }
        #expect(sent == .ok([]))
        mock.behaviour.accessoryProtocol = nil
        let refused = try harness.finish { handle.control(request, length: 2, timeout: 1_000_000_000, completion: $0) }
        #expect(refused == .stalled)
        #expect(mock.requests.suffix(3).map(\.request) == [51, 52, 51])
        try harness.close(handle)
    }

    @Test func aSlowAnswerIsWaitedForAndALateOneIsCalledOff() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug("iphone-12a8")
        let handle = try harness.open(mock)
        let request = USBControlRequest(type: 0x80, request: 6, value: 0x0100)
        mock.behaviour.control = .late(200_000_000)
        var before = harness.beats
        let slow = try harness.finish { handle.control(request, length: 18, timeout: 2_000_000_000, completion: $0) }
        #expect(slow.value?.count == 18)
        #expect(harness.beats - before >= 5)
        mock.behaviour.control = .never
        before = harness.beats
        let start = SystemClock.monotonicNow()
        let late = try harness.finish { handle.control(request, length: 18, timeout: 150_000_000, completion: $0) }
        #expect(late == .timedOut)
        #expect(SystemClock.monotonicNow() - start >= 150_000_000)
        #expect(harness.beats - before >= 5)
        #expect(harness.context.transfersInFlight == 0)
        mock.behaviour.control = .prompt
        let again = try harness.finish { handle.control(request, length: 8, timeout: 1_000_000_000, completion: $0) }
        #expect(again.value == [18, 1, 0, 2, 0, 0, 0, 64], "the device is as good as before")
        try harness.close(handle)
    }

    @Test func bytesGoBothWaysOverTheBulkPair() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug("aoa-2d00")
        let handle = try harness.open(mock)
        let pair = try #require(handle.description.configurations.first?.interfaces.first?.bulkPair)
        #expect(try harness.finish { handle.claim(interface: 0, completion: $0) } == .ok(true))
        let read = Answer<USBOutcome<[UInt8]>>()
        handle.bulk(endpoint: pair.input.address, length: 512, timeout: 5_000_000_000) { read.value = $0 }
        let sent = try harness.finish {
            handle.bulk(endpoint: pair.output.address, data: [1, 2, 3], timeout: 1_000_000_000, completion: $0)
        }
        #expect(sent == .ok([]))
        #expect(mock.received == [[1, 2, 3]])
        #expect(read.value == nil)
        mock.send([9, 8, 7, 6])
        #expect(try harness.run { read.value != nil })
        #expect(read.value == .ok([9, 8, 7, 6]))
        try harness.close(handle)
    }

    // MARK: Removal

    @Test func unplugInTheMiddleEndsEveryTransfer() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        for round in 0..<20 {
            let mock = try testbed.plug("aoa-2d00")
            let handle = try harness.open(mock)
            let gone = Answer<Bool>()
            handle.onGone = { gone.count += 1 }
            let reads = Answer<[USBOutcome<[UInt8]>]>()
            reads.value = []
            for _ in 0..<4 {
                handle.bulk(endpoint: 0x81, length: 512, timeout: 60_000_000_000) { reads.value?.append($0) }
            }
            if round % 2 == 0 { try harness.run(for: 5_000_000) }
            testbed.unplug(mock)
            #expect(try harness.run { reads.value?.count == 4 })
            #expect(reads.value?.allSatisfy { $0 == .gone } == true)
            #expect(gone.count == 1 && handle.isGone && !handle.isOpen)
            let after = try harness.finish {
                handle.control(
                    USBControlRequest(type: 0x80, request: 8), length: 1, timeout: 1_000_000_000, completion: $0)
            }
            #expect(after == .gone)
            try harness.close(handle)
        }
        #expect(harness.context.openDevices == 0 && harness.context.transfersInFlight == 0)
    }

    @Test func closingCallsTransfersOff() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug("aoa-2d00")
        let handle = try harness.open(mock)
        let read = Answer<USBOutcome<[UInt8]>>()
        handle.bulk(endpoint: 0x81, length: 512, timeout: 60_000_000_000) { read.value = $0 }
        try harness.close(handle)
        #expect(read.value == .cancelled)
        let after = try harness.finish { handle.claim(interface: 0, completion: $0) }
        #expect(after == .cancelled)
        #expect(try harness.run { mock.opens == 0 })
        let twice: USBCloseOutcome = try harness.finish { handle.close(completion: $0) }
        #expect(twice == .closed)
    }

    /// usbmuxd#114: a cancelled read that never completes held the whole program up.
    @Test func aTransferThatNeverComesBackIsGivenUp() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        var behaviour = USBBehaviour()
        behaviour.cancelReturns = false
        let mock = try testbed.plug("iphone-12a8", behaviour: behaviour)
        let handle = try harness.open(mock, key: 1)
        let read = Answer<USBOutcome<[UInt8]>>()
        handle.bulk(endpoint: 0x85, length: 512, timeout: 60_000_000_000) { read.value = $0 }
        let closing = Answer<USBCloseOutcome>()
        let before = harness.beats
        let start = SystemClock.monotonicNow()
        handle.close(within: 500_000_000) { closing.value = $0 }
        // Another phone arrives meanwhile and works.
        let other = try testbed.plug("aoa-2d00", port: "1-2")
        let fine = try harness.open(other, key: 2)
        try harness.close(fine)
        #expect(try harness.run { closing.value != nil })
        #expect(closing.value == .stuck && read.value == .stuck)
        #expect(SystemClock.monotonicNow() - start < 2_000_000_000)
        #expect(harness.beats - before >= 5)
        #expect(harness.context.openDevices == 0)
        mock.releaseHangs()
        try harness.run(for: 50_000_000)
    }

    @Test func aTransferThatCannotEvenBeCalledOffIsGivenUp() throws {
        let testbed = try DeviceTestbed()
        let loop = try EventLoop()
        let jobs = try JobPool(loop: loop, threads: 1)
        let context = try USBContext(loop: loop, jobs: jobs)
        defer {
            context.shutDown()
            jobs.shutDown()
        }
        let mock = try testbed.plug("aoa-2d00")
        var handle: USBDeviceHandle?
        context.open(node: mock.node, key: 1) { handle = $0.value }
        func run(until condition: () -> Bool) throws {
            let limit = SystemClock.monotonicNow() + 10_000_000_000
            while !condition() && SystemClock.monotonicNow() < limit {
                try loop.run(until: SystemClock.monotonicNow() + 2_000_000)
            }
        }
        try run { handle != nil }
        // The only job thread is busy with something else for longer than anybody waits.
        try jobs.submit(key: 99, deadline: .max, { _ = usleep(3_000_000) }, completion: { _ in })
        var outcome: USBOutcome<[UInt8]>?
        handle?.bulk(endpoint: 0x81, length: 512, timeout: 10_000_000) { outcome = $0 }
        try run { outcome != nil }
        #expect(outcome == .stuck && handle?.isStuck == true)
        #expect(context.transfersInFlight == 0 && context.openDevices == 0)
    }

    /// A level-triggered loop spins when it waits for what nobody takes away.
    @Test func anOpenDeviceCostsNoTurns() throws {
        let testbed = try DeviceTestbed()
        let harness = try TransportHarness()
        let mock = try testbed.plug("aoa-2d00")
        let handle = try harness.open(mock)
        handle.bulk(endpoint: 0x81, length: 512, timeout: 60_000_000_000) { _ in }
        try harness.run(for: 50_000_000)
        let calls = mock.calls
        try harness.run(for: 300_000_000)
        #expect(mock.calls == calls)
        testbed.unplug(mock)
        try harness.run(for: 50_000_000)
        let after = mock.calls
        try harness.run(for: 200_000_000)
        #expect(mock.calls == after, "a device that is gone costs nothing either")
        try harness.close(handle)
    }

    @Test func noThreadIsStartedButTheJobs() throws {
        let testbed = try DeviceTestbed()
        let before = try threadNames().filter { $0.hasPrefix("libusb") }
        let harness = try TransportHarness()
        let mock = try testbed.plug("aoa-2d00")
        let handle = try harness.open(mock)
        #expect(try threadNames().filter { $0.hasPrefix("libusb") } == before)
        #expect(harness.jobs.liveThreads <= 2)
        try harness.close(handle)
    }

    private func threadNames() throws -> [String] {
        try DirectoryTree.list("/proc/self/task").compactMap { task in
            (try? FileContents.read("/proc/self/task/\(task)/comm", limit: 64)).map {
                String(decoding: $0, as: UTF8.self)
            }
        }
    }
}

extension USBOutcome {
    var isGone: Bool { if case .gone = self { true } else { false } }
    var isStuck: Bool { if case .stuck = self { true } else { false } }
}
