import RigModel

/// Changes of the vehicle, and the rules of a head unit: mostly ones that can be.
enum RigVehicles {
    static func change(_ input: inout FuzzInput) -> VehicleChange {
        var change = VehicleChange(measures: measures(&input))
        let flags = input.byte()
        if flags & 1 != 0 { change.appearance = input.pick(Appearance.allCases) }
        if flags & 2 != 0 { change.driverSide = input.pick(DriverSide.allCases) }
        if flags & 4 != 0 { change.limitKeyboard = input.bool() }
        if flags & 8 != 0 { change.limitLists = input.bool() }
        if flags & 48 == 48 { change.automatic = DerivedProperty.allCases.filter { _ in input.bool() } }
        if flags & 192 == 192 { change.track = track(&input) }
        return change
    }

    private static func measures(_ input: inout FuzzInput) -> MeasureChange {
        var change = MeasureChange()
        let flags = input.word()
        if flags & 1 != 0 { change.speed = steps(.speed, &input) }
        if flags & 2 != 0 { change.gear = .some(input.optional { $0.pick(Gear.allCases) }) }
        if flags & 4 != 0 { change.parkingBrake = .some(input.optional { $0.bool() }) }
        if flags & 8 != 0 { change.ambientLight = steps(.ambientLight, &input) }
        if flags & 16 != 0 { change.location = .some(input.optional { place(&$0) }) }
        if flags & 32 != 0 { change.battery = steps(.battery, &input) }
        if flags & 64 != 0 { change.fuel = steps(.fuel, &input) }
        if flags & 128 != 0 { change.range = steps(.range, &input) }
        if flags & 256 != 0 { change.rangeLow = .some(input.optional { $0.bool() }) }
        return change
    }

    private static func steps(_ quantity: VehicleQuantity, _ input: inout FuzzInput) -> Int?? {
        .some(input.optional { number(quantity, &$0) })
    }

    /// Around the thresholds of the rules, at the ends of the range, and rarely beyond.
    private static func number(_ quantity: VehicleQuantity, _ input: inout FuzzInput) -> Int {
        let limits = quantity.limits
        return switch input.int(0...7) {
        case 0: limits.lowerBound
        case 1: limits.upperBound
        case 2: input.pick([limits.upperBound + 1, limits.lowerBound - 1, .min, .max])
        default: Int(input.byte()) << 5 % limits.upperBound
        }
    }

    private static func place(_ input: inout FuzzInput) -> VehicleLocation {
        VehicleLocation(
            latitude: number(.latitude, &input), longitude: number(.longitude, &input),
            altitude: input.optional { number(.altitude, &$0) }, heading: input.optional { number(.heading, &$0) },
            accuracy: input.optional { number(.accuracy, &$0) })
    }

    private static func track(_ input: inout FuzzInput) -> VehicleChange.Track {
        let text = input.pick([
            "time,speed,ambient-light\n0,0,500\n0.5,3,10\n1,,\n2,unknown,500\n",
            "time,latitude,longitude\n0.001,48,11\n86400,49,12\n", "time,gear\n1,drive\n1.000000001,park\n", "",
        ])
        guard let track = try? VehicleTrack(parsing: text) else { return .stop }
        return .play(track)
    }

    static func rules(_ input: inout FuzzInput) -> VehicleRules {
        guard input.bool() else { return VehicleRules() }
        var rules = everyRule
        let flags = input.byte()
        if flags & 1 != 0 { rules.darkness = nil }
        if flags & 2 != 0 { rules.keyboard.speed = nil }
        rules.keyboard.onlyInPark = flags & 4 != 0
        if flags & 8 != 0 { rules.lists.speed = nil }
        rules.lists.onlyInPark = flags & 16 != 0
        return rules
    }

    static let everyRule: VehicleRules = {
        let limit = VehicleRules.Limit(
            speed: VehicleRules.Speed(limitedFrom: 2_222, freeBelow: 1_389), onlyInPark: true)
        return VehicleRules(
            darkness: VehicleRules.Darkness(darkBelow: 2_000, lightFrom: 4_000), keyboard: limit, lists: limit)
    }()
}
