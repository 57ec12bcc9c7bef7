internal import CUdev
internal import Glibc
internal import LinuxIO

/// The socket on which udevd tells of devices it has finished with. Used on the loop's thread only.
final class UdevSocket {
    /// What one read of the socket gave.
    enum Reception {
        /// An event of a device that we watch.
        case event(UeventAction, DeviceSighting)
        /// An event of something else.
        case other
        /// Nothing more is there now.
        case empty
        /// The read failed: ENOBUFS when the kernel had to drop events.
        case failed(Int32)
    }

    private let udev: OpaquePointer
    private let monitor: OpaquePointer

    /// Opens the `udev` group, never the `kernel` one: when the kernel speaks, nodes and permissions are not there yet.
    ///
    /// The receive buffer is asked for, not insisted on: without CAP_NET_ADMIN the kernel caps it at
    /// net.core.rmem_max.
    init(bufferSize: Int32) throws(SystemError) {
        guard let udev = udev_new() else { throw SystemError("udev_new", max(errno, ENOMEM)) }
        guard let monitor = udev_monitor_new_from_netlink(udev, "udev") else {
            let number = errno
            udev_unref(udev)
            throw SystemError("udev_monitor_new_from_netlink", number, "udev")
        }
        self.udev = udev
        self.monitor = monitor
        for subsystem in UdevSighting.subsystems {
            let result = udev_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil)
            if result < 0 {
                throw SystemError("udev_monitor_filter_add_match_subsystem_devtype", -result, subsystem)
            }
        }
        udev_monitor_set_receive_buffer_size(monitor, bufferSize)
        let result = udev_monitor_enable_receiving(monitor)
        if result < 0 { throw SystemError("udev_monitor_enable_receiving", -result) }
    }

    deinit {
        udev_monitor_unref(monitor)
        udev_unref(udev)
    }

    var descriptor: Int32 { udev_monitor_get_fd(monitor) }

    func receive() -> Reception {
        errno = 0
        guard let device = udev_monitor_receive_device(monitor) else {
            switch errno {
            case 0, EAGAIN, EINTR: return .empty
            case let number: return .failed(number)
            }
        }
        defer { udev_device_unref(device) }
        guard let name = udev_device_get_action(device), let action = UeventAction(rawValue: String(cString: name)),
            let sighting = UdevSighting.read(device)
        else { return .other }
        return .event(action, sighting)
    }
}

/// Lists every device of the watched subsystems. Reads many files of sysfs and of udev's database, so it runs as a job
/// with a udev context of its own: libudev's objects must not be shared between threads.
enum UdevListing {
    static func run() -> Result<[DeviceSighting], SystemError> {
        guard let udev = udev_new() else { return .failure(SystemError("udev_new", max(errno, ENOMEM))) }
        defer { udev_unref(udev) }
        guard let enumeration = udev_enumerate_new(udev) else {
            return .failure(SystemError("udev_enumerate_new", max(errno, ENOMEM)))
        }
        defer { udev_enumerate_unref(enumeration) }
        for subsystem in UdevSighting.subsystems {
            let result = udev_enumerate_add_match_subsystem(enumeration, subsystem)
            if result < 0 { return .failure(SystemError("udev_enumerate_add_match_subsystem", -result, subsystem)) }
        }
        let result = udev_enumerate_scan_devices(enumeration)
        if result < 0 { return .failure(SystemError("udev_enumerate_scan_devices", -result)) }
        var sightings: [DeviceSighting] = []
        var entry = udev_enumerate_get_list_entry(enumeration)
        while let current = entry {
            // A device that goes while the list is read is not there; its remove event says so as well.
            if let path = udev_list_entry_get_name(current), let device = udev_device_new_from_syspath(udev, path) {
                if let sighting = UdevSighting.read(device) { sightings.append(sighting) }
                udev_device_unref(device)
            }
            entry = udev_list_entry_get_next(current)
        }
        return .success(sightings)
    }
}

/// Turns a udev device into a value.
enum UdevSighting {
    static let subsystems = ["usb", "input"]

    /// More properties than this make no device that we know; the rest is cut.
    private static let maximumProperties = 256

    static func read(_ device: OpaquePointer) -> DeviceSighting? {
        guard let syspath = text(udev_device_get_syspath(device)), let category = category(device) else { return nil }
        var pairs: [(name: String, value: String)] = []
        var entry = udev_device_get_properties_list_entry(device)
        while let current = entry, pairs.count < maximumProperties {
            if let name = text(udev_list_entry_get_name(current)), let value = text(udev_list_entry_get_value(current))
            {
                pairs.append((name, value))
            }
            entry = udev_list_entry_get_next(current)
        }
        return DeviceSighting(
            syspath: syspath, category: category, node: text(udev_device_get_devnode(device)),
            properties: DeviceProperties(pairs))
    }

    private static func category(_ device: OpaquePointer) -> DeviceCategory? {
        switch text(udev_device_get_subsystem(device)) {
        case "usb":
            switch text(udev_device_get_devtype(device)) {
            case "usb_device": .usbDevice
            case "usb_interface": .usbInterface
            default: nil
            }
        case "input":
            // The rest of the subsystem: inputN, which has no node, and the old mouseN and jsN.
            text(udev_device_get_sysname(device))?.hasPrefix("event") == true ? .inputNode : nil
        default: nil
        }
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
}
