// plan_cache.h - texts that store plans under the digests of their problems,
// one text per problem (docs/plan-cache.md). C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_problem_digest(problem, digest, &diag);
//   ... // read |text| from the file named by |digest|; none: 0 bytes
//   if (gmem_plan_cache_find(problem, text, length, plan, &about, &diag) !=
//       GMEM_OK) {
//     ... // solve, fill |about|
//     gmem_plan_cache_add(problem, plan, &about, text, length, write, file,
//                         &diag);
//   }
//
// The library does no file I/O: a caller reads and replaces a file as a whole.
// When two processes do so at the same time, the last one wins.

#ifndef GMEM_PLANNER_PLAN_CACHE_H_
#define GMEM_PLANNER_PLAN_CACHE_H_

#include "gmem/planner/effort.h"
#include "gmem/planner/output.h"
#include "gmem/planner/placements.h"

GMEM_BEGIN_C

// Computes a digest of everything that affects a plan: the pools in their
// order, the buffers in a canonical order, conflicts, aliases and blocks. Names
// are ignored, and so is the order in which buffers and relations were added,
// except where large groups of identical buffers conflict with each other: a
// different order may then give a different digest. O(n log n). Fails with
// OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t gmem_problem_digest(const gmem_problem_t *problem,
                                                uint8_t out_digest[32],
                                                gmem_diag_t *diag);

#define GMEM_MAX_ALGORITHM_NAME 63

// The data of a cache entry besides the placements.
typedef struct gmem_cached_plan_s {
  char algorithm[GMEM_MAX_ALGORITHM_NAME + 1]; // printable, without spaces
  gmem_effort_t effort;
  gmem_plan_figures_t figures; // |cancelled| is not stored: always false
} gmem_cached_plan_t;

// Reads the plan of |problem| from the text and writes it to |plan| (one
// placement per buffer). The plan has passed gmem_check and its peak has been
// recomputed; the other fields of *out_about (may be NULL) are read from the
// text, and are right when gmem_plan_cache_add wrote them. A caller that needs
// another algorithm or more effort than *out_about states solves again.
// Fails with NOT_FOUND (0 bytes, or the plan of another problem), CORRUPT
// (|line| of the diagnostic is set) or OUT_OF_MEMORY; after the first two,
// solve the problem. |plan| is unspecified on failure.
GMEM_MUST_USE gmem_status_t gmem_plan_cache_find(
    const gmem_problem_t *problem, const char *text, size_t length,
    gmem_placement_t *plan, gmem_cached_plan_t *out_about, gmem_diag_t *diag);

// Writes the text of |plan|, or that of the plan in the text if this is as
// good: by benefit of its pools, then by peak, then by proof of optimality. A
// text that is invalid, empty or of another problem holds none.
// Fails with the status of gmem_check for |plan|, INVALID_ARGUMENT (a name or
// an effort that cannot be written, a lower bound above the peak) or
// OUT_OF_MEMORY before anything is written, or with the status of |write|.
GMEM_MUST_USE gmem_status_t gmem_plan_cache_add(const gmem_problem_t *problem,
                                                const gmem_placement_t *plan,
                                                const gmem_cached_plan_t *about,
                                                const char *text, size_t length,
                                                gmem_write_fn write, void *user,
                                                gmem_diag_t *diag);

GMEM_END_C
#endif // GMEM_PLANNER_PLAN_CACHE_H_
