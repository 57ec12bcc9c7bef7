import ScenarioCore

/// Scripts of the desktop head unit: what is translated is a scenario, and what is refused has a place in the script.
///
/// Input: the script.
enum DHUTarget {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        let script: DHUScript
        do throws(ScenarioProblems) {
            script = try DHUScript(parsing: bytes, file: "fuzz.dhu")
        } catch {
            return try check(error, bytes)
        }
        let scenario: Scenario
        do throws(ScenarioProblems) {
            scenario = try Scenario(parsing: script.scenario, file: "fuzz.rig")
        } catch {
            throw FuzzFinding("the translation cannot be read:\n\(error.rendered)")
        }
        try require(scenario.steps.count == script.steps, "\(scenario.steps.count) steps, and \(script.steps) are told")
    }

    private static func check(_ error: ScenarioProblems, _ text: [UInt8]) throws(FuzzFinding) {
        let lines = text.count { $0 == 0x0A } + 1
        try require((1...ScenarioProblems.maximum).contains(error.problems.count), "\(error.problems.count) problems")
        for problem in error.problems {
            let place = problem.place
            try require((1...lines).contains(place.line), "a problem in line \(place.line) of \(lines)")
            let width = problem.line.unicodeScalars.count + 1
            try require((1...width).contains(place.column), "a problem in column \(place.column) of \(width)")
            try require(!problem.message.isEmpty && !problem.rendered.isEmpty, "a problem without text")
        }
    }
}
