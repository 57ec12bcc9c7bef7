import Foundation
import RigConfiguration
import RigCore
import RigSimulation
import ScenarioCore
import Testing

/// The scenarios of `scenarios/field`: those that need no hardware hold, and the page about all of them is right.
@Suite struct FieldReportTests {
    private static let settings = CoreSettings(Configuration.shipped, version: "test")
    private static let seeds: ClosedRange<UInt64> = 1...3

    @Test func eachIsWholeAndHasSteps() throws {
        let reports = try FieldReport.all()
        #expect(reports.count == 43)
        #expect(reports.count(where: \.needsNothing) == 22)
        for report in reports {
            let need = report.needs.split(separator: ":").first.map(String.init) ?? ""
            #expect(FieldReport.needWords.contains(need), "\(report.id) needs '\(report.needs)'")
            #expect(throws: Never.self, "\(report.id)") {
                let scenario = try Scenario(parsing: report.text, file: "\(report.id).rig")
                #expect(!scenario.steps.isEmpty, "\(report.id)")
            }
        }
    }

    @Test(arguments: (try? FieldReport.all().filter(\.needsNothing).map(\.id)) ?? [])
    func whatNeedsNoHardwareHolds(id: String) throws {
        let report = try FieldReport(FieldReport.folder.appending(path: "\(id).rig"))
        let simulation = ScenarioSimulation(report.text, file: "\(id).rig", settings: Self.settings)
        // A day of turns is long enough once.
        let isLong = report.text.contains("for 24h") || report.text.contains("for 20s")
        for seed in Self.seeds where !isLong || seed == Self.seeds.lowerBound {
            let run = simulation.run(seed: seed)
            #expect(run.verdict.outcome == .passed, "seed \(seed): \(run.verdict.failures.map(\.text))")
        }
    }

    @Test func everyTestThatIsNamedIsThere() throws {
        var sources = ""
        let tests = FieldReport.root.appending(path: "Tests")
        let files = try #require(FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil))
        for case let file as URL in files where file.pathExtension == "swift" || file.lastPathComponent == "smoke" {
            sources += try String(contentsOf: file, encoding: .utf8)
        }
        for report in try FieldReport.all() {
            for test in report.tests {
                let isThere = sources.contains("func \(test)(") || sources.contains("def \(test)(")
                #expect(isThere, "\(report.id): there is no test \(test)")
            }
        }
    }

    @Test func thePageIsWhatTheScenariosSay() throws {
        let page = FieldReport.page(try FieldReport.all())
        let file = FieldReport.root.appending(path: "docs/field-reports.md")
        if ProcessInfo.processInfo.environment["DASHRIG_WRITE_DOCS"] == "1" {
            try page.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == page, "DASHRIG_WRITE_DOCS=1 writes it")
    }
}
