/* Preloaded into the programs that the input benchmark measures, in front of umockdev's library:

   - counts calls of malloc, calloc and realloc, in a file that the benchmark reads while the program runs;
   - reads event nodes as a program reads them from the kernel: the FIFO that stands for one holds the events themselves.
     umockdev would ask its server for each read, which costs more than everything that is measured. */
#define _GNU_SOURCE
#include "preload.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static _Atomic uint64_t early;
static _Atomic uint64_t *allocations = &early;

static void count(void) { atomic_fetch_add_explicit(allocations, 1, memory_order_relaxed); }

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv(PRELOAD_COUNT);
    if (!path) return;
    /* The system call itself: umockdev would look for the path in its own folder. */
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
    if (fd < 0) return;
    void *shared = mmap(NULL, sizeof *allocations, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    syscall(SYS_close, fd);
    if (shared != MAP_FAILED) allocations = shared;
}

PUBLIC void *malloc(size_t size) {
    count();
    return __libc_malloc(size);
}

PUBLIC void *calloc(size_t number, size_t size) {
    count();
    return __libc_calloc(number, size);
}

PUBLIC void *realloc(void *old, size_t size) {
    count();
    return __libc_realloc(old, size);
}

PUBLIC void *aligned_alloc(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

PUBLIC int posix_memalign(void **to, size_t alignment, size_t size) {
    count();
    *to = __libc_memalign(alignment, size);
    return *to ? 0 : 12; /* ENOMEM */
}

/* The node that was found last; a descriptor may be used again for something else. */
static dev_t known_device;
static ino_t known_node;

static int is_event_node(int fd) {
    struct stat facts;
    if (fstat(fd, &facts) != 0 || !S_ISFIFO(facts.st_mode)) return 0;
    if (facts.st_ino == known_node && facts.st_dev == known_device) return 1;
    char link[64], path[512];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    if (!strstr(path, "/dev/input/event")) return 0;
    known_device = facts.st_dev;
    known_node = facts.st_ino;
    return 1;
}

static ssize_t (*next_read)(int, void *, size_t);

PUBLIC ssize_t read(int fd, void *to, size_t size) {
    /* Only whole events are asked for in bulk; everything else is not worth a look. */
    if (size >= 4096 && is_event_node(fd)) return syscall(SYS_read, fd, to, size);
    if (!next_read) next_read = (ssize_t(*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
    return next_read(fd, to, size);
}
