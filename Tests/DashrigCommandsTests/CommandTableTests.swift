import DashrigClient
import Foundation
import LinuxIO
import Testing

@testable import DashrigCommands

@Suite struct CommandTableTests {
    static let leaves = CommandTable.entries.filter { $0.command.action != nil }

    @Test func everyCommandTeaches() {
        for entry in Self.leaves {
            let name = entry.path.joined(separator: " ")
            #expect(entry.command.examples.count >= 2, "\(name) has two examples")
            #expect(!entry.command.discussion.isEmpty, "\(name) is described")
            #expect(!entry.command.summary.hasSuffix("."), "\(name): a summary has no full stop")
            for example in entry.command.examples {
                #expect(example.line.contains("dashrig \(name)"), "\(name) stands in: \(example.line)")
                #expect(example.text.hasSuffix("."), "\(name): \(example.text)")
            }
            for option in entry.command.options { #expect(option.name.hasPrefix("--")) }
        }
    }

    @Test func namesAreUnique() {
        let paths = CommandTable.entries.map(\.path)
        #expect(Set(paths).count == paths.count)
        for entry in CommandTable.entries {
            let names = (entry.command.options + CommandTable.globalOptions).map(\.name)
            #expect(Set(names).count == names.count, "\(entry.path)")
            let operands = entry.command.operands.map(\.name)
            #expect(Set(operands).count == operands.count, "\(entry.path)")
        }
    }

    /// What is shown as an example must be understood: the part of each that is a call of dashrig.
    @Test func everyExampleIsUnderstood() throws {
        for entry in Self.leaves {
            for example in entry.command.examples {
                for call in Self.calls(example.line) {
                    #expect(throws: Never.self, "\(example.line)") { try CommandTable.parser.parse(call) }
                }
            }
        }
    }

    /// The calls of dashrig in a shell line, as words.
    static func calls(_ line: String) -> [[String]] {
        var calls: [[String]] = []
        for part in line.components(separatedBy: CharacterSet(charactersIn: "|&;()>")) {
            var words = part.components(separatedBy: " ").filter { !$0.isEmpty }
            while let first = words.first, first.contains("=") || first == "source" || first == "<" {
                words.removeFirst()
            }
            guard words.first == "dashrig" else { continue }
            let quoted = part.contains("\"") || part.contains("'")
            calls.append(quoted ? Array(words.dropFirst().prefix(2)) : Array(words.dropFirst()))
        }
        return calls
    }

    @Test func helpOfEveryCommandFitsItsWidth() {
        for width in [40, 60, 80, 100] {
            for entry in CommandTable.entries {
                // Examples stand as they are typed.
                let examples = entry.command.examples.map { "  \($0.line)" }
                for line in HelpText.command(entry, width: width)
                where !examples.contains(line) && !line.hasPrefix("  dashrig ") {
                    #expect(line.count <= width, "\(entry.path) at \(width): \(line)")
                }
            }
        }
    }

    @Test func helpNamesEverythingOfTheTable() {
        for entry in CommandTable.entries {
            let help = HelpText.command(entry, width: 80).joined(separator: "\n")
            for operand in entry.command.operands { #expect(help.contains(operand.name)) }
            for option in entry.command.options + CommandTable.globalOptions { #expect(help.contains(option.usage)) }
            for example in entry.command.examples { #expect(help.contains(example.line)) }
            for subcommand in entry.command.subcommands { #expect(help.contains(subcommand.name)) }
        }
        let overview = HelpText.overview(width: 80).joined(separator: "\n")
        for command in CommandTable.commands { #expect(overview.contains(command.summary)) }
    }
}

/// Files of the tree that are made from the table. `DASHRIG_WRITE_DOCS=1 swift test --filter GeneratedFilesTests` writes
/// them anew.
@Suite struct GeneratedFilesTests {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static let files: [(path: String, text: @Sendable () -> String)] = [
        ("completions/dashrig.bash", { BashCompletion.script() }), ("man/dashrig.1", { ManualPage.text() }),
        ("docs/command-line.md", { MarkdownReference.text() }),
    ]

    @Test(arguments: files.indices) func theFileIsWhatTheTableSays(_ index: Int) throws {
        let (path, text) = Self.files[index]
        let url = Self.root.appendingPathComponent(path)
        if ProcessInfo.processInfo.environment["DASHRIG_WRITE_DOCS"] == "1" {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text().write(to: url, atomically: true, encoding: .utf8)
        }
        let found = try String(contentsOf: url, encoding: .utf8)
        #expect(found == text(), "\(path) is not what the command table says; DASHRIG_WRITE_DOCS=1 writes it anew")
    }

    @Test func theDissectorHasTheMessagesOfTheTable() throws {
        let path = "share/wireshark/dashrig.lua"
        let url = Self.root.appendingPathComponent(path)
        let found = try String(contentsOf: url, encoding: .utf8)
        let wanted = try #require(WiresharkMessages.spliced(into: found), "\(path) has no place for messages")
        if ProcessInfo.processInfo.environment["DASHRIG_WRITE_DOCS"] == "1" {
            try wanted.write(to: url, atomically: true, encoding: .utf8)
        } else {
            #expect(found == wanted, "\(path) has other messages; DASHRIG_WRITE_DOCS=1 writes it anew")
        }
    }

    @Test func theExitCodesAreDocumented() throws {
        let url = Self.root.appendingPathComponent("docs/exit-codes.md")
        let text = try String(contentsOf: url, encoding: .utf8)
        for code in ExitCode.allCases { #expect(text.contains("| \(code.rawValue) | ")) }
    }

    /// The names of errors that are not the rig's own: the tool's, and those of the way to the rig.
    @Test func theNamesOfErrorsAreDocumented() throws {
        let url = Self.root.appendingPathComponent("docs/exit-codes.md")
        let text = try String(contentsOf: url, encoding: .utf8)
        var documented: [String: Int32] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("| `") && !line.hasPrefix("| `error` | Code") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let name = cells[0].prefix { $0 != "," }.filter { $0 != "`" }
            #expect(documented[name] == nil, "\(name) stands twice")
            let code: Int32 = try #require(Int32(cells[1]), "\(line)")
            documented[name] = code
        }
        var wanted = Dictionary(uniqueKeysWithValues: FailureName.allCases.map { ($0.rawValue, $0.exitCode.rawValue) })
        // Cases with values cannot list themselves; the compiler asks for a new one here.
        func isKnown(_ failure: ClientFailure) -> Bool {
            switch failure {
            case .notRunning, .notPermitted, .wrongPath, .protocolViolation, .timedOut, .closed, .interrupted, .system,
                .refused:
                true
            }
        }
        let failures: [ClientFailure] = [
            .notRunning(path: "", socketExists: false), .notPermitted(path: "", group: ""), .wrongPath(""),
            .protocolViolation(""), .timedOut(method: "", after: 0), .closed(method: ""), .interrupted,
            .system(SystemError("read", 5)),
        ]
        for failure in failures where isKnown(failure) {
            wanted[failure.name] = CommandLineFailure.rig(failure).exitCode.rawValue
        }
        for (name, code) in wanted { #expect(documented[name] == code, "docs/exit-codes.md: \(name) is \(code)") }
        for name in documented.keys { #expect(wanted[name] != nil, "docs/exit-codes.md: nothing is called \(name)") }
    }

    /// Names stand in `FailureName` alone: a literal in a source would be none that the test above sees.
    @Test func noNameOfAnErrorIsALiteral() throws {
        let folder = Self.root.appendingPathComponent("Sources/DashrigCommands")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(!text.contains(/failed\(\s*name:\s*"/), "\(file.lastPathComponent)")
            #expect(!text.contains(/sessionFailed\(\s*code:\s*"/), "\(file.lastPathComponent)")
            #expect(!text.contains(/"error":\s*\.string\("/), "\(file.lastPathComponent)")
        }
    }
}
