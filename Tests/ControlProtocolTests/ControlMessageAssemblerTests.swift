import ControlProtocol
import RigTestKit
import Testing
import WireBytes

@Suite("ControlMessageAssembler")
struct ControlMessageAssemblerTests {
    /// What a fresh assembler makes of these payloads: messages, then the error that ended it.
    enum Found: Equatable {
        case message(ControlMessage)
        case failed(ControlStreamError)
    }

    static func assemble(_ chunks: [ArraySlice<UInt8>], limit: Int = 65_535) -> [Found] {
        var assembler = ControlMessageAssembler(limit: limit)
        var found: [Found] = []
        for chunk in chunks {
            var input = chunk
            do throws(ControlStreamError) {
                while let message = try assembler.next(from: &input) { found.append(.message(message)) }
            } catch {
                found.append(.failed(error))
                return found
            }
        }
        return found
    }

    @Test("the way a message is cut into payloads does not matter", arguments: ControlVector.all)
    func cut(vector: ControlVector) throws {
        let message = try ControlMessage(parsing: vector.bytes[...])
        #expect(
            DecoderVerifier.firstDifference(vector.bytes, expected: [Found.message(message)]) {
                Self.assemble($0)
            } == nil)
    }

    @Test("several messages in one payload are all made, in order")
    func several() throws {
        let stream = ControlVector.all.flatMap(\.bytes)
        let messages = try ControlVector.all.map { Found.message(try ControlMessage(parsing: $0.bytes[...])) }
        #expect(
            DecoderVerifier.firstDifference(stream, expected: messages, seeds: 0..<5) { Self.assemble($0) } == nil)
    }

    static let broken: [(String, ControlStreamError)] = [
        ("00", .noMessage(offset: 0)),
        ("40 00", .noMessage(offset: 0)),
        ("40 40 00 05", .illegalLength(5, offset: 0)),
        ("40 40 00 00 AA 00", .illegalLength(0, offset: 0)),
        ("40 40 00 21", .tooLong(length: 33, limit: 32, offset: 0)),
        ("40 40 FF FF AA 00", .tooLong(length: 65_535, limit: 32, offset: 0)),
    ]

    @Test("a stream that makes no message is told at the first byte that shows it", arguments: 0..<broken.count)
    func refusesBroken(index: Int) {
        let (text, error) = Self.broken[index]
        #expect(
            DecoderVerifier.firstDifference(hex(text), expected: [Found.failed(error)]) {
                Self.assemble($0, limit: 32)
            } == nil)
    }

    @Test("the place of an error counts from the start of the stream")
    func place() throws {
        let good = ControlVector.all[0]
        let message = Found.message(try ControlMessage(parsing: good.bytes[...]))
        #expect(
            DecoderVerifier.firstDifference(
                good.bytes + good.bytes + [0x41], expected: [message, message, .failed(.noMessage(offset: 12))]
            ) { Self.assemble($0) } == nil)
    }

    @Test("after an error nothing is made any more")
    func poisoned() {
        var assembler = ControlMessageAssembler()
        var input = ([0x41] + ControlVector.all[0].bytes)[...]
        for _ in 0..<3 {
            #expect(throws: ControlStreamError.noMessage(offset: 0)) { try assembler.next(from: &input) }
        }
        #expect(assembler.heldCount == 0)
    }

    @Test("a message of the limit is made, one byte more is refused")
    func limit() throws {
        let message = hex("40 40 00 0A 12 34 00 04 00 01")
        #expect(
            Self.assemble([message[...]], limit: 10) == [.message(try ControlMessage(parsing: message[...]))])
        #expect(Self.assemble([message[...]], limit: 9) == [.failed(.tooLong(length: 10, limit: 9, offset: 0))])
        #expect(ControlMessageAssembler(limit: 0).limit == 6)
        #expect(ControlMessageAssembler(limit: 70_000).limit == 65_535)
    }

    @Test("every error says what and where")
    func reasons() {
        for (_, error) in Self.broken { #expect(error.reason.contains("0")) }
        #expect(ControlStreamError.tooLong(length: 33, limit: 32, offset: 7).reason.contains("byte 7"))
    }

    @Test("random streams neither trap nor hold more than the limit")
    func fuzz() {
        for seed in 0..<1000 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var stream: [UInt8] = []
            for _ in 0..<6 {
                var bytes = ControlVector.all.randomElement(using: &generator)?.bytes ?? []
                if generator.chance(percent: 15) { bytes[.random(in: 0..<bytes.count, using: &generator)] ^= 1 }
                stream += bytes
            }
            var assembler = ControlMessageAssembler(limit: 64)
            for chunk in Chunker.random(seed: seed, maximum: 30).chunks(stream[...]) {
                var input = chunk
                do throws(ControlStreamError) {
                    while let message = try assembler.next(from: &input) {
                        // Every reader must come to an end or throw, whatever the parameters are.
                        _ = try? message.parameters.all()
                        _ = try? Identification(parameters: message.parameters)
                        _ = try? DisplayDeclarations(parameters: message.parameters)
                        _ = try? CarPlayStartSession(parameters: message.parameters)
                    }
                } catch {
                    break
                }
                #expect(assembler.heldCount <= 64, "seed \(seed)")
            }
        }
    }
}
