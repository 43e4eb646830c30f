// poison_tools.h - looking at memory that AddressSanitizer guards.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEST_UNIT_POISON_TOOLS_H_
#define GMEM_TEST_UNIT_POISON_TOOLS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sanitizers.h"

// Whether the process has the huge maps of a sanitizer.
#define HAS_SHADOW (HAS_ASAN || HAS_TSAN)

#define UNGUARDED __attribute__((no_sanitize("address")))

UNGUARDED static inline uint8_t peek(const uint8_t *at) {
  return *(const volatile uint8_t *)at;
}

UNGUARDED static inline void poke(uint8_t *at, size_t size) {
  for (size_t i = 0; i < size; ++i)
    *(volatile uint8_t *)(at + i) = 0x5A;
}

// Whether writing the byte that is there to |at| ends the process: by a guard
// page, or by the sanitizer.
static inline bool is_deadly(uint8_t *at) {
  pid_t child = fork();
  if (child == 0) {
    fclose(stderr); // what the sanitizer says of it
    volatile uint8_t *byte = at;
    *byte = *byte;
    _exit(0);
  }
  int status = 0;
  return child < 0 || waitpid(child, &status, 0) != child ||
         !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

#endif // GMEM_TEST_UNIT_POISON_TOOLS_H_
