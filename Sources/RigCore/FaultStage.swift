import LinkProtocol
import RigModel

/// A fault as it is put in the way of one direction of one session.
struct FaultOrder: Equatable, Sendable {
    let id: FaultID
    let request: FaultRequest
    /// How often it may still strike in this direction; `nil` is without end.
    var left: Int?
    /// It is a stall that began in an earlier session and was not cleared since.
    var isStalled = false
    /// Where its chances come from.
    var seed: UInt64

    /// Its place among the faults of a path: what is lost is not doubled, and what shapes reads comes last.
    var rank: Int {
        switch request.kind {
        case .stale, .reset, .unplug: 0
        case .drop: 1
        case .corruptHeader, .corruptPayload, .corruptLength: 2
        case .duplicate: 3
        case .reorder: 4
        case .delay: 5
        case .stall: 6
        case .join: 7
        case .split: 8
        }
    }
}

/// Bytes on their way through a path.
struct FaultPiece: Equatable, Sendable {
    var bytes: [UInt8]
    /// The packet's number in this direction, from 1; 0 for what is no packet.
    var number: UInt64
    /// What it carries, if it is a step of a handshake.
    var carries: HandshakePacket?
    /// It is handed over byte by byte.
    var isSplit = false

    var isPacket: Bool { number > 0 }

    /// Something that is no packet, or that faults must leave alone.
    static func other(_ bytes: [UInt8]) -> FaultPiece { FaultPiece(bytes: bytes, number: 0, carries: nil) }
}

/// How far a session is, and which phases it has come through.
struct SessionProgress: Equatable, Sendable {
    private(set) var phase = SessionPhase.detecting
    private var phases: [SessionPhase] = [.detecting]

    /// Takes note of a phase; false when it is the one that the session is in.
    mutating func reach(_ phase: SessionPhase) -> Bool {
        guard phase != self.phase else { return false }
        self.phase = phase
        if !phases.contains(phase) { phases.append(phase) }
        return true
    }

    func has(reached phase: SessionPhase) -> Bool { phases.contains(phase) }
}

/// What holds while a piece passes.
struct FaultMoment: Sendable {
    let now: UInt64
    let direction: FaultDirection
    let progress: SessionProgress
    /// The last packet's number.
    let number: UInt64
    /// The sender's last sequence number, for a reset packet.
    let sequence: UInt8
    /// How many bytes may be held beside those that are.
    let room: Int
}

/// What a stage did.
struct FaultStageOutput: Sendable {
    /// What goes on to the next stage, in order.
    private(set) var pieces: [FaultPiece] = []
    /// How many pieces and bytes may be made by doubling.
    private(set) var sparePieces = 0
    private(set) var spareBytes = 0
    var strikes: [FaultStrike] = []
    /// The cable is to be pulled.
    var unplugs = false

    init() {}

    /// For a stage to which these come at once.
    init(taking pieces: [FaultPiece]) {
        sparePieces = FaultPath.maximumPassed.pieces - pieces.count
        spareBytes = pieces.reduce(FaultPath.maximumPassed.bytes) { $0 - $1.bytes.count }
    }

    mutating func add(_ piece: FaultPiece) { pieces.append(piece) }

    mutating func addCopy(of piece: FaultPiece) {
        pieces.append(piece)
        sparePieces -= 1
        spareBytes -= piece.bytes.count
    }
}

/// One fault in one direction of one session: pieces in, pieces out.
struct FaultStage: Sendable {
    private enum State: Sendable {
        /// Pieces pass, and it strikes when its time has come. Exits: `holding` (reorder, join, stall), `spent` (the last
        /// strike).
        case open
        /// What comes is held back until then, or until the fault is cleared. Exits: `open`, `spent` (released).
        case holding(until: UInt64?)
        /// It has struck for the last time. No exit.
        case spent
    }

    private struct Held: Sendable {
        let piece: FaultPiece
        /// When a delayed piece goes on.
        let due: UInt64
    }

