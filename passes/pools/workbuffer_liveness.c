// workbuffer_liveness.c - see workbuffer_liveness.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "workbuffer_liveness.h"

#include <stdio.h>

#include "diagnostics.h"
#include "ir_reading.h"
#include "live_ranges.h"
#include "memory_candidates.h"
#include "mlir-c/BuiltinAttributes.h"
#include "pool_names.h"

typedef struct placer_s {
  const gmem_liveness_t *liveness;
  const gmem_program_t *program;
  gmem_placement_constraints_t *constraints;
  gmem_ranges_t ranges; // of the current workbuffer
  gmem_diag_t *diag;
} placer_t;

//===--- live ranges ------------------------------------------------------===//

// A range of steps.
typedef struct span_s {
  int64_t begin, end;
} span_t;

static void widen(span_t *span, int64_t begin, int64_t end) {
  span->begin = begin < span->begin ? begin : span->begin;
  span->end = end > span->end ? end : span->end;
}

// The live range of a workbuffer of |step| in its function. Inner extensions
// come first, as outer ones cover them.
static span_t find_span(const placer_t *placer, const gmem_program_op_t *step) {
  const gmem_program_t *program = placer->program;
  span_t span = {step->begin, step->end};
  for (const gmem_program_op_t *at = step;;) {
    const gmem_layer_group_t *group =
        gmem_layer_group_of(&placer->liveness->facts->groups, at);
    uint32_t region = program->blocks[at->block].region;
    if (group)
      widen(&span, group->begin, group->end);
    if (placer->liveness->facts->uses.unordered[region])
      widen(&span, program->regions[region].begin,
            program->regions[region].end);
    if (at->parent == GMEM_NO_INDEX)
      return span;
    at = &program->ops[at->parent];
    if (at->parallel)
      widen(&span, at->begin, at->end);
  }
}

// Whether the function may run at any time, or concurrently with itself.
static bool is_any_time(const placer_t *placer, uint32_t function) {
  const gmem_callee_t *callee = &placer->liveness->calls->callees[function];
  const gmem_streams_t *streams = &placer->liveness->facts->streams;
  return callee->parallel || callee->escapes ||
         (streams->count && streams->runs_in_several[function]);
}

// A kernel runs concurrently with itself.
static bool is_kernel(const placer_t *placer, uint32_t function) {
  return gmem_op_is(placer->program->functions[function].op, "gpu.func");
}

static gmem_status_t check_function(const placer_t *placer,
                                    const gmem_op_workbuffer_t *workbuffer) {
  uint32_t function = placer->program->ops[workbuffer->step].function;
  if (!workbuffer->size)
    return GMEM_OK;
  if (placer->liveness->calls->callees[function].recursive)
    return gmem_workbuffer_error(
        workbuffer, "is mutable, but its function is recursive", placer->diag);
  if (workbuffer->is_per_thread ||
      !(is_any_time(placer, function) || is_kernel(placer, function)))
    return GMEM_OK;
  return gmem_workbuffer_error(
      workbuffer,
      "is mutable, but its function may run concurrently with itself: set "
      "\"threads\" to the number of threads",
      placer->diag);
}

static gmem_status_t find_live_ranges(placer_t *placer,
                                      gmem_op_workbuffer_t *workbuffer) {
  const gmem_program_op_t *step = &placer->program->ops[workbuffer->step];
  const gmem_call_contexts_t *contexts = placer->liveness->contexts;
  GMEM_TRY(check_function(placer, workbuffer));
  placer->ranges.count = 0;
  // Unordered streams extend the live range.
  gmem_ranges_add_all(&placer->ranges, workbuffer->ranges,
                      workbuffer->range_count);
  span_t span = find_span(placer, step);
  if (is_any_time(placer, step->function) || step->late)
    gmem_ranges_add(&placer->ranges, 0, gmem_call_contexts_length(contexts));
  else
    gmem_contexts_add_range(contexts, step->function, span.begin, span.end,
                            &placer->ranges);
  gmem_ranges_normalise(&placer->ranges);
  workbuffer->ranges = gmem_ranges_copy(&placer->ranges);
  workbuffer->range_count = placer->ranges.count;
  return workbuffer->ranges ? GMEM_OK : gmem_out_of_memory(placer->diag);
}

//===--- pools ------------------------------------------------------------===//

static uint32_t find_pool(const gmem_placement_constraints_t *constraints,
                          MlirStringRef name) {
  uint32_t i = 0;
  while (i < constraints->pool_count &&
         !mlirStringRefEqual(gmem_string(constraints->pools[i].name), name))
    ++i;
  return i;
}

