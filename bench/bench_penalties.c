// bench_penalties.c - what plans pay for soft constraints: 204 problems from
// fixed seeds, of the kinds that kernels of tile-based accelerators have.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A kernel is a sequence of statements on engines (two that load and store, one
// or two that compute). Each statement reads some of the last tiles and makes
// one, of one of a few sizes. Two tiles of different engines that are never
// live together may share bytes, but then the engine that makes the later one
// waits for the engine that reads the earlier one: a penalty, for a part of
// these pairs. "pipelined" kernels load tiles some statements ahead; "random"
// ones have lives of any length, and penalties of 1 to 9.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gmem/planner.h"

enum { SEEDS = 17, MOST = 250 };

typedef enum family_e { VECTOR, PIPELINED, RANDOM } family_t;

static const struct {
  const char *name;
  family_t family;
  uint32_t count; // buffers
} rows[] = {{"vector", VECTOR, 12},        {"vector", VECTOR, 40},
            {"vector", VECTOR, 120},       {"vector", VECTOR, 250},
            {"pipelined", PIPELINED, 12},  {"pipelined", PIPELINED, 40},
            {"pipelined", PIPELINED, 120}, {"pipelined", PIPELINED, 250},
            {"random", RANDOM, 12},        {"random", RANDOM, 40},
            {"random", RANDOM, 120},       {"random", RANDOM, 250}};
enum { ROWS = sizeof rows / sizeof *rows };

typedef struct tile_s {
  int64_t begin, end;
  uint32_t engine, reader; // that writes it first, that reads it last
  uint64_t size;
} tile_t;

//===--- problems ---------------------------------------------------------===//

static uint32_t below(uint64_t *seed, uint32_t limit) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*seed >> 33) % limit;
}

static void need(gmem_status_t status) {
  if (status == GMEM_OK)
    return;
  fprintf(stderr, "bench_penalties: status %d\n", (int)status);
  exit(1);
}

static void make_tiles(family_t family, uint32_t count, uint64_t *seed,
                       tile_t *tiles) {
  static const uint64_t sizes[] = {256, 1024, 2048, 4096, 8192, 16384};
  uint32_t ahead = family == PIPELINED ? 2 + below(seed, 4) : 0;
  uint32_t engines = 3 + below(seed, 2);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t engine = below(seed, engines);
    uint32_t life = 1 + below(seed, family == RANDOM ? count / 3 + 2 : 5);
    int64_t begin = 2 * (int64_t)i + 1;
    if (engine == 0 && begin > 2 * (int64_t)ahead) // a load
      begin -= 2 * (int64_t)ahead;
    tiles[i] = (tile_t){.begin = begin,
                        .end = 2 * (int64_t)(i + life) + 1,
                        .engine = engine,
                        .reader = below(seed, engines),
                        .size = sizes[below(seed, 6)]};
    if (family == RANDOM)
      tiles[i].size = 32 * (1 + below(seed, 300));
  }
}

// Of the pairs that would wait for each other one in |one_in| has a penalty.
static void add_penalties(gmem_problem_t *problem, const tile_t *tiles,
                          uint32_t count, uint32_t one_in, bool is_weighted,
                          uint64_t *seed) {
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t k = 0; k < count; ++k)
      if (tiles[i].end <= tiles[k].begin &&
          tiles[i].reader != tiles[k].engine && below(seed, one_in) == 0)
        need(gmem_problem_add_constraint(
            problem,
            &(gmem_constraint_t){.kind = GMEM_APART,
                                 .first = i,
                                 .second = k,
                                 .penalty =
                                     is_weighted ? 1 + below(seed, 9) : 1},
            NULL));
}

// With |capacity| 0: any.
static gmem_problem_t *make(size_t row, uint64_t number, uint64_t capacity) {
  uint64_t seed = 1000 * (row + 1) + number;
  uint32_t count = rows[row].count, index;
  tile_t tiles[MOST];
  gmem_problem_t *problem = NULL;
  need(gmem_problem_create(NULL, &problem, NULL));
  need(gmem_problem_add_pool(
      problem,
      &(gmem_pool_spec_t){.name = "buffer",
                          .capacity = capacity ? capacity : GMEM_UNLIMITED,
                          .alignment = 32},
      &index, NULL));
  make_tiles(rows[row].family, count, &seed, tiles);
  for (uint32_t i = 0; i < count; ++i) {
    gmem_live_range_t range = {tiles[i].begin, tiles[i].end};
    need(gmem_problem_add_buffer(problem,
                                 &(gmem_buffer_spec_t){.name = "tile",
                                                       .size = tiles[i].size,
                                                       .alignment = 32,
                                                       .ranges = &range,
                                                       .range_count = 1},
                                 &index, NULL));
  }
  static const uint32_t densities[] = {1, 3, 10};
  add_penalties(problem, tiles, count, densities[number % 3],
                rows[row].family == RANDOM, &seed);
  return problem;
}

