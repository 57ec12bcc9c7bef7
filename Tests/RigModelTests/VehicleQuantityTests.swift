import RigModel
import Testing

@Suite struct VehicleQuantityTests {
    private static func problem(_ body: () throws -> Void) -> VehicleProblem? {
        do {
            try body()
            return nil
        } catch {
            return error as? VehicleProblem
        }
    }

    /// The least and the most of each in its published unit, the step, and how the least is written.
    static let ranges: [(VehicleQuantity, Double, Double, Double, String)] = [
        (.speed, -50, 150, 0.001, "-50m/s"), (.ambientLight, 0, 200_000, 0.01, "0lx"),
        (.latitude, -90, 90, 0.0000001, "-90"), (.longitude, -180, 180, 0.0000001, "-180"),
        (.altitude, -1_000, 10_000, 0.01, "-1000m"), (.heading, 0, 359.99, 0.01, "0"),
        (.accuracy, 0, 100_000, 0.01, "0m"), (.battery, 0, 100, 0.01, "0%"), (.fuel, 0, 100, 0.01, "0%"),
        (.range, 0, 10_000, 0.001, "0km"),
    ]

    @Test func everyQuantityHasARange() { #expect(Self.ranges.map(\.0) == VehicleQuantity.allCases) }

    @Test(arguments: ranges.indices) func theEndsAreInAndWhatIsBeyondIsNot(_ index: Int) throws {
        let (quantity, least, most, step, text) = Self.ranges[index]
        #expect(try quantity.steps(least) == quantity.limits.lowerBound)
        #expect(try quantity.steps(most) == quantity.limits.upperBound)
        #expect(quantity.value(quantity.limits.lowerBound) == least)
        #expect(quantity.value(quantity.limits.upperBound) == most)
        #expect(quantity.text(quantity.limits.lowerBound) == text)
        for wrong in [
            least - step, most + step, least - step / 10, most + step / 10, .infinity, -.infinity, .nan, 1e300,
        ] {
            let problem = try #require(Self.problem { _ = try quantity.steps(wrong) })
            #expect(problem.field.hasSuffix(quantity.rawValue))
            #expect(problem.text.contains("is not between"), "\(problem.text)")
        }
    }

    @Test(arguments: VehicleQuantity.allCases) func whatIsWrittenIsReadAgain(_ quantity: VehicleQuantity) throws {
        for steps in [quantity.limits.lowerBound, quantity.limits.upperBound, 0, 1, 10, 9_876] {
            #expect(try quantity.parse(quantity.text(steps)) == steps)
            #expect(try quantity.steps(quantity.value(steps)) == steps)
        }
    }

    @Test(arguments: [
        (VehicleQuantity.speed, "50km/h", 13_889), (.speed, "-7.2km/h", -2_000), (.speed, "30mph", 13_411),
        (.speed, "540km/h", 150_000), (.speed, "-180km/h", -50_000),
        (.speed, "0.0004m/s", 0), (.range, "75mi", 120_701), (.range, "900m", 900), (.latitude, "48.1372", 481_372_000),
        (.heading, "+90", 9_000), (.battery, ".5%", 50),
    ])
    func unitsAreTurnedIntoSteps(_ quantity: VehicleQuantity, _ text: String, _ steps: Int) throws {
        #expect(try quantity.parse(text) == steps)
    }

    @Test(arguments: [
        (VehicleQuantity.speed, "50", "'50' has no unit; write 50m/s or 50km/h or 50mph"),
        (.speed, "50kmh", "there is no unit 'kmh' here; write 50m/s or 50km/h or 50mph"),
        (.speed, "600km/h", "600km/h is not between -50 and 150 m/s"), (.speed, "fast", "'fast' is no number"),
        (.speed, "", "'' is no number"), (.speed, "1e3m/s", "there is no unit 'e3m/s' here"),
        (.speed, "1.2.3m/s", "is no number"), (.speed, "-m/s", "is no number"), (.speed, "0x10m/s", "no unit 'x10m/s'"),
        (.latitude, "48°", "'48°' has a unit; write 48"), (.latitude, "-90.0000001", "is not between -90 and 90"),
        (.battery, "100.01%", "100.01% is not between 0 and 100 %"),
        (.battery, "100.0001%", "100.0001% is not between 0 and 100 %"),
        (.fuel, "-0.001%", "is not between 0 and 100 %"),
        (.longitude, "180.00000001", "180.00000001 is not between -180 and 180"),
        (.speed, "540.0001km/h", "540.0001km/h is not between -50 and 150 m/s"),
        (.ambientLight, "nanlx", "is no number"),
    ])
    func whatIsNoQuantityIsToldWithWhatWouldBe(_ quantity: VehicleQuantity, _ text: String, _ message: String) {
        let problem = Self.problem { _ = try quantity.parse(text) }
        #expect(problem?.text.contains(message) == true, "\(problem?.text ?? "nothing")")
    }

    @Test(arguments: VehicleQuantity.allCases) func aLongWordIsCut(_ quantity: VehicleQuantity) {
        for letter in ["x", "9"] {
            let word = String(repeating: letter, count: 100_000)
            for text in [word, "\(word)q", "1\(word)", "\(word)!"] {
                let problem = Self.problem { _ = try quantity.parse(text) }
                #expect(problem.map { $0.text.utf8.count < 500 } == true, "\(problem?.text.prefix(600) ?? "nothing")")
            }
        }
    }

    @Test func inATableTheUnitMayBeLeftOut() throws {
        #expect(try VehicleQuantity.speed.parse("2.5", isBare: true) == 2_500)
        #expect(try VehicleQuantity.speed.parse("9km/h", isBare: true) == 2_500)
    }
}