    let order: FaultOrder
    private var state: State
    /// How often it may still strike; `nil` is without end.
    private(set) var left: Int?
    private var held: [Held] = []
    private(set) var heldBytes = 0
    /// Packets that came at its place.
    private var seen = 0
    /// The bytes of these packets.
    private var seenBytes = 0
    /// Whether it has yet to see whether its place is reached.
    private var isFresh = true
    private var generator: SeededGenerator

    init(_ order: FaultOrder) {
        self.order = order
        left = order.left
        state = order.isStalled ? .holding(until: nil) : left == 0 ? .spent : .open
        generator = SeededGenerator(seed: order.seed)
    }

    private var request: FaultRequest { order.request }

    /// When `deadlineReached` is to be called next.
    var nextDeadline: UInt64? {
        switch state {
        case .holding(let until): until
        case .open, .spent: held.first?.due
        }
    }

    /// Whether it has struck for the last time and holds nothing back.
    var isOver: Bool {
        switch state {
        case .open, .holding: false
        case .spent: held.isEmpty
        }
    }

    /// Whether it wants to know what passed in the session before.
    var wantsStaleBytes: Bool {
        switch state {
        case .open: request.kind == .stale
        case .holding, .spent: false
        }
    }

    // MARK: Events

    /// A piece comes.
    mutating func take(_ piece: FaultPiece, at moment: FaultMoment, into output: inout FaultStageOutput) {
        switch state {
        case .spent: pass(piece, at: moment, into: &output)
        case .holding: takeWhileHolding(piece, at: moment, into: &output)
        case .open:
            guard strikes(piece, at: moment) else { return pass(piece, at: moment, into: &output) }
            strike(piece, at: moment, into: &output)
        }
    }

    /// The session has begun or reached another phase, or the fault was set in its middle: what needs no packet happens.
    mutating func placeReached(at moment: FaultMoment, changed: Bool, into output: inout FaultStageOutput) {
        switch state {
        case .holding, .spent: return
        case .open: break
        }
        if changed, request.place == .during(moment.progress.phase) { isFresh = true }
        guard request.kind.needsNoPacket, request.kind != .stale, isFresh, request.after == 0,
            request.afterBytes == nil, left != 0,
            holdsWithoutPacket(at: moment)
        else { return }
        isFresh = false
        signal(at: moment, into: &output)
    }

    /// Another session begins on the same link.
    mutating func sessionBegan() {
        seen = 0
        seenBytes = 0
        isFresh = true
    }

    /// The session begins, and this is left from the one before.
    mutating func begin(stale bytes: [UInt8], at moment: FaultMoment, into output: inout FaultStageOutput) {
        guard wantsStaleBytes, left != 0, !bytes.isEmpty else { return }
        output.add(.other(bytes))
        tell("they are left from the session before", bytes.count, at: moment, into: &output)
        struck()
    }

    /// Lets go of what is due.
    mutating func deadlineReached(at moment: FaultMoment, into output: inout FaultStageOutput) {
        switch state {
        case .open, .spent:
            let due = held.prefix { $0.due <= moment.now }.count
            release(due, into: &output)
        case .holding(let until):
            guard let until, until <= moment.now else { return }
            releaseAll(into: &output)
        }
    }

    /// Lets go of everything, because the fault is cleared.
    mutating func clear(into output: inout FaultStageOutput) {
        releaseAll(into: &output)
        state = .spent
    }

    // MARK: Striking

    private mutating func strikes(_ piece: FaultPiece, at moment: FaultMoment) -> Bool {
        guard piece.isPacket, request.kind != .stale, isAtPlace(piece, moment) else { return false }
        if request.kind == .corruptPayload, !FaultCorruption.hasPayload(piece.bytes) { return false }
        seen += 1
        seenBytes += piece.bytes.count
        if let limit = request.afterBytes { return left != 0 && seenBytes >= limit }
        // What needs no packet strikes behind the last one that may pass; the others at the one after it.
        let isBehind = request.kind.needsNoPacket && request.place.packet == nil && request.after > 0
        return left != 0 && (isBehind ? seen >= request.after : seen > request.after)
    }

