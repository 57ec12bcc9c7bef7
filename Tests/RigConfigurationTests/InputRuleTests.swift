import Foundation
import RigConfiguration
import RigModel
import Testing

private func table(_ texts: String...) throws -> DeviceTable {
    try DeviceTable.parse(texts.enumerated().map { ConfigurationFile(name: "t\($0.offset).ini", text: $0.element) })
}

@Suite struct InputDecisionTests {
    private static let powerMate = InputDeviceDescription(vendor: 0x077D, product: 0x0410, key: [0x100], rel: [7])

    @Test func everyRuleThatFitsIsToldInTheOrderOfDeciding() throws {
        let decision = DeviceTable.shipped.decision(of: Self.powerMate)
        #expect(decision.deciding?.description == "powermate (210)")
        #expect(decision.others.map(\.description) == ["knob-dial (100)"])
        #expect(decision.needsChoice == nil)
        // Of equal priorities the later rule decides and the earlier is told.
        let own = "[input own]\nkind = knob\nmatch-rel = 7\naxis = 7\npriority = 210\n"
        #expect(
            try table(own).decision(of: Self.powerMate).others.map(\.rule) == ["powermate", "knob-dial"])
    }

    @Test func whatPeopleWorkWithNeedsToBeChosen() {
        let pad = InputDeviceDescription(key: [0x110, 0x145, 0x14A], abs: [0, 1, 0x2F, 0x35, 0x36])
        let decision = DeviceTable.shipped.decision(of: pad)
        #expect(decision.classification == .unknown && decision.deciding == nil)
        #expect(decision.needsChoice?.rule == "touchpad")
        let chosen = DeviceTable.shipped.decision(of: pad, isChosen: true)
        #expect(chosen.classification.profile?.kind == .touchpad && chosen.needsChoice == nil)
    }

    @Test func noneIsDecidedToo() {
        let keys = InputDeviceDescription(vendor: 0x045E, product: 0x091B, key: [142, 143])
        #expect(DeviceTable.shipped.classification(of: keys) == .ignored(rule: "surface-dial-rest"))
    }

    @Test(arguments: [("Pad", "1-1"), ("Other", "1-1"), ("Other", "1-2"), ("Pad left out", "1-1")])
    func settingsChoose(name: String, port: String) {
        var settings = InputSettings()
        #expect(!settings.chooses(name: name, port: port))
        settings.names = NameFilter(only: [NamePattern("Pad*")], except: [NamePattern("*left out")])
        #expect(settings.chooses(name: name, port: port) == (name == "Pad"))
        settings = InputSettings()
        settings.ports = NameFilter(only: [NamePattern("1-2")])
        #expect(settings.chooses(name: name, port: port) == (port == "1-2"))
    }
}

