import EvdevInput
import InputCore
import RigModel

/// The bytes of an evdev node in any pieces, through records, stream and decoder to what is told: nothing stays held,
/// whatever goes down comes up once, contacts are told from their beginning to their end. Where a kernel speaks, with
/// overflows of its ring wherever they may be, what is told is also how its device stands, and turns add up.
///
/// Input: whether a kernel speaks, the device, then operations; or bytes as they are read.
enum EvdevTarget {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        var input = FuzzInput(bytes)
        if input.bool() {
            try wild(&input)
        } else {
            var bench = EvdevBench(&input)
            try bench.open(&input)
            while !input.isAtEnd { try bench.operate(&input) }
            try bench.end(&input)
        }
    }

    /// A device gone mad, and a kernel that says of it what it likes.
    private static func wild(_ input: inout FuzzInput) throws(FuzzFinding) {
        let device = input.pick(EvdevBench.devices)
        var records = EvdevRecords()
        var stream = EvdevStream(standing(device, &input), isSettled: input.bool())
        var told = InputFuzzBench([EvdevBench.layout(device)], IntentLimits())
        try told.feed(stream.standing.initialFrame(time: 0), node: 0)
        while !input.isAtEnd {
            let events = EvdevBench.events(in: input.bytes(upTo: 255), &records)
            for event in events where stream.take(event) == .frame { try told.feed(stream.frame, node: 0) }
            guard input.bool() else { continue }
            for frame in stream.recover(standing(device, &input), isSettled: input.bool(), time: input.wide()) {
                try told.feed(frame, node: 0)
            }
        }
        try told.end()
    }

    private static func standing(_ device: InputDeviceDescription, _ input: inout FuzzInput) -> EvdevStanding {
        var standing = EvdevStanding(device)
        for _ in 0..<input.int(0...5) {
            switch input.int(0...3) {
            case 0: standing.setKey(input.bool() ? input.pick([0x100, 28, 0x14A]) : input.word(), down: true)
            case 1: standing.setAxis(input.word(), to: Int32(bitPattern: input.long()))
            case 2: standing.setSlot(Int32(bitPattern: input.long()))
            default:
                standing.setValue(
                    input.pick([0x39, 0x35, 0x36]), ofSlot: input.int(0...6), to: Int32(bitPattern: input.long()))
            }
        }
        return standing
    }
}

/// A kernel, and a reader of it that keeps the rules of the true one.
private struct EvdevBench {
    private var kernel: EvdevKernelModel
    private var records = EvdevRecords()
    private var stream: EvdevStream
    private var told: InputFuzzBench
    private let cuts: FuzzCuts
    /// Keys and slots that were down when the node was opened: they are not compared.
    private var keysBefore: [UInt16] = []
    private var contactsBefore: [Int] = []
    /// What should have been turned by now, and is when the report that is read now is whole.
    private var turned: Int64 = 0
    private var turning: Int64 = 0
    private var isTorn = false
    private var hasLost = false
    private var losses = 0

    /// How often axes and slots are read back because something came meanwhile.
    private static let readBacks = 4
    private static let readsPerDrain = 64

    private static let axes = [0x2F, 0x35, 0x36, 0x39].map { (code: UInt16) in
        AbsoluteRange(code: code, minimum: 0, maximum: code == 0x2F ? 3 : 255, resolution: 10)
    }

    static let devices = [
        InputDeviceDescription(ev: [0, 1, 2], key: [0x100, 28], rel: [7]),
        InputDeviceDescription(ev: [0, 1, 3], key: [0x14A], abs: axes.map(\.code), props: [1], axes: axes),
        InputDeviceDescription(ev: [0, 1, 2, 3], key: [0x100, 28], rel: [7], abs: [0] + axes.map(\.code), axes: axes),
    ]

    static func layout(_ device: InputDeviceDescription) -> InputLayout {
        let surface = device.range(of: 0x2F).map { _ in
            SurfaceLayout(kind: .screen, x: axes[1], y: axes[2], slots: 4)
        }
        return InputLayout(
            turn: device.rel.isEmpty ? nil : TurnLayout(axis: 7),
            keys: device.key.contains(0x100) ? [KeyBinding(0x100, .press), KeyBinding(28, .key(.back))] : [],
            surface: surface)
    }

    /// The events that bytes make, behind those of before.
    static func events(in bytes: some Collection<UInt8>, _ records: inout EvdevRecords) -> [EvdevEvent] {
        var events: [EvdevEvent] = []
        Array(bytes).withUnsafeBytes { bytes in
            records.take(bytes) {
                events.append($0)
                return true
            }
        }
        return events
    }

    init(_ input: inout FuzzInput) {
        let device = input.pick(Self.devices)
        kernel = EvdevKernelModel(device, ringSize: input.pick([8, 16, 64]))
        stream = EvdevStream(EvdevStanding(device))
        told = InputFuzzBench([Self.layout(device)], IntentLimits())
        cuts = FuzzCuts(&input)
    }

