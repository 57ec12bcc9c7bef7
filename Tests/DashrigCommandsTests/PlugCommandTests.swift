import ClientTestKit
import DashrigClient
import RigModel
import Testing
import VarlinkProtocol

@testable import DashrigCommands

/// A rig on which a plug leads to some events.
private func withPlug(
    _ device: Device = SampleRig.device(state: .attached, session: nil), state: JSONObject = SampleRig.full,
    events: [JSON], body: (FakeRig) throws -> Void
) throws {
    let subscriber = Subscriber()
    try withRig { call, peer in
        switch call.method.split(separator: ".").last {
        case "Subscribe":
            subscriber.peer = peer
            peer.reply(["state": .object(SampleRig.state()), "complete": true], continues: true)
        case "Plug":
            peer.reply(["device": JSON(device.record)])
            for event in events { subscriber.peer?.reply(["event": event], continues: true) }
        case "GetState": peer.reply(["state": .object(state)])
        default: peer.fail("org.varlink.service.MethodNotFound", ["method": .string(call.method)])
        }
    } body: { rig throws in
        try body(rig)
    }
}

/// Touched by the rig's thread only.
private final class Subscriber: @unchecked Sendable {
    var peer: FakeRig.Peer?
}

@Suite struct PlugCommandTests {
    static let device = SampleRig.device()

    static func phase(_ kind: EventKind, _ phase: SessionPhase, waiting: SessionWait? = nil, reason: Reason? = nil)
        -> JSON
    {
        let session = SampleRig.session(1, device, phase: phase, waiting: waiting, reason: reason)
        let event = Event(
            sequence: 50, time: 1, kind: kind, origin: .simulated, device: device.reference, session: session.id,
            payload: .session(session), reason: reason)
        return JSON(event.record)
    }

    static let way: [JSON] = [
        phase(.sessionOpened, .detecting), phase(.sessionPhase, .authenticating), phase(.sessionActive, .active),
    ]

