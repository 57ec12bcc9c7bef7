import RigModel

// appearance, driver-side, limited-ui and vehicle.
extension StepParser {
    private static let carWords = ["appearance", "driver-side", "limited-ui"]
    private static let vehicleWords = carWords + VehicleWords.keys
    private static let automatic = "automatic"

    func vehicle(_ change: VehicleChange) -> Act { Act(action: .perform(.setVehicle(change))) }

    /// `vehicle WORD VALUE [WORD VALUE …]`, `vehicle track FILE` or `vehicle track stop`.
    mutating func vehicle() throws(ScenarioProblem) -> Act {
        if try line.take("track") { return try track() }
        var change = VehicleChange()
        var words = VehicleWords()
        var seen: [SourceLine.Word] = []
        repeat {
            let word = try line.next("what changes: \(Self.vehicleWords.joined(separator: ", ")), track")
            if seen.contains(where: { $0.text == word.text }) {
                throw line.problem(word, "'\(word.text)' stands twice")
            }
            seen.append(word)
            if Self.carWords.contains(word.text) {
                try set(word.text, of: &change)
            } else if VehicleWords.keys.contains(word.text) {
                let value = try line.next(VehicleWords.meaning(of: word.text))
                do throws(VehicleProblem) {
                    try words.set(word.text, to: value.text)
                } catch {
                    throw line.problem(value, "\(word.text): \(error.text)")
                }
            } else {
                throw line.problem(
                    word,
                    "a vehicle has no '\(word.text)' that can be set; there is "
                        + Self.vehicleWords.joined(separator: ", ") + ", track", near: Self.vehicleWords + ["track"])
            }
        } while try line.peek() != nil
        do throws(VehicleProblem) {
            change.measures = try words.change()
        } catch {
            throw at(seen.first { ["altitude", "heading", "accuracy"].contains($0.text) }, error.text)
        }
        return vehicle(change)
    }

    /// Takes the value of a word that has a step of its own.
    mutating func set(_ word: String, of change: inout VehicleChange) throws(ScenarioProblem) {
        let isAutomatic = try line.take(Self.automatic)
        switch word {
        case "appearance" where isAutomatic: change.automatic.append(.appearance)
        case "appearance": change.appearance = try appearance()
        case "limited-ui" where isAutomatic: change.automatic += [.keyboard, .lists]
        case "limited-ui":
            let limits = try limitedUI()
            change.limitKeyboard = limits.keyboard
            change.limitLists = limits.lists
        default: change.driverSide = try choice(DriverSide.self, "'left' or 'right'")
        }
    }

    private mutating func track() throws(ScenarioProblem) -> Act {
        let word = try line.next("the track's file, or 'stop'")
        if word.text == "stop", !word.isQuoted { return vehicle(VehicleChange(track: .stop)) }
        let name = ScenarioPath.joined(trackFolder, word.text)
        guard let file = tracks.first(where: { $0.name == name || trackFolder.isEmpty && $0.name == word.text })
        else {
            if let file = absent.first(where: { $0.kind == .track && $0.name == name }) {
                throw line.problem(word, file.reason)
            }
            missingTrack = ScenarioFileName(kind: .track, name: name, place: line.problem(word, "").place)
            throw line.problem(
                word, "the track '\(word.text)' is not here; 'dashrig run' sends it along with the scenario",
                near: tracks.map(\.name))
        }
        do throws(VehicleTrack.Problem) {
            return vehicle(VehicleChange(track: .play(try VehicleTrack(parsing: file.text))))
        } catch {
            throw line.problem(word, "\(file.name):\(error.line): \(error.text)")
        }
    }
}
