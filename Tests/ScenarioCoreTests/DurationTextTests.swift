import ScenarioCore
import Testing

@Suite struct DurationTextTests {
    @Test(arguments: [
        ("0ms", UInt64(0)), ("1ns", 1), ("80ms", 80_000_000), ("1.5s", 1_500_000_000), ("250us", 250_000),
        ("2min", 120_000_000_000), ("0.5h", 1_800_000_000_000), ("1.000000001s", 1_000_000_001),
        ("168h", DurationText.maximum), ("00012ms", 12_000_000), ("1.50s", 1_500_000_000),
    ])
    func aNumberWithAUnitIsRead(_ text: String, _ nanoseconds: UInt64) throws {
        #expect(try DurationText.parse(text) == nanoseconds)
    }

    @Test(arguments: [
        ("", DurationText.Problem.noNumber), ("ms", .noNumber), ("-1s", .noNumber), ("+1s", .noNumber),
        (".5s", .noNumber), ("1.s", .noNumber), ("80", .noUnit), ("1.5", .noUnit), ("80msec", .unknownUnit("msec")),
        ("80 ms", .unknownUnit(" ms")), ("1S", .unknownUnit("S")), ("1.2.3s", .unknownUnit(".3s")),
        ("0.5ns", .tooFine), ("1.0000000001s", .tooFine), ("168.1h", .tooLong), ("169h", .tooLong),
        ("18446744073709551616ns", .tooLong), ("99999999999999999999h", .tooLong), ("18446744073709551615h", .tooLong),
    ])
    func anythingElseIsAProblem(_ text: String, _ problem: DurationText.Problem) {
        #expect(throws: problem) { try DurationText.parse(text) }
    }

    @Test(arguments: [
        (UInt64(0), "0ms"), (1, "1ns"), (999, "999ns"), (1_500, "1.5us"), (80_000_000, "80ms"),
        (1_250_000_000, "1.25s"), (90_000_000_000, "90s"), (120_000_000_000, "2min"), (3_600_000_000_000, "1h"),
        (1_000_000_001, "1.000000001s"), (90_500_000_000, "90.5s"),
    ])
    func aDurationIsWrittenShortAndExact(_ nanoseconds: UInt64, _ text: String) throws {
        #expect(DurationText.text(nanoseconds) == text)
        #expect(try DurationText.parse(text) == nanoseconds)
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        var random = SeededRandom(seed: 11)
        for _ in 0..<5_000 {
            let value = random.next() % (DurationText.maximum + 1) >> (random.next() % 50)
            #expect(try DurationText.parse(DurationText.text(value)) == value, "seed 11")
        }
        // No duration of a run comes near it, but a time held at the largest value must not trap.
        #expect(DurationText.text(.max) == "18446744073.709551615s")
    }

    @Test(arguments: [
        (UInt64(0), "0.000"), (999_999, "0.000"), (1_000_000, "0.001"), (12_345_678_901, "12.345"),
        (.max, "18446744073.709"),
    ])
    func secondsAreCutToMilliseconds(_ nanoseconds: UInt64, _ text: String) {
        #expect(DurationText.seconds(nanoseconds) == text)
    }

    @Test(arguments: [
        (UInt64(0), "0ms"), (99_999, "0ms"), (400_000, "0.4ms"), (1_000_000, "1ms"), (99_900_000, "99.9ms"),
        (100_900_000, "100ms"), (9_999_000_000, "9999ms"), (12_345_000_000, "12.3s"),
    ])
    func aShortFormIsCut(_ nanoseconds: UInt64, _ text: String) {
        #expect(DurationText.short(nanoseconds) == text)
    }
}

/// SplitMix64: the same numbers in every process.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