    @Test func itWaitsForTheSessionAndShowsItsDisplays() throws {
        try withPlug(events: Self.way) { rig throws in
            let result = tool("plug iphone", rig: rig)
            #expect(result.code == .done && result.err.isEmpty)
            #expect(
                result.lines == [
                    "iphone-1 is plugged in, session s1 is active after 12.5ms",
                    "  display s1/main  800x480 @2, 400x240 pt",
                ])
            let subscribed = try #require(rig.calls.firstIndex { $0.method.hasSuffix("Subscribe") })
            let plugged = try #require(rig.calls.firstIndex { $0.method.hasSuffix("Plug") })
            #expect(subscribed < plugged)
        }
    }

    @Test func inJSONItAnswersDeviceSessionAndDisplays() throws {
        try withPlug(events: Self.way) { rig throws in
            let json = try tool("plug iphone --json", rig: rig).json
            #expect(json.keys == ["device", "session", "displays"])
            #expect(json["session"]?.objectValue?["phase"] == "active")
            #expect(json["displays"]?.arrayValue?.count == 1)
        }
    }

    @Test func everyOptionGoesToTheRig() throws {
        try withPlug(events: Self.way) { rig throws in
            let line =
                "plug ipad --name anna --serial 'S 1' --displays wide --locked --untrusted --slow 1.5s --refuse session "
                + "--identification-first --no-wait"
            #expect(tool(line, rig: rig).lines == ["iphone-1 is plugged in"])
            #expect(
                rig.parameters(of: "Plug") == [
                    "profile": "ipad", "name": "anna", "serial": "S 1", "displays": "wide", "locked": true,
                    "trusted": false, "slowMilliseconds": 1_500, "refuse": "session", "identificationFirst": true,
                ])
            #expect(rig.calls.map(\.method) == ["org.dashrig.Rig.Plug"])
        }
    }

    @Test func whatIsSetOnThePhoneGoesToTheRig() throws {
        try withPlug(events: Self.way) { rig throws in
            let line =
                "plug iphone --late challenge=500ms --late=sessionOffer=2s --late challenge=0.25s --trust-after 1min "
                + "--misorder offerFirst --no-carplay --link-version 2 --no-wait"
            #expect(tool(line, rig: rig).code == .done)
            #expect(
                rig.parameters(of: "Plug") == [
                    "profile": "iphone", "trusted": false, "trustAfterMilliseconds": 60_000,
                    "delays": ["challenge": 250, "sessionOffer": 2_000], "misorder": "offerFirst", "carPlay": false,
                    "linkVersion": 2,
                ])
        }
    }

    @Test func aSessionThatClosesIsAFailure() throws {
        let reason = Reason("authenticationRefused", .peer, "the phone refused the certificate")
        try withPlug(events: [
            Self.phase(.sessionPhase, .authenticating), Self.phase(.sessionClosed, .closed, reason: reason),
        ]) { rig throws in
            let result = tool("plug iphone", rig: rig)
            #expect(result.code == .failed && result.out.isEmpty)
            #expect(
                result.err
                    == "dashrig: iphone-1 did not get an active session (last: authenticating): the phone refused the "
                    + "certificate\n")
            #expect(try tool("plug iphone --json", rig: rig).json["error"] == "authenticationRefused")
        }
    }

    static let endings: [(DeviceState, String)] = [
        (.failed, "why"), (.busy, "why"), (.stuck, "why"), (.detached, "why"),
    ]

    @Test(arguments: endings.indices) func aDeviceThatFailsIsAFailure(_ index: Int) throws {
        let (state, text) = Self.endings[index]
        let device = SampleRig.device(state: state, session: nil, reason: Reason("code", .device, text))
        try withPlug(events: [SampleRig.event(51, .deviceChanged, device: device, .device(device))]) { rig throws in
            let result = tool("plug iphone", rig: rig)
            #expect(result.code == .failed && result.err.contains(": \(text)"))
        }
    }

    @Test func anUnplugInTheMiddleIsAFailure() throws {
        try withPlug(events: [SampleRig.event(51, .deviceDetached, device: Self.device)]) { rig throws in
            #expect(tool("plug iphone", rig: rig).code == .failed)
        }
    }

    @Test func aPhoneThatWasToWaitIsReadyWhenItDoes() throws {
        let session = SampleRig.session(1, Self.device, phase: .identifying, waiting: .locked)
        let state = SampleRig.state(devices: [Self.device], sessions: [session])
        let waiting = Self.phase(.sessionWaiting, .identifying, waiting: .locked)
        try withPlug(state: state, events: [waiting]) { rig throws in
            let result = tool("plug iphone --locked", rig: rig)
            #expect(result.code == .done)
            #expect(
                result.lines == [
                    "iphone-1 is plugged in and waits: the phone is locked. Go on with: dashrig unlock iphone-1"
                ])
            // Nobody asked for a locked phone: then it is waited on.
            let impatient = tool("plug iphone --timeout 80ms", rig: rig)
            #expect(impatient.code == .failed)
            #expect(impatient.err.contains("has no active session after 80ms (last: waiting: the phone is locked)"))
            #expect(try tool("plug iphone --timeout 80ms --json", rig: rig).json["error"] == "sessionTimedOut")
        }
    }

    @Test func eventsOfOthersAreNotTakenForItsOwn() throws {
        let other = SampleRig.device("iphone-2")
        let before = SampleRig.device(generation: 9)
        let events = [
            SampleRig.event(51, .deviceDetached, device: other), SampleRig.event(52, .sessionClosed, device: before),
        ]
        try withPlug(events: events + Self.way) { rig throws in
            #expect(tool("plug iphone", rig: rig).code == .done)
        }
    }

    @Test func aRigThatGoesAwayIsAFailure() throws {
        let subscriber = Subscriber()
        try withRig { call, peer in
            if call.method.hasSuffix("Subscribe") {
                subscriber.peer = peer
                peer.reply(["state": .object(SampleRig.state()), "complete": true], continues: true)
            } else {
                peer.reply(["device": JSON(Self.device.record)])
                subscriber.peer?.close()
            }
        } body: { rig throws in
            let result = tool("plug iphone", rig: rig)
            #expect(result.code == .failed && result.err.contains("is gone with its rig"))
        }
    }

    @Test func aKnobHasNoSessionToWaitFor() throws {
        let facts = DeviceFacts(kind: .knob, profile: "knob", port: "virtual", origin: .simulated)
        let knob = Device(id: DeviceID(1), name: "knob-1", facts: facts, peer: nil, phone: nil)
        try withPlug(knob, events: []) { rig throws in
            #expect(tool("plug knob", rig: rig).lines == ["knob-1 is plugged in"])
        }
    }

    @Test func aWrongProfileIsToldWithTheRightOnes() throws {
        let profiles: JSONObject = [
            "profiles": [
                ["name": "iphone", "kind": "iPhone", "text": ""], ["name": "ipad", "kind": "iPad", "text": ""],
            ],
            "headUnits": [["name": "wide", "text": "", "displays": []]],
        ]
        try withRig { call, peer in
            switch call.method.split(separator: ".").last {
            case "Subscribe": peer.reply(["state": .object(SampleRig.state()), "complete": true], continues: true)
            case "ListProfiles": peer.reply(profiles)
            default:
                let wrong = call.parameters["displays"] == nil ? "profile" : "displays"
                peer.fail("org.varlink.service.InvalidParameter", ["parameter": .string(wrong)])
            }
        } body: { rig throws in
            let profile = tool("plug iphnoe", rig: rig)
            #expect(profile.code == .usage)
            #expect(
                profile.err.contains(
                    "there is no device profile \"iphnoe\"; there is iphone, ipad; did you mean \"iphone\"?"))
            let unit = tool("plug iphone --displays wid", rig: rig)
            #expect(unit.err.contains("there is no head unit \"wid\"; there is wide; did you mean \"wide\"?"))
        }
    }

    @Test func progressIsShownToWhoWatches() throws {
        try withPlug(events: Self.way) { rig throws in
            let result = tool("plug iphone", rig: rig, terminal: 80)
            #expect(result.err.contains("iphone-1: authenticating"))
            #expect(result.err.hasSuffix("\r"))
        }
    }
}
