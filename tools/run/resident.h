// resident.h - how much memory a process really has, as the system says.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_RESIDENT_H_
#define GMEM_TOOLS_RESIDENT_H_

#include <stddef.h>
#include <stdint.h>

// Bytes of mappings.
typedef struct gmem_resident_s {
  uint64_t resident;     // in memory
  uint64_t shared;       // of these, in other processes as well
  uint64_t proportional; // each page divided by those who have it
} gmem_resident_t;

// Adds what the mappings that touch [at, at + size) have. Nothing where the
// system does not say it.
void gmem_resident_add(const void *at, uint64_t size,
                       gmem_resident_t *resident);

// Of the whole process: the most bytes in memory so far, and page faults.
uint64_t gmem_resident_peak(void);
uint64_t gmem_page_faults(void);

#endif // GMEM_TOOLS_RESIDENT_H_
