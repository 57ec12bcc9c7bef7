import ClientTestKit
import DashrigClient
import Glibc
import LinuxIO
import RigModel
import Testing
import VarlinkProtocol

/// Runs a test's body against a rig that answers as `handler` says.
func withRig(
    _ interface: SocketInterface = .rig, _ handler: @escaping FakeRig.Handler, body: (FakeRig) throws -> Void
) throws {
    let folder = try TestFolder()
    let rig = try FakeRig(folder.path, interface, handler: handler)
    defer { rig.stop() }
    try body(rig)
}

@Suite struct RigConnectionTests {
    static let soon: UInt64 = 50_000_000

    @Test func aCallSendsItsParametersAndGetsItsAnswer() throws {
        try withRig { _, peer in
            peer.reply(["state": .object(SampleRig.full)])
        } body: { rig in
            let connection = try RigConnection(socketDirectory: rig.directory)
            let state = try connection.state()
            #expect(state.epoch == "e1")
            #expect(state.devices.map(\.id) == ["iphone-1"])
            #expect(state.frontSession?.device == "iphone-1")
            #expect(state.displays(of: "s1").first?.width == 800)
            #expect(rig.calls == [VarlinkCall(method: "org.dashrig.Rig.GetState")])
        }
    }

    @Test func aRefusalSaidBeforeTheCallWasSentIsHeard() throws {
        let folder = try TestFolder()
        let directory = SocketDirectory(folder.path)
        var listener = try UnixListener(path: directory.socket(.rig))
        let connection = try RigConnection(socketDirectory: directory)
        do {
            // As the rig does at a limit: it says so and closes, whatever the client is about to ask.
            guard case .connection(let socket) = listener.accept() else {
                Issue.record("the connection did not arrive")
                return
            }
            let text = #"{"error":"org.dashrig.Rig.LimitReached","parameters":{"limit":"clients","value":3}}"#
            _ = socket.send(Array(text.utf8) + [0])
        }
        let error = #expect(throws: ClientFailure.self) { try connection.state() }
        guard case .refused(let refusal)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.shortName == "LimitReached")
        #expect(throws: ClientFailure.closed(method: "org.dashrig.Rig.GetState")) { try connection.state() }
    }

    @Test func plugSendsWhatDiffersFromTheUsual() throws {
        let device = JSON(SampleRig.device().record)
        try withRig { _, peer in
            peer.reply(["device": device])
        } body: { rig in
            let connection = try RigConnection(socketDirectory: rig.directory)
            try connection.plug(PlugRequest(profile: "iphone"))
            #expect(rig.parameters(of: "Plug") == ["profile": "iphone"])
            let conditions = PhoneConditions(locked: true, trusted: false, slow: 200_500_000, refuse: .session)
            let plugged = try connection.plug(
                PlugRequest(
                    profile: "ipad", name: "anna", serial: "S", displays: "wide", phone: conditions,
                    identificationFirst: true))
            #expect(plugged.id == "iphone-1")
            #expect(
                rig.parameters(of: "Plug") == [
                    "profile": "ipad", "name": "anna", "serial": "S", "displays": "wide", "locked": true,
                    "trusted": false, "slowMilliseconds": 201, "refuse": "session", "identificationFirst": true,
                ])
        }
    }

    @Test func everyCallSpeaksTheInterface() throws {
        let display = JSON(SampleRig.display().record)
        let vehicle = JSON(Vehicle(appearance: .dark).record)
        try withRig { call, peer in
            switch call.method.split(separator: ".").last {
            case "SetDisplay": peer.reply(["display": display])
            case "SetVehicle": peer.reply(["vehicle": vehicle])
            case "Inject": peer.reply(["first": 7, "count": 2, "session": "s1", "reaches": "read", "reached": "read"])
            default: peer.reply()
            }
        } body: { rig in
            let connection = try RigConnection(socketDirectory: rig.directory)
            try connection.unplug("a")
            #expect(rig.parameters(of: "Unplug") == ["device": "a"])
            try connection.unplug("a", surprise: true, generation: 3)
            #expect(rig.parameters(of: "Unplug") == ["device": "a", "surprise": true, "generation": 3])
            try connection.setPhone("a", PhoneChange(locked: false, slow: 0, refuse: .some(nil)))
            #expect(
                rig.parameters(of: "SetPhone") == [
                    "device": "a", "locked": false, "slowMilliseconds": 0, "refuse": "none",
                ])
            try connection.setFront("b")
            #expect(rig.parameters(of: "SetFront") == ["device": "b"])
            var change = DisplayChange(display: "main")
            change.pixels = PixelSize(width: 1_920, height: 720)
            change.scaleHundredths = 150
            change.safeArea = PixelRect(x: 1, y: 2, width: 3, height: 4)
            change.limitLists = true
            #expect(try connection.setDisplay(change).id == "s1/main")
            #expect(
                rig.parameters(of: "SetDisplay") == [
                    "display": "main", "width": 1_920, "height": 720, "scale": 1.5,
                    "safeArea": ["x": 1, "y": 2, "width": 3, "height": 4], "limitLists": true,
                ])
            #expect(try connection.setVehicle(VehicleChange(appearance: .dark)).appearance == "dark")
            #expect(rig.parameters(of: "SetVehicle") == ["appearance": "dark"])
            try connection.mark("x")
            #expect(rig.parameters(of: "Mark") == ["text": "x"])
            let injection = Injection(.rotate(detents: -3, interval: 0), device: "a", display: "main", tag: "t")
            let result = try connection.inject(injection, wait: .read, within: 250_000_000)
            #expect(result.first == 7 && result.count == 2 && result.reached == .read)
            #expect(
                rig.parameters(of: "Inject") == [
                    "knob": ["detents": -3], "device": "a", "display": "main", "tag": "t", "wait": "read",
                    "withinMilliseconds": 250,
                ])
        }
    }

    static let gestures: [(Gesture, String, JSON)] = [
        (.rotate(detents: 2, interval: 80_000_000), "knob", ["detents": 2, "intervalMilliseconds": 80]),
        (.rotate(detents: 4, interval: 333_333_333), "knob", ["detents": 4, "durationMilliseconds": 1_000]),
        (.press(hold: 80_000_000), "knob", ["press": true, "holdMilliseconds": 80]),
        (.nudge(.upLeft, hold: 1), "knob", ["nudge": "upLeft", "holdMilliseconds": 1]),
        (.key(.playPause, hold: 80_000_000), "key", ["key": "playPause", "holdMilliseconds": 80]),
        (
            .touch([ContactPath(id: 1, points: [PixelPoint(x: 3, y: 4)])], duration: 60_000_000), "touch",
            ["contacts": [["points": [["x": 3.0, "y": 4.0]], "id": 1]], "durationMilliseconds": 60]
        ),
        (
            .touchpad([ContactPath(id: 0, points: [PadPoint(x: 1_250, y: 10_000)])], duration: 60_000_000), "touchpad",
            ["contacts": [["points": [["x": 12.5, "y": 100.0]], "id": 0]], "durationMilliseconds": 60]
        ),
    ]

    @Test(arguments: gestures)
    func aGestureHasItsParameter(_ gesture: Gesture, _ name: String, _ expected: JSON) throws {
        try withRig { _, peer in
            peer.reply(["first": 1, "count": 1, "reaches": "accepted", "reached": "accepted"])
        } body: {
            rig in
            try RigConnection(socketDirectory: rig.directory).inject(Injection(gesture))
            #expect(rig.parameters(of: "Inject") == [name: expected])
        }
    }

    static let singles: [(SingleInput, String, JSON)] = [
        (.press(down: true), "knob", ["press": true, "down": true]),
        (.nudge(.downLeft, down: false), "knob", ["nudge": "downLeft", "down": false]),
        (.key(.hangUp, down: true), "key", ["key": "hangUp", "down": true]),
        (
            .touch([
                FingerChange(id: 1, .began(PixelPoint(x: 3, y: 4))), FingerChange(id: 0, .ended(nil)),
                FingerChange(id: 2, .ended(PixelPoint(x: 5, y: 6))),
            ]), "touch",
            [
                "frame": [
                    ["id": 1, "phase": "began", "x": 3.0, "y": 4.0], ["id": 0, "phase": "ended"],
                    ["id": 2, "phase": "ended", "x": 5.0, "y": 6.0],
                ]
            ]
        ),
        (
            .touchpad([FingerChange(id: 9, .moved(PadPoint(x: 1_250, y: 10_000)))]), "touchpad",
            ["frame": [["id": 9, "phase": "moved", "x": 12.5, "y": 100.0]]]
        ),
    ]

    @Test(arguments: singles)
    func aSingleInputHasItsParameter(_ single: SingleInput, _ name: String, _ expected: JSON) throws {
        try withRig { _, peer in
            peer.reply(["first": 1, "count": 1, "reaches": "accepted", "reached": "accepted"])
        } body: {
            rig in
            try RigConnection(socketDirectory: rig.directory).inject(Injection(.single(single)))
            #expect(rig.parameters(of: "Inject") == [name: expected])
        }
    }

    @Test func aSequenceIsOneCall() throws {
        try withRig { _, peer in
            peer.reply([
                "first": 4, "count": 3, "reaches": "read", "reached": "delivered", "sent": 3, "latestMicroseconds": 120,
                "steps": [["first": 4, "count": 1], ["first": 5, "count": 2]],
            ])
        } body: {
            rig in
            let sequence = InjectionSequence(
                [
                    InjectionSequence.Step(at: 0, .single(.press(down: true))),
                    InjectionSequence.Step(at: 1_500_000, .gesture(.key(.home, hold: 80_000_000))),
                ], device: "a", generation: 2, display: "main", tag: "t")
            let view = try RigConnection(socketDirectory: rig.directory)
                .inject(sequence, wait: .delivered, within: 5_000_000)
            #expect(
                rig.parameters(of: "InjectSequence") == [
                    "steps": [
                        ["at": 0.0, "knob": ["press": true, "down": true]],
                        ["at": 1.5, "key": ["key": "home", "holdMilliseconds": 80]],
                    ], "device": "a", "generation": 2, "display": "main", "tag": "t", "wait": "delivered",
                    "withinMilliseconds": 5,
                ])
            #expect(view.sent == 3 && view.latestMicroseconds == 120)
            #expect(view.steps.map(\.first) == [4, 5] && view.steps.map(\.count) == [1, 2])
        }
    }

    @Test func anErrorKeepsItsFieldsAndTheRigsOwnWords() throws {
        try withRig { call, peer in
            if call.method.hasSuffix("Mark") {
                peer.fail("org.varlink.service.InvalidParameter", ["parameter": "text"], text: "text: it is too long")
            } else {
                peer.fail("org.dashrig.Rig.UnknownDevice", ["id": "x", "known": ["a", "b"]])
            }
        } body: { rig in
            let connection = try RigConnection(socketDirectory: rig.directory)
            let unknown = #expect(throws: ClientFailure.self) { try connection.unplug("x") }
            guard case .refused(let refusal)? = unknown else { Issue.record("not refused: \(unknown as Any)"); return }
            #expect(refusal.knownDevices == ["a", "b"])
            #expect(refusal.text == "there is no device 'x'; there is a, b")
            let invalid = #expect(throws: ClientFailure.self) { try connection.mark("y") }
            #expect(invalid?.text == "text: it is too long")
            #expect(invalid?.name == "org.varlink.service.InvalidParameter")
        }
    }

    @Test func aMissingSocketSaysHowToStartARig() throws {
        let folder = try TestFolder()
        let failure = #expect(throws: ClientFailure.self) {
            try RigConnection(socketDirectory: SocketDirectory(folder.path))
        }
        #expect(failure == .notRunning(path: "\(folder.path)/org.dashrig.Rig", socketExists: false))
        #expect(failure?.text.contains("dashrigd --socket-dir") == true)
    }

    @Test func aSocketWithoutAListenerIsToldApart() throws {
        let folder = try TestFolder()
        let directory = SocketDirectory(folder.path)
        // Bound and never listened on, as one that a killed daemon leaves.
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(number) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(directory.socket(.rig).utf8)) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, length) }
        }
        try #require(bound == 0)
        #expect(throws: ClientFailure.notRunning(path: directory.socket(.rig), socketExists: true)) {
            try RigConnection(socketDirectory: directory)
        }
    }

    @Test func aPathThatIsTooLongIsRefusedInWords() throws {
        let path = "/tmp/" + String(repeating: "x", count: 120)
        let failure = #expect(throws: ClientFailure.self) { try RigConnection(socketDirectory: SocketDirectory(path)) }
        guard case .wrongPath(let text)? = failure else { Issue.record("\(failure as Any)"); return }
        #expect(text.contains("choose a shorter folder"))
    }

    @Test func silenceEndsAtTheDeadlineAndALateAnswerIsDropped() throws {
        let held = Held<FakeRig.Peer>()
        try withRig { call, peer in
            if call.method.hasSuffix("Mark") {
                held.value = peer
            } else {
                peer.reply(["state": .object(SampleRig.full)])
            }
        } body: { rig in
            let connection = try RigConnection(socketDirectory: rig.directory, timeout: Self.soon)
            #expect(throws: ClientFailure.timedOut(method: "org.dashrig.Rig.Mark", after: Self.soon)) {
                try connection.mark("x")
            }
            held.value?.reply()
            connection.timeout = 5_000_000_000
            #expect(try connection.state().epoch == "e1")
        }
    }

    @Test func aCloseBeforeTheAnswerIsNoTimeout() throws {
        try withRig { _, peer in
            peer.close()
        } body: { rig in
            let connection = try RigConnection(socketDirectory: rig.directory)
            #expect(throws: ClientFailure.closed(method: "org.dashrig.Rig.Mark")) { try connection.mark("x") }
            #expect(throws: ClientFailure.closed(method: "org.dashrig.Rig.Mark")) { try connection.mark("x") }
        }
    }

    @Test(arguments: ["not json\0", "[1]\0", "\0", "{\"parameters\":3}\0", "{\"error\":\"a.B\",\"continues\":true}\0"])
    func garbageIsAViolation(_ text: String) throws {
        try withRig { _, peer in
            peer.send(Array(text.utf8))
        } body: { rig in
            let connection = try RigConnection(socketDirectory: rig.directory)
            let failure = #expect(throws: ClientFailure.self) { try connection.mark("x") }
            guard case .protocolViolation? = failure else { Issue.record("\(failure as Any)"); return }
        }
    }

    @Test func anAnswerCutOffIsAViolation() throws {
        try withRig { _, peer in
            peer.send(Array("{\"parameters\":{".utf8))
            peer.close()
        } body: { rig in
            let connection = try RigConnection(socketDirectory: rig.directory)
            let failure = #expect(throws: ClientFailure.self) { try connection.mark("x") }
            guard case .protocolViolation? = failure else { Issue.record("\(failure as Any)"); return }
        }
    }

    @Test func anAnswerWithoutItsPartIsAViolation() throws {
        try withRig { _, peer in
            peer.reply()
        } body: { rig in
            let connection = try RigConnection(socketDirectory: rig.directory)
            #expect(throws: ClientFailure.protocolViolation("the answer to GetState has no 'state'")) {
                try connection.state()
            }
        }
    }

    @Test func anInterruptionEndsTheWait() throws {
        try withRig { _, _ in
        } body: { rig in
            let pipe = try LinuxIO.Pipe()
            let connection = try RigConnection(socketDirectory: rig.directory, interrupt: pipe.reader.rawValue)
            #expect(pipe.writer.write([1]) == .bytes(1))
            #expect(throws: ClientFailure.interrupted) { try connection.mark("x") }
        }
    }

    @Test func waitingIsToldWhileItLasts() throws {
        try withRig { _, _ in
        } body: { rig in
            let connection = try RigConnection(socketDirectory: rig.directory, timeout: 600_000_000)
            var told: [UInt64] = []
            connection.onWait = { told.append($0) }
            #expect(throws: ClientFailure.self) { try connection.mark("x") }
            #expect(!told.isEmpty)
            #expect(told == told.sorted())
        }
    }

    @Test func anAnswerInSinglePiecesIsPutTogether() throws {
        try withRig { _, peer in
            for byte in Array("{\"error\":\"org.dashrig.Rig.UnknownApp\",\"org.dashrig\":{\"text\":\"gone\"}}\0".utf8) {
                peer.send([byte])
            }
        } body: { rig in
            let connection = try RigConnection(socketDirectory: rig.directory)
            let failure = #expect(throws: ClientFailure.self) { try connection.mark("x") }
            #expect(failure?.text == "gone")
        }
    }
}

/// A value that one thread leaves for another.
final class Held<Value>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var stored: Value?

    init() { pthread_mutex_init(mutex, nil) }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    var value: Value? {
        get {
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return stored
        }
        set {
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            stored = newValue
        }
    }

    /// Waits until there is one, at most five seconds.
    func wait() -> Value? {
        for _ in 0..<500 {
            if let value { return value }
            usleep(10_000)
        }
        return nil
    }
}

/// Lets another thread go on.
func pause() { usleep(10_000) }
