import RigConfiguration
import RigModel
import Testing

@testable import RigCore

/// What rules make of what the vehicle measures.
@Suite struct VehicleDerivationTests {
    static let rules: VehicleRules = {
        let speed = VehicleRules.Speed(limitedFrom: 2_222, freeBelow: 1_389)
        return VehicleRules(
            darkness: VehicleRules.Darkness(darkBelow: 5_000, lightFrom: 10_000),
            keyboard: VehicleRules.Limit(speed: speed, onlyInPark: true), lists: VehicleRules.Limit(speed: speed))
    }()

    private static func bench(_ rules: VehicleRules = rules) -> Bench { Bench { $0.vehicleRules = rules } }

    private static func derivations(_ events: some Sequence<Event>) -> [VehicleDerivation] {
        events.compactMap { if case .vehicle(_, _, let derivation?) = $0.payload { derivation } else { nil } }
    }

    // MARK: Light

    /// From dark, light and what no rule has said yet, for what is measured next.
    @Test(arguments: [
        // In the dark: only the upper threshold makes it light.
        (Appearance.dark, Int?.some(0), Appearance.dark), (.dark, 4_999, .dark), (.dark, 5_000, .dark),
        (.dark, 9_999, .dark), (.dark, 10_000, .light), (.dark, 20_000_000, .light), (.dark, nil, .dark),
        // In the light: only below the lower one it gets dark.
        (.light, 20_000_000, .light), (.light, 10_000, .light), (.light, 9_999, .light), (.light, 5_000, .light),
        (.light, 4_999, .dark), (.light, 0, .dark), (.light, nil, .light),
    ])
    func dayAndNightFollowTheLightWithTwoThresholds(_ start: Appearance, _ light: Int?, _ expected: Appearance) {
        for isKnown in [false, true] {
            var bench = Bench {
                $0.vehicleRules = Self.rules
                $0.vehicle.appearance = start
                if isKnown { $0.vehicle.measures.ambientLight = start == .dark ? 0 : 20_000_000 }
            }
            var change = VehicleChange()
            change.measures.ambientLight = .some(light)
            bench.command(.setVehicle(change))
            #expect(bench.core.vehicle.appearance == expected)
        }
    }

