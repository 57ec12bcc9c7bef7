import RigModel
public import DashrigClient
internal import LinuxIO
internal import RigConfiguration
internal import VarlinkProtocol

/// Why a command did not do what was asked; everything that ends a command early.
public enum CommandLineFailure: Error, Equatable, Sendable {
    /// The command line is wrong.
    case usage(UsageFailure)
    /// The rig refused, failed, or is not there.
    case rig(ClientFailure)
    /// The rig refused a name; the text says which there are.
    case unknownName(name: String, text: String, suggestion: String?)
    /// What was asked was tried and did not come out.
    case failed(name: FailureName, text: String)
    /// A session did not become active; the code is that of the reason that the rig gave.
    case sessionFailed(code: String, text: String)
    /// A file cannot be read or written.
    case file(String)
    /// A scenario is wrong; the texts show where.
    case scenarioWrong([String])
    /// The output cannot be written.
    case output(OutputFailure)
    /// Somebody stopped it.
    case interrupted

    /// What the program exits with.
    public var exitCode: ExitCode {
        switch self {
        case .usage, .file, .scenarioWrong: .usage
        case .failed(let name, _): name.exitCode
        case .unknownName, .sessionFailed: .failed
        case .interrupted, .output(.readerGone), .output(.interrupted): .interrupted
        case .output(.refused): .rig
        case .rig(let failure): Self.exitCode(failure)
        }
    }

    private static func exitCode(_ failure: ClientFailure) -> ExitCode {
        switch failure {
        case .interrupted: .interrupted
        case .refused(let refusal):
            switch refusal.error.standard {
            // The line was right; that device is just none with which this can be done.
            case .invalidParameter("device"): .failed
            case .invalidParameter: .usage
            // Another version of the rig, or none at all.
            case .interfaceNotFound, .methodNotFound, .methodNotImplemented, .expectedMore: .rig
            case .permissionDenied: .failed
            case nil: refusal.scenarioProblems == nil ? .failed : .usage
            }
        case .notRunning, .notPermitted, .wrongPath, .protocolViolation, .timedOut, .closed, .system: .rig
        }
    }

    /// A stable name: that of the rig's error, else one in lower camel case.
    public var name: String {
        switch self {
        case .usage: FailureName.usage.rawValue
        case .rig(let failure): failure.name
        case .unknownName(let name, _, _): name
        case .failed(let name, _): name.rawValue
        case .sessionFailed(let code, _): code
        case .file: FailureName.file.rawValue
        case .scenarioWrong: FailureName.scenarioWrong.rawValue
        case .output: FailureName.output.rawValue
        case .interrupted: FailureName.interrupted.rawValue
        }
    }

    /// What happened and what to do, for a person.
    public var text: String {
        switch self {
        case .usage(let failure): return failure.sentence
        case .rig(.refused(let refusal)):
            guard let known = refusal.knownDevices, let id = refusal.fields.text("id"),
                let nearest = Spelling.nearest(to: id, among: known)
            else { return refusal.text }
            return "\(refusal.text); did you mean \"\(nearest)\"?"
        case .rig(let failure): return failure.text
        case .unknownName(_, let text, let suggestion):
            return suggestion.map { "\(text); did you mean \"\($0)\"?" } ?? text
        case .failed(_, let text), .sessionFailed(_, let text): return text
        case .file(let text): return text
        case .scenarioWrong(let problems): return problems.joined(separator: "\n\n")
        case .output(.refused(let text)): return "the output cannot be written: \(text)"
        case .output(.readerGone), .output(.interrupted), .interrupted: return "interrupted"
        }
    }

    /// The failure as one object.
    var json: JSON {
        var object: JSONObject = ["error": .string(name), "text": .string(text)]
        switch self {
        case .rig(.refused(let refusal)) where !refusal.error.parameters.isEmpty:
            object["parameters"] = .object(refusal.error.parameters)
        case .scenarioWrong(let problems): object["problems"] = .array(problems.map(JSON.string))
        case .usage, .rig, .unknownName, .failed, .sessionFailed, .file, .output, .interrupted: break
        }
        return .object(object)
    }

    /// Tells it: as an object of the result with `--json`, else in words.
    func tell(_ output: Output) {
        switch self {
        case .output(.readerGone), .output(.interrupted): return
        case .output, .usage, .rig, .unknownName, .failed, .sessionFailed, .file, .scenarioWrong, .interrupted: break
        }
        if output.isJSON {
            output.json(json)
            output.flush()
            return
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
            PrintableText.escaped(String($0))
        }
        output.say("dashrig: " + output.errorStyle.text(lines.joined(separator: "\n"), .bad))
        if case .usage(let failure) = self { output.say("See: \(failure.helpCommand)") }
    }
}