    private func isAtPlace(_ piece: FaultPiece, _ moment: FaultMoment) -> Bool {
        switch request.place {
        case .packet(let packet): piece.carries == packet
        case .anywhere, .during, .since: holdsWithoutPacket(at: moment)
        }
    }

    private func holdsWithoutPacket(at moment: FaultMoment) -> Bool {
        switch request.place {
        case .anywhere: true
        case .during(let phase): moment.progress.phase == phase
        case .since(let phase): moment.progress.has(reached: phase)
        case .packet: false
        }
    }

    private mutating func strike(_ piece: FaultPiece, at moment: FaultMoment, into output: inout FaultStageOutput) {
        switch request.kind {
        case .drop:
            tell("it is lost", piece, at: moment, into: &output)
            struck()
        case .corruptHeader:
            corrupt(piece, FaultCorruption.header(of: piece.bytes, &generator), at: moment, into: &output)
        case .corruptPayload:
            guard let result = FaultCorruption.payload(of: piece.bytes, &generator) else {
                return output.add(piece)
            }
            corrupt(piece, result, at: moment, into: &output)
        case .corruptLength:
            corrupt(piece, FaultCorruption.length(of: piece.bytes, &generator), at: moment, into: &output)
        case .duplicate:
            output.add(piece)
            guard output.sparePieces > 0, output.spareBytes >= piece.bytes.count else { return }
            output.addCopy(of: piece)
            tell("it comes twice", piece, at: moment, into: &output)
            struck()
        case .split:
            var piece = piece
            piece.isSplit = true
            output.add(piece)
            tell("it comes byte by byte", piece, at: moment, into: &output)
            struck()
        case .delay: delay(piece, at: moment, into: &output)
        case .reorder:
            hold(piece, "it waits for the packet behind it", at: moment, into: &output)
        case .join:
            hold(piece, "it is joined with what comes behind it", at: moment, into: &output)
        case .stall:
            if let (before, behind) = cut(piece) {
                if !before.isEmpty { output.add(.other(before)) }
                guard !behind.isEmpty else { return signal(at: moment, into: &output) }
                hold(.other(behind), "nothing comes any more", at: moment, into: &output)
            } else if request.place.packet == nil {
                output.add(piece)
                signal(at: moment, into: &output)
            } else {
                hold(piece, "nothing comes any more", at: moment, into: &output)
            }
        case .reset:
            output.add(piece)
            signal(at: moment, into: &output)
        case .unplug:
            if let (before, _) = cut(piece), !before.isEmpty { output.add(.other(before)) }
            signal(at: moment, into: &output)
        case .stale: output.add(piece)
        }
    }

    /// For a fault behind so many bytes: what of the packet still passes, and the rest.
    private func cut(_ piece: FaultPiece) -> (before: [UInt8], behind: [UInt8])? {
        guard let limit = request.afterBytes else { return nil }
        let count = max(0, min(piece.bytes.count, limit - (seenBytes - piece.bytes.count)))
        return (Array(piece.bytes[..<count]), Array(piece.bytes[count...]))
    }

    private mutating func corrupt(
        _ piece: FaultPiece, _ result: FaultCorruption.Result, at moment: FaultMoment,
        into output: inout FaultStageOutput
    ) {
        output.add(.other(result.bytes))
        tell(result.effect, piece, at: moment, into: &output)
        struck()
    }

    /// What happens without a packet.
    private mutating func signal(at moment: FaultMoment, into output: inout FaultStageOutput) {
        switch request.kind {
        case .reset:
            // As a side does that gives a link up: the last number that it used, and nothing acknowledged.
            let packet = LinkPacket(control: .reset, sequence: moment.sequence, acknowledgement: 0).encoded
            output.add(.other(packet))
            tell("a reset packet comes", packet.count, at: moment, into: &output)
            struck()
        case .stall:
            tell("nothing comes any more", 0, at: moment, into: &output)
            beginHolding(at: moment)
        case .unplug:
            output.unplugs = true
            tell("the cable is pulled", 0, at: moment, into: &output)
            struck()
        case .drop, .corruptHeader, .corruptPayload, .corruptLength, .duplicate, .reorder, .delay, .split, .join,
            .stale:
            break
        }
    }

