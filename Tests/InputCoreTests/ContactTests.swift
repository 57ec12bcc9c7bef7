import InputCore
import RigModel
import Testing

/// Contacts whatever the device says: balanced, in order, never more than there are slots.
@Suite struct ContactTests {
    private static func layout(_ kind: SurfaceLayout.Kind, slots: Int) -> InputLayout {
        let range = AbsoluteRange(code: 0, minimum: 0, maximum: 1_000, resolution: 10)
        return InputLayout(surface: SurfaceLayout(kind: kind, x: range, y: range, slots: slots))
    }

    @Test(arguments: SurfaceLayout.Kind.allCases, [0, 1, 2, 10])
    func contactsAreBalancedWhateverComes(kind: SurfaceLayout.Kind, slots: Int) {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SplitMix(state: seed)
        let codes: [(UInt16, UInt16)] = [
            (3, 0x2F), (3, 0x39), (3, 0x39), (3, 0x35), (3, 0x36), (3, 0), (3, 1), (1, 0x14A), (1, 0x145), (1, 0x14D),
            (1, 0x14E), (2, 7),
        ]
        let values: [Int32] = [-1, 0, 1, 2, 9, 10, 500, 1_000, .max, .min]
        var decoder = InputDecoder(Self.layout(kind, slots: slots))
        var down: Set<Int> = []
        func check(_ contacts: [(id: Int, phase: ContactPhase)]) {
            #expect(!contacts.isEmpty && contacts.count <= max(1, slots), "seed \(seed)")
            #expect(zip(contacts, contacts.dropFirst()).allSatisfy { $0.id < $1.id }, "seed \(seed)")
            for contact in contacts {
                switch contact.phase {
                case .began: #expect(down.insert(contact.id).inserted, "seed \(seed)")
                case .moved, .stationary: #expect(down.contains(contact.id), "seed \(seed)")
                case .ended, .cancelled: #expect(down.remove(contact.id) != nil, "seed \(seed)")
                }
            }
            let told = contacts.filter { $0.phase != .ended && $0.phase != .cancelled }.map(\.id)
            #expect(Set(told) == down, "seed \(seed)")
        }
        func take(_ inputs: [DeviceInput]) {
            for input in inputs {
                switch input {
                case .touch(let contacts): check(contacts.map { ($0.id, $0.phase) })
                case .event(.touchpad(let touch)):
                    check(touch.contacts.map { ($0.id, $0.phase) })
                    #expect(
                        touch.contacts.allSatisfy {
                            (0...10_000).contains($0.point.x) && (0...10_000).contains($0.point.y)
                        })
                case .intent(.scroll(let x, let y)): #expect((x, y) != (0, 0), "seed \(seed)")
                case .intent: #expect(kind != .screen, "seed \(seed)")
                case .event: Issue.record("no such event of a surface, seed \(seed)")
                }
            }
        }
        for index in 0..<3_000 {
            let events = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
                let (type, code) = codes.randomElement(using: &generator) ?? (0, 0)
                let value = values.randomElement(using: &generator) ?? 0
                return EvdevEvent(type: type, code: code, value: value, time: 0)
            }
            let cause: EvdevFrame.Cause =
                index == 0 ? .initial : Bool.random(using: &generator) ? .reported : .recovered
            var inputs: [DeviceInput] = []
            decoder.decode(
                EvdevFrame(cause: cause, events: events, time: .random(in: 0 ... .max, using: &generator)),
                into: &inputs)
            take(inputs)
        }
        var inputs: [DeviceInput] = []
        decoder.end(time: 0, into: &inputs)
        take(inputs)
        #expect(down.isEmpty, "seed \(seed)")
        inputs = []
        decoder.end(time: 0, into: &inputs)
        #expect(inputs.isEmpty)
    }

    /// A character that is drawn arrives as it was drawn, in both modes.
    @Test(arguments: [SurfaceLayout.Kind.pad, .focusPad])
    func aTraceIsPassedThrough(kind: SurfaceLayout.Kind) {
        var decoder = InputDecoder(Self.layout(kind, slots: 2))
        var inputs: [DeviceInput] = []
        let trace: [(Int32, Int32)] = [(100, 100), (120, 140), (160, 200), (160, 260), (100, 300)]
        for (place, point) in trace.enumerated() {
            var events = [
                EvdevEvent(type: 3, code: 0x35, value: point.0, time: 0),
                EvdevEvent(type: 3, code: 0x36, value: point.1, time: 0),
            ]
            if place == 0 { events.insert(EvdevEvent(type: 3, code: 0x39, value: 5, time: 0), at: 0) }
            decoder.decode(
                EvdevFrame(cause: .reported, events: events, time: UInt64(place) * 8_000_000), into: &inputs)
        }
        let points = inputs.compactMap { input -> PadPoint? in
            guard case .event(.touchpad(let touch)) = input else { return nil }
            return touch.contacts.first?.point
        }
        #expect(points == trace.map { PadPoint(x: Int($0.0) * 10, y: Int($0.1) * 10) })
    }
}
