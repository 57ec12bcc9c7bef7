#include "benchmarks.h"

#include <string.h>

// What the benchmarks compare with: the same work without a machine around it, compiled with -O2 like everything else.

uint8_t bench_sum(const uint8_t *bytes, size_t size) {
    uint8_t sum = 0;
    for (size_t index = 0; index < size; index++) sum += bytes[index];
    return sum;
}

static size_t put_acknowledgement(uint8_t *to, uint8_t own, uint8_t peer) {
    const uint8_t header[8] = {0xFF, 0x5A, 0, 9, 0x40, own, peer, 0};
    memcpy(to, header, sizeof header);
    to[8] = (uint8_t)(0 - bench_sum(header, sizeof header));
    return 9;
}

size_t bench_link_loop(const uint8_t *bytes, size_t size, unsigned count, uint8_t *payloads, uint8_t *acknowledgements) {
    size_t at = 0, packets = 0, written = 0, kept = 0;
    unsigned waiting = 0;
    while (size - at >= 9) {
        const uint8_t *packet = bytes + at;
        if (packet[0] != 0xFF || packet[1] != 0x5A || bench_sum(packet, 9) != 0) return 0;
        size_t length = (size_t)packet[2] << 8 | packet[3];
        if (length < 9 || length > size - at) return 0;
        if (length > 9) {
            if (bench_sum(packet + 9, length - 9) != 0) return 0;
            memcpy(payloads + kept, packet + 9, length - 10);
            kept += length - 10;
        }
        packets++;
        if (++waiting == count) {
            written += put_acknowledgement(acknowledgements + written, 0, packet[5]);
            waiting = 0;
        }
        at += length;
    }
    return packets;
}

void bench_keep(uint8_t value) {
    static volatile uint8_t kept;
    kept = value;
}
