import ScenarioCore
import Testing

@Suite struct NearestWordTests {
    @Test(arguments: [
        ("plg", "plug"), ("unplgu", "unplug"), ("PLUG", "plug"), ("loc", "lock"), ("lcok", "lock"), ("knobb", "knob"),
    ])
    func aTypingMistakeIsRecognised(_ word: String, _ meant: String) {
        #expect(NearestWord.among(["plug", "unplug", "lock", "knob"], to: word) == meant)
    }

    @Test(arguments: ["", "xyz", "p", "verylongword"])
    func somethingElseIsNot(_ word: String) {
        #expect(NearestWord.among(["plug", "unplug", "lock", "knob"], to: word) == nil)
    }

    @Test func theFirstOfEquallyNearOnesWins() {
        #expect(NearestWord.among(["cat", "bat"], to: "rat") == "cat")
        #expect(NearestWord.among(["bat", "cat"], to: "rat") == "bat")
    }

    @Test func wordsUpToTheLimitAreCompared() {
        let longest = String(repeating: "a", count: NearestWord.maximumLength)
        #expect(NearestWord.among([longest], to: longest.dropLast() + "b") == longest)
        #expect(NearestWord.among([longest + "a"], to: longest + "b") == nil)
    }
}
