/* What Swift's Glibc module cannot see: epoll and friends, function-like macros, variadics, GNU extensions. Every name
   of our own starts with dashrig_. Never define _GNU_SOURCE here: it clashes with the SwiftGlibc module; a GNU function
   is declared under our name and bound to the C library's symbol instead. */
#pragma once
#include <linux/can.h>
#include <linux/can/error.h>
#include <linux/can/raw.h>
#include <linux/input.h>
#include <linux/types.h>
#include <linux/uinput.h>
#include <linux/usbdevice_fs.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

/* GNU functions. */
int dashrig_accept4(int fd, struct sockaddr *address, socklen_t *length, int flags) __asm__("accept4");
int dashrig_pipe2(int *ends, int flags) __asm__("pipe2");
int dashrig_memfd_create(const char *name, unsigned int flags) __asm__("memfd_create");
const char *dashrig_strerrorname(int number) __asm__("strerrorname_np");
const char *dashrig_strerrordesc(int number) __asm__("strerrordesc_np");
int dashrig_spawn_addchdir(posix_spawn_file_actions_t *actions, const char *path)
    __asm__("posix_spawn_file_actions_addchdir_np");
int dashrig_thread_setname(pthread_t thread, const char *name) __asm__("pthread_setname_np");
ssize_t dashrig_getrandom(void *buffer, size_t length, unsigned int flags) __asm__("getrandom");

/* Constants that glibc shows only with _GNU_SOURCE; their values are part of the kernel's ABI. */
static const int dashrig_O_PATH = 010000000;
static const int dashrig_F_OFD_SETLK = 37;
static const int dashrig_F_ADD_SEALS = 1033;
static const int dashrig_F_SEAL_ALL = 0x0001 | 0x0002 | 0x0004 | 0x0008; /* seal, shrink, grow, write */
static const unsigned int dashrig_MFD_CLOEXEC = 0x0001U;
static const unsigned int dashrig_MFD_ALLOW_SEALING = 0x0002U;

/* struct ucred, which glibc shows only with _GNU_SOURCE. */
struct dashrig_ucred {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};

extern char **environ;
static inline char *const *dashrig_environ(void) { return environ; }

/* pidfd_open(2) has a wrapper only since glibc 2.36 and none in older headers. */
static inline int dashrig_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

/* Sends one datagram or stream message with `fd` as SCM_RIGHTS. `address` may be null for a connected socket. */
static inline ssize_t dashrig_send_descriptor(int socket, const void *address, socklen_t address_length,
                                              const void *bytes, size_t length, int fd, int flags) {
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec part = {(void *)bytes, length};
    struct msghdr message;
    struct cmsghdr *header;
    memset(&control, 0, sizeof control);
    memset(&message, 0, sizeof message);
    message.msg_name = (void *)address;
    message.msg_namelen = address_length;
    message.msg_iov = &part;
    message.msg_iovlen = length ? 1 : 0;
    message.msg_control = control.space;
    message.msg_controllen = sizeof control.space;
    header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &fd, sizeof fd);
    return sendmsg(socket, &message, flags);
}

/* Raw CAN sockets: options and an address whose constants are macros or not in glibc's headers. */
static inline int dashrig_can_open(void) {
    return socket(PF_CAN, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, CAN_RAW);
}
static inline int dashrig_can_listen(int fd, const struct can_filter *filters, unsigned int count) {
    const can_err_mask_t errors = CAN_ERR_BUSOFF | CAN_ERR_RESTARTED | CAN_ERR_CRTL;
    if (setsockopt(fd, SOL_CAN_RAW, CAN_RAW_ERR_FILTER, &errors, sizeof errors) != 0) return -1;
    return setsockopt(fd, SOL_CAN_RAW, CAN_RAW_FILTER, filters, (socklen_t)(count * sizeof *filters));
}
static inline int dashrig_can_bind(int fd, int interface_index) {
    struct sockaddr_can address;
    memset(&address, 0, sizeof address);
    address.can_family = AF_CAN;
    address.can_ifindex = interface_index;
    return bind(fd, (const struct sockaddr *)&address, sizeof address);
}

/* evdev ioctl numbers (linux/input.h): function-like or cast macros, which the importer skips. Lengths are bytes. */
static inline unsigned long dashrig_EVIOCGVERSION(void) { return EVIOCGVERSION; }
static inline unsigned long dashrig_EVIOCGID(void) { return EVIOCGID; }
static inline unsigned long dashrig_EVIOCGRAB(void) { return EVIOCGRAB; }
static inline unsigned long dashrig_EVIOCREVOKE(void) { return EVIOCREVOKE; }
static inline unsigned long dashrig_EVIOCSCLOCKID(void) { return EVIOCSCLOCKID; }
static inline unsigned long dashrig_EVIOCGNAME(unsigned int length) { return EVIOCGNAME(length); }
static inline unsigned long dashrig_EVIOCGPHYS(unsigned int length) { return EVIOCGPHYS(length); }
static inline unsigned long dashrig_EVIOCGUNIQ(unsigned int length) { return EVIOCGUNIQ(length); }
static inline unsigned long dashrig_EVIOCGPROP(unsigned int length) { return EVIOCGPROP(length); }
static inline unsigned long dashrig_EVIOCGMTSLOTS(unsigned int length) { return EVIOCGMTSLOTS(length); }
static inline unsigned long dashrig_EVIOCGKEY(unsigned int length) { return EVIOCGKEY(length); }
static inline unsigned long dashrig_EVIOCGLED(unsigned int length) { return EVIOCGLED(length); }
static inline unsigned long dashrig_EVIOCGSW(unsigned int length) { return EVIOCGSW(length); }
static inline unsigned long dashrig_EVIOCGBIT(unsigned int type, unsigned int length) { return EVIOCGBIT(type, length); }
static inline unsigned long dashrig_EVIOCGABS(unsigned int axis) { return EVIOCGABS(axis); }
static inline unsigned long dashrig_EVIOCSABS(unsigned int axis) { return EVIOCSABS(axis); }

