public import InputCore
public import RigModel
public import ScenarioCore

/// Who is on the other end of a client's connection, as the kernel said when it connected.
public struct ClientCredentials: Equatable, Sendable {
    /// The process.
    public let pid: Int32
    /// Its user.
    public let uid: UInt32
    /// Its group.
    public let gid: UInt32

    /// States credentials.
    public init(pid: Int32, uid: UInt32, gid: UInt32) {
        self.pid = pid
        self.uid = uid
        self.gid = gid
    }
}

/// A call that the socket's side has read, checked against the interface and turned into values.
public enum ClientCall: Equatable, Sendable {
    /// The whole state.
    case getState
    /// Every change from now on, the state first.
    case subscribe(EventFilter)
    /// The bytes of a device's links from now on, of all when absent.
    case capture(device: String?)
    /// The virtual devices and the head units there are.
    case listProfiles
    /// The faults that are set, of one device or of all, and the kinds there are.
    case listFaults(device: String?)
    /// A command; the reply follows its result.
    case command(Command)
    /// An injection that is answered when `step` is reached, or `within` nanoseconds have passed.
    case inject(Injection, wait: InputStep, within: UInt64)
    /// Inputs at their times; answered at once for `accepted`, else when all are sent and have come to `step`, or to what
    /// their target can reach, or `within` nanoseconds after the time of the last have passed.
    case injectSequence(InjectionSequence, wait: InputStep, within: UInt64)
    /// Tell a device to change its mode; answered when the device has.
    case switchMode(device: String, generation: UInt32?, ModeSwitch)
    /// Run a scenario's text, which may play these tracks, with the files that it includes and its values. What another run
    /// holds is waited for so many nanoseconds.
    case run(
        name: String, text: String, tracks: [TrackFile] = [], options: ScenarioOptions = ScenarioOptions(),
        wait: UInt64 = 0)
    /// Plug a virtual device in and out by a plan. What another run holds is waited for so many nanoseconds.
    case cycle(CyclePlan, PlugRequest, wait: UInt64 = 0)
    /// What runs hold for themselves.
    case listLeases
    /// Take from a run what it holds; without force it is only said whose it is.
    case unlease(String, force: Bool)
    /// Declare an app. The token comes from the caller, since the core knows no randomness.
    case launch(AppManifest, device: String?, token: String)
    /// An app sends a message on the session that it belongs to.
    case appSend(token: String, message: String, fields: RecordValue)
    /// Say that input was read.
    case acknowledge(token: String, ids: [UInt64])
}

/// Everything that can happen to the rig, as values. Ids and times come from outside.
///
/// What is large and rare lies apart (`indirect`), so that input is not as large as a device.
public enum CoreEvent: Equatable, Sendable {
    /// A device appeared on a bus. `key` names it for the other device events: the bus's own name for it.
    indirect case deviceAttached(key: String, DeviceFacts)
    /// A device appeared that somebody else holds: it is published, but left alone until `deviceUsable`.
    indirect case deviceAttachedBusy(key: String, DeviceFacts, Reason)
    /// More is known of it, or something changed.
    indirect case deviceChanged(key: String, DeviceFacts)
    /// Its bus says that it is gone.
    case deviceDetached(key: String, Reason)
    /// Somebody else holds it.
    case deviceBusy(key: String, Reason)
    /// A call to its driver does not return.
    case deviceStuck(key: String, Reason)
    /// A device was told to change its mode, as `switchMode` asked or as the configuration wants: it takes it, or why
    /// not.
    case modeAnswered(key: String, ModeSwitch, refusal: Reason?)
    /// What stood in the way of it is gone again.
    case deviceUsable(key: String)
    /// A device's pipes are open and claimed, as `openWire` asked.
    case wireOpened(LinkID)
    /// Bytes came from a device, cut in any way.
    case wireReceived(LinkID, [UInt8])
    /// A device has taken so many more bytes of what was transmitted.
    case wireSent(LinkID, Int)
    /// A device's pipes could not be opened, or are gone, and why.
    case wireEnded(LinkID, Reason)
    /// The signer has answered one end of a link, as `askSigner` asked. Without effect when that question is open no more.
    case signerAnswered(SignerTicket, SignerAnswer)
    /// The signer is ready, or will never be: handshakes that waited for it go on.
    case signerChanged(CoreSigner)
    /// An input device did something, at a time of its own.
    case input(key: String, InputEvent, time: UInt64)
    /// An input device did something that may need its display, or something was meant by it, at a time of its own.
    case deviceInput(key: String, DeviceInput, time: UInt64)
    /// An input device overflowed: motion is lost.
    case inputLost(key: String)
    /// A bus lost events and was read again.
    case resynchronized(Reason)
    /// A client connected to one of the sockets.
    case clientConnected(ClientID, ClientCredentials)
    /// A client is gone, whoever closed it.
    case clientClosed(ClientID)
    /// A client calls. It makes its next call only after the answer to this one.
    indirect case clientCalled(ClientID, ClientCall)
    /// The last byte of an event that was to be told of has been taken by the client's socket.
    case clientTook(ClientID, sequence: UInt64)
    /// The configuration was read again and holds.
    indirect case reconfigured(CoreSettings)
    /// The configuration was read again and has errors; the old one stays.
    case configurationRefused(String)
    /// A deadline has come; `handle` is also right to be called with this too early or too late.
    case deadlineReached
}

