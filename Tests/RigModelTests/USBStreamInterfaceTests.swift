import RigModel
import Testing

@Suite struct USBStreamInterfaceTests {
    private static let input = USBEndpoint(address: 0x81, attributes: 2, maxPacket: 512)
    private static let output = USBEndpoint(address: 0x01, attributes: 2, maxPacket: 512)
    private static let interrupt = USBEndpoint(address: 0x82, attributes: 3, maxPacket: 64)

    private static func device(
        _ ids: (UInt16, UInt16) = (0x25E1, 0x4351), active: UInt8? = 1,
        having configurations: [[USBInterface]]
    ) -> USBDeviceDescription {
        USBDeviceDescription(
            vendor: ids.0, product: ids.1, port: "1-1",
            configurations: configurations.enumerated().map {
                USBConfiguration(value: UInt8($0.offset + 1), interfaces: $0.element)
            }, activeConfiguration: active)
    }

    private static func interface(
        _ number: UInt8 = 0, alternate: UInt8 = 0, function: USBClass = USBClass(0xFF, 0xF0, 0),
        endpoints: [USBEndpoint] = [input, output]
    ) -> USBInterface {
        USBInterface(number: number, alternate: alternate, function: function, endpoints: endpoints)
    }

    @Test(arguments: [0, 1, 0xFF] as [UInt8])
    func anyProtocolByteIsALink(byte: UInt8) {
        let found = Self.device(having: [[Self.interface(function: USBClass(0xFF, 0xF0, byte))]]).linkInterface
        #expect(
            found
                == USBStreamInterface(
                    configuration: 1, number: 0, pair: USBBulkPair(input: Self.input, output: Self.output)))
    }

    @Test func anInterruptEndpointIsNotInTheWay() throws {
        for endpoints in [
            [Self.interrupt, Self.input, Self.output], [Self.output, Self.interrupt, Self.input],
            [Self.output, Self.input, Self.interrupt],
        ] {
            let found = try #require(Self.device(having: [[Self.interface(endpoints: endpoints)]]).linkInterface)
            #expect(found.hasInterruptInput && found.pair.input == Self.input && found.pair.output == Self.output)
        }
    }

    @Test func whatIsNoLinkIsNotTaken() {
        for function in [
            USBClass(0xFF, 0xFF, 0), USBClass(0xFF, 0xF1, 0), USBClass(0xFE, 0xF0, 0), USBClass(6, 1, 1),
        ] {
            #expect(Self.device(having: [[Self.interface(function: function)]]).linkInterface == nil)
        }
        for endpoints in [
            [], [Self.input], [Self.output], [Self.interrupt, Self.output],
            [USBEndpoint(address: 0x81, attributes: 2, maxPacket: 0), Self.output],
            [Self.input, USBEndpoint(address: 1, attributes: 2, maxPacket: 0)],
        ] {
            #expect(Self.device(having: [[Self.interface(endpoints: endpoints)]]).linkInterface == nil)
        }
        #expect(Self.device(having: []).linkInterface == nil)
    }

    @Test func theConfigurationInUseComesFirst() {
        let configurations = [
            [Self.interface(0)], [Self.interface(3, function: USBClass(6, 1, 1)), Self.interface(2)],
        ]
        #expect(Self.device(active: 2, having: configurations).linkInterface?.number == 2)
        #expect(Self.device(active: 1, having: configurations).linkInterface?.number == 0)
        #expect(Self.device(active: nil, having: configurations).linkInterface?.configuration == 1)
        #expect(Self.device(active: 2, having: [[Self.interface(4)], []]).linkInterface?.configuration == 1)
    }

    @Test func theAlternateThatHasTheEndpointsIsNamed() {
        let found = Self.device(having: [[Self.interface(1, endpoints: []), Self.interface(1, alternate: 1)]])
            .linkInterface
        #expect(found?.number == 1 && found?.alternate == 1)
    }

    @Test func accessoriesAreKnownByTheirIds() {
        let accessory = Self.interface(0, function: USBClass(0xFF, 0xFF, 0))
        let bridge = Self.interface(1, function: USBClass(0xFF, 0x42, 1))
        for product: UInt16 in 0x2CFE...0x2D08 {
            let device = Self.device((0x18D1, product), having: [[bridge, accessory]])
            #expect(device.isAndroidAccessory == (0x2D00...0x2D05).contains(product))
            #expect(device.accessoryInterface?.number == (device.isAndroidAccessory ? 0 : nil))
        }
        #expect(!Self.device((0x18D2, 0x2D00), having: [[accessory]]).isAndroidAccessory)
        #expect(Self.device((0x18D1, 0x2D02), having: [[bridge]]).accessoryInterface == nil, "audio alone")
    }
}
