import RigConfiguration
import RigModel
import Testing

/// A USB device with one configuration of these interfaces.
private func usb(
    _ vendor: UInt16, _ product: UInt16, class deviceClass: USBClass = USBClass(0, 0, 0),
    _ interfaces: USBInterface...
) -> USBDeviceDescription {
    USBDeviceDescription(
        vendor: vendor, product: product, deviceClass: deviceClass, port: "1-1",
        configurations: interfaces.isEmpty ? [] : [USBConfiguration(value: 1, interfaces: interfaces)])
}

private func interface(_ code: UInt8, _ subclass: UInt8, _ protocolCode: UInt8, bulk: Bool = false) -> USBInterface {
    USBInterface(
        number: 0, function: USBClass(code, subclass, protocolCode),
        endpoints: bulk
            ? [
                USBEndpoint(address: 0x81, attributes: 2, maxPacket: 512),
                USBEndpoint(address: 0x01, attributes: 2, maxPacket: 512),
            ] : [USBEndpoint(address: 0x81, attributes: 3, maxPacket: 8)])
}

@Suite struct USBClassificationTests {
    private let table = DeviceTable.shipped

    @Test(arguments: [
        ("iphone-12a8", "iphone", DeviceKind.iPhone, "iphone"),
        ("iphone-12a8-valeria", "iphone", .iPhone, "iphone"),
        ("pixel-mtp-4ee1", "android-mtp", .androidPhone, "android"),
        ("aoa-2d00", "android-accessory", .androidAccessory, "android"),
        ("aoa-adb-2d01", "android-accessory", .androidAccessory, "android"),
        ("carlinkit-1314-1520", "dongle", .dongle, "dongle"), ("carlinkit-1314-1521", "dongle", .dongle, "dongle"),
    ])
    func recognisesRecordedDevices(file: String, rule: String, kind: DeviceKind, prefix: String) throws {
        let profile = try #require(table.classify(try recordedDevice(file)))
        #expect(profile.name == rule)
        #expect(profile.kind == kind)
        #expect(profile.namePrefix == prefix)
        let hub = try recordedDevice(file, index: 1)
        #expect(table.classify(hub) == nil)
        #expect(table.classification(of: hub) == .ignored(rule: "hub"))
    }

    @Test(
        arguments: [
            (0x1290, DeviceKind.iPhone), (0x1297, .iPhone), (0x12A0, .iPhone), (0x12A8, .iPhone), (0x12AF, .iPhone),
            (0x129A, .iPad), (0x12A2, .iPad), (0x12A6, .iPad), (0x12A9, .iPad), (0x12AB, .iPad), (0x1291, .iPod),
            (0x129E, .iPod), (0x12AA, .iPod), (0x1260, .iPod), (0x126F, .iPod), (0x128F, nil), (0x12B0, nil),
            (0x1281, nil), (0x1227, nil), (0x1222, nil), (0x125F, nil), (0x1270, nil), (0x024F, nil), (0x1006, nil),
        ] as [(UInt16, DeviceKind?)])
    func tellsAppleDevicesByProduct(product: UInt16, kind: DeviceKind?) {
        #expect(table.classify(usb(0x05AC, product))?.kind == kind)
        // The same product of another vendor says nothing.
        #expect(table.classify(usb(0x05AD, product)) == nil)
    }

    @Test(arguments: [
        ("hub", usb(0x1D6B, 2, class: USBClass(9, 0, 1), interface(9, 0, 0))),
        ("storage", usb(0x0781, 0x5581, interface(8, 6, 0x50, bulk: true))),
        ("audio", usb(0x0D8C, 1, interface(1, 1, 0))), ("hid", usb(0x046D, 0xC31C, interface(3, 1, 1))),
        ("printer", usb(0x03F0, 0x1234, interface(7, 1, 2, bulk: true))),
        // A Samsung printer: the vendor is known for phones, the interface is not theirs.
        ("printer", usb(0x04E8, 0x3469, interface(7, 1, 2, bulk: true))),
        // An Apple keyboard and an Apple hub.
        ("hid", usb(0x05AC, 0x024F, interface(3, 1, 1))),
        ("hub", usb(0x05AC, 0x1006, class: USBClass(9, 0, 0), interface(9, 0, 0))),
    ])
    func leavesOthersAloneAndSaysByWhichRule(rule: String, device: USBDeviceDescription) {
        #expect(table.classify(device) == nil)
        #expect(table.classification(of: device) == .ignored(rule: rule))
    }

