import RigModel
import ScenarioCore
import Testing

@Test func aScenarioRunsToItsVerdict() throws {
    let scenario = try Scenario(parsing: "plug iphone as phone\nunplug phone", file: "a.rig")
    var run = ScenarioRun(scenario, name: "a")
    var actions: [ScenarioAction] = []
    run.start(now: 5, into: &actions)
    #expect(actions.last == .perform(.plug(PlugRequest(profile: "iphone", name: "phone")), step: 0))
}