/* The kernel's input_event as it is read from an evdev node: the time fields are plain words in <linux/input.h>, but
   their names differ between ABIs, so they are read here. */
static inline long long dashrig_input_event_seconds(const struct input_event *event) {
    return (long long)event->input_event_sec;
}
static inline long long dashrig_input_event_microseconds(const struct input_event *event) {
    return (long long)event->input_event_usec;
}

/* uinput ioctl numbers (linux/uinput.h). */
static inline unsigned long dashrig_UI_DEV_CREATE(void) { return UI_DEV_CREATE; }
static inline unsigned long dashrig_UI_DEV_DESTROY(void) { return UI_DEV_DESTROY; }
static inline unsigned long dashrig_UI_DEV_SETUP(void) { return UI_DEV_SETUP; }
static inline unsigned long dashrig_UI_ABS_SETUP(void) { return UI_ABS_SETUP; }
static inline unsigned long dashrig_UI_SET_EVBIT(void) { return UI_SET_EVBIT; }
static inline unsigned long dashrig_UI_SET_KEYBIT(void) { return UI_SET_KEYBIT; }
static inline unsigned long dashrig_UI_SET_RELBIT(void) { return UI_SET_RELBIT; }
static inline unsigned long dashrig_UI_SET_ABSBIT(void) { return UI_SET_ABSBIT; }
static inline unsigned long dashrig_UI_SET_PROPBIT(void) { return UI_SET_PROPBIT; }
static inline unsigned long dashrig_UI_SET_PHYS(void) { return UI_SET_PHYS; }
static inline unsigned long dashrig_UI_GET_VERSION(void) { return UI_GET_VERSION; }
static inline unsigned long dashrig_UI_GET_SYSNAME(unsigned int length) { return UI_GET_SYSNAME(length); }

/* usbdevfs ioctl numbers (linux/usbdevice_fs.h). */
static inline unsigned long dashrig_USBDEVFS_CONTROL(void) { return USBDEVFS_CONTROL; }
static inline unsigned long dashrig_USBDEVFS_BULK(void) { return USBDEVFS_BULK; }
static inline unsigned long dashrig_USBDEVFS_RESETEP(void) { return USBDEVFS_RESETEP; }
static inline unsigned long dashrig_USBDEVFS_SETINTERFACE(void) { return USBDEVFS_SETINTERFACE; }
static inline unsigned long dashrig_USBDEVFS_SETCONFIGURATION(void) { return USBDEVFS_SETCONFIGURATION; }
static inline unsigned long dashrig_USBDEVFS_GETDRIVER(void) { return USBDEVFS_GETDRIVER; }
static inline unsigned long dashrig_USBDEVFS_SUBMITURB(void) { return USBDEVFS_SUBMITURB; }
static inline unsigned long dashrig_USBDEVFS_DISCARDURB(void) { return USBDEVFS_DISCARDURB; }
static inline unsigned long dashrig_USBDEVFS_REAPURB(void) { return USBDEVFS_REAPURB; }
static inline unsigned long dashrig_USBDEVFS_REAPURBNDELAY(void) { return USBDEVFS_REAPURBNDELAY; }
static inline unsigned long dashrig_USBDEVFS_CLAIMINTERFACE(void) { return USBDEVFS_CLAIMINTERFACE; }
static inline unsigned long dashrig_USBDEVFS_RELEASEINTERFACE(void) { return USBDEVFS_RELEASEINTERFACE; }
static inline unsigned long dashrig_USBDEVFS_CONNECTINFO(void) { return USBDEVFS_CONNECTINFO; }
static inline unsigned long dashrig_USBDEVFS_IOCTL(void) { return USBDEVFS_IOCTL; }
static inline unsigned long dashrig_USBDEVFS_RESET(void) { return USBDEVFS_RESET; }
static inline unsigned long dashrig_USBDEVFS_CLEAR_HALT(void) { return USBDEVFS_CLEAR_HALT; }
static inline unsigned long dashrig_USBDEVFS_DISCONNECT(void) { return USBDEVFS_DISCONNECT; }
static inline unsigned long dashrig_USBDEVFS_CONNECT(void) { return USBDEVFS_CONNECT; }
static inline unsigned long dashrig_USBDEVFS_GET_CAPABILITIES(void) { return USBDEVFS_GET_CAPABILITIES; }
static inline unsigned long dashrig_USBDEVFS_DISCONNECT_CLAIM(void) { return USBDEVFS_DISCONNECT_CLAIM; }
static inline unsigned long dashrig_USBDEVFS_GET_SPEED(void) { return USBDEVFS_GET_SPEED; }

/* evdev */
/* ioctl(2) is variadic, which Swift does not import: one function for a pointer, one for a plain number. */
static inline int dashrig_ioctl_pointer(int fd, unsigned long request, void *argument) {
    return ioctl(fd, request, argument);
}
static inline int dashrig_ioctl_int(int fd, unsigned long request, int argument) { return ioctl(fd, request, argument); }