    @Test(arguments: [
        // DFU and recovery mode, with the interfaces they show.
        usb(0x05AC, 0x1227, interface(0xFE, 1, 0)),
        usb(0x05AC, 0x1281, interface(0xFE, 1, 0), interface(0xFF, 0xFF, 0x51)),
        // A camera: still image, but not from a maker of phones.
        usb(0x04A9, 0x1234, interface(6, 1, 1, bulk: true)),
        // Fastboot.
        usb(0x18D1, 0x4EE0, interface(0xFF, 0x42, 3, bulk: true)),
        usb(0x1314, 0x1522), usb(0x1314, 0x151F), usb(0x18D1, 0x2D06), usb(0x18D1, 0x2CFF), usb(0, 0),
    ])
    func knowsNothingOfTheRest(device: USBDeviceDescription) {
        #expect(table.classification(of: device) == .unknown)
    }

    @Test func tellsAndroidPhonesByInterfaceAndVendor() {
        let mtp = interface(6, 1, 1, bulk: true)
        let storage = interface(8, 6, 0x50, bulk: true)
        #expect(table.classify(usb(0x18D1, 0x4EE2))?.name == "android-mtp")
        #expect(table.classify(usb(0x04E8, 0x6860, mtp))?.name == "android-mtp-vendor")
        // Older phones show a disk beside MTP.
        #expect(table.classify(usb(0x12D1, 0x107E, mtp, storage))?.name == "android-mtp-vendor")
        #expect(table.classify(usb(0x9999, 1, interface(0xFF, 0x42, 1, bulk: true)))?.name == "android-adb")
        #expect(table.classify(usb(0x18D1, 0x2D05))?.kind == .androidAccessory)
    }

    @Test(arguments: [0, 1, 0x7F, 0xFF] as [UInt8])
    func theLinksInterfaceIsKnownWhateverItsProtocolByte(byte: UInt8) {
        let iap = interface(0xFF, 0xF0, byte, bulk: true)
        #expect(table.classify(usb(0x25E1, 0x4351, iap))?.kind == .headUnit)
        // Phones by their ids stay phones: the rig is the head unit for them.
        #expect(table.classify(usb(0x05AC, 0x12A8, iap))?.kind == .iPhone)
        #expect(table.classify(usb(0x18D1, 0x2D01, iap))?.kind == .androidAccessory)
        #expect(table.classify(usb(0x18D1, 0x4EE1, iap))?.kind == .androidPhone)
    }

    @Test func theInterfaceOfAHeadUnitGoesBeforeEveryIdButThoseOfApplesPhones() {
        let iap = interface(0xFF, 0xF0, 0, bulk: true)
        // A phone that another rig or a gadget plays shows the interface under a phone's ids.
        #expect(table.classify(usb(0x05AC, 0x12A8, iap))?.name == "iphone")
        #expect(table.classify(usb(0x05AC, 0x12AB, iap))?.name == "ipad")
        #expect(table.classify(usb(0x05AC, 0x12FF, iap))?.name == "head-unit")
        for (vendor, product) in [(0x05AC, 0), (0x08E4, 0x01C0), (0x1314, 0x1520), (0x25E1, 0x4351)]
            as [(UInt16, UInt16)]
        {
            #expect(table.classify(usb(vendor, product, iap))?.name == "head-unit")
        }
        #expect(table.classify(usb(0x25E1, 0x4351, interface(2, 0x0D, 0), iap))?.kind == .headUnit)
        // Without a bulk pair nobody can talk to it.
        #expect(table.classify(usb(0x25E1, 0x4351, interface(0xFF, 0xF0, 0))) == nil)
        #expect(table.classify(usb(0x08E4, 0x01C0))?.name == "dongle-phone-side")
    }

