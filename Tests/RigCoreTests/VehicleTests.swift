import RigConfiguration
import RigModel
import Testing

@testable import RigCore

/// What holds for the whole car reaches every display that the rig declared.
@Suite struct VehicleTests {
    private func displays(_ bench: inout Bench, _ path: String) -> [RecordValue?] {
        guard case .array(let all)? = bench.state().value(at: "displays") else { return [] }
        return all.map { $0.value(at: path) }
    }

    @Test func aChangeReachesEveryDisplayOfTheRigsOwn() throws {
        var bench = Bench()
        let unit = try #require(bench.core.headUnits.first { $0.displays.count == 2 })
        bench.plug("iphone", "one", displays: unit.name)
        bench.plug("android", "two")
        let before = bench.events.count
        let result = bench.command(.setVehicle(VehicleChange(appearance: .dark, driverSide: .right)))
        let reply = try #require(try result?.get().value(at: "vehicle"))
        #expect(reply.value(at: "appearance")?.text == "dark")
        #expect(reply.value(at: "driverSide")?.text == "right")
        #expect(bench.kinds(from: before) == [.vehicleChanged, .displayChanged, .displayChanged, .displayChanged])
        #expect(bench.events(.displayChanged).compactMap(\.display) == ["s1/main", "s1/cluster", "s2/main"])
        #expect(displays(&bench, "appearance") == Array(repeating: .string("dark"), count: 3))
        #expect(displays(&bench, "driverSide") == Array(repeating: .string("right"), count: 3))
        #expect(displays(&bench, "revision") == Array(repeating: .int(2), count: 3))
        #expect(bench.state().value(at: "vehicle") == reply)
    }

    @Test func displaysThatTheOtherSideDeclaredBelongToAnotherCar() {
        var bench = Bench()
        bench.plug("head-unit", "car")
        bench.plug("iphone", "phone")
        bench.command(.setVehicle(VehicleChange(appearance: .dark)))
        #expect(displays(&bench, "appearance") == [.string("light"), .string("dark")])
        #expect(displays(&bench, "revision") == [.int(1), .int(2)])
    }

    @Test func theNextSessionBeginsWithTheVehicleAsItIs() {
        var bench = Bench()
        bench.command(.setVehicle(VehicleChange(appearance: .dark, driverSide: .right, limitLists: true)))
        bench.plug("iphone", "phone")
        #expect(displays(&bench, "appearance") == [.string("dark")])
        #expect(displays(&bench, "driverSide") == [.string("right")])
        #expect(displays(&bench, "limitedUI.lists") == [.bool(true)])
        #expect(displays(&bench, "limitedUI.keyboard") == [.bool(false)])
        #expect(displays(&bench, "revision") == [.int(1)])
    }

    @Test func nothingNewSaysNothing() {
        var bench = Bench()
        bench.plug("iphone", "phone")
        let before = bench.events.count
        #expect(bench.failure(of: .setVehicle(VehicleChange(appearance: .light, limitKeyboard: false))) == nil)
        #expect(bench.failure(of: .setVehicle(VehicleChange())) == nil)
        #expect(bench.events.count == before)
    }

    @Test func onlyWhatWasNamedChanges() {
        var bench = Bench()
        bench.plug("iphone", "phone")
        bench.command(
            .setDisplay(
                DisplayTests.change {
                    $0.driverSide = .right
                    $0.limitLists = true
                }))
        bench.command(.setVehicle(VehicleChange(appearance: .dark)))
        bench.command(.setVehicle(VehicleChange(limitKeyboard: true)))
        #expect(displays(&bench, "driverSide") == [.string("right")])
        #expect(displays(&bench, "limitedUI.keyboard") == [.bool(true)])
        #expect(displays(&bench, "limitedUI.lists") == [.bool(true)], "this display has limits of its own")
    }

    @Test func aDisplayThatWentItsOwnWayFollowsAgain() {
        var bench = Bench()
        bench.plug("iphone", "phone")
        bench.command(.setDisplay(DisplayTests.change { $0.appearance = .dark }))
        let before = bench.events.count
        // The vehicle is light already; who asks for light still wants every display to be so.
        bench.command(.setVehicle(VehicleChange(appearance: .light)))
        #expect(displays(&bench, "appearance") == [.string("light")])
        #expect(bench.kinds(from: before) == [.displayChanged])
    }

    @Test func aReloadLeavesSessionsAndTheVehicleAsTheyAre() {
        var bench = Bench()
        bench.plug("iphone", "phone")
        bench.command(.setVehicle(VehicleChange(appearance: .dark)))
        let before = bench.events.count
        var settings = bench.core.settings
        settings.vehicle = Vehicle(driverSide: .right)
        settings.headUnits = []
        bench.handle(.reconfigured(settings))
        #expect(bench.kinds(from: before) == [.configurationReloaded])
        #expect(bench.phase() == "active")
        #expect(displays(&bench, "appearance") == [.string("dark")])
        #expect(bench.state().value(at: "vehicle.appearance")?.text == "dark", "the vehicle drives on")
        #expect(bench.state().value(at: "vehicle.driverSide")?.text == "left")
        bench.handle(.configurationRefused("line 3: no"))
        #expect(bench.events.last?.kind == .configurationRefused)
        #expect(bench.events.last?.payload == .text("line 3: no"))
        // Without any head unit left a session has no displays, but it runs.
        bench.unplug("phone")
        bench.plug("iphone", "phone")
        #expect(bench.phase() == "active")
        #expect(displays(&bench, "id").isEmpty)
    }
}
