import CFuzz
import FuzzTargets
import Glibc

/// `dashrig-fuzz NAME [libFuzzer's arguments]`, or `dashrig-fuzz --list`. `Scripts/fuzz` is what people call.
enum FuzzProgram {
    static func run() -> Int32 {
        let arguments = CommandLine.arguments
        guard arguments.count >= 2 else { return usage() }
        if arguments[1] == "--list" {
            for target in FuzzTarget.all { print(target.name, target.maximumLength) }
            return 0
        }
        guard let target = FuzzTarget.named(arguments[1]) else { return usage() }
        selected = target
        // libFuzzer takes the program's arguments without the target's name.
        var argc = CommandLine.argc - 1
        var argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
        argv?.pointee = CommandLine.unsafeArgv[0]
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
