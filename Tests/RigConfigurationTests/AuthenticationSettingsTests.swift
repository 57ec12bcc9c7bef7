import RigConfiguration
import RigModel
import Testing

struct AuthenticationSettingsTests {
    private func read(_ text: String) throws -> AuthenticationSettings {
        try RigSettings.parse([ConfigurationFile(name: "dashrig.ini", bytes: Array("[authentication]\n\(text)".utf8))])
            .authentication
    }

    private func problem(_ text: String) -> String {
        do throws(ConfigurationError) {
            _ = try RigSettings.parse([
                ConfigurationFile(name: "dashrig.ini", bytes: Array("[authentication]\n\(text)".utf8))
            ])
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test func everyKeyIsRead() throws {
        let pin = String(repeating: "0A:", count: 31) + "ff"
        let settings = try read(
            "shape = rsa1024\ncertificates = pinned\npinned = \(pin), \(String(repeating: "1b", count: 32))\nsigner = test"
        )
        #expect(settings.shape == .rsa1024)
        #expect(settings.certificates == .pinned)
        #expect(settings.signer == .test)
        #expect(settings.pinned == [[UInt8](repeating: 10, count: 31) + [255], [UInt8](repeating: 0x1B, count: 32)])
        #expect(try read("certificates = self-made").certificates == .selfMade)
        #expect(try read("") == AuthenticationSettings())
    }

    @Test(arguments: [
        ("shape = rsa2048", "rsa1024"), ("signer = openssl", "libcrypto"), ("certificates = mine", "self-made"),
        ("certificates = pinned\npinned = 12", "64 hexadecimal digits"), ("certificates = pinned", "needs the list"),
        ("pinned = " + String(repeating: "ab", count: 32), "certificates = pinned"), ("key = 1", "key"),
    ])
    func whatIsWrongIsNamed(text: String, named: String) {
        #expect(problem(text).contains(named), "\(problem(text))")
        #expect(problem(text).contains("dashrig.ini"))
    }
}
