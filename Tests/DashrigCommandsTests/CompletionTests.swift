import ClientTestKit
import Foundation
import Testing
import VarlinkProtocol

@testable import DashrigCommands

/// Runs a program to its end; answers its exit code and output.
func runProgram(_ path: String, _ arguments: [String], input: String = "") throws -> (
    code: Int32, out: String, err: String
) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    let output = Foundation.Pipe()
    let errors = Foundation.Pipe()
    let source = Foundation.Pipe()
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = source
    try process.run()
    source.fileHandleForWriting.write(Data(input.utf8))
    try source.fileHandleForWriting.close()
    let out = output.fileHandleForReading.readDataToEndOfFile()
    let err = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: out, as: UTF8.self), String(decoding: err, as: UTF8.self))
}

@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "needs bash")) struct CompletionTests {
    /// What bash offers for the last of some words.
    static func complete(_ words: String...) throws -> [String] {
        let folder = try TestFolder()
        // In the place of dashrig: answers names, and shows with what it was called.
        let stub = "\(folder.path)/dashrig"
        try """
        #!/bin/bash
        case "$1 $2" in
            "devices --names") echo iphone-1; echo knob-1 ;;
            "displays --names") echo s1/main ;;
            "profiles --names") echo iphone ;;
            "profiles --head-units") echo "${@: -2:2}" | tr ' ' _ ;;
        esac
        """.write(toFile: stub, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: stub)
        let list = ([stub] + words).map { "'\($0)'" }.joined(separator: " ")
        let script =
            BashCompletion.script() + """
                compopt() { :; }
                COMP_WORDS=(\(list)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _dashrig; printf '%s\\n' "${COMPREPLY[@]}"
                """
        let result = try runProgram("/bin/bash", ["-s"], input: script)
        #expect(result.err.isEmpty, "\(result.err)")
        return result.out.split(separator: "\n").map(String.init)
    }

    @Test func commandsAndTheirWords() throws {
        #expect(try Self.complete("pl") == ["plug"])
        #expect(try Self.complete("").contains("touchpad"))
        #expect(try Self.complete("knob", "") == ["rotate", "press", "nudge"])
        #expect(try Self.complete("knob", "nudge", "down") == ["down", "down-left", "down-right"])
        #expect(try Self.complete("appearance", "") == ["light", "dark", "automatic"])
        #expect(try Self.complete("appearance", "dark", "") == [])
    }

    @Test func optionsAndTheirValues() throws {
        #expect(try Self.complete("plug", "--re") == ["--refuse"])
        #expect(try Self.complete("plug", "iphone", "--refuse", "a") == ["authentication"])
        #expect(try Self.complete("plug", "iphone", "--refuse", "=", "a") == ["authentication"])
        #expect(try Self.complete("plug", "--slow", "") == [])
        #expect(try Self.complete("touch", "tap", "1", "2", "--wait", "de") == ["delivered"])
        #expect(try Self.complete("--js") == ["--json"])
    }

    @Test func namesComeFromTheRig() throws {
        #expect(try Self.complete("unplug", "") == ["iphone-1", "knob-1"])
        #expect(try Self.complete("plug", "") == ["iphone"])
        #expect(try Self.complete("knob", "press", "--display", "") == ["s1/main"])
        #expect(try Self.complete("watch", "--device", "iphone-1,k") == ["iphone-1,knob-1"])
        #expect(try Self.complete("--json", "unplug", "--generation", "3", "ip") == ["iphone-1"])
        #expect(try Self.complete("--socket-dir", "/tmp/x", "plug", "--displays", "") == ["--socket-dir_/tmp/x"])
    }

    @Test func listsAndAssignments() throws {
        #expect(try Self.complete("limited-ui", "keyboard,l") == ["keyboard,lists"])
        #expect(try Self.complete("watch", "--kinds", "input,session.a") == ["input,session.active"])
        #expect(try Self.complete("display", "set", "main", "sc") == ["scale="])
        #expect(try Self.complete("display", "set", "main", "scale=2", "pi") == ["pixels="])
        #expect(try Self.complete("display", "set", "main", "appearance", "=", "d") == [])
    }

    @Test func filesAreFiles() throws {
        #expect(try Self.complete("run", "/etc/passw").contains("/etc/passwd"))
        #expect(try Self.complete("run", "--junit", "/etc/passw").contains("/etc/passwd"))
        #expect(try Self.complete("--socket-dir", "/et") == ["/etc"])
    }

    @Test func theScriptIsCleanForBash() throws {
        #expect(try runProgram("/bin/bash", ["-n"], input: BashCompletion.script()).err.isEmpty)
        let shellcheck = "/usr/bin/shellcheck"
        guard FileManager.default.isExecutableFile(atPath: shellcheck) else { return }
        let result = try runProgram(shellcheck, ["-"], input: BashCompletion.script())
        #expect(result.code == 0, "\(result.out)")
    }

    @Test func theCommandPrintsIt() throws {
        #expect(tool("completion bash").out == BashCompletion.script())
        #expect(try tool("completion bash --json").json["script"] == .string(BashCompletion.script()))
        #expect(tool("completion zsh").err.contains("\"zsh\" is none of bash"))
    }
}

@Suite struct ManualPageTests {
    @Test func itNamesEverything() {
        let page = ManualPage.text()
        func roff(_ text: String) -> String {
            text.split(separator: "-", omittingEmptySubsequences: false).joined(separator: "\\-")
        }
        for entry in CommandTable.entries where entry.command.action != nil {
            #expect(page.contains(".SS \"\(roff(entry.path.joined(separator: " ")))"))
            for option in entry.command.options { #expect(page.contains(roff(option.name))) }
        }
        for code in ExitCode.allCases { #expect(page.contains(".B \(code.rawValue)\n")) }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/man"), "needs man"))
    func manHasNothingToComplainAbout() throws {
        let folder = try TestFolder()
        let path = "\(folder.path)/dashrig.1"
        try ManualPage.text().write(toFile: path, atomically: true, encoding: .utf8)
        let result = try runProgram("/usr/bin/man", ["--warnings=w", "-E", "UTF-8", "-l", "-Tutf8", path])
        #expect(result.code == 0)
        #expect(result.err.isEmpty, "\(result.err)")
        #expect(result.out.contains("DASHRIG(1)"))
    }
}
