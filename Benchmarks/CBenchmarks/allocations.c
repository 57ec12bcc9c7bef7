#include "benchmarks.h"

#include <stdatomic.h>

// The allocator's own functions under their names in glibc, with a count in front. A program's own malloc is taken by
// everything that it loads, the Swift runtime included.
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

static _Atomic uint64_t allocations;

uint64_t bench_allocations(void) { return atomic_load_explicit(&allocations, memory_order_relaxed); }

static void count(void) { atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed); }

void *malloc(size_t size) {
    count();
    return __libc_malloc(size);
}

void *calloc(size_t count_of, size_t size) {
    count();
    return __libc_calloc(count_of, size);
}

void *realloc(void *old, size_t size) {
    count();
    return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **to, size_t alignment, size_t size) {
    count();
    *to = __libc_memalign(alignment, size);
    return *to ? 0 : 12; // ENOMEM
}

void free(void *memory) { __libc_free(memory); }
