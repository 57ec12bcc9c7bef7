internal import CLibUSB
internal import Glibc
internal import LinuxIO
internal import RigModel

/// One of libusb's objects on its way between the loop and a job. libusb locks what it shares between threads.
struct LibUSBPointer: @unchecked Sendable {
    let raw: OpaquePointer
}

/// A device that a job has opened.
struct OpenedDevice: Sendable {
    let handle: LibUSBPointer
    /// The node's descriptor. libusb leaves it to us, since we handed it in.
    let descriptor: Int32
    let description: USBDeviceDescription
    /// The indices of the strings of manufacturer, product and serial; 0 for none.
    let strings: (manufacturer: UInt8, product: UInt8, serial: UInt8)
}

/// The calls that the kernel may hold up for as long as it likes: it takes the device's lock for each, and a driver
/// that hangs keeps that lock. They run as jobs.
enum LibUSBJobs {
    /// Opens a node and hands it to libusb, which reads the descriptors and asks the device for its configuration.
    static func open(_ context: LibUSBPointer, node: String) -> USBOutcome<OpenedDevice> {
        let descriptor = Glibc.open(node, O_RDWR | O_CLOEXEC)
        if descriptor < 0 {
            let number = errno
            return .openFailure(number, node: node) { holder(of: node, descriptor: nil, interface: nil) }
        }
        var handle: OpaquePointer?
        let code = libusb_wrap_sys_device(context.raw, Int(descriptor), &handle)
        guard code == 0, let handle else {
            Glibc.close(descriptor)
            return .failure(code, "wrap \(node)")
        }
        guard let device = libusb_get_device(handle), let description = USBDeviceDescription(device) else {
            libusb_close(handle)
            Glibc.close(descriptor)
            return .failed(USBFailure("describe \(node)", "LIBUSB_ERROR_OTHER"))
        }
        var head = libusb_device_descriptor()
        libusb_get_device_descriptor(device, &head)
        return .ok(
            OpenedDevice(
                handle: LibUSBPointer(raw: handle), descriptor: descriptor, description: description,
                strings: (head.iManufacturer, head.iProduct, head.iSerialNumber)))
    }

    /// Gives back what `open` found when nobody waits for it any more.
    static func discard(_ outcome: USBOutcome<OpenedDevice>) {
        guard case .ok(let device) = outcome else { return }
        libusb_close(device.handle.raw)
        Glibc.close(device.descriptor)
    }

    static func claim(
        _ handle: LibUSBPointer, descriptor: Int32, node: String, interface: UInt8, detaching: Bool
    ) -> USBOutcome<Bool> {
        let number = Int32(interface)
        if detaching {
            let code = libusb_detach_kernel_driver(handle.raw, number)
            let harmless = [0, LIBUSB_ERROR_NOT_FOUND.rawValue, LIBUSB_ERROR_NOT_SUPPORTED.rawValue]
            if !harmless.contains(code) { return .failure(code, "detach the driver of interface \(interface)") }
        }
        let code = libusb_claim_interface(handle.raw, number)
        if code == 0 { return .ok(true) }
        return .failure(code, "claim interface \(interface)") {
            holder(of: node, descriptor: descriptor, interface: interface)
        }
    }

    static func release(_ handle: LibUSBPointer, interface: UInt8) -> USBOutcome<Bool> {
        let code = libusb_release_interface(handle.raw, Int32(interface))
        return code == 0 ? .ok(true) : .failure(code, "release interface \(interface)")
    }

    /// Resets the device. When its descriptors change by it, it counts as gone and comes back through the monitor.
    static func reset(_ handle: LibUSBPointer) -> USBOutcome<Bool> {
        let code = libusb_reset_device(handle.raw)
        if code == LIBUSB_ERROR_NOT_FOUND.rawValue { return .gone }
        return code == 0 ? .ok(true) : .failure(code, "reset")
    }

    static func setConfiguration(_ handle: LibUSBPointer, value: UInt8) -> USBOutcome<Bool> {
        let code = libusb_set_configuration(handle.raw, Int32(value))
        return code == 0 ? .ok(true) : .failure(code, "set configuration \(value)")
    }

    static func setAlternate(_ handle: LibUSBPointer, interface: UInt8, alternate: UInt8) -> USBOutcome<Bool> {
        let code = libusb_set_interface_alt_setting(handle.raw, Int32(interface), Int32(alternate))
        return code == 0 ? .ok(true) : .failure(code, "set alternate \(alternate) of interface \(interface)")
    }

    static func clearHalt(_ handle: LibUSBPointer, endpoint: UInt8) -> USBOutcome<Bool> {
        let code = libusb_clear_halt(handle.raw, endpoint)
        return code == 0 ? .ok(true) : .failure(code, "clear the halt of endpoint \(endpoint)")
    }

    private static func holder(of node: String, descriptor: Int32?, interface: UInt8?) -> USBHolder? {
        var driver: String?
        if let descriptor, let interface {
            var name = [CChar](repeating: 0, count: 256)
            if dashrig_usb_interface_driver(descriptor, UInt32(interface), &name, name.count) == 0 {
                driver = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }
        }
        let program = HolderSearch.program(holding: node)
        if driver == nil && program == nil { return nil }
        return USBHolder(driver: driver, program: program?.name, process: program?.process)
    }
}
