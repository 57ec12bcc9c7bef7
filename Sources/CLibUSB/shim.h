#pragma once
#include <libusb.h>
/* libusb_set_option is variadic, which Swift does not import. Must run before libusb_init: else libusb starts a
   thread of its own that watches udev, with signals open. */
static inline int dashrig_libusb_disable_discovery(void) {
    return libusb_set_option(NULL, LIBUSB_OPTION_NO_DEVICE_DISCOVERY);
}
