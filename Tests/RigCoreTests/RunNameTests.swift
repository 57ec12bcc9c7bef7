import RigCore
import RigModel
import Testing

@Suite struct RunNameTests {
    @Test(arguments: ["plug iphon\n", "plug iphone with displays wid\n"])
    func whatTheRigDoesNotKnowIsToldBeforeAnythingIsDone(line: String) {
        var bench = Bench()
        let client = bench.connect()
        bench.handle(.clientCalled(client, .run(name: "names.rig", text: "plug ipad as first\n" + line)))
        let problems = bench.replies[client]?.first?.value(at: "0")?.text
        #expect(problems?.contains("names.rig:2") == true)
        #expect(problems?.contains("did you mean") == true)
        #expect(bench.events.isEmpty)
    }

    @Test func aKindOfEventThatIsNoneIsToldWithTheNearest() {
        #expect(throws: CommandFailure.self) { try EventFilter(kinds: ["inpt.knob"], devices: nil) }
        do throws(CommandFailure) {
            _ = try EventFilter(kinds: ["session.activ"], devices: nil)
        } catch {
            #expect(error.text.contains("did you mean 'session.active'?"))
        }
    }
}
