import RigModel
import Testing

@Suite struct FaultRequestTests {
    /// Everything that a kind needs, and nothing else.
    private static func plain(_ kind: FaultKind) -> FaultRequest {
        FaultRequest(kind, duration: kind.timing == .required ? 5 * Self.millisecond : nil)
    }

    @Test(arguments: FaultKind.allCases) func everyKindHasALegalForm(_ kind: FaultKind) throws {
        #expect(throws: Never.self) { try Self.plain(kind).validate() }
        #expect(!kind.meaning.isEmpty)
    }

    /// Names are part of the interface: they do not change.
    @Test func namesAreStable() {
        #expect(
            FaultKind.allCases.map(\.rawValue) == [
                "drop", "corrupt-header", "corrupt-payload", "corrupt-length", "duplicate", "reorder", "delay", "split",
                "join", "stall", "stale", "reset", "unplug",
            ])
        #expect(FaultDirection.allCases.map(\.rawValue) == ["toDevice", "fromDevice", "both"])
        #expect(FaultEnding.allCases.map(\.rawValue) == ["usedUp", "cleared", "detached"])
        #expect(Set(FaultPlace.atNames).count == FaultPlace.atNames.count)
    }

    /// Every place against every kind.
    @Test(arguments: FaultKind.allCases) func everyPlaceMeetsEveryKind(_ kind: FaultKind) {
        for name in FaultPlace.atNames {
            var request = Self.plain(kind)
            request.place = FaultPlace(at: name) ?? .anywhere
            #expect(request.place.at == name && request.place.from == nil)
            let isLegal =
                switch kind {
                case .stale: name == "detecting"
                case .corruptPayload: name != "detection"
                default: true
                }
            #expect(Self.field(request) == (isLegal ? nil : "at"), "\(kind.rawValue) at \(name)")
        }
        for name in FaultPlace.fromNames {
            var request = Self.plain(kind)
            request.place = FaultPlace(from: name) ?? .anywhere
            #expect(request.place.from == name && request.place.at == nil)
            #expect(Self.field(request) == (kind == .stale ? "since" : nil), "\(kind.rawValue) from \(name)")
        }
        for place in [FaultPlace.during(.closed), .since(.closed)] {
            var request = Self.plain(kind)
            request.place = place
            #expect(Self.field(request) == (place.at == nil ? "since" : "at"))
        }
        #expect(FaultPlace(at: "closed") == nil && FaultPlace(from: "closed") == nil)
        #expect(FaultPlace(at: "nowhere") == nil && FaultPlace(from: "challenge") == nil)
    }

    /// Every time against every kind.
    @Test(arguments: FaultKind.allCases) func everyTimeMeetsEveryKind(_ kind: FaultKind) {
        let times: [UInt64?] = [
            nil, 0, 999_999, Self.millisecond, 60_000 * Self.millisecond, 60_000 * Self.millisecond + 1,
        ]
        for time in times {
            var request = FaultRequest(kind)
            request.duration = time
            let isInRange = time.map { (Self.millisecond...60_000 * Self.millisecond).contains($0) } ?? true
            let isLegal =
                switch kind.timing {
                case .none: time == nil
                case .required: time != nil && isInRange
                case .optional, .untilCleared: isInRange
                }
            #expect(Self.field(request) == (isLegal ? nil : "durationMilliseconds"), "\(kind.rawValue) \(time ?? 0)")
        }
    }

    private static var millisecond: UInt64 { 1_000_000 }

    /// Every count against every kind.
    @Test(arguments: FaultKind.allCases) func everyCountMeetsEveryKind(_ kind: FaultKind) {
        for count: Int? in [nil, -1, 0, 1, 2, 1_000_000, 1_000_001] {
            var request = Self.plain(kind)
            request.count = count
            let isInRange = count.map { (1...1_000_000).contains($0) } ?? true
            let isOnce = kind == .stall || kind == .unplug
            #expect(Self.field(request) == (isInRange && (!isOnce || count == 1) ? nil : "count"))
        }
        for after in [-1, 0, 1, 1_000_000, 1_000_001] {
            var request = Self.plain(kind)
            request.after = after
            let isLegal = kind == .stale ? after == 0 : (0...1_000_000).contains(after)
            #expect(Self.field(request) == (isLegal ? nil : "after"))
        }
        var stall = FaultRequest(.stall, count: nil, duration: 1_000_000)
        #expect(Self.field(stall) == nil, "with a time it strikes again and again")
        stall.duration = nil
        #expect(Self.field(stall) == "count")
    }

    @Test func aDeviceHasAName() {
        #expect(Self.field(FaultRequest(.drop, device: "-x")) == "device")
        #expect(Self.field(FaultRequest(.drop, device: "iphone-1", generation: 2)) == nil)
        #expect(Self.field(FaultRequest(.drop, generation: 2)) == "generation")
    }

    @Test func theTextSaysWhatIsLegal() {
        func text(_ request: FaultRequest) -> String {
            do throws(CommandFailure) {
                try request.validate()
                return ""
            } catch {
                return error.text
            }
        }
        #expect(text(FaultRequest(.drop, after: -1)) == "after: -1 is not between 0 and 1000000 packets")
        #expect(text(FaultRequest(.drop, count: 0)) == "count: 0 is not between 1 and 1000000 strikes")
        #expect(
            text(FaultRequest(.delay))
                == "durationMilliseconds: delay needs a time: how much later the packet comes, 1 ms to 60 s")
        #expect(
            text(FaultRequest(.drop, duration: 5_000_000))
                == "durationMilliseconds: drop takes no time; reorder, delay, join and stall do")
        #expect(
            text(FaultRequest(.delay, duration: 1)) == "durationMilliseconds: it is not between 1 ms and 60 s")
        #expect(text(FaultRequest(.stale, place: .during(.active))).contains("leave the place out"))
    }

    @Test func aFaultIsPublished() throws {
        var fault = Fault(
            id: FaultID(3), request: FaultRequest(.join, device: "p", direction: .both, place: .packet(.challenge)),
            device: nil)
        fault.strikes = 2
        #expect(
            fault.record
                == .object([
                    RecordField("id", .string("f3")), RecordField("kind", .string("join")),
                    RecordField("device", .string("p")), RecordField("waiting", .bool(true)),
                    RecordField("direction", .string("both")), RecordField("at", .string("challenge")),
                    RecordField("after", .int(0)), RecordField("count", .int(1)),
                    RecordField("durationMilliseconds", .int(20)), RecordField("keep", .bool(false)),
                    RecordField("strikes", .int(2)),
                ]))
        #expect(FaultID(name: "f3") == FaultID(3))
        for name in ["", "f", "f0", "f03", "F3", "3", "f-1", "f4294967296", "f+1"] {
            #expect(FaultID(name: name) == nil, "\(name)")
        }
        let strike = FaultStrike(direction: .toDevice, packet: 4, phase: .active, bytes: 16, effect: "it is lost")
        let event = Event(
            time: 1, kind: .faultStruck, origin: .simulated, payload: .fault(fault, strike: strike, ending: nil))
        #expect(event.record.value(at: "strike.packet") == .int(4))
        #expect(event.record.value(at: "fault") == .string("f3"))
        #expect(event.record.value(at: "faultState.strikes") == .int(2))
        #expect(event.record.value(at: "ending") == nil)
    }

    /// The field of the first problem.
    private static func field(_ request: FaultRequest) -> String? {
        do throws(CommandFailure) {
            try request.validate()
            return nil
        } catch {
            guard case .invalidParameter(let field, _) = error else { return "?" }
            return field
        }
    }
}
