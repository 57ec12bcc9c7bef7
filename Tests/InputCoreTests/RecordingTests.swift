import EvemuFormat
import Foundation
import InputCore
import RigConfiguration
import RigModel
import Testing

/// What real devices sent, as others published it.
@Suite(.enabled(if: Recording.folder != nil, "no published recordings on this machine (shared/fixtures/recordings)"))
struct RecordingTests {
    private static func play(
        _ recording: Recording, rule: String, limits: IntentLimits = IntentLimits(), table: DeviceTable = .shipped
    ) throws -> [DeviceInput] {
        let profile = try #require(table.classify(recording.device, isChosen: true))
        #expect(profile.name == rule)
        var decoder = InputDecoder(profile.layout(of: recording.device), limits: limits)
        var inputs: [DeviceInput] = []
        for frame in recording.frames { decoder.decode(frame, into: &inputs) }
        let whole = inputs.count
        decoder.end(time: .max, into: &inputs)
        #expect(inputs.count == whole, "something was still held at the end")
        return inputs
    }

    private static func intents(_ inputs: [DeviceInput]) -> [InputIntent] {
        inputs.compactMap { if case .intent(let intent) = $0 { intent } else { nil } }
    }

    private static func pads(_ inputs: [DeviceInput]) -> [[PadContact]] {
        inputs.compactMap { if case .event(.touchpad(let touch)) = $0 { touch.contacts } else { nil } }
    }

    private static func touches(_ inputs: [DeviceInput]) -> [[SurfaceContact]] {
        inputs.compactMap { if case .touch(let contacts) = $0 { contacts } else { nil } }
    }

