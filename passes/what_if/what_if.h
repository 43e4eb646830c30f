// what_if.h - changes that make the plan of a program smaller.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_WHAT_IF_H_
#define GMEM_PASSES_WHAT_IF_H_

#include "change_list.h"

typedef struct gmem_what_if_s {
  gmem_change_t change;
  const char *text;   // what changes
  const char *means;  // the option or attribute that states it; "": none
  uint64_t peak;      // bytes of the workspace pools of the plan with it
  uint64_t over;      // bytes by which pools exceed their capacities
  uint64_t constants; // bytes of the constant pools
} gmem_what_if_t;

typedef struct gmem_what_ifs_s {
  gmem_what_if_t at[GMEM_MOST_WHAT_IFS]; // those that keep the bits first, then
                                         //   by need
  size_t count;
  size_t tried, listed; // changes that were planned, of all that were found
} gmem_what_ifs_t;

// The capacity of a pool, or that of the options if it is smaller: a plan that
// is there was made without them.
uint64_t gmem_stated_capacity(const gmem_plan_options_t *options,
                              const gmem_planned_pool_t *pool);

// Plans and verifies copies of |top| with one change each, as many as
// options->effort allows, and keeps those that exceed their capacities by less
// than |given|, or need less. If |is_old|, |given| is a plan that was there: a
// new one of the unchanged program is the first change, and the others are
// compared with it, too. Changes without a plan are passed over in silence.
// Fails with OUT_OF_MEMORY.
gmem_status_t gmem_what_ifs_find(MlirOperation top,
                                 const gmem_plan_options_t *options,
                                 const gmem_peak_ops_t *peak,
                                 const gmem_planned_t *given, bool is_old,
                                 gmem_bump_t *arena, gmem_what_ifs_t *out_ifs,
                                 gmem_diag_t *diag);

// Makes the change to |top|; if it has a plan, it gets a new one. Fails with
// INVALID_ARGUMENT, reported at |top|, if it is a change of options, and as
// gmem_plan_module.
gmem_status_t gmem_what_if_apply(MlirOperation top, bool has_plan,
                                 const gmem_what_if_t *what_if,
                                 const gmem_plan_options_t *options,
                                 const gmem_allocator_t *allocator,
                                 gmem_diag_t *diag);

#endif // GMEM_PASSES_WHAT_IF_H_
