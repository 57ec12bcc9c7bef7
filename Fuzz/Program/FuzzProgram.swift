import CFuzz
import FuzzTargets
import Glibc

/// `dashrig-fuzz NAME [libFuzzer's arguments]`, or `dashrig-fuzz --list`. `Scripts/fuzz` is what people call.
enum FuzzProgram {
    /// Names the target for the copies of itself that libFuzzer starts, with its own arguments only.
    private static let variable = "DASHRIG_FUZZ_TARGET"

    static func run() -> Int32 {
        let first = CommandLine.arguments.dropFirst().first ?? ""
        if first == "--list" {
            for target in FuzzTarget.all { print(target.name, target.maximumLength) }
            return 0
        }
        if let target = FuzzTarget.named(first) {
            setenv(variable, first, 1)
            // libFuzzer takes the program's arguments without the target's name.
            CommandLine.unsafeArgv[1] = CommandLine.unsafeArgv[0]
            return drive(target, CommandLine.argc - 1, CommandLine.unsafeArgv + 1)
        }
        if let name = getenv(variable), let target = FuzzTarget.named(String(cString: name)) {
            return drive(target, CommandLine.argc, CommandLine.unsafeArgv)
        }
        return usage()
    }

    private static func drive(
        _ target: FuzzTarget, _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    ) -> Int32 {
        selected = target
        var argc = count
        var argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = arguments
        return LLVMFuzzerRunDriver(&argc, &argv) { data, size in
            runSelected(UnsafeBufferPointer(start: data, count: size))
            return 0
        }
    }

    private static func usage() -> Int32 {
        let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
        write("usage: dashrig-fuzz NAME [libFuzzer's arguments]; NAME is one of \(names)\n")
        return 2
    }
}

/// Set once before libFuzzer runs, on the only thread.
nonisolated(unsafe) private var selected: FuzzTarget?

private func runSelected(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let selected else { return }
    do throws(FuzzFinding) {
        try selected.run(Array(bytes))
    } catch {
        write("finding: \(error)\n")
        // libFuzzer keeps the input of a run that aborts.
        abort()
    }
}

private func write(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