// The pool of workbuffers without "pools": that of the tensors, else that of
// the default memory space. It is created if a program uses only memrefs of
// other memory spaces.
static uint32_t default_pool(gmem_placement_constraints_t *constraints) {
  uint32_t pool = find_pool(constraints, gmem_string(GMEM_POOL_TENSORS));
  if (pool == constraints->pool_count)
    pool = find_pool(constraints, gmem_string(GMEM_POOL_MEMORY));
  if (pool == constraints->pool_count)
    constraints->pools[constraints->pool_count++] =
        (gmem_workspace_pool_t){.name = GMEM_POOL_MEMORY,
                                .kind = GMEM_WORKSPACE_MEMORY,
                                .alignment = constraints->memref_alignment};
  return pool;
}

// Without workspace memories: the named pools, or the default.
static gmem_status_t choose_by_name(const placer_t *placer,
                                    gmem_op_workbuffer_t *workbuffer) {
  gmem_placement_constraints_t *constraints = placer->constraints;
  MlirAttribute names = workbuffer->pools;
  uint32_t count = mlirAttributeIsNull(names)
                       ? 1
                       : (uint32_t)mlirArrayAttrGetNumElements(names);
  uint32_t *pools;
  GMEM_TRY_ALLOC(pools, placer->ranges.arena, count, placer->diag);
  workbuffer->candidates = (gmem_memory_candidates_t){pools, count};
  if (mlirAttributeIsNull(names))
    return pools[0] = default_pool(constraints), GMEM_OK;
  for (uint32_t i = 0; i < count; ++i) {
    pools[i] = find_pool(
        constraints, mlirStringAttrGetValue(mlirArrayAttrGetElement(names, i)));
    if (pools[i] == constraints->pool_count)
      return gmem_workbuffer_error(workbuffer,
                                   "names a workspace pool that does not exist",
                                   placer->diag);
    for (uint32_t k = 0; k < i; ++k)
      if (pools[k] == pools[i])
        return gmem_workbuffer_error(workbuffer, "lists a pool twice",
                                     placer->diag);
  }
  return GMEM_OK;
}

static gmem_status_t choose_pools(const placer_t *placer,
                                  const gmem_workspaces_t *workspaces,
                                  gmem_op_workbuffer_t *workbuffer) {
  if (!workbuffer->size)
    return GMEM_OK; // needs no pool
  // Workspace memories are the first pools, in the same order.
  GMEM_TRY(workspaces->count ? gmem_memory_candidates_of_op(
                                   placer->program, workspaces, workbuffer->op,
                                   workbuffer->pools, placer->ranges.arena,
                                   &workbuffer->candidates, placer->diag)
                             : choose_by_name(placer, workbuffer));
  // Offsets are relative to the pool, so its start must be aligned, too.
  for (uint32_t i = 0; i < workbuffer->candidates.count; ++i) {
    uint64_t *alignment =
        &placer->constraints->pools[workbuffer->candidates.pools[i]].alignment;
    if (*alignment < workbuffer->alignment)
      *alignment = workbuffer->alignment;
  }
  return GMEM_OK;
}

gmem_status_t gmem_workbuffers_place(const gmem_liveness_t *liveness,
                                     gmem_bump_t *arena,
                                     gmem_placement_constraints_t *constraints,
                                     gmem_workbuffers_t *workbuffers,
                                     gmem_diag_t *diag) {
  placer_t placer = {.liveness = liveness,
                     .program = liveness->program,
                     .constraints = constraints,
                     .ranges = {.arena = arena},
                     .diag = diag};
  if (!workbuffers->count)
    return GMEM_OK;
  const gmem_stream_buffer_t *extensions = liveness->order.buffers;
  for (size_t i = 0; extensions && i < workbuffers->mutable_count; ++i) {
    gmem_op_workbuffer_t *one = &workbuffers->all[workbuffers->mutables[i]];
    one->ranges = extensions[i].ranges;
    one->range_count = extensions[i].range_count;
  }
  gmem_workspaces_t workspaces;
  gmem_workspaces_find(liveness->program, &workspaces);
  for (size_t i = 0; i < workbuffers->count; ++i) {
    if (workbuffers->all[i].immutable)
      continue;
    GMEM_TRY(find_live_ranges(&placer, &workbuffers->all[i]));
    GMEM_TRY(choose_pools(&placer, &workspaces, &workbuffers->all[i]));
  }
  return GMEM_OK;
}
