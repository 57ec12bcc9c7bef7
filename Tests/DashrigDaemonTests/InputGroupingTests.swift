import RigConfiguration
import RigModel
import Testing

@testable import DashrigDaemon

/// Which nodes count as one device, by where the kernel shows them.
@Suite struct InputGroupingTests {
    private static let usb = "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-1/1-1.4"
    private static let dial = "/sys/devices/virtual/misc/uhid/0005:045E:091B.0003/input"

    private static func profile(group: String = "") throws -> InputProfile {
        let rule = "[input x]\nkind = knob\npriority = 900\nmatch-rel = REL_DIAL\naxis = REL_DIAL\n"
        let text = rule + (group.isEmpty ? "" : "group = \(group)\n")
        let table = try DeviceTable.parse([ConfigurationFile(name: "x.ini", text: text)])
        return try #require(table.classify(InputDeviceDescription(rel: [7])))
    }

    private static func key(_ syspath: String, phys: String = "", bus: UInt16 = 3, group: String = "") throws -> String
    {
        let profile = try profile(group: group)
        return InputGrouping.key(of: InputDeviceDescription(bus: bus, phys: phys), at: syspath, profile)
    }

    @Test func theInterfacesOfAUSBDeviceAreOne() throws {
        let first = "\(Self.usb)/1-1.4:1.0/0003:1209:0001.0005/input/input7/event7"
        let second = "\(Self.usb)/1-1.4:1.1/0003:1209:0001.0006/input/input8/event8"
        #expect(try Self.key(first, phys: "usb-0000:00:14.0-1.4/input0") == Self.key(second))
        let other = "\(Self.usb)/../1-1.3/1-1.3:1.0/0003:1209:0001.0007/input/input9/event9"
        #expect(try Self.key(first) != Self.key(other))
    }

    @Test func theNodesOfABluetoothDeviceAreOneAndThoseOfOneAdapterAreNot() throws {
        let adapter = "00:11:22:33:44:55"
        let first = try Self.key("\(Self.dial)/input11/event11", phys: adapter, bus: 5)
        #expect(try Self.key("\(Self.dial)/input12/event12", phys: adapter, bus: 5) == first)
        let other = "/sys/devices/virtual/misc/uhid/0005:045E:091B.0004/input/input13/event13"
        #expect(try Self.key(other, phys: adapter, bus: 5) != first)
        // Without a HID device above them nothing says that they belong together.
        let plain = ["/sys/devices/virtual/input/input1/event1", "/sys/devices/virtual/input/input2/event2"]
        #expect(try Set(plain.map { try Self.key($0, phys: adapter, bus: 5) }).count == 2)
    }

    @Test func theDriversPlaceCountsUpToTheInput() throws {
        let first = try Self.key("/sys/devices/platform/a/input/input1/event1", phys: "serio1/input0")
        #expect(try Self.key("/sys/devices/platform/b/input/input2/event2", phys: "serio1/input1") == first)
        #expect(try Self.key("/sys/devices/platform/b/input/input2/event2", phys: "serio2/input0") != first)
    }

    @Test func aGroupGoesBeforeEverything() throws {
        let first = try Self.key("\(Self.usb)/input/input1/event1", group: "dash")
        #expect(
            try Self.key("/sys/devices/platform/gpio-keys/input/input2/event2", phys: "x/input0", group: "dash")
                == first)
        #expect(try Self.key("\(Self.usb)/input/input1/event1", group: "door") != first)
    }

    @Test func aNodeOfWhichNothingIsKnownIsAlone() throws {
        let first = try Self.key("/sys/devices/virtual/input/input1/event1")
        #expect(try Self.key("/sys/devices/virtual/input/input2/event2") != first)
    }

    @Test(arguments: [
        ("\(usb)/1-1.4:1.0/0003:1209:0001.0005/input/input7/event7", "usb-x/input0", "1-1.4"),
        ("/sys/devices/platform/i8042/serio1/input/input3/event3", "isa0060/serio1/input0", "isa0060/serio1/input0"),
        ("/sys/devices/virtual/input/input4/event4", "", "event4"),
        ("/sys/devices/platform/1-x/a-1/input/input4/event4", "", "event4"),
        ("", "", ""),
    ])
    func aPortIsTopologyThenTheDriversWords(syspath: String, phys: String, port: String) {
        #expect(InputGrouping.port(of: InputDeviceDescription(phys: phys), at: syspath) == port)
    }
}
