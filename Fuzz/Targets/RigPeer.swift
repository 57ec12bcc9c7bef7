import RigConfiguration
import RigCore
import RigModel

/// Another rig at the far end of a wire: it says what a head unit or a phone there would say, to the byte.
struct RigPeer {
    /// The wire, as the fuzzed rig calls it.
    let link: LinkID
    private var core: RigCore
    private var buffer = ActionBuffer()
    /// The wire, as this one calls it, while it has it open.
    private var own: LinkID?
    /// What it has said and the fuzzed rig has not read.
    private var said: [UInt8] = []

    /// More than two rigs can have on the way; what is behind it is lost, as on a full pipe.
    private static let limit = 1 << 17

    /// One that has just come up; it speaks first when it plays the head unit.
    ///
    /// - Parameter role: what the fuzzed rig plays on this wire.
    init(at link: LinkID, facing role: Role, seed: UInt64, now: UInt64) {
        self.link = link
        core = RigCore(settings: Self.settings, identity: CoreIdentity(seed: seed))
        var facts: DeviceFacts
        switch role {
        case .headUnit: facts = DeviceFacts(kind: .headUnit, profile: "head-unit", port: "9-1", origin: .observed)
        case .phone: facts = DeviceFacts(kind: .iPhone, profile: "iphone", port: "9-1", origin: .observed)
        }
        facts.hasLinkInterface = true
        handle(.deviceAttached(key: "far", facts), now: now)
    }

    private static let settings = CoreSettings(Configuration.shipped, version: "peer")

    /// Whether it has said something that was not read.
    var isWaiting: Bool { !said.isEmpty }

    /// The fuzzed rig has said this.
    mutating func hear(_ bytes: [UInt8], now: UInt64) {
        guard let own else { return }
        handle(.wireReceived(own, bytes), now: now)
    }

    /// At most so many bytes of what it has said.
    mutating func read(_ count: Int) -> [UInt8] {
        defer { said.removeFirst(min(count, said.count)) }
        return Array(said.prefix(count))
    }

    /// Its clock goes on.
    mutating func pass(to now: UInt64) {
        for _ in 0..<50 {
            guard let deadline = core.nextDeadline, deadline <= now else { return }
            handle(.deadlineReached, now: now)
        }
    }

    private mutating func handle(_ event: CoreEvent, now: UInt64) {
        var events = [event]
        while !events.isEmpty {
            core.handle(events.removeFirst(), at: now, into: &buffer)
            for action in buffer.actions {
                switch action {
                case .openWire(let link, _):
                    own = link
                    events.append(.wireOpened(link))
                case .transmit(let link, let bytes, _):
                    said += bytes.prefix(Self.limit - said.count)
                    events.append(.wireSent(link, bytes.count))
                case .closeWire(let link): if own == link { own = nil }
                case .deliver, .reply, .open, .fail, .scenarioWrong, .switchMode, .prepareSigner, .askSigner, .capture,
                    .close:
                    break
                }
            }
            buffer.removeAll()
        }
    }
}