    @Test func findsTheInterfaceToOpen() throws {
        var device = usb(0x25E1, 0x4351, interface(0xFF, 0xF0, 0, bulk: true))
        var second = interface(0xFF, 0xF0, 0, bulk: true)
        second.number = 3
        device.configurations.append(USBConfiguration(value: 2, interfaces: [interface(3, 0, 0), second]))
        let profile = try #require(table.classify(device))
        #expect(profile.interface(of: device)?.configuration == 1)
        device.activeConfiguration = 2
        #expect(profile.interface(of: device) == USBInterfaceReference(configuration: 2, interface: second))
        device.activeConfiguration = 7
        #expect(profile.interface(of: device)?.configuration == 1)
        // A rule that goes by ids asks for no interface.
        let iPhone = try recordedDevice("iphone-12a8", activeConfiguration: 4)
        #expect(table.classify(iPhone)?.interface(of: iPhone) == nil)
    }

    @Test func givesTheFactsOfADevice() throws {
        var device = try recordedDevice("iphone-12a8")
        device.serial = "0001"
        device.manufacturer = "Apple Inc."
        device.model = "iPhone"
        #expect(
            table.classify(device)?.facts(of: device)
                == DeviceFacts(
                    kind: .iPhone, profile: "iphone", vendor: 0x05AC, product: 0x12A8, serial: "0001", port: "1-1",
                    manufacturer: "Apple Inc.", model: "iPhone", origin: .observed))
    }
}

@Suite struct InputClassificationTests {
    private let table = DeviceTable.shipped
    private static let letters: [UInt16] = Array(16...50)

    @Test func takesADialWithItsButton() throws {
        let powerMate = InputDeviceDescription(
            bus: 3, vendor: 0x077D, product: 0x0410, name: "Griffin PowerMate", ev: [0, 1, 2, 4], key: [0x100], rel: [7]
        )
        let profile = try #require(table.classify(powerMate))
        #expect(profile.name == "powermate" && profile.kind == .knob && profile.namePrefix == "knob")
        #expect(profile.axis(of: powerMate) == 7)
        #expect(profile.press(of: powerMate) == 0x100)
        #expect(profile.unitsPerDetent == 1 && !profile.reversed)
        #expect(profile.part == .whole && profile.group.isEmpty && profile.grabs == nil)
        #expect(
            profile.facts(of: powerMate, port: "1-1")
                == DeviceFacts(
                    kind: .knob, profile: "powermate", namePrefix: "knob", vendor: 0x077D, product: 0x0410, port: "1-1",
                    model: "Griffin PowerMate", origin: .observed))
    }

    @Test(
        arguments: [
            ("wheel alone", InputDeviceDescription(ev: [0, 2], rel: [8]), "knob-wheel", 8, nil),
            ("wheel with high resolution", InputDeviceDescription(ev: [0, 2], rel: [8, 11]), "knob-wheel", 8, nil),
            ("dial alone", InputDeviceDescription(ev: [0, 2], rel: [7]), "knob-dial", 7, nil),
            ("dial before wheel", InputDeviceDescription(rel: [7, 8]), "knob-dial", 7, nil),
            ("first of the buttons", InputDeviceDescription(key: [0x104, 0x105], rel: [7]), "knob-dial", 7, 0x104),
            ("enter key", InputDeviceDescription(key: [28], rel: [8]), "knob-wheel", 8, 28),
            ("button before enter key", InputDeviceDescription(key: [28, 0x109], rel: [8]), "knob-wheel", 8, 0x109),
            (
                "Surface Dial", InputDeviceDescription(bus: 5, vendor: 0x045E, product: 0x091B, key: [0x100], rel: [7]),
                "surface-dial", 7, 0x100
            ),
        ] as [(String, InputDeviceDescription, String, UInt16, UInt16?)])
    func takesKnobsByWhatTheyCanDo(
        title: String, device: InputDeviceDescription, rule: String, axis: UInt16, press: UInt16?
    ) throws {
        let profile = try #require(table.classify(device), "\(title)")
        #expect(profile.name == rule)
        #expect(profile.axis(of: device) == axis)
        #expect(profile.press(of: device) == press)
    }

    @Test(arguments: [
        ("mouse", InputDeviceDescription(key: [0x110, 0x111], rel: [0, 1, 8])),
        ("mouse with X alone", InputDeviceDescription(rel: [0, 8])),
        ("keyboard", InputDeviceDescription(key: letters)),
        ("keyboard with a wheel", InputDeviceDescription(key: letters, rel: [8])),
        ("keyboard with a dial", InputDeviceDescription(key: letters, rel: [7])),
        ("keyboard with a horizontal wheel", InputDeviceDescription(rel: [6, 12])),
        ("touchpad", InputDeviceDescription(key: [0x145, 0x14A], abs: [0, 1, 0x2F, 0x35, 0x36])),
        ("encoder as REL_X", InputDeviceDescription(rel: [0])),
        ("volume knob", InputDeviceDescription(key: [113, 114, 115])),
        ("nothing", InputDeviceDescription()),
    ])
    func leavesOthersAlone(title: String, device: InputDeviceDescription) {
        #expect(table.classification(of: device) == .unknown, "\(title)")
    }
}

