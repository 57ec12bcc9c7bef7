import InputCore
import RigModel

/// Raw evdev events, in and out of frames: turns add up to what was turned, presses and releases alternate, and nothing
/// stays pressed at the end.
///
/// Input: five bytes of layout, then operations.
enum KnobTarget {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        var input = FuzzInput(bytes)
        let layout = KnobLayout(
            axis: input.pick([EvdevCode.dial, EvdevCode.wheel, EvdevCode.wheelHighResolution]),
            unitsPerDetent: input.pick([1, 2, 120, 100_000, .max]), reversed: input.bool(),
            press: input.pick([nil, EvdevCode.button0, EvdevCode.enter]), longPress: UInt64(input.byte()) << 20)
        var bench = Bench(layout: layout)
        while !input.isAtEnd { try bench.operate(&input) }
        try bench.end()
    }

    private struct Bench {
        let layout: KnobLayout
        var decoder: KnobDecoder
        var time: UInt64 = 0
        var isDown = false
        /// Units in whole frames, and detents told; neither can overflow in one input.
        var units: Int64 = 0
        var frame: Int64 = 0
        var detents: Int64 = 0
        /// Whether every unit can be expected to have been counted: nothing was cut at a limit.
        var isExact = true
        /// After a loss, until the torn frame's end: its units are lost.
        var isTorn = false

        init(layout: KnobLayout) {
            self.layout = layout
            decoder = KnobDecoder(layout: layout)
        }

        mutating func operate(_ input: inout FuzzInput) throws(FuzzFinding) {
            switch input.int(0...9) {
            case 0: try decode(EvdevCode.synchronization, EvdevCode.report, 0)
            case 1: try decode(EvdevCode.synchronization, EvdevCode.dropped, 0)
            case 2: try turn(Int32(Int8(bitPattern: input.byte())))
            case 3: try turn(Int32(bitPattern: input.long()))
            case 4: try push(input.pick([0, 1, 2, -1]))
            case 5: try decode(input.word(), input.word(), Int32(bitPattern: input.long()))
            case 6: time = input.wide()
            case 7: time &+= UInt64(input.byte()) << 20
            case 8:
                let keys = input.pick([[], [layout.press ?? 0], [1, 2, 3]])
                var events: [InputEvent] = []
                decoder.resynchronize(keysDown: keys, time: time, into: &events)
                try note(events)
            default: try decode(EvdevCode.relative, input.word(), Int32(bitPattern: input.long()))
            }
        }

        mutating func end() throws(FuzzFinding) {
            try decode(EvdevCode.synchronization, EvdevCode.report, 0)
            if isExact {
                // What does not make a whole detent is kept, on whichever side of a detent the knob is.
                let rest = units - detents * Int64(layout.unitsPerDetent)
                try require(
                    rest.magnitude < UInt64(layout.unitsPerDetent.magnitude),
                    "\(detents) detents were told of \(units) units, \(layout.unitsPerDetent) in each")
            }
            var events: [InputEvent] = []
            decoder.end(time: time, into: &events)
            try note(events)
            try require(!isDown, "the knob is held although its device is gone")
        }

        private mutating func turn(_ value: Int32) throws(FuzzFinding) {
            try decode(EvdevCode.relative, layout.axis ?? EvdevCode.dial, value)
        }

        private mutating func push(_ value: Int32) throws(FuzzFinding) {
            try decode(EvdevCode.key, layout.press ?? EvdevCode.button0, value)
        }

        private mutating func decode(_ type: UInt16, _ code: UInt16, _ value: Int32) throws(FuzzFinding) {
            if type == EvdevCode.relative && code == layout.axis && !isTorn {
                frame += layout.reversed ? -Int64(value) : Int64(value)
                if frame.magnitude > UInt64(Int32.max) { isExact = false }
            }
            let isReport = type == EvdevCode.synchronization && code == EvdevCode.report
            let isDrop = type == EvdevCode.synchronization && code == EvdevCode.dropped
            if isReport || isDrop {
                if isReport { units += frame }
                frame = 0
                isTorn = isDrop
            }
            var events: [InputEvent] = []
            let notice = decoder.decode(type: type, code: code, value: value, time: time, into: &events)
            try require(notice == nil || isDrop, "a loss is told that nobody reported")
            try require(events.isEmpty || isReport, "events come in the middle of a frame")
            try note(events)
        }

        private mutating func note(_ events: [InputEvent]) throws(FuzzFinding) {
            try require(events.count <= 32, "\(events.count) events of one frame")
            for event in events {
                switch event {
                case .knob(.rotate(let turned)):
                    try require(turned != 0, "a turn of nothing")
                    if turned == .max || turned == .min { isExact = false }
                    detents += Int64(turned)
                case .knob(.pressed):
                    try require(!isDown, "pressed twice")
                    isDown = true
                case .knob(.released(let held, let long)):
                    try require(isDown, "released twice")
                    try require(long == (held >= layout.longPress), "\(held) ns are \(long ? "" : "not ")long")
                    isDown = false
                case .knob(.nudge), .touch, .touchpad, .key: throw FuzzFinding("a knob told \(event)")
                }
            }
        }
    }
}
