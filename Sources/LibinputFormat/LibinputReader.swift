#if HAVE_YAML
    internal import RigModel

    /// Takes the steps of a file one after the other and keeps what a recording has.
    struct LibinputReader {
        /// How deep a value that is skipped may be: ours; a recording goes seven levels down.
        static let maximumDepth = 32

        private let events: YAMLEvents
        private var eventCount = 0

        init(_ events: YAMLEvents) {
            self.events = events
        }

        /// The devices of the file.
        mutating func document() throws(LibinputProblem) -> [LibinputRecording] {
            guard try events.next() == .mappingStart else { throw problem("a text without keys", "version: 1") }
            var isVersioned = false
            var devices: [LibinputRecording]?
            var seen: [String] = []
            while let key = try nextKey() {
                // Two recordings in one file, which would be taken for the second.
                try note(key, among: ["version", "ndevices", "libinput", "system", "devices"], in: &seen)
                switch key {
                case "version":
                    let version = try number("the version of the form", in: 1...Int64.max)
                    guard version == 1 else { throw problem("version \(version)", "version: 1, the only one there is") }
                    isVersioned = true
                case "devices": devices = try readDevices()
                default: try skip()
                }
            }
            guard try events.next() == .end else { throw problem("a second document", "the end of the file") }
            guard isVersioned else { throw problem("no version", "version: 1 at the top level") }
            guard let devices, !devices.isEmpty else { throw problem("no devices", "a list of devices") }
            return devices
        }

        private mutating func readDevices() throws(LibinputProblem) -> [LibinputRecording] {
            var devices: [LibinputRecording] = []
            try begin(.sequenceStart, "a list of devices")
            while true {
                switch try events.next() {
                case .mappingStart: devices.append(try device())
                case .sequenceEnd: return devices
                case .scalar, .sequenceStart, .mappingEnd, .end:
                    throw problem("no keys", "a device: node, evdev, events")
                }
                guard devices.count <= LibinputRecording.maximumDevices else {
                    throw problem("one device more", "at most \(LibinputRecording.maximumDevices) devices")
                }
            }
        }

        private mutating func device() throws(LibinputProblem) -> LibinputRecording {
            var node = ""
            var description: InputDeviceDescription?
            var reports = ReportAssembly()
            var seen: [String] = []
            while let key = try nextKey() {
                try note(key, among: ["node", "evdev", "events"], in: &seen)
                switch key {
                case "node": node = try text("the path of a node")
                case "evdev": description = try readDescription()
                case "events": try readEvents(into: &reports)
                default: try skip()
                }
            }
            guard let description else { throw problem("a device without evdev", "evdev: with its name, id and codes") }
            return LibinputRecording(
                node: node, device: description, frames: reports.frames, losses: reports.losses,
                unfinished: reports.unfinished)
        }

        // MARK: Description

        private mutating func readDescription() throws(LibinputProblem) -> InputDeviceDescription {
            try begin(.mappingStart, "the keys name, id, codes, absinfo and properties")
            var name = ""
            var id: [Int64] = [0, 0, 0, 0]
            var codes: [Int64: [UInt16]] = [:]
            var axes: [AbsoluteRange] = []
            var props: [UInt16] = []
            while let key = try nextKey() {
                switch key {
                case "name": name = try text("the name of the device")
                case "id":
                    id = try numbers(
                        "a bus, a vendor, a product and a version, each 0 to 65535", in: 0...65_535, most: 4)
                    guard id.count == 4 else {
                        throw problem("\(id.count) numbers", "four: bus, vendor, product, version")
                    }
                case "codes": codes = try readCodes()
                case "absinfo": axes = try readAxes()
                case "properties": props = try codeList(most: 32)
                default: try skip()
                }
            }
            func word(_ place: Int) -> UInt16 { UInt16(truncatingIfNeeded: id[place]) }
            return InputDeviceDescription(
                bus: word(0), vendor: word(1), product: word(2), version: word(3), name: name,
                ev: (0...31).filter { codes[Int64($0)] != nil }, key: codes[1] ?? [], rel: codes[2] ?? [],
                abs: codes[3] ?? [], props: props, axes: axes)
        }

        private mutating func readCodes() throws(LibinputProblem) -> [Int64: [UInt16]] {
            try begin(.mappingStart, "an event type and its codes: 1: [272, 330]")
            var codes: [Int64: [UInt16]] = [:]
            while let key = try nextKey() {
                guard let type = Int64(key), (0...31).contains(type) else {
                    throw problem(Quotation.quoted(key), "an event type from 0 to 31")
                }
                // As many as the largest type has: KEY_CNT of linux/input-event-codes.h.
                codes[type] = try codeList(most: 768)
            }
            return codes
        }

        private mutating func readAxes() throws(LibinputProblem) -> [AbsoluteRange] {
            try begin(.mappingStart, "an axis and its range: 0: [0, 4089, 0, 0, 42]")
            var axes: [AbsoluteRange] = []
            while let key = try nextKey() {
                guard let code = UInt16(key), code < 64 else {
                    throw problem(Quotation.quoted(key), "an axis from 0 to 63")
                }
                let limits = Int64(Int32.min)...Int64(Int32.max)
                let values = try numbers("five 32-bit numbers", in: limits, most: 5).map {
                    Int32(truncatingIfNeeded: $0)
                }
                guard values.count == 5 else {
                    throw problem("\(values.count) numbers", "five: smallest, largest, noise, rest, resolution")
                }
                axes.removeAll { $0.code == code }
                axes.append(
                    AbsoluteRange(
                        code: code, minimum: values[0], maximum: values[1], fuzz: values[2], flat: values[3],
                        resolution: values[4]))
            }
            return axes
        }

        private mutating func codeList(most: Int) throws(LibinputProblem) -> [UInt16] {
            try numbers("a code from 0 to 767", in: 0...767, most: most).map { UInt16(truncatingIfNeeded: $0) }
        }

        // MARK: Events

        private mutating func readEvents(into reports: inout ReportAssembly) throws(LibinputProblem) {
            switch try events.next() {
            case .sequenceStart: break
            // A device that was recorded and sent nothing has the key alone.
            case .scalar(""): return
            case .scalar, .mappingStart, .mappingEnd, .sequenceEnd, .end: throw problem("no list", "a list of events")
            }
            while true {
                switch try events.next() {
                case .mappingStart:
                    while let key = try nextKey() {
                        guard key == "evdev" else {
                            try skip()
                            continue
                        }
                        try readReport(into: &reports)
                    }
                case .sequenceEnd: return
                case .scalar, .sequenceStart, .mappingEnd, .end: throw problem("no keys", "evdev: and its events")
                }
            }
        }

        private mutating func readReport(into reports: inout ReportAssembly) throws(LibinputProblem) {
            try begin(.sequenceStart, "a list of events")
            while true {
                switch try events.next() {
                case .sequenceStart:
                    let values = try restOfNumbers(
                        "five whole numbers: seconds, microseconds, type, code, value",
                        in: Int64(Int32.min)...Int64(UInt32.max), most: 5)
                    guard values.count == 5, let event = Self.event(values) else {
                        throw problem(
                            "[\(values.map(String.init).joined(separator: ", "))]",
                            "[seconds, microseconds, type, code, value] within their ranges")
                    }
                    eventCount += 1
                    guard eventCount <= LibinputRecording.maximumEvents else {
                        throw problem("one event more", "at most \(LibinputRecording.maximumEvents) events")
                    }
                    guard reports.take(event) else {
                        throw problem(
                            "one event more", "a SYN_REPORT after at most \(EvdevFrame.maximumEvents) events")
                    }
                case .sequenceEnd: return
                case .scalar, .mappingStart, .mappingEnd, .end:
                    throw problem("no event", "[seconds, microseconds, type, code, value]")
                }
            }
        }

        private static func event(_ values: [Int64]) -> EvdevEvent? {
            guard values[0] >= 0, (0..<1_000_000).contains(values[1]), (0..<32).contains(values[2]),
                let code = UInt16(exactly: values[3]), let value = Int32(exactly: values[4])
            else { return nil }
            return EvdevEvent(
                type: UInt16(truncatingIfNeeded: values[2]), code: code, value: value,
                time: UInt64(values[0]) * 1_000_000_000 + UInt64(values[1]) * 1_000)
        }

        // MARK: Values

        /// The next key of the mapping that is open; nil at its end.
        private func nextKey() throws(LibinputProblem) -> String? {
            switch try events.next() {
            case .scalar(let key): return key
            case .mappingEnd: return nil
            case .sequenceStart, .sequenceEnd, .mappingStart, .end:
                throw problem("no key", "a key, a word before a colon")
            }
        }

        /// Notes a key that a mapping has once at most.
        private func note(_ key: String, among known: [String], in seen: inout [String]) throws(LibinputProblem) {
            guard known.contains(key) else { return }
            if seen.contains(key) {
                throw problem("\(key): stands here a second time", "one recording, each key once; cut files apart")
            }
            seen.append(key)
        }

        private func begin(_ start: YAMLEvent, _ expected: String) throws(LibinputProblem) {
            let event = try events.next()
            guard event == start else {
                if case .scalar(let text) = event { throw problem(Quotation.quoted(text), expected) }
                throw problem("something else", expected)
            }
        }

        private func text(_ expected: String) throws(LibinputProblem) -> String {
            guard case .scalar(let text) = try events.next() else { throw problem("no text", expected) }
            // The kernel cuts names at 256 bytes; a longer text is none of a device.
            guard text.utf8.count <= 1_024 else { throw problem("\(text.utf8.count) bytes", "at most 1024 bytes") }
            return text
        }

        private func number(_ expected: String, in range: ClosedRange<Int64>) throws(LibinputProblem) -> Int64 {
            guard case .scalar(let text) = try events.next() else { throw problem("no number", expected) }
            return try Self.number(text, expected, in: range, line: events.line)
        }

        private func numbers(
            _ expected: String, in range: ClosedRange<Int64>, most: Int
        ) throws(LibinputProblem) -> [Int64] {
            try begin(.sequenceStart, expected)
            return try restOfNumbers(expected, in: range, most: most)
        }

        /// The numbers of a list that has begun.
        private func restOfNumbers(
            _ expected: String, in range: ClosedRange<Int64>, most: Int
        ) throws(LibinputProblem) -> [Int64] {
            var values: [Int64] = []
            while true {
                switch try events.next() {
                case .scalar(let text):
                    guard values.count < most else { throw problem("one number more", "at most \(most) numbers") }
                    values.append(try Self.number(text, expected, in: range, line: events.line))
                case .sequenceEnd: return values
                case .sequenceStart, .mappingStart, .mappingEnd, .end: throw problem("no number", expected)
                }
            }
        }

        private static func number(
            _ text: String, _ expected: String, in range: ClosedRange<Int64>, line: Int
        ) throws(LibinputProblem) -> Int64 {
            guard let value = Int64(text), range.contains(value) else {
                throw .wrong(line: line, found: Quotation.quoted(text), expected: expected)
            }
            return value
        }

        /// Passes over one value, whatever it is.
        private func skip() throws(LibinputProblem) {
            var depth = 0
            repeat {
                switch try events.next() {
                case .scalar: break
                case .sequenceStart, .mappingStart:
                    depth += 1
                    guard depth <= Self.maximumDepth else {
                        throw problem("one level more", "at most \(Self.maximumDepth) levels")
                    }
                case .sequenceEnd, .mappingEnd: depth -= 1
                case .end: throw problem("the end of the file", "a value")
                }
            } while depth > 0
        }

        private func problem(_ found: String, _ expected: String) -> LibinputProblem {
            .wrong(line: events.line, found: found, expected: expected)
        }
    }
#endif