@Suite struct DeviceTableTests {
    private func table(_ texts: String...) throws -> DeviceTable {
        try DeviceTable.parse(
            texts.enumerated().map { ConfigurationFile(name: "t\($0.offset).ini", text: $0.element) })
    }

    @Test func aDropInAddsARule() throws {
        let table = try table(
            "[device my-phone]\nkind = android-phone\nname-prefix = mine\nmatch-vendor = 1234\nmatch-release = 0100-01ff\n"
        )
        var device = usb(0x1234, 1)
        device.release = 0x0150
        #expect(table.classify(device)?.namePrefix == "mine")
        device.release = 0x0200
        #expect(table.classify(device) == nil)
        #expect(table.usbRules.count == DeviceTable.shipped.usbRules.count + 1)
    }

    @Test func aDropInReplacesARuleAsAWhole() throws {
        let table = try table("[device iphone]\nkind = iphone\nmatch-vendor = 05ac\nmatch-product = 1290\n")
        #expect(table.classify(usb(0x05AC, 0x1290))?.namePrefix == "iphone")
        #expect(table.classify(usb(0x05AC, 0x12A8)) == nil)
        #expect(table.usbRules.count == DeviceTable.shipped.usbRules.count)
    }

    @Test func aDropInTakesARuleOut() throws {
        let table = try table("[device iphone]\nenabled = no\n[input knob-dial]\nenabled = no\n")
        #expect(table.classify(usb(0x05AC, 0x12A8)) == nil)
        #expect(table.classify(InputDeviceDescription(rel: [7])) == nil)
    }

    @Test func theHigherPriorityDecidesAndOfEqualOnesTheLater() throws {
        let low = "[device low]\nkind = dongle\nmatch-vendor = 1234\npriority = 10\n"
        let high = "[device high]\nkind = none\nmatch-vendor = 1234\npriority = 11\n"
        #expect(try table(low, high).classification(of: usb(0x1234, 1)) == .ignored(rule: "high"))
        #expect(try table(high, low).classification(of: usb(0x1234, 1)) == .ignored(rule: "high"))
        let equal = "[device equal]\nkind = ipod\nmatch-vendor = 1234\npriority = 10\n"
        #expect(try table(low, equal).classify(usb(0x1234, 1))?.name == "equal")
        #expect(try table(equal, low).classify(usb(0x1234, 1))?.name == "low")
        // Said again in a later file, a rule is later.
        #expect(try table(low, equal, low).classify(usb(0x1234, 1))?.name == "low")
        let zero = "[device zero]\nkind = dongle\nmatch-vendor = 4321\npriority = 0\n"
        #expect(try table(zero).classify(usb(0x4321, 1))?.name == "zero")
    }

