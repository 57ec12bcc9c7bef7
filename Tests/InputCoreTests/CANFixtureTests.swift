import Foundation
import InputCore
import RigConfiguration
import RigModel
import Testing

/// What candump shows of a controller, and what must come of it: `Tests/Fixtures/can/*.txt`.
///
/// Blocks between blank lines. The first is `controller NAME`; then blocks of frames and of what must be told take turns.
/// `wait 6s` and `gone` may stand among frames, which stop then. `-` says that nothing must be told, `#` begins a comment.
@Suite struct CANFixtureTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/can")

    static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".txt") }.sorted()
    }

    private static func blocks(_ name: String) throws -> [[(number: Int, text: String)]] {
        let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        var blocks: [[(number: Int, text: String)]] = [[]]
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.first == "#" { continue }
            if !line.isEmpty {
                blocks[blocks.count - 1].append((number + 1, String(line)))
            } else if blocks.last?.isEmpty == false {
                blocks.append([])
            }
        }
        return blocks.filter { !$0.isEmpty }
    }

    private static func controller(_ blocks: [[(number: Int, text: String)]]) -> String {
        String(blocks.first?.first?.text.dropFirst("controller ".count) ?? "")
    }

    @Test(arguments: try names()) func scenario(name: String) throws {
        let blocks = try Self.blocks(name)
        try #require(blocks.count % 2 == 1, "\(name): frames without what is expected")
        var bench = try CANBench(shipped: Self.controller(blocks))
        for place in stride(from: 1, to: blocks.count, by: 2) {
            for line in blocks[place] {
                if line.text == "gone" {
                    bench.end()
                } else if line.text.hasPrefix("wait ") {
                    bench.wait(try ConfigurationValue.duration(String(line.text.dropFirst(5))))
                } else {
                    bench.feed(try #require(CandumpText.frame(line.text), "\(name):\(line.number)"))
                }
            }
            let expected = blocks[place + 1].map(\.text)
            #expect(bench.lines() == (expected == ["-"] ? [] : expected), "\(name):\(blocks[place][0].number)")
        }
    }

    @Test func everyShippedControllerHasAFixture() throws {
        let controllers = try Self.names().map { Self.controller(try Self.blocks($0)) }
        for profile in CANTable.shipped.profiles {
            #expect(controllers.contains(profile.name), "no fixture for \(profile.name)")
        }
    }

    @Test func bothFormsOfCandumpAreRead() throws {
        let log = try #require(CandumpText.frame("(1.500000) can0 264#000000FF7F"))
        #expect(log == CandumpText.frame("(1.500000)  can0  264   [5]  00 00 00 FF 7F"))
        #expect(log == CANFrame(id: CANIdentifier(0x264), data: [0, 0, 0, 0xFF, 0x7F], time: 1_500_000_000))
        #expect(CandumpText.frame("(1.500000) can0 00000264#")?.id == CANIdentifier(extended: 0x264))
        let others = [
            "", "can0 264#00", "(1.5) can0 264#00", "(1.500000) can0 264#0", "(1.500000) can0 800#00",
            "(1.500000) can0 264#R", "(1.500000)  can0  264   [2]  00",
        ]
        for line in others {
            #expect(CandumpText.frame(line) == nil, "\(line)")
        }
    }
}