    /// Opens the node, as a job does it: until nothing waits in the queue.
    mutating func open(_ input: inout FuzzInput) throws(FuzzFinding) {
        for _ in 0..<input.int(0...3) { kernel.report(&input) }
        // What was before the node was opened is not in its queue.
        while !kernel.take(64).isEmpty {}
        var standing = kernel.standing(&input)
        let hasAxes = !kernel.device.abs.isEmpty
        for _ in 0..<Self.readBacks where hasAxes && !kernel.isEmpty {
            while !kernel.take(64).isEmpty {}
            standing = kernel.standing(&input)
        }
        stream = EvdevStream(standing, isSettled: !hasAxes || kernel.isEmpty)
        // A key that was down then and is let go and pressed again in a hole has not changed for anybody.
        keysBefore = standing.downKeys
        contactsBefore = kernel.contacts
        try told.feed(standing.initialFrame(time: 0), node: 0)
        try require(told.detents == 0 && !told.isPressed && told.down[0].isEmpty, "told of what was before")
    }

    mutating func operate(_ input: inout FuzzInput) throws(FuzzFinding) {
        switch input.int(0...4) {
        case 0: try read(&input)
        case 1: for _ in 0..<input.int(0...40) { kernel.report(&input) }
        default: kernel.report(&input)
        }
    }

    mutating func end(_ input: inout FuzzInput) throws(FuzzFinding) {
        // Behind the end of the input nothing more comes: the node is quiet.
        for _ in 0..<3 { try read(&input) }
        try require(stream.isWhole && kernel.isEmpty, "a node that is quiet is not settled")
        try told.end()
    }

    /// A turn of the loop.
    private mutating func read(_ input: inout FuzzInput) throws(FuzzFinding) {
        var readBack: EvdevStanding?
        var count = 0
        for _ in 0..<Self.readsPerDrain {
            let events = kernel.take(input.int(0...63) + 1)
            if !events.isEmpty {
                readBack = nil
                try deliver(events)
                continue
            }
            guard stream.isDraining else { return try compare() }
            if readBack == nil && count < Self.readBacks {
                readBack = kernel.standing(&input)
                count += 1
                if !kernel.device.abs.isEmpty { continue }
            }
            return try recover(readBack, isSettled: readBack != nil, &input)
        }
        if stream.isDraining { try recover(readBack, isSettled: kernel.device.abs.isEmpty, &input) }
    }

    private mutating func recover(
        _ readBack: EvdevStanding?, isSettled: Bool, _ input: inout FuzzInput
    ) throws(FuzzFinding) {
        let now = readBack ?? kernel.standing(&input)
        for frame in stream.recover(now, isSettled: isSettled, time: 0) { try told.feed(frame, node: 0) }
        hasLost = false
        try compare()
    }

    private mutating func deliver(_ events: [EvdevEvent]) throws(FuzzFinding) {
        for event in events { expect(event) }
        var read: [EvdevEvent] = []
        for chunk in cuts.chunks(events.flatMap(Self.bytes)[...]) { read += Self.events(in: chunk, &records) }
        try require(read == events, "\(read) is read of \(events)")
        for event in read {
            switch stream.take(event) {
            case .gathered: break
            case .frame: try told.feed(stream.frame, node: 0)
            case .lost:
                try require(!hasLost, "a loss is told twice")
                hasLost = true
                losses += 1
            }
        }
        try require(told.detents == turned, "\(told.detents) detents are told of \(turned)")
    }

    /// Adds up what is turned in whole reports.
    private mutating func expect(_ event: EvdevEvent) {
        switch (event.type, event.code) {
        case (0, 3):
            isTorn = true
            turning = 0
        case (0, 0):
            if !isTorn { turned += turning }
            isTorn = false
            turning = 0
        case (2, 7): turning += Int64(event.value)
        default: break
        }
    }

    private static func bytes(_ event: EvdevEvent) -> [UInt8] {
        var bytes: [UInt8] = []
        withUnsafeBytes(of: Int64(event.time / 1_000_000_000)) { bytes += $0 }
        withUnsafeBytes(of: Int64(event.time % 1_000_000_000 / 1_000)) { bytes += $0 }
        withUnsafeBytes(of: event.type) { bytes += $0 }
        withUnsafeBytes(of: event.code) { bytes += $0 }
        withUnsafeBytes(of: event.value) { bytes += $0 }
        return bytes
    }

    /// Once everything is read, what is told is how the device stands.
    private func compare() throws(FuzzFinding) {
        guard stream.isWhole, kernel.isEmpty else { return }
        let down = kernel.keysDown.filter { !keysBefore.contains($0) }
        if !keysBefore.contains(0x100), !kernel.device.rel.isEmpty {
            try require(told.isPressed == down.contains(0x100), "pressed is \(told.isPressed), down is \(down)")
        }
        if !keysBefore.contains(28), !kernel.device.rel.isEmpty {
            try require(told.keys.contains(.back) == down.contains(28), "\(told.keys) are held, down is \(down)")
        }
        let contacts = kernel.contacts.filter { !contactsBefore.contains($0) }
        let fingers = told.down[0].filter { !contactsBefore.contains($0) }.sorted()
        try require(fingers == contacts, "\(fingers) are told, \(contacts) are there")
    }
}
