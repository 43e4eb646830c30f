// csv.h - problems and plans as CSV text (docs/problem-csv.md). C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   id,lower,upper,size,offset
//   a,0,2,1024,0
//   b,1,3,2048,1024
//
// The columns are those of minimalloc's files.

#ifndef GMEM_PLANNER_CSV_H_
#define GMEM_PLANNER_CSV_H_

#include "gmem/planner/output.h"
#include "gmem/planner/placements.h"

GMEM_BEGIN_C

#define GMEM_ALL_POOLS UINT32_MAX

// Reads a problem from CSV text.
//
// A header line names the columns, in any order: id, lower, upper, size, and
// optionally alignment, gaps, pools, fixed, uses, and for a plan offset and
// pool. The live range is [lower, upper); gaps ("5-7 9-12") are half-open
// intervals strictly inside it at which the buffer is not live. The alternative
// column names of minimalloc are accepted; a column `end` holds the last time
// of the live range, inclusive. An unknown column is an error. Fields may be
// quoted (RFC 4180) but must not continue on the next line. Ids contain no
// control characters and need not be unique. Lines may end in CR LF; blank
// lines are skipped.
//
// |pools| are the pools of the problem, which the text refers to by name. When
// |out_plan| is not NULL and there is a column `offset`, *out_plan is an array
// of the placements (free it with gmem_plan_free), otherwise NULL. Fails with
// PARSE or OUT_OF_RANGE (|line| of the diagnostic is set), OUT_OF_MEMORY, or
// as gmem_problem_add_pool does for |pools|.
GMEM_MUST_USE gmem_status_t gmem_csv_read(const char *text, size_t length,
                                          const gmem_pool_spec_t *pools,
                                          size_t pool_count,
                                          const gmem_allocator_t *allocator,
                                          gmem_problem_t **out_problem,
                                          gmem_placement_t **out_plan,
                                          gmem_diag_t *diag);

// Writes buffers in the same columns: with |plan|, those placed in |pool| and
// their offsets; without, those that have |pool| as a candidate. With
// GMEM_ALL_POOLS all buffers are written, with pool names if there are several
// pools. Columns with only default values (every alignment 1, no gaps) are
// omitted. A buffer without a name gets its index as id. Fails with the status
// of |write|, or with INVALID_ARGUMENT before anything is written: a name with
// a control character, a pool name with a space where a list contains it, or
// conflicts, constraints, aliases, blocks or branches, which CSV has no columns
// for.
GMEM_MUST_USE gmem_status_t gmem_csv_write(const gmem_problem_t *problem,
                                           const gmem_placement_t *plan,
                                           uint32_t pool, gmem_write_fn write,
                                           void *user, gmem_diag_t *diag);

GMEM_END_C
#endif // GMEM_PLANNER_CSV_H_
