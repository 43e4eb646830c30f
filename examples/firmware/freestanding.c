// freestanding.c - the functions that a compiler calls without being asked to,
// where there is no libc.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);

void *memcpy(void *restrict to, const void *restrict from, size_t size) {
  unsigned char *target = to;
  const unsigned char *source = from;
  while (size--)
    *target++ = *source++;
  return to;
}

void *memmove(void *to, const void *from, size_t size) {
  unsigned char *target = to;
  const unsigned char *source = from;
  if (target <= source)
    return memcpy(to, from, size);
  while (size--)
    target[size] = source[size];
  return to;
}

void *memset(void *to, int byte, size_t size) {
  unsigned char *target = to;
  while (size--)
    *target++ = (unsigned char)byte;
  return to;
}

// Arm's own names: one for each alignment, and another order of arguments.
#ifdef __ARM_EABI__
void __aeabi_memcpy(void *to, const void *from, size_t size);
void __aeabi_memcpy4(void *to, const void *from, size_t size);
void __aeabi_memcpy8(void *to, const void *from, size_t size);
void __aeabi_memmove(void *to, const void *from, size_t size);
void __aeabi_memmove4(void *to, const void *from, size_t size);
void __aeabi_memmove8(void *to, const void *from, size_t size);
void __aeabi_memset(void *to, size_t size, int byte);
void __aeabi_memset4(void *to, size_t size, int byte);
void __aeabi_memset8(void *to, size_t size, int byte);
void __aeabi_memclr(void *to, size_t size);
void __aeabi_memclr4(void *to, size_t size);
void __aeabi_memclr8(void *to, size_t size);
void __aeabi_unwind_cpp_pr0(void);
void __aeabi_unwind_cpp_pr1(void);

#define COPY(name, function)                                                   \
  void name(void *to, const void *from, size_t size) {                         \
    function(to, from, size);                                                  \
  }
COPY(__aeabi_memcpy, memcpy)
COPY(__aeabi_memcpy4, memcpy)
COPY(__aeabi_memcpy8, memcpy)
COPY(__aeabi_memmove, memmove)
COPY(__aeabi_memmove4, memmove)
COPY(__aeabi_memmove8, memmove)

#define SET(name)                                                              \
  void name(void *to, size_t size, int byte) { memset(to, byte, size); }
SET(__aeabi_memset)
SET(__aeabi_memset4)
SET(__aeabi_memset8)

#define CLEAR(name)                                                            \
  void name(void *to, size_t size) { memset(to, 0, size); }
CLEAR(__aeabi_memclr)
CLEAR(__aeabi_memclr4)
CLEAR(__aeabi_memclr8)

// Tables for exceptions name these. firmware.ld leaves the tables out.
void __aeabi_unwind_cpp_pr0(void) {}
void __aeabi_unwind_cpp_pr1(void) {}
#endif
