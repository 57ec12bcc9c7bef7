internal import Glibc
public import LinuxIO
public import RigModel

/// What a socket on a CAN bus tells.
public enum CANNotice: Equatable, Sendable {
    /// A frame came.
    case frame(CANFrame)
    /// The bus tells what is wrong with it.
    case busError(CANBusError)
    /// The interface is down; frames come again when it is up.
    case down
    /// The socket is closed.
    case ended(CANEnd)
}

/// Why a socket on a CAN bus closed by itself.
public enum CANEnd: Equatable, Sendable {
    /// The interface is not there any more.
    case gone
    /// It can no longer be read.
    case failed(SystemError)
}

/// What became of a frame that was sent.
public enum CANDelivery: Equatable, Sendable {
    /// It is on its way.
    case sent
    /// The interface's queue is full, since nobody acknowledges; the frame is not sent.
    case full
    /// The interface is down or gone; the frame is not sent.
    case down
    /// It is not sent.
    case failed(SystemError)
}

/// Why a CAN interface is not listened to.
public enum CANError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kernel has no CAN, or no raw sockets for it; a service whose address families are restricted sees the same.
    case noKernelSupport
    /// There is no interface of this name.
    case noInterface(String)
    /// It is another kind of interface.
    case notCAN(String)
    /// We may not.
    case noAccess(String)
    /// Something else.
    case system(SystemError)

    init(_ error: SystemError, _ interface: String) {
        switch (error.call, error.number) {
        case ("socket", EAFNOSUPPORT), ("socket", EPROTONOSUPPORT), ("socket", ESOCKTNOSUPPORT): self = .noKernelSupport
        case (_, EPERM), (_, EACCES): self = .noAccess(interface)
        case ("if_nametoindex", _): self = .noInterface(interface)
        case ("bind", ENODEV): self = .notCAN(interface)
        default: self = .system(error)
        }
    }

    /// One line for a person, with what to do.
    public var description: String {
        switch self {
        case .noKernelSupport:
            "this kernel has no CAN (CONFIG_CAN, CONFIG_CAN_RAW; module can_raw), or the service may not open its sockets "
                + "without the drop-in can.conf (RestrictAddressFamilies=AF_CAN); \"dashrig doctor\" says which, and what to do"
        case .noInterface(let name): "there is no network interface \(name); plug its adapter in, or name another one"
        case .notCAN(let name): "\(name) is no CAN interface; name one that is"
        case .noAccess(let name): "\(name): raw CAN sockets are not allowed here; \"dashrig doctor\" says more"
        case .system(let error): error.description
        }
    }
}
