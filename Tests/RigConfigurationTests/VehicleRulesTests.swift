import RigConfiguration
import RigModel
import Testing

@Suite struct VehicleRulesTests {
    private static let display = "[display main]\npixels = 800x480\nscale = 2\n"

    private static func profile(_ text: String) throws(ConfigurationError) -> HeadUnitProfile {
        try HeadUnitProfile.parse(ConfigurationFile(name: "car.ini", text: text + display))
    }

    private static func problems(_ text: String) -> [String] {
        do {
            _ = try profile(text)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test func readsEveryRuleAndWhatIsKnownAtTheStart() throws {
        let profile = try Self.profile(
            """
            [vehicle]
            gear = park
            speed = 0km/h
            location = 48.1372,11.5756
            altitude = 520m
            [derive]
            dark-below = 50lx
            light-from = 100lx
            keyboard-limited-from = 9km/h
            keyboard-free-below = 1m/s
            keyboard-only-in-park = yes
            lists-limited-from = 36km/h
            lists-free-below = 36km/h

            """)
        #expect(
            profile.rules
                == VehicleRules(
                    darkness: VehicleRules.Darkness(darkBelow: 5_000, lightFrom: 10_000),
                    keyboard: VehicleRules.Limit(
                        speed: VehicleRules.Speed(limitedFrom: 2_500, freeBelow: 1_000), onlyInPark: true),
                    lists: VehicleRules.Limit(speed: VehicleRules.Speed(limitedFrom: 10_000, freeBelow: 10_000))))
        #expect(profile.vehicle.measures.gear == .park && profile.vehicle.measures.speed == 0)
        #expect(profile.vehicle.measures.location?.altitude == 52_000)
        #expect(profile.vehicle.measures.fuel == nil)
    }

    @Test func withoutRulesNothingIsDerived() throws {
        #expect(try Self.profile("").rules == VehicleRules())
        #expect(HeadUnitCatalog.shipped.profiles.allSatisfy { $0.rules == VehicleRules() })
    }

    @Test(arguments: [
        (
            "[derive]\ndark-bellow = 5lx\n",
            "car.ini:2: [derive] dark-bellow: this section has no such key; did you mean \"dark-below\"?"
        ),
        (
            "[derive]\ndark-below = 5lx\n",
            "car.ini:2: [derive] dark-below: \"dark-below\" and \"light-from\" go together"
        ),
        (
            "[derive]\nlight-from = 5lx\n",
            "car.ini:2: [derive] light-from: \"dark-below\" and \"light-from\" go together"
        ),
        (
            "[derive]\ndark-below = 9lx\nlight-from = 5lx\n",
            "car.ini:3: [derive] light-from: \"dark-below\" must not be above \"light-from\""
        ),
        (
            "[derive]\nkeyboard-limited-from = 5km/h\nkeyboard-free-below = 8km/h\n",
            "car.ini:3: [derive] keyboard-free-below: \"keyboard-free-below\" must not be above \"keyboard-limited-from\""
        ),
        (
            "[derive]\nlists-limited-from = 5\nlists-free-below = 1m/s\n",
            "car.ini:2: [derive] lists-limited-from: '5' has no unit; write 5m/s or 5km/h or 5mph"
        ),
        (
            "[derive]\nlists-limited-from = 5m/s\nlists-free-below = 0m/s\n",
            "car.ini:3: [derive] lists-free-below: 0m/s is not more than 0"
        ),
        ("[derive]\nkeyboard-only-in-park = maybe\n", "keyboard-only-in-park: \"maybe\" is neither yes nor no"),
        ("[vehicle]\nspeed = 200m/s\n", "car.ini:2: [vehicle] speed: 200m/s is not between -50 and 150 m/s"),
        ("[vehicle]\ngear = 5\n", "car.ini:2: [vehicle] gear: '5' is none of park, reverse, neutral, drive"),
        ("[vehicle]\nheading = 5\n", "[vehicle] 'heading' needs the location that it belongs to"),
        ("[derive x]\n", "this section has no name: [derive]"),
    ])
    func whatIsWrongIsToldWithFileAndLine(_ text: String, _ expected: String) {
        let problems = Self.problems(text)
        #expect(problems.count == 1 && problems.first?.contains(expected) == true, "\(problems)")
    }
}
