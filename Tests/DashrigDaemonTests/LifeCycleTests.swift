import Glibc
import LinuxIO
import Testing
import VarlinkProtocol

@Suite struct LifeCycleTests {
    @Test func plugIsActiveWithItsDisplaysAtOnce() throws {
        let daemon = try RunningDaemon()
        let device = try daemon.call("Plug", ["profile": "iphone", "name": "phone"]).parameters["device"]?.objectValue
        #expect(device?["state"]?.stringValue == "active")
        let state = try daemon.call("GetState").parameters["state"]?.objectValue
        #expect(state?["sessions"]?.arrayValue?.count == 1)
        #expect(state?["displays"]?.arrayValue?.count == 1)
    }

    @Test func aSubscriberGetsTheStateAndThenEveryChange() throws {
        let daemon = try RunningDaemon()
        _ = try daemon.call("Plug", ["profile": "iphone", "name": "one"])
        let client = try daemon.connect()
        try client.send("org.dashrig.Rig.Subscribe", more: true)
        let first = try client.reply()
        #expect(first.continues)
        #expect(first.parameters["complete"]?.boolValue == true)
        let sequence = try #require(first.parameters["state"]?.objectValue?["sequence"]?.intValue)
        _ = try daemon.call("Unplug", ["device": "one", "surprise": true])
        let events = try client.events(until: "device.detached")
        #expect(events.compactMap { $0["sequence"]?.intValue } == (1...4).map { sequence + $0 })
    }

