// program_facts.h - everything that the room finds out about a program: the
// input of liveness. None of it changes afterwards.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PROGRAM_FACTS_H_
#define GMEM_PASSES_PROGRAM_FACTS_H_

#include "call_contexts.h"
#include "calls.h"
#include "control_flow.h"
#include "layer_groups.h"
#include "streams.h"
#include "uses.h"

// The results refer to one another: a copy would refer to the original.
typedef struct gmem_program_facts_s {
  const gmem_program_t *program;
  gmem_calls_t calls;
  const gmem_call_contexts_t *contexts;
  gmem_layer_groups_t groups;
  gmem_uses_t uses;
  gmem_control_flow_t flow;
  gmem_streams_t streams;
} gmem_program_facts_t;

// Everything is allocated in |arena|. Fails with OUT_OF_MEMORY or as
// gmem_streams_find.
gmem_status_t gmem_program_facts_find(const gmem_program_t *program,
                                      gmem_bump_t *arena,
                                      gmem_program_facts_t *out_facts,
                                      gmem_diag_t *diag);

#endif // GMEM_PASSES_PROGRAM_FACTS_H_
