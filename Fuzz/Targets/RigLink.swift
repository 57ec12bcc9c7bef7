import RigModel

/// Faults, conditions of phones and changes of modes, made from an input's decisions.
enum RigLink {
    static func fault(_ input: inout FuzzInput, names: [String]) -> FaultRequest {
        let kind = input.pick(FaultKind.allCases)
        let flags = input.byte()
        let place: FaultPlace? =
            switch input.int(0...2) {
            case 0: .anywhere
            case 1: FaultPlace(at: input.pick(FaultPlace.atNames))
            default: FaultPlace(from: input.pick(FaultPlace.fromNames))
            }
        return FaultRequest(
            kind, device: flags & 1 == 0 ? input.pick(names) : nil, generation: flags & 2 != 0 ? 1 : nil,
            direction: input.pick(FaultDirection.allCases), place: kind == .stale ? .anywhere : place ?? .anywhere,
            after: flags & 4 != 0 ? input.int(0...20) : 0, count: flags & 8 != 0 ? nil : input.int(0...3) + 1,
            duration: flags & 16 != 0 ? UInt64(input.byte()) << 24 : kind == .delay ? 1_000_000 : nil,
            keep: flags & 32 != 0)
    }

    static func selection(_ input: inout FuzzInput, names: [String]) -> FaultSelection {
        switch input.int(0...3) {
        case 0: .all
        case 1: .device(input.pick(names))
        default: .these((0..<input.int(0...3)).map { _ in FaultID(UInt32(input.byte())) })
        }
    }

    /// Any change, all of what a phone knows.
    static func phoneChange(_ input: inout FuzzInput) -> PhoneChange {
        var change = PhoneChange()
        for _ in 0...input.int(0...2) {
            switch input.int(0...7) {
            case 0: change.locked = input.bool()
            case 1: change.trusted = input.bool()
            case 2: change.trustAfter = UInt64(input.byte()) << 28
            case 3: change.slow = UInt64(input.byte()) << 24
            case 4: change.delays.append(.init(input.pick(PhoneAnswer.allCases), UInt64(input.byte()) << 23))
            case 5: change.refuse = .some(input.optional { $0.pick(HandshakeStep.allCases) })
            case 6: change.misorder = .some(input.optional { $0.pick(PhoneMisorder.allCases) })
            default: change.carPlay = input.bool()
            }
        }
        return change
    }

    /// A phone with any of it from the plug on.
    static func plug(_ input: inout FuzzInput, names: [String], profiles: [String]) -> PlugRequest {
        let change = phoneChange(&input)
        return PlugRequest(
            profile: input.pick(profiles), name: input.pick(names),
            phone: (try? change.applied(to: PhoneConditions())) ?? PhoneConditions(),
            identificationFirst: input.bool())
    }
}
