// finer_alignment.c - plans with the alignments that the buffers need.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A pool of pages makes the search hard: a buffer that lies in its parent is
// seldom at a page, and what lies next to it leaves a gap, so that single moves
// hardly fit. Without pages they do; and the order of the offsets in such a
// plan is a good one for pages, too.

#include "finer_alignment.h"

#include "problem_store.h"
#include "sub_problem.h"

bool gmem_has_finer_alignment(const gmem_problem_t *problem) {
  uint64_t alignment = gmem_problem_pool(problem, 0)->alignment;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, i);
    if (spec->alignment < alignment && spec->size % alignment)
      return true;
  }
  return false;
}

//===--- progress ---------------------------------------------------------===//

// What is reported in the meantime: the peak of the other plan.
typedef struct report_s {
  gmem_progress_fn progress;
  void *user;
  uint64_t peak, bound;
} report_t;

static bool report(void *user, const gmem_progress_t *progress) {
  const report_t *report = user;
  gmem_progress_t other = *progress;
  other.peak = report->peak;
  other.lower_bound = report->bound;
  return report->progress(report->user, &other);
}

//===--- the search -------------------------------------------------------===//

typedef gmem_status_t (*pack_fn)(gmem_pools_t *pools);

// Searches as if nothing had been searched before.
static gmem_status_t search_again(gmem_pools_t *pools, pack_fn pack,
                                  uint64_t bound) {
  gmem_search_t *search = pools->search, before = *search;
  report_t reported = {before.progress, before.progress_user, before.peak,
                       before.lower_bound};
  search->lower_bound = bound;
  search->is_start = true;
  if (before.progress) {
    search->progress = report;
    search->progress_user = &reported;
  }
  if (!before.has_own_limit)
    search->step_limit = search->steps + gmem_steps_of_effort(search->effort);
  search->stage_limit = search->step_limit;
  gmem_status_t status = pack(pools);
  if (!before.has_own_limit) {
    before.step_limit += search->steps - before.steps;
    before.stage_limit += search->steps - before.steps;
  }
  before.steps = search->steps;
  before.searches = search->searches;
  before.next_report = search->next_report;
  before.cancelled = search->cancelled;
  *search = before;
  return status;
}

static gmem_status_t pack_copy(const gmem_pools_t *pools, pack_fn pack,
                               gmem_scratch_t *memory, gmem_problem_t *copy,
                               gmem_placement_t *plan, bool *out_found) {
  size_t count = gmem_problem_buffer_count(pools->problem);
  uint64_t bound;
  uint32_t *ids;
  GMEM_TRY_NEW(ids, memory, count);
  GMEM_TRY(gmem_copy_large(pools->problem, 0, 1, copy, ids, memory->diag));
  GMEM_TRY(gmem_lower_bound(copy, &bound, memory->diag));
  gmem_pools_t finer = {.problem = copy,
                        .search = pools->search,
                        .diag = pools->diag,
                        .engine = pools->engine,
                        .plan = plan,
                        .groups = gmem_problem_offset_groups(copy),
                        .share = 1,
                        .ceiling = GMEM_UNLIMITED};
  GMEM_TRY_NEW(finer.pool_of, memory, count);
  GMEM_TRY_NEW(finer.candidate, memory, count);
  GMEM_TRY_NEW(finer.visits, memory, 1);
  gmem_status_t status = search_again(&finer, pack, bound);
  *out_found = status == GMEM_OK;
  return status == GMEM_ERR_OUT_OF_MEMORY ? status : GMEM_OK;
}

gmem_status_t gmem_pack_finer(const gmem_pools_t *pools, pack_fn pack,
                              gmem_placement_t *plan, bool *out_found) {
  gmem_scratch_t memory = {.allocator = gmem_problem_allocator(pools->problem),
                           .diag = pools->diag};
  gmem_problem_t *copy;
  *out_found = false;
  GMEM_TRY(gmem_problem_create(memory.allocator, &copy, memory.diag));
  gmem_status_t status = pack_copy(pools, pack, &memory, copy, plan, out_found);
  gmem_problem_destroy(copy);
  gmem_scratch_free(&memory);
  return status;
}