    @Test func lightThatTremblesDoesNotFlicker() {
        var bench = Self.bench()
        let before = bench.events.count
        for light in [6_000, 4_000, 6_000, 9_000, 4_500, 9_999, 10_000, 9_000, 5_000, 10_500, 4_999] {
            var change = VehicleChange()
            change.measures.ambientLight = light
            bench.command(.setVehicle(change))
        }
        let told = Self.derivations(bench.events[before...])
        #expect(told.map(\.value) == ["dark", "light", "dark"])
        #expect(
            told.first
                == VehicleDerivation(
                    property: .appearance, value: "dark", cause: .ambientLight, measured: "40lx",
                    rule: "dark-below = 50lx"))
        #expect(told[1].measured == "100lx" && told[1].rule == "light-from = 100lx")
    }

    // MARK: Motion

    /// Speed and gear before, speed and gear then, and whether the keyboard is limited then.
    struct Motion: Sendable, CustomTestStringConvertible {
        let before: (Int?, Gear?)
        let then: (Int?, Gear?)
        let isLimited: Bool
        var testDescription: String { "\(before) to \(then)" }

        init(_ before: (Int?, Gear?), _ then: (Int?, Gear?), _ isLimited: Bool) {
            (self.before, self.then, self.isLimited) = (before, then, isLimited)
        }
    }

    @Test(arguments: [
        // Nothing known: as it was.
        Motion((nil, nil), (nil, nil), false), Motion((3_000, nil), (nil, nil), true),
        // Speed alone, with two thresholds, forwards and backwards.
        Motion((nil, nil), (1_388, nil), false), Motion((nil, nil), (1_389, nil), false),
        Motion((nil, nil), (2_221, nil), false), Motion((nil, nil), (2_222, nil), true),
        Motion((nil, nil), (-2_222, nil), true), Motion((3_000, nil), (2_221, nil), true),
        Motion((3_000, nil), (1_389, nil), true), Motion((3_000, nil), (-1_389, nil), true),
        Motion((3_000, nil), (1_388, nil), false), Motion((3_000, nil), (0, nil), false),
        // Gear alone.
        Motion((nil, nil), (nil, .park), false), Motion((nil, nil), (nil, .reverse), true),
        Motion((nil, nil), (nil, .neutral), true), Motion((nil, nil), (nil, .drive), true),
        Motion((nil, .drive), (nil, .park), false), Motion((nil, .drive), (nil, nil), true),
        // Both: one is enough to limit, both must agree to free.
        Motion((0, .park), (0, .drive), true), Motion((0, .drive), (3_000, .drive), true),
        Motion((3_000, .drive), (0, .drive), true), Motion((3_000, .drive), (0, .park), false),
        Motion((3_000, .drive), (3_000, .park), true), Motion((3_000, .park), (1_500, .park), true),
        // The gear's limit is not taken for the speed's: what is in between stays free.
        Motion((1_500, .drive), (1_500, .park), false),
    ])
    func theKeyboardFollowsSpeedAndGear(_ motion: Motion) {
        var bench = Self.bench()
        for (speed, gear) in [motion.before, motion.then] {
            var change = VehicleChange()
            change.measures.speed = .some(speed)
            change.measures.gear = .some(gear)
            bench.command(.setVehicle(change))
        }
        #expect(bench.core.vehicle.limitedUI.keyboard == motion.isLimited)
        // Lists know the speed alone.
        #expect(bench.core.vehicle.limitedUI.lists == (Self.listsLimited(motion)))
    }

    private static func listsLimited(_ motion: Motion) -> Bool {
        var isLimited = false
        for speed in [motion.before.0, motion.then.0] {
            guard let speed else { continue }
            if abs(speed) >= 2_222 { isLimited = true } else if abs(speed) < 1_389 { isLimited = false }
        }
        return isLimited
    }

    @Test func theCauseIsWhatCameToSaySo() throws {
        var bench = Self.bench()
        let before = bench.events.count
        for (speed, gear) in [("0km/h", "drive"), ("36km/h", "drive"), ("0km/h", "drive"), ("0km/h", "park")] {
            bench.command(.setVehicle(try VehicleMeasureTests.change(("speed", speed), ("gear", gear))))
        }
        let told = Self.derivations(bench.events[before...])
        #expect(
            told.map { "\($0.property) \($0.value) \($0.cause) \($0.measured) \($0.rule)" } == [
                "keyboard limited gear drive keyboard-only-in-park = yes",
                "lists limited speed 10m/s lists-limited-from = 2.222m/s",
                "lists free speed 0m/s lists-free-below = 1.389m/s",
                "keyboard free gear park keyboard-only-in-park = yes",
            ])
    }

    @Test func eachDecisionIsAChangeOfItsOwnAndReachesTheDisplays() throws {
        var bench = Self.bench()
        bench.plug("iphone", "phone")
        bench.plug("head-unit", "car")
        let before = bench.events.count
        bench.command(.setVehicle(try VehicleMeasureTests.change(("speed", "90km/h"), ("ambient-light", "5lx"))))
        let events = bench.events[before...]
        #expect(
            events.map(\.kind) == [
                .vehicleChanged, .vehicleChanged, .displayChanged, .vehicleChanged, .displayChanged, .vehicleChanged,
                .displayChanged,
            ])
        #expect(
            VehicleMeasureTests.changed(events) == [[.speed, .ambientLight], [.appearance], [.keyboard], [.lists]])
        #expect(events.map(\.origin) == [.declared] + Array(repeating: .simulated, count: 6))
        #expect(events.compactMap { $0.record.value(at: "vehicle.revision") } == (2...5).map { .int($0) })
        let display = try #require(events.last?.record.value(at: "displayState"))
        #expect(display.value(at: "appearance")?.text == "dark")
        #expect(display.value(at: "limitedUI.keyboard") == .bool(true))
        #expect(bench.state().value(at: "displays.1.appearance")?.text == "light", "that is another car's")
        // The next session begins with it.
        bench.plug("iphone", "next")
        #expect(bench.state().value(at: "displays.2.appearance")?.text == "dark")
    }

    // MARK: By hand

    /// What is set by hand, and who decides then; for every property.
    @Test(arguments: DerivedProperty.allCases)
    func whatIsSetByHandStaysUntilItIsHandedBack(_ property: DerivedProperty) throws {
        var bench = Self.bench()
        func automatic() -> RecordValue? { bench.state().value(at: "vehicle.automatic") }
        func value() -> Bool {
            switch property {
            case .appearance: bench.core.vehicle.appearance == .dark
            case .keyboard: bench.core.vehicle.limitedUI.keyboard
            case .lists: bench.core.vehicle.limitedUI.lists
            }
        }
        let all = DerivedProperty.allCases
        #expect(automatic() == .array(all.map { .string($0.rawValue) }))
        let byHand: VehicleChange =
            switch property {
            case .appearance: VehicleChange(appearance: .light)
            case .keyboard: VehicleChange(limitKeyboard: false)
            case .lists: VehicleChange(limitLists: false)
            }
        bench.command(.setVehicle(byHand))
        #expect(automatic() == .array(all.filter { $0 != property }.map { .string($0.rawValue) }))
        let moving = try VehicleMeasureTests.change(("speed", "90km/h"), ("ambient-light", "5lx"))
        let before = bench.events.count
        bench.command(.setVehicle(moving))
        #expect(!value(), "a person said otherwise")
        #expect(Self.derivations(bench.events[before...]).map(\.property) == all.filter { $0 != property })
        // Between the thresholds when it is handed back: the rules have gone on meanwhile.
        bench.command(.setVehicle(try VehicleMeasureTests.change(("speed", "6km/h"), ("ambient-light", "70lx"))))
        let handed = bench.events.count
        bench.command(.setVehicle(VehicleChange(automatic: [property])))
        #expect(value())
        #expect(automatic() == .array(all.map { .string($0.rawValue) }))
        let expected =
            switch property {
            case .appearance: "dark 5lx dark-below = 50lx"
            case .keyboard: "limited 25m/s keyboard-limited-from = 2.222m/s"
            case .lists: "limited 25m/s lists-limited-from = 2.222m/s"
            }
        let told = Self.derivations(bench.events[handed...])
        #expect(told.map(\.property) == [property])
        #expect(
            told.map { "\($0.value) \($0.measured) \($0.rule)" } == [expected],
            "what made it so, not the number of now, of which it is not true")
        bench.command(.setVehicle(try VehicleMeasureTests.change(("speed", "0km/h"), ("ambient-light", "900lx"))))
        #expect(!value())
    }

    /// What was never beyond a threshold of the rule that holds says nothing, so nothing changes by handing back.
    @Test(arguments: DerivedProperty.allCases)
    func whatWasAlwaysBetweenIsLeftAsItIs(_ property: DerivedProperty) throws {
        func byHand(_ isOn: Bool) -> VehicleChange {
            switch property {
            case .appearance: VehicleChange(appearance: isOn ? .dark : .light)
            case .keyboard: VehicleChange(limitKeyboard: isOn)
            case .lists: VehicleChange(limitLists: isOn)
            }
        }
        var bench = Self.bench()
        bench.command(.setVehicle(byHand(true)))
        bench.command(.setVehicle(try VehicleMeasureTests.change(("speed", "6km/h"), ("ambient-light", "70lx"))))
        bench.command(.setVehicle(byHand(false)))
        let before = bench.events.count
        bench.command(.setVehicle(VehicleChange(automatic: [property])))
        #expect(Self.derivations(bench.events[before...]).isEmpty)
        // Nor does what another rule said.
        bench.command(.setVehicle(byHand(false)))
        bench.command(.setVehicle(try VehicleMeasureTests.change(("speed", "90km/h"), ("ambient-light", "5lx"))))
        bench.command(.setVehicle(try VehicleMeasureTests.change(("speed", "6km/h"), ("ambient-light", "70lx"))))
        var settings = bench.core.settings
        let speed = VehicleRules.Speed(limitedFrom: 27_000, freeBelow: 1_000)
        settings.vehicleRules = VehicleRules(
            darkness: VehicleRules.Darkness(darkBelow: 300, lightFrom: 20_000),
            keyboard: VehicleRules.Limit(speed: speed), lists: VehicleRules.Limit(speed: speed))
        bench.handle(.reconfigured(settings))
        let reloaded = bench.events.count
        bench.command(.setVehicle(VehicleChange(automatic: [property])))
        #expect(Self.derivations(bench.events[reloaded...]).isEmpty)
    }

    @Test func withoutARuleNothingIsAutomatic() throws {
        var bench = Bench()
        bench.command(.setVehicle(VehicleChange(automatic: DerivedProperty.allCases)))
        bench.command(.setVehicle(try VehicleMeasureTests.change(("speed", "90km/h"), ("ambient-light", "5lx"))))
        #expect(bench.state().value(at: "vehicle.automatic") == .array([]))
        #expect(bench.core.vehicle.appearance == .light && bench.core.vehicle.limitedUI == LimitedUI())
    }

    @Test func whatIsKnownAtTheStartIsDerivedBeforeAnybodyIsTold() {
        var bench = Bench {
            $0.vehicleRules = Self.rules
            $0.vehicle.measures.ambientLight = 0
            $0.vehicle.measures.gear = .drive
        }
        #expect(bench.state().value(at: "vehicle.appearance")?.text == "dark")
        #expect(bench.state().value(at: "vehicle.limitedUI.keyboard") == .bool(true))
        #expect(bench.state().value(at: "vehicle.revision") == .int(1))
        #expect(bench.events.isEmpty)
    }

    @Test func otherRulesHoldFromAReloadOn() throws {
        var bench = Bench()
        bench.command(.setVehicle(try VehicleMeasureTests.change(("ambient-light", "5lx"))))
        bench.command(.setVehicle(VehicleChange(limitLists: false)))
        var settings = bench.core.settings
        settings.vehicleRules = Self.rules
        let before = bench.events.count
        bench.handle(.reconfigured(settings))
        #expect(bench.events[before...].map(\.kind) == [.configurationReloaded, .vehicleChanged, .vehicleChanged])
        #expect(VehicleMeasureTests.changed(bench.events[before...]) == [[.automatic], [.appearance]])
        #expect(bench.core.vehicle.automatic == [.appearance, .keyboard], "lists were set by hand")
        settings.vehicleRules = VehicleRules()
        bench.handle(.reconfigured(settings))
        #expect(bench.core.vehicle.appearance == .dark && bench.core.vehicle.automatic.isEmpty)
    }

    @Test func aTrackIsFollowed() throws {
        var bench = Self.bench()
        let track = try VehicleTrack(parsing: "time,ambient-light,speed\n1,5,20\n2,200,\n3,,0\n")
        let before = bench.events.count
        bench.command(.setVehicle(VehicleChange(track: .play(track))))
        bench.pass(5 * Bench.second)
        #expect(
            Self.derivations(bench.events[before...]).map { "\($0.property) \($0.value)" } == [
                "appearance dark", "keyboard limited", "lists limited", "appearance light", "keyboard free",
                "lists free",
            ])
    }
}
