// solve_previous.c - see solve_previous.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "solve_previous.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "solve_messages.h"

//===--- matching ---------------------------------------------------------===//

typedef struct name_s {
  const char *text;
  uint32_t buffer;
} name_t;

static int compare_names(const void *left, const void *right) {
  const name_t *a = left, *b = right;
  int order = strcmp(a->text, b->text);
  return order ? order : (a->buffer > b->buffer) - (a->buffer < b->buffer);
}

// Sorted; NULL if out of memory. The caller frees them.
static name_t *sort_names(const gmem_problem_t *problem) {
  uint32_t count = gmem_problem_buffer_count(problem);
  name_t *names = malloc((count + (size_t)1) * sizeof *names);
  for (uint32_t i = 0; names && i < count; ++i)
    names[i] = (name_t){gmem_problem_buffer(problem, i)->name, i};
  if (names)
    qsort(names, count, sizeof *names, compare_names);
  return names;
}

// The pool of |problem| with the name of |pool|; the number of pools if none.
static uint32_t find_pool(const gmem_problem_t *problem, const char *name) {
  uint32_t i = 0, count = gmem_problem_pool_count(problem);
  while (i < count && strcmp(gmem_problem_pool(problem, i)->name, name) != 0)
    ++i;
  return i;
}

static void match_one(gmem_previous_t *previous, const gmem_problem_t *problem,
                      uint32_t buffer, const gmem_problem_file_t *old,
                      uint32_t old_buffer) {
  gmem_placement_t place = old->plan[old_buffer];
  uint32_t pool =
      find_pool(problem, gmem_problem_pool(old->problem, place.pool)->name);
  if (pool == gmem_problem_pool_count(problem) ||
      gmem_problem_buffer(problem, buffer)->size !=
          gmem_problem_buffer(old->problem, old_buffer)->size)
    return;
  previous->places[buffer] = (gmem_placement_t){place.offset, pool};
  previous->is_known[buffer] = true;
}

static void match_all(gmem_previous_t *previous, const gmem_problem_t *problem,
                      const gmem_problem_file_t *old, const name_t *names,
                      const name_t *old_names) {
  uint32_t count = gmem_problem_buffer_count(problem), i = 0, k = 0;
  uint32_t old_count = gmem_problem_buffer_count(old->problem);
  while (i < count && k < old_count) {
    int order = strcmp(names[i].text, old_names[k].text);
    if (order == 0)
      match_one(previous, problem, names[i].buffer, old, old_names[k].buffer);
    i += order <= 0;
    k += order >= 0;
  }
}

static gmem_status_t match(gmem_previous_t *previous,
                           const gmem_problem_t *problem,
                           const gmem_problem_file_t *old, gmem_diag_t *diag) {
  if (!old->plan) {
    gmem_fail(diag, GMEM_ERR_NOT_FOUND,
              old->is_json ? "the file contains no plan"
                           : "missing column 'offset'");
    diag->line = !old->is_json;
    return GMEM_ERR_NOT_FOUND;
  }
  name_t *names = sort_names(problem), *old_names = sort_names(old->problem);
  bool has_room = names && old_names;
  if (has_room)
    match_all(previous, problem, old, names, old_names);
  free(names);
  free(old_names);
  return has_room ? GMEM_OK : gmem_out_of_memory(diag);
}

gmem_status_t gmem_previous_read(const gmem_problem_t *problem,
                                 const char *path,
                                 gmem_previous_t *out_previous,
                                 gmem_diag_t *diag) {
  uint32_t pools = gmem_problem_pool_count(problem);
  gmem_pool_list_t list = {.count = pools, .is_default = true};
  gmem_problem_file_t old = {0};
  *out_previous =
      (gmem_previous_t){.count = gmem_problem_buffer_count(problem)};
  size_t room = out_previous->count + (size_t)1;
  out_previous->places = calloc(room, sizeof *out_previous->places);
  out_previous->is_known = calloc(room, sizeof *out_previous->is_known);
  list.specs = malloc((pools + (size_t)1) * sizeof *list.specs);
  if (!out_previous->places || !out_previous->is_known || !list.specs) {
    free(list.specs);
    return gmem_out_of_memory(diag);
  }
  for (uint32_t i = 0; i < pools; ++i)
    list.specs[i] = *gmem_problem_pool(problem, i);
  gmem_status_t status = gmem_problem_file_read(&old, path, &list, true, diag);
  if (status == GMEM_OK)
    status = match(out_previous, problem, &old, diag);
  gmem_problem_file_destroy(&old);
  gmem_pool_list_free(&list);
  return status;
}

void gmem_previous_free(gmem_previous_t *previous) {
  free(previous->places);
  free(previous->is_known);
  *previous = (gmem_previous_t){0};
}

//===--- plans ------------------------------------------------------------===//

gmem_status_t gmem_previous_prefer(const gmem_previous_t *previous,
                                   gmem_problem_t *problem, gmem_diag_t *diag) {
  for (uint32_t i = 0; i < previous->count; ++i)
    if (previous->is_known[i])
      GMEM_TRY(gmem_problem_add_constraint(
          problem,
          &(gmem_constraint_t){.kind = GMEM_AT,
                               .first = i,
                               .pool = previous->places[i].pool,
                               .bytes = previous->places[i].offset,
                               .penalty = 1},
          diag));
  return GMEM_OK;
}

bool gmem_previous_is_moved(const gmem_previous_t *previous,
                            const gmem_placement_t *plan, uint32_t buffer) {
  return previous->is_known[buffer] &&
         (plan[buffer].pool != previous->places[buffer].pool ||
          plan[buffer].offset != previous->places[buffer].offset);
}

gmem_moves_t gmem_previous_moves(const gmem_previous_t *previous,
                                 const gmem_placement_t *plan) {
  gmem_moves_t moves = {0, 0, 0};
  for (uint32_t i = 0; i < previous->count; ++i) {
    bool is_moved = gmem_previous_is_moved(previous, plan, i);
    moves.moved += is_moved;
    moves.kept += previous->is_known[i] && !is_moved;
    moves.added += !previous->is_known[i];
  }
  return moves;
}

void gmem_previous_print(const gmem_previous_t *previous,
                         const gmem_problem_t *problem,
                         const gmem_placement_t *plan, FILE *output) {
  gmem_moves_t moves = gmem_previous_moves(previous, plan);
  fprintf(output,
          "%" PRIu32 " of %" PRIu32 " buffers kept, %" PRIu32 " moved, %" PRIu32
          " new or of another size\n",
          moves.kept, moves.kept + moves.moved, moves.moved, moves.added);
  for (uint32_t i = 0; i < previous->count; ++i) {
    if (!gmem_previous_is_moved(previous, plan, i))
      continue;
    gmem_placement_t old = previous->places[i];
    fputs("  moved '", output);
    gmem_print_tamed(output, gmem_problem_buffer(problem, i)->name);
    fprintf(output, "': %" PRIu64, old.offset);
    if (old.pool != plan[i].pool)
      fprintf(output, " of pool '%s'",
              gmem_problem_pool(problem, old.pool)->name);
    fprintf(output, " -> %" PRIu64 "\n", plan[i].offset);
  }
}
