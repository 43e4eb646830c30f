// workbuffer_liveness.c - see workbuffer_liveness.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "workbuffer_liveness.h"

#include <assert.h>

#include "ir_reading.h"
#include "memory_candidates.h"
#include "mlir-c/BuiltinAttributes.h"
#include "pool_names.h"

typedef struct placer_s {
  const gmem_liveness_t *liveness;
  const gmem_program_t *program;
  gmem_candidate_pools_t *pools;
  gmem_ranges_t ranges; // of the current workbuffer
  gmem_diag_t *diag;
} placer_t;

//===--- live ranges ------------------------------------------------------===//

static void widen(gmem_live_range_t *span, int64_t begin, int64_t end) {
  span->begin = begin < span->begin ? begin : span->begin;
  span->end = end > span->end ? end : span->end;
}

// The live range of a workbuffer of |step| in its function. Inner extensions
// come first, as outer ones cover them.
static gmem_live_range_t find_span(const placer_t *placer,
                                   const gmem_program_op_t *step) {
  const gmem_program_t *program = placer->program;
  gmem_live_range_t span = {step->begin, step->end};
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

// |extension|: ranges to include, or NULL.
static gmem_status_t find_live_ranges(placer_t *placer,
                                      const gmem_op_workbuffer_t *workbuffer,
                                      const gmem_stream_buffer_t *extension,
                                      gmem_workbuffer_demand_t *out) {
  const gmem_program_op_t *step = &placer->program->ops[workbuffer->step];
  const gmem_call_contexts_t *contexts = placer->liveness->contexts;
  GMEM_TRY(check_function(placer, workbuffer));
  placer->ranges.count = 0;
  if (extension)
    gmem_ranges_add_all(&placer->ranges, extension->ranges,
                        extension->range_count);
  gmem_live_range_t span = find_span(placer, step);
  if (is_any_time(placer, step->function) || step->deferred)
    gmem_ranges_add(&placer->ranges, 0, gmem_call_contexts_length(contexts));
  else
    gmem_contexts_add_range(contexts, step->function, span.begin, span.end,
                            &placer->ranges);
  gmem_ranges_normalise(&placer->ranges);
  out->ranges = gmem_ranges_copy(&placer->ranges);
  out->range_count = placer->ranges.count;
  return out->ranges ? GMEM_OK : gmem_out_of_memory(placer->diag);
}

//===--- pools ------------------------------------------------------------===//

// The pool of workbuffers without "pools": that of the tensors, else that of
// the default memory space. It is created if a program uses only memrefs of
// other memory spaces.
static gmem_status_t default_pool(const placer_t *placer, uint32_t *out_pool) {
  gmem_candidate_pools_t *pools = placer->pools;
  *out_pool = gmem_candidate_pool_find(pools, gmem_string(GMEM_POOL_TENSORS));
  if (*out_pool == GMEM_NO_INDEX)
    *out_pool = gmem_candidate_pool_find(pools, gmem_string(GMEM_POOL_MEMORY));
  if (*out_pool != GMEM_NO_INDEX)
    return GMEM_OK;
  return gmem_candidate_pool_add(
      pools,
      (gmem_candidate_pool_t){.name = GMEM_POOL_MEMORY,
                              .kind = GMEM_POOL_KIND_SPACE,
                              .alignment = pools->memref_alignment},
      placer->ranges.arena, out_pool, placer->diag);
}

// Without workspace memories: the named pools, or the default.
static gmem_status_t choose_by_name(const placer_t *placer,
                                    const gmem_op_workbuffer_t *workbuffer,
                                    gmem_memory_candidates_t *out) {
  MlirAttribute names = workbuffer->pools;
  bool is_default = mlirAttributeIsNull(names);
  uint32_t count =
      is_default ? 1 : (uint32_t)mlirArrayAttrGetNumElements(names);
  uint32_t *pools;
  GMEM_TRY_ALLOC(pools, placer->ranges.arena, count, placer->diag);
  *out = (gmem_memory_candidates_t){pools, 1};
  if (is_default)
    return default_pool(placer, pools);
  for (out->count = 0; out->count < count; ++out->count) {
    uint32_t pool = gmem_candidate_pool_find(
        placer->pools,
        mlirStringAttrGetValue(mlirArrayAttrGetElement(names, out->count)));
    if (pool == GMEM_NO_INDEX || gmem_is_candidate(*out, pool))
      return gmem_workbuffer_error(
          workbuffer,
          pool == GMEM_NO_INDEX ? "names a workspace pool that does not exist"
                                : "lists a pool twice",
          placer->diag);
    pools[out->count] = pool;
  }
  return GMEM_OK;
}

static gmem_status_t choose_pools(const placer_t *placer,
                                  const gmem_op_workbuffer_t *workbuffer,
                                  gmem_memory_candidates_t *out) {
  if (!workbuffer->size)
    return GMEM_OK; // needs no pool
  GMEM_TRY(placer->pools->memory_count
               ? gmem_memory_candidates_of_op(
                     placer->pools, workbuffer->op, workbuffer->pools,
                     placer->ranges.arena, out, placer->diag)
               : choose_by_name(placer, workbuffer, out));
  // Offsets are relative to the pool, so its start must be aligned, too.
  gmem_candidate_pools_align(placer->pools, *out, workbuffer->alignment);
  return GMEM_OK;
}

gmem_status_t gmem_workbuffer_demands_find(
    const gmem_liveness_t *liveness, const gmem_workbuffers_t *workbuffers,
    gmem_bump_t *arena, gmem_candidate_pools_t *pools,
    const gmem_workbuffer_demand_t **out_demands, gmem_diag_t *diag) {
  placer_t placer = {.liveness = liveness,
                     .program = liveness->program,
                     .pools = pools,
                     .ranges = {.arena = arena},
                     .diag = diag};
  const gmem_stream_buffer_t *extensions = liveness->order.buffers;
  gmem_workbuffer_demand_t *demands;
  GMEM_TRY_ALLOC(demands, arena, workbuffers->count, diag);
  *out_demands = demands;
  if (!workbuffers->count)
    return GMEM_OK;
  for (size_t i = 0, number = 0; i < workbuffers->count; ++i) {
    const gmem_op_workbuffer_t *workbuffer = &workbuffers->all[i];
    if (workbuffer->immutable)
      continue;
    bool is_extended = extensions && workbuffer->size;
    assert(!is_extended || workbuffers->mutables[number] == i);
    GMEM_TRY(find_live_ranges(&placer, workbuffer,
                              is_extended ? &extensions[number] : NULL,
                              &demands[i]));
    GMEM_TRY(choose_pools(&placer, workbuffer, &demands[i].candidates));
    number += workbuffer->size != 0;
  }
  return GMEM_OK;
}
