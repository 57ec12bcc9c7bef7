/// The sizes, times and permissions of a pipe. Numbers without a source are ours; each is a bound, not a wish.
public struct USBPipeSettings: Equatable, Sendable {
    /// Reads that the kernel has at once, so that the device never waits for the rig: 1 to 16.
    public var reads = 4
    /// The most bytes of one read, rounded down to whole packets, but at least one: 16,384 is one piece of usbfs.
    public var readLength = 16_384
    /// The most bytes that wait to be sent: 256 KiB, more than a link's window at its usual packet sizes.
    public var outgoingBytes = 262_144
    /// The most sends that wait: a link has at most 127 packets outstanding ([1] OCBM).
    public var outgoingSends = 256
    /// How long the device may refuse to take a transfer before the pipe ends: 5 s.
    public var writeTime: UInt64 = 5_000_000_000
    /// How often a STALL or a transfer error is mended within `recoveryTime`, each way; then the pipe ends.
    public var recoveries = 3
    /// See `recoveries`: 10 s.
    public var recoveryTime: UInt64 = 10_000_000_000
    /// How long a transfer error is left alone before the next try: 100 ms. A cable that is pulled shows as an error
    /// first, and as a removal when the hub was asked next.
    public var errorPause: UInt64 = 100_000_000
    /// Whether a kernel driver that is bound to the interface is sent away.
    public var detachesDriver = false
    /// Whether the rig selects a configuration when none is, or when the interface is in another one.
    public var setsConfiguration = false
    /// How often the device is asked for its configuration while none is selected: 1 or more.
    public var configurationTries = 20
    /// The time between two of these questions: 250 ms.
    public var configurationInterval: UInt64 = 250_000_000
    /// How long the device may take to say which configuration is selected: 1 s.
    public var controlTime: UInt64 = 1_000_000_000
    /// What is done with bytes that an earlier use of the device left in it; `nil` takes them for new ones.
    public var drain: USBDrain?

    /// The defaults.
    public init() {}
}

/// How bytes of an earlier use are read and thrown away before a pipe is used.
public struct USBDrain: Equatable, Sendable {
    /// It is over when nothing came for so long: 30 ms.
    public var quietTime: UInt64 = 30_000_000
    /// It is over after so long, whatever comes: 300 ms.
    public var time: UInt64 = 300_000_000
    /// It is over when so many bytes came: 64 KiB, more than any one packet of the link.
    public var bytes = 65_536

    /// The defaults.
    public init() {}
}
