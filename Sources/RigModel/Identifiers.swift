/// The number of a device inside one run of the rig. Never reused within the run; people see `Device.name` instead.
public struct DeviceID: Hashable, Comparable, Sendable {
    /// The number, from 1.
    public let number: UInt32

    /// Wraps a number that the rig handed out.
    public init(_ number: UInt32) { self.number = number }

    /// Older devices come first.
    public static func < (left: DeviceID, right: DeviceID) -> Bool { left.number < right.number }
}

/// The number of a link: one byte path to one device, from its opening to its end.
public struct LinkID: Hashable, Comparable, Sendable {
    /// The number, from 1.
    public let number: UInt32

    /// Wraps a number that the rig handed out.
    public init(_ number: UInt32) { self.number = number }

    /// Older links come first.
    public static func < (left: LinkID, right: LinkID) -> Bool { left.number < right.number }
}

/// The number of a session: the authenticated use of a link, from handshake to goodbye.
public struct SessionID: Hashable, Comparable, Sendable {
    /// The number, from 1.
    public let number: UInt32

    /// Wraps a number that the rig handed out.
    public init(_ number: UInt32) { self.number = number }

    /// What people see: `s1`, `s2`, ….
    public var name: String { "s\(number)" }

    /// Older sessions come first.
    public static func < (left: SessionID, right: SessionID) -> Bool { left.number < right.number }
}

/// The number of a client: one connection on one of the rig's sockets.
public struct ClientID: Hashable, Comparable, Sendable {
    /// The number, from 1.
    public let number: UInt64

    /// Wraps a number that the daemon handed out.
    public init(_ number: UInt64) { self.number = number }

    /// Older clients come first.
    public static func < (left: ClientID, right: ClientID) -> Bool { left.number < right.number }
}

/// The number of an app: a client that declared a manifest.
public struct AppID: Hashable, Comparable, Sendable {
    /// The number, from 1.
    public let number: UInt32

    /// Wraps a number that the rig handed out.
    public init(_ number: UInt32) { self.number = number }

    /// What people see: `app-1`, `app-2`, ….
    public var name: String { "app-\(number)" }

    /// Older apps come first.
    public static func < (left: AppID, right: AppID) -> Bool { left.number < right.number }
}

/// The number of one input event. Injected gestures get a contiguous range of them.
public struct InputID: Hashable, Comparable, Sendable {
    /// The number, from 1, over all input of one run.
    public let number: UInt64

    /// Wraps a number that the rig handed out.
    public init(_ number: UInt64) { self.number = number }

    /// Older input comes first.
    public static func < (left: InputID, right: InputID) -> Bool { left.number < right.number }
}

/// A device by what people call it, with the generation it had at the time.
public struct DeviceReference: Hashable, Sendable {
    /// The short stable name: `iphone-1`, or what `--name` said.
    public let name: String
    /// 1 at the first plug, +1 each time the same device comes back.
    public let generation: UInt32

    /// Pairs a name with the generation it had.
    public init(name: String, generation: UInt32) {
        self.name = name
        self.generation = generation
    }
}
