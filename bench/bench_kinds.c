// bench_kinds.c - the problems that the benchmarks make, from fixed seeds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench_kinds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void bench_require(gmem_status_t status, const gmem_diag_t *diag) {
  if (status == GMEM_OK)
    return;
  fprintf(stderr, "bench_planner: error: %s\n", diag->text);
  exit(1);
}

double bench_random_unit(uint64_t *seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*seed >> 11) * 0x1p-53;
}

uint64_t bench_random_below(uint64_t *seed, uint64_t count) {
  return (uint64_t)(bench_random_unit(seed) * (double)count);
}

//===--- scale ------------------------------------------------------------===//

static uint64_t random_size(uint64_t *seed) {
  return (uint64_t)(64 * exp2(bench_random_unit(seed) * 14));
}

void bench_generate_chain(bench_buffer_t *buffers, uint32_t count,
                          uint64_t seed) {
  for (uint32_t i = 0; i < count; ++i) {
    bool skips = bench_random_unit(&seed) < 0.1;
    int64_t life = skips ? 3 + (int64_t)bench_random_below(&seed, 20) : 2;
    buffers[i] = (bench_buffer_t){i, i + life, random_size(&seed)};
  }
}

void bench_generate_random(bench_buffer_t *buffers, uint32_t count,
                           uint64_t seed) {
  for (uint32_t i = 0; i < count; ++i) {
    int64_t begin = (int64_t)bench_random_below(&seed, count);
    int64_t life = (int64_t)exp2(bench_random_unit(&seed) * 8);
    buffers[i] = (bench_buffer_t){begin, begin + life, random_size(&seed)};
  }
}

void bench_generate_train(bench_buffer_t *buffers, uint32_t count,
                          uint64_t seed) {
  int64_t steps = count / 2;
  for (uint32_t i = 0; i < count; ++i) {
    int64_t begin = i / 4, end = steps - begin; // forward step i / 4
    if (i % 4 != 0) {
      begin = (int64_t)bench_random_below(&seed, (uint64_t)steps);
      end = begin + 1 + (int64_t)bench_random_below(&seed, 3);
    }
    buffers[i] = (bench_buffer_t){begin, end, random_size(&seed)};
  }
}

const bench_kind_t bench_scale_kinds[3] = {
    {"chain", 64, bench_generate_chain},
    {"random", 64, bench_generate_random},
    {"train", 64, bench_generate_train}};

//===--- dense ------------------------------------------------------------===//

// With sizes of a small spread, the pressure is near its maximum at many times.
static uint64_t similar_size(uint64_t *seed) {
  return 64 * (1 + bench_random_below(seed, 1024));
}

static void generate_uniform(bench_buffer_t *buffers, uint32_t count,
                             uint64_t seed) {
  for (uint32_t i = 0; i < count; ++i) {
    int64_t begin = (int64_t)bench_random_below(&seed, count);
    int64_t life = 1 + (int64_t)bench_random_below(&seed, 160);
    buffers[i] = (bench_buffer_t){begin, begin + life, similar_size(&seed)};
  }
}

static void generate_bursty(bench_buffer_t *buffers, uint32_t count,
                            uint64_t seed) {
  enum { BURST = 100 };
  for (uint32_t i = 0; i < count; ++i) {
    int64_t begin = i / BURST * BURST + (int64_t)bench_random_below(&seed, 10);
    int64_t life = (int64_t)exp2(bench_random_unit(&seed) * 9);
    buffers[i] = (bench_buffer_t){begin, begin + life, similar_size(&seed)};
  }
}

// Call frames: the buffers of a frame live until it returns.
static void generate_nested(bench_buffer_t *buffers, uint32_t count,
                            uint64_t seed) {
  enum { DEPTH = 60, FRAME = 4 };
  uint32_t frames[DEPTH], depth = 0; // first buffer of each open frame
  int64_t time = 0;
  uint32_t next = 0;
  while (next < count || depth > 0) {
    bool calls = next < count && depth < DEPTH &&
                 (depth == 0 || bench_random_unit(&seed) < 0.5 + 0.4 / depth);
    ++time;
    if (calls) {
      frames[depth++] = next;
      for (uint64_t k = 1 + bench_random_below(&seed, FRAME); k && next < count;
           --k)
        buffers[next++] = (bench_buffer_t){time, 0, similar_size(&seed)};
      continue;
    }
    for (uint32_t i = frames[--depth]; i < count && i < frames[depth] + FRAME;
         ++i)
      if (i < next && buffers[i].begin == buffers[frames[depth]].begin)
        buffers[i].end = time;
  }
}

static void generate_phases(bench_buffer_t *buffers, uint32_t count,
                            uint64_t seed) {
  int64_t time = 0;
  for (uint32_t next = 0; next < count;) {
    uint64_t phase = 100 + bench_random_below(&seed, 1900);
    uint64_t held = 10 + bench_random_below(&seed, 90);
    for (uint64_t k = 0; k < held + phase && next < count; ++k) {
      int64_t begin = time + (int64_t)bench_random_below(&seed, phase);
      int64_t life = 1 + (int64_t)exp2(bench_random_unit(&seed) * 7.5);
      if (k < held) {
        begin = time + (int64_t)bench_random_below(&seed, phase / 3);
        life = time + (int64_t)phase - begin;
      }
      buffers[next++] =
          (bench_buffer_t){begin, begin + life, random_size(&seed)};
    }
    time += (int64_t)(phase - bench_random_below(&seed, phase / 4));
  }
}

