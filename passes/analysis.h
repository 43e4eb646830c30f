// analysis.h - everything known about one planning scope, in one piece.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_ANALYSIS_H_
#define GMEM_PASSES_ANALYSIS_H_

#include "aliases.h"
#include "boundaries.h"
#include "liveness.h"
#include "paddings.h"
#include "stream_order.h"
#include "weights.h"
#include "workbuffers.h"

typedef struct gmem_analysis_s {
  gmem_arena_t *arena; // of this scope
  gmem_schedule_t schedule;
  gmem_calls_t calls;
  gmem_streams_t streams;
  gmem_liveness_t liveness;
  gmem_stream_order_t order;
  gmem_aliases_t aliases;
  gmem_boundaries_t boundaries;
  gmem_workbuffers_t workbuffers;
  gmem_padding_t *paddings; // by class: what is asked for
} gmem_analysis_t;

// Does one scope's part of a pass. |user| is the pass's own.
typedef gmem_status_t (*gmem_scope_work_fn)(MlirOperation scope,
                                            const gmem_op_models_t *models,
                                            gmem_arena_t *arena, void *user,
                                            gmem_diag_t *diag);

// Calls |work| for every scope in |top|, each with an arena of its own that is
// freed afterwards. |work| gets a |diag| that is never NULL; it reports its
// errors itself, but for OUT_OF_MEMORY.
gmem_status_t gmem_for_each_scope_in(MlirOperation top,
                                     const gmem_allocator_t *allocator,
                                     gmem_scope_work_fn work, void *user,
                                     gmem_diag_t *diag);

// Numbers |scope|, finds its calls, streams, lives, aliases, boundaries and
// paddings.
// Everything lives in |arena|. Fails as they do, reported where the reason
// stands but for OUT_OF_MEMORY.
gmem_status_t gmem_analyse(MlirOperation scope, const gmem_op_models_t *models,
                           const gmem_model_options_t *options,
                           gmem_arena_t *arena, gmem_analysis_t *out_analysis,
                           gmem_diag_t *diag);

// What lies on the two sides of the payload in the buffer of a class, in the
// pools that the planner's problem is made with. In front that is what was
// asked for, rounded up so that start and payload are both aligned.
gmem_padding_t gmem_padding_in_buffer(const gmem_analysis_t *analysis,
                                      const gmem_pool_spec_t *pools,
                                      uint32_t class);

// Bytes of the buffer of a class: of its payload and what lies around it.
uint64_t gmem_padded_size(const gmem_analysis_t *analysis,
                          const gmem_pool_spec_t *pools, uint32_t class);

// Buffers of the tensors' problem: first the classes of the liveness, in their
// order, then the mutable workbuffers that need memory.
uint32_t gmem_buffer_count(const gmem_analysis_t *analysis);

// The mutable workbuffer that |buffer| is, or NULL: it is a class.
const gmem_op_workbuffer_t *
gmem_buffer_workbuffer(const gmem_analysis_t *analysis, uint32_t buffer);

// Where it is made.
MlirLocation gmem_buffer_location(const gmem_analysis_t *analysis,
                                  uint32_t buffer);

// Makes that problem, in |*out_problem|, with |pools|, one per pool of the
// boundaries. The caller destroys it. |object| of a failure's diagnostic is the
// buffer that the planner does not take, if it is about one.
gmem_status_t gmem_tensor_problem(const gmem_analysis_t *analysis,
                                  const gmem_pool_spec_t *pools,
                                  gmem_problem_t **out_problem,
                                  gmem_diag_t *diag);

// The same for weights, which are all live for ever: |pools| has one per pool
// of theirs, and buffer i is weight (*out_buffers)[i], the source of others or
// of itself alone; the array is in the arena. The last buffers are the
// immutable workbuffers, weights->work.immutable_count of them.
gmem_status_t gmem_weight_problem(const gmem_weights_t *weights,
                                  gmem_arena_t *arena,
                                  const gmem_pool_spec_t *pools,
                                  gmem_problem_t **out_problem,
                                  uint32_t **out_buffers, gmem_diag_t *diag);

#endif // GMEM_PASSES_ANALYSIS_H_
