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

    /// A quick and willing device without accessory mode.
    public init() {}
}
