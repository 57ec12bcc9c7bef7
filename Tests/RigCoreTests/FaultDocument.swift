import Foundation

/// The examples of the scenario reference that need the real rig.
enum FaultDocument {
    static let examples: [String] = {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("docs/scenarios.md")
        guard let document = try? String(contentsOf: url, encoding: .utf8) else { return [] }
        return document.components(separatedBy: "```rig core\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }()
}
