import InputCore
import RigConfiguration
import RigModel
import Testing

@testable import VirtualInput

/// A device that is told what to do, line by line, and the decoder that the rig would have for it.
private struct Bench {
    let device: VirtualInputDevice
    var encoder: VirtualInputEncoder
    private var decoder: InputDecoder
    private var now: UInt64 = 1_000_000_000

    init(_ device: VirtualInputDevice) throws {
        self.device = device
        encoder = VirtualInputEncoder(device)
        let profile = try #require(DeviceTable.shipped.classify(device.description, isChosen: true))
        decoder = InputDecoder(profile.layout(of: device.description))
    }

    /// What lines become: types, codes and values, a report a row. Each event is one that the device has.
    mutating func reports(_ lines: String...) throws -> [[[Int32]]] {
        var reports: [[[Int32]]] = []
        for line in lines {
            for case .report(let events) in try actions(line) {
                #expect(events.allSatisfy(device.sends) && !events.isEmpty)
                reports.append(events.map { [Int32($0.type), Int32($0.code), $0.value] })
            }
        }
        return reports
    }

    mutating func actions(_ line: String) throws -> [VirtualInputAction] {
        let command = try #require(try VirtualInputCommand.parse(Array(line.utf8)[...]))
        return try encoder.actions(for: command)
    }

    /// What the rig would hear.
    mutating func heard(_ lines: String...) throws -> [DeviceInput] {
        var inputs: [DeviceInput] = []
        for line in lines {
            for action in try actions(line) {
                switch action {
                case .pause(let time): now += time
                case .echo: break
                case .report(let events):
                    let stamped = events.map { EvdevEvent(type: $0.type, code: $0.code, value: $0.value, time: now) }
                    decoder.decode(EvdevFrame(cause: .reported, events: stamped, time: now), into: &inputs)
                }
            }
        }
        return inputs
    }

    mutating func refusal(_ line: String) -> VirtualInputRefusal? {
        let before = encoder
        do {
            _ = try actions(line)
            return nil
        } catch {
            // A refused command changes nothing.
            #expect("\(before)" == "\(encoder)")
            return error as? VirtualInputRefusal
        }
    }
}

