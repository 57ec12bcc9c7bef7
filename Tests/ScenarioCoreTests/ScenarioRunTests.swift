import RigModel
import ScenarioCore
import Testing

@Suite struct ScenarioRunTests {
    @Test func aSessionIsExpectedAndFound() throws {
        let run = try VirtualRun(
            """
            plug iphone as phone
            expect session active device phone within 1s
            expect display added where displayState.name = main
            knob rotate 3
            unplug phone surprise
            expect session closed where reason.code = surpriseRemoval within 500ms
            """)
        print(TimelineText.render(run.timeline))
        print(TimelineText.render(run.verdict))
        #expect(run.verdict.outcome == .passed)
    }
}
