// call_graph.h - what calls mean beyond the function that makes them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_CALL_GRAPH_H_
#define GMEM_PASSES_CALL_GRAPH_H_

#include "calls.h"

// From the calls and what is known of each function by itself: which functions
// are recursive, what escapes or runs in parallel by way of a caller, and an
// order of all functions, callees first. Time and memory are linear in the
// calls. Returns whether there was memory.
bool gmem_call_graph_solve(const gmem_schedule_t *schedule, gmem_calls_t *calls,
                           gmem_arena_t *arena);

#endif // GMEM_PASSES_CALL_GRAPH_H_
