// bench_families.h - families of problems of every shape, from fixed seeds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_BENCH_FAMILIES_H_
#define GMEM_BENCH_FAMILIES_H_

#include "bench_kinds.h"

// A family: a kind, and the changes made to its buffers.
typedef struct bench_family_s {
  const char *name;
  bench_kind_t kind;
  uint32_t most;    // buffers: larger ones are not made
  bool has_gaps;    // two in three buffers are live twice or three times
  bool is_unlike;   // alignments of 1 to 4096, and sizes of any number
  uint32_t pinned;  // one in so many buffers has a fixed offset; 0: none
  uint32_t dropped; // one in so many buffers is left out; 0: none
} bench_family_t;

// heavy-tailed: sizes of a Pareto distribution; nested, bursty, uniform: dense,
// with another length of lives, of bursts and of calls for each seed; training,
// chains; tilings: squares cut into rectangles; slack: these without one in a
// hundred; alignment, gaps, pins: random ones with these; dense-alignment,
// dense-gaps, dense-pins: bursty ones.
enum { BENCH_FAMILIES = 15 };
extern const bench_family_t bench_families[BENCH_FAMILIES];

// A new problem of one pool and about |count| buffers.
gmem_problem_t *bench_family_problem(const bench_family_t *family,
                                     uint32_t count, uint64_t seed);

#endif // GMEM_BENCH_FAMILIES_H_
