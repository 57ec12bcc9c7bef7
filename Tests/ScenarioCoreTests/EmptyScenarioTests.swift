import ScenarioCore
import Testing

@Suite struct EmptyScenarioTests {
    /// A file that was cut short must not be a passed test.
    @Test(arguments: ["", "\n\n", "# only a remark\n", "\u{FEFF}"])
    func aScenarioWithoutStepsIsWrong(text: String) {
        let error = #expect(throws: ScenarioProblems.self) { try Scenario(parsing: text, file: "cut.rig") }
        #expect(error?.problems.map(\.text) == ["the scenario has no steps"])
        #expect(error?.rendered.hasPrefix("cut.rig:") == true)
    }
}
