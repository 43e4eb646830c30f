// resident.h - resident memory of the process, as reported by the OS.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_RESIDENT_H_
#define GMEM_TOOLS_RESIDENT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bytes of mappings.
typedef struct gmem_resident_s {
  uint64_t resident;     // in physical memory
  uint64_t shared;       // resident and mapped by other processes, too
  uint64_t proportional; // each page divided by the processes that map it
} gmem_resident_t;

// Adds the figures of the mappings that intersect [at, at + size). Adds nothing
// if /proc/self/smaps is not available.
void gmem_resident_add(const void *at, uint64_t size,
                       gmem_resident_t *resident);

// Peak resident bytes of the process.
uint64_t gmem_resident_peak(void);

// Page faults of the process, or of the calling thread.
uint64_t gmem_page_faults(bool of_thread);

#endif // GMEM_TOOLS_RESIDENT_H_
