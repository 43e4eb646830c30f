// solve_page.c - see solve_page.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "solve_page.h"

#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "files.h"
#include "show.h"

typedef struct page_s {
  const gmem_problem_t *problem;
  const gmem_placement_t *plan;
  gmem_shown_plan_t shown;
  gmem_live_range_t *owned; // of all buffers
} page_t;

static gmem_status_t fill_pools(page_t *page, uint64_t lower_bound,
                                gmem_diag_t *diag) {
  uint32_t count = page->shown.pool_count;
  for (uint32_t i = 0; i < count; ++i) {
    const gmem_pool_spec_t *spec = gmem_problem_pool(page->problem, i);
    gmem_shown_pool_t *pool = &page->shown.pools[i];
    *pool = (gmem_shown_pool_t){
        .name = spec->name,
        .size = gmem_plan_pool_size(page->problem, page->plan, i),
        .lower_bound = lower_bound,
        .capacity = spec->capacity};
    // That of the plan may come from a search.
    if (count > 1)
      GMEM_TRY(
          gmem_lower_bound_of_pool(page->problem, i, &pool->lower_bound, diag));
  }
  return GMEM_OK;
}

static void fill_buffers(page_t *page) {
  gmem_shown_plan_t *shown = &page->shown;
  for (uint32_t i = 0; i < shown->buffer_count; ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(page->problem, i);
    const gmem_live_range_t *first = spec->ranges,
                            *last = first + spec->range_count - 1;
    shown->buffers[i] =
        (gmem_shown_buffer_t){.name = spec->name,
                              .kind = GMEM_SHOWN_TENSOR,
                              .pool = page->plan[i].pool,
                              .alias_of = GMEM_NO_BUFFER,
                              .offset = page->plan[i].offset,
                              .size = spec->size,
                              .payload_offset = page->plan[i].offset,
                              .payload_size = spec->size,
                              .ranges = spec->ranges,
                              .range_count = spec->range_count,
                              .owned = spec->ranges,
                              .owned_count = spec->range_count};
    if (i == 0 || first->begin < shown->begin)
      shown->begin = first->begin;
    if (i == 0 || last->end > shown->end)
      shown->end = last->end;
  }
}

//===--- shared bytes -----------------------------------------------------===//

// Whether the alias has an effect in the plan.
static bool is_used(const page_t *page, const gmem_alias_spec_t *alias) {
  const gmem_placement_t *child = &page->plan[alias->child],
                         *parent = &page->plan[alias->parent];
  return child->pool == parent->pool &&
         child->offset == parent->offset + alias->offset;
}

// Keeps in |owned| what is not in |ranges| of the parent; |out| has room for
// the sum of both counts. Returns the new count.
static size_t subtract(const gmem_live_range_t *owned, size_t owned_count,
                       const gmem_live_range_t *ranges, size_t range_count,
                       gmem_live_range_t *out) {
  size_t count = 0, first = 0;
  for (size_t i = 0; i < owned_count; ++i) {
    int64_t at = owned[i].begin, end = owned[i].end;
    while (first < range_count && ranges[first].end <= at)
      ++first;
    for (size_t k = first; k < range_count && ranges[k].begin < end; ++k) {
      if (at < ranges[k].begin)
        out[count++] = (gmem_live_range_t){at, ranges[k].begin};
      at = ranges[k].end > at ? ranges[k].end : at;
    }
    if (at < end)
      out[count++] = (gmem_live_range_t){at, end};
  }
  return count;
}

// A child owns its bytes while its first parent is not live.
static void share(page_t *page, const gmem_alias_spec_t *alias,
                  gmem_live_range_t *out) {
  gmem_shown_buffer_t *child = &page->shown.buffers[alias->child];
  const gmem_shown_buffer_t *parent = &page->shown.buffers[alias->parent];
  child->kind = alias->is_optional ? GMEM_SHOWN_IN_PLACE : GMEM_SHOWN_VIEW;
  child->owned_count = subtract(child->ranges, child->range_count,
                                parent->ranges, parent->range_count, out);
  child->owned = out;
}

static void fill_aliases(page_t *page) {
  size_t count = gmem_problem_alias_count(page->problem);
  gmem_shown_plan_t *shown = &page->shown;
  gmem_live_range_t *free_ranges = page->owned;
  shown->alias_count = 0;
  for (size_t i = 0; i < count; ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(page->problem, i);
    if (!is_used(page, alias))
      continue;
    const gmem_shown_buffer_t *child = &shown->buffers[alias->child];
    if (child->owned == child->ranges) {
      share(page, alias, free_ranges);
      free_ranges += child->owned_count;
    }
    shown->aliases[shown->alias_count++] = (gmem_shown_alias_t){
        alias->child, alias->parent, alias->is_optional ? "in place" : "view"};
  }
}

static gmem_status_t allocate(page_t *page, gmem_diag_t *diag) {
  size_t count = gmem_problem_alias_count(page->problem), ranges = 0;
  for (size_t i = 0; i < count; ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(page->problem, i);
    ranges += gmem_problem_buffer(page->problem, alias->child)->range_count +
              gmem_problem_buffer(page->problem, alias->parent)->range_count;
  }
  page->owned = calloc(ranges + 1, sizeof *page->owned);
  if (!page->owned)
    return gmem_out_of_memory(diag);
  return gmem_shown_plan_allocate(
      &page->shown, gmem_problem_pool_count(page->problem),
      gmem_problem_buffer_count(page->problem), count, 0, diag);
}

//===--- the page ---------------------------------------------------------===//

static gmem_status_t write_page(page_t *page,
                                const gmem_plan_figures_t *figures,
                                const char *path, gmem_diag_t *diag) {
  GMEM_TRY(allocate(page, diag));
  GMEM_TRY(fill_pools(page, figures->lower_bound, diag));
  fill_buffers(page);
  fill_aliases(page);
  gmem_output_t *output = NULL;
  GMEM_TRY(gmem_output_open(path, &output, diag));
  const gmem_shown_plan_t *plans[] = {&page->shown};
  gmem_status_t status =
      gmem_show_page(plans, 1, NULL, gmem_output_write, output, diag);
  if (status != GMEM_OK && status != GMEM_ERR_IO) {
    gmem_output_abort(output);
    return status;
  }
  // The commit also reports write errors.
  return gmem_output_commit(output, diag);
}

// The name of the file without folders and ending. The caller frees it.
static char *title_of(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  char *title = strdup(strcmp(path, "-") == 0 ? "plan" : name);
  char *dot = title ? strrchr(title, '.') : NULL;
  if (dot && dot != title)
    *dot = 0;
  return title;
}

gmem_status_t gmem_solve_page_write(const gmem_problem_file_t *file,
                                    const gmem_solve_result_t *run,
                                    const char *path, gmem_diag_t *diag) {
  char *title = title_of(file->path);
  if (!title)
    return gmem_out_of_memory(diag);
  page_t page = {.problem = file->problem,
                 .plan = run->plan,
                 .shown = {.title = title,
                           .algorithm = run->algorithm->name,
                           .peak = run->figures.peak,
                           .lower_bound = run->figures.lower_bound,
                           .optimal = run->figures.optimal}};
  gmem_status_t status = write_page(&page, &run->figures, path, diag);
  gmem_shown_plan_free(&page.shown);
  free(page.owned);
  free(title);
  return status;
}
