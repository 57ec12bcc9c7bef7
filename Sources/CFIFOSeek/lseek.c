/* For tests only: lets lseek succeed on the FIFOs that stand for USB nodes under umockdev.

   libusb rewinds a node before it reads the descriptors. A mock node must be a FIFO, since a regular file cannot be
   waited for with epoll, and a FIFO cannot be rewound. Where the descriptors are read from is kept by the mock, which
   starts at the first byte for every open, so there is nothing to do here but to say yes. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static int is_mock_node(int fd) {
    char link[64], path[512];
    ssize_t length;
    struct stat facts;
    if (fstat(fd, &facts) != 0 || !S_ISFIFO(facts.st_mode)) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    /* The system call itself: umockdev would give the path back without its own folder. */
    length = syscall(SYS_readlinkat, -100 /* AT_FDCWD */, link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return strstr(path, "/dev/bus/usb/") != NULL;
}

static off_t seek(int fd, off_t offset, int whence) {
    long result = syscall(SYS_lseek, fd, offset, whence);
    if (result < 0 && errno == ESPIPE && is_mock_node(fd)) return 0;
    return result;
}

__attribute__((visibility("default"))) off_t lseek(int fd, off_t offset, int whence) {
    return seek(fd, offset, whence);
}

__attribute__((visibility("default"))) off_t lseek64(int fd, off_t offset, int whence) {
    return seek(fd, offset, whence);
}
