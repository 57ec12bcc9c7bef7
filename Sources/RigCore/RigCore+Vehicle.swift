import ControlProtocol
import RigConfiguration
import RigModel

/// A track under way.
struct TrackPlayback: Sendable {
    let track: VehicleTrack
    /// When it began.
    let start: UInt64
    /// The place of the next point.
    var next = 0

    /// When the next point is reached.
    var due: UInt64? {
        guard track.points.indices.contains(next) else { return nil }
        let (time, overflow) = start.addingReportingOverflow(track.points[next].time)
        return overflow ? .max : time
    }
}

extension RigCore {
    /// Lets the rules look at the vehicle as it is at the start, before anybody can be told.
    mutating func beginVehicle() {
        for decision in decider.decide(settings.vehicleRules, for: vehicle) { vehicle.take(decision) }
        vehicle.automatic = decider.automatic(settings.vehicleRules)
    }

    /// Changes the vehicle as a person, a script or a scenario says.
    mutating func setVehicle(
        _ change: VehicleChange, into actions: inout ActionBuffer
    ) throws(CommandFailure) -> Vehicle {
        if let problem = change.problem { throw .invalidParameter(problem.field, text: problem.text) }
        decider.note(change)
        var changed = vehicle
        if let appearance = change.appearance { changed.appearance = appearance }
        if let side = change.driverSide { changed.driverSide = side }
        if let keyboard = change.limitKeyboard { changed.limitedUI.keyboard = keyboard }
        if let lists = change.limitLists { changed.limitedUI.lists = lists }
        change.measures.apply(to: &changed.measures)
        switch change.track {
        case nil: break
        case .play(let track)?:
            playback = TrackPlayback(track: track, start: now)
            changed.track = TrackProgress(point: 0, points: track.points.count)
            deadlines.set(.track, at: playback?.due)
        case .stop?:
            playback = nil
            changed.track = nil
            deadlines.set(.track, at: nil)
        }
        changed.automatic = decider.automatic(settings.vehicleRules)
        changeVehicle(to: changed, origin: .declared, into: &actions)
        // What was asked for reaches every display, also one that had gone its own way; what was not asked for stays.
        let explicit = change.explicit
        changeDisplays(origin: .declared, into: &actions) { vehicle, shape in
            for property in explicit { shape.follow(vehicle, in: property) }
            if let side = change.driverSide { shape.driverSide = side }
        }
        derive(into: &actions)
        return vehicle
    }

    /// The next point of the track is reached.
    mutating func trackDeadlineReached(into actions: inout ActionBuffer) {
        guard var playback, playback.track.points.indices.contains(playback.next) else { return }
        var changed = vehicle
        playback.track.points[playback.next].change.apply(to: &changed.measures)
        playback.next += 1
        let count = playback.track.points.count
        changed.track = playback.next < count ? TrackProgress(point: playback.next, points: count) : nil
        self.playback = playback.next < count ? playback : nil
        deadlines.set(.track, at: self.playback?.due)
        changeVehicle(to: changed, origin: .declared, into: &actions)
        derive(into: &actions)
    }

    /// Other rules hold from now on.
    mutating func rulesChanged(into actions: inout ActionBuffer) {
        var changed = vehicle
        changed.automatic = decider.automatic(settings.vehicleRules)
        changeVehicle(to: changed, origin: .declared, into: &actions)
        derive(into: &actions)
    }

    /// Lets the rules look at the vehicle; each decision is told with its cause.
    private mutating func derive(into actions: inout ActionBuffer) {
        for decision in decider.decide(settings.vehicleRules, for: vehicle) {
            var changed = vehicle
            changed.take(decision)
            changeVehicle(to: changed, origin: .simulated, because: decision, into: &actions)
            changeDisplays(origin: .simulated, into: &actions) { $1.follow($0, in: decision.property) }
        }
    }

    /// Gives the vehicle its next revision and publishes it, if anything changed.
    private mutating func changeVehicle(
        to changed: Vehicle, origin: Origin, because decision: VehicleDerivation? = nil,
        into actions: inout ActionBuffer
    ) {
        let changes = changed.changes(since: vehicle)
        guard !changes.isEmpty else { return }
        vehicle = changed
        vehicle.revision &+= 1
        defer { tellPhones(changes, into: &actions) }
        publish(
            Event(
                time: now, kind: .vehicleChanged, origin: origin,
                payload: .vehicle(vehicle, changed: changes, derivation: decision)), into: &actions)
    }

    /// Changes every display that the rig declared. Those that the other side declared belong to another car.
    private mutating func changeDisplays(
        origin: Origin, into actions: inout ActionBuffer, _ change: (Vehicle, inout DisplayDescription) -> Void
    ) {
        for entry in sessions.values where entry.session.role == .headUnit {
            for display in entry.displays {
                var shape = display.description
                change(vehicle, &shape)
                _ = apply(shape, to: display, origin: origin, into: &actions)
            }
        }
    }
}

// What phones have asked to be told.
extension RigCore {
    private mutating func tellPhones(_ changes: [VehicleField], into actions: inout ActionBuffer) {
        for update in VehicleUpdate.all where update.fields.contains(where: changes.contains) {
            for id in links.ids { tell(update, on: id, into: &actions) }
        }
    }

    /// Tells the phone of a link what it asked for, as far as it is known. What finds no room is told when there is some,
    /// as it is then.
    mutating func tell(_ update: VehicleUpdate, on id: LinkID, into actions: inout ActionBuffer) {
        guard let link = links[id] else { return }
        guard let wanted = link.wanted, let asked = wanted.request(update.start) else {
            links.update(id) { $0.telling.end(update) }
            return
        }
        let measures = vehicle.measures
        let unsayable = update.unsayable(measures, known: link.telling.known)
        if !unsayable.isEmpty { links.update(id) { $0.forget(unsayable, now: now) } }
        let whole = update.message(
            measures, known: link.telling.known, asked: asked, at: identity.realtime &+ now)
        if let message = whole.flatMap(wanted.wantedPart) {
            let fields = update.told(by: message, of: measures)
            if links.update(id, { $0.update(update, message, fields, now: now) }) == true {
                publishMessage(.messageSent, LinkMessage(message, from: .headUnit), link.session, into: &actions)
            }
        } else {
            // What was to be told is not known any more.
            links.update(id) { $0.telling.told(update, []) }
        }
        settle(id, into: &actions)
    }

    /// Tells the phone of a link what found no room before, when there is room.
    mutating func tellOwed(on id: LinkID, into actions: inout ActionBuffer) {
        // Each is owed no more when it is told; what follows from that may have told the next.
        while let update = links.look(at: id, { $0.owedUpdate }) ?? nil { tell(update, on: id, into: &actions) }
    }
}
