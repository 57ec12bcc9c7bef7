import ClientTestKit
import DashrigClient
import LinuxIO
import RigModel
import Testing
import VarlinkProtocol

/// Something that comes within five seconds, or a failed test.
func deadline() -> UInt64 { SystemClock.monotonicNow() + 5_000_000_000 }

func update(_ cursor: RigEventCursor) throws -> RigUpdate {
    guard case .update(let update) = try cursor.next(until: deadline()) else { throw NothingCame() }
    return update
}

struct NothingCame: Error {}

@Suite struct RigEventCursorTests {
    @Test func theStateComesFirstThenEvents() throws {
        try withRig { _, peer in
            peer.reply(
                ["state": .object(SampleRig.state(devices: [SampleRig.device()])), "complete": false], continues: true)
            peer.reply(
                ["state": .object(SampleRig.state(devices: [SampleRig.device("b")])), "complete": true], continues: true
            )
            peer.reply(["event": SampleRig.event(42, .mark, .text("x"))], continues: true)
        } body: { rig in
            let cursor = RigEventCursor(
                socketDirectory: rig.directory, filter: EventFilter(kinds: ["mark"], devices: ["a"]))
            guard case .state(let state) = try update(cursor) else { Issue.record("no state"); return }
            #expect(state.devices.map(\.id) == ["iphone-1", "b"])
            guard case .event(let event) = try update(cursor) else { Issue.record("no event"); return }
            #expect(event.kind == "mark" && event.sequence == 42)
            #expect(
                rig.calls == [
                    VarlinkCall(
                        method: "org.dashrig.Rig.Subscribe", parameters: ["kinds": ["mark"], "devices": ["a"]],
                        more: true)
                ])
        }
    }

    @Test func theDeadlineIsKept() throws {
        try withRig { _, _ in
        } body: { rig in
            let cursor = RigEventCursor(socketDirectory: rig.directory)
            let end = SystemClock.monotonicNow() + 30_000_000
            let step = try cursor.next(until: end)
            #expect(step == .deadline)
            #expect(SystemClock.monotonicNow() >= end)
            #expect(!cursor.hasNext)
        }
    }

    @Test func aRestartIsToldAndTheNewStateFollows() throws {
        let folder = try TestFolder()
        let first = try FakeRig(folder.path) { _, peer in
            peer.reply(["state": .object(SampleRig.state(epoch: "one")), "complete": true], continues: true)
        }
        let cursor = RigEventCursor(socketDirectory: first.directory)
        guard case .state(let before) = try update(cursor) else { Issue.record("no state"); return }
        #expect(before.epoch == "one")
        first.stop()
        guard case .disconnected(.closed) = try update(cursor) else { Issue.record("not disconnected"); return }
        #expect(try cursor.next(until: SystemClock.monotonicNow() + 120_000_000) == .deadline)
        let second = try FakeRig(folder.path) { _, peer in
            peer.reply(
                ["state": .object(SampleRig.state(epoch: "two", sequence: 1)), "complete": true], continues: true)
            peer.reply(["event": SampleRig.event(2, .mark)], continues: true)
        }
        defer { second.stop() }
        guard case .state(let after) = try update(cursor) else { Issue.record("no second state"); return }
        #expect(after.epoch == "two")
        guard case .event = try update(cursor) else { Issue.record("no event after the second state"); return }
    }

    @Test func aSlowSubscriberIsToldWhyAndSubscribesAgain() throws {
        try withRig { _, peer in
            peer.reply(["state": .object(SampleRig.state()), "complete": true], continues: true)
            peer.fail("org.dashrig.Rig.SubscriberTooSlow", ["sequence": 77])
            peer.close()
        } body: { rig in
            let cursor = RigEventCursor(socketDirectory: rig.directory)
            _ = try update(cursor)
            guard case .disconnected(.refused(let refusal)) = try update(cursor) else {
                Issue.record("not told"); return
            }
            #expect(refusal.fields.int("sequence") == 77)
            guard case .state = try update(cursor) else { Issue.record("no second state"); return }
        }
    }

    @Test func aMissingRigThrowsUnlessItIsWaitedFor() throws {
        let folder = try TestFolder()
        let directory = SocketDirectory(folder.path)
        #expect(throws: ClientFailure.self) { try RigEventCursor(socketDirectory: directory).next(until: deadline()) }
        let cursor = RigEventCursor(socketDirectory: directory, waitsForRig: true)
        guard case .disconnected(.notRunning) = try update(cursor) else { Issue.record("not told"); return }
        let rig = try FakeRig(folder.path) { _, peer in
            peer.reply(["state": .object(SampleRig.state()), "complete": true], continues: true)
        }
        defer { rig.stop() }
        guard case .state = try update(cursor) else { Issue.record("no state"); return }
    }

    @Test func whatANewConnectionCannotMendIsThrown() throws {
        try withRig { _, peer in
            peer.fail("org.varlink.service.InvalidParameter", ["parameter": "kinds"])
        } body: { rig in
            let cursor = RigEventCursor(socketDirectory: rig.directory)
            #expect(throws: ClientFailure.self) { try cursor.next(until: deadline()) }
        }
        try withRig { _, peer in
            peer.send(Array("{]\0".utf8))
        } body: { rig in
            let cursor = RigEventCursor(socketDirectory: rig.directory)
            #expect(throws: ClientFailure.self) { try cursor.next(until: deadline()) }
        }
    }

    @Test func aStreamThatEndsPolitelyIsConnectedAnew() throws {
        try withRig { _, peer in
            peer.reply(["state": .object(SampleRig.state()), "complete": true], continues: true)
            peer.reply(["event": SampleRig.event(42, .mark)])
        } body: { rig in
            let cursor = RigEventCursor(socketDirectory: rig.directory)
            _ = try update(cursor)
            guard case .event = try update(cursor) else { Issue.record("the last event is lost"); return }
            guard case .disconnected = try update(cursor) else { Issue.record("not told"); return }
            guard case .state = try update(cursor) else { Issue.record("no second state"); return }
        }
    }

    @Test func manyEventsOfOneReadComeInOrder() throws {
        try withRig { _, peer in
            peer.reply(["state": .object(SampleRig.state()), "complete": true], continues: true)
            for number in 1...3_000 {
                peer.reply(["event": SampleRig.event(UInt64(number), .mark)], continues: true)
            }
        } body: { rig in
            let cursor = RigEventCursor(socketDirectory: rig.directory)
            _ = try update(cursor)
            for number in 1...3_000 {
                guard case .event(let event) = try update(cursor) else { Issue.record("no event"); return }
                #expect(event.sequence == UInt64(number))
            }
        }
    }
}

