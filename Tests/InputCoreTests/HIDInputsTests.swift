import InputCore
import RigModel
import Testing

@Suite struct HIDInputsTests {
    @Test func whatIsAddedComesInOrder() {
        var inputs = HIDInputs()
        #expect(inputs.isEmpty && Array(inputs) == [])
        var expected: [HIDInput] = []
        for detents in 1...4 as ClosedRange<Int32> {
            let input = HIDInput.knob(.rotate(detents: detents))
            inputs.append(input)
            expected.append(input)
            #expect(inputs.count == expected.count && Array(inputs) == expected)
        }
        var others = HIDInputs()
        for input in expected { others.append(input) }
        #expect(others == inputs)
        others.append(.knob(.pressed))
        #expect(others != inputs)
    }
}
