@testable import RigConfiguration
import RigModel
import Testing

@testable import RigCore

/// What the rig remembers of devices that are gone, and what it does when there are too many.
@Suite struct DeviceMemoryTests {
    @Test func theOldestUnpluggedDevicesAreForgotten() {
        var bench = Bench { $0.maximumRemembered = 3 }
        for number in 1...5 {
            bench.attach(.knob("SERIAL-\(number)", port: "1-\(number)"))
            bench.pass(Bench.second)
        }
        for number in [2, 1, 3, 4, 5] {
            bench.detach("1-\(number)")
            bench.pass(Bench.second)
        }
        #expect(bench.core.devices.all.map(\.device.name) == ["knob-3", "knob-4", "knob-5"])
        bench.pass(60 * Bench.second)
        bench.attach(.knob("SERIAL-3", port: "1-3"))
        bench.attach(.knob("SERIAL-1", port: "1-1"))
        #expect(bench.deviceNames() == ["knob-3", "knob-6"], "what was forgotten is new; its name is not used again")
    }

    @Test(arguments: [0, 1, 3]) func aDeviceThatIsForgottenAtOnceIsStillToldToBeGone(remembered: Int) {
        var bench = Bench { $0.maximumRemembered = remembered }
        for number in 1...5 { bench.attach(.knob("SERIAL-\(number)", port: "1-\(number)")) }
        // All at the same moment, the youngest first: the last to go is the first to be forgotten.
        for number in (1...5).reversed() { bench.detach("1-\(number)") }
        #expect(bench.events(.deviceDetached).compactMap(\.device?.name) == (1...5).reversed().map { "knob-\($0)" })
        #expect(bench.events(.deviceDetached).allSatisfy { $0.reason == Bench.pulled })
        #expect(bench.core.devices.all.count == remembered)
    }

    @Test func whoeverIsRememberedIsCountedWithoutThoseThatAreThere() {
        var bench = Bench { $0.maximumRemembered = 1 }
        for number in 1...4 { bench.attach(.knob("SERIAL-\(number)", port: "1-\(number)")) }
        bench.detach("1-2")
        #expect(bench.core.devices.all.count == 4)
        bench.detach("1-4")
        #expect(bench.core.devices.all.map(\.device.name) == ["knob-1", "knob-3", "knob-4"])
    }

    @Test func tenThousandUnnamedPlugsLeaveNothingBehind() {
        let knob = VirtualDevice(
            name: "dial", kind: .knob, summary: "", manufacturer: "", model: "", vendor: 1, product: 1,
            serialPattern: "DIAL####")
        var bench = Bench { $0.profiles.append(knob) }
        let client = bench.connect()
        for turn in 1...10_000 {
            bench.handle(.clientCalled(client, .command(.plug(PlugRequest(profile: "dial")))))
            bench.handle(
                .clientCalled(client, .command(.unplug(device: "dial-\(turn)", surprise: true, generation: 1))))
            if turn % 1_000 == 0 {
                bench.events = []
                bench.replies = [:]
            }
        }
        #expect(bench.failures.isEmpty)
        #expect(bench.core.devices.all.count == bench.core.settings.maximumRemembered)
        #expect(bench.core.devices.idsByName.count == bench.core.settings.maximumRemembered)
        #expect(bench.core.links.isEmpty)
        #expect(bench.core.deadlines.count == 0)
        bench.plug("dial")
        #expect(bench.deviceNames() == ["dial-10001"])
    }

    @Test func aNameThatWasForgottenDoesNotMeetOldReferences() {
        var bench = Bench { $0.maximumRemembered = 1 }
        for _ in 1...3 {
            bench.plug("iphone", "phone")
            bench.unplug("phone")
        }
        bench.plug("iphone", "other")
        bench.unplug("other")
        #expect(bench.core.devices.id(named: "phone") == nil)
        bench.plug("iphone", "phone")
        let generation = bench.device("phone")?.value(at: "generation")?.int ?? 0
        #expect(generation > 3)
        for old in UInt32(1)...3 {
            #expect(
                bench.failure(of: .unplug(device: "phone", surprise: true, generation: old))
                    == .staleDevice("phone", generation: old))
        }
    }

    @Test func aNumberedNameThatSomebodyGaveAndThatWasForgottenDoesNotMeetOldReferences() {
        var bench = Bench { $0.maximumRemembered = 0 }
        bench.plug("iphone", "iphone-1")
        bench.unplug("iphone-1")
        bench.plug("iphone")
        #expect(bench.deviceNames().count == 1)
        #expect(
            bench.failure(of: .unplug(device: "iphone-1", surprise: true, generation: 1)) != nil,
            "the phone that had this name and generation is gone")
    }

    @Test func serialsOfVirtualDevicesDoNotRepeatWhenTheLastOneWasForgotten() {
        var bench = Bench { $0.maximumRemembered = 0 }
        var serials: [String] = []
        for _ in 1...4 {
            bench.plug("iphone", "phone")
            serials.append(bench.device("phone")?.value(at: "serial")?.text ?? "")
            bench.unplug("phone")
        }
        #expect(serials == (1...4).map { "DASHRIG00000IPHONE00000\($0)" })
    }

    @Test func atTheLimitABusIsToldOffAndAPersonIsAnswered() throws {
        var bench = Bench { $0.maximumDevices = 2 }
        bench.attach(.knob("SERIAL-1", port: "1-1"))
        bench.attach(.knob("SERIAL-2", port: "1-2"))
        let before = bench.events.count
        bench.attach(.iPhone("SERIAL-3", port: "1-3"))
        let refused = try #require(bench.events.dropFirst(before).first)
        #expect(bench.events.count == before + 1)
        #expect(refused.kind == .deviceRefused)
        #expect(refused.device == nil)
        #expect(refused.reason?.code == "limitReached")
        #expect(refused.reason?.text.contains("1-3") == true)
        #expect(refused.reason?.text.contains("limits.devices") == true)
        #expect(bench.failure(of: .plug(PlugRequest(profile: "iphone"))) == .limitReached("devices", 2))
        #expect(bench.deviceNames() == ["knob-1", "knob-2"])
        // What was refused has no state: its changes and its end are nobody's business.
        bench.handle(.deviceChanged(key: "1-3", .iPhone("SERIAL-3b", port: "1-3")))
        bench.detach("1-3")
        #expect(bench.events.count == before + 1)
        bench.detach("1-1")
        bench.attach(.iPhone("SERIAL-3", port: "1-3"))
        #expect(bench.device("iphone-1")?.value(at: "state")?.text == "active")
    }

    @Test func unpluggedDevicesDoNotCountForTheLimit() {
        var bench = Bench { $0.maximumDevices = 1 }
        for number in 1...4 {
            bench.attach(.knob("SERIAL-\(number)", port: "1-\(number)"))
            #expect(bench.deviceNames() == ["knob-\(number)"])
            bench.detach("1-\(number)")
        }
        #expect(bench.events(.deviceRefused).isEmpty)
    }
}
