// bench_rules.h - the simple rules of other planners, to compare with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_BENCH_RULES_H_
#define GMEM_BENCH_RULES_H_

#include "gmem/planner.h"

// largest-first: by size into the smallest gap, as TFLite's arena; longest-
// first: by live range into the lowest gap; program-order: in order of begin
// into the smallest gap, as LLVM's static memory planner. Fixed buffers come
// first. For problems of one pool at address 0. They share no code with the
// planner. The bytes that are taken are kept as spans in a segment tree over
// time, so that a rule reads as many as there are gaps at the times of a
// buffer.
enum { BENCH_RULES = 3 };
extern const gmem_algorithm_t bench_rules[BENCH_RULES];

// Seconds. A rule that takes longer for a problem fails with GMEM_ERR_TIMEOUT.
extern double bench_rule_limit;

#endif // GMEM_BENCH_RULES_H_
