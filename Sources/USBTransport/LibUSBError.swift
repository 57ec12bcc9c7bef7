internal import CLibUSB
internal import Glibc
internal import LinuxIO

extension USBOutcome {
    /// What libusb's answer to a call means. `holder` is only asked when somebody else is in the way.
    static func failure(_ code: Int32, _ action: String, holder: () -> USBHolder? = { nil }) -> USBOutcome {
        switch libusb_error(rawValue: code) {
        case LIBUSB_ERROR_ACCESS: .noAccess
        case LIBUSB_ERROR_NO_DEVICE: .gone
        case LIBUSB_ERROR_BUSY: .busy(holder())
        case LIBUSB_ERROR_TIMEOUT: .timedOut
        case LIBUSB_ERROR_PIPE: .stalled
        default: .failed(USBFailure(action, String(cString: libusb_error_name(code))))
        }
    }

    /// What an errno value of `open` means.
    static func openFailure(_ number: Int32, node: String, holder: () -> USBHolder? = { nil }) -> USBOutcome {
        switch number {
        case ENOENT, ENODEV, ENXIO, ENOTDIR, ESHUTDOWN: .gone
        case EACCES, EPERM, EROFS: .noAccess
        case EBUSY, ETXTBSY: .busy(holder())
        default: .failed(USBFailure("open \(node)", SystemError("open", number).name))
        }
    }

    /// The same outcome for another value; only `ok` differs.
    func map<Other>(_ transform: (Value) -> Other) -> USBOutcome<Other> {
        switch self {
        case .ok(let value): .ok(transform(value))
        case .busy(let holder): .busy(holder)
        case .noAccess: .noAccess
        case .gone: .gone
        case .stuck: .stuck
        case .timedOut: .timedOut
        case .stalled: .stalled
        case .cancelled: .cancelled
        case .refused(let refusal): .refused(refusal)
        case .failed(let failure): .failed(failure)
        }
    }
}
