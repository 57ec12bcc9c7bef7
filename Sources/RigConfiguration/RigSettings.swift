public import RigModel

/// Which session is in front when nobody said so.
public enum FrontPolicy: Equatable, Sendable {
    /// The one that became active first.
    case first
    /// The one that became active last.
    case last
    /// That of the first of these devices, by name; then the one that became active first.
    case priority([String])
}

/// How long each step of a handshake may take, in nanoseconds. While a phone is locked or not trusted its clock stands.
public struct HandshakeDeadlines: Equatable, Sendable {
    /// Until the other side answers the detect sequence. 30 s: a dongle that is not served reappears within 25 to 35 s
    /// (captured), so a longer wait would not see it alive.
    public var detect: UInt64 = 30_000_000_000
    /// Until both sides have synchronised. 5 s: open head units resend every 0.5 to 1 s, so that some may be lost.
    public var synchronize: UInt64 = 5_000_000_000
    /// Until authentication is through. 10 s: a signature of an old coprocessor alone takes 1.8 s (captured).
    public var authenticate: UInt64 = 10_000_000_000
    /// Until identification is through. 5 s: a phone answers within 10 ms (captured); the rest is a slow head unit.
    public var identify: UInt64 = 5_000_000_000
    /// Until the session is active. 10 s, an assumption: a phone offers it 8 to 115 ms after identification (captured),
    /// but what both sides do before they start is not known of every head unit.
    public var start: UInt64 = 10_000_000_000

    /// The defaults.
    public init() {}
}

/// What the rig takes at most. Each is told by its name (`clientsPerUser`) when it is reached.
public struct RigLimits: Equatable, Sendable {
    /// Clients of one user, on both sockets together.
    public var clientsPerUser = 1_024
    /// Clients in all.
    public var clients = 4_096
    /// Bytes of one call on the control socket: 1 MiB.
    public var rigCallBytes = 1_048_576
    /// Bytes of one call on the app socket: 4 MiB.
    public var appCallBytes = 4_194_304
    /// Bytes that wait for one client: 1 MiB.
    public var queueBytes = 1_048_576
    /// Subscriptions in all.
    public var subscriptions = 1_024
    /// Devices that are plugged in at once.
    public var devices = 1_024
    /// Apps at a time.
    public var apps = 256

    /// The defaults.
    public init() {}
}

/// What the rig takes from the USB.
public struct USBSettings: Equatable, Sendable {
    /// Whether it looks at the USB at all.
    public var isEnabled = true
    /// The ports it takes, by topology (`1-1.4`).
    public var ports = NameFilter()
    /// Whether an Apple device is asked for its mode and for what it can do when it is plugged in. Reads only.
    public var probesApple = false
    /// Whether an Android phone is brought into accessory mode when it is plugged in. Off, because it changes the phone.
    public var startsAccessoryMode = false
    /// Whether a kernel driver that is bound to a link's interface is sent away.
    public var detachesDriver = false
    /// Whether the rig selects a configuration where none is selected, or where the link's interface is in another one.
    public var selectsConfiguration = false

    /// The defaults: everything that only looks.
    public init() {}
}

/// What the rig takes from evdev.
public struct InputSettings: Equatable, Sendable {
    /// Whether it looks at evdev at all.
    public var isEnabled = true
    /// The ports it takes, by the topology of the USB device behind (`1-1.4`), else by the driver's `phys`.
    public var ports = NameFilter()
    /// The names it takes, as the driver gives them.
    public var names = NameFilter()
    /// Whether rotary knobs are taken.
    public var takesKnobs = true
    /// Whether a taken device is grabbed, so that the desktop does not see it too.
    public var grabs = true
    /// The controllers on CAN buses that are listened to; no interface is opened beside theirs.
    public var can: [CANChoice] = []
    /// The times and ways that make intents of events, but for the long press, which holds for the whole rig.
    public var intents = IntentLimits()

    /// The defaults: every knob, grabbed.
    public init() {}
}

/// A controller on a CAN bus that is listened to.
public struct CANChoice: Equatable, Hashable, Sendable {
    /// The network interface: `can0`.
    public let interface: String
    /// What is on it: the name of a kind in the table.
    public let controller: String

    /// States a controller.
    public init(interface: String, controller: String) {
        self.interface = interface
        self.controller = controller
    }

    /// The most at once: ours.
    public static let maximumChoices = 16
}

/// Who may use the sockets.
public struct SocketSettings: Equatable, Sendable {
    /// The group that owns the control socket.
    public var controlGroup = "dashrig"
    /// The group that owns the app socket.
    public var appGroup = "dashrig-app"

    /// The defaults.
    public init() {}
}

/// What `dashrig.ini` and its drop-ins say. Durations are nanoseconds.
public struct RigSettings: Equatable, Sendable {
    /// The instance's name, or `nil` for the only one of a machine.
    public var instance: String?
    /// Which session is in front when nobody said so.
    public var frontPolicy = FrontPolicy.first
    /// The head-unit profile whose displays are declared when the rig plays the head unit.
    public var headUnitProfile = "standard"
    /// How long after a removal the same port alone identifies a device: 5 s, as long as open head units wait for a
    /// phone to come back in another mode.
    public var reenumerationWindow: UInt64 = 5_000_000_000
    /// How often a failed handshake is tried again.
    public var handshakeRetries = 3
    /// The pause before each retry; when there are more retries than pauses, the last one repeats. Never empty.
    public var retryDelays: [UInt64] = [1_000_000_000, 2_000_000_000, 4_000_000_000]
    /// The pause before a handshake whose authentication failed is tried again; it doubles with each failure.
    public var authenticationPause: UInt64 = 1_000_000_000
    /// The longest of these pauses.
    public var authenticationPauseMaximum: UInt64 = 64_000_000_000
    /// From how long on a press of the knob is a long one: 500 ms.
    public var longPress: UInt64 = 500_000_000
    /// The times and ways that make intents of events.
    public var intentLimits: IntentLimits {
        var limits = input.intents
        limits.longPress = longPress
        return limits
    }
    /// How long each step of a handshake may take.
    public var deadlines = HandshakeDeadlines()
    /// What the ends of a link offer and take.
    public var link = LinkSettings()
    /// What the rig takes at most.
    public var limits = RigLimits()
    /// What it takes from the USB.
    public var usb = USBSettings()
    /// What it takes from evdev.
    public var input = InputSettings()
    /// How head units are authenticated.
    public var authentication = AuthenticationSettings()
    /// Who may use the sockets.
    public var sockets = SocketSettings()

    /// The defaults.
    public init() {}

    /// The pause before retry number `retry`, counted from 0.
    public func retryDelay(_ retry: Int) -> UInt64 {
        retryDelays.indices.contains(retry) ? retryDelays[retry] : retryDelays.last ?? 0
    }
}