const bench_kind_t bench_dense_kinds[BENCH_DENSE_KINDS] = {
    {"uniform", 64, generate_uniform},
    {"bursty", 64, generate_bursty},
    {"nested", 64, generate_nested},
    {"phases", 64, generate_phases}};

//===--- tiling -----------------------------------------------------------===//

// A place to cut a side of |length| >= 2 into two pieces of at least 1.
static uint64_t random_cut(uint64_t *seed, uint64_t length) {
  return 1 + bench_random_below(seed, length - 1);
}

static uint64_t life_of(const bench_buffer_t *buffer) {
  return (uint64_t)(buffer->end - buffer->begin);
}

// Cuts |*whole| in two, of which it stays one. Returns false when it is too
// small.
static bool cut(bench_buffer_t *whole, bench_buffer_t *rest, uint64_t *seed) {
  uint64_t life = life_of(whole);
  if (life < 2 || whole->size < 2)
    return false;
  *rest = *whole;
  if (bench_random_unit(seed) < 0.5) {
    rest->begin = whole->end = whole->begin + (int64_t)random_cut(seed, life);
  } else {
    whole->size = random_cut(seed, whole->size);
    rest->size -= whole->size;
  }
  return true;
}

// Turns |*whole| into one arm of a pinwheel, and |rest| into the other three
// and the middle. Where a rectangle lies in the square does not matter: only
// when it is live and its size.
//
//      +---+-------+
//      |   |   2   |   bytes      cuts of time: t < u
//      | 1 +---+---+     ^        cuts of bytes: s < r
//      |   | m |   |     |
//      +---+---+ 3 |     +--> time
//      |   4   |   |
//      +-------+---+
static bool turn(bench_buffer_t *whole, bench_buffer_t *rest, uint64_t *seed) {
  uint64_t life = life_of(whole);
  if (life < 4 || whole->size < 4)
    return false;
  int64_t t = (int64_t)random_cut(seed, life - 1);
  int64_t u = t + (int64_t)random_cut(seed, life - (uint64_t)t);
  uint64_t s = random_cut(seed, whole->size - 1);
  uint64_t r = s + random_cut(seed, whole->size - s);
  int64_t begin = whole->begin, end = whole->end;
  uint64_t size = whole->size;
  *whole = (bench_buffer_t){begin, begin + t, size - s};   // 1
  rest[0] = (bench_buffer_t){begin + t, end, size - r};    // 2
  rest[1] = (bench_buffer_t){begin + u, end, r};           // 3
  rest[2] = (bench_buffer_t){begin, begin + u, s};         // 4
  rest[3] = (bench_buffer_t){begin + t, begin + u, r - s}; // middle
  return true;
}

static void generate_tiling(bench_buffer_t *buffers, uint32_t count,
                            uint64_t seed, bool turns) {
  buffers[0] =
      (bench_buffer_t){0, (int64_t)BENCH_TILING_SIDE, BENCH_TILING_SIDE};
  for (uint32_t made = 1; made < count;) {
    bench_buffer_t *whole = &buffers[bench_random_below(&seed, made)];
    if (turns && count - made >= 4)
      made += turn(whole, &buffers[made], &seed) ? 4 : 0;
    else
      made += cut(whole, &buffers[made], &seed) ? 1 : 0;
  }
}

void bench_generate_guillotine(bench_buffer_t *buffers, uint32_t count,
                               uint64_t seed) {
  generate_tiling(buffers, count, seed, false);
}

void bench_generate_pinwheel(bench_buffer_t *buffers, uint32_t count,
                             uint64_t seed) {
  generate_tiling(buffers, count, seed, true);
}

const bench_kind_t bench_tiling_kinds[2] = {
    {"guillotine", 1, bench_generate_guillotine},
    {"pinwheel", 1, bench_generate_pinwheel}};

//===--- problems ---------------------------------------------------------===//

static void add_buffers(gmem_problem_t *problem, const bench_buffer_t *buffers,
                        uint32_t count) {
  gmem_diag_t diag = {.status = GMEM_OK};
  uint32_t index;
  for (uint32_t i = 0; i < count; ++i) {
    gmem_live_range_t range = {buffers[i].begin, buffers[i].end};
    gmem_buffer_spec_t spec = {.ranges = &range,
                               .range_count = 1,
                               .alignment = 1,
                               .size = buffers[i].size};
    bench_require(gmem_problem_add_buffer(problem, &spec, &index, &diag),
                  &diag);
  }
}

gmem_problem_t *bench_problem(const bench_kind_t *kind, uint32_t count,
                              uint64_t seed,
                              const gmem_allocator_t *allocator) {
  gmem_problem_t *problem = NULL;
  gmem_diag_t diag = {.status = GMEM_OK};
  gmem_pool_spec_t pool = {.name = "memory",
                           .capacity = GMEM_UNLIMITED,
                           .alignment = kind->alignment};
  uint32_t index;
  bench_buffer_t *buffers = malloc(count * sizeof *buffers);
  if (!buffers)
    bench_require(GMEM_ERR_OUT_OF_MEMORY,
                  &(gmem_diag_t){.text = "out of memory"});
  kind->generate(buffers, count, seed);
  bench_require(gmem_problem_create(allocator, &problem, &diag), &diag);
  bench_require(gmem_problem_add_pool(problem, &pool, &index, &diag), &diag);
  add_buffers(problem, buffers, count);
  free(buffers);
  return problem;
}
