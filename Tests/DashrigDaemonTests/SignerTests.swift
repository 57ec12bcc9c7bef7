import Credentials
import Glibc
import LinuxIO
import Testing
import VarlinkProtocol

/// Who signs for the daemon's sessions, and what becomes of them when nobody can.
struct SignerTests {
    /// Plugs a phone in and waits until its session is active or failed; the device and the session.
    private func plug(_ daemon: RunningDaemon) throws -> (device: JSONObject, session: JSONObject?) {
        let plugged = try daemon.call("Plug", ["profile": "iphone", "name": "phone"])
        #expect(plugged.error == nil)
        let end = RunningDaemon.soon()
        while SystemClock.monotonicNow() < end {
            let state = try daemon.call("GetState").parameters["state"]?.objectValue
            if let device = state?["devices"]?.arrayValue?.first?.objectValue,
                ["active", "failed"].contains(device["state"]?.stringValue)
            {
                return (device, state?["sessions"]?.arrayValue?.first?.objectValue)
            }
            usleep(10_000)
        }
        throw StillWaiting()
    }

    /// With libcrypto where it is there, when its folder is made.
    private func started() throws -> RunningDaemon {
        let daemon = try RunningDaemon(signer: "auto")
        let end = RunningDaemon.soon()
        while SystemClock.monotonicNow() < end {
            if (try? FileFacts(path: daemon.stateFolder + "/credentials")) != nil { return daemon }
            usleep(10_000)
        }
        throw StillWaiting()
    }

    private struct StillWaiting: Error {}

    private func configured(_ lines: String, _ body: (RunningDaemon) throws -> Void) throws {
        let folder = try RunningDaemon.privateFolder()
        let path = "\(folder)/dashrig.ini"
        defer {
            unlink(path)
            rmdir(folder)
        }
        try FileContents.write(path, Array("[authentication]\n\(lines)\n".utf8))
        try body(RunningDaemon(["--config", path]))
    }

    @Test(.enabled(if: CryptoLibrary.isAvailable, "libcrypto is not there"))
    func keysAreMadeWhenTheFirstSessionNeedsThem() throws {
        let daemon = try started()
        #expect(try DirectoryTree.list(daemon.stateFolder + "/credentials").isEmpty)
        let maps = "/proc/\(daemon.process.pid)/maps"
        func isLoaded() throws -> Bool {
            String(decoding: try FileContents.read(maps, limit: 1 << 20), as: UTF8.self).contains("libcrypto")
        }
        #expect(try !isLoaded())
        let (device, session) = try plug(daemon)
        #expect(device["state"]?.stringValue == "active")
        let authentication = session?["authentication"]?.objectValue
        #expect(authentication?["signer"]?.stringValue == "libcrypto")
        #expect(authentication?["shape"]?.stringValue == "p256")
        #expect(authentication?["subject"]?.stringValue == "CN=Dashrig test accessory")
        #expect(authentication?["verdict"]?.stringValue == "accepted")
        #expect(try isLoaded())
        #expect(try DirectoryTree.list(daemon.stateFolder + "/credentials").count == 3)
    }

    @Test(.enabled(if: CryptoLibrary.isAvailable, "libcrypto is not there"))
    func shapeAndPolicyAreThoseOfTheConfiguration() throws {
        try configured("shape = rsa1024\ncertificates = self-made") { daemon in
            let authentication = try plug(daemon).session?["authentication"]?.objectValue
            #expect(authentication?["shape"]?.stringValue == "rsa1024")
            #expect(authentication?["verdict"]?.stringValue == "accepted")
        }
        try configured("certificates = pinned\npinned = \(String(repeating: "ab", count: 32))") { daemon in
            let device = try plug(daemon).device
            #expect(device["state"]?.stringValue == "failed")
            #expect(device["reason"]?.objectValue?["code"]?.stringValue?.isEmpty == false)
        }
    }

    @Test func theTestSignerNeedsNeitherKeysNorAFolder() throws {
        try configured("signer = test\nshape = rsa1024") { daemon in
            let (device, session) = try plug(daemon)
            #expect(device["state"]?.stringValue == "active")
            #expect(session?["authentication"]?.objectValue?["signer"]?.stringValue == "fixedTest")
            #expect(session?["authentication"]?.objectValue?["shape"]?.stringValue == "rsa1024")
            #expect(throws: FileError.self) { try DirectoryTree.list(daemon.stateFolder) }
        }
    }

    @Test func withoutAUsableFolderItStartsAndSessionsFailByName() throws {
        let daemon = try RunningDaemon(["--state-dir", "/proc/dashrig"], signer: "auto")
        #expect(try daemon.process.waitForOutput("signer.failed", until: RunningDaemon.soon()))
        let reason = try plug(daemon).device["reason"]?.objectValue
        #expect(reason?["code"]?.stringValue == "signerUnavailable")
        let text = reason?["text"]?.stringValue ?? ""
        #expect(text.contains("/proc/dashrig") && text.contains("--state-dir"), "\(text)")
    }

    @Test func damagedKeysAreNamed() throws {
        let daemon = try started()
        let path = daemon.stateFolder + "/credentials/authority.pem"
        try FileContents.write(path, Array("precious".utf8), mode: 0o600)
        guard CryptoLibrary.isAvailable else { return }
        let reason = try plug(daemon).device["reason"]?.objectValue
        #expect(reason?["code"]?.stringValue == "signerUnavailable")
        #expect(reason?["text"]?.stringValue?.contains(path) == true)
        #expect(try FileContents.read(path, limit: 100) == Array("precious".utf8))
    }

    /// A file of the library's name that is none stands before the real one.
    @Test func whereTheLibraryCannotBeLoadedTheTestSignerTakesItsPlace() throws {
        let folder = try RunningDaemon.privateFolder()
        let path = "\(folder)/libcrypto.so.3"
        defer {
            unlink(path)
            rmdir(folder)
        }
        try FileContents.write(path, Array("none".utf8))
        let daemon = try RunningDaemon(
            environment: Environment(["PATH": "/usr/bin:/bin", "LD_LIBRARY_PATH": folder]), signer: "auto")
        let (device, session) = try plug(daemon)
        #expect(device["state"]?.stringValue == "active")
        #expect(session?["authentication"]?.objectValue?["signer"]?.stringValue == "fixedTest")
        #expect(try daemon.process.waitForOutput("signer.fixedTest", until: RunningDaemon.soon()))
    }
}
