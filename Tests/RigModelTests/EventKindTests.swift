import Foundation
import RigModel
import Testing

@Suite struct EventKindTests {
    private static let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/events.md")

    @Test func everyKindIsDocumentedWithItsMeaning() throws {
        let text = try String(contentsOf: Self.document, encoding: .utf8)
        for kind in EventKind.allCases { #expect(text.contains("| `\(kind.rawValue)` | \(kind.meaning) |")) }
    }

    @Test func kindsAreDifferentAndTheirTextIsWordsWithDots() {
        #expect(Set(EventKind.allCases.map(\.rawValue)).count == EventKind.allCases.count)
        for kind in EventKind.allCases {
            #expect(kind.rawValue.split(separator: ".").allSatisfy { $0.allSatisfy(\.isLetter) })
        }
    }

    /// The filter of a subscription keeps one bit for each kind.
    @Test func thereAreNoMoreKindsThanBits() { #expect(EventKind.allCases.count <= 64) }
}
