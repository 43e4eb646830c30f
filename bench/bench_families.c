// bench_families.c - families of problems of every shape, from fixed seeds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench_families.h"

#include <math.h>
#include <stdlib.h>

//===--- dense, with other numbers for each seed --------------------------===//

// Sizes of a small spread, of three decades, or of a heavy tail, by seed.
static uint64_t varied_size(uint64_t *state, uint64_t seed) {
  double unit = bench_random_unit(state);
  switch (seed % 3) {
  case 0:
    return 64 * (1 + (uint64_t)(unit * 1024));
  case 1:
    return 64 * (uint64_t)exp2(unit * 10);
  default:
    return 64 * (uint64_t)fmin(0x1p16, pow(1 - unit, -0.9));
  }
}

static void generate_heavy(bench_buffer_t *buffers, uint32_t count,
                           uint64_t seed) {
  for (uint32_t i = 0; i < count; ++i) {
    int64_t begin = (int64_t)bench_random_below(&seed, count);
    int64_t life = (int64_t)pow(1 - bench_random_unit(&seed), -0.8);
    uint64_t size = (uint64_t)pow(1 - bench_random_unit(&seed), -1.1);
    life = life < 4096 ? life : 4096;
    buffers[i] = (bench_buffer_t){begin, begin + life,
                                  64 * (size < 65536 ? size : 65536)};
  }
}

static void generate_uniform(bench_buffer_t *buffers, uint32_t count,
                             uint64_t seed) {
  uint64_t state = seed, longest = 80 + 40 * (seed % 5);
  for (uint32_t i = 0; i < count; ++i) {
    int64_t begin = (int64_t)bench_random_below(&state, count);
    int64_t life = 1 + (int64_t)bench_random_below(&state, longest);
    buffers[i] =
        (bench_buffer_t){begin, begin + life, varied_size(&state, seed)};
  }
}

// A burst of buffers begins at about one time; few of them outlive it.
static void generate_bursty(bench_buffer_t *buffers, uint32_t count,
                            uint64_t seed) {
  uint64_t state = seed, burst = 30 + 40 * (seed % 5);
  for (uint32_t i = 0; i < count; ++i) {
    int64_t begin = (int64_t)(i / burst * 100);
    begin += (int64_t)bench_random_below(&state, 1 + 20 * (seed % 4));
    int64_t life = 1 + (int64_t)bench_random_below(&state, 100);
    if (bench_random_unit(&state) < 0.1)
      life = (int64_t)exp2(bench_random_unit(&state) * 11);
    buffers[i] =
        (bench_buffer_t){begin, begin + life, varied_size(&state, seed)};
  }
}

// Call frames; some of their buffers are made later and freed earlier.
static void generate_nested(bench_buffer_t *buffers, uint32_t count,
                            uint64_t seed) {
  enum { DEPTH = 100 };
  struct {
    uint32_t first, last;
  } frames[DEPTH];
  uint64_t state = seed, most = 2 + seed % 5;
  uint32_t depth = 0, next = 0;
  int64_t time = 0;
  while (next < count || depth > 0) {
    bool calls =
        next < count && depth < DEPTH &&
        (depth == 0 || bench_random_unit(&state) < 0.5 + 0.5 / (depth + 1));
    time += 4;
    if (calls) {
      frames[depth].first = next;
      for (uint64_t k = 1 + bench_random_below(&state, most); k && next < count;
           --k)
        buffers[next++] = (bench_buffer_t){
            time + (seed % 2 ? (int64_t)bench_random_below(&state, 3) : 0), 0,
            varied_size(&state, seed)};
      frames[depth++].last = next;
      continue;
    }
    --depth;
    for (uint32_t i = frames[depth].first; i < frames[depth].last; ++i)
      buffers[i].end =
          time + (seed % 2 ? (int64_t)bench_random_below(&state, 3) : 0);
  }
}

//===--- the table --------------------------------------------------------===//

enum { ALL = 1000000, TILES = 10000 };

const bench_family_t bench_families[BENCH_FAMILIES] = {
    {"heavy-tailed", {"", 64, generate_heavy}, .most = ALL},
    {"nested", {"", 64, generate_nested}, .most = ALL},
    {"bursty", {"", 64, generate_bursty}, .most = ALL},
    {"uniform", {"", 64, generate_uniform}, .most = ALL},
    {"training", {"", 64, bench_generate_train}, .most = ALL},
    {"chains", {"", 64, bench_generate_chain}, .most = ALL},
    {"guillotine", {"", 1, bench_generate_guillotine}, .most = TILES},
    {"pinwheel", {"", 1, bench_generate_pinwheel}, .most = TILES},
    {"slack", {"", 1, bench_generate_pinwheel}, .most = TILES, .dropped = 100},
    {"alignment",
     {"", 1, bench_generate_random},
     .most = ALL,
     .is_unlike = true},
    {"gaps", {"", 64, bench_generate_random}, .most = ALL, .has_gaps = true},
    {"pins", {"", 64, bench_generate_random}, .most = ALL, .pinned = 20},
    {"dense-alignment",
     {"", 1, generate_bursty},
     .most = ALL,
     .is_unlike = true},
    {"dense-gaps", {"", 64, generate_bursty}, .most = ALL, .has_gaps = true},
    {"dense-pins", {"", 64, generate_bursty}, .most = ALL, .pinned = 20},
};

