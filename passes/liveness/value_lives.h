// value_lives.h - at which steps each value is live.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_VALUE_LIVES_H_
#define GMEM_PASSES_VALUE_LIVES_H_

#include "control_flow.h"
#include "gmem/planner.h"
#include "schedule.h"
#include "uses.h"

// Called with all own ranges of |lives| set: of what each value itself is used
// for. What is seen through views is added after it.
typedef gmem_status_t (*gmem_own_lives_fn)(void *user);

typedef enum gmem_storage_e {
  GMEM_STORAGE_TENSOR,    // global memory for as long as it lives
  GMEM_STORAGE_WEIGHT,    // constant memory
  GMEM_STORAGE_LOCAL,     // inside a layer group: no global memory
  GMEM_STORAGE_HOST,      // what a network input is read from
  GMEM_STORAGE_NONE,      // its op's model says that it needs none
  GMEM_STORAGE_UNPLANNED, // left alone; gmem_liveness_report says why
} gmem_storage_t;

struct gmem_life_s {
  gmem_storage_t storage;
  uint32_t root; // value that stands for its class; itself if alone
  const gmem_live_range_t *ranges; // of this value alone, in its own function,
  size_t range_count;              //   sorted and joined; none without memory
  uint64_t uses;      // operands that are it; a reshape does not touch it
  bool input, output; // of an entry function
  bool overtaken;     // what one iteration makes may be read as late as in the
                      //   next, which makes it again: there is no one place
  bool is_lapped;     // the same, because of a stream (stream_laps.h), of it or
                      //   of a view of it
  bool is_loose;      // a handle of it may go anywhere
  bool is_written;    // an op changes its contents where they are
};

typedef struct gmem_life_s gmem_life_t;

// Sets the ranges of all |lives| that have memory, or are views of such, from
// the other fields. |own_found| is called in between, with |user|. Everything
// lives in |arena|. Fails with OUT_OF_MEMORY, or as |own_found| does.
gmem_status_t gmem_value_lives_find(const gmem_program_t *schedule,
                                    const gmem_control_flow_t *flow,
                                    const gmem_uses_t *uses, bool keep_inputs,
                                    gmem_own_lives_fn own_found, void *user,
                                    gmem_life_t *lives, gmem_arena_t *arena,
                                    gmem_diag_t *diag);

// Whether two values of which one is the other (a reshape and its operand, an
// argument and what is passed for it) can be one piece of memory: both are
// planned and of one size.
bool gmem_is_same_memory(const gmem_program_t *schedule,
                         const gmem_life_t *lives, uint32_t left,
                         uint32_t right);

// Whether the value has global memory.
static inline bool gmem_life_is_planned(const gmem_life_t *life) {
  return life->storage == GMEM_STORAGE_TENSOR ||
         life->storage == GMEM_STORAGE_WEIGHT;
}

#endif // GMEM_PASSES_VALUE_LIVES_H_
