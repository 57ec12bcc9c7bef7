import RigModel
import Testing

@Suite struct SpellingTests {
    @Test(arguments: [
        ("plg", "plug"), ("unplgu", "unplug"), ("PLUG", "plug"), ("loc", "lock"), ("lcok", "lock"), ("knobb", "knob"),
    ])
    func aTypingMistakeIsRecognised(_ word: String, _ meant: String) {
        #expect(Spelling.nearest(to: word, among: ["plug", "unplug", "lock", "knob"]) == meant)
    }

    @Test(arguments: ["", "xyz", "p", "verylongword"])
    func somethingElseIsNot(_ word: String) {
        #expect(Spelling.nearest(to: word, among: ["plug", "unplug", "lock", "knob"]) == nil)
    }

    @Test func theFirstOfEquallyNearOnesWins() {
        #expect(Spelling.nearest(to: "rat", among: ["cat", "bat"]) == "cat")
        #expect(Spelling.nearest(to: "rat", among: ["bat", "cat"]) == "bat")
    }

    @Test func wordsUpToTheLimitAreCompared() {
        let longest = String(repeating: "a", count: Spelling.longestWord)
        #expect(Spelling.nearest(to: longest.dropLast() + "b", among: [longest]) == longest)
        #expect(Spelling.nearest(to: longest + "b", among: [longest + "a"]) == nil)
    }
}
