import EvemuFormat
import RigConfiguration
import RigModel
import Testing

@testable import VirtualInput

@Suite struct VirtualInputDeviceTests {
    private func made(_ kind: VirtualInputDevice.Kind) throws -> InputDeviceDescription {
        try VirtualInputDevice(kind).description
    }

    @Test func aKnobHasADialAndAButton() throws {
        let knob = try made(.knob)
        #expect(knob.name == "Dashrig knob" && knob.bus == 6 && knob.vendor == 0)
        #expect(knob.ev == [1, 2] && knob.key == [0x100] && knob.rel == [7] && knob.abs == [] && knob.props == [])
    }

    @Test func aTouchpadHasFingersAndAButtonBelowThem() throws {
        let pad = try made(.touchpad)
        #expect(pad.ev == [1, 3] && pad.rel == [])
        #expect(pad.key == [0x110, 0x145, 0x148, 0x14A, 0x14D, 0x14E, 0x14F])
        #expect(pad.props == [0, 2])
        #expect(pad.abs == [0, 1, 0x2F, 0x35, 0x36, 0x39])
        #expect(pad.range(of: 0x35) == AbsoluteRange(code: 0x35, minimum: 0, maximum: 999, resolution: 10))
        #expect(pad.range(of: 0x36)?.maximum == 599 && pad.range(of: 0x2F)?.maximum == 4)
        #expect(pad.range(of: 0x39)?.maximum == 65_535)
    }

    @Test func aTouchscreenHasTheSizeThatIsAskedFor() throws {
        let surface = VirtualSurface(width: 1_920, height: 720, resolution: 4, slots: 2)
        let screen = try VirtualInputDevice(
            .touchscreen, name: "Left", vendor: 0x1234, product: 0x5678, surface: surface
        ).description
        #expect(screen.name == "Left" && screen.vendor == 0x1234 && screen.product == 0x5678)
        #expect(screen.key == [0x14A] && screen.props == [1])
        #expect(screen.range(of: 0)?.maximum == 1_919 && screen.range(of: 1)?.maximum == 719)
        #expect(screen.range(of: 0x36)?.resolution == 4 && screen.range(of: 0x2F)?.maximum == 1)
    }

    @Test(arguments: [
        (VirtualInputDevice.Kind.knob, "knob-dial"), (.touchpad, "touchpad"), (.touchscreen, "touchscreen"),
    ])
    func theShippedTableTakesItForWhatItIs(_ kind: VirtualInputDevice.Kind, _ rule: String) throws {
        let profile = DeviceTable.shipped.classify(try made(kind), isChosen: true)
        #expect(profile?.name == rule)
        #expect(profile?.kind.rawValue == kind.rawValue)
    }

    @Test func itsPlaceMakesItChosen() {
        var settings = InputSettings()
        #expect(settings.chooses(name: "Dashrig touchpad", port: "dashrig/virtual-12/input0"))
        #expect(!settings.chooses(name: "Dashrig touchpad", port: "usb-1/input0"))
        settings.names.except = [NamePattern("Dashrig*")]
        #expect(!settings.chooses(name: "Dashrig touchpad", port: "dashrig/virtual-12/input0"))
    }

    @Test func noSurfaceIsTooSmall() {
        for surface in [
            VirtualSurface(width: 1, height: 600, resolution: 0, slots: 1),
            VirtualSurface(width: 600, height: 1, resolution: 0, slots: 1),
            VirtualSurface(width: 600, height: 600, resolution: 0, slots: 0),
            VirtualSurface(width: 600, height: 600, resolution: 0, slots: 101),
        ] {
            #expect(throws: VirtualInputRefusal.self) { try VirtualInputDevice(.touchpad, surface: surface) }
        }
    }
}

@Suite struct RecordedDeviceTests {
    private static let keyboard = InputDeviceDescription(
        bus: 3, vendor: 1, product: 2, version: 3, name: "Keys", phys: "usb-1/input0", uniq: "u",
        ev: [0, 1, 4, 17, 20], key: [28, 29, 30, 56, 97, 99, 100, 116, 142, 143, 205, 238, 247, 0x164, 0x198])

