import RigConfiguration
import RigModel
import Testing

@testable import RigCore

/// How faults are set, bound to devices, told, used up and cleared.
@Suite struct FaultCommandTests {
    private static let millisecond = Bench.millisecond

    /// The kinds of fault events, with what is told of the fault.
    private func told(_ bench: Bench, from index: Int = 0) -> [String] {
        bench.events.dropFirst(index).compactMap { event in
            guard case .fault(let fault, let strike, let ending) = event.payload else { return nil }
            let device = event.device.map { " \($0.name)#\($0.generation)" } ?? ""
            switch event.kind {
            case .faultArmed: return "armed \(fault.id.name)\(device)"
            case .faultStruck: return "struck \(fault.id.name)\(device) \(strike?.phase.rawValue ?? "")"
            default: return "cleared \(fault.id.name)\(device) \(ending?.rawValue ?? "")"
            }
        }
    }

    private func set(_ bench: inout Bench, _ request: FaultRequest) throws -> RecordValue {
        let answer = bench.command(.setFault(request))
        return try #require(try answer?.get().value(at: "fault"))
    }

    private func list(_ bench: inout Bench, _ device: String? = nil) -> [RecordValue] {
        let client = bench.connect()
        bench.handle(.clientCalled(client, .listFaults(device: device)))
        defer { bench.handle(.clientClosed(client)) }
        guard case .array(let faults)? = bench.replies[client]?.first?.value(at: "faults") else { return [] }
        return faults
    }

