#pragma once

// The environment variable that names the file in which `preload.c` counts, 8 bytes in the machine's order.
#define PRELOAD_COUNT "DASHRIG_BENCHMARK_COUNT"
