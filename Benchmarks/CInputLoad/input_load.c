#define _GNU_SOURCE
#include "input_load.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER = 1 << 16, PIPE = 1 << 16, STEPS = 128 };

struct subscriber {
    int fd;
    size_t held;
    // The last report that it was told of.
    uint64_t last;
    char *buffer;
};

struct input_load {
    int node, loop;
    unsigned count;
    struct subscriber *subscribers;
    // Reports of all runs so far. The knob of report n is turned by n detents, which makes each message known.
    uint64_t written;
    // When the reports of this run were written; the first is number `first`.
    uint64_t *times;
    uint64_t first, reports;
    // A histogram with 128 steps for each power of two, so that a time is exact within 1 %.
    uint64_t histogram[64 * STEPS];
    _Atomic uint64_t messages, misplaced;
    uint64_t bytes, most;
    atomic_bool over;
};

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void note(struct input_load *load, uint64_t time) {
    if (time > load->most) load->most = time;
    unsigned place = (unsigned)time;
    if (time >= STEPS) {
        unsigned shift = 63 - (unsigned)__builtin_clzll(time) - 7;
        place = (shift + 1) * STEPS + (unsigned)(time >> shift) % STEPS;
    }
    load->histogram[place]++;
}

static uint64_t percentile(const struct input_load *load, double part) {
    uint64_t seen = 0, wanted = (uint64_t)(part * (double)load->messages);
    for (unsigned place = 0; place < 64 * STEPS; place++) {
        seen += load->histogram[place];
        if (seen <= wanted) continue;
        if (place < STEPS) return place;
        unsigned shift = place / STEPS - 1;
        return (uint64_t)(STEPS + place % STEPS) << shift;
    }
    return load->most;
}

// MARK: Reading

static void take(struct input_load *load, struct subscriber *subscriber, const char *text, size_t size, uint64_t time) {
    static const char key[] = "\"detents\":";
    const char *found = memmem(text, size, key, sizeof key - 1);
    if (!found) return;
    uint64_t report = strtoull(found + sizeof key - 1, NULL, 10);
    if (report != subscriber->last + 1 || report < load->first || report >= load->first + load->reports) {
        load->misplaced++;
        if (report > subscriber->last) subscriber->last = report;
        return;
    }
    subscriber->last = report;
    note(load, time - load->times[report - load->first]);
    load->bytes += size + 1;
    load->messages++;
}

static void *read_all(void *argument) {
    struct input_load *load = argument;
    struct epoll_event ready[128];
    while (!load->over) {
        int found = epoll_wait(load->loop, ready, 128, 20);
        for (int index = 0; index < found; index++) {
            struct subscriber *subscriber = &load->subscribers[ready[index].data.u32];
            ssize_t count = read(subscriber->fd, subscriber->buffer + subscriber->held, BUFFER - subscriber->held);
            if (count <= 0) {
                if (count < 0 && errno == EAGAIN) continue;
                // It is let go of; what it should have been told is lost.
                epoll_ctl(load->loop, EPOLL_CTL_DEL, subscriber->fd, NULL);
                continue;
            }
            uint64_t time = now();
            subscriber->held += (size_t)count;
            size_t at = 0;
            char *end;
            while ((end = memchr(subscriber->buffer + at, 0, subscriber->held - at))) {
                take(load, subscriber, subscriber->buffer + at, (size_t)(end - subscriber->buffer) - at, time);
                at = (size_t)(end - subscriber->buffer) + 1;
            }
            subscriber->held -= at;
            memmove(subscriber->buffer, subscriber->buffer + at, subscriber->held);
            if (subscriber->held == BUFFER) subscriber->held = 0; // no message of ours is so long
        }
    }
    return NULL;
}

// MARK: Opening

static bool await(struct subscriber *subscriber, const char *ready) {
    uint64_t end = now() + 10000000000u;
    while (now() < end) {
        struct pollfd entry = {.fd = subscriber->fd, .events = POLLIN};
        if (poll(&entry, 1, 100) <= 0) continue;
        ssize_t count = read(subscriber->fd, subscriber->buffer + subscriber->held, BUFFER - subscriber->held);
        if (count <= 0) return false;
        subscriber->held += (size_t)count;
        char *last = memrchr(subscriber->buffer, 0, subscriber->held);
        if (last && memmem(subscriber->buffer, (size_t)(last - subscriber->buffer), ready, strlen(ready))) {
            subscriber->held = 0;
            return true;
        }
        if (subscriber->held == BUFFER) subscriber->held = 0;
    }
    errno = ETIMEDOUT;
    return false;
}

