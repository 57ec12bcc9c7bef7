import RigCore
import RigModel

/// A number for everything that a rig wanted done, in order: FNV-1a over 64 bits.
struct ActionDigest {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    private mutating func add(byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }

    private mutating func add(_ number: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { add(byte: UInt8(truncatingIfNeeded: number >> shift)) }
    }

    private mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte: byte) }
        add(byte: 0xFF)
    }

    private mutating func add(_ record: RecordValue) {
        switch record {
        case .null: add(byte: 0)
        case .bool(let truth): add(byte: truth ? 2 : 1)
        case .int(let number): add(UInt64(bitPattern: number))
        case .double(let number): add(number.bitPattern)
        case .string(let text): add(text)
        case .array(let values):
            add(UInt64(values.count))
            for value in values { add(value) }
        case .object(let fields):
            add(UInt64(fields.count))
            for field in fields {
                add(field.name)
                add(field.value)
            }
        }
    }

    /// Adds what one event made the rig want.
    mutating func add(_ buffer: borrowing ActionBuffer) {
        for event in buffer.events { add(event.record) }
        for action in buffer.actions {
            switch action {
            case .deliver(let event, let client, let tell):
                add(buffer.events[event].sequence)
                add(client.number)
                add(byte: tell ? 2 : 1)
            case .reply(let client, let record, let continues):
                add(client.number)
                add(record)
                add(byte: continues ? 2 : 1)
            case .open(let client, let first):
                add(client.number)
                for record in first { add(record) }
            case .fail(let client, let failure):
                add(client.number)
                add(failure.text)
            case .scenarioWrong(let client, let problems):
                add(client.number)
                for problem in problems { add(problem) }
            case .openWire(let link, let key):
                add(UInt64(link.number))
                add(key)
            case .transmit(let link, let bytes, let ends):
                add(UInt64(link.number))
                add(UInt64(ends.count))
                for byte in bytes { add(byte: byte) }
            case .switchMode(let key, let mode):
                add(key)
                add(mode.rawValue)
            case .closeWire(let link): add(UInt64(link.number))
            case .prepareSigner: add(byte: 6)
            case .askSigner(let ticket, let question):
                add(UInt64(ticket.link.number))
                add(byte: ticket.end == .rig ? 4 : 5)
                add("\(question)")
            case .capture(let client, let record):
                add(client.number)
                add(record.record)
            case .close(let client, let cause):
                add(client.number)
                switch cause {
                case .limit(let name, _): add(name)
                case .finished: add(byte: 3)
                }
            }
        }
    }
}