    @Test func aFaultWaitsForItsDeviceAndIsUsedUp() throws {
        var bench = Bench()
        let fault = try set(&bench, FaultRequest(.drop, device: "phone", place: .during(.authenticating)))
        #expect(fault.value(at: "id")?.text == "f1" && fault.value(at: "waiting") == .bool(true))
        bench.plug("iphone", "other")
        #expect(told(bench) == ["armed f1"])
        bench.plug("iphone", "phone")
        #expect(bench.device("phone")?.value(at: "state")?.text == "connecting", "what is lost is sent again later")
        bench.pass(10 * Bench.second)
        #expect(bench.device("phone")?.value(at: "state")?.text == "active")
        #expect(
            told(bench) == [
                "armed f1", "armed f1 phone#1", "struck f1 phone#1 authenticating", "cleared f1 phone#1 usedUp",
            ])
        let struck = try #require(bench.events(.faultStruck).first)
        #expect(struck.origin == .simulated && struck.session == SessionID(2))
        #expect(bench.events(.faultArmed).allSatisfy { $0.origin == .declared })
        #expect(list(&bench).isEmpty)
    }

    @Test func withoutANameItIsForTheFrontOrTheNext() throws {
        var bench = Bench()
        _ = try set(&bench, FaultRequest(.drop, place: .during(.active), count: nil))
        bench.attach(DeviceFacts(kind: .knob, profile: "knob", port: "1-9", origin: .observed))
        bench.plug("iphone", "one")
        bench.plug("iphone", "two")
        let second = try set(&bench, FaultRequest(.drop, place: .during(.active), count: nil))
        #expect(second.value(at: "device")?.text == "one")
        bench.command(.setFront(device: "two"))
        #expect(try set(&bench, FaultRequest(.stall)).value(at: "device")?.text == "two")
        // What a head unit offers as soon as it is active is struck in between.
        let armed = told(bench).filter { $0.hasPrefix("armed") }
        #expect(armed.prefix(3) == ["armed f1", "armed f1 one#1", "armed f2 one#1"])
        #expect(list(&bench, "one").count == 2)
        #expect(list(&bench, "two").count == 1)
        #expect(list(&bench, "three").isEmpty)
    }

    @Test func aFaultGoesWithItsDeviceUnlessItIsKept() throws {
        var bench = Bench()
        bench.plug("iphone", "phone")
        _ = try set(&bench, FaultRequest(.drop, device: "phone", place: .during(.active)))
        _ = try set(&bench, FaultRequest(.duplicate, device: "phone", place: .during(.identifying), keep: true))
        let index = bench.events.count
        bench.unplug("phone")
        #expect(told(bench, from: index) == ["cleared f1 phone#1 detached"])
        let kinds = bench.kinds(from: index)
        #expect(kinds.last == .deviceDetached, "the device goes last")
        #expect(list(&bench).first?.value(at: "waiting") == .bool(true))
        bench.plug("iphone", "phone")
        #expect(
            told(bench, from: index).dropFirst() == [
                "armed f2 phone#2", "struck f2 phone#2 identifying", "cleared f2 phone#2 usedUp",
            ])
        #expect(bench.device("phone")?.value(at: "state")?.text == "active")
    }

    @Test func aNamelessFaultThatIsKeptComesBackWithItsDevice() throws {
        var bench = Bench()
        bench.plug("iphone", "phone")
        _ = try set(&bench, FaultRequest(.drop, place: .during(.active), count: nil, keep: true))
        bench.unplug("phone")
        bench.plug("iphone", "other")
        #expect(list(&bench).first?.value(at: "waiting") == .bool(true))
        bench.plug("iphone", "phone")
        #expect(list(&bench).first?.value(at: "device")?.text == "phone")
        #expect(list(&bench).first?.value(at: "waiting") == .bool(false))
    }

    @Test func unplugDetachesAtItsPlace() throws {
        var bench = Bench()
        _ = try set(&bench, FaultRequest(.unplug, device: "phone", place: .during(.authenticating)))
        bench.plug("iphone", "phone")
        #expect(bench.device("phone") == nil)
        #expect(bench.events(.deviceDetached).first?.reason?.code == "surpriseRemoval")
        #expect(bench.events(.sessionClosed).first?.reason?.code == "surpriseRemoval")
        #expect(told(bench).dropFirst(2) == ["struck f1 phone#1 authenticating", "cleared f1 phone#1 usedUp"])
        #expect(bench.core.nextDeadline == nil && bench.core.faults.isEmpty)
    }

    @Test func resetEndsARunningSessionAtOnceAndItComesBack() throws {
        var bench = Bench()
        bench.plug("iphone", "phone")
        _ = try set(&bench, FaultRequest(.reset))
        #expect(bench.events(.sessionClosed).first?.reason?.code == "resetByPeer")
        #expect(told(bench) == ["armed f1 phone#1", "struck f1 phone#1 active", "cleared f1 phone#1 usedUp"])
        bench.pass(2 * Bench.second)
        #expect(bench.device("phone")?.value(at: "state")?.text == "active")
    }

    @Test func aStallHoldsTheHandshakeUntilItIsCleared() throws {
        var bench = Bench()
        _ = try set(&bench, FaultRequest(.stall, device: "phone", place: .packet(.challenge)))
        bench.plug("iphone", "phone")
        bench.pass(5 * Bench.second)
        #expect(bench.phase() == "authenticating")
        let answer = bench.command(.clearFaults(.device("phone")))
        #expect(try answer?.get().value(at: "cleared") == .array([.string("f1")]))
        bench.pass(3 * Bench.second)
        #expect(bench.phase() == "active")
        #expect(told(bench).last == "cleared f1 phone#1 cleared")
    }

    @Test func aStallThatIsNotClearedHoldsTheNextHandshakesToo() throws {
        var bench = Bench()
        _ = try set(&bench, FaultRequest(.stall, place: .packet(.challenge)))
        bench.plug("iphone", "phone")
        bench.pass(500 * Bench.second)
        #expect(bench.device("phone")?.value(at: "state")?.text == "failed")
        #expect(Set(bench.events(.sessionClosed).compactMap(\.reason?.code)).contains("detectTimedOut"))
        let index = bench.events.count
        bench.command(.clearFaults(.all))
        bench.command(.retry(device: "phone", generation: nil))
        bench.pass(Bench.second)
        #expect(bench.device("phone")?.value(at: "state")?.text == "active")
        #expect(told(bench, from: index) == ["cleared f1 phone#1 cleared"])
    }

    /// A fault that strikes at every packet must not fill everybody's streams; nothing of it is lost count of.
    @Test func aFloodOfStrikesIsHeldBackAndCounted() throws {
        var bench = Bench()
        bench.plug("iphone", "phone")
        _ = try set(&bench, FaultRequest(.split, device: "phone", count: nil))
        let update = Command.send(SendRequest(device: "phone", message: "NowPlayingUpdate"))
        for _ in 0..<200 { bench.command(update) }
        let burst = Int(PublishingBudget.burst)
        #expect(bench.events(.faultStruck).count == burst)
        bench.pass(Bench.second)
        bench.command(update)
        let after = bench.events(.faultStruck).dropFirst(burst)
        let suppressed = after.compactMap { $0.record.value(at: "strike.suppressed")?.int }
        bench.command(.clearFaults(.all))
        let strikes = try #require(bench.events(.faultCleared).last?.record.value(at: "faultState.strikes")?.int)
        #expect(strikes == Int64(bench.events(.faultStruck).count) + suppressed.reduce(0, +))
        #expect(strikes > 200 && suppressed.first ?? 0 > 100, "\(strikes), \(suppressed)")
    }

    @Test func staleBytesOutlastAReplugWhenKept() throws {
        var bench = Bench()
        _ = try set(&bench, FaultRequest(.stale, device: "phone", direction: .both, keep: true))
        bench.plug("iphone", "phone")
        #expect(bench.device("phone")?.value(at: "state")?.text == "active")
        #expect(told(bench).count == 2, "there was no session before")
        bench.unplug("phone", surprise: false)
        bench.plug("iphone", "phone")
        bench.pass(60 * Bench.second)
        #expect(bench.device("phone")?.value(at: "state")?.text == "active")
        let strikes = bench.events(.faultStruck).compactMap { event -> FaultStrike? in
            if case .fault(_, let strike, _) = event.payload { strike } else { nil }
        }
        #expect(Set(strikes.map(\.direction)) == [.toDevice, .fromDevice])
        #expect(strikes.allSatisfy { $0.phase == .detecting && $0.bytes > 100 && $0.packet == 0 })
        #expect(told(bench).last == "cleared f1 phone#2 usedUp")
    }

    // MARK: What is refused

    @Test func aRequestIsChecked() {
        var bench = Bench()
        #expect(
            bench.failure(of: .setFault(FaultRequest(.delay)))
                == .invalidParameter(
                    "durationMilliseconds", text: "delay needs a time: how much later the packet comes, 1 ms to 60 s"))
        bench.plug("iphone", "phone")
        bench.attach(DeviceFacts(kind: .knob, profile: "knob", port: "1-9", origin: .observed))
        #expect(
            bench.failure(of: .setFault(FaultRequest(.drop, device: "knob-1")))
                == .invalidParameter("device", text: "'knob-1' is a knob: it has no link"))
        #expect(
            bench.failure(of: .setFault(FaultRequest(.drop, device: "phone", generation: 2)))
                == .staleDevice("phone", generation: 1)
                || bench.failure(of: .setFault(FaultRequest(.drop, device: "phone", generation: 2)))
                    == .staleDevice("phone", generation: 2)
        )
        #expect(
            bench.failure(of: .setFault(FaultRequest(.drop, device: "nobody", generation: 2)))
                == .unknownDevice("nobody", known: ["knob-1", "phone"]))
        bench.attach(DeviceFacts(kind: .iPhone, profile: "iphone", port: "1-1", origin: .observed))
        let isRefused =
            if case .notPermitted? = bench.failure(of: .setFault(FaultRequest(.unplug, device: "iphone-1"))) {
                true
            } else {
                false
            }
        #expect(isRefused, "a real cable")
        #expect(bench.core.faults.isEmpty)
        #expect(
            bench.failure(of: .clearFaults(.device("nobody")))
                == .unknownDevice("nobody", known: bench.deviceNames().sorted()))
        #expect(bench.failure(of: .clearFaults(.device("phone"))) == nil)
        #expect(bench.failure(of: .clearFaults(.these([FaultID(9)]))) == nil)
    }

    @Test func anUnplugPassesARealDeviceBy() throws {
        var bench = Bench()
        _ = try set(&bench, FaultRequest(.unplug, place: .during(.active)))
        bench.attach(DeviceFacts(kind: .iPhone, profile: "iphone", port: "1-1", origin: .observed))
        #expect(bench.device("iphone-1")?.value(at: "state")?.text == "active")
        #expect(list(&bench).first?.value(at: "waiting") == .bool(true))
        bench.plug("iphone", "phone")
        #expect(bench.device("phone") == nil)
    }

    @Test func thereAreLimits() throws {
        var bench = Bench { $0.maximumFaults = 20 }
        for _ in 0..<16 { _ = try set(&bench, FaultRequest(.drop, device: "a")) }
        #expect(bench.failure(of: .setFault(FaultRequest(.drop, device: "a"))) == .limitReached("faultsPerDevice", 16))
        for name in ["b", "c", "d"] { _ = try set(&bench, FaultRequest(.drop, device: name)) }
        _ = try set(&bench, FaultRequest(.drop))
        #expect(bench.failure(of: .setFault(FaultRequest(.drop))) == .limitReached("faults", 20))
        bench.command(.clearFaults(.all))
        #expect(bench.core.faults.isEmpty)
        #expect(bench.events(.faultCleared).count == 20)
    }

    @Test func theListSaysWhatThereIs() throws {
        var bench = Bench()
        let client = bench.connect()
        bench.handle(.clientCalled(client, .listFaults(device: nil)))
        let answer = try #require(bench.replies[client]?.first)
        #expect(answer.value(at: "kinds")?.count == FaultKind.allCases.count)
        #expect(answer.value(at: "at")?.count == FaultPlace.atNames.count)
        #expect(answer.value(at: "since.0")?.text == "detecting")
        #expect(answer.value(at: "kinds.0.text")?.text == "a packet is lost")
    }
}

