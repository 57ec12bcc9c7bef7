import Testing
import VarlinkProtocol

@Suite struct RecordReaderTests {
    /// Everything a stream gives: its records, then the fault that ended it, if any.
    private struct Outcome: Equatable {
        var records: [[UInt8]] = []
        var failure: RecordError?
    }

    /// Feeds `chunks`, taking all records after each.
    private func outcome(of chunks: [ArraySlice<UInt8>], limit: Int) -> Outcome {
        var reader = RecordReader(maximumRecordSize: limit)
        var outcome = Outcome()
        do throws(RecordError) {
            for chunk in chunks {
                reader.append(chunk)
                while let record = try reader.next() { outcome.records.append(Array(record)) }
                #expect(reader.bufferedByteCount <= limit)
            }
            try reader.finish()
        } catch {
            outcome.failure = error
        }
        return outcome
    }

    @Test func cutsAtNUL() {
        let stream = "{}\u{0}[1]\u{0}ab".bytes
        let outcome = outcome(of: [stream[...]], limit: 100)
        #expect(outcome.records.map(\.text) == ["{}", "[1]"])
        #expect(outcome.failure == .truncated(byteCount: 2))
    }

    @Test func acceptsTheLimitAndRefusesOneMore() {
        for chunkSize in [1, 3, 1000] {
            func run(_ size: Int) -> Outcome {
                let stream = "a\u{0}".bytes + [UInt8](repeating: 0x78, count: size) + [0]
                let starts = stride(from: 0, to: stream.count, by: chunkSize)
                return outcome(of: starts.map { stream[$0..<min($0 + chunkSize, stream.count)] }, limit: 50)
            }
            #expect(run(50).records.count == 2)
            #expect(run(50).failure == nil)
            #expect(run(51).records.count == 1)
            #expect(run(51).failure == .tooLarge(limit: 50))
        }
    }

    @Test func anEndlessRecordIsRefusedBeforeItsEnd() {
        var reader = RecordReader(maximumRecordSize: 10)
        reader.append([UInt8](repeating: 1, count: 11)[...])
        #expect(throws: RecordError.tooLarge(limit: 10)) { try reader.next() }
        #expect(reader.bufferedByteCount == 0)
        reader.append("a\u{0}".bytes[...])
        #expect(reader.bufferedByteCount == 0)
        #expect(throws: RecordError.tooLarge(limit: 10)) { try reader.next() }
        #expect(throws: RecordError.tooLarge(limit: 10)) { try reader.finish() }
    }

    @Test func anEmptyRecordIsAFaultAfterTheRecordsBeforeIt() throws {
        var reader = RecordReader(maximumRecordSize: 10)
        reader.append("a\u{0}\u{0}b\u{0}".bytes[...])
        #expect(try reader.next().map { Array($0) } == "a".bytes)
        #expect(throws: RecordError.empty) { try reader.next() }
        #expect(throws: RecordError.empty) { try reader.next() }
    }

    @Test func theBeginningOfARecordTooLargeIsDropped() throws {
        var reader = RecordReader(maximumRecordSize: 10)
        reader.append("a\u{0}123456".bytes[...])
        reader.append("789012".bytes[...])
        #expect(reader.bufferedByteCount == 2)
        #expect(try reader.next().map { Array($0) } == "a".bytes)
        #expect(reader.bufferedByteCount == 0)
        #expect(throws: RecordError.tooLarge(limit: 10)) { try reader.next() }
    }

    /// Records come and are taken in random turns, so that the buffer is seen full, half taken and empty.
    @Test(arguments: 0..<10 as Range<UInt64>) func recordsMayBeLeftForLater(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var reader = RecordReader(maximumRecordSize: 100)
        var waiting: [String] = []
        for number in 0..<1000 {
            if generator.chance(2) {
                let text = String(repeating: "x", count: 1 + generator.below(90)) + "\(number)"
                waiting.append(text)
                reader.append((text + "\u{0}").bytes[...])
            } else {
                for _ in 0..<generator.below(4) {
                    let record = try reader.next().map { Array($0).text }
                    #expect(record == waiting.first, "seed \(seed), number \(number)")
                    if record != nil { waiting.removeFirst() }
                }
            }
            #expect(reader.bufferedByteCount == waiting.reduce(0) { $0 + $1.utf8.count + 1 })
        }
    }

    @Test(arguments: 0..<30 as Range<UInt64>) func everyChunkingGivesTheSame(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<20 {
            var stream: [UInt8] = []
            for _ in 0..<generator.below(12) {
                stream += (0..<1 + generator.below(60)).map { _ in UInt8(1 + generator.below(255)) } + [0]
            }
            if generator.chance(3) { stream = generator.mutated(stream) }
            let whole = outcome(of: [stream[...]], limit: 64)
            let bytewise = outcome(of: stream.indices.map { stream[$0...$0] }, limit: 64)
            let chunked = outcome(of: generator.chunks(of: stream), limit: 64)
            #expect(whole == bytewise, "seed \(seed), round \(round)")
            #expect(whole == chunked, "seed \(seed), round \(round)")
            let parts = stream.split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
            let good = parts.dropLast().prefix { !$0.isEmpty && $0.count <= 64 }
            #expect(whole.records == Array(good), "seed \(seed), round \(round)")
        }
    }

    /// Quadratic behaviour would make this take minutes.
    @Test func manySmallChunksOfALargeRecordAreCheap() throws {
        var reader = RecordReader(maximumRecordSize: 4 << 20)
        let piece = [UInt8](repeating: 0x61, count: 16)
        for _ in 0..<(4 << 20) / 16 {
            reader.append(piece[...])
            #expect(try reader.next() == nil)
        }
        reader.append([0])
        #expect(try reader.next()?.count == 4 << 20)
        #expect(try reader.next() == nil)
    }
}
