#pragma once

#include <stddef.h>
#include <stdint.h>

// Calls of malloc, calloc, realloc and free in this process so far, by whom ever.
uint64_t bench_allocations(void);

// One pass over `size` bytes of link packets behind each other: finds each packet, checks both checksums, copies its
// payload to `payloads`, and after every `count` packets builds an acknowledgement in `acknowledgements`. What a link end
// does with them, as a plain loop. Returns the number of packets; 0 when something was wrong.
size_t bench_link_loop(const uint8_t *bytes, size_t size, unsigned count, uint8_t *payloads, uint8_t *acknowledgements);

// The sum of `size` bytes modulo 256.
uint8_t bench_sum(const uint8_t *bytes, size_t size);

// Takes a result, so that the compiler cannot leave the work out.
void bench_keep(uint8_t value);