/// Scenarios that set faults, on the real rig.
@Suite struct FaultScenarioTests {
    @Test(arguments: FaultDocument.examples) func theExamplesOfTheReferencePass(_ text: String) throws {
        var bench = Bench()
        let client = bench.connect()
        bench.handle(.clientCalled(client, .run(name: "example", text: text)))
        bench.pass(60 * Bench.second)
        let verdict = try #require(bench.replies[client]?.last?.value(at: "verdict"), "\(bench.replies[client] ?? [])")
        #expect(verdict.value(at: "outcome")?.text == "passed", "\(text)\n\(verdict)")
        #expect(bench.core.faults.isEmpty && bench.core.devices.attachedCount == 0)
    }

    @Test func whatAScenarioSetIsClearedAtItsEndAndNothingElse() throws {
        var bench = Bench()
        bench.plug("iphone", "mine")
        bench.command(.setFault(FaultRequest(.drop, device: "mine", place: .during(.active), count: nil)))
        let client = bench.connect()
        let text = "fault drop device mine at active always keep\nfault stall device a at challenge\nplug iphone as a\n"
        bench.handle(.clientCalled(client, .run(name: "run", text: text + "expect mark within 1s")))
        bench.pass(Bench.second / 2)
        #expect(bench.core.faults.count == 3)
        bench.handle(.clientClosed(client))
        bench.pass(5 * Bench.second)
        #expect(bench.core.faults.ids == [FaultID(1)])
        #expect(bench.deviceNames() == ["mine"])
    }
}