@Suite struct VirtualInputEncoderTests {
    @Test func aKnobTurnsAndIsPressed() throws {
        var knob = try Bench(VirtualInputDevice(.knob))
        #expect(try knob.reports("turn 3", "turn -1") == [[[2, 7, 3]], [[2, 7, -1]]])
        #expect(try knob.reports("press", "release") == [[[1, 0x100, 1]], [[1, 0x100, 0]]])
        #expect(
            try knob.heard("turn 3", "press", "turn -2", "release").filter {
                if case .event(.knob(.rotate)) = $0 { true } else { false }
            } == [.event(.knob(.rotate(detents: 3))), .event(.knob(.rotate(detents: -2)))])
    }

    @Test func oneFingerDownMovedAndUp() throws {
        var pad = try Bench(VirtualInputDevice(.touchpad))
        #expect(
            try pad.reports("down 2 0 1", "move 2 1 0.5", "up 2") == [
                [
                    [3, 0x2F, 2], [3, 0x39, 0], [3, 0x35, 0], [3, 0x36, 599], [1, 0x14A, 1], [1, 0x145, 1], [3, 0, 0],
                    [3, 1, 599],
                ], [[3, 0x2F, 2], [3, 0x35, 999], [3, 0x36, 300], [3, 0, 999], [3, 1, 300]],
                [[3, 0x2F, 2], [3, 0x39, -1], [1, 0x14A, 0], [1, 0x145, 0]],
            ])
    }

    @Test func fingersAreCountedAndTheOldestPoints() throws {
        var pad = try Bench(
            VirtualInputDevice(
                .touchpad, surface: VirtualSurface(width: 11, height: 11, resolution: 0, slots: 7)))
        var counts: [[[Int32]]] = []
        for finger in 0..<7 {
            counts += try pad.reports("down \(finger) 0.\(finger) 0").map { $0.filter { $0[0] == 1 } }
        }
        #expect(
            counts == [
                [[1, 0x14A, 1], [1, 0x145, 1]], [[1, 0x145, 0], [1, 0x14D, 1]], [[1, 0x14D, 0], [1, 0x14E, 1]],
                [[1, 0x14E, 0], [1, 0x14F, 1]], [[1, 0x14F, 0], [1, 0x148, 1]], [], [],
            ])
        // The first finger leaves: the second is the oldest now.
        #expect(try pad.reports("up 0") == [[[3, 0x2F, 0], [3, 0x39, -1], [3, 0, 1], [3, 1, 0]]])
        let rest = try pad.reports("up 1", "up 2", "up 3", "up 4", "up 5", "up 6")
        #expect(rest.last?.filter { $0[0] == 1 } == [[1, 0x14A, 0], [1, 0x145, 0]])
        // Contacts are never numbered alike.
        #expect(try pad.reports("down 0 0 0")[0][1] == [3, 0x39, 7])
    }

    @Test func aTouchscreenCountsNothing() throws {
        var screen = try Bench(VirtualInputDevice(.touchscreen))
        let keys = try screen.reports("down 0 0 0", "down 1 1 1", "up 0", "up 1").map { $0.filter { $0[0] == 1 } }
        #expect(keys == [[[1, 0x14A, 1]], [], [], [[1, 0x14A, 0]]])
    }

    @Test func aTapIsATapForTheRig() throws {
        var pad = try Bench(VirtualInputDevice(.touchpad))
        #expect(try pad.heard("tap 0.5 0.5").contains(.intent(.tap(fingers: 1))))
        #expect(
            try pad.heard("down 0 0.5 0.5", "down 3 0.6 0.5", "wait 50ms", "up 0", "up 3").contains(
                .intent(.tap(fingers: 2))))
        var screen = try Bench(VirtualInputDevice(.touchscreen))
        let touches = try screen.heard("tap 1 0")
        #expect(
            touches == [
                .touch([SurfaceContact(id: 0, x: 1_279, y: 0, phase: .began)]),
                .touch([SurfaceContact(id: 0, x: 1_279, y: 0, phase: .ended)]),
            ])
    }

    @Test func aTapTakesAFreeSlotAndTime() throws {
        var pad = try Bench(VirtualInputDevice(.touchpad))
        _ = try pad.actions("down 0 0 0")
        let tap = try pad.actions("tap 0.5 0.5")
        #expect(tap.count == 4)
        #expect(tap[1] == .pause(VirtualInputEncoder.tapLength) && tap[3] == tap[1])
        guard case .report(let events) = tap[0] else { return #expect(Bool(false)) }
        #expect(events[0].value == 1)
        for finger in 1..<5 { _ = try pad.actions("down \(finger) 0 0") }
        #expect(pad.refusal("tap 0 0")?.text.contains("5 are down") == true)
    }

    @Test func aPadsButtonIsBelowTheFingers() throws {
        var pad = try Bench(VirtualInputDevice(.touchpad))
        #expect(try pad.reports("press", "release") == [[[1, 0x110, 1]], [[1, 0x110, 0]]])
    }

    /// Kind × command × state: what is refused, at which word, and that it changes nothing.
    @Test func whatADeviceCannotDoIsRefused() throws {
        var knob = try Bench(VirtualInputDevice(.knob))
        var pad = try Bench(VirtualInputDevice(.touchpad))
        var screen = try Bench(VirtualInputDevice(.touchscreen))
        for line in ["tap 0 0", "down 0 0 0", "move 0 0 0", "up 0"] {
            #expect(knob.refusal(line)?.field == 1, "\(line)")
        }
        #expect(pad.refusal("turn 1")?.text == "a touchpad has no turn")
        #expect(screen.refusal("turn 1")?.text == "a touchscreen has no turn")
        #expect(screen.refusal("press")?.text == "a touchscreen has no button")
        #expect(knob.refusal("release")?.text == "the button is not down")
        _ = try knob.actions("press")
        #expect(knob.refusal("press")?.text == "the button is down already")
        #expect(pad.refusal("up 0")?.field == 2 && pad.refusal("move 1 0 0")?.field == 2)
        _ = try pad.actions("down 0 0 0")
        #expect(pad.refusal("down 0 0 0")?.field == 2 && pad.refusal("down 5 0 0")?.text.contains("0 to 4") == true)
    }

    @Test func singleEventsAreSentWithTheirReport() throws {
        var knob = try Bench(VirtualInputDevice(.knob))
        #expect(try knob.reports("E: 0.000000 0002 0007 0001", "E: 0.000000 0001 0100 0001") == [])
        #expect(knob.encoder.unfinished == 2)
        #expect(try knob.reports("E: 9.000000 0000 0000 0000") == [[[2, 7, 1], [1, 0x100, 1]]])
        #expect(knob.encoder.unfinished == 0)
        // The button that it pressed is the one that release lets go of.
        #expect(knob.refusal("press") != nil)
        #expect(try knob.reports("release") == [[[1, 0x100, 0]]])
        // An empty report is none.
        #expect(try knob.reports("E: 9.000000 0000 0000 0000") == [])
    }

    /// A word would come in front of the events that stand before it.
    @Test func wordsWaitForTheReportOfSingleEvents() throws {
        let words = ["turn 1", "press", "release", "tap 0 0", "down 0 0 0", "move 0 0 0", "up 0", "wait 1ms", "echo a"]
        for kind in VirtualInputDevice.Kind.allCases {
            var bench = try Bench(VirtualInputDevice(kind))
            let code = kind == .knob ? "0002 0007 1" : "0003 0000 1"
            _ = try bench.actions("E: 0.000000 \(code)")
            for word in words {
                #expect(bench.refusal(word)?.text.contains("SYN_REPORT ends it") == true, "\(kind): \(word)")
            }
            _ = try bench.actions("E: 0.000000 0000 0000 0")
            #expect(try bench.actions("echo a") == [.echo("a")])
        }
    }

    @Test func singleEventsThatItMayNotSendAreRefused() throws {
        let device = try VirtualInputDevice(recorded: InputDeviceDescription(key: [30, 116], rel: [7]))
        var recorded = Bench(device, plain: ())
        #expect(recorded.refusal("E: 0.000000 0001 0074 0001")?.text.hasPrefix("KEY_POWER is never sent") == true)
        #expect(recorded.refusal("E: 0.000000 0002 0008 0001")?.field == 4)
        #expect(recorded.refusal("E: 0.000000 0000 0003 0000")?.text.contains("SYN_REPORT") == true)
        #expect(recorded.refusal("E: 0.000000 0004 0004 0001")?.text.contains("of type 4") == true)
        for line in ["turn 1", "press", "tap 0 0", "up 0"] {
            #expect(recorded.refusal(line)?.text.contains("takes events only") == true, "\(line)")
        }
        #expect(try recorded.reports("E: 0.000000 0001 001e 0001", "E: 0.000000 0000 0000 0") == [[[1, 30, 1]]])
    }

    @Test func aReportIsBounded() throws {
        var knob = try Bench(VirtualInputDevice(.knob))
        for _ in 0..<EvdevFrame.maximumEvents { _ = try knob.actions("E: 0.000000 0002 0007 0001") }
        #expect(knob.refusal("E: 0.000000 0002 0007 0001")?.text.contains("at most") == true)
        #expect(try knob.reports("E: 0.000000 0000 0000 0").first?.count == EvdevFrame.maximumEvents)
    }

    @Test func contactsAreNumberedAnewAfterTheLast() throws {
        var pad = try Bench(VirtualInputDevice(.touchpad))
        for _ in 0..<0x1_0000 { _ = try pad.actions("tap 0 0") }
        #expect(try pad.reports("down 0 0 0")[0][1] == [3, 0x39, 0])
    }
}

