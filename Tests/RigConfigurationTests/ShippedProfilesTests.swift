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
