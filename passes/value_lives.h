// value_lives.h - at which steps each value is live.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_VALUE_LIVES_H_
#define GMEM_PASSES_VALUE_LIVES_H_

#include "control_flow.h"
#include "liveness.h"
#include "uses.h"

// Called with all own ranges of |lives| set: of what each value itself is used
// for. What is seen through views is added after it.
typedef gmem_status_t (*gmem_own_lives_fn)(void *user);

// Sets the ranges of all |lives| that have memory, or are views of such, from
// the other fields. |own_found| is called in between, with |user|. Everything
// lives in |arena|. Fails with OUT_OF_MEMORY, or as |own_found| does.
gmem_status_t gmem_value_lives_find(const gmem_schedule_t *schedule,
                                    const gmem_control_flow_t *flow,
                                    const gmem_uses_t *uses, bool keep_inputs,
                                    gmem_own_lives_fn own_found, void *user,
                                    gmem_life_t *lives, gmem_arena_t *arena,
                                    gmem_diag_t *diag);

#endif // GMEM_PASSES_VALUE_LIVES_H_
