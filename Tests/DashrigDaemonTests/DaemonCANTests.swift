import DeviceTestKit
import LinuxIO
import RigModel
import Testing
import VarlinkProtocol

/// Controllers on CAN buses that the configuration names where there is no such bus: the rest of the rig goes on.
@Suite(.serialized, .enabled(if: DeviceTestbed.isAvailable, Comment(rawValue: DeviceTestbed.skipReason)))
struct DaemonCANTests {
    private static func file(_ text: String) throws -> (folder: String, path: String) {
        let folder = try RunningDaemon.privateFolder()
        try FileContents.write("\(folder)/dashrig.ini", Array(text.utf8))
        return (folder, "\(folder)/dashrig.ini")
    }

    @Test func whatCannotBeOpenedNamesTheSettingAndEndsItselfAlone() throws {
        let testbed = try DeviceTestbed()
        let (_, path) = try Self.file("[input]\ncan = nocan0:idrive-g, nocan1:idrive-f\n")
        let daemon = try RunningDaemon(["--config", path], environment: testbed.environment, devices: true)
        let watcher = try InputStage.watch(daemon)
        for setting in ["nocan0:idrive-g", "nocan1:idrive-f"] {
            #expect(InputStage.comes { daemon.log().contains("[input] can = \(setting): ") }, "\(daemon.log())")
        }
        let knob = try testbed.addInput(EvdevProfile(name: "Dial", id: (3, 0x1209, 1, 1), relative: [7]))
        _ = try watcher.events(until: "device.attached")
        knob.turn(1)
        let event = try #require(try watcher.events(until: "input.knob").last)
        #expect(InputStage.detents(event) == 1)
    }

    @Test func whatIsNotNamedIsNotOpened() throws {
        let testbed = try DeviceTestbed()
        let (_, path) = try Self.file("[input]\ncan =\n")
        let daemon = try RunningDaemon(["--config", path], environment: testbed.environment, devices: true)
        _ = try daemon.call("GetState")
        #expect(!daemon.log().contains("can."))
    }

    @Test func aTableBesideTheConfigurationIsRead() throws {
        let (folder, path) = try Self.file("[input]\ncan = nocan0:own\n")
        let check = ["--config", path, "--check-config"]
        let refused = try RunningDaemon.start(check, Environment())
        #expect(try refused.wait(until: RunningDaemon.soon()) == .exited(2))
        let text = String(decoding: refused.errorOutput, as: UTF8.self)
        #expect(text.contains("dashrig.ini:2: [input] can: there is no CAN controller \"own\""), "\(text)")
        try DirectoryTree.create("\(folder)/can")
        try FileContents.write("\(folder)/can/own.ini", Array("[can own]\nturn = 123 0\n".utf8))
        let taken = try RunningDaemon.start(check, Environment())
        #expect(try taken.wait(until: RunningDaemon.soon()) == .exited(0))
    }
}
