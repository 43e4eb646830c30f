// problem.h - a planning problem: pools, buffers with live ranges, and the
// constraints between buffers. C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_problem_t *problem = NULL;
//   uint32_t sram = 0, id = 0;
//   gmem_problem_create(NULL, &problem, &diag);
//   gmem_problem_add_pool(problem, &(gmem_pool_spec_t){.name = "sram",
//       .capacity = 65536, .alignment = 64}, &sram, &diag);
//   gmem_problem_add_buffer(problem, &(gmem_buffer_spec_t){.name = "a",
//       .size = 1024, .alignment = 64, .range_count = 1,
//       .ranges = &(gmem_live_range_t){0, 2}}, &id, &diag);
//   gmem_problem_destroy(problem);
//
// Pools and buffers are identified by their index in order of addition: 0, 1,
// ... A problem may be read by any number of threads at a time; additions need
// exclusive access.

#ifndef GMEM_PLANNER_PROBLEM_H_
#define GMEM_PLANNER_PROBLEM_H_

#include <stdbool.h>

#include "gmem/status.h"

GMEM_BEGIN_C

#define GMEM_UNLIMITED UINT64_MAX
// Largest address, offset or size, in bytes. Sums are checked against it.
#define GMEM_MAX_ADDRESS ((uint64_t)INT64_MAX)
#define GMEM_MAX_ALIGNMENT (UINT64_C(1) << 40)
#define GMEM_NO_BUFFER UINT32_MAX

typedef struct gmem_problem_s gmem_problem_t;

//===--- specifications ---------------------------------------------------===//

// Half-open interval [begin, end) of abstract time, begin < end.
typedef struct gmem_live_range_s {
  int64_t begin;
  int64_t end;
} gmem_live_range_t;

// A range of addresses that buffers are placed in.
typedef struct gmem_pool_spec_s {
  const char *name;   // unique in the problem, not empty
  uint64_t capacity;  // bytes, or GMEM_UNLIMITED
  uint64_t alignment; // power of two: every address in the pool is a multiple
  uint64_t base;      // address of offset 0; address = base + offset
  uint32_t speed;     // benefit of one access to one byte, relative to the
                      //   other pools: larger is better; 0: unspecified
} gmem_pool_spec_t;

// One arm of a choice, such as a branch of an `if`. Two buffers in different
// arms of one choice never exist in the same execution: they may share bytes
// even when their live ranges overlap.
typedef struct gmem_branch_s {
  uint32_t choice; // any number that identifies the choice
  uint32_t arm;    // any number that identifies the arm within the choice
} gmem_branch_t;

typedef struct gmem_buffer_spec_s {
  const char *name;   // for messages and files; need not be unique, may be ""
  uint64_t size;      // bytes; a buffer of size 0 interferes with no other
  uint64_t alignment; // power of two, of its address; the pool's applies too
  // Sorted, disjoint. Those that touch are stored as one.
  const gmem_live_range_t *ranges;
  size_t range_count;    // at least 1
  const uint32_t *pools; // candidates, best first, each once; NULL: all pools
  size_t pool_count;
  bool has_fixed_offset; // placed by the caller: in pools[0] at fixed_offset
  uint64_t fixed_offset; // bytes from the start of the pool
  uint64_t uses; // number of reads and writes; weighs the benefit of a faster
                 //   pool; 0 counts as 1
  const gmem_branch_t *branches; // sorted by choice, each choice once
  size_t branch_count;
} gmem_buffer_spec_t;

// |child| is a view of |parent| that starts |offset| bytes into it.
typedef struct gmem_alias_spec_s {
  uint32_t child, parent; // buffers
  uint64_t offset;        // bytes from the start of |parent|
  bool is_optional; // the planner decides: either the child is placed exactly
                    //   there, and the two may then share bytes even when both
                    //   are live (an op that can execute in place), or the
                    //   alias has no effect
  uint32_t kind; // any number: the planner also tries to use only the optional
                 //   aliases of some kinds, and keeps the best plan
} gmem_alias_spec_t;

// Buffers that are placed one after the other in this order, each at the first
// multiple of its alignment after the end of the previous one, measured from
// the start of the first.
typedef struct gmem_block_spec_s {
  const uint32_t *buffers;
  size_t count;
} gmem_block_spec_t;

//===--- construction -----------------------------------------------------===//

// Creates an empty problem. |allocator| is copied (NULL: libc); the object its
// |user| points to must outlive the problem.
// Fails with OUT_OF_MEMORY; *out_problem is then NULL.
GMEM_MUST_USE gmem_status_t
gmem_problem_create(const gmem_allocator_t *allocator,
                    gmem_problem_t **out_problem, gmem_diag_t *diag);

// Frees the problem and every name and array in it. NULL is allowed.
void gmem_problem_destroy(gmem_problem_t *problem);