    @Test func itHasWhatTheRecordingSaysButNoKeysThatTheMachineActsOn() throws {
        let device = try VirtualInputDevice(recorded: Self.keyboard)
        #expect(device.kind == nil)
        #expect(device.description.key == [28, 30])
        #expect(device.withheld == [29, 56, 97, 99, 100, 116, 142, 143, 205, 238, 247, 0x164, 0x198])
        // No autorepeat, LEDs or scan codes: the kernel is to add nothing to what was recorded.
        #expect(device.description.ev == [1])
        #expect(device.description.bus == 3 && device.description.version == 3)
        // Where the other one was plugged in is nothing for this one.
        #expect(device.description.phys == "" && device.description.uniq == "")
        #expect(device.typesOnConsole)
        #expect(try !VirtualInputDevice(.touchpad).typesOnConsole && !VirtualInputDevice(.knob).typesOnConsole)
    }

    @Test(arguments: WithheldKey.table.map(\.code)) func noWithheldKeyIsEverMadeOrSent(_ code: UInt16) throws {
        let device = try VirtualInputDevice(recorded: InputDeviceDescription(ev: [1], key: [30, code]))
        #expect(device.description.key == [30] && device.withheld == [code])
        #expect(!device.sends(EvdevEvent(type: 1, code: code, value: 1, time: 0)))
        #expect(throws: VirtualInputRefusal.self) {
            try VirtualInputDevice(recorded: InputDeviceDescription(ev: [1], key: [code]))
        }
    }

    @Test func whatTheKernelRefusesIsSaidBeforeItIsAsked() {
        func axis(_ minimum: Int32, _ maximum: Int32, flat: Int32 = 0, code: UInt16 = 0) -> InputDeviceDescription {
            InputDeviceDescription(
                abs: [code], axes: [AbsoluteRange(code: code, minimum: minimum, maximum: maximum, flat: flat)])
        }
        let wrong: [(InputDeviceDescription, String)] = [
            (InputDeviceDescription(), "no key"), (InputDeviceDescription(rel: [16]), "relative axis 16"),
            (InputDeviceDescription(abs: [64]), "absolute axis 64"), (InputDeviceDescription(key: [768]), "key 768"),
            (InputDeviceDescription(key: [30], props: [32]), "property 32"), (axis(5, 5), "from 5 to 5"),
            (axis(6, 5), "from 6 to 5"), (axis(0, 5, flat: 6), "rest position 6"), (axis(.min, .max), "range"),
            (axis(0, 100, code: 0x2F), "slots"), (axis(1, 4, code: 0x2F), "slots"),
        ]
        for (device, text) in wrong {
            do {
                _ = try VirtualInputDevice(recorded: device)
                Issue.record("\(text): it was made")
            } catch {
                #expect(error.text.contains(text), "\(error.text)")
            }
        }
    }

    @Test func rangesOfAxesThatItDoesNotHaveAreLeftOut() throws {
        let device = try VirtualInputDevice(
            recorded: InputDeviceDescription(
                abs: [0, 1],
                axes: [
                    AbsoluteRange(code: 0, minimum: 0, maximum: 0), AbsoluteRange(code: 1, minimum: -5, maximum: 5),
                    AbsoluteRange(code: 2, minimum: 9, maximum: 3),
                ]))
        #expect(device.description.axes.map(\.code) == [0, 1])
    }

    @Test func aNameIsCutAsTheKernelWouldAndHasNoControlCharacters() throws {
        func name(_ text: String) throws -> (String, Bool) {
            let device = try VirtualInputDevice(recorded: InputDeviceDescription(name: text, key: [30]))
            return (device.description.name, device.isNameCut)
        }
        #expect(try name("") == ("Dashrig device", false))
        #expect(try name(String(repeating: "x", count: 79)) == (String(repeating: "x", count: 79), false))
        #expect(try name(String(repeating: "x", count: 78) + "é") == (String(repeating: "x", count: 78), true))
        #expect(try name("a\nb\0") == ("a?b?", true))
    }
}
