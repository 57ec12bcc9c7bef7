import Foundation
import FuzzTargets
import RigTestKit
import Testing

/// What the fuzzers start from and what they once failed on, run through the same targets without a fuzzer.
@Suite struct FuzzReplayTests {
    @Test(arguments: FuzzTarget.all.map(\.name))
    func keptInputsFindNothing(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let inputs = try Self.inputs(of: name)
        #expect(!inputs.isEmpty, "Fuzz/corpus/\(name) has no input to start from")
        for (file, bytes) in inputs {
            Self.run(target, bytes, "\(file)")
        }
    }

    /// A little of what the fuzzers do, the same in every run: kept inputs with something changed.
    @Test(arguments: FuzzTarget.all.map(\.name))
    func changedInputsFindNothing(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        for (file, bytes) in try Self.inputs(of: name) {
            for seed in 0..<UInt64(16) {
                let changed = Self.changed(bytes, seed: seed)
                Self.run(target, changed, "\(file), seed \(seed): \(changed)")
            }
        }
    }

    @Test func everyFolderBelongsToATarget() throws {
        let names = FuzzTarget.all.map(\.name)
        #expect(Set(names).count == names.count)
        for folder in ["Fuzz/corpus", "Tests/Fixtures/fuzz"] {
            for name in try Self.list(folder) { #expect(names.contains(name), "\(folder)/\(name)") }
        }
        for file in try Self.list("Fuzz/dictionaries") {
            #expect(file.hasSuffix(".dict") && names.contains(String(file.dropLast(5))), "Fuzz/dictionaries/\(file)")
        }
    }

    private static func run(_ target: FuzzTarget, _ bytes: [UInt8], _ what: String) {
        do throws(FuzzFinding) {
            try target.run(bytes)
        } catch {
            Issue.record("\(what): \(error)")
        }
    }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func list(_ folder: String) throws -> [String] {
        let path = root.appendingPathComponent(folder).path
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasPrefix(".") }.sorted()
    }

    private static func inputs(of name: String) throws -> [(file: String, bytes: [UInt8])] {
        try ["Fuzz/corpus", "Tests/Fixtures/fuzz"].flatMap { folder in
            try list("\(folder)/\(name)").map { file in
                let path = "\(folder)/\(name)/\(file)"
                return (path, [UInt8](try Data(contentsOf: root.appendingPathComponent(path))))
            }
        }
    }

    /// The input with one to four bytes changed, taken out, put in or doubled.
    private static func changed(_ bytes: [UInt8], seed: UInt64) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        var changed = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let place = changed.isEmpty ? 0 : Int.random(in: changed.indices, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0 where !changed.isEmpty: changed[place] = UInt8.random(in: .min ... .max, using: &generator)
            case 1 where !changed.isEmpty: changed.remove(at: place)
            case 2: changed.insert(UInt8.random(in: .min ... .max, using: &generator), at: place)
            default: changed.insert(contentsOf: changed[place...].prefix(8), at: place)
            }
        }
        return changed
    }
}