@Suite struct KeymapTests {
    @Test func aKeymapReadsEveryMeaning() throws {
        let table = try table(
            "[keymap all]\nKEY_F13 = press\nKEY_F14 = turn -100\n185 = nudge up-left\nKEY_F16 = hang-up\nKEY_F17 = up\n"
        )
        #expect(
            table.keymaps.last
                == Keymap.with(
                    "all",
                    [
                        KeyBinding(183, .press), KeyBinding(184, .turn(detents: -100)),
                        KeyBinding(185, .nudge(.upLeft)),
                        KeyBinding(186, .key(.hangUp)), KeyBinding(187, .key(.up)),
                    ], in: table))
    }

    /// A rule may name a keymap that stands below it; a keymap that is said again holds for the shipped rules too.
    @Test func aReplacedKeymapHoldsEverywhere() throws {
        let board = InputDeviceDescription(key: [114, 115])
        let plain = try #require(DeviceTable.shipped.classify(board, isChosen: true))
        #expect(
            plain.layout(of: board).keys == [KeyBinding(115, .turn(detents: 1)), KeyBinding(114, .turn(detents: -1))])
        let table = try table(
            "[input mine]\nkind = knob\nmatch-name = Mine\nkeys = below\n[keymap below]\nKEY_F13 = press\n",
            "[keymap volume]\nKEY_VOLUMEUP = turn 5\n")
        let turned = try #require(table.classify(board, isChosen: true))
        #expect(turned.layout(of: board).keys == [KeyBinding(115, .turn(detents: 5))])
        let mine = InputDeviceDescription(name: "Mine", key: [183])
        #expect(table.classify(mine)?.layout(of: mine).keys == [KeyBinding(183, .press)])
    }

    @Test(arguments: [
        ("[keymap]\n", "1: [keymap] the section needs a name, as in [keymap main]"),
        ("[keymap a]\n", "1: [keymap a] a keymap has at least one key, as in KEY_ENTER = press"),
        (
            "[keymap a]\nKEY_ENTR = press\n",
            "2: [keymap a] KEY_ENTR: \"KEY_ENTR\" is neither a number nor a name that is known here; did you mean \"KEY_ENTER\"?"
        ),
        (
            "[keymap a]\nKEY_ENTER = turn\n",
            "2: [keymap a] KEY_ENTER: \"turn\" is none of home, back, voice, play, pause, play-pause, next, previous, call, "
                + "hang-up, hook-switch, mute, up, down, left, right, select; nor is it press, turn N or nudge DIRECTION; "
                + "did you mean \"turn\"?"
        ),
        ("[keymap a]\nKEY_ENTER = turn 0\n", "2: [keymap a] KEY_ENTER: \"0\" is not between 1 and 100"),
        (
            "[keymap a]\nKEY_ENTER = nudge upp\n",
            "2: [keymap a] KEY_ENTER: \"upp\" is none of up, down, left, right, up-left, up-right, down-left, down-right; "
                + "did you mean \"up\"?"
        ),
        (
            "[keymap a]\nKEY_ENTER = a b c\n",
            "2: [keymap a] KEY_ENTER: \"a b c\" is none of press, turn N, nudge DIRECTION and a key of the car"
        ),
        ("[keymap a]\nKEY_ENTER = press\n28 = press\n", "3: [keymap a] 28: this keymap has the code 28 already"),
        (
            "[input a]\nkind = keys\nmatch-key = 1\nkeys = volum\n",
            "4: [input a] keys: there is no keymap \"volum\"; did you mean \"volume\"?"
        ),
        ("[input a]\nkind = keys\nmatch-key = 1\n", "1: [input a] the section needs the key \"keys\""),
        (
            "[input a]\nkind = touchpad\nmatch-key = 1\nmargins = 1, 2\n",
            "4: [input a] margins: \"1, 2\" is not LEFT, TOP, RIGHT, BOTTOM in units of the device"
        ),
        (
            "[input a]\nkind = touchscreen\nmatch-key = 1\nrotation = 45\n",
            "4: [input a] rotation: \"45\" is none of 0, 90, 180, 270"
        ),
        (
            "[input a]\nkind = touchpad\nmatch-key = 1\npad = relativ\n",
            "4: [input a] pad: \"relativ\" is none of absolute, relative; did you mean \"relative\"?"
        ),
        (
            "[input a]\nkind = touchpad\nmatch-key = 1\nrotatoin = 90\n",
            "4: [input a] rotatoin: this section has no such key; did you mean \"rotation\"?"
        ),
        (
            "[input a]\nkind = knob\nmatch-rel = 7\naxis = 7\nunits-per-detent = 1/2/3\n",
            "5: [input a] units-per-detent: \"1/2/3\" is not a number as in 4, or 1/2"
        ),
    ])
    func whatIsWrongIsToldWithItsPlace(text: String, expected: String) {
        let found = problems { _ = try table(text) }
        #expect(found.map { $0.replacingOccurrences(of: "t0.ini:", with: "") } == [expected])
    }
}

extension Keymap {
    fileprivate static func with(_ name: String, _ keys: [KeyBinding], in table: DeviceTable) -> Keymap? {
        table.keymaps.first { $0.name == name && $0.keys == keys }
    }
}
