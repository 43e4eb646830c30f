// bench_pools.c - what stays in a fast memory that is too small: a library for
// --load-algorithm whose algorithm prints a table about the problem it is given
// and then plans as the default does.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The problem gets two pools instead of its own: a fast one of 10 % to 100 % of
// what the problem needs, and a slow one for the rest. Three planners work on
// the same problem, without the sharing that only the first of them knows:
// gmem; first come, first served, in the order in which buffers become live;
// and the largest first. The last two put each buffer at the lowest free bytes
// of the fast pool, or else of the slow one. All plans are checked.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gmem/planner.h"

static const uint64_t MOST_PAIRS = UINT64_C(1) << 26;
enum { FAST = 0, SLOW = 1 };

static void die(const char *what, const gmem_diag_t *diag) {
  fprintf(stderr, "bench_pools: %s: %s\n", what, diag->text);
  exit(1);
}

static void need(gmem_status_t status, const char *what,
                 const gmem_diag_t *diag) {
  if (status != GMEM_OK)
    die(what, diag);
}

//===--- the simple rules -------------------------------------------------===//

typedef struct rank_s {
  uint64_t key; // the smaller comes first
  uint32_t piece;
} rank_t;

static int compare(const void *a, const void *b) {
  const rank_t *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return x->piece < y->piece ? -1 : 1;
}

static uint64_t end_in_the_way(const gmem_pieces_t *pieces, uint32_t index,
                               const bool *is_placed, uint32_t pool,
                               uint64_t offset) {
  const gmem_piece_t *piece = &pieces->at[index];
  for (size_t i = 0; i < piece->conflict_count; ++i) {
    const gmem_piece_t *other = &pieces->at[piece->conflicts[i]];
    if (is_placed[piece->conflicts[i]] && other->pool == pool &&
        other->offset < offset + piece->size &&
        offset < other->offset + other->size)
      return other->offset + other->size;
  }
  return 0;
}

static bool place_in(gmem_pieces_t *pieces, uint32_t index,
                     const bool *is_placed, uint32_t pool) {
  uint64_t offset = 0, end;
  do {
    if (!gmem_piece_align(pieces, index, pool, &offset))
      return false;
    end = end_in_the_way(pieces, index, is_placed, pool, offset);
    offset = end ? end : offset;
  } while (end);
  pieces->at[index].pool = pool;
  pieces->at[index].offset = offset;
  return true;
}

static uint64_t key_of(const gmem_problem_t *problem, const gmem_piece_t *piece,
                       bool by_size) {
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, piece->buffer);
  return by_size ? ~piece->size
                 : (uint64_t)spec->ranges[0].begin + (UINT64_C(1) << 63);
}

static gmem_status_t run_rule(const gmem_problem_t *problem,
                              gmem_search_t *search, gmem_placement_t *plan,
                              void *user, gmem_diag_t *diag) {
  gmem_pieces_t pieces;
  (void)search;
  need(gmem_pieces_create(problem, MOST_PAIRS, &pieces, diag), "pieces", diag);
  rank_t *ranks = calloc(pieces.count + (size_t)1, sizeof *ranks);
  bool *is_placed = calloc(pieces.count + (size_t)1, sizeof *is_placed);
  if (!ranks || !is_placed)
    exit(1);
  for (uint32_t i = 0; i < pieces.count; ++i)
    ranks[i] = (rank_t){key_of(problem, &pieces.at[i], user != NULL), i};
  qsort(ranks, pieces.count, sizeof *ranks, compare);
  for (uint32_t i = 0; i < pieces.count; ++i) {
    uint32_t index = ranks[i].piece;
    if (!place_in(&pieces, index, is_placed, FAST) &&
        !place_in(&pieces, index, is_placed, SLOW))
      exit(1);
    is_placed[index] = true;
  }
  gmem_status_t status = gmem_pieces_write(&pieces, plan, diag);
  free(ranks);
  free(is_placed);
  gmem_pieces_destroy(&pieces);
  return status;
}

static char yes[] = "by size";
static const gmem_algorithm_t in_order = {"first-come", "", run_rule, NULL};
static const gmem_algorithm_t by_size = {"largest-first", "", run_rule, yes};

//===--- the problem in two pools -----------------------------------------===//

static void copy_relations(const gmem_problem_t *from, bool with_optional,
                           gmem_problem_t *to) {
  gmem_diag_t diag;
  for (size_t i = 0; i < gmem_problem_alias_count(from); ++i)
    if (with_optional || !gmem_problem_alias(from, i)->is_optional)
      need(gmem_problem_add_alias(to, gmem_problem_alias(from, i), &diag),
           "alias", &diag);
  for (size_t i = 0; i < gmem_problem_block_count(from); ++i)
    need(gmem_problem_add_block(to, gmem_problem_block(from, i), &diag),
         "block", &diag);
  for (size_t i = 0; i < gmem_problem_conflict_count(from); ++i) {
    uint32_t a, b;
    gmem_problem_conflict(from, i, &a, &b);
    need(gmem_problem_add_conflict(to, a, b, &diag), "conflict", &diag);
  }
}