static bool open_subscriber(
    struct input_load *load, unsigned index, const struct sockaddr_un *address, const char *call, const char *ready) {
    struct subscriber *subscriber = &load->subscribers[index];
    subscriber->buffer = malloc(BUFFER);
    subscriber->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (!subscriber->buffer || subscriber->fd < 0) return false;
    if (connect(subscriber->fd, (const struct sockaddr *)address, sizeof *address) != 0) return false;
    if (call && send(subscriber->fd, call, strlen(call) + 1, MSG_NOSIGNAL) < 0) return false;
    if (ready && !await(subscriber, ready)) return false;
    fcntl(subscriber->fd, F_SETFL, O_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = index};
    return epoll_ctl(load->loop, EPOLL_CTL_ADD, subscriber->fd, &event) == 0;
}

struct input_load *input_load_open(
    const char *node, const char *socket, const char *call, const char *ready, unsigned subscribers) {
    struct input_load *load = calloc(1, sizeof *load);
    if (!load) return NULL;
    load->count = subscribers;
    load->subscribers = calloc(subscribers, sizeof *load->subscribers);
    load->loop = epoll_create1(EPOLL_CLOEXEC);
    load->node = open(node, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, socket, sizeof address.sun_path - 1);
    bool isOpen = load->subscribers && load->loop >= 0 && load->node >= 0 && fcntl(load->node, F_SETPIPE_SZ, PIPE) > 0;
    for (unsigned index = 0; isOpen && index < subscribers; index++) {
        isOpen = open_subscriber(load, index, &address, call, ready);
    }
    if (isOpen) return load;
    int number = errno;
    input_load_close(load);
    errno = number;
    return NULL;
}

void input_load_close(struct input_load *load) {
    for (unsigned index = 0; load->subscribers && index < load->count; index++) {
        if (load->subscribers[index].fd > 0) close(load->subscribers[index].fd);
        free(load->subscribers[index].buffer);
    }
    close(load->loop);
    close(load->node);
    free(load->subscribers);
    free(load->times);
    free(load);
}

// MARK: Running

// One turn of the dial and the end of its report, as the kernel gives them to a reader that asked for CLOCK_MONOTONIC.
static int turn(struct input_load *load, uint64_t place, uint64_t *delayed) {
    uint64_t time = now();
    struct input_event events[2] = {
        {.type = EV_REL, .code = REL_DIAL, .value = (int32_t)(load->first + place)},
        {.type = EV_SYN, .code = SYN_REPORT},
    };
    for (int index = 0; index < 2; index++) {
        events[index].input_event_sec = (time_t)(time / 1000000000u);
        events[index].input_event_usec = (suseconds_t)(time % 1000000000u / 1000u);
    }
    load->times[place] = time;
    if (write(load->node, events, sizeof events) == sizeof events) return 0;
    ++*delayed;
    for (;;) {
        if (errno != EAGAIN) return -1;
        struct pollfd entry = {.fd = load->node, .events = POLLOUT};
        if (poll(&entry, 1, 2000) <= 0) {
            errno = ETIMEDOUT;
            return -1;
        }
        if (write(load->node, events, sizeof events) == sizeof events) return 0;
    }
}

static int turn_all(struct input_load *load, double rate, uint64_t *delayed) {
    uint64_t begin = now() + 1000000;
    for (uint64_t place = 0; place < load->reports; place++) {
        uint64_t due = begin + (uint64_t)((double)place * 1e9 / rate);
        struct timespec time = {.tv_sec = (time_t)(due / 1000000000u), .tv_nsec = (long)(due % 1000000000u)};
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {}
        if (turn(load, place, delayed) != 0) return -1;
    }
    // All must come; as long as something comes, it is waited for.
    uint64_t wanted = load->reports * load->count, seen = 0, since = now();
    while (load->messages + load->misplaced < wanted && now() - since < 2000000000u) {
        usleep(2000);
        if (load->messages == seen) continue;
        seen = load->messages;
        since = now();
    }
    return 0;
}

int input_load_run(struct input_load *load, double rate, uint64_t reports, struct input_load_result *result) {
    free(load->times);
    load->times = calloc(reports, sizeof *load->times);
    if (!load->times) return -1;
    load->first = load->written + 1;
    load->reports = reports;
    load->written += reports;
    load->messages = load->misplaced = load->bytes = load->most = 0;
    load->over = false;
    memset(load->histogram, 0, sizeof load->histogram);
    for (unsigned index = 0; index < load->count; index++) load->subscribers[index].last = load->first - 1;
    // Timers of this thread as exact as the kernel can.
    prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
    pthread_t reader;
    if ((errno = pthread_create(&reader, NULL, read_all, load)) != 0) return -1;
    uint64_t delayed = 0;
    int failed = turn_all(load, rate, &delayed), number = errno;
    load->over = true;
    pthread_join(reader, NULL);
    *result = (struct input_load_result){
        .reports = reports,
        .delayed = delayed,
        .messages = load->messages,
        .lost = reports * load->count - load->messages,
        .message_bytes = load->messages ? (double)load->bytes / (double)load->messages : 0,
        .p50 = percentile(load, 0.5),
        .p99 = percentile(load, 0.99),
        .most = load->most,
    };
    errno = number;
    return failed;
}
