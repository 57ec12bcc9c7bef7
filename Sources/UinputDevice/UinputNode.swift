internal import CLinux
internal import Glibc
internal import LinuxIO
internal import RigModel

/// The ioctls of an open uinput node, which somebody else owns.
struct UinputNode {
    let descriptor: Int32

    /// The version that brought UI_DEV_SETUP and UI_ABS_SETUP.
    private static let neededVersion: UInt32 = 5
    /// Room for a sysfs name: `input` and a number.
    private static let nameBytes: UInt32 = 64

    func checkVersion() throws(UinputError) {
        var version: UInt32 = 0
        if dashrig_ioctl_pointer(descriptor, dashrig_UI_GET_VERSION(), &version) < 0 {
            throw Self.error("UI_GET_VERSION")
        }
        if version < Self.neededVersion { throw .tooOld(version: version) }
    }

    /// Tells the kernel what the device is, before it is made.
    func describe(_ device: InputDeviceDescription, phys: String) throws(UinputError) {
        try set(dashrig_UI_SET_EVBIT(), device.ev, "UI_SET_EVBIT")
        try set(dashrig_UI_SET_KEYBIT(), device.key, "UI_SET_KEYBIT")
        try set(dashrig_UI_SET_RELBIT(), device.rel, "UI_SET_RELBIT")
        try set(dashrig_UI_SET_ABSBIT(), device.abs, "UI_SET_ABSBIT")
        try set(dashrig_UI_SET_PROPBIT(), device.props, "UI_SET_PROPBIT")
        for axis in device.axes { try set(axis) }
        let result = phys.withCString { text in
            dashrig_ioctl_pointer(descriptor, dashrig_UI_SET_PHYS(), UnsafeMutableRawPointer(mutating: text))
        }
        if result < 0 { throw Self.error("UI_SET_PHYS") }
        var setup = uinput_setup()
        setup.id = input_id(
            bustype: device.bus, vendor: device.vendor, product: device.product, version: device.version)
        withUnsafeMutableBytes(of: &setup.name) { room in
            // Shorter by its NUL: `VirtualInputDevice` cuts it so.
            for (index, byte) in device.name.utf8.prefix(room.count - 1).enumerated() { room[index] = byte }
        }
        if dashrig_ioctl_pointer(descriptor, dashrig_UI_DEV_SETUP(), &setup) < 0 { throw Self.error("UI_DEV_SETUP") }
    }

    func create() throws(UinputError) {
        if dashrig_ioctl_int(descriptor, dashrig_UI_DEV_CREATE(), 0) < 0 { throw Self.error("UI_DEV_CREATE") }
    }

    func sysname() throws(UinputError) -> String {
        var bytes = [UInt8](repeating: 0, count: Int(Self.nameBytes))
        if dashrig_ioctl_pointer(descriptor, dashrig_UI_GET_SYSNAME(Self.nameBytes), &bytes) < 0 {
            throw Self.error("UI_GET_SYSNAME")
        }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    private func set(_ axis: AbsoluteRange) throws(UinputError) {
        var setup = uinput_abs_setup()
        setup.code = axis.code
        setup.absinfo = input_absinfo(
            value: 0, minimum: axis.minimum, maximum: axis.maximum, fuzz: axis.fuzz, flat: axis.flat,
            resolution: axis.resolution)
        if dashrig_ioctl_pointer(descriptor, dashrig_UI_ABS_SETUP(), &setup) < 0 {
            throw Self.error("UI_ABS_SETUP(\(axis.code))")
        }
    }

    private func set(_ request: UInt, _ codes: [UInt16], _ name: String) throws(UinputError) {
        for code in codes where dashrig_ioctl_int(descriptor, request, Int32(code)) < 0 {
            throw Self.error("\(name)(\(code))")
        }
    }

    private static func error(_ call: String) -> UinputError { .system(SystemError(call, errno, "uinput")) }
}
