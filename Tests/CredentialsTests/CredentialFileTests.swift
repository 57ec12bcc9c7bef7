import ClientTestKit
import ControlProtocol
import Credentials
import Foundation
import Testing

@Suite(.enabled(if: CryptoLibrary.isAvailable, "libcrypto is not there"))
struct CredentialFileTests {
    static let names = ["authority.pem", "p256.pem", "rsa1024.pem"]

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    private func failure(_ folder: TestFolder) -> CredentialError? {
        do throws(CredentialError) {
            _ = try SelfMadeCredentials.load(from: folder.path)
            return nil
        } catch {
            return error
        }
    }

    @Test func onlyTheOwnerMayReadThem() throws {
        let test = try TestCredentials()
        let folder = test.folder.path + "/credentials"
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == Self.names)
        #expect(try mode(folder) == 0o700)
        for name in Self.names { #expect(try mode("\(folder)/\(name)") == 0o600) }
    }

    @Test func theyAreReadAgainAndMissingAccessoriesMadeAnew() throws {
        let test = try TestCredentials()
        let again = try SelfMadeCredentials.load(from: test.folder.path)
        for shape in AuthenticationShape.allCases { #expect(again.certificate(shape) == test.own.certificate(shape)) }
        try FileManager.default.removeItem(atPath: test.folder.path + "/credentials/p256.pem")
        let new = try SelfMadeCredentials.load(from: test.folder.path)
        #expect(new.certificate(.rsa1024) == test.own.certificate(.rsa1024))
        #expect(new.certificate(.p256) != test.own.certificate(.p256))
        #expect(try test.verdict(.p256, by: new, policy: .selfMade).refusal == nil)
    }

    @Test func damageIsNamedAndLeftAlone() throws {
        for name in Self.names {
            let test = try TestCredentials()
            let path = test.folder.path + "/credentials/" + name
            let whole = try Data(contentsOf: URL(fileURLWithPath: path))
            var changed = whole
            changed[whole.count / 2] ^= 1
            let kinds = [Data(), whole.prefix(whole.count / 2), changed, whole + Data("x\n".utf8), Data(count: 20_000)]
            for bytes in kinds {
                let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
                try file.truncate(atOffset: 0)
                try file.write(contentsOf: bytes)
                try file.close()
                let error = try #require(failure(test.folder), "\(name), \(bytes.count) bytes")
                guard case .damaged(path, _, let remove) = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect("\(error)".contains("remove \(remove)"))
                #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
            }
        }
    }

    @Test func theAuthorityIsNotMadeAnewBesideWhatItIssued() throws {
        let test = try TestCredentials()
        let path = test.folder.path + "/credentials/authority.pem"
        try FileManager.default.removeItem(atPath: path)
        #expect("\(try #require(failure(test.folder)))".contains(path))
        #expect(!FileManager.default.fileExists(atPath: path))
        let other = try TestCredentials()
        try FileManager.default.copyItem(atPath: other.folder.path + "/credentials/authority.pem", toPath: path)
        #expect("\(try #require(failure(test.folder)))".contains("did not issue its certificate"))
    }

    @Test func whatIsOpenToOthersIsRefused() throws {
        let test = try TestCredentials()
        for (name, mode, wanted) in [("/p256.pem", 0o640, UInt32(0o600)), ("", 0o755, 0o700)] {
            let path = test.folder.path + "/credentials" + name
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            #expect(failure(test.folder) == .tooOpen(path: path, mode: UInt32(mode), wanted: wanted))
            try FileManager.default.setAttributes([.posixPermissions: Int(wanted)], ofItemAtPath: path)
        }
        #expect(failure(test.folder) == nil)
    }

    @Test func aFolderThatCannotBeMadeIsNamed() throws {
        let folder = try TestFolder()
        _ = FileManager.default.createFile(atPath: folder.path + "/credentials", contents: nil)
        let text = "\(try #require(failure(folder)))"
        #expect(text.contains(folder.path + "/credentials") && text.contains("--state-dir"))
    }

    @Test func manyAtOnceMakeTheSame() async throws {
        let folder = try TestFolder()
        let path = folder.path
        let made = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<4 { group.addTask { try SelfMadeCredentials.load(from: path).certificate(.p256) } }
            return try await group.reduce(into: [[UInt8]]()) { $0.append($1) }
        }
        #expect(Set(made).count == 1)
    }
}
