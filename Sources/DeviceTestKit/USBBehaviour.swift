/// How a mock USB device and its driver behave. The default is a quick and willing device.
public struct USBBehaviour: Sendable {
    /// What the kernel says to a claim.
    public enum Claim: Sendable, Equatable {
        /// It is ours.
        case granted
        /// This driver has the interface: EBUSY. `usbfs` stands for another program.
        case busy(driver: String)
        /// The call does not return until the device is released from its hang.
        case hangs
    }

    /// What the device says to a request.
    public enum Answer: Sendable, Equatable {
        /// At once, what it has to say.
        case prompt
        /// The same after so many nanoseconds.
        case late(UInt64)
        /// Nothing, ever.
        case never
        /// STALL.
        case stall
        /// The transfer fails with this errno value: ENODEV is a device that leaves at that moment.
        case error(Int32)
    }

    /// True when opening hangs: the kernel does not even say where the device is.
    public var openHangs = false
    /// What the kernel says to a claim.
    public var claim = Claim.granted
    /// What the device says to control requests.
    public var control = Answer.prompt
    /// False when a transfer that is called off never comes back: the call itself hangs.
    public var cancelReturns = true
    /// False when a reset hangs.
    public var resetReturns = true
    /// The version of the Android accessory protocol that it speaks, or `nil` for none.
    public var accessoryProtocol: UInt16?
    /// What it says to control requests by their number, instead of `control`.
    public var answers: [UInt8: Answer] = [:]
    /// Its answer to an Apple device's "get mode", or `nil` for a STALL.
    public var appleMode: [UInt8]?
    /// Its answer to an Apple device's "get capabilities", or `nil` for a STALL. All zeros is "no CarPlay".
    public var appleCapabilities: [UInt8]? = [0, 0, 0, 0]
    /// Whether it takes an Apple device's role switch.
    public var takesRoleSwitch = false
    /// False when it takes nothing from its bulk OUT endpoint.
    public var takesOutput = true
    /// True when an endpoint whose halt is cleared is halted again by the next transfer.
    public var haltsAgain = false

    /// A quick and willing device without accessory mode.
    public init() {}
}
