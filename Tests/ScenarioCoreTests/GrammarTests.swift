import Foundation
import RigModel
import Testing

@testable import ScenarioCore

/// The grammar at the end of docs/scenarios.md has every word that the parser takes.
@Suite struct GrammarTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func grammar() throws -> String {
        let blocks = DocumentBlock.all(in: "docs/scenarios.md")
        return try #require(blocks.last { $0.text.hasPrefix("file       = ") }).text
    }

    /// Whether it stands there in quotes, alone or in a list with commas.
    private static func has(_ word: String, _ grammar: String) -> Bool {
        grammar.contains("\"\(word)\"") || grammar.contains("\"\(word),")
    }

    @Test func everyStepIsThere() throws {
        let grammar = try Self.grammar()
        for word in StepParser.actWords + StepParser.flowWords {
            #expect(Self.has(word, grammar), "the grammar lacks the step '\(word)'")
        }
        for word in VehicleWords.keys { #expect(Self.has(word, grammar), "the grammar lacks 'vehicle \(word)'") }
    }

    /// Literals that the sources of the parser compare words with, and that are no words of the language.
    private static let foreign: Set<String> = [
        // What is said instead to those who write them.
        "day", "night",
        // A field of the rig's, whose problem is told at a word.
        "since",
    ]

    /// Every literal that a source of the parser takes, so that no word is added to it alone.
    @Test func everyWordThatASourceTakesIsThere() throws {
        let grammar = try Self.grammar()
        let folder = Self.root.appendingPathComponent("Sources/ScenarioCore")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix("Steps.swift") || ["StepParser.swift", "ExpectationSyntax.swift"].contains($0) }
        #expect(names.count >= 8, "\(names)")
        var words: Set<String> = []
        for name in names {
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            for match in text.matches(of: /(?:take\(|text == |seen\.contains\()"([a-z-]+)"/) {
                words.insert(String(match.output.1))
            }
            // Cases, and lists of words: they stand in lines that hold nothing else.
            for match in text.matches(of: /case ("[a-z-]+"(?:,\s+"[a-z-]+")*)/) {
                for word in match.output.1.matches(of: /[a-z-]+/) { words.insert(String(word.output)) }
            }
            for match in text.matches(of: /\[\s*("[a-z-]+"(?:,\s+"[a-z-]+")*),?\s*\]/) {
                for word in match.output.1.matches(of: /[a-z-]+/) { words.insert(String(word.output)) }
            }
        }
        words.subtract(Self.foreign)
        words.subtract(StepParser.reservedWords)
        for word in ["rotate", "over", "velocity", "flick", "move", "view-area", "trusting", "automatic", "never"] {
            #expect(
                words.contains(word) || word == "automatic", "the sources are read in another way than they are written"
            )
        }
        for word in words.sorted() { #expect(Self.has(word, grammar), "the grammar lacks '\(word)'") }
    }

    @Test func automaticIsThere() throws {
        let grammar = try Self.grammar()
        for rule in ["appearance", "limits"] {
            let line = grammar.split(separator: "\n").first { $0.hasPrefix(rule) }
            #expect(line?.contains("\"automatic\"") == true, "\(rule)")
        }
    }
}