/// Which events a subscriber wants.
public struct EventFilter: Equatable, Sendable {
    /// One bit for each of `EventKind.allCases` that passes.
    public let kinds: UInt64
    /// The device names whose events pass, sorted; `nil` lets all pass, also those about no device.
    public let devices: [String]?

    /// The most kinds of one filter: more than twice those that there are.
    public static let maximumKinds = 64
    /// The most devices of one filter: as many as can be plugged in by default.
    public static let maximumDevices = 1_024

    /// Lets everything pass.
    public static let everything = EventFilter(kinds: ~0, devices: nil)

    private init(kinds: UInt64, devices: [String]?) {
        self.kinds = kinds
        self.devices = devices
    }

    /// Reads a filter as `Subscribe` carries it: names of kinds, or their beginnings up to a dot.
    ///
    /// - Throws: `invalidParameter` naming the first word that no kind begins with, or the list that is too long: what
    ///   is compared with each event must not be as long as a client likes.
    public init(kinds names: [String]?, devices: [String]?) throws(CommandFailure) {
        if let names, names.count > Self.maximumKinds {
            throw .invalidParameter("kinds", text: "at most \(Self.maximumKinds) kinds, not \(names.count)")
        }
        if let devices, devices.count > Self.maximumDevices {
            throw .invalidParameter("devices", text: "at most \(Self.maximumDevices) devices, not \(devices.count)")
        }
        var bits: UInt64 = names == nil ? ~0 : 0
        for (position, name) in (names ?? []).enumerated() {
            var found = false
            for (index, kind) in EventKind.allCases.enumerated()
            where kind.rawValue == name || kind.rawValue.hasPrefix(name + ".") {
                bits |= 1 << UInt64(index)
                found = true
            }
            if !found {
                let near = Spelling.nearest(to: name, among: EventKind.allCases.map(\.rawValue))
                throw .invalidParameter(
                    "kinds.\(position)",
                    text: "no kind of event is called '\(name)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
            }
        }
        // The subscriber must hear of its own losses and of a bus that was read again, whatever it selects.
        for (index, kind) in EventKind.allCases.enumerated() where kind == .streamLost || kind == .resync {
            bits |= 1 << UInt64(index)
        }
        self.kinds = bits
        self.devices = devices?.sorted()
    }

    /// Whether an event passes.
    public func passes(_ event: Event) -> Bool { passes(event, bit: event.kind.bit) }

    /// The same with the kind's bit, which is looked up once for all subscribers.
    func passes(_ event: Event, bit: UInt64) -> Bool {
        guard kinds & bit != 0 else { return false }
        guard let devices else { return true }
        if event.kind == .resync { return true }
        guard let name = event.device?.name else { return false }
        var low = 0
        var high = devices.count
        while low < high {
            let middle = (low + high) / 2
            if devices[middle] < name { low = middle + 1 } else { high = middle }
        }
        return low < devices.count && devices[low] == name
    }
}

extension EventKind {
    /// The kind's bit in `EventFilter.kinds`, by its place among all cases.
    var bit: UInt64 { Self.bits[self] ?? 0 }

    private static let bits: [EventKind: UInt64] = {
        var bits: [EventKind: UInt64] = [:]
        for (index, kind) in EventKind.allCases.enumerated() { bits[kind] = 1 << UInt64(index) }
        return bits
    }()
}
