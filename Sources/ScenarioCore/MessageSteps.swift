import RigModel

// send: what one side of a session tells the other.
extension StepParser {
    /// `send NAME MESSAGE [from phone|headUnit] [with PATH VALUE …]`.
    mutating func send() throws(ScenarioProblem) -> Act {
        var request = SendRequest(device: try deviceName(), message: try line.next("the message").text)
        if try line.take("from") { request.sender = try choice(LinkSide.self, "'phone' or 'headUnit'") }
        if let word = try line.next() {
            guard word.text == "with" else {
                throw line.problem(
                    word, "'\(word.text)' is no option of send; there is from, with", near: ["from", "with"])
            }
            request.fields = try fields()
        }
        return Act(action: .perform(.send(request)))
    }

    /// Paths and values up to the end of the line, at least one.
    private mutating func fields() throws(ScenarioProblem) -> RecordValue {
        var fields = FieldAssignments()
        var path: SourceLine.Word? = try line.next("a field: mediaItem.title")
        while let name = path {
            let value = try line.next("the value of \(name.text)")
            do throws(FieldAssignments.Problem) {
                try fields.set(name.text, to: value.text, isQuoted: value.isQuoted)
            } catch {
                throw line.problem(name, error.text)
            }
            path = try line.next()
        }
        return fields.record
    }
}
