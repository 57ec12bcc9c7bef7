import DeviceTestKit
import Glibc
import LinuxIO
import Testing
import VarlinkProtocol

/// What tests of input devices behind the daemon have in common.
enum InputStage {
    /// A configuration of its own, with drop-ins for the device table.
    final class Folder {
        let path: String
        var file: String { "\(path)/dashrig.ini" }

        init(settings: String = "", devices: String = "") throws {
            path = try RunningDaemon.privateFolder()
            mkdir("\(path)/devices", 0o755)
            try FileContents.write("\(path)/devices/test.ini", Array(devices.utf8))
            try write(settings)
        }

        func write(_ settings: String) throws { try FileContents.write(file, Array(settings.utf8)) }

        deinit {
            unlink("\(path)/devices/test.ini")
            rmdir("\(path)/devices")
            unlink(file)
            rmdir(path)
        }
    }

    static func watch(_ daemon: RunningDaemon) throws -> TestClient {
        let client = try daemon.connect()
        try client.send("org.dashrig.Rig.Subscribe", more: true)
        while try client.reply().parameters["complete"]?.boolValue != true {}
        return client
    }

    /// A knob whose ring outlasts a busy machine, at a place of its own.
    static func patient(_ number: Int) -> EvdevProfile {
        var profile = EvdevProfile.powerMate
        profile.ringSize = 8_192
        profile.phys = "mock-\(number)/input0"
        return profile
    }

    /// Whether something is so within ten seconds. A grab is the last thing that happens to a node that is opened: what
    /// it reports from then on is heard.
    static func comes(_ condition: () -> Bool) -> Bool {
        let end = RunningDaemon.soon()
        while !condition() {
            if SystemClock.monotonicNow() > end { return false }
            usleep(1_000)
        }
        return true
    }

    static func gesture(_ event: JSONObject) -> String? {
        event["knob"]?.objectValue?["gesture"]?.stringValue
    }

    static func detents(_ event: JSONObject) -> Int64 {
        event["knob"]?.objectValue?["detents"]?.intValue ?? 0
    }

    static func reason(_ event: JSONObject?) -> String? {
        event?["reason"]?.objectValue?["code"]?.stringValue
            ?? event?["deviceState"]?.objectValue?["reason"]?.objectValue?["code"]?.stringValue
    }
}
