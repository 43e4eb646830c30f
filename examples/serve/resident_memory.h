// resident_memory.h - how much memory and time the process really has had, as
// the system says; 0 where it does not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SERVE_RESIDENT_MEMORY_H_
#define SERVE_RESIDENT_MEMORY_H_

#include <stdint.h>

uint64_t resident_now(void);  // bytes
uint64_t resident_peak(void); // the most so far
uint64_t page_faults(void);   // so far
double cpu_seconds(void);     // of all threads so far

#endif // SERVE_RESIDENT_MEMORY_H_
