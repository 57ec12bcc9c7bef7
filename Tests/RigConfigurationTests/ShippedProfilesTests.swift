import Foundation
import RigConfiguration
import Testing

@Suite struct ShippedProfilesTests {
    private static let folder = repository.appendingPathComponent("profiles")

    /// The compiled-in text is the source. After a change of it, `DASHRIG_WRITE_PROFILES=1 swift test --filter
    /// ShippedProfilesTests` writes the files anew.
    @Test func filesEqualWhatIsCompiledInByteForByte() throws {
        if ProcessInfo.processInfo.environment["DASHRIG_WRITE_PROFILES"] == "1" {
            for file in ShippedProfiles.all {
                let url = Self.folder.appendingPathComponent(file.name)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(file.bytes).write(to: url)
            }
        }
        for file in ShippedProfiles.all {
            let data = try Data(contentsOf: Self.folder.appendingPathComponent(file.name))
            #expect(Array(data) == file.bytes, "profiles/\(file.name) differs; see the comment of this test")
        }
        let found = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path).filter {
            $0.hasSuffix(".ini")
        }
        #expect(found.sorted() == ShippedProfiles.all.map(\.name).sorted())
    }
}

@Suite struct ConfigurationDocumentTests {
    private func document() throws -> String {
        try String(contentsOf: repository.appendingPathComponent("docs/configuration.md"), encoding: .utf8)
    }

    @Test func namesEveryKeyOfTheShippedFiles() throws {
        let text = try document()
        for file in ShippedProfiles.all {
            // The keys of a keymap are event codes.
            for section in try INIDocument.parse(file).sections where section.kind != "keymap" {
                for entry in section.entries {
                    #expect(text.contains("`\(entry.key)`"), "\(file.name):\(entry.line) \(entry.key)")
                }
            }
        }
    }

    @Test func namesEveryShippedProfileAndVirtualDevice() throws {
        let text = try document()
        for name in ShippedProfiles.headUnits.map(\.stem) + DeviceProfiles.all.map(\.name) {
            #expect(text.contains("`\(name)`"), "\(name)")
        }
    }

    @Test func itsExamplesParse() throws {
        let blocks = try document().components(separatedBy: "```ini\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        #expect(blocks.count == 5)
        _ = try INIDocument.parse(ConfigurationFile(name: "example.ini", text: blocks[0]))
        let car = try HeadUnitProfile.parse(ConfigurationFile(name: "example.ini", text: blocks[1]))
        #expect(car.displays.count == 2)
        for text in blocks.dropFirst(2) {
            _ = try DeviceTable.parse([ConfigurationFile(name: "example.ini", text: text)])
        }
    }
}
