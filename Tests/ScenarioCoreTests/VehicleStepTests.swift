import RigModel
import Testing

@testable import ScenarioCore

@Suite struct VehicleStepTests {
    @Test(arguments: [
        ("vehicle battery 100.0001%", 17, "100.0001% is not between 0 and 100 %"),
        ("  vehicle fuel 5% location 48,180.00000001", 28, "180.00000001 is not between -180 and 180"),
    ])
    func whatIsBeyondARangeByLittleIsRefusedAtItsPlace(_ line: String, _ column: Int, _ text: String) {
        let problems = #expect(throws: ScenarioProblems.self) {
            try Scenario(parsing: "mark x\n\(line)", file: "t.rig")
        }
        #expect(problems?.problems.first?.place == SourcePlace(file: "t.rig", line: 2, column: column))
        #expect(problems?.problems.first?.text.contains(text) == true, "\(problems?.rendered ?? "")")
    }

    @Test func aTrackThatCameAlongIsPlayed() throws {
        let file = TrackFile(name: "drives/a.csv", text: "time,fuel\n1,2\n")
        let scenario = try Scenario(parsing: "vehicle track drives/a.csv\n", file: "t.rig", tracks: [file])
        let track = try VehicleTrack(parsing: file.text)
        #expect(scenario.steps.map(\.action) == [.perform(.setVehicle(VehicleChange(track: .play(track))))])
    }

    @Test func whatIsWrongInATrackIsToldWithItsLine() throws {
        let file = TrackFile(name: "a.csv", text: "time,fuel\n1,200\n")
        do {
            _ = try Scenario(parsing: "mark x\nvehicle track a.csv\n", file: "t.rig", tracks: [file])
            Issue.record("it was taken")
        } catch {
            #expect(error.problems.first?.message == "a.csv:2: fuel: 200 is not between 0 and 100 %")
            #expect(error.problems.first?.place == SourcePlace(file: "t.rig", line: 2, column: 15))
        }
    }

    @Test func theTracksOfAScenarioAreFound() {
        let text = """
            vehicle track a.csv
            at 2s vehicle track "my drive.csv"   # vehicle track no.csv
            after mark vehicle track a.csv
            mark vehicle track no.csv
            send phone X with a vehicle track b
            vehicle track stop
            vehicle track "stop"
            vehicle track
            vehicle track "open
            """
        func names(_ bytes: [UInt8]) -> [String] { Scenario.missingFiles(parsing: bytes, file: "t").map(\.name) }
        #expect(names(Array(text.utf8)) == ["a.csv", "my drive.csv", "stop"])
        #expect(names(Array("\u{FEFF}vehicle track a.csv".utf8)) == ["a.csv"])
        #expect(names([0xFF, 0x0A, 0x24, 0x22]) == [])
    }

    @Test func aChangeIsToldWithWhatChangedAndWhy() throws {
        var vehicle = Vehicle()
        vehicle.measures.speed = 13_889
        vehicle.measures.parkingBrake = false
        vehicle.limitedUI.keyboard = true
        vehicle.track = TrackProgress(point: 2, points: 9)
        func line(_ changed: [VehicleField], _ derivation: VehicleDerivation? = nil) -> String {
            let event = Event(
                time: 1, kind: .vehicleChanged, origin: .declared,
                payload: .vehicle(vehicle, changed: changed, derivation: derivation))
            return EventText.line(event).split(separator: " ", maxSplits: 1).last?.trimmingPrefix { $0 == " " }
                .description ?? ""
        }
        #expect(
            line([.speed, .parkingBrake, .fuel, .track])
                == "speed 13.889m/s, parking-brake off, fuel unknown, track at point 2 of 9")
        let derivation = VehicleDerivation(
            property: .keyboard, value: "limited", cause: .speed, measured: "13.889m/s",
            rule: "keyboard-limited-from = 2.222m/s")
        #expect(
            line([.keyboard], derivation) == "light, driver left, limited: keyboard, "
                + "keyboard limited by speed 13.889m/s (keyboard-limited-from = 2.222m/s)")
        #expect(line([.automatic]) == "nothing automatic")
    }
}