    @Test func anAppIsToldInputAndAcknowledgesIt() throws {
        let daemon = try RunningDaemon()
        _ = try daemon.call("Plug", ["profile": "iphone", "name": "phone"])
        let app = try daemon.connect(RunningDaemon.app)
        try app.send("org.dashrig.App.Launch", ["manifest": ["name": "demo"]], more: true)
        let token = try #require(try app.reply().parameters["app"]?.stringValue)
        #expect(token.utf8.count == 32)
        let bench = try daemon.connect()
        try bench.send("org.dashrig.Rig.Inject", ["knob": ["detents": 3], "wait": "read", "tag": "t"])
        let event = try #require(try app.events(until: "input.knob").last)
        let input = try #require(event["input"]?.objectValue)
        #expect(input["tag"]?.stringValue == "t")
        let answer = try daemon.call(
            "Acknowledge", ["app": .string(token), "ids": [.int(try #require(input["id"]?.intValue))]],
            interface: RunningDaemon.app)
        #expect(answer.parameters["acknowledged"]?.intValue == 1)
        let receipt = try bench.reply().parameters
        #expect(receipt["reached"]?.stringValue == "read")
    }

    @Test func theDaemonHasOneThreadAndSleepsWhenNothingHappens() throws {
        let daemon = try RunningDaemon()
        _ = try daemon.call("Plug", ["profile": "iphone"])
        #expect(try daemon.fact("Threads") == 1)
        // Past the last acknowledgement timers of the link.
        usleep(3_000_000)
        let before = try daemon.fact("voluntary_ctxt_switches")
        usleep(2_000_000)
        #expect(try daemon.fact("voluntary_ctxt_switches") - before == 0, "it woke up with nothing to do")
    }

    @Test func killedItListensAgainAtOnceAndAClientMeetsANewEpoch() throws {
        let daemon = try RunningDaemon()
        let epoch = try daemon.call("GetState").parameters["state"]?.objectValue?["epoch"]?.stringValue
        try daemon.process.signal(SIGKILL)
        _ = try daemon.process.wait(until: RunningDaemon.soon())
        let start = SystemClock.monotonicNow()
        try daemon.restart()
        #expect(SystemClock.monotonicNow() - start < 5_000_000_000)
        let again = try daemon.call("GetState").parameters["state"]?.objectValue?["epoch"]?.stringValue
        #expect(again != nil && again != epoch)
    }

    @Test func aSecondCopyLeavesTheLiveOneAlone() throws {
        let daemon = try RunningDaemon()
        let second = try RunningDaemon.start(
            ["--socket-dir", daemon.folder, "--no-usb", "--no-input"], Environment())
        #expect(try second.wait(until: RunningDaemon.soon()) == .exited(3))
        #expect(String(decoding: second.errorOutput, as: UTF8.self).contains("another process listens there"))
        #expect(try daemon.call("GetState").error == nil)
    }

    @Test func twoThatStartInOneFolderAtOnceDoNotTakeEachOthersSockets() throws {
        let folder = try RunningDaemon.privateFolder()
        let other = try FolderLock(folder)
        let process = try RunningDaemon.start(["--socket-dir", folder, "--no-usb", "--no-input"], Environment())
        #expect(try process.wait(until: RunningDaemon.soon()) == .exited(3))
        #expect(String(decoding: process.errorOutput, as: UTF8.self).contains("\(folder): held by another process"))
        #expect(try DirectoryTree.list(folder).isEmpty)
        _ = consume other
        rmdir(folder)
    }

    @Test func withoutADescriptorForAClientItNeitherSpinsNorFillsTheLog() throws {
        let daemon = try RunningDaemon()
        _ = try daemon.call("GetState")
        // Below every number that is in use, so that the spare descriptor does not help either.
        try daemon.setDescriptorLimit(4)
        let waiting = try daemon.connect()
        try waiting.send("org.dashrig.Rig.GetState")
        #expect(try daemon.process.waitForOutput("client.acceptFailed", until: RunningDaemon.soon()))
        _ = try daemon.process.waitForOutput("never said", until: RunningDaemon.soon(1))
        let told = daemon.log().split(separator: "\n").count { $0.contains("client.acceptFailed") }
        #expect(told <= 4, "once for each pause, not \(told) times in a second")
        try daemon.setDescriptorLimit(256)
        #expect(try waiting.reply().error == nil, "it is served once there is room")
    }

    @Test func whoComesWhenDescriptorsAreOutIsToldHowManyThereAre() throws {
        let daemon = try RunningDaemon()
        _ = try daemon.call("GetState")
        let limit = try daemon.limitDescriptors(leaving: 3)
        var clients: [TestClient] = []
        var refusal: VarlinkReply?
        // Every client takes a number below the limit.
        while refusal == nil && clients.count < limit {
            let client = try daemon.connect()
            // Who is refused may find the connection closed already; the answer is there nevertheless.
            try? client.send("org.dashrig.Rig.ListProfiles")
            let answer = try client.reply()
            if answer.error != nil { refusal = answer }
            clients.append(client)
        }
        #expect(refusal?.error == "org.dashrig.Rig.LimitReached")
        #expect(refusal?.parameters["limit"]?.stringValue == "descriptors")
        #expect(refusal?.parameters["value"]?.intValue == Int64(limit))
    }

    @Test func somethingElseAtTheSocketsPathIsLeftAlone() throws {
        let folder = try RunningDaemon.privateFolder()
        let path = "\(folder)/org.dashrig.Rig"
        try FileContents.write(path, Array("precious".utf8))
        let process = try RunningDaemon.start(["--socket-dir", folder, "--no-usb", "--no-input"], Environment())
        #expect(try process.wait(until: RunningDaemon.soon()) == .exited(3))
        #expect(try FileContents.read(path, limit: 100) == Array("precious".utf8))
        unlink(path)
        rmdir(folder)
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func toldToStopItEndsCleanlyAndTakesItsSocketsAway(signal: Int32) throws {
        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        try client.send("org.dashrig.Rig.Subscribe", more: true)
        _ = try client.reply()
        try daemon.process.signal(signal)
        #expect(try daemon.process.wait(until: RunningDaemon.soon()) == .exited(0))
        #expect(client.isEnded())
        #expect(try DirectoryTree.list(daemon.folder).isEmpty)
    }

    @Test func socketsAreForOwnerAndGroupOnly() throws {
        let daemon = try RunningDaemon()
        for name in [RunningDaemon.rig, RunningDaemon.app] {
            var facts = stat()
            #expect(lstat("\(daemon.folder)/\(name)", &facts) == 0)
            #expect(facts.st_mode & 0o777 == 0o660)
        }
    }

    @Test func aSlowSubscriberIsEndedByNameAndCostsTheOthersNothing() throws {
        let daemon = try RunningDaemon()
        _ = try daemon.call("Plug", ["profile": "iphone", "name": "phone"])
        let slow = try daemon.connect()
        try slow.send("org.dashrig.Rig.Subscribe", more: true)
        let quick = try daemon.connect()
        try quick.send("org.dashrig.Rig.Subscribe", ["kinds": ["mark"]], more: true)
        _ = try quick.reply()
        let writer = try daemon.connect()
        let text = JSON.string(String(repeating: "x", count: 1_000))
        var marks = 0
        // The kernel takes some hundred kilobytes, the queue 1 MiB: 3,000 marks of 1 kB are more than both.
        for _ in 0..<3_000 {
            try writer.send("org.dashrig.Rig.Mark", ["text": text])
            _ = try writer.reply()
            if try quick.reply().parameters["event"]?.objectValue?["kind"]?.stringValue == "mark" { marks += 1 }
        }
        #expect(marks == 3_000)
        var last: VarlinkReply?
        while let reply = try slow.nextReply(within: 5) { last = reply }
        #expect(last?.error == "org.dashrig.Rig.SubscriberTooSlow")
        #expect(try daemon.fact("VmHWM") < 64_000)
    }

    @Test func aReloadKeepsSessionsAndABadOneKeepsTheOldConfiguration() throws {
        let folder = try RunningDaemon.privateFolder()
        let file = "\(folder)/dashrig.ini"
        try FileContents.write(file, Array("[authentication]\nsigner = test\n[rig]\nhead-unit = standard\n".utf8))
        let daemon = try RunningDaemon(["--config", file])
        _ = try daemon.call("Plug", ["profile": "iphone", "name": "phone"])
        let client = try daemon.connect()
        try client.send("org.dashrig.Rig.Subscribe", more: true)
        _ = try client.reply()
        try FileContents.write(file, Array("[authentication]\nsigner = test\n[rig]\nhead-unit = portrait\n".utf8))
        try daemon.process.signal(SIGHUP)
        _ = try client.events(until: "configuration.reloaded")
        _ = try daemon.call("Plug", ["profile": "iphone", "name": "second"])
        let state = try #require(try daemon.call("GetState").parameters["state"]?.objectValue)
        let widths = state["displays"]?.arrayValue?.compactMap { $0.objectValue?["width"]?.intValue }
        #expect(widths == [800, 900], "the running session keeps its display, the new one has the new")
        try FileContents.write(file, Array("[rig]\nhead-unti = portrait\n".utf8))
        try daemon.process.signal(SIGHUP)
        let refused = try #require(try client.events(until: "configuration.refused").last)
        #expect(refused["text"]?.stringValue?.contains("dashrig.ini:2") == true)
        #expect(try daemon.call("GetState").parameters["state"]?.objectValue?["sessions"]?.arrayValue?.count == 2)
        unlink(file)
        rmdir(folder)
    }

    @Test func theLimitOfClientsIsToldByName() throws {
        let folder = try RunningDaemon.privateFolder()
        let file = "\(folder)/dashrig.ini"
        try FileContents.write(file, Array("[limits]\nclients-per-user = 3\n".utf8))
        let daemon = try RunningDaemon(["--config", file])
        let kept = try (0..<3).map { _ in try daemon.connect() }
        for client in kept {
            try client.send("org.dashrig.Rig.GetState")
            #expect(try client.reply().error == nil)
        }
        let over = try daemon.connect()
        let answer = try over.reply()
        #expect(answer.error == "org.dashrig.Rig.LimitReached")
        #expect(answer.parameters["limit"]?.stringValue == "clientsPerUser")
        #expect(over.isEnded())
        unlink(file)
        rmdir(folder)
    }

    @Test(arguments: [
        (["--nonsense"], "unknown argument '--nonsense'"), (["--log-level", "loud"], "there is critical"),
        (["--config", "/nonexistent/x.ini", "--check-config"], "/nonexistent/x.ini"),
        (["--socket-dir"], "needs a value"),
    ])
    func aWrongCommandLineIsExitCode2WithOneLine(arguments: [String], text: String) throws {
        let process = try RunningDaemon.start(arguments, Environment())
        #expect(try process.wait(until: RunningDaemon.soon()) == .exited(2))
        let errors = String(decoding: process.errorOutput, as: UTF8.self)
        #expect(errors.contains(text), "\(errors)")
        #expect(errors.split(separator: "\n").count == 1)
    }
}
