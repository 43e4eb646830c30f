// high_water.h - which bytes of its plan a program writes when it runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before the live range of a buffer begins, its bytes are filled with a
// pattern; those that differ when it ends were written. Two runs with
// complementary patterns find every byte, since none is equal to both.

#ifndef GMEM_TOOLS_HIGH_WATER_H_
#define GMEM_TOOLS_HIGH_WATER_H_

#include "planned_memory.h"

typedef struct gmem_high_water_s gmem_high_water_t;

// Prepares the measurement of |planned|, whose ops are numbered (op_marks.h).
// Both outlive the result. Out of memory ends the process.
gmem_high_water_t *gmem_high_water_create(const gmem_planned_t *planned,
                                          const gmem_mapped_plan_t *memory);
void gmem_high_water_destroy(gmem_high_water_t *water);

// Begins a run of this thread on |lease| with memory full of |pattern|: until
// gmem_high_water_end, gmem_run_mark watches the buffers.
void gmem_high_water_begin(gmem_high_water_t *water, gmem_lease_t *lease,
                           uint8_t pattern);
void gmem_high_water_end(gmem_high_water_t *water);

// Prints what was written in each pool.
void gmem_high_water_print(const gmem_high_water_t *water);

// Writes what was measured to a file (docs/gmem-run.md). Prints a message on
// failure.
gmem_status_t gmem_high_water_write(const gmem_high_water_t *water,
                                    const char *path);

#endif // GMEM_TOOLS_HIGH_WATER_H_
