internal import DashrigClient
internal import RigModel
internal import ScenarioCore
internal import VarlinkProtocol

/// A sequence of input as a file holds it: lines of a scenario, or JSON.
struct InjectionSource {
    /// The parameters of `InjectSequence` that it says.
    let parameters: JSONObject
    private let file: String
    /// The lines, where it has lines.
    private let script: InputScript?

    /// Understands a file's bytes, without a byte order mark.
    init(_ bytes: ArraySlice<UInt8>, _ file: String) throws(CommandLineFailure) {
        self.file = file
        let isJSON = bytes.first { !($0 <= 0x20) }.map { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") } ?? false
        guard isJSON else {
            do throws(ScenarioProblems) {
                let script = try InputScript(try Scenario(parsing: Array(bytes), file: file))
                parameters = script.sequence.parameters
                self.script = script
                return
            } catch {
                throw .scenarioWrong(error.problems.map(\.rendered))
            }
        }
        let value: JSON
        do throws(JSONError) {
            value = try JSON.parse(bytes)
        } catch {
            throw .file("\(file): \(error)")
        }
        switch value {
        case .array: parameters = ["steps": value]
        case .object(let object): parameters = object
        case .null, .bool, .int, .double, .string: throw .file("\(file): no sequence: an object or an array of steps")
        }
        if case .array(let steps)? = parameters["steps"], steps.isEmpty {
            throw .file("\(file): steps: the sequence has no steps")
        }
        script = nil
    }

    /// How far the file wants its input to come; `nil` where it says nothing.
    func wait() throws(CommandLineFailure) -> InputStep? {
        guard let value = parameters["wait"], value != .null else { return nil }
        guard let step = value.stringValue.flatMap(InputStep.init) else {
            let steps = InputStep.allCases.map(\.rawValue).joined(separator: ", ")
            throw .file("\(file): wait: this is none of \(steps)")
        }
        return step
    }

    /// How long the file waits for that, in nanoseconds; `nil` where it says nothing.
    func within() throws(CommandLineFailure) -> UInt64? {
        guard let value = parameters["withinMilliseconds"], value != .null else { return nil }
        guard let milliseconds = value.intValue, (0...Self.longestWait).contains(milliseconds) else {
            throw .file("\(file): withinMilliseconds: this is no whole number from 0 to \(Self.longestWait)")
        }
        return UInt64(milliseconds) * 1_000_000
    }

    /// Milliseconds: a day, as `--within` has it at most.
    private static let longestWait: Int64 = 86_400_000

    /// A refusal by the rig as the file's reader needs it: at the line of the step that the rig names, or, where the file has
    /// no lines of steps, with the file's name in front of the field's.
    func explained(_ failure: CommandLineFailure) -> CommandLineFailure {
        guard case .rig(.refused(let refusal)) = failure, let field = refusal.invalidParameter else { return failure }
        let parts = field.split(separator: ".")
        // What the file does not say comes from the command line.
        let isOfFile = script == nil && parts.first.map { parameters[String($0)] != nil } ?? false
        guard isOfFile || parts.first == "steps" else { return failure }
        if parts.count > 1, let index = Int(parts[1]) {
            // The name of the field says something to those who wrote it only.
            let prefix = "\(field): "
            let text = refusal.text.hasPrefix(prefix) ? String(refusal.text.dropFirst(prefix.count)) : refusal.text
            if let problem = script?.problem(ofStep: index, text) { return .scenarioWrong([problem.rendered]) }
        }
        return .rig(.refused(Refusal(refusal.error, explanation: "\(file): \(refusal.text)")))
    }
}
