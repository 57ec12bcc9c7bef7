internal import RigModel

/// Takes the lines of a file one after the other.
struct EvemuReader {
    /// The most codes of one type: KEY_CNT of linux/input-event-codes.h. Files give them in bytes.
    static let maximumCodeBytes = 96
    /// The event types there are: EV_CNT.
    static let typeCount = 32

    private var number = 0
    private var device = InputDeviceDescription()
    private var isDescribed = false
    private var props: [UInt8] = []
    private var codes = [[UInt8]](repeating: [], count: Self.typeCount)
    private var axes: [AbsoluteRange] = []

    private var reports = ReportAssembly()
    private var eventCount = 0

    /// Takes one line without its end.
    mutating func take(_ raw: ArraySlice<UInt8>) throws(EvemuProblem) {
        number += 1
        var line = EvemuLine(raw.last == UInt8(ascii: "\r") ? raw.dropLast() : raw, number: number)
        guard raw.count <= EvemuRecording.maximumLine else {
            throw line.problem("a line of at most \(EvemuRecording.maximumLine) bytes")
        }
        guard let first = line.first else { return }
        if first == UInt8(ascii: "#") { return try takeComment(line) }
        guard line.skipKey() else { throw line.problem(Self.keys) }
        switch first {
        case UInt8(ascii: "N"): device.name = line.rest
        case UInt8(ascii: "I"): try takeIDs(&line)
        case UInt8(ascii: "P"): try Self.append(to: &props, from: &line)
        case UInt8(ascii: "B"):
            let type = try line.hex("an event type from 00 to 1f", below: UInt32(Self.typeCount))
            try Self.append(to: &codes[Int(type)], from: &line)
        case UInt8(ascii: "A"): try takeAxis(&line)
        case UInt8(ascii: "L"), UInt8(ascii: "S"):
            _ = try line.hex("a code", below: 0x400)
            _ = try line.decimal("a state")
            try line.end()
        case UInt8(ascii: "E"): return try takeEvent(&line)
        default: throw line.problem(Self.keys)
        }
        isDescribed = true
    }

    /// What was read; an unfinished report is counted and left out.
    func finish() -> EvemuRecording {
        EvemuRecording(
            device: isDescribed ? described() : nil, frames: reports.frames, losses: reports.losses,
            unfinished: reports.unfinished)
    }

    private static let keys = "a line with N:, I:, P:, B:, A:, L:, S: or E:, or a comment with #"

    /// Only the comment that tells the version matters: another major version may mean anything.
    private func takeComment(_ line: EvemuLine) throws(EvemuProblem) {
        guard number == 1 else { return }
        let words = line.rest.split(separator: " ")
        guard words.count > 2, words[1] == "EVEMU" else { return }
        guard words[2].hasPrefix("1.") else { throw line.problem("a file of version 1.0 to 1.3: # EVEMU 1.3") }
    }

    private mutating func takeIDs(_ line: inout EvemuLine) throws(EvemuProblem) {
        device.bus = try line.hex("the bus, four hexadecimal digits")
        device.vendor = try line.hex("the vendor, four hexadecimal digits")
        device.product = try line.hex("the product, four hexadecimal digits")
        device.version = try line.hex("the version, four hexadecimal digits")
        try line.end()
    }

    private mutating func takeAxis(_ line: inout EvemuLine) throws(EvemuProblem) {
        var range = AbsoluteRange(
            code: try line.hex("an axis from 00 to 3f", below: 0x40), minimum: try line.decimal("the smallest value"),
            maximum: try line.decimal("the largest value"), fuzz: try line.decimal("the noise"),
            flat: try line.decimal("the rest position"))
        if line.hasMore { range.resolution = try line.decimal("the resolution") }
        try line.end()
        axes.removeAll { $0.code == range.code }
        axes.append(range)
    }

    private mutating func takeEvent(_ line: inout EvemuLine) throws(EvemuProblem) {
        let time = try line.time()
        let event = EvdevEvent(
            type: try line.hex("an event type from 0000 to 001f", below: UInt32(Self.typeCount)),
            code: try line.hex("an event code, four hexadecimal digits"), value: try line.decimal("the value"),
            time: time)
        try line.end()
        eventCount += 1
        guard eventCount <= EvemuRecording.maximumEvents else {
            throw line.problem("at most \(EvemuRecording.maximumEvents) events")
        }
        guard reports.take(event) else {
            throw line.problem("a SYN_REPORT after at most \(EvdevFrame.maximumEvents) events")
        }
    }

    private static func append(to bytes: inout [UInt8], from line: inout EvemuLine) throws(EvemuProblem) {
        repeat {
            bytes.append(UInt8(truncatingIfNeeded: try line.hex("a byte of two hexadecimal digits", below: 0x100)))
            guard bytes.count <= maximumCodeBytes else {
                throw line.problem("at most \(maximumCodeBytes) bytes of codes for one type")
            }
        } while line.hasMore
    }

    private func described() -> InputDeviceDescription {
        InputDeviceDescription(
            bus: device.bus, vendor: device.vendor, product: device.product, version: device.version,
            name: device.name, ev: Self.set(codes[0]), key: Self.set(codes[1]), rel: Self.set(codes[2]),
            abs: Self.set(codes[3]), props: Self.set(props), axes: axes)
    }

    private static func set(_ bytes: [UInt8]) -> [UInt16] {
        var set: [UInt16] = []
        for (place, byte) in bytes.enumerated() where byte != 0 {
            for bit in 0..<8 where byte & (1 << UInt8(bit)) != 0 { set.append(UInt16(place * 8 + bit)) }
        }
        return set
    }
}
