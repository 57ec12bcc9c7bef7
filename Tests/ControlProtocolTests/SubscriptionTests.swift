import ControlProtocol
import RigTestKit
import Testing
import WireBytes

@Suite("Subscriptions")
struct SubscriptionTests {
    private func message(_ name: String, _ fields: [FieldEntry] = []) throws -> ControlMessage {
        try MessageContent(named: name, fields).message()
    }

    @Test("every one is started and stopped by one side and updated by the other")
    func table() {
        #expect(Subscription.all.map(\.start) == Subscription.all.map(\.start).sorted())
        for subscription in Subscription.all {
            #expect(subscription.start.sender == subscription.stop.sender)
            #expect(subscription.start.sender != nil)
            for update in subscription.updates {
                #expect(update.sender != nil && update.sender != subscription.start.sender, "\(update)")
            }
        }
    }

    @Test("updates are allowed from the start to the stop, each on its own", arguments: Subscription.all)
    func lifetime(subscription: Subscription) {
        var subscriptions = Subscriptions()
        #expect(subscription.updates.allSatisfy { !subscriptions.allows($0) })
        #expect(subscriptions.receive(ControlMessage(subscription.start)) == .started(subscription))
        #expect(subscriptions.active == [subscription])
        #expect(subscription.updates.allSatisfy { subscriptions.allows($0) })
        let others = Subscription.all.filter { $0 != subscription }.flatMap(\.updates)
        #expect(others.allSatisfy { !subscriptions.allows($0) })
        #expect(subscriptions.receive(ControlMessage(subscription.start)) == .changed(subscription))
        #expect(subscriptions.receive(ControlMessage(subscription.updates[0])) == .none)
        #expect(subscriptions.receive(ControlMessage(subscription.stop)) == .stopped(subscription))
        #expect(subscriptions.receive(ControlMessage(subscription.stop)) == .alreadyStopped(subscription))
        #expect(subscriptions == Subscriptions())
    }

    @Test("what is no update is always allowed")
    func others() {
        #expect(Subscriptions().allows(.powerSourceUpdate))
        #expect(Subscriptions().allows(MessageID(1)))
        #expect(Subscriptions().wantedPart(of: ControlMessage(MessageID(1))) == ControlMessage(MessageID(1)))
    }

    @Test("only what was asked for is left of an update, in groups as well")
    func parts() throws {
        var update = NowPlayingUpdate()
        update.mediaItem = NowPlayingUpdate.MediaItem()
        update.mediaItem?.title = "Song"
        update.mediaItem?.artist = "Band"
        update.playback = NowPlayingUpdate.Playback()
        update.playback?.state = .playing
        let full = try update.message()
        var subscriptions = Subscriptions()
        #expect(subscriptions.wantedPart(of: full) == nil)
        _ = subscriptions.receive(
            try message(
                "StartNowPlayingUpdates", [FieldEntry("mediaItem", .group([FieldEntry("title", .present)]))]))
        var part = NowPlayingUpdate()
        part.mediaItem = NowPlayingUpdate.MediaItem()
        part.mediaItem?.title = "Song"
        #expect(subscriptions.wantedPart(of: full) == (try part.message()))
        // A whole group by its empty parameter; nothing at all wants everything.
        _ = subscriptions.receive(try message("StartNowPlayingUpdates", [FieldEntry("playback", .raw([]))]))
        #expect(subscriptions.wantedPart(of: full).flatMap { try? NowPlayingUpdate($0).playback?.state } == .playing)
        #expect(subscriptions.wantedPart(of: full).flatMap { try? NowPlayingUpdate($0).mediaItem } == nil)
        _ = subscriptions.receive(ControlMessage(MessageID(0x5000)))
        #expect(subscriptions.wantedPart(of: full) == full)
        // Nothing of the update is wanted.
        _ = subscriptions.receive(try message("StartPowerUpdates", [FieldEntry("batteryLevel", .present)]))
        var power = PowerUpdate()
        power.willCharge = true
        #expect(subscriptions.wantedPart(of: try power.message()) == nil)
    }

    @Test("guidance names displays and is not cut, and place names kinds of sentences")
    func uncut() throws {
        var subscriptions = Subscriptions()
        _ = subscriptions.receive(
            try message("StartRouteGuidanceUpdates", [FieldEntry("displays", .list([.unsigned(1)]))]))
        var guidance = RouteGuidanceUpdate()
        guidance.displays = [1]
        guidance.currentRoad = "A 1"
        let full = try guidance.message()
        #expect(subscriptions.wantedPart(of: full) == full)
        _ = subscriptions.receive(try message("StartLocationInformation", [FieldEntry("rmc", .present)]))
        let place = try LocationInformation(sentences: "$GPRMC").message()
        #expect(subscriptions.wantedPart(of: place) == place)
    }

    @Test("sessions of apps are open from EA00 to EA01 or EA03, and their packets carry their numbers")
    func externalAccessory() throws {
        var sessions = ExternalAccessorySessions()
        let start = try StartExternalAccessorySession(protocolID: 3, session: 0x1234).message()
        let session = ExternalAccessorySessions.Session(id: 0x1234, protocolID: 3)
        #expect(sessions.payload([1], session: 0x1234) == nil)
        #expect(sessions.note(start) == .opened(session))
        #expect(sessions.note(start) == .refused("session 4660 is open already"))
        #expect(sessions.payload([9], session: 0x1234) == [0x12, 0x34, 9])
        #expect(sessions.bytes(of: [0x12, 0x34, 9])?.bytes == [9])
        #expect(sessions.bytes(of: [0x12, 0x34])?.session == 0x1234)
        #expect(sessions.bytes(of: [0x12]) == nil && sessions.bytes(of: [0, 0, 1]) == nil)
        #expect(sessions.note(try ExternalAccessorySessionStatus(session: 0x1234, status: .ok).message()) == .none)
        #expect(sessions.note(try StopExternalAccessorySession(session: 0x1234).message()) == .closed(session))
        #expect(sessions.note(start) == .opened(session))
        #expect(
            sessions.note(try ExternalAccessorySessionStatus(session: 0x1234, status: .close).message())
                == .closed(session))
        #expect(
            sessions.note(try StopExternalAccessorySession(session: 1).message()) == .refused("session 1 is not open"))
        guard case .refused = sessions.note(ControlMessage(.startExternalAccessorySession)) else {
            Issue.record("taken without parameters")
            return
        }
        #expect(sessions.note(ControlMessage(.powerUpdate)) == .none)
        for id in 0..<UInt16(ExternalAccessorySessions.maximumCount) {
            _ = sessions.note(try StartExternalAccessorySession(protocolID: 1, session: id).message())
        }
        #expect(sessions.open.count == 64)
        guard case .refused = sessions.note(start) else {
            Issue.record("one too many")
            return
        }
    }
}
