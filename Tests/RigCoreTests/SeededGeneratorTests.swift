import Testing

@testable import RigCore

@Suite struct SeededGeneratorTests {
    /// The first numbers of SplitMix64 as its authors' program prints them.
    static let published: [(seed: UInt64, numbers: [UInt64])] = [
        (0, [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F]),
        (1_234_567, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]),
    ]

    @Test(arguments: published) func itIsSplitMix64(_ example: (seed: UInt64, numbers: [UInt64])) {
        var generator = SeededGenerator(seed: example.seed)
        #expect(example.numbers.map { _ in generator.next() } == example.numbers)
    }

    @Test func theHighestSeedIsNoTrouble() {
        var generator = SeededGenerator(seed: .max)
        #expect(Set((0..<1_000).map { _ in generator.next() }).count == 1_000)
    }

    @Test(arguments: [0, 1, 7, 8, 9, 20, 128]) func bytesAreThoseOfTheNumbersLowestFirst(count: Int) {
        var generator = SeededGenerator(seed: 0)
        let bytes = generator.bytes(count)
        #expect(bytes.count == count)
        let first: [UInt8] = [0xAF, 0xCD, 0x1D, 0x7B, 0x39, 0xA8, 0x20, 0xE2, 0xF4]
        #expect(bytes.prefix(9) == first.prefix(count))
    }
}