    /// Descriptions and events of versions 1.0 to 1.3, from several recorders.
    @Test func everyFileIsReadAndReadsTheSameWhenItIsWritten() throws {
        let folder = try #require(Recording.folder)
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { ["desc", "events"].contains($0.pathExtension) }
        #expect(files.count >= 12)
        for file in files {
            let name = file.lastPathComponent
            let recording = try EvemuRecording(parsing: [UInt8](Data(contentsOf: file)))
            #expect((recording.device != nil) == (name.hasSuffix("desc") || !name.contains("scroll")), "\(name)")
            #expect(recording.frames.isEmpty == name.hasSuffix("desc"), "\(name)")
            #expect(recording.losses == 0 && recording.unfinished == 0, "\(name)")
            var writer = EvemuWriter()
            var text = recording.device.map { writer.head($0) } ?? ""
            for frame in recording.frames { text += writer.frame(frame) }
            let again = try EvemuRecording(parsing: Array(text.utf8))
            #expect(again.device == recording.device, "\(name)")
            #expect(again.duration == recording.duration, "\(name)")
            #expect(
                again.frames.map { $0.events.map { [Int($0.type), Int($0.code), Int($0.value)] } }
                    == recording.frames.map { $0.events.map { [Int($0.type), Int($0.code), Int($0.value)] } }, "\(name)"
            )
        }
    }

    @Test(arguments: [
        ("single-tap", [InputIntent.tap(fingers: 1)]), ("double-tap", [.tap(fingers: 1), .tap(fingers: 1)]),
        ("2-finger-tap", [.tap(fingers: 2)]),
    ])
    func aTapIsATap(events: String, expected: [InputIntent]) throws {
        let inputs = try Self.play(try Recording("alps-glidepoint", events), rule: "touchpad")
        #expect(Self.intents(inputs) == expected)
        let contacts = Self.pads(inputs).joined()
        #expect(contacts.filter { $0.phase == .began }.count == contacts.filter { $0.phase == .ended }.count)
    }

    @Test func fastTapsAreAsManyAsThereWere() throws {
        let inputs = try Self.play(
            try Recording("atmel-maxtouch", "1-finger-fast-taps"), rule: "touchscreen")
        let contacts = Self.touches(inputs).joined()
        #expect(contacts.filter { $0.phase == .began }.count == 9)
        #expect(contacts.filter { $0.phase == .ended }.count == 9)
        #expect(Self.touches(inputs).allSatisfy { $0.count == 1 })
    }

    @Test func fourFingersAreFourContactsThatGoDown() throws {
        let recording = try Recording("atmel-maxtouch", "4-finger-drag-down")
        let frames = Self.touches(try Self.play(recording, rule: "touchscreen"))
        #expect(frames.map(\.count).max() == 4)
        let contacts = frames.joined()
        for id in 0..<4 {
            let own = contacts.filter { $0.id == id }
            #expect(own.first?.phase == .began && own.last?.phase == .ended)
            #expect(own.filter { $0.phase == .began }.count == 1)
            let way = (own.last?.y ?? 0) - (own.first?.y ?? 0)
            // As in the file: 180, 173, 180 and 139 units.
            #expect(way == [180, 173, 180, 139][id])
        }
        // The screen has 800 by 480 units: units are the bench display's pixels.
        let profile = try #require(DeviceTable.shipped.classify(recording.device, isChosen: true))
        let surface = try #require(profile.layout(of: recording.device).surface)
        let geometry = TouchGeometry(surface, on: InputBench.display, revision: 1)
        for contact in contacts {
            #expect(geometry.point(x: contact.x, y: contact.y) == PixelPoint(x: Int(contact.x), y: Int(contact.y)))
        }
    }

    /// The file that is called a two-finger scroll has one finger only, as the driver of its time told it. It goes to
    /// 1905, 3946, 1878, 4115, 1665, 4177, 1392 and 4554 from 2321, where 3508 units are the assumed 40 mm.
    @Test func oneFingerMovesTheFocus() throws {
        let recording = try Recording("synaptics-hp8470p", "two-finger-scroll-vertical")
        let table = try DeviceTable.parse([
            ConfigurationFile(
                name: "pad.ini",
                text: "[input pad]\nkind = touchpad\npriority = 300\nmatch-name = SynPS*\npad = relative\nkeys = pad\n")
        ])
        let inputs = try Self.play(recording, rule: "pad", table: table)
        let steps = Self.intents(inputs)
        #expect(steps.first == .focus(.down))
        #expect(steps.allSatisfy { $0 == .focus(.down) || $0 == .focus(.up) })
        // Each step is 8 mm, 702 units: the sum is where the finger ended, to a step.
        let sum = steps.reduce(0) { $0 + ($1 == .focus(.down) ? 1 : -1) }
        #expect(sum == (4_554 - 2_321) / 702, "\(steps)")
        // Every stroke but the first, which is shorter than a step, shows.
        let turns = zip(steps, steps.dropFirst()).filter { $0 != $1 }.count
        #expect(turns == 6, "\(steps)")
        #expect(Self.pads(inputs).allSatisfy { $0.count == 1 })
    }

    /// The same finger twice, 100 units apart: they scroll as far as the file says they went, and down.
    @Test func twoFingersScrollTheRightWayAndFar() throws {
        let recording = try Recording("synaptics-hp8470p", "two-finger-scroll-vertical")
        let profile = try #require(DeviceTable.shipped.classify(recording.device, isChosen: true))
        var decoder = InputDecoder(profile.layout(of: recording.device))
        var inputs: [DeviceInput] = []
        for frame in recording.frames {
            var both = frame
            both.events = [EvdevEvent(type: 3, code: 0x2F, value: 0, time: frame.time)] + frame.events
            both.events.append(EvdevEvent(type: 3, code: 0x2F, value: 1, time: frame.time))
            both.events += frame.events.filter { $0.type == 3 && $0.code >= 0x30 }.map { event in
                var other = event
                if event.code == 0x35 { other.value += 100 }
                if event.code == 0x39 && event.value >= 0 { other.value += 1 }
                return other
            }
            decoder.decode(both, into: &inputs)
        }
        var (x, y) = (0, 0)
        for case .scroll(let dx, let dy) in Self.intents(inputs) { (x, y) = (x + dx, y + dy) }
        #expect(!Self.intents(inputs).isEmpty)
        #expect(Self.intents(inputs).allSatisfy { if case .scroll = $0 { true } else { false } })
        // 382 of 4256 units of 70 mm, 2233 of 3508 units of 40 mm; the rounding of each place is 10 micrometres.
        #expect(abs(x - 382 * 7_000 / 4_256) <= 2 && abs(y - 2_233 * 4_000 / 3_508) <= 2, "\(x), \(y)")
    }

    /// A mouse's wheel, made a knob by a rule of the bench.
    @Test func aWheelTurnsAsFarAsItSays() throws {
        let recording = try Recording("ibm-scrollpoint", "scroll")
        #expect(DeviceTable.shipped.classify(recording.device, isChosen: true) == nil)
        let table = try DeviceTable.parse([
            ConfigurationFile(
                name: "wheel.ini",
                text: "[input scrollpoint]\nkind = knob\nmatch-vendor = 04b3\nmatch-rel = REL_WHEEL\naxis = REL_WHEEL\n"
            )
        ])
        let inputs = try Self.play(recording, rule: "scrollpoint", table: table)
        var detents = 0
        for case .event(.knob(.rotate(let turned))) in inputs { detents += Int(turned) }
        #expect(detents == -112)
        #expect(inputs.count == 51)
    }
}