//===--- problems ---------------------------------------------------------===//

// Fixed buffers lie one above the other while they are live, so that they never
// overlap, a few bytes apart.
typedef struct pins_s {
  int64_t until; // the last end of the pinned ones of this stack
  uint64_t top;
} pins_t;

static void pin(gmem_buffer_spec_t *spec, pins_t *pins, uint64_t *state) {
  int64_t begin = spec->ranges[0].begin;
  int64_t end = spec->ranges[spec->range_count - 1].end;
  if (begin >= pins->until || pins->top > UINT64_C(64) << 14)
    *pins = (pins_t){pins->until, 0};
  if (begin < pins->until && pins->top == 0)
    return; // the next stack begins when this one is no longer live
  spec->has_fixed_offset = true;
  spec->fixed_offset = pins->top + 64 * bench_random_below(state, 256);
  pins->top = spec->fixed_offset + (spec->size + 63) / 64 * 64;
  pins->until = end > pins->until ? end : pins->until;
}

static void add_gaps(gmem_live_range_t ranges[3], gmem_buffer_spec_t *spec,
                     uint64_t *state) {
  gmem_live_range_t whole = ranges[0];
  int64_t life = whole.end - whole.begin;
  uint64_t count = bench_random_below(state, 3);
  if (life < 8)
    return;
  if (count == 2) {
    ranges[1].begin = whole.begin + life * 3 / 8;
    ranges[1].end = whole.begin + life * 5 / 8;
    ranges[2] = (gmem_live_range_t){whole.begin + life * 7 / 8, whole.end};
    ranges[0].end = whole.begin + life / 4;
  } else if (count == 1) {
    ranges[0].end = whole.begin + life / 3;
    ranges[1] = (gmem_live_range_t){whole.begin + life * 2 / 3, whole.end};
  }
  spec->range_count = (size_t)count + 1;
}

static int by_begin(const void *a, const void *b) {
  const bench_buffer_t *x = a, *y = b;
  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  if (x->end != y->end)
    return x->end < y->end ? -1 : 1;
  return (x->size > y->size) - (x->size < y->size);
}

static void add_buffer(gmem_problem_t *problem, const bench_family_t *family,
                       const bench_buffer_t *buffer, pins_t *pins,
                       uint64_t *state) {
  gmem_diag_t diag = {.status = GMEM_OK};
  gmem_live_range_t ranges[3] = {{buffer->begin, buffer->end}};
  gmem_buffer_spec_t spec = {
      .ranges = ranges, .range_count = 1, .alignment = 1, .size = buffer->size};
  uint32_t index;
  if (family->dropped && bench_random_below(state, family->dropped) == 0)
    return;
  if (family->has_gaps)
    add_gaps(ranges, &spec, state);
  if (family->is_unlike) {
    spec.alignment = UINT64_C(1) << bench_random_below(state, 13);
    spec.size += bench_random_below(state, 64);
  }
  if (family->pinned && bench_random_below(state, family->pinned) == 0)
    pin(&spec, pins, state);
  bench_require(gmem_problem_add_buffer(problem, &spec, &index, &diag), &diag);
}

gmem_problem_t *bench_family_problem(const bench_family_t *family,
                                     uint32_t count, uint64_t seed) {
  gmem_problem_t *problem = NULL;
  gmem_diag_t diag = {.status = GMEM_OK};
  gmem_pool_spec_t pool = {.name = "memory",
                           .capacity = GMEM_UNLIMITED,
                           .alignment = family->kind.alignment};
  uint32_t index;
  uint64_t state = seed;
  pins_t pins = {.until = INT64_MIN};
  bench_buffer_t *buffers = calloc(count, sizeof *buffers);
  if (!buffers)
    bench_require(GMEM_ERR_OUT_OF_MEMORY,
                  &(gmem_diag_t){.text = "out of memory"});
  family->kind.generate(buffers, count, seed);
  qsort(buffers, count, sizeof *buffers, by_begin);
  bench_require(gmem_problem_create(NULL, &problem, &diag), &diag);
  bench_require(gmem_problem_add_pool(problem, &pool, &index, &diag), &diag);
  for (uint32_t i = 0; i < count; ++i)
    add_buffer(problem, family, &buffers[i], &pins, &state);
  free(buffers);
  return problem;
}
