// bench_aliases.h - problems with optional aliases that the benchmarks make.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_BENCH_ALIASES_H_
#define GMEM_BENCH_ALIASES_H_

#include "gmem/planner.h"

typedef struct bench_network_s bench_network_t;

typedef struct bench_alias_kind_s {
  const char *name;
  // Adds ops until there are about |count| results.
  void (*generate)(bench_network_t *network, uint32_t count);
} bench_alias_kind_t;

// inplace: one chain of results of one size, each may replace the one before;
// residual: x + f(x), written over x or over f(x), f with one op in place;
// dense: each layer reads the concatenation of all before, in blocks of 16;
// concat: one of all; slices: a value cut into 16, each changed in place, and
// put together again; shuffled: concat, its operands made in no order; mixed:
// all kinds of ops on whatever was made a little before.
enum { BENCH_ALIAS_KINDS = 7 };
extern const bench_alias_kind_t bench_alias_kinds[BENCH_ALIAS_KINDS];

// A new problem of one pool, as the ops need it or without their optional
// aliases. Ends the program when there is no memory.
gmem_problem_t *bench_alias_problem(const bench_alias_kind_t *kind,
                                    uint32_t count, bool with_aliases);

#endif // GMEM_BENCH_ALIASES_H_
