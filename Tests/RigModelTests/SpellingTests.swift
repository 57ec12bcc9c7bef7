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

    @Test func ofManyNamesOnlyTheNearestAreTold() {
        let few = (1...8).map { "iphone-\($0)" }
        #expect(Spelling.some(of: few, near: "x") == few)
        let many = (1...256).map { "iphone-\($0)" }
        let told = Spelling.some(of: many, near: "ipone-200")
        #expect(told.count == 8 && told.first == "iphone-200" && told.last == "and 249 more")
        #expect(Spelling.some(of: many, near: "iphone-300").first == "iphone-30")
        let unlike = Spelling.some(of: many, near: String(repeating: "z", count: 100_000))
        #expect(unlike.count == 8, "the cost of a long word stays small")
        let text = CommandFailure.unknownDevice("ipone-200", known: many).text
        #expect(text.utf8.count < 200 && text.contains("there is iphone-200, "), "\(text)")
    }
}
