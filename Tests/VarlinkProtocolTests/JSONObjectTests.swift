import Testing
import VarlinkProtocol

@Suite struct JSONObjectTests {
    @Test func keepsOrderAndReplacesInPlace() {
        var object: JSONObject = ["b": 1, "a": 2]
        object["c"] = 3
        object["b"] = 4
        #expect(object.keys == ["b", "a", "c"])
        #expect(object["b"] == 4)
        object["a"] = nil
        #expect(object.keys == ["b", "c"])
        #expect(object["a"] == nil)
        #expect(object.map(\.value) == [4, 3])
    }

    @Test func equalityIgnoresOrder() {
        let left: JSONObject = ["a": 1, "b": [1, 2], "c": nil]
        #expect(left == ["c": nil, "b": [1, 2], "a": 1])
        #expect(left != ["c": nil, "b": [2, 1], "a": 1])
        #expect(left != ["a": 1, "b": [1, 2]])
        #expect(left != ["a": 1, "b": [1, 2], "d": nil])
    }

    @Test func equalityIsExact() {
        #expect(JSON.int(1) != .double(1))
        #expect(JSON.string("\u{E9}") != .string("e\u{301}"))
        #expect(JSON.string("a\u{323}\u{307}") != .string("a\u{307}\u{323}"))
        let precomposed: JSONObject = ["\u{E9}": 1]
        #expect(precomposed["e\u{301}"] == nil)
        #expect(precomposed != ["e\u{301}": 1])
    }
}
