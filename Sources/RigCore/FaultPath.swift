import LinkProtocol
import RigModel

/// What the owner of a path is told.
enum FaultNotice: Equatable, Sendable {
    /// A fault did something, and may do so as often as `left` says in this direction; `nil` is without end.
    case struck(FaultID, FaultStrike, left: Int?)
    /// A fault has struck for the last time in this direction, and holds nothing back any more.
    case ended(FaultID)
    /// A fault pulls the cable: the device is to be detached without a goodbye. Nothing passes any more.
    case unplug(FaultID)
}

/// Where a path puts what its owner has to do. Reuse one value: emptied, it keeps its memory.
struct FaultOutput: Equatable, Sendable {
    /// Bytes for the receiver, in order.
    var bytes: [UInt8] = []
    /// For every chunk of `bytes`, the offset of the byte behind it: each is one read, or one transfer.
    var chunkEnds: [Int] = []
    /// What there is to know, oldest first.
    var notices: [FaultNotice] = []

    /// True when there is nothing to do.
    var isEmpty: Bool { bytes.isEmpty && notices.isEmpty }

    /// One slice for each read.
    var chunks: [ArraySlice<UInt8>] {
        var start = 0
        return chunkEnds.map { end in
            defer { start = end }
            return bytes[start..<end]
        }
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        chunkEnds.removeAll(keepingCapacity: true)
        notices.removeAll(keepingCapacity: true)
    }

    mutating func append(_ piece: FaultPiece) {
        let start = bytes.count
        bytes += piece.bytes
        guard bytes.count > start else { return }
        if piece.isSplit {
            chunkEnds += start + 1...bytes.count
        } else {
            chunkEnds.append(bytes.count)
        }
    }
}

/// The faults in the way of one direction of one session's link.
///
/// What is sent goes in, as whole packets or as it was read from a wire, and what the receiver gets comes out, with what
/// was done to it. Without a fault everything passes at once. The same orders, seeds, bytes and times give the same
/// output. `now` must not go backwards. At most `maximumHeld` bytes are held back, and one packet that is not complete.
///
/// A packet passes the faults in a fixed order of their kinds, and in the order in which they were set where those are
/// the same: what is lost is not doubled, and what comes byte by byte is cut last. A fault counts the packets that reach
/// it; what one in front of it lost or spoiled is no packet any more.
struct FaultPath: Sendable {
    /// The most bytes that are held back: four of the longest packets. What does not fit is lost, and told.
    static let maximumHeld = 4 * (LinkPacket.maximumLength + 1)
    /// The most pieces that one fault holds back, each a packet or what was read at once. Ours: a wire that comes byte by
    /// byte takes as much memory for each piece as a short packet does.
    static let maximumHeldPieces = 4_096
    /// Up to how many bytes and pieces that pass at once are doubled: twice what can be let go at once. Faults that double
    /// behind each other would double without end.
    static let maximumPassed = (bytes: 2 * maximumHeld, pieces: 2 * maximumHeldPieces)
    /// How many of the last bytes of a session are kept for `stale`: a little more than one packet as an accessory takes
    /// them, which is what was found in the pipe of a device that had been switched before.
    static let maximumRecorded = 4_352

    let direction: FaultDirection
    /// The last bytes that were sent here, while a fault wants them for the next session.
    private(set) var recorded: [UInt8] = []

    private var stages: [FaultStage] = []
    private var cutter: PacketCutter
    private var progress: SessionProgress
    private var isStarted = false
    private var isCut = false
    /// The number of the last packet that was sent, from 1.
    private var number: UInt64 = 0
    /// The sender's last sequence number.
    private var sequence: UInt8 = 0

    /// A path without a fault, to be started.
    ///
    /// - Parameters:
    ///   - progress: how far the session is; not at its beginning when the path is put into one that runs.
    ///   - maximumLength: the longest packet that the receiver takes.
    init(
        direction: FaultDirection, progress: SessionProgress = SessionProgress(),
        maximumLength: Int = LinkPacket.maximumLength
    ) {
        self.direction = direction
        self.progress = progress
        cutter = PacketCutter(maximumLength: maximumLength)
    }

    /// Whether everything passes untouched, so that it need not come here.
    var isClear: Bool { stages.isEmpty && cutter.heldCount == 0 && !isCut }

    /// When `deadlineReached` is to be called next.
    var nextDeadline: UInt64? { stages.compactMap(\.nextDeadline).min() }

    /// How many bytes are held back.
    var heldBytes: Int { stages.reduce(cutter.heldCount) { $0 + $1.heldBytes } }

    // MARK: Faults

    /// Puts a fault in the way. In a session that runs it may strike at once.
    mutating func arm(_ order: FaultOrder, now: UInt64, into output: inout FaultOutput) {
        let place = stages.firstIndex { $0.order.rank > order.rank } ?? stages.endIndex
        stages.insert(FaultStage(order), at: place)
        guard isStarted else { return }
        run(from: place, now: now, into: &output) { $0.placeReached(at: $1, changed: false, into: &$2) }
        settle(now: now, into: &output)
    }

    /// Takes a fault out of the way; what it held back passes. It is not told to have ended.
    mutating func clear(_ id: FaultID, now: UInt64, into output: inout FaultOutput) {
        guard let place = stages.firstIndex(where: { $0.order.id == id }) else { return }
        run(from: place, now: now, into: &output) { stage, _, made in stage.clear(into: &made) }
        stages.remove(at: place)
        settle(now: now, into: &output)
    }

