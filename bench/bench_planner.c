// bench_planner.c - how tight and how fast the planner is on large problems.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   bench_planner            the default table, below a minute
//   bench_planner 1000000    all three kinds with that many buffers; algorithms
//                            that would need more than minutes are left out
//
// Kinds: chain (buffer i lives [i, i + 2), one in ten is read much later),
// random (uniform begins, lives log-uniform in 1..256) and train (a quarter are
// activations that live until their mirrored backward step, the others are
// short). Sizes are 64 * 2^U(0, 14). The seed is fixed.

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gmem/planner.h"

typedef struct text_s {
  char *bytes;
  size_t length, capacity;
} text_t;

typedef gmem_live_range_t (*life_fn)(uint32_t index, uint32_t count,
                                     uint64_t *seed);

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void require(gmem_status_t status, const gmem_diag_t *diag) {
  if (status == GMEM_OK)
    return;
  fprintf(stderr, "bench_planner: error: %s\n", diag->text);
  exit(1);
}

//===--- problems ---------------------------------------------------------===//

// A number in [0, 1).
static double random_unit(uint64_t *seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*seed >> 11) * 0x1p-53;
}

static gmem_live_range_t chain_life(uint32_t index, uint32_t count,
                                    uint64_t *seed) {
  (void)count;
  bool skips = random_unit(seed) < 0.1;
  int64_t life = skips ? 3 + (int64_t)(random_unit(seed) * 20) : 2;
  return (gmem_live_range_t){index, index + life};
}

static gmem_live_range_t random_life(uint32_t index, uint32_t count,
                                     uint64_t *seed) {
  (void)index;
  int64_t begin = (int64_t)(random_unit(seed) * count);
  return (gmem_live_range_t){begin,
                             begin + (int64_t)exp2(random_unit(seed) * 8)};
}

static gmem_live_range_t train_life(uint32_t index, uint32_t count,
                                    uint64_t *seed) {
  int64_t steps = count / 2;
  if (index % 4 == 0) // the activation of forward step index / 4
    return (gmem_live_range_t){index / 4, steps - index / 4};
  int64_t begin = (int64_t)(random_unit(seed) * (double)steps);
  return (gmem_live_range_t){begin,
                             begin + 1 + (int64_t)(random_unit(seed) * 3)};
}

static gmem_problem_t *generate(life_fn life, uint32_t count) {
  gmem_problem_t *problem = NULL;
  gmem_diag_t diag = {.status = GMEM_OK};
  gmem_pool_spec_t pool = {
      .name = "memory", .capacity = GMEM_UNLIMITED, .alignment = 64};
  uint64_t seed = 1;
  uint32_t index;
  require(gmem_problem_create(NULL, &problem, &diag), &diag);
  require(gmem_problem_add_pool(problem, &pool, &index, &diag), &diag);
  for (uint32_t i = 0; i < count; ++i) {
    gmem_live_range_t range = life(i, count, &seed);
    gmem_buffer_spec_t spec = {
        .ranges = &range, .range_count = 1, .alignment = 1};
    spec.size = (uint64_t)(64 * exp2(random_unit(&seed) * 14));
    require(gmem_problem_add_buffer(problem, &spec, &index, &diag), &diag);
  }
  return problem;
}

//===--- measurements -----------------------------------------------------===//

static gmem_status_t append(void *user, const char *bytes, size_t length) {
  text_t *text = user;
  if (text->capacity - text->length < length) {
    size_t capacity = 2 * text->capacity + length;
    char *grown = realloc(text->bytes, capacity);
    if (!grown)
      return GMEM_ERR_OUT_OF_MEMORY;
    text->bytes = grown;
    text->capacity = capacity;
  }
  memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
  return GMEM_OK;
}

static double seconds_to_read(const gmem_problem_t *problem) {
  text_t text = {NULL, 0, 0};
  gmem_problem_t *read = NULL;
  gmem_diag_t diag = {.status = GMEM_OK};
  gmem_pool_spec_t pool = *gmem_problem_pool(problem, 0);
  require(gmem_csv_write(problem, NULL, 0, append, &text, &diag), &diag);
  double start = now();
  require(gmem_csv_read(text.bytes, text.length, &pool, 1, NULL, &read, NULL,
                        &diag),
          &diag);
  double seconds = now() - start;
  gmem_problem_destroy(read);
  free(text.bytes);
  return seconds;
}

static void measure(const char *kind, const gmem_problem_t *problem,
                    const gmem_algorithm_t *algorithm, double read_seconds) {
  uint32_t count = gmem_problem_buffer_count(problem);
  gmem_placement_t *plan = malloc(count * sizeof *plan);
  if (!plan)
    exit(1);
  gmem_diag_t diag = {.status = GMEM_OK};
  gmem_plan_figures_t figures;
  double start = now();
  require(gmem_solve(problem, &(gmem_solve_options_t){.algorithm = algorithm},
                     plan, &figures, &diag),
          &diag);
  double solved = now();
  require(gmem_check(problem, plan, NULL, &diag), &diag);
  double checked = now();
  printf("%-8s %8" PRIu32 "  %-16s %11.4f %10.4f %10.4f %10.4f\n", kind, count,
         algorithm->name, (double)figures.peak / (double)figures.lower_bound,
         solved - start, checked - solved, read_seconds);
  fflush(stdout);
  free(plan);
}

// O(n^2): 20,000 buffers take about a second, 1,000,000 the better part of an
// hour.
static bool is_too_slow(const gmem_algorithm_t *algorithm, uint32_t count) {
  return strcmp(algorithm->name, "greedy-by-size") == 0 && count > 50000;
}

static void bench(const char *kind, life_fn life, uint32_t count) {
  gmem_problem_t *problem = generate(life, count);
  double read_seconds = seconds_to_read(problem);
  for (size_t i = 0; i < gmem_algorithm_count(); ++i)
    if (!is_too_slow(gmem_algorithm_at(i), count))
      measure(kind, problem, gmem_algorithm_at(i), read_seconds);
  gmem_problem_destroy(problem);
}

int main(int argc, char **argv) {
  static const uint32_t counts[] = {1000, 20000, 1000000};
  long only = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
  if (only < 0 || only > 100000000 || (argc > 1 && only == 0)) {
    fprintf(stderr, "usage: bench_planner [BUFFERS]\n");
    return 2;
  }
  printf("%-8s %8s  %-16s %11s %10s %10s %10s\n", "problem", "n", "algorithm",
         "peak/bound", "solve s", "check s", "CSV s");
  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
    uint32_t count = only ? (uint32_t)only : counts[i];
    bench("chain", chain_life, count);
    bench("random", random_life, count);
    bench("train", train_life, count);
    if (only)
      break;
  }
  return 0;
}