extension Bench {
    /// A device that no rule of the table takes.
    fileprivate init(_ device: VirtualInputDevice, plain: Void) {
        self.device = device
        encoder = VirtualInputEncoder(device)
        decoder = InputDecoder(InputLayout())
    }
}

@Suite struct VirtualInputPlaybackTests {
    private func frame(_ time: UInt64, _ events: [(UInt16, UInt16, Int32)]) -> EvdevFrame {
        EvdevFrame(
            cause: .reported, events: events.map { EvdevEvent(type: $0.0, code: $0.1, value: $0.2, time: time) },
            time: time)
    }

    @Test func whatTheDeviceHasIsPlayedInItsTime() throws {
        let device = try VirtualInputDevice(recorded: InputDeviceDescription(key: [30, 116], rel: [7]))
        let playback = VirtualInputPlayback(
            [
                frame(5_000, [(2, 7, 1)]), frame(7_000, [(4, 4, 30), (1, 30, 1)]), frame(8_000, [(1, 116, 1)]),
                frame(8_500, [(1, 116, 0)]), frame(6_000, [(1, 30, 0)]), frame(6_500, [(2, 7, -1)]),
            ], on: device)
        #expect(playback.reports.map(\.offset) == [0, 2_000, 3_500, 4_000])
        #expect(playback.reports.map { $0.events.map(\.code) } == [[7], [30], [30], [7]])
        #expect(playback.leftOut == 3 && playback.withheldPresses == 1 && playback.duration == 4_000)
        #expect(VirtualInputPlayback([], on: device).duration == 0)
    }

    @Test func timesThatGoToAndFroStopAtTheLongest() throws {
        let device = try VirtualInputDevice(recorded: InputDeviceDescription(rel: [7]))
        let late: UInt64 = 9_999_999_999_000_000_000
        let playback = VirtualInputPlayback([0, late, 0, late].map { frame($0, [(2, 7, 1)]) }, on: device)
        #expect(playback.reports.map(\.offset) == [0, late, late, .max])
    }
}
