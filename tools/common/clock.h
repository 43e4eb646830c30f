// clock.h - monotonic times.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_CLOCK_H_
#define GMEM_TOOLS_CLOCK_H_

#include <stdint.h>

// Of the monotonic clock, since an arbitrary time.
uint64_t gmem_nanoseconds(void);
double gmem_seconds(void);

// CPU time of the calling thread.
double gmem_thread_seconds(void);

#endif // GMEM_TOOLS_CLOCK_H_
