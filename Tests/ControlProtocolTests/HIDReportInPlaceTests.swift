import ControlProtocol
import RigTestKit
import Testing
import WireBytes

/// A report that is written and read in place is the one that the message's own type writes and reads.
@Suite struct HIDReportInPlaceTests {
    private static func encoded(_ component: UInt16, _ report: [UInt8]) throws -> [UInt8] {
        var bytes: [UInt8] = [0xEE]
        try AccessoryHIDReport.encode(component: component, report: report[...], into: &bytes)
        return Array(bytes.dropFirst())
    }

    @Test(arguments: [0, 1, 4, 12, 52, 65_519]) func theBytesAreThoseOfTheMessage(count: Int) throws {
        let report = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        for component in [0, 1, 0x1234, .max] as [UInt16] {
            let message = try AccessoryHIDReport(component: component, report: report).message()
            #expect(try Self.encoded(component, report) == message.encoded())
        }
    }

    @Test func aReportThatFitsNoMessageIsRefused() {
        var bytes: [UInt8] = []
        let report = [UInt8](repeating: 0, count: 65_520)
        #expect(throws: WireError.self) {
            try AccessoryHIDReport.encode(component: 1, report: report[...], into: &bytes)
        }
        #expect(bytes.isEmpty)
    }

    /// What either way of reading makes of a message.
    private enum Read: Equatable {
        case report(UInt16, [UInt8]?)
        case failed(WireError)
    }

    private static func whole(_ message: ControlMessage) -> Read {
        do throws(WireError) {
            let report = try AccessoryHIDReport(message)
            return .report(report.component, report.report)
        } catch {
            return .failed(error)
        }
    }

    private static func inPlace(_ message: ControlMessage) -> Read {
        do throws(WireError) {
            let (component, report) = try AccessoryHIDReport.read(message)
            return .report(component, report.map(Array.init))
        } catch {
            return .failed(error)
        }
    }

    @Test func damagedMessagesAreReadAlike() throws {
        var failures = 0
        for seed in 0..<4_000 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var parameters: [UInt8] = []
            // Most are whole, so that what is behind is looked at.
            if generator.chance(percent: 80) { parameters += [0, 6, 0, 0, 0x12, 0x34] }
            for _ in 0..<Int.random(in: 0...2, using: &generator) {
                let value = (0..<Int.random(in: 0...3, using: &generator)).map { _ in UInt8(0x5A) }
                let id = UInt8.random(in: 0...3, using: &generator)
                parameters += [0, UInt8(value.count + 4), 0, id] + value
            }
            if !parameters.isEmpty, generator.chance(percent: 20) {
                parameters[.random(in: parameters.indices, using: &generator)] ^= 1
            }
            let id: MessageID = generator.chance(percent: 5) ? .stopHID : .accessoryHIDReport
            let message = ControlMessage(id, parameters: ControlParameters(encoded: parameters[...], offset: 6))
            let read = Self.inPlace(message)
            #expect(read == Self.whole(message), "seed \(seed)")
            if case .failed = read { failures += 1 }
        }
        #expect(failures > 400 && failures < 3_600, "both ways are taken")
    }
}
