import ControlProtocol
import RigTestKit
import Testing
import WireBytes

@Suite("MessageCatalogue")
struct MessageCatalogueTests {
    @Test("numbers and names are there once, and are found")
    func lookup() {
        let all = MessageCatalogue.all
        #expect(Set(all.map(\.id)).count == all.count)
        #expect(Set(all.map(\.name)).count == all.count)
        for layout in all {
            #expect(MessageCatalogue.layout(of: layout.id) == layout)
            #expect(MessageCatalogue.id(named: layout.name) == layout.id)
            #expect(MessageCatalogue.id(named: layout.id.hexadecimal) == layout.id)
        }
        #expect(MessageCatalogue.layout(of: MessageID(0)) == nil)
        #expect(MessageCatalogue.layout(of: MessageID(0xFFFF)) == nil)
        for name in ["", "0x", "0x12345", "0xG", "Nothing", "5001"] { #expect(MessageCatalogue.id(named: name) == nil) }
    }

    @Test("the fields of every message and group are there once, by number and by name, and no deeper than is read")
    func fields() {
        func check(_ fields: [MessageField], _ path: String, depth: Int) {
            #expect(depth <= MessageCatalogue.maximumDepth, "\(path)")
            #expect(Set(fields.map(\.id)).count == fields.count, "\(path)")
            #expect(Set(fields.map(\.name)).count == fields.count, "\(path)")
            for field in fields {
                #expect(UInt16(field.name) == nil && !field.name.isEmpty, "\(path).\(field.name)")
                #expect(!field.type.legal.isEmpty && !field.type.name.isEmpty)
                if case .group(let inner) = field.type { check(inner, "\(path).\(field.name)", depth: depth + 1) }
                if case .choice(let choices) = field.type {
                    #expect(Set(choices.map(\.value)).count == choices.count, "\(path).\(field.name)")
                    #expect(Set(choices.map(\.name)).count == choices.count, "\(path).\(field.name)")
                }
            }
        }
        for layout in MessageCatalogue.all { check(layout.fields, layout.name, depth: 1) }
    }

    @Test("every message of the fact sheet is there, with its sender")
    func completeness() {
        let accessory: [ClosedRange<UInt16>] = [
            0x0B01...0x0B02, 0x1D01...0x1D01, 0x1D05...0x1D06, 0x4154...0x4154, 0x4156...0x4157, 0x4159...0x4161,
            0x4301...0x4301, 0x4C00...0x4C00, 0x4C02...0x4C03, 0x4C05...0x4C09, 0x4E01...0x4E01, 0x4E03...0x4E03,
            0x4E05...0x4E05, 0x5000...0x5000, 0x5002...0x5003, 0x5200...0x5200, 0x5203...0x5203, 0x5700...0x5700,
            0x5703...0x5703, 0x6800...0x6800, 0x6802...0x6803, 0xA101...0xA101, 0xAA01...0xAA01, 0xAA03...0xAA03,
            0xAA06...0xAA06, 0xAE00...0xAE00, 0xAE02...0xAE03, 0xAE05...0xAE05, 0xD500...0xD500, 0xDA00...0xDA00,
            0xDA02...0xDA02, 0xEA02...0xEA03, 0xFFFB...0xFFFB,
        ]
        let device: [ClosedRange<UInt16>] = [
            0x0B00...0x0B00, 0x0B03...0x0B03, 0x1D00...0x1D00, 0x1D02...0x1D03, 0x4155...0x4155, 0x4158...0x4158,
            0x4300...0x4300, 0x4C01...0x4C01, 0x4C04...0x4C04, 0x4E04...0x4E04, 0x4E09...0x4E0E, 0x5001...0x5001,
            0x5201...0x5202, 0x5204...0x5204, 0x5701...0x5702, 0x6801...0x6801, 0x6806...0x6807, 0xA100...0xA100,
            0xA102...0xA102, 0xAA00...0xAA00, 0xAA02...0xAA02, 0xAA04...0xAA05, 0xAE01...0xAE01, 0xD501...0xD501,
            0xDA01...0xDA01, 0xEA00...0xEA01, 0xFFF0...0xFFF0, 0xFFFA...0xFFFA, 0xFFFC...0xFFFC,
        ]
        for id in accessory.flatMap({ $0 }) { #expect(MessageID(id).sender == .accessory, "\(MessageID(id))") }
        for id in device.flatMap({ $0 }) { #expect(MessageID(id).sender == .device, "\(MessageID(id))") }
        #expect(MessageCatalogue.all.count == (accessory + device).map(\.count).reduce(0, +))
    }

    @Test("every known message is read by name without an oddity, and written as it was", arguments: ControlVector.all)
    func vectors(vector: ControlVector) throws {
        let message = try ControlMessage(parsing: vector.bytes[...])
        let content = MessageContent(message)
        #expect(content.problems() == [])
        #expect(content.isKnown)
        #expect(try content.message().encoded() == vector.bytes)
        // By name alone, as a scenario writes it.
        let byName = MessageContent(message.id, content.fields.map { FieldEntry($0.name, $0.value) })
        #expect(try byName.message().encoded() == vector.bytes)
    }

    @Test("the accepted identification is read by name, in order")
    func identification() throws {
        let message = try ControlMessage(parsing: hex(ControlVector.identification)[...])
        let content = MessageContent(message)
        #expect(content.problems() == [])
        #expect(
            content.fields.map(\.name) == [
                "name", "modelIdentifier", "manufacturer", "serialNumber", "firmwareVersion", "hardwareVersion",
                "messagesSent", "messagesReceived", "powerProvidingCapability", "maximumCurrentDrawn",
                "currentLanguage", "supportedLanguage", "bluetoothTransport", "vehicleInformation",
                "wirelessTransport", "routeGuidanceDisplay",
            ])
        #expect(content.fields[0].value == .text("Bench-HU-001"))
        #expect(content.fields[6].value == .numbers([0x5703]))
        #expect(content.fields[8].value == .choice(2, name: "advanced"))
        #expect(
            content.fields[12].value
                == .group([
                    FieldEntry("id", .unsigned(1)), FieldEntry("name", .text("IAP2-Bluetooth")),
                    FieldEntry("supportsLink", .present), FieldEntry("address", .bytes([2, 0, 0, 0, 0, 1])),
                ]).numbered(0, 1, 2, 3))
        #expect(try content.message() == message)
    }

    @Test("what is not known or does not fit is kept as it came, marked with its place, and written back")
    func marks() throws {
        let rows: [(String, FieldEntry.Mark, Int)] = [
            // An unknown parameter.
            ("40 40 00 0C 4E 0A 00 06 00 09 12 34", .unknown, 1),
            // Text without NUL.
            (
                "40 40 00 0C 4E 0A 00 06 00 00 65 6E",
                .malformed(WireError(.invalidText, offset: 10, field: "parameter 0")), 1
            ),
            // A number of the wrong width.
            (
                "40 40 00 0B AE 03 00 05 00 00 01",
                .malformed(WireError(.truncated(needed: 2, available: 1), offset: 10, field: "parameter 0")), 1
            ),
        ]
        for (text, mark, problems) in rows {
            let message = try ControlMessage(parsing: hex(text)[...])
            let content = MessageContent(message)
            #expect(content.fields.map(\.mark) == [mark], "\(text)")
            #expect(content.problems().count == problems, "\(text)")
            #expect(try content.message().encoded() == hex(text))
        }
        // A second one of a parameter that may be there once.
        let twice = try ControlMessage(parsing: hex("40 40 00 14 4E 0A 00 07 00 00 65 6E 00 00 07 00 00 64 65 00")[...])
        let content = MessageContent(twice)
        #expect(content.fields.map(\.value) == [.text("en"), .raw([0x64, 0x65, 0])])
        #expect(content.problems().map(\.offset) == [17])
        #expect(content.problems().map(\.path) == ["DeviceLanguageUpdate.language"])
        #expect(try content.message() == twice)
        // A message whose lengths do not add up.
        let broken = try ControlMessage(parsing: hex("40 40 00 0C 4E 0A 00 05 00 09 01 FF")[...])
        let kept = MessageContent(broken)
        #expect(kept.rest == [0xFF])
        #expect(kept.problems().last?.offset == 11)
        #expect(try kept.message() == broken)
        // An unknown message.
        let unknown = try ControlMessage(parsing: hex("40 40 00 0B 12 34 00 05 00 00 01")[...])
        #expect(!MessageContent(unknown).isKnown)
        #expect(try MessageContent(unknown).message() == unknown)
        #expect(MessageContent(unknown).problems().map(\.description) == ["0x1234.0: unknown"])
    }

    @Test("bytes of any kind are read and written back", arguments: 0..<8 as Range<UInt64>)
    func random(part: UInt64) throws {
        for seed in part * 250..<(part + 1) * 250 {
            var generator = SeededGenerator(seed: seed)
            let id = MessageID.known.randomElement(using: &generator) ?? MessageID(0)
            var parameters = ControlParameters()
            for _ in 0..<Int.random(in: 0..<6, using: &generator) {
                let count = Int.random(in: 0..<14, using: &generator)
                try parameters.append(
                    .random(in: 0..<20, using: &generator),
                    bytes: (0..<count).map { _ in UInt8.random(in: 0..<9, using: &generator) })
            }
            if generator.chance(percent: 25) {
                parameters = ControlParameters(encoded: parameters.encoded + [3], offset: 6)
            }
            let message = ControlMessage(id, parameters: parameters)
            #expect(try MessageContent(message).message() == message, "seed \(seed)")
        }
    }
}

extension FieldValue {
    /// A group as it is read: with the numbers of its parameters.
    func numbered(_ ids: UInt16...) -> FieldValue {
        guard case .group(var entries) = self else { return self }
        for (index, id) in ids.enumerated() { entries[index].id = id }
        return .group(entries)
    }
}