    // MARK: The session

    /// The session begins; `stale` is what was recorded of the one before.
    mutating func start(stale: [UInt8] = [], now: UInt64, into output: inout FaultOutput) {
        guard !isStarted else { return }
        isStarted = true
        for place in stages.indices {
            run(from: place, now: now, into: &output) { $0.begin(stale: stale, at: $1, into: &$2) }
            run(from: place, now: now, into: &output) { $0.placeReached(at: $1, changed: true, into: &$2) }
        }
        settle(now: now, into: &output)
    }

    /// Another session begins on the same link: its places are still to be reached, and packets are counted anew.
    mutating func sessionBegan() {
        progress = SessionProgress()
        for place in stages.indices { stages[place].sessionBegan() }
    }

    /// The session has reached a phase.
    mutating func reached(_ phase: SessionPhase, now: UInt64, into output: inout FaultOutput) {
        guard progress.reach(phase) else { return }
        for place in stages.indices {
            run(from: place, now: now, into: &output) { $0.placeReached(at: $1, changed: true, into: &$2) }
        }
        settle(now: now, into: &output)
    }

    // MARK: Bytes

    /// One whole packet is sent, or the detection bytes are.
    mutating func pass(_ packet: ArraySlice<UInt8>, now: UInt64, into output: inout FaultOutput) {
        let packet = Array(packet)
        record(packet)
        send(packet, now: now, into: &output)
        settle(now: now, into: &output)
    }

    /// Bytes come from a wire, cut in any way.
    mutating func read(_ bytes: ArraySlice<UInt8>, now: UInt64, into output: inout FaultOutput) {
        record(bytes)
        for piece in cutter.cut(bytes) {
            switch piece {
            case .packet(let packet): send(packet, now: now, into: &output)
            case .other(let other): flow([.other(other)], from: 0, now: now, into: &output)
            }
        }
        settle(now: now, into: &output)
    }

    /// Does what is due at `now`.
    mutating func deadlineReached(now: UInt64, into output: inout FaultOutput) {
        for place in stages.indices {
            guard let due = stages[place].nextDeadline, due <= now else { continue }
            run(from: place, now: now, into: &output) { $0.deadlineReached(at: $1, into: &$2) }
        }
        settle(now: now, into: &output)
    }

    // MARK: Stages

    private mutating func send(_ packet: [UInt8], now: UInt64, into output: inout FaultOutput) {
        number += 1
        if packet.count >= LinkPacket.headerLength { sequence = packet[5] }
        let piece = FaultPiece(bytes: packet, number: number, carries: HandshakePacket(carriedBy: packet))
        flow([piece], from: 0, now: now, into: &output)
    }

    private mutating func record(_ bytes: some Collection<UInt8>) {
        guard stages.contains(where: \.wantsStaleBytes) else { return }
        recorded += bytes.suffix(Self.maximumRecorded)
        if recorded.count > Self.maximumRecorded { recorded.removeFirst(recorded.count - Self.maximumRecorded) }
    }

    /// Lets one stage do something, and what comes of it go on.
    private mutating func run(
        from place: Int, now: UInt64, into output: inout FaultOutput,
        _ body: (inout FaultStage, FaultMoment, inout FaultStageOutput) -> Void
    ) {
        var made = FaultStageOutput()
        let moment = moment(at: place, now: now)
        body(&stages[place], moment, &made)
        tell(made, of: place, into: &output)
        flow(made.pieces, from: place + 1, now: now, into: &output)
    }

    private mutating func flow(
        _ pieces: [FaultPiece], from first: Int, now: UInt64, into output: inout FaultOutput
    ) {
        var pieces = pieces
        let wasCut = isCut
        for place in stages.indices.dropFirst(first) {
            guard !pieces.isEmpty, isCut == wasCut else { break }
            var made = FaultStageOutput(taking: pieces)
            let moment = moment(at: place, now: now)
            for piece in pieces { stages[place].take(piece, at: moment, into: &made) }
            tell(made, of: place, into: &output)
            pieces = made.pieces
        }
        // What passed before the cable was pulled still arrives.
        guard !wasCut else { return }
        for piece in pieces { output.append(piece) }
    }

    private func moment(at place: Int, now: UInt64) -> FaultMoment {
        FaultMoment(
            now: now, direction: direction, progress: progress, number: number, sequence: sequence,
            room: Self.maximumHeld - (heldBytes - cutter.heldCount - stages[place].heldBytes))
    }

    private mutating func tell(_ made: FaultStageOutput, of place: Int, into output: inout FaultOutput) {
        let id = stages[place].order.id
        let left = stages[place].left
        output.notices += made.strikes.map { .struck(id, $0, left: left) }
        if made.unplugs {
            isCut = true
            output.notices.append(.unplug(id))
        }
    }

    /// Takes out what is over. With the last fault goes the reason to wait for whole packets.
    private mutating func settle(now: UInt64, into output: inout FaultOutput) {
        for stage in stages where stage.isOver { output.notices.append(.ended(stage.order.id)) }
        stages.removeAll(where: \.isOver)
        if stages.isEmpty, !isCut, cutter.heldCount > 0 { output.append(.other(cutter.rest())) }
    }
}