//===--- the table --------------------------------------------------------===//

typedef struct sums_s {
  uint64_t before, paid, bound;
  int proved, zero;
} sums_t;

static void solve(const gmem_problem_t *problem, gmem_objective_t objective,
                  gmem_effort_t effort, sums_t *sums, uint64_t *out_peak) {
  static gmem_placement_t plan[MOST];
  gmem_plan_figures_t figures;
  gmem_penalty_figures_t paid;
  gmem_solve_options_t options = {.struct_size = sizeof options,
                                  .effort = effort,
                                  .objective = objective,
                                  .penalties = &paid};
  need(gmem_solve(problem, &options, plan, &figures, NULL));
  need(paid.penalty == gmem_plan_penalty(problem, plan) ? GMEM_OK
                                                        : GMEM_ERR_CORRUPT);
  *out_peak = figures.peak;
  sums->before += paid.penalty_before;
  sums->paid += paid.penalty;
  sums->bound += paid.lower_bound;
  sums->proved += paid.optimal;
  sums->zero += paid.penalty == 0;
}

static void print_sums(const sums_t *sums) {
  printf(" %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %3d/%d |", sums->before,
         sums->paid, sums->bound, sums->proved, SEEDS);
}

static void print_row(size_t row, gmem_effort_t effort, int *proved) {
  sums_t sums[3] = {{0}};
  clock_t start = clock();
  for (uint64_t number = 0; number < SEEDS; ++number) {
    uint64_t peak, ignored;
    gmem_problem_t *problem = make(row, number, 0);
    solve(problem, GMEM_OBJECTIVE_PEAK, effort, &sums[0], &peak);
    gmem_problem_destroy(problem);
    for (int k = 1; k < 3; ++k) { // capacities of 1.25 and 1.5 times the peak
      problem = make(row, number, peak + peak / 4 * (uint64_t)k);
      solve(problem, GMEM_OBJECTIVE_PENALTY, effort, &sums[k], &ignored);
      gmem_problem_destroy(problem);
    }
  }
  printf("%-9s %4" PRIu32 " |", rows[row].name, rows[row].count);
  for (int k = 0; k < 3; ++k) {
    print_sums(&sums[k]);
    proved[k] += sums[k].proved;
  }
  printf(" %6.1f\n", (double)(clock() - start) / CLOCKS_PER_SEC);
  fflush(stdout);
}

static bool parse(int argc, char **argv, gmem_effort_t *effort,
                  uint32_t *only) {
  for (int i = 1; i < argc; ++i) {
    if (strncmp(argv[i], "--only=", 7) == 0)
      *only = (uint32_t)strtoul(argv[i] + 7, NULL, 10);
    else if (strncmp(argv[i], "--effort=", 9) != 0 ||
             !gmem_effort_find(argv[i] + 9, effort))
      return false;
  }
  return true;
}

int main(int argc, char **argv) {
  gmem_effort_t effort = GMEM_EFFORT_FAST;
  int proved[3] = {0, 0, 0}, problems = 0;
  uint32_t only = 0;
  if (!parse(argc, argv, &effort, &only)) {
    fprintf(stderr, "usage: bench_penalties [--effort=LEVEL] [--only=TILES]\n");
    return 2;
  }
  printf("penalties, effort %s: of the plans that ignore them, paid, lower "
         "bound, proved\n",
         gmem_effort_name(effort));
  printf("%-14s | %-34s | %-34s | %-34s | seconds\n", "kernels, tiles",
         "at the least peak", "within 1.25 x that", "within 1.5 x that");
  for (size_t row = 0; row < ROWS; ++row) {
    if (only && rows[row].count != only)
      continue;
    print_row(row, effort, proved);
    problems += SEEDS;
  }
  printf("proved: %d, %d and %d of %d\n", proved[0], proved[1], proved[2],
         problems);
  return 0;
}