static gmem_problem_t *in_two_pools(const gmem_problem_t *from,
                                    uint64_t capacity, bool with_optional) {
  gmem_problem_t *to;
  gmem_diag_t diag;
  uint32_t index;
  gmem_pool_spec_t fast = {
      .name = "fast", .capacity = capacity, .alignment = 1};
  gmem_pool_spec_t slow = {
      .name = "slow", .capacity = GMEM_UNLIMITED, .alignment = 1};
  need(gmem_problem_create(NULL, &to, &diag), "problem", &diag);
  need(gmem_problem_add_pool(to, &fast, &index, &diag), "pool", &diag);
  need(gmem_problem_add_pool(to, &slow, &index, &diag), "pool", &diag);
  for (uint32_t i = 0; i < gmem_problem_buffer_count(from); ++i) {
    gmem_buffer_spec_t spec = *gmem_problem_buffer(from, i);
    spec.pools = NULL;
    spec.has_fixed_offset = false;
    need(gmem_problem_add_buffer(to, &spec, &index, &diag), "buffer", &diag);
  }
  copy_relations(from, with_optional, to);
  return to;
}

//===--- the table --------------------------------------------------------===//

typedef struct stays_s {
  double part;   // of all bytes x uses
  uint64_t peak; // of both pools
} stays_t;

static stays_t measure(const gmem_problem_t *problem,
                       const gmem_algorithm_t *algorithm) {
  gmem_placement_t *plan;
  gmem_plan_figures_t figures;
  gmem_diag_t diag;
  double fast = 0, all = 0;
  need(gmem_plan_create(problem, &plan, &diag), "plan", &diag);
  need(gmem_solve(problem, &(gmem_solve_options_t){.algorithm = algorithm},
                  plan, &figures, &diag),
       algorithm ? algorithm->name : "auto", &diag);
  need(gmem_check(problem, plan, NULL, &diag), "check", &diag);
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, i);
    double traffic = (double)spec->size * (double)(spec->uses ? spec->uses : 1);
    all += traffic;
    fast += plan[i].pool == FAST ? traffic : 0;
  }
  gmem_plan_free(problem, plan);
  return (stays_t){all > 0 ? fast / all : 1, figures.peak};
}

// What the problem needs in one pool, without sharing.
static uint64_t needs(const gmem_problem_t *problem) {
  gmem_problem_t *whole = in_two_pools(problem, GMEM_UNLIMITED, false);
  uint64_t peak = measure(whole, NULL).peak;
  gmem_problem_destroy(whole);
  return peak;
}

static void print_row(const gmem_problem_t *problem, uint64_t peak,
                      uint64_t percent) {
  uint64_t capacity = peak / 100 * percent + peak % 100 * percent / 100;
  gmem_problem_t *plain = in_two_pools(problem, capacity ? capacity : 1, false);
  gmem_problem_t *shared = in_two_pools(problem, capacity ? capacity : 1, true);
  stays_t ours = measure(plain, NULL), first = measure(plain, &in_order);
  stays_t size = measure(plain, &by_size), sharing = measure(shared, NULL);
  printf("| %" PRIu64 " %% | %" PRIu64 " | %.1f %% | %.1f %% | %.1f %% | %.1f "
         "%% |%s\n",
         percent, capacity, 100 * ours.part, 100 * first.part, 100 * size.part,
         100 * sharing.part,
         ours.part < first.part || ours.part < size.part ? " WORSE" : "");
  gmem_problem_destroy(plain);
  gmem_problem_destroy(shared);
}

static gmem_status_t run(const gmem_problem_t *problem, gmem_search_t *search,
                         gmem_placement_t *plan, void *user,
                         gmem_diag_t *diag) {
  const gmem_algorithm_t *standard = gmem_algorithm_find("auto");
  uint64_t peak = needs(problem);
  (void)user;
  printf("%" PRIu32 " buffers, %" PRIu64 " bytes in one pool\n\n"
         "| fast pool | bytes | gmem | first come, first served | largest "
         "first | gmem, with sharing |\n"
         "| --- | --- | --- | --- | --- | --- |\n",
         gmem_problem_buffer_count(problem), peak);
  for (uint64_t percent = 10; percent <= 100; percent += 10)
    print_row(problem, peak, percent);
  fflush(stdout);
  return standard->run(problem, search, plan, standard->user, diag);
}

const gmem_algorithm_t *gmem_algorithm_load(uint32_t version, size_t index) {
  static const gmem_algorithm_t table = {
      "pools-table", "prints what stays in a fast pool", run, NULL};
  return version == GMEM_ALGORITHM_VERSION && index == 0 ? &table : NULL;
}
