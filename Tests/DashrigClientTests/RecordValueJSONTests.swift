import DashrigClient
import RigModel
import Testing
import VarlinkProtocol

@Suite struct RecordValueJSONTests {
    @Test(
        arguments: [
            nil, true, 3, -9_223_372_036_854_775_808, 2.5, "text", ["a", 1, nil], ["a": ["b": [1, 2]], "c": "d"], [:],
            [],
        ] as [JSON])
    func aValueComesBackTheSame(_ json: JSON) { #expect(JSON(RecordValue(json)) == json) }

    @Test func membersKeepTheirOrder() {
        let json: JSON = ["z": 1, "a": 2]
        #expect(JSON(RecordValue(json)).description == "{\"z\":1,\"a\":2}")
    }

    @Test func aNameThatStandsTwiceCountsOnce() {
        let record = RecordValue.object([RecordField("a", .int(1)), RecordField("a", .int(2))])
        #expect(JSON(record) == ["a": 2])
    }

    @Test func readersAnswerOnlyTheirType() {
        let record = RecordValue(
            ["text": "t", "n": 4, "x": 2.5, "b": true, "list": ["a", 1, "b"], "minus": -1] as JSON)
        #expect(record.text("text") == "t" && record.text("n") == nil && record.text("none") == nil)
        #expect(record.int("n") == 4 && record.int("x") == nil)
        #expect(record.count("n") == 4 && record.count("minus") == nil)
        #expect(record.double("n") == 4 && record.double("x") == 2.5 && record.double("text") == nil)
        #expect(record.bool("b") == true && record.bool("n") == nil)
        #expect(record.texts("list") == ["a", "b"] && record.elements("text") == [])
    }
}
