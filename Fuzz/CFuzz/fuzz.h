#pragma once

#include <stddef.h>
#include <stdint.h>

// libFuzzer's own declaration of its driver, for programs that bring their own main; the toolchain ships no header.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*run)(const uint8_t *data, size_t size));