    @Test func everyKeyThatIsGivenMustFit() throws {
        let table = try table(
            "[device all]\nkind = dongle\nmatch-vendor = 1234, 5678\nmatch-product = 0001, 0010-001f\n"
                + "match-class = ef/02\nmatch-interface = 0a, ff/*/01 bulk-pair\n")
        let misc = USBClass(0xEF, 2, 1)
        let bulk = interface(0xFF, 7, 1, bulk: true)
        #expect(table.classify(usb(0x5678, 0x1F, class: misc, bulk)) != nil)
        #expect(table.classify(usb(0x5678, 0x1F, class: misc, interface(0x0A, 0, 0))) != nil)
        #expect(table.classify(usb(0x5678, 0x20, class: misc, bulk)) == nil)
        #expect(table.classify(usb(0x9999, 0x1F, class: misc, bulk)) == nil)
        #expect(table.classify(usb(0x5678, 0x1F, class: USBClass(0xEF, 1, 1), bulk)) == nil)
        #expect(table.classify(usb(0x5678, 0x1F, class: misc, interface(0xFF, 7, 1))) == nil)
        #expect(table.classify(usb(0x5678, 0x1F, class: misc, interface(0xFF, 7, 2, bulk: true))) == nil)
        #expect(table.classify(usb(0x5678, 0x1F, class: misc)) == nil)
    }