    private mutating func struck() {
        if let before = left { left = before - 1 }
        state = left == 0 ? .spent : .open
    }

    private func tell(
        _ effect: String, _ piece: FaultPiece, at moment: FaultMoment, into output: inout FaultStageOutput
    ) {
        output.strikes.append(
            FaultStrike(
                direction: moment.direction, packet: piece.number, phase: moment.progress.phase,
                bytes: piece.bytes.count,
                effect: effect))
    }

    private func tell(
        _ effect: String, _ bytes: Int, at moment: FaultMoment, into output: inout FaultStageOutput
    ) {
        output.strikes.append(
            FaultStrike(
                direction: moment.direction, packet: moment.number, phase: moment.progress.phase, bytes: bytes,
                effect: effect))
    }

    // MARK: Holding

    private mutating func delay(_ piece: FaultPiece, at moment: FaultMoment, into output: inout FaultStageOutput) {
        let due = max(moment.now &+ (request.effectiveDuration ?? 0), held.last?.due ?? 0)
        guard keep(piece, due: due, at: moment, into: &output) else { return }
        tell("it comes \((due &- moment.now) / 1_000_000) ms later", piece, at: moment, into: &output)
        struck()
    }

    private mutating func pass(_ piece: FaultPiece, at moment: FaultMoment, into output: inout FaultStageOutput) {
        // Nothing overtakes what is delayed.
        guard let last = held.last else { return output.add(piece) }
        _ = keep(piece, due: last.due, at: moment, into: &output)
    }

    private mutating func hold(
        _ piece: FaultPiece, _ effect: String, at moment: FaultMoment, into output: inout FaultStageOutput
    ) {
        guard keep(piece, due: 0, at: moment, into: &output) else { return }
        tell(effect, piece, at: moment, into: &output)
        beginHolding(at: moment)
    }

    private mutating func beginHolding(at moment: FaultMoment) {
        if let before = left { left = before - 1 }
        state = .holding(until: request.effectiveDuration.map { moment.now &+ $0 })
    }

    private mutating func takeWhileHolding(
        _ piece: FaultPiece, at moment: FaultMoment, into output: inout FaultStageOutput
    ) {
        switch request.kind {
        case .reorder:
            output.add(piece)
            if piece.isPacket { releaseAll(into: &output) }
        case .join:
            if piece.bytes.count > room(at: moment, in: output) || held.count >= FaultPath.maximumHeldPieces {
                releaseAll(into: &output)
                output.add(piece)
            } else {
                _ = keep(piece, due: 0, at: moment, into: &output)
            }
        case .stall, .drop, .corruptHeader, .corruptPayload, .corruptLength, .duplicate, .delay, .split, .stale, .reset,
            .unplug:
            _ = keep(piece, due: 0, at: moment, into: &output)
        }
    }

    /// Keeps a piece back, or loses it where there is no room.
    private mutating func keep(
        _ piece: FaultPiece, due: UInt64, at moment: FaultMoment, into output: inout FaultStageOutput
    ) -> Bool {
        guard piece.bytes.count <= room(at: moment, in: output), held.count < FaultPath.maximumHeldPieces else {
            tell(
                "it is lost, because \(heldBytes) bytes in \(held.count) pieces are held back already", piece,
                at: moment, into: &output)
            return false
        }
        held.append(Held(piece: piece, due: due))
        heldBytes += piece.bytes.count
        return true
    }

    private func room(at moment: FaultMoment, in output: FaultStageOutput) -> Int { moment.room - heldBytes }

    private mutating func release(_ count: Int, into output: inout FaultStageOutput) {
        for entry in held.prefix(count) {
            heldBytes -= entry.piece.bytes.count
            output.add(entry.piece)
        }
        held.removeFirst(count)
    }

    private mutating func releaseAll(into output: inout FaultStageOutput) {
        if request.kind == .join, held.count > 1 {
            output.add(.other(held.flatMap(\.piece.bytes)))
            held = []
            heldBytes = 0
        } else {
            release(held.count, into: &output)
        }
        state = left == 0 ? .spent : .open
    }
}