// Buffers that are added from now on refer to the ranges, candidate pools and
// branches of their specs, which must outlive the problem unchanged, instead of
// to copies of them. Names are copied all the same, and so are the arrays of a
// buffer with ranges that touch. |problem| is not NULL; like all that changes a
// problem, no other thread may use it meanwhile.
void gmem_problem_borrow(gmem_problem_t *problem);

// Adds a pool; everything |spec| points to is copied. *out_pool is its index.
// Fails with INVALID_ARGUMENT (name missing or in use, alignment not a power of
// two, capacity 0, misaligned base), OUT_OF_RANGE or OUT_OF_MEMORY; the problem
// is then unchanged.
GMEM_MUST_USE gmem_status_t gmem_problem_add_pool(gmem_problem_t *problem,
                                                  const gmem_pool_spec_t *spec,
                                                  uint32_t *out_pool,
                                                  gmem_diag_t *diag);

// Adds a buffer; everything |spec| points to is copied, unless
// gmem_problem_borrow has been called. Its candidate pools
// must have been added before. *out_buffer is its index. Fails with
// INVALID_ARGUMENT (no ranges, unsorted or empty ranges, alignment not a power
// of two, no pool, unknown pool, misaligned fixed offset, unsorted branches),
// OUT_OF_RANGE (a size or a sum above GMEM_MAX_ADDRESS, an alignment above
// GMEM_MAX_ALIGNMENT) or OUT_OF_MEMORY; the problem is then unchanged.
GMEM_MUST_USE gmem_status_t
gmem_problem_add_buffer(gmem_problem_t *problem, const gmem_buffer_spec_t *spec,
                        uint32_t *out_buffer, gmem_diag_t *diag);

// Adds a conflict: the two buffers must not share bytes, even when their live
// ranges are disjoint (for example, uses on streams that are not synchronised)
// and regardless of branches and aliases. Fails with INVALID_ARGUMENT (unknown
// buffer, or the same buffer twice) or OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t gmem_problem_add_conflict(gmem_problem_t *problem,
                                                      uint32_t first,
                                                      uint32_t second,
                                                      gmem_diag_t *diag);

// Adds an alias. Views of one storage may share bytes even when both are live.
// The storage is live while any of its views is, but only the bytes of live
// views are occupied. An optional alias relates only its own two buffers.
//
// A buffer that starts inside another (a child at an offset above 0, a block
// member other than the first, or a child at offset 0 of either) must satisfy
// its own alignment, but not the alignment of the pool. Aliases and blocks do
// not constrain buffers of size 0. Of a buffer with aliases or in a block only
// the first 64 candidate pools are considered.
//
// Fails with INVALID_ARGUMENT (unknown buffer, a child that is its own parent
// or ends past the end of its parent, a placement that previous aliases and
// blocks, alignments, candidate pools or fixed offsets rule out) or
// OUT_OF_MEMORY; the problem is then unchanged.
GMEM_MUST_USE gmem_status_t gmem_problem_add_alias(
    gmem_problem_t *problem, const gmem_alias_spec_t *spec, gmem_diag_t *diag);

// Adds a block; the list is copied. Fails as gmem_problem_add_alias does.
GMEM_MUST_USE gmem_status_t gmem_problem_add_block(
    gmem_problem_t *problem, const gmem_block_spec_t *spec, gmem_diag_t *diag);

//===--- access -----------------------------------------------------------===//

uint32_t gmem_problem_pool_count(const gmem_problem_t *problem);
uint32_t gmem_problem_buffer_count(const gmem_problem_t *problem);

// Views owned by the problem, valid until the next addition or destruction.
// The index must be in range. |pools| of a buffer view is never NULL: a buffer
// added without candidates lists all pools that existed at that time.
const gmem_pool_spec_t *gmem_problem_pool(const gmem_problem_t *problem,
                                          uint32_t pool);
const gmem_buffer_spec_t *gmem_problem_buffer(const gmem_problem_t *problem,
                                              uint32_t buffer);

// Conflicts, aliases and blocks, each in order of addition. Ownership as above.
size_t gmem_problem_conflict_count(const gmem_problem_t *problem);
void gmem_problem_conflict(const gmem_problem_t *problem, size_t index,
                           uint32_t *out_first, uint32_t *out_second);
size_t gmem_problem_alias_count(const gmem_problem_t *problem);
const gmem_alias_spec_t *gmem_problem_alias(const gmem_problem_t *problem,
                                            size_t index);
size_t gmem_problem_block_count(const gmem_problem_t *problem);
const gmem_block_spec_t *gmem_problem_block(const gmem_problem_t *problem,
                                            size_t index);

GMEM_END_C
#endif // GMEM_PLANNER_PROBLEM_H_
