/// Plug in a virtual device.
public struct PlugRequest: Equatable, Sendable {
    /// The device profile: `iphone`, `android`, `head-unit`, ….
    public var profile: String
    /// The name it shall have, or `nil` for profile and number. A name that was there before and is unplugged returns.
    public var name: String?
    /// Its serial number, or `nil` for the profile's.
    public var serial: String?
    /// The head-unit profile whose displays are declared, or `nil` for the configured one.
    public var displays: String?
    /// The conditions it has from the first byte on.
    public var phone: PhoneConditions
    /// True when the phone identifies the head unit before it authenticates it.
    public var identificationFirst: Bool

    /// States a wish.
    public init(
        profile: String, name: String? = nil, serial: String? = nil, displays: String? = nil,
        phone: PhoneConditions = PhoneConditions(), identificationFirst: Bool = false
    ) {
        self.profile = profile
        self.name = name
        self.serial = serial
        self.displays = displays
        self.phone = phone
        self.identificationFirst = identificationFirst
    }
}

/// A change of one display; `nil` leaves a property as it is.
public struct DisplayChange: Equatable, Sendable {
    /// The display: `s1/main`, or `main` of the front session.
    public var display: String
    /// Another view area of those declared.
    public var viewArea: Int?
    /// Another safe area of the view area in use.
    public var safeArea: PixelRect?
    /// Another resolution; view areas that no longer fit become one that fills the display.
    public var pixels: PixelSize?
    /// Another scale.
    public var scaleHundredths: Int?
    /// Another frame rate.
    public var framesPerSecond: Int?
    /// Light or dark.
    public var appearance: Appearance?
    /// The driver's side.
    public var driverSide: DriverSide?
    /// No on-screen keyboard.
    public var limitKeyboard: Bool?
    /// Long lists are cut.
    public var limitLists: Bool?
    /// Another input that moves the focus first.
    public var primaryInput: DisplayInput?

    /// States a change of nothing; set what changes.
    public init(display: String) { self.display = display }

    /// Both limits at once; `nil` unless both are changed.
    public var limitedUI: LimitedUI? {
        get {
            guard let limitKeyboard, let limitLists else { return nil }
            return LimitedUI(keyboard: limitKeyboard, lists: limitLists)
        }
        set {
            limitKeyboard = newValue?.keyboard
            limitLists = newValue?.lists
        }
    }
}

/// What a bench person, a script or a scenario can ask of the rig.
public enum Command: Equatable, Sendable {
    /// Plug in a virtual device.
    case plug(PlugRequest)
    /// Pull it: with a goodbye, or by surprise. Any generation unless one is named.
    case unplug(device: String, surprise: Bool, generation: UInt32?)
    /// Lock, unlock, trust, slow down, refuse.
    case setPhone(device: String, generation: UInt32?, PhoneChange)
    /// Try the handshake of a device at which it failed again, at once.
    case retry(device: String, generation: UInt32?)
    /// Put a device's session in front.
    case setFront(device: String)
    /// Change a display.
    case setDisplay(DisplayChange)
    /// Change the vehicle.
    case setVehicle(VehicleChange)
    /// Inject a gesture.
    case inject(Injection)
    /// Have one side of a session send a message.
    case send(SendRequest)
    /// Set a fault.
    case setFault(FaultRequest)
    /// Clear faults.
    case clearFaults(FaultSelection)
    /// Write a line into the timeline; at most 1,024 bytes.
    case mark(String)

    /// The longest mark in bytes.
    public static let maximumMark = 1_024
}

/// What the rig says to a command that it took.
public enum CommandResult: Equatable, Sendable {
    /// The device is plugged in.
    case plugged(Device)
    /// The gesture was accepted.
    case injected(InjectionReceipt)
    /// The display as it is now.
    case display(Display)
    /// The vehicle as it is now.
    case vehicle(Vehicle)
    /// The fault is set.
    case faultSet(Fault)
    /// These faults were cleared.
    case faultsCleared([FaultID])
    /// It was done; there is nothing to add.
    case done
}

/// Why the rig does not do what it was asked. Each is named for what the caller can do.
public enum CommandFailure: Error, Equatable, Sendable {
    /// No device of that name; `known` are the names there are.
    case unknownDevice(String, known: [String])
    /// No such app or a wrong token.
    case unknownApp
    /// The device has come back since, or is gone.
    case staleDevice(String, generation: UInt32)
    /// A parameter is wrong: which, and what would be right.
    case invalidParameter(String, text: String)
    /// The caller may not do this.
    case notPermitted(String)
    /// A limit is reached: its name and its value.
    case limitReached(String, Int)
    /// Somebody else holds what is needed.
    case busy(owner: String, since: UInt64)
    /// The device refused it, or did not answer.
    case deviceRefused(Reason)
    /// The method exists, but not in this version.
    case methodNotImplemented(String)

    /// What happened and what to do, for a person.
    public var text: String {
        switch self {
        case .unknownDevice(let name, let known):
            known.isEmpty
                ? "there is no device '\(name)'; nothing is plugged in"
                : "there is no device '\(name)'; there is \(Spelling.some(of: known, near: name).joined(separator: ", "))"
        case .unknownApp: "there is no app with this token; it ends with its Launch connection"
        case .staleDevice(let name, let generation):
            "device '\(name)' is gone in its generation \(generation): it was unplugged, or has come back since; plug it in or read its state again"
        case .invalidParameter(let field, let text): "\(field): \(text)"
        case .notPermitted(let text): text
        case .limitReached(let name, let value): "the limit \(name) of \(value) is reached"
        case .busy(let owner, _): "it is in use by \(owner)"
        case .deviceRefused(let reason): reason.text
        case .methodNotImplemented(let method): "\(method) is not in this version"
        }
    }
}

extension CommandFailure {
    /// The same failure of a part: its field is named below that of the part.
    public func within(_ part: String) -> CommandFailure {
        switch self {
        case .invalidParameter(let field, let text): .invalidParameter("\(part).\(field)", text: text)
        case .unknownDevice, .unknownApp, .staleDevice, .notPermitted, .limitReached, .busy, .deviceRefused,
            .methodNotImplemented:
            self
        }
    }
}