@Suite struct RigEventsTests {
    @Test func theSequenceResynchronisesByItself() async throws {
        let folder = try TestFolder()
        let first = try FakeRig(folder.path) { _, peer in
            peer.reply(["state": .object(SampleRig.state(epoch: "one")), "complete": true], continues: true)
            peer.reply(["event": SampleRig.event(42, .mark)], continues: true)
        }
        var iterator = RigEvents(socketDirectory: first.directory).makeAsyncIterator()
        guard case .state? = try await iterator.next() else { Issue.record("no state"); return }
        guard case .event? = try await iterator.next() else { Issue.record("no event"); return }
        first.stop()
        guard case .disconnected? = try await iterator.next() else { Issue.record("not told"); return }
        let second = try FakeRig(folder.path) { _, peer in
            peer.reply(["state": .object(SampleRig.state(epoch: "two")), "complete": true], continues: true)
        }
        defer { second.stop() }
        guard case .state(let state)? = try await iterator.next() else { Issue.record("no second state"); return }
        #expect(state.epoch == "two")
    }

    @Test func cancellingTheTaskEndsTheSequence() async throws {
        let folder = try TestFolder()
        let rig = try FakeRig(folder.path) { _, peer in
            peer.reply(["state": .object(SampleRig.state()), "complete": true], continues: true)
        }
        defer { rig.stop() }
        let events = RigEvents(socketDirectory: rig.directory)
        let (started, ready) = AsyncStream<Void>.makeStream()
        let task = Task {
            var count = 0
            for try await _ in events {
                count += 1
                ready.yield()
            }
            return count
        }
        for await _ in started { break }
        task.cancel()
        #expect(try await task.value == 1)
    }

    @Test func aCancelledTaskGetsNothing() async throws {
        let folder = try TestFolder()
        let rig = try FakeRig(folder.path) { _, _ in }
        defer { rig.stop() }
        let events = RigEvents(socketDirectory: rig.directory)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            var iterator = events.makeAsyncIterator()
            return try await iterator.next()
        }
        task.cancel()
        #expect(try await task.value == nil)
    }

    @Test func aFailureIsThrownOnceAndThenItIsOver() async throws {
        let folder = try TestFolder()
        var iterator = RigEvents(socketDirectory: SocketDirectory(folder.path)).makeAsyncIterator()
        await #expect(throws: ClientFailure.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test func theConnectionGoesWithTheIterator() async throws {
        let folder = try TestFolder()
        let rig = try FakeRig(folder.path) { _, peer in
            peer.reply(["state": .object(SampleRig.state()), "complete": true], continues: true)
        }
        defer { rig.stop() }
        do {
            var iterator = RigEvents(socketDirectory: rig.directory).makeAsyncIterator()
            _ = try await iterator.next()
            #expect(rig.closed == 0)
        }
        for _ in 0..<500 where rig.closed == 0 { try await Task.sleep(nanoseconds: 10_000_000) }
        #expect(rig.closed == 1)
    }
}
