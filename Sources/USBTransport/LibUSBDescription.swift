internal import CLibUSB
internal import RigModel

extension USBDeviceDescription {
    /// What libusb knows of a device: everything but its strings, which take transfers, and its port.
    ///
    /// A configuration that libusb cannot make sense of is left out; the device itself still works.
    init?(_ device: OpaquePointer) {
        var head = libusb_device_descriptor()
        guard libusb_get_device_descriptor(device, &head) == 0 else { return nil }
        self.init(
            vendor: head.idVendor, product: head.idProduct, release: head.bcdDevice,
            deviceClass: USBClass(head.bDeviceClass, head.bDeviceSubClass, head.bDeviceProtocol), port: "",
            speed: USBSpeed(libusb: libusb_get_device_speed(device)))
        for index in 0..<head.bNumConfigurations {
            var pointer: UnsafeMutablePointer<libusb_config_descriptor>?
            guard libusb_get_config_descriptor(device, index, &pointer) == 0, let pointer else { continue }
            configurations.append(USBConfiguration(pointer.pointee))
            libusb_free_config_descriptor(pointer)
        }
        var active: UnsafeMutablePointer<libusb_config_descriptor>?
        if libusb_get_active_config_descriptor(device, &active) == 0, let active {
            activeConfiguration = active.pointee.bConfigurationValue
            libusb_free_config_descriptor(active)
        }
    }
}

extension USBConfiguration {
    fileprivate init(_ configuration: libusb_config_descriptor) {
        self.init(value: configuration.bConfigurationValue, interfaces: [])
        let all = UnsafeBufferPointer(start: configuration.interface, count: Int(configuration.bNumInterfaces))
        for interface in all {
            let settings = UnsafeBufferPointer(
                start: interface.altsetting, count: Int(max(interface.num_altsetting, 0)))
            for setting in settings { interfaces.append(USBInterface(setting)) }
        }
    }
}

extension USBInterface {
    fileprivate init(_ setting: libusb_interface_descriptor) {
        let endpoints = UnsafeBufferPointer(start: setting.endpoint, count: Int(setting.bNumEndpoints))
        self.init(
            number: setting.bInterfaceNumber, alternate: setting.bAlternateSetting,
            function: USBClass(setting.bInterfaceClass, setting.bInterfaceSubClass, setting.bInterfaceProtocol),
            endpoints: endpoints.map {
                USBEndpoint(
                    address: $0.bEndpointAddress, attributes: $0.bmAttributes, maxPacket: $0.wMaxPacketSize & 0x7FF)
            })
    }
}

extension USBSpeed {
    fileprivate init?(libusb speed: Int32) {
        switch speed {
        case 1: self = .low
        case 2: self = .full
        case 3: self = .high
        case 4: self = .superSpeed
        case 5: self = .superSpeedPlus
        default: return nil
        }
    }
}
