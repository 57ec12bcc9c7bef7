import ClientTestKit
import DashrigClient
import LinuxIO
import Testing
import VarlinkProtocol

@testable import DashrigCommands

/// A sink that keeps what is written.
final class MemorySink: TextSink {
    let isTerminal: Bool
    let width: Int?
    let usesColor: Bool
    var text = ""
    /// What the next write meets.
    var failure: OutputFailure?

    init(isTerminal: Bool = false, width: Int? = nil, usesColor: Bool = false) {
        self.isTerminal = isTerminal
        self.width = width
        self.usesColor = usesColor
    }

    func write(_ text: String) throws(OutputFailure) {
        if let failure { throw failure }
        self.text += text
    }
}

/// What came of a command line.
struct ToolResult {
    let code: ExitCode
    let out: String
    let err: String

    var lines: [String] { out.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast() }

    /// The one object of the result.
    var json: JSONObject {
        get throws {
            let lines = lines
            try #require(lines.count == 1, "one line: \(out)")
            return try #require(try JSON.parse(lines[0]).objectValue)
        }
    }

    /// An object a line.
    var objects: [JSONObject] {
        get throws { try lines.map { try #require(try JSON.parse($0).objectValue) } }
    }
}

/// Runs `dashrig` in this process. Words are split at spaces; quotes hold words together.
func tool(
    _ line: String, rig: FakeRig? = nil, environment: [String: String] = [:], terminal: Int? = nil,
    color: Bool = false, interrupt: Int32? = nil, machine: Machine = Machine(root: "/nowhere", uid: 1_000, groups: [])
) -> ToolResult {
    var environment = environment
    if let rig { environment["DASHRIG_SOCKET_DIR"] = rig.directory.path }
    let results = MemorySink(isTerminal: terminal != nil, width: terminal, usesColor: color)
    let words = MemorySink(isTerminal: terminal != nil, width: terminal, usesColor: color)
    let code = DashrigTool.run(
        split(line), environment: Environment(environment), results: results, words: words, interrupt: interrupt,
        machine: machine)
    return ToolResult(code: code, out: results.text, err: words.text)
}

private func split(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    for letter in line {
        switch letter {
        case "'":
            isQuoted.toggle()
            word = word ?? ""
        case " " where !isQuoted:
            if let word { words.append(word) }
            word = nil
        default: word = (word ?? "") + String(letter)
        }
    }
    if let word { words.append(word) }
    return words
}

/// Runs a test's body against a rig that answers as `handler` says.
func withRig(
    _ interface: SocketInterface = .rig, _ handler: @escaping FakeRig.Handler, body: (FakeRig) throws -> Void
) throws {
    let folder = try TestFolder()
    let rig = try FakeRig(folder.path, interface, handler: handler)
    defer { rig.stop() }
    try body(rig)
}

/// A rig that answers calls from a table and refuses all others.
func withRig(answers: [String: JSONObject], body: (FakeRig) throws -> Void) throws {
    try withRig { call, peer in
        let method = String(call.method.split(separator: ".").last ?? "")
        if let answer = answers[method] {
            peer.reply(answer)
        } else {
            peer.fail("org.varlink.service.MethodNotFound", ["method": .string(call.method)])
        }
    } body: { rig throws in
        try body(rig)
    }
}