    @Test func inputRulesReadEveryKey() throws {
        let table = try table(
            """
            [input mine]
            kind = knob
            name-prefix = dial
            priority = 500
            match-vendor = 1234
            match-product = 0001
            match-name = *dial*
            match-rel = 3, REL_DIAL
            without-rel = REL_Z
            match-key = BTN_0
            without-key = 42
            match-abs = ABS_WHEEL
            without-abs = ABS_X
            axis = REL_RX, REL_DIAL
            press = 300, BTN_0
            units-per-detent = 4
            reversed = yes
            match-every-key = BTN_0, 300
            match-property = INPUT_PROP_DIRECT
            without-property = INPUT_PROP_SEMI_MT
            keys = mine, dhu
            bounce = 3ms
            acceleration = 3
            only-chosen = yes
            part = whole
            group = dash
            grab = no

            [keymap mine]
            KEY_F13 = turn -2
            """)
        let device = InputDeviceDescription(
            vendor: 0x1234, product: 1, name: "a dial", key: [0x100, 183, 300], rel: [7], abs: [8], props: [1])
        let profile = try #require(table.classify(device, isChosen: true))
        #expect(table.classify(device)?.name != "mine")
        #expect(profile.name == "mine" && profile.namePrefix == "dial" && profile.priority == 500)
        #expect(profile.axis(of: device) == 7 && profile.press(of: device) == 300)
        #expect(profile.unitsPerDetent == 4 && profile.reversed)
        #expect(profile.part == .whole && profile.group == "dash" && profile.grabs == false)
        let changes: [(inout InputDeviceDescription) -> Void] = [
            { $0.vendor = 1 }, { $0.product = 2 }, { $0.name = "a knob" }, { $0.rel = [2, 7] }, { $0.key = [300] },
            { $0.key = [42, 0x100] }, { $0.abs = [] }, { $0.abs = [0, 8] }, { $0.props = [] }, { $0.props = [1, 3] },
        ]
        for (index, change) in changes.enumerated() {
            var other = device
            change(&other)
            #expect(table.classify(other, isChosen: true)?.name != "mine", "change \(index)")
        }
        let layout = profile.layout(of: device, longPress: 7)
        #expect(
            layout.turn
                == TurnLayout(axis: 7, units: 4, reversed: true, bounce: 3_000_000, acceleration: 3))
        #expect(layout.keys == [KeyBinding(300, .press), KeyBinding(183, .turn(detents: -2))])
        #expect(layout.keyBounce == 3_000_000 && layout.longPress == 7 && layout.surface == nil)
    }

    @Test func anAdditionNeedsNoAxis() throws {
        let table = try table(
            """
            [input press]
            kind = knob
            match-key = KEY_ENTER
            press = KEY_ENTER
            part = addition
            """)
        let device = InputDeviceDescription(key: [28])
        let profile = try #require(table.classify(device))
        #expect(profile.part == .addition && profile.axis(of: device) == nil && profile.press(of: device) == 28)
    }

    private static let wrongRules: [(String, String)] = [
        (
            "[input a]\nkind = knob\nmatch-rel = 7\naxis = 7\npart = half\n",
            "5: [input a] part: \"half\" is none of whole, addition"
        ),
        (
            "[input a]\nkind = knob\nmatch-rel = 7\naxis = 7\ngroup = -\n",
            "5: [input a] group: \"-\" is not a name of 1 to 32 letters, digits, '-', '_' or '.'"
        ),
        ("[device]\nkind = none\nmatch-class = 09\n", "1: [device] the section needs a name, as in [device main]"),
        (
            "[device a b]\nkind = none\nmatch-class = 09\n",
            "1: [device a b] a rule's name has 1 to 32 letters, digits, '-', '_' or '.'"
        ),
        ("[device a]\nmatch-class = 09\n", "1: [device a] the section needs the key \"kind\""),
        (
            "[device a]\nkind = none\n",
            "1: [device a] the rule matches every device; give it at least one key \"match-…\""
        ),
        (
            "[device a]\nkind = none\nmatch-vendor =\n",
            "1: [device a] the rule matches every device; give it at least one key \"match-…\""
        ),
        (
            "[device a]\nkind = knob\nmatch-class = 09\n",
            "2: [device a] kind: \"knob\" is none of iphone, ipad, ipod, android-phone, android-accessory, dongle, head-unit, none"
        ),
        (
            "[device a]\nkind = andriod-phone\nmatch-class = 09\n",
            "2: [device a] kind: \"andriod-phone\" is none of iphone, ipad, ipod, android-phone, android-accessory, dongle, head-unit, none; did you mean \"android-phone\"?"
        ),
        (
            "[device a]\nkind = none\nmatch-vendor = 5acx\n",
            "3: [device a] match-vendor: \"5acx\" is not a hexadecimal number of 1 to 4 digits"
        ),
        (
            "[device a]\nkind = none\nmatch-product = 12af-1290\n",
            "3: [device a] match-product: \"12af-1290\" ends before it begins"
        ),
        (
            "[device a]\nkind = none\nmatch-product = 1-2-3\n",
            "3: [device a] match-product: \"1-2-3\" is neither an id nor a range as in 1290-12af"
        ),
        (
            "[device a]\nkind = none\nmatch-product = 1-\n",
            "3: [device a] match-product: \"\" is not a hexadecimal number of 1 to 4 digits"
        ),
        (
            "[device a]\nkind = none\nmatch-class = ff/f0/00/1\n",
            "3: [device a] match-class: \"ff/f0/00/1\" is not CLASS/SUBCLASS/PROTOCOL as in ff/f0/00 or 08/*/*"
        ),
        (
            "[device a]\nkind = none\nmatch-class = *\n",
            "3: [device a] match-class: \"*\" is not CLASS/SUBCLASS/PROTOCOL as in ff/f0/00 or 08/*/*"
        ),
        (
            "[device a]\nkind = none\nmatch-class = fff\n",
            "3: [device a] match-class: \"fff\" is not a hexadecimal number of 1 to 2 digits"
        ),
        (
            "[device a]\nkind = none\nmatch-interface = ff bulk\n",
            "3: [device a] match-interface: \"ff bulk\" is not a class as in ff/f0/00, \"bulk-pair\" may follow"
        ),
        (
            "[device a]\nkind = none\nmatch-class = 09\npriority = 1001\n",
            "4: [device a] priority: \"1001\" is not between 0 and 1000"
        ),
        (
            "[device a]\nkind = none\nmatch-class = 09\nname-prefix = aaaaaaaaaaaaaaaaaaaaaaaaa\n",
            "4: [device a] name-prefix: \"aaaaaaaaaaaaaaaaaaaaaaaaa\" is not a name of 1 to 24 letters, digits, '-', '_' or '.'"
        ),
        (
            "[device a]\nkind = none\nmatch-venodr = 1\nmatch-class = 09\n",
            "3: [device a] match-venodr: this section has no such key; did you mean \"match-vendor\"?"
        ),
        (
            "[devise a]\n",
            "1: [devise a] there is no such section; there is device, input, keymap; did you mean \"device\"?"
        ),
        (
            "[input a]\nkind = knob\nmatch-rel = REL_DIAL\n",
            "1: [input a] a knob needs one of the keys \"axis\", \"position-axis\" and \"keys\""
        ),
        (
            "[input a]\nkind = iphone\nmatch-rel = 7\naxis = 7\n",
            "2: [input a] kind: \"iphone\" is none of knob, touchpad, touchscreen, keys, none"
        ),
        (
            "[input a]\nkind = none\nmatch-rel = REL_DAIL\n",
            "3: [input a] match-rel: \"REL_DAIL\" is neither a number nor a name that is known here; did you mean \"REL_DIAL\"?"
        ),
        ("[input a]\nkind = none\nmatch-rel = 768\n", "3: [input a] match-rel: \"768\" is not between 0 and 767"),
        (
            "[input a]\nkind = knob\nwithout-rel = 0\naxis = 7\n",
            "1: [input a] the rule matches every device; give it at least one key \"match-…\""
        ),
        (
            "[input a]\nkind = knob\nmatch-rel = 7\naxis = 7\nunits-per-detent = 0\n",
            "5: [input a] units-per-detent: \"0\" is not between 1 and 100000"
        ),
    ]

    @Test(arguments: wrongRules.indices)
    func tellsWhatIsWrongAndWhere(index: Int) {
        let (text, line) = Self.wrongRules[index]
        #expect(problems { _ = try table(text) } == ["t0.ini:\(line)"])
    }

    @Test func limitsItsRules() throws {
        let file = { (from: Int, to: Int) in
            (from..<to).map { "[device r\($0)]\nkind = none\nmatch-class = 09\n" }.joined()
        }
        let room = DeviceTable.maximumRules - DeviceTable.shipped.usbRules.count
        #expect(try table(file(0, room)).usbRules.count == DeviceTable.maximumRules)
        #expect(
            problems { _ = try table(file(0, room), file(room, room + 1)) } == [
                "t1.ini:1: [device r\(room)] a device table has at most 1024 rules of a kind"
            ])
    }
}

