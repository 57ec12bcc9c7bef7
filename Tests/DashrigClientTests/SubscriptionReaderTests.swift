import RigModel
import Testing
import VarlinkProtocol

@testable import DashrigClient

@Suite struct SubscriptionReaderTests {
    static func part(_ name: String, devices: [String], complete: Bool? = nil) -> JSONObject {
        var parameters: JSONObject = [
            "state": [
                "epoch": .string(name), "sequence": 4,
                "devices": .array(devices.map { ["id": .string($0)] }), "sessions": [],
            ]
        ]
        parameters["complete"] = complete.map(JSON.bool)
        return parameters
    }

    static func event(_ kind: String) -> JSONObject { ["event": ["kind": .string(kind), "sequence": 5]] }

    @Test func partsBecomeOneState() throws {
        var reader = SubscriptionReader(isApp: false)
        #expect(try reader.take(Self.part("e", devices: ["a"], complete: false)) == [])
        #expect(try reader.take(Self.part("e", devices: [])) == [])
        let updates = try reader.take(Self.part("f", devices: ["b"], complete: true))
        guard case .state(let state) = try #require(updates.first) else { Issue.record("no state"); return }
        #expect(updates.count == 1)
        #expect(state.devices.map(\.id) == ["a", "b"])
        #expect(state.epoch == "f")
    }

    @Test func eventsFollowTheState() throws {
        var reader = SubscriptionReader(isApp: false)
        _ = try reader.take(Self.part("e", devices: [], complete: true))
        guard case .event(let event)? = try reader.take(Self.event("device.attached")).first else {
            Issue.record("no event")
            return
        }
        #expect(event.kind == "device.attached")
        // As the daemon says it.
        let lost = Event(time: 1, kind: .streamLost, origin: .declared, payload: .lost(from: 3, to: 9, merged: 2))
        #expect(try reader.take(["event": JSON(lost.record)]) == [.lost(from: 3, to: 9, merged: 2)])
    }

    @Test func anUnknownKindIsHandedOn() throws {
        var reader = SubscriptionReader(isApp: false)
        _ = try reader.take(Self.part("e", devices: [], complete: true))
        guard case .event(let event)? = try reader.take(Self.event("moon.rises")).first else {
            Issue.record("no event")
            return
        }
        #expect(event.kind == "moon.rises")
    }

    @Test func anEmptyReplyTellsNothing() throws {
        var reader = SubscriptionReader(isApp: false)
        #expect(try reader.take([:]) == [])
        #expect(try reader.take(["state": nil, "event": nil]) == [])
    }

    @Test func anAppGetsItsTokenFirst() throws {
        var reader = SubscriptionReader(isApp: true)
        #expect(throws: ClientFailure.self) {
            var early = SubscriptionReader(isApp: true)
            _ = try early.take(Self.part("e", devices: [], complete: true))
        }
        #expect(try reader.take(["app": "secret", "id": "app-1"]) == [.launched(token: "secret", id: "app-1")])
        #expect(try reader.take(Self.part("e", devices: [], complete: true)).count == 1)
        #expect(throws: ClientFailure.self) { try reader.take(["app": "again"]) }
    }

    @Test func anAppsTokenMayComeWithItsState() throws {
        var reader = SubscriptionReader(isApp: true)
        var parameters = Self.part("e", devices: [], complete: true)
        parameters["app"] = "secret"
        #expect(try reader.take(parameters).count == 2)
    }

    @Test(arguments: [
        ["event": ["kind": "mark"]] as JSONObject, ["state": [1], "complete": true], ["app": "a"],
    ])
    func whatComesAtTheWrongTimeIsAViolation(_ parameters: JSONObject) {
        var reader = SubscriptionReader(isApp: false)
        #expect(throws: ClientFailure.self) { try reader.take(parameters) }
    }

    @Test func aStateAfterTheStateIsAViolation() throws {
        var reader = SubscriptionReader(isApp: false)
        _ = try reader.take(Self.part("e", devices: [], complete: true))
        #expect(throws: ClientFailure.self) { try reader.take(Self.part("e", devices: [], complete: true)) }
        #expect(throws: ClientFailure.self) { try reader.take(["event": ["sequence": 1]]) }
    }

    @Test func aStateHasALimit() throws {
        let full = Array(repeating: "d", count: StateAssembly.maximumElements)
        var reader = SubscriptionReader(isApp: false)
        _ = try reader.take(Self.part("e", devices: full))
        #expect(throws: ClientFailure.self) { try reader.take(Self.part("e", devices: ["one more"])) }
    }
}
