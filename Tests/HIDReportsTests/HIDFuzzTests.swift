import HIDReports
import RigTestKit
import Testing

/// Bytes that nobody means, the same in every run.
@Suite struct HIDFuzzTests {
    static let sources: [[UInt8]] =
        [HIDVectors.bytes(HIDVectors.knob), HIDVectors.bytes(HIDVectors.iPod)]
        + [
            StandardInput.touchpad(contacts: 3), .touchscreen(maximumX: 799, maximumY: 479), .mediaKeys, .telephonyKeys,
            .consumerRemote,
        ].map(\.descriptor)

    @Test(arguments: 0..<40 as Range<UInt64>)
    func neverTrapsOnChangedDescriptorsAndAnyReports(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var read = 0
        for round in 0..<150 {
            var bytes = Self.sources.randomElement(using: &generator) ?? []
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                let place = Int.random(in: 0..<max(1, bytes.count), using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0 where !bytes.isEmpty: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
                case 1 where !bytes.isEmpty: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                case 2: bytes.insert(UInt8.random(in: .min ... .max, using: &generator), at: min(place, bytes.count))
                default: bytes.removeSubrange(min(place, bytes.count)..<min(bytes.count, place + 2))
                }
            }
            let descriptor: HIDDescriptor
            do throws(HIDDescriptorError) {
                descriptor = try HIDDescriptor.parse(bytes)
            } catch {
                #expect((0...bytes.count).contains(error.offset), "seed \(seed), round \(round): \(error)")
                continue
            }
            read += 1
            #expect(try HIDDescriptor.parse(descriptor.encoded()) == descriptor, "seed \(seed), round \(round)")
            try Self.feed(descriptor, &generator, "seed \(seed), round \(round)")
        }
        #expect(read > 20, "seed \(seed)")
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func neverTrapsOnNoise(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let bytes = generator.bytes(Int.random(in: 0...64, using: &generator))
            _ = try? HIDDescriptor.parse(bytes)
        }
    }

    /// Everything that goes down comes up.
    private static func feed(
        _ descriptor: HIDDescriptor, _ generator: inout SeededGenerator, _ what: String
    ) throws {
        var reader = HIDReportReader(descriptor)
        var down: [HIDUsage] = []
        var touching: [Int] = []
        var events: [HIDReportEvent] = []
        let inputs = descriptor.reports.filter { $0.kind == .input }
        for _ in 0..<20 {
            var report = generator.bytes(Int.random(in: 0...16, using: &generator))
            if let layout = inputs.randomElement(using: &generator) {
                report = generator.bytes(layout.byteCount)
                if let id = layout.id { report[0] = id }
                try reader.read(report[...], into: &events)
            } else {
                #expect(throws: HIDReportError.self, "\(what)") { try reader.read(report[...], into: &events) }
            }
        }
        reader.end(into: &events)
        for event in events {
            switch event {
            case .rotated(let units): #expect(units != 0, "\(what)")
            case .pushed(let x, let y): #expect(max(abs(x), abs(y)) <= 1_000, "\(what)")
            case .button(let usage, let isDown):
                // One usage may be in several reports.
                if isDown {
                    down.append(usage)
                } else {
                    let index = try #require(down.firstIndex(of: usage), "\(what)")
                    down.remove(at: index)
                }
            case .contacts(let contacts):
                for contact in contacts {
                    #expect((0...HIDContact.full).contains(contact.x), "\(what)")
                    #expect((0...HIDContact.full).contains(contact.y), "\(what)")
                    #expect(touching.contains(contact.number) == (contact.phase != .down), "\(what)")
                    if contact.phase == .down { touching.append(contact.number) }
                    if contact.phase == .up { touching.removeAll { $0 == contact.number } }
                }
            }
        }
        #expect(down == [] && touching == [], "\(what)")
    }
}