@Suite struct DeviceProfilesTests {
    @Test func listsEveryVirtualDevice() {
        #expect(DeviceProfiles.all.map(\.name) == ["iphone", "ipad", "ipod", "android", "dongle", "head-unit"])
        #expect(DeviceProfiles.all.allSatisfy { !$0.summary.isEmpty && DisplayDescription.isName($0.name) })
    }

    /// A virtual device looks like the real one: its ids alone are recognised as its kind, except for a head unit, which
    /// is told by its interface.
    @Test func aVirtualDeviceHasTheIdsOfItsKind() {
        for device in DeviceProfiles.all where device.kind != .headUnit {
            #expect(DeviceTable.shipped.classify(usb(device.vendor, device.product))?.kind == device.kind)
        }
    }

    @Test func findsAProfileOrSuggestsOne() throws {
        #expect(try DeviceProfiles.virtual(named: "ipad").kind == .iPad)
        let error = try #require(throws: UnknownProfile.self) { _ = try DeviceProfiles.virtual(named: "iphnoe") }
        #expect(error.suggestion == "iphone")
        #expect(error.known == DeviceProfiles.all.map(\.name))
    }

    @Test func serialsCarryTheNumber() throws {
        let iPhone = try DeviceProfiles.virtual(named: "iphone")
        #expect(iPhone.serial(number: 1) == "DASHRIG00000IPHONE000001")
        #expect(iPhone.serial(number: 1).count == 24)
        #expect(iPhone.serial(number: 12_345) == "DASHRIG00000IPHONE0012345")
        #expect(!iPhone.serial(number: .min).isEmpty)
        let facts = iPhone.facts(serial: "S")
        #expect(facts.origin == .simulated && facts.port == "virtual" && facts.profile == "iphone")
    }
}
