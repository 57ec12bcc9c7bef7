#pragma once

#include <stddef.h>
#include <stdint.h>

// Subscribers of one program, and the knob that they are told of. In C, so that what is measured is not the reader.
struct input_load;

// What one run saw. Times in nanoseconds, from just before the knob's report is written to just after the subscriber's
// read; one for each report and subscriber.
struct input_load_result {
    // Reports written, and how many of them found no room at once: then the program does not keep up.
    uint64_t reports, delayed;
    // Messages of reports that came, and those that should have come and did not, or not in their order.
    uint64_t messages, lost;
    // Bytes of one message: the mean.
    double message_bytes;
    uint64_t p50, p99, most;
};

// Opens a node for writing, and connects subscribers to a socket. Each sends `call` (may be NULL) with its NUL, and waits
// for a message that holds `ready` (may be NULL). NULL when something fails; errno says what.
struct input_load *input_load_open(
    const char *node, const char *socket, const char *call, const char *ready, unsigned subscribers);

// Turns the knob so many times at a rate per second, by other detents each time, and waits until all subscribers were
// told of the last, or nothing came for two seconds. Nonzero when it fails; errno says why.
int input_load_run(struct input_load *load, double rate, uint64_t reports, struct input_load_result *result);

void input_load_close(struct input_load *load);
