import Testing
import VarlinkProtocol

@Suite struct JSONPropertyTests {
    @Test(arguments: 0..<20 as Range<UInt64>) func whatIsWrittenReadsBackEqual(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<200 {
            let value = generator.json()
            #expect(try JSON.parse(value.description) == value, "seed \(seed), round \(round)")
            #expect(try JSON.parse(value.prettyText) == value, "seed \(seed), round \(round)")
        }
    }

    /// Whatever comes in, the parser answers with a value that survives a round trip or an error inside the text.
    @Test(arguments: 0..<20 as Range<UInt64>) func damagedTextIsReadOrRefused(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<500 {
            let bytes =
                generator.chance(5)
                ? generator.bytes(count: generator.below(40)) : generator.mutated(generator.json().description.bytes)
            do throws(JSONError) {
                let value = try JSON.parse(bytes)
                #expect(String(validating: bytes, as: UTF8.self) != nil, "seed \(seed), round \(round)")
                let again = try JSON.parse(value.description)
                #expect(again == value, "seed \(seed), round \(round)")
            } catch {
                #expect((0...bytes.count).contains(error.offset), "seed \(seed), round \(round)")
                #expect(!error.description.isEmpty)
            }
        }
    }
}
