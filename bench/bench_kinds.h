// bench_kinds.h - the problems that the benchmarks make, from fixed seeds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_BENCH_KINDS_H_
#define GMEM_BENCH_KINDS_H_

#include "gmem/planner.h"

// One buffer: live in [begin, end).
typedef struct bench_buffer_s {
  int64_t begin, end;
  uint64_t size; // bytes
} bench_buffer_t;

typedef struct bench_kind_s {
  const char *name;
  uint64_t alignment; // of the pool
  // Fills |buffers|, of which there are |count|.
  void (*generate)(bench_buffer_t *buffers, uint32_t count, uint64_t seed);
} bench_kind_t;

// chain: buffer i lives [i, i + 2), one in ten is read much later; random:
// uniform begins, lives log-uniform in 1..256; train: a quarter are activations
// that live until their mirrored backward step, the others are short. Sizes are
// 64 * 2^U(0, 14).
extern const bench_kind_t bench_scale_kinds[3];

// uniform: uniform begins, lives of 1 to 160 steps; bursty: 100 buffers begin
// within 10 steps of every 100, lives log-uniform in 1..512; nested: frames of
// calls up to 60 deep, whose buffers live until the frame returns; phases: some
// buffers for a phase, many for a part of it. Each buffer interferes with some
// 100 to 250 others.
enum { BENCH_DENSE_KINDS = 4 };
extern const bench_kind_t bench_dense_kinds[BENCH_DENSE_KINDS];

// guillotine, pinwheel: a square of BENCH_TILING_SIDE bytes and steps cut into
// rectangles by straight cuts, or by turning five around a middle one. Nothing
// is left over, so the side is the lowest peak.
#define BENCH_TILING_SIDE (UINT64_C(1) << 20)
extern const bench_kind_t bench_tiling_kinds[2];

// The generators of these tables that others use.
void bench_generate_chain(bench_buffer_t *buffers, uint32_t count,
                          uint64_t seed);
void bench_generate_random(bench_buffer_t *buffers, uint32_t count,
                           uint64_t seed);
void bench_generate_train(bench_buffer_t *buffers, uint32_t count,
                          uint64_t seed);
void bench_generate_guillotine(bench_buffer_t *buffers, uint32_t count,
                               uint64_t seed);
void bench_generate_pinwheel(bench_buffer_t *buffers, uint32_t count,
                             uint64_t seed);

// A number in [0, 1); changes the state of the generator.
double bench_random_unit(uint64_t *seed);

// A number in [0, count).
uint64_t bench_random_below(uint64_t *seed, uint64_t count);

// A new problem of one pool. Ends the program when there is no memory.
gmem_problem_t *bench_problem(const bench_kind_t *kind, uint32_t count,
                              uint64_t seed, const gmem_allocator_t *allocator);

// Ends the program with the message of |diag| unless |status| is GMEM_OK.
void bench_require(gmem_status_t status, const gmem_diag_t *diag);

#endif // GMEM_BENCH_KINDS_H_
