import DeviceTestKit
import Glibc
import LinuxIO
import Testing

@Suite(.serialized, .enabled(if: DeviceTestbed.isAvailable, Comment(rawValue: DeviceTestbed.skipReason)))
struct DeviceTestbedTests {
    @Test func aChildSeesTheMachine() throws {
        let testbed = try DeviceTestbed()
        let phone = try testbed.plug("iphone-12a8", port: "1-3", serial: "S-9")
        // Without the library that rewinds FIFOs: in a sanitizer's build it fits that build's programs only.
        var environment = testbed.environment
        environment["LD_PRELOAD"] = Environment.get("LD_PRELOAD")
        func run(_ program: String, _ argument: String) throws -> String {
            let child = try ChildProcess(ChildSpecification(program, [argument], environment: environment))
            #expect(try child.wait(until: SystemClock.monotonicNow() + 30_000_000_000) == .exited(0))
            return String(decoding: child.output, as: UTF8.self)
        }
        for (name, text) in [("idVendor", "05ac"), ("serial", "S-9"), ("devnum", "2"), ("devpath", "3")] {
            #expect(try run("/bin/cat", phone.syspath + "/" + name) == text + "\n")
        }
        #expect(try run("/bin/ls", "/dev/bus/usb/001").contains("002"))
        let libraries = try #require(testbed.environment["LD_PRELOAD"]).split(separator: ":")
        #expect(access(String(libraries.last ?? ""), R_OK) == 0, "the build makes the library that rewinds FIFOs")
    }

    @Test func theFolderGoesWithTheTestbed() throws {
        var testbed: DeviceTestbed? = try DeviceTestbed()
        let root = try #require(testbed).root
        try testbed?.plug("aoa-2d00")
        _ = try testbed?.addKnob()
        #expect(access(root, F_OK) == 0)
        testbed = nil
        #expect(access(root, F_OK) != 0)
    }

    @Test func whatACrashLeftBehindIsRemoved() throws {
        let child = try ChildProcess(ChildSpecification("/bin/true"))
        #expect(try child.wait(until: SystemClock.monotonicNow() + 10_000_000_000) == .exited(0))
        let parent: String
        do {
            let testbed = try DeviceTestbed()
            parent = String(testbed.root.prefix(upTo: testbed.root.lastIndex(of: "/") ?? testbed.root.endIndex))
        }
        let dead = "\(parent)/umockdev.test-\(getpid())-dead"
        let alive = "\(parent)/umockdev.test-\(getpid())-alive"
        for (folder, owner) in [(dead, child.pid), (alive, getpid())] {
            try DirectoryTree.create(folder + "/dev/bus")
            symlink("/etc", folder + "/link")
            try FileContents.write(folder + "/dashrig-owner", Array("\(owner)\n".utf8))
        }
        _ = try DeviceTestbed()
        #expect(access(dead, F_OK) != 0)
        #expect(access(alive, F_OK) == 0)
        #expect(access("/etc/passwd", F_OK) == 0, "links are not followed")
        for path in ["/dev/bus", "/dev", "/link", "/dashrig-owner", ""] where unlink(alive + path) != 0 {
            rmdir(alive + path)
        }
    }

    @Test func numbersGrowWithEachPlug() throws {
        let testbed = try DeviceTestbed()
        var nodes: [String] = []
        for _ in 0..<3 {
            let phone = try testbed.plug("aoa-2d00")
            nodes.append(phone.node)
            testbed.unplug(phone)
        }
        #expect(nodes == ["/dev/bus/usb/001/002", "/dev/bus/usb/001/003", "/dev/bus/usb/001/004"])
    }
}
