import Foundation
import ScenarioCore
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite struct JUnitXMLTests {
    /// What the schema of Jenkins' xUnit plug-in (junit-10) allows: the parent, and the attributes with those required.
    private static let schema: [String: (parents: [String], allowed: Set<String>, required: Set<String>)] = [
        "testsuites": ([""], ["name", "time", "tests", "failures", "errors"], []),
        "testsuite": (
            ["testsuites", "testsuite"],
            [
                "name", "tests", "failures", "errors", "group", "time", "skipped", "timestamp", "hostname", "id",
                "package", "file", "log", "url",
            ], ["name", "tests", "failures", "errors"]
        ),
        "testcase": (["testsuite"], ["name", "time", "classname", "group"], ["name"]),
        "failure": (["testcase"], ["type", "message"], []), "error": (["testcase"], ["type", "message"], []),
        "skipped": (["testcase"], ["type", "message"], []),
        "system-out": (["testcase", "testsuite"], [], []),
    ]

    /// An element that was read.
    struct Element {
        let name: String
        let parent: String
        let attributes: [String: String]
        var text = ""
    }

    private final class Reader: NSObject, XMLParserDelegate {
        var elements: [Element] = []
        private var open: [Int] = []

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            elements.append(
                Element(name: name, parent: open.last.map { elements[$0].name } ?? "", attributes: attributes))
            open.append(elements.count - 1)
        }

        func parser(_ parser: XMLParser, foundCharacters text: String) {
            if let last = open.last { elements[last].text += text }
        }

        func parser(
            _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
        ) {
            open.removeLast()
        }
    }

    /// Reads the XML and holds it against the schema.
    private static func read(_ xml: String) throws -> [Element] {
        let parser = XMLParser(data: Data(xml.utf8))
        let reader = Reader()
        parser.delegate = reader
        guard parser.parse() else { throw parser.parserError ?? WrongShape() }
        for element in reader.elements {
            let rule = try #require(schema[element.name])
            #expect(rule.parents.contains(element.parent))
            let names = Set(element.attributes.keys)
            #expect(names.isSubset(of: rule.allowed) && rule.required.isSubset(of: names))
            if let time = element.attributes["time"] {
                #expect(time.wholeMatch(of: /[0-9]+\.[0-9]{3}/) != nil)
            }
        }
        return reader.elements
    }

    private static func verdict(_ outcome: Outcome, name: String = "n", text: String = "t") -> Verdict {
        let failure = RunFailure(outcome: outcome, place: nil, step: nil, text: text)
        return Verdict(
            name: name, file: "f.rig", outcome: outcome, duration: 1_500_000_000, counts: RunCounts(),
            failures: outcome == .passed ? [] : [failure])
    }

    @Test func verdictsAreCountedAndTold() throws {
        let elements = try Self.read(
            JUnitXML.render(Outcome.allCases.map { Self.verdict($0) }, timestamp: "2026-11-30T00:00:00"))
        let suite = try #require(elements.first { $0.name == "testsuite" })
        #expect(suite.attributes["tests"] == "5")
        #expect(suite.attributes["failures"] == "1")
        #expect(suite.attributes["errors"] == "3")
        #expect(suite.attributes["skipped"] == "0")
        #expect(suite.attributes["time"] == "7.500")
        #expect(suite.attributes["timestamp"] == "2026-11-30T00:00:00")
        #expect(elements.filter { $0.name == "failure" }.map { $0.attributes["type"] } == ["failed"])
        #expect(
            elements.filter { $0.name == "error" }.map { $0.attributes["type"] } == [
                "scriptWrong", "rigFailed", "interrupted",
            ])
    }

    @Test func aRunBecomesATestCaseWithItsTimeline() throws {
        let run = try VirtualRun("plug iphone as p\nexpect session active where generation = 2 within 200ms")
        let elements = try Self.read(JUnitXML.render([run.verdict], timelines: [run.timeline]))
        let failure = try #require(elements.first { $0.name == "failure" })
        #expect(failure.attributes["message"] == "session.active did not come within 200ms")
        #expect(failure.text == TimelineText.render(run.verdict))
        #expect(elements.first { $0.name == "system-out" }?.text == TimelineText.render(run.timeline))
        #expect(elements.first { $0.name == "testcase" }?.attributes["time"] == "0.203")
    }

    @Test func noVerdictsAreAnEmptySuite() throws {
        let elements = try Self.read(JUnitXML.render([]))
        #expect(elements.map(\.name) == ["testsuites", "testsuite"])
        #expect(elements.allSatisfy { $0.attributes["time"] == "0.000" })
    }

    @Test func everyCharacterSurvivesOrIsReplaced() throws {
        var scalars = (0...0x2FF).compactMap(Unicode.Scalar.init)
        scalars += [0xD7FF, 0xE000, 0xFFFD, 0xFFFE, 0xFFFF, 0x10000, 0x1F697, 0x10FFFF].compactMap(Unicode.Scalar.init)
        for scalar in scalars {
            let name = "a\(Character(scalar))b<c>&\"'d]]>"
            let elements = try Self.read(JUnitXML.render([Self.verdict(.failed, name: name, text: name)]))
            let isLegal =
                scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
                || [0x09, 0x0A, 0x0D].contains(scalar.value)
            let expected = isLegal ? name : "a\u{FFFD}b<c>&\"'d]]>"
            let found = elements.first { $0.name == "testcase" }?.attributes["name"]
            #expect(
                found.map { Array($0.unicodeScalars) } == Array(expected.unicodeScalars),
                "U+\(String(scalar.value, radix: 16))")
        }
    }
}
