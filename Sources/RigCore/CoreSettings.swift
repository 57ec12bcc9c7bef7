public import ControlProtocol
public import LinkProtocol
public import RigConfiguration
public import RigModel

/// Everything that a configuration decides about the core. Durations are nanoseconds.
public struct CoreSettings: Equatable, Sendable {
    /// The rig's version, as it is published.
    public var version = ""
    /// The instance's name, empty for the first.
    public var instance = ""
    /// Which session is in front when nobody says.
    public var front = FrontPolicy.first
    /// The head units there are; the first is the one the rig plays when nobody says.
    public var headUnits: [HeadUnitProfile] = []
    /// The virtual devices there are.
    public var profiles: [VirtualDevice] = DeviceProfiles.all
    /// The vehicle at the start.
    public var vehicle = Vehicle()
    /// What is derived from what the vehicle measures.
    public var vehicleRules = VehicleRules()
    /// What the two ends of a link have in common, with what the head unit offers.
    public var link = LinkParameters(synchronization: .rigAccessory)
    /// What a phone takes; its version is the newest that it speaks when nobody says.
    public var phoneLink = LinkSynchronization.rigDevice
    /// How long each step of the handshake may take.
    public var deadlines = ControlDeadlines()
    /// Who signs and verifies.
    public var signer = CoreSigner.fixedTest
    /// The key that the head units sign with.
    public var shape = AuthenticationShape.p256
    /// For how long a device on the same port counts as the same one (field report B23: mode changes).
    public var reenumerationWindow: UInt64 = 5_000_000_000
    /// The waits before a failed handshake is tried again; none left means failed for good (field report B30).
    public var retries: [UInt64] = [1_000_000_000, 2_000_000_000, 4_000_000_000]
    /// The wait before a handshake whose authentication failed is tried again; it doubles with each failure after
    /// another, up to `authenticationPauseMaximum`, and there is no last one. Ours.
    public var authenticationPause: UInt64 = 1_000_000_000
    /// The longest of these waits.
    public var authenticationPauseMaximum: UInt64 = 64_000_000_000
    /// How long a knob is held for a long press.
    public var longPress: UInt64 = 500_000_000
    /// The most devices that are plugged in at once.
    public var maximumDevices = 1_024
    /// The most unplugged devices that are remembered; the oldest are forgotten.
    public var maximumRemembered = 256
    /// The most clients of one user.
    public var maximumClientsPerUser = 1_024
    /// The most clients.
    public var maximumClients = 4_096
    /// The most subscriptions: each holds the whole state until its client has read it.
    public var maximumSubscriptions = 1_024
    /// The most captures at once: each costs a copy of all that passes.
    public var maximumCaptures = 16
    /// The most apps.
    public var maximumApps = 256
    /// The most gestures that are under way at once.
    public var maximumGestures = 1_024
    /// The most of them of one client: ours; one client leaves room for others.
    public var maximumGesturesPerClient = 256
    /// The most of them that one user's clients have begun, whether these are still there or not: ours; one user leaves
    /// room for others.
    public var maximumGesturesPerUser = 768
    /// The most sequences that are under way at once.
    public var maximumSequences = 64
    /// The most of them of one client: ours; one client leaves room for others.
    public var maximumSequencesPerClient = 16
    /// The most of them of one user's clients: ours; one user leaves room for others.
    public var maximumSequencesPerUser = 48
    /// The most controls and fingers that all callers hold down by single inputs. A sequence counts from its beginning to
    /// its end, with the most that it ever holds at once.
    public var maximumHeldInputs = 1_024
    /// The most faults that are set at once.
    public var maximumFaults = 1_024
    /// The most of them for one device, or for the next one that comes.
    public var maximumFaultsPerDevice = 16
    /// The most scenarios that run at once.
    public var maximumRuns = 16

    /// The defaults; a rig needs head units and profiles beside.
    public init() {}

    /// The wait after so many authentication failures in a row, counted from 1.
    func authenticationPause(after failures: Int) -> UInt64 {
        var pause = authenticationPause
        var left = failures - 1
        while left > 0, pause > 0, pause < authenticationPauseMaximum {
            pause = pause > authenticationPauseMaximum / 2 ? authenticationPauseMaximum : pause * 2
            left -= 1
        }
        return min(pause, authenticationPauseMaximum)
    }
}

/// What the rig is told once, at its start.
public struct CoreIdentity: Equatable, Sendable {
    /// New at each start of the daemon.
    public var epoch: String
    /// CLOCK_MONOTONIC at the daemon's start, in nanoseconds.
    public var base: UInt64
    /// CLOCK_REALTIME at the same moment, in nanoseconds since 1970.
    public var realtime: UInt64
    /// The boot that CLOCK_MONOTONIC counts from.
    public var bootID: String
    /// Where challenges and sequence numbers come from; the same seed gives the same run.
    public var seed: UInt64

    /// States an identity; the default is that of a simulation.
    public init(
        epoch: String = "simulation", base: UInt64 = 0, realtime: UInt64 = 0, bootID: String = "", seed: UInt64 = 1
    ) {
        self.epoch = epoch
        self.base = base
        self.realtime = realtime
        self.bootID = bootID
        self.seed = seed
    }
}
