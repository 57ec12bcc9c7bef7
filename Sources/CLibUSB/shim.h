#pragma once
#include <libusb.h>
#include <linux/usbdevice_fs.h>
#include <string.h>
#include <sys/ioctl.h>
/* libusb_set_option is variadic, which Swift does not import. Must run before libusb_init: else libusb starts a
   thread of its own that watches udev, with signals open. */
static inline int dashrig_libusb_disable_discovery(void) {
    return libusb_set_option(NULL, LIBUSB_OPTION_NO_DEVICE_DISCOVERY);
}
/* The kernel driver that is bound to an interface ("usbfs" is another program), or -1. libusb only tells whether there
   is one. `name` gets at most `length` bytes, ended by a NUL. */
static inline int dashrig_usb_interface_driver(int fd, unsigned int interface, char *name, size_t length) {
    struct usbdevfs_getdriver request;
    if (length == 0) return -1;
    memset(&request, 0, sizeof request);
    request.interface = interface;
    if (ioctl(fd, USBDEVFS_GETDRIVER, &request) < 0) return -1;
    request.driver[sizeof request.driver - 1] = 0;
    strncpy(name, request.driver, length - 1);
    name[length - 1] = 0;
    return 0;
}
