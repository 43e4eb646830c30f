// planner.h - static memory planning: buffers with live ranges into pools.
// C11 and C++17. Knows nothing of MLIR, files or networks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_problem_t *problem = NULL;
//   gmem_problem_create(NULL, &problem, &diag);
//   uint32_t ddr = 0, id = 0;
//   gmem_problem_add_pool(problem, &(gmem_pool_spec_t){.name = "ddr",
//       .capacity = GMEM_UNLIMITED, .alignment = 64}, &ddr, &diag);
//   gmem_problem_add_buffer(problem, &(gmem_buffer_spec_t){.name = "a",
//       .size = 1024, .alignment = 64, .range_count = 1,
//       .ranges = &(gmem_live_range_t){0, 2}}, &id, &diag);
//   gmem_placement_t *plan = calloc(n, sizeof *plan);
//   gmem_solve(problem, NULL, plan, &figures, &diag);
//
// A *problem* is built once and then only read; a *plan* is a plain array with
// one gmem_placement_t per buffer, in the order in which buffers were added.
// Everything is deterministic: the same problem gives the same plan on every
// machine. Distinct problems may be used by distinct threads; a finished
// problem may be read by any number of threads.

#ifndef GMEM_PLANNER_H_
#define GMEM_PLANNER_H_

#include <stdbool.h>

#include "gmem/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GMEM_UNLIMITED UINT64_MAX
// Largest address, offset or size, in bytes. Sums are checked against it.
#define GMEM_MAX_ADDRESS ((uint64_t)INT64_MAX)
#define GMEM_MAX_ALIGNMENT (UINT64_C(1) << 40)
#define GMEM_NO_BUFFER UINT32_MAX

//===--- problem ----------------------------------------------------------===//

typedef struct gmem_problem_s gmem_problem_t;

// Half-open interval [begin, end) of abstract time, begin < end.
typedef struct gmem_live_range_s {
  int64_t begin;
  int64_t end;
} gmem_live_range_t;

typedef struct gmem_pool_spec_s {
  const char *name;   // unique in the problem, not empty
  uint64_t capacity;  // bytes, or GMEM_UNLIMITED
  uint64_t alignment; // power of two: every address in the pool is a multiple
  uint64_t base;      // address of offset 0; address = base + offset
  uint32_t speed;     // what a use of a byte there is worth, as against the
                      //   other pools: more is better; 0: not said
} gmem_pool_spec_t;

// Two buffers with different arms of one choice never exist in the same run
// (the branches of an `if`): they may share bytes, whatever their live ranges.
typedef struct gmem_branch_s {
  uint32_t choice; // any number that names the choice
  uint32_t arm;    // which way it went
} gmem_branch_t;

typedef struct gmem_buffer_spec_s {
  const char *name;   // for messages and files; need not be unique, may be ""
  uint64_t size;      // bytes; a buffer of size 0 conflicts with nothing
  uint64_t alignment; // power of two, of its address; the pool's counts too
  const gmem_live_range_t *ranges; // sorted, disjoint; they may touch
  size_t range_count;              // at least 1
  const uint32_t *pools; // candidates, best first, each once; NULL: all pools
  size_t pool_count;
  bool has_fixed_offset; // the placement is given: pools[0], fixed_offset
  uint64_t fixed_offset; // bytes from the start of the pool
  uint64_t uses; // how often it is read or written: what a place in its first
                 //   pool is worth; 0 counts as 1
  const gmem_branch_t *branches; // sorted by choice, each choice once
  size_t branch_count;
} gmem_buffer_spec_t;

// |child| lies at |offset| bytes in |parent|: a view of its storage.
typedef struct gmem_alias_spec_s {
  uint32_t child, parent; // buffers
  uint64_t offset;        // bytes from the start of |parent|
  bool is_optional; // the planner chooses: the child lies exactly there, and
                    //   the two then share bytes whatever their live ranges
                    //   (an op that can work in place), or it does not
} gmem_alias_spec_t;

// Buffers that lie one behind the other in this order, each at the first
// multiple of its alignment behind the one before, as seen from the start of
// the first: a set in one block.
typedef struct gmem_block_spec_s {
  const uint32_t *buffers;
  size_t count;
} gmem_block_spec_t;

// Creates an empty problem. |allocator| is copied (NULL: libc); what its
// |user| points to must outlive the problem.
// Fails with OUT_OF_MEMORY; *out_problem is then NULL.
GMEM_MUST_USE gmem_status_t
gmem_problem_create(const gmem_allocator_t *allocator,
                    gmem_problem_t **out_problem, gmem_diag_t *diag);

// Frees the problem and every name and array in it. NULL is allowed.
void gmem_problem_destroy(gmem_problem_t *problem);

// Adds a pool; everything |spec| points to is copied. *out_pool is its index:
// 0, 1, ... in order of addition. Fails with INVALID_ARGUMENT (name missing or
// taken, alignment no power of two, capacity 0, base misaligned), OUT_OF_RANGE
// or OUT_OF_MEMORY; the problem is then unchanged.
GMEM_MUST_USE gmem_status_t gmem_problem_add_pool(gmem_problem_t *problem,
                                                  const gmem_pool_spec_t *spec,
                                                  uint32_t *out_pool,
                                                  gmem_diag_t *diag);

// Adds a buffer; everything |spec| points to is copied. Pools it names must
// have been added before. *out_buffer is its index. Fails with
// INVALID_ARGUMENT (no ranges, unsorted or empty ranges, alignment no power of
// two, no pool, unknown pool, misaligned fixed offset, unsorted branches),
// OUT_OF_RANGE (a size or a sum above GMEM_MAX_ADDRESS, an alignment above
// GMEM_MAX_ALIGNMENT) or OUT_OF_MEMORY; the problem is then unchanged.
GMEM_MUST_USE gmem_status_t
gmem_problem_add_buffer(gmem_problem_t *problem, const gmem_buffer_spec_t *spec,
                        uint32_t *out_buffer, gmem_diag_t *diag);

// Says that two buffers may share no bytes although they are never live
// together (streams that are not ordered, for example), whatever branches and
// aliases say. Fails with
// INVALID_ARGUMENT (no such buffer, or one buffer twice) or OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t gmem_problem_add_conflict(gmem_problem_t *problem,
                                                      uint32_t first,
                                                      uint32_t second,
                                                      gmem_diag_t *diag);

// Adds an alias. Views of one storage share bytes, whatever their live ranges;
// the storage is kept while any of them is live, but only the bytes of those
// that are. An optional alias gives that leave to its two buffers alone. What
// begins inside of another buffer, as a child at an offset above 0 or behind
// the first of a block (or as a child at the start of such a one), has its own
// alignment and not that of the pool. Empty buffers are never bound. Of a
// buffer with aliases or in a block the first 64 candidate pools count. Fails
// with INVALID_ARGUMENT (no such buffer, a child that is its
// own parent or ends behind its parent, a place that the aliases and blocks so
// far, alignments, candidate pools or fixed offsets make impossible) or
// OUT_OF_MEMORY; the problem is then unchanged.
GMEM_MUST_USE gmem_status_t gmem_problem_add_alias(
    gmem_problem_t *problem, const gmem_alias_spec_t *spec, gmem_diag_t *diag);

// Adds a block; the list is copied. Fails as gmem_problem_add_alias does.
GMEM_MUST_USE gmem_status_t gmem_problem_add_block(
    gmem_problem_t *problem, const gmem_block_spec_t *spec, gmem_diag_t *diag);

uint32_t gmem_problem_pool_count(const gmem_problem_t *problem);
uint32_t gmem_problem_buffer_count(const gmem_problem_t *problem);

// Views of what was added, owned by the problem, valid until the next addition
// or destruction. The index must be in range. |pools| of a buffer view is
// never NULL: a buffer added without candidates lists all pools of that time.
const gmem_pool_spec_t *gmem_problem_pool(const gmem_problem_t *problem,
                                          uint32_t pool);
const gmem_buffer_spec_t *gmem_problem_buffer(const gmem_problem_t *problem,
                                              uint32_t buffer);

// What the functions above added, in the order of addition.
size_t gmem_problem_conflict_count(const gmem_problem_t *problem);
void gmem_problem_conflict(const gmem_problem_t *problem, size_t index,
                           uint32_t *out_first, uint32_t *out_second);
size_t gmem_problem_alias_count(const gmem_problem_t *problem);
const gmem_alias_spec_t *gmem_problem_alias(const gmem_problem_t *problem,
                                            size_t index);
size_t gmem_problem_block_count(const gmem_problem_t *problem);
const gmem_block_spec_t *gmem_problem_block(const gmem_problem_t *problem,
                                            size_t index);

//===--- plan -------------------------------------------------------------===//

typedef struct gmem_placement_s {
  uint64_t offset; // bytes from the start of the pool
  uint32_t pool;
} gmem_placement_t;

typedef struct gmem_plan_figures_s {
  uint64_t peak;        // sum over the pools of the bytes they need
  uint64_t lower_bound; // no plan can have a lower peak: gmem_lower_bound, or
                        //   the peak itself when a search has proved that
  uint64_t steps;       // work done; the same on every machine
  bool optimal;         // proved: no plan has a lower peak
  bool cancelled;       // the progress callback stopped it
} gmem_plan_figures_t;

// Bytes pool |pool| needs under |plan|: the largest offset + size in it, 0 when
// it is empty.
uint64_t gmem_plan_pool_size(const gmem_problem_t *problem,
                             const gmem_placement_t *plan, uint32_t pool);

// Bytes all pools need together: the sum of the above, UINT64_MAX when that is
// larger. O(pools x buffers). Any number of threads may ask at once.
uint64_t gmem_plan_peak(const gmem_problem_t *problem,
                        const gmem_placement_t *plan);

// A lower bound on the bytes that |pool| needs in every plan: the largest sum
// of the sizes that are live at one time, over the buffers that can go nowhere
// else (views once, optional children outside of live parents only, of each
// choice the arm that needs most), sizes rounded to the alignment that all of
// them share (but for the slack of the topmost); at least the end of every
// fixed buffer. GMEM_UNLIMITED when that sum is beyond every address. O(n log
// n). Fails with OUT_OF_RANGE (no such pool) or OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t
gmem_lower_bound_of_pool(const gmem_problem_t *problem, uint32_t pool,
                         uint64_t *out_bytes, gmem_diag_t *diag);

// The same over all buffers, whatever pool they go to: a bound on the sum of
// the pools' sizes. At least the sum of the bounds of the pools, but not above
// GMEM_MAX_ADDRESS; GMEM_UNLIMITED when one of them is. Fails with
// OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t gmem_lower_bound(const gmem_problem_t *problem,
                                             uint64_t *out_bytes,
                                             gmem_diag_t *diag);

//===--- check ------------------------------------------------------------===//

typedef enum gmem_violation_e {
  GMEM_VIOLATION_NONE = 0,
  GMEM_VIOLATION_POOL = 1,      // not a candidate pool of |first|
  GMEM_VIOLATION_FIXED = 2,     // |first| is not at its fixed offset
  GMEM_VIOLATION_ALIGNMENT = 3, // address of |first| is misaligned
  GMEM_VIOLATION_CAPACITY = 4,  // |first| ends after its pool
  GMEM_VIOLATION_OVERLAP = 5,   // |first| and |second| share bytes at |time|
  GMEM_VIOLATION_CONFLICT = 6,  // they share bytes, and a conflict forbids it
  GMEM_VIOLATION_ALIAS = 7,     // |first| is not where it lies in |second|
  GMEM_VIOLATION_BLOCK = 8,     // |first| does not lie behind |second|
} gmem_violation_t;

// What is wrong with a plan, and where.
typedef struct gmem_check_result_s {
  gmem_violation_t violation;
  uint32_t first;  // buffer
  uint32_t second; // buffer, or GMEM_NO_BUFFER
  uint32_t pool;
  int64_t time;        // OVERLAP: the first time at which both are live;
                       //   else the first time at which |first| is
  uint64_t begin, end; // OVERLAP, CONFLICT: the shared bytes [begin, end)
} gmem_check_result_t;

// Proves |plan| (one placement per buffer) or names its first violation: the
// one met earliest in time, ties by buffer index (of two that overlap, |first|
// is the lower), then by kind. An alias is met when the child is first live, a
// block when the later buffer is, a conflict when |first| is. A buffer that is
// misplaced by itself is met at its first time and not compared with others.
// Shares no code with the algorithms. O(n log n) in the number of live ranges,
// and of pairs that overlap by leave of aliases and branches. Returns GMEM_OK
// when the plan holds; OVERLAP (and conflicts), ALIGNMENT, OVER_BUDGET
// (capacity) or INVALID_ARGUMENT (pool, fixed offset, alias, block) with
// *out_result filled (may be NULL) when it does not; OUT_OF_MEMORY when it
// could not be checked.
GMEM_MUST_USE gmem_status_t gmem_check(const gmem_problem_t *problem,
                                       const gmem_placement_t *plan,
                                       gmem_check_result_t *out_result,
                                       gmem_diag_t *diag);

//===--- search -----------------------------------------------------------===//

// How long to search, in steps of work that are the same on every machine.
typedef enum gmem_effort_e {
  GMEM_EFFORT_NORMAL = 0,     // about a second for a hard problem
  GMEM_EFFORT_FAST = 1,       // O(n log n): a million buffers in a second
  GMEM_EFFORT_EXHAUSTIVE = 2, // until it is proved, or many seconds
} gmem_effort_t;

// "normal", "fast" or "exhaustive"; NULL for any other number.
const char *gmem_effort_name(gmem_effort_t effort);
// Sets *out_effort to the effort of that name; false when there is none.
bool gmem_effort_find(const char *name, gmem_effort_t *out_effort);

typedef struct gmem_progress_s {
  const char *stage;    // name of the algorithm that is at work
  uint64_t steps;       // done in this stage
  uint64_t step_limit;  // of this stage: where it stops at the latest
  uint64_t peak;        // of the best plan so far; GMEM_UNLIMITED: none yet
  uint64_t lower_bound; // no plan has a lower peak
} gmem_progress_t;

// Called now and then, on the thread that called gmem_solve. Returning false
// ends the search; the best plan so far is the result.
typedef bool (*gmem_progress_fn)(void *user, const gmem_progress_t *progress);

// The state of one call of gmem_solve, given to the algorithm.
typedef struct gmem_search_s gmem_search_t;

gmem_effort_t gmem_search_effort(const gmem_search_t *search);

// Counts |steps| of work (one step: one buffer or gap looked at). Returns false
// when the search shall end with the best plan that was found.
bool gmem_search_spend(gmem_search_t *search, uint64_t steps);

//===--- what an algorithm may work on ------------------------------------===//

// An algorithm may read the problem as it is, or let these say what its live
// ranges, branches, conflicts, aliases and blocks come to.

// Which may share no bytes: those of number i are others[starts[i]] up to
// others[starts[i + 1]], sorted; so each pair is there twice.
typedef struct gmem_conflicts_s {
  uint32_t *others;
  size_t *starts; // |count| + 1 of them
  uint32_t count; // buffers, or pieces
  size_t other_count;
} gmem_conflicts_t;

// The buffers that may share no bytes in any plan: two that are live together,
// but for different branches and views of one storage, and those of which a
// conflict says so. An optional child and its parent are listed as any others:
// that it may lie there is the choice of the algorithm. O(n log n + number of
// times that two buffers meet). Needs some 50 bytes for each pair; fails with
// OUT_OF_RANGE when there are more than |most_pairs|, or with OUT_OF_MEMORY.
// *out_conflicts may then be destroyed all the same.
GMEM_MUST_USE gmem_status_t
gmem_conflicts_create(const gmem_problem_t *problem, uint64_t most_pairs,
                      gmem_conflicts_t *out_conflicts, gmem_diag_t *diag);
// Frees the lists, with the allocator of |problem|.
void gmem_conflicts_destroy(const gmem_problem_t *problem,
                            gmem_conflicts_t *conflicts);

// What moves as one: a buffer, or buffers that aliases and blocks tie together.
typedef struct gmem_piece_s {
  uint64_t size;         // bytes, at least 1
  uint64_t alignment;    // power of two, of its address; the pool's counts too
  uint64_t traffic;      // bytes x uses of its buffers: what a place is worth;
                         //   UINT64_MAX: more than that
  const uint32_t *pools; // candidates, best first
  size_t pool_count;
  const uint32_t *conflicts; // pieces that may share no byte with it, sorted
  size_t conflict_count;
  uint32_t buffer; // the first of its buffers, for messages
  bool is_fixed;   // |pool| and |offset| are given
  uint32_t pool;   // what the algorithm decides: a candidate,
  uint64_t offset; //   and bytes from its start
} gmem_piece_t;

typedef struct gmem_pieces_s {
  gmem_piece_t *at; // by their first buffers; those that are not fixed begin in
                    //   their first candidate at offset 0
  uint32_t count;
  const gmem_problem_t *problem;
  gmem_conflicts_t lists; // what |conflicts| of the pieces points to
  uint32_t *piece_of;     // by buffer; GMEM_NO_BUFFER: it has no bytes
  uint64_t *distance;     // by buffer: bytes from the start of its piece
  uint32_t *candidates;   // what |pools| of some pieces points to
  size_t candidate_count, candidate_room;
} gmem_pieces_t;

// Makes the pieces of |problem|, which must outlive them. Whatever the
// algorithm does with them, gmem_check has nothing to say when each lies in a
// candidate where gmem_piece_align lets it and shares no byte with its
// conflicts. Optional aliases are not taken. Fails as gmem_conflicts_create
// does, or with INVALID_ARGUMENT: no address suits all that is tied together.
// |pieces| may then be destroyed all the same.
GMEM_MUST_USE gmem_status_t gmem_pieces_create(const gmem_problem_t *problem,
                                               uint64_t most_pairs,
                                               gmem_pieces_t *pieces,
                                               gmem_diag_t *diag);
void gmem_pieces_destroy(gmem_pieces_t *pieces);

// Raises *offset to the first at which the piece may begin in |pool|; false
// when it would end behind the pool.
bool gmem_piece_align(const gmem_pieces_t *pieces, uint32_t piece,
                      uint32_t pool, uint64_t *offset);

// Writes where the pieces are as a plan of the problem, with a place for the
// buffers that have no bytes. Fails with OVER_BUDGET: there is none for one.
GMEM_MUST_USE gmem_status_t gmem_pieces_write(const gmem_pieces_t *pieces,
                                              gmem_placement_t *plan,
                                              gmem_diag_t *diag);

//===--- algorithms -------------------------------------------------------===//

// Fills |plan| (one placement per buffer). Must honour candidate pools,
// capacities, alignments, fixed offsets, conflicts, aliases and blocks;
// whatever it returns is checked before a user sees it. |user| is the pointer
// of the descriptor.
typedef gmem_status_t (*gmem_algorithm_fn)(const gmem_problem_t *problem,
                                           gmem_search_t *search,
                                           gmem_placement_t *plan, void *user,
                                           gmem_diag_t *diag);

// One algorithm; a user's own is made by filling one of these.
typedef struct gmem_algorithm_s {
  const char *name;    // "greedy-by-size"
  const char *summary; // one line for --help
  gmem_algorithm_fn run;
  void *user;
} gmem_algorithm_t;

// A shared library of algorithms defines gmem_algorithm_load, which returns its
// algorithms 0, 1, ... and NULL behind the last, and NULL for a |version| other
// than the GMEM_ALGORITHM_VERSION that it was compiled with: the structs of
// this header are then not those that it knows. What it returns must stay
// valid; it is never closed. Such a library is not linked with the planner: the
// program that loads it has all functions of this header. It runs within the
// program, so a crash of it is one of the program, and it ends on time only
// when it asks gmem_search_spend.
#define GMEM_ALGORITHM_VERSION 1
#define GMEM_ALGORITHM_LOAD "gmem_algorithm_load"
const gmem_algorithm_t *gmem_algorithm_load(uint32_t version, size_t index);

// The built-in algorithms, in the order of their listing.
size_t gmem_algorithm_count(void);
const gmem_algorithm_t *gmem_algorithm_at(size_t index);
// The built-in of that name, or NULL.
const gmem_algorithm_t *gmem_algorithm_find(const char *name);

// All of it may be zero.
typedef struct gmem_solve_options_s {
  const gmem_algorithm_t *algorithm; // NULL: "auto"
  gmem_effort_t effort;
  uint64_t step_limit; // 0: that of the effort
  gmem_progress_fn progress;
  void *progress_user;
} gmem_solve_options_t;

// Runs the algorithm, then the checker; only a plan that passed is returned.
// The built-in algorithms put every buffer into its first candidate pool; where
// that is too small, those stay whose place is worth most for the time in which
// they are in the way, and the others go on to their next candidate. A place is
// worth bytes x uses x (speed of the pool - speed of the next candidate),
// summed over the candidates behind; a step between pools of which one has no
// speed counts 1. "auto" and "exact" then search for places that are worth more
// in all, and for any plan at all where this finds none. Optional aliases are
// taken where that makes the pools smaller. |options| NULL: the defaults.
// |plan| has room for every buffer of the problem; |out_figures| may be NULL.
// Fails with OVER_BUDGET (the buffers do not fit in their pools: |object| of
// the diagnostic is the first that does not, and the text names it; when every
// plan is too large for its first pool, the text says what that needs at
// least), OVERLAP (two fixed buffers share bytes), what the algorithm returns,
// or what gmem_check returns (then the algorithm is broken). |plan| is
// unspecified on failure.
GMEM_MUST_USE gmem_status_t gmem_solve(const gmem_problem_t *problem,
                                       const gmem_solve_options_t *options,
                                       gmem_placement_t *plan,
                                       gmem_plan_figures_t *out_figures,
                                       gmem_diag_t *diag);

//===--- certificates -----------------------------------------------------===//

// Where a pool is fullest.
typedef struct gmem_peak_s {
  int64_t time;   // all of the buffers are live then
  uint64_t bytes; // of the pool that they lie in; what is shared counts once
  size_t count;   // buffers
} gmem_peak_t;

// Lists who makes |plan| as large as it is in |pool|: of the times at which a
// buffer that ends last is live, the first at which most bytes are in use, and
// the buffers of the pool that are live then, in the order of their offsets.
// |buffers| has room for all buffers of the problem. |plan| must have passed
// gmem_check. Fails with OUT_OF_RANGE (no such pool) or OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t gmem_find_peak(const gmem_problem_t *problem,
                                           const gmem_placement_t *plan,
                                           uint32_t pool, uint32_t *buffers,
                                           gmem_peak_t *out_peak,
                                           gmem_diag_t *diag);

// Buffers that do not fit together.
typedef struct gmem_infeasible_s {
  size_t count;      // buffers; 0: none that are known not to fit
  bool fits;         // all that must go to the pool were placed there
  bool irreducible;  // without any one of them the others were placed
  bool by_load;      // what is live at one time is too much; else, as an
                     //   exhaustive search has proved, no offsets will do
  size_t pool_count; // of gmem_find_shortage: pools that they can go to
} gmem_infeasible_t;

// Looks for buffers that can go nowhere but to |pool| and do not fit there
// together, whatever their offsets, and drops from them what it can while that
// stays proved: by the bytes that are live at one time, or, in small problems,
// by exhaustive search within the steps of |options| (NULL: the defaults; its
// algorithm is not used). |buffers| has room for all buffers of the problem and
// gets them by index. Fails with OUT_OF_RANGE (no such pool) or OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t
gmem_find_infeasible(const gmem_problem_t *problem, uint32_t pool,
                     const gmem_solve_options_t *options, uint32_t *buffers,
                     gmem_infeasible_t *out_infeasible, gmem_diag_t *diag);

// Looks for the reason why there is no plan: for each pool in their order as
// gmem_find_infeasible does, then for a buffer that is larger than each of its
// pools, then for sets of pools: for buffers whose candidates are all in the
// set, of which more bytes are live at one time than the pools of the set have
// together (Hall's condition); the smallest sets first, of 64 pools at most.
// |fits| then says that what must go to each of the pools by itself was placed
// there. |buffers| has room for all buffers and |pools| for all pools of the
// problem; both are by index. Fails with OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t gmem_find_shortage(
    const gmem_problem_t *problem, const gmem_solve_options_t *options,
    uint32_t *buffers, uint32_t *pools, gmem_infeasible_t *out_infeasible,
    gmem_diag_t *diag);

//===--- CSV --------------------------------------------------------------===//

#define GMEM_ALL_POOLS UINT32_MAX

// Reads a problem from CSV text (docs/problem-csv.md) with a header line naming
// the columns, in any order: id, lower, upper, size, and optionally alignment,
// gaps, pools, fixed, uses, and for a plan offset and pool. They are those of
// minimalloc's files ([lower, upper) is half-open; gaps, "5-7 9-12", are the
// half-open intervals inside it, touching neither end, at which the buffer is
// not live), and its other names are known too: in a column `end` is the last
// time of the life. An unknown column is an error.
// |pools| are the pools of the problem; the text names them.
// When |out_plan| is not NULL and there is an offset column, *out_plan becomes
// an array of the placements (freed by gmem_plan_free), else NULL.
// Fields may be in quotes (RFC 4180) but not go on in the next line. Ids have
// no control characters; they need not be unique. Lines may end in CR LF; blank
// lines are skipped.
// Fails with PARSE or OUT_OF_RANGE (line set), OUT_OF_MEMORY, or what
// gmem_problem_add_pool returns for |pools|.
GMEM_MUST_USE gmem_status_t gmem_csv_read(const char *text, size_t length,
                                          const gmem_pool_spec_t *pools,
                                          size_t pool_count,
                                          const gmem_allocator_t *allocator,
                                          gmem_problem_t **out_problem,
                                          gmem_placement_t **out_plan,
                                          gmem_diag_t *diag);

// Receives |length| bytes of output; a status other than GMEM_OK stops.
typedef gmem_status_t (*gmem_write_fn)(void *user, const char *bytes,
                                       size_t length);

// Writes the buffers in the same columns: those that |plan| puts into |pool|,
// with their offsets, or without |plan| those that may go there. With
// GMEM_ALL_POOLS it writes all buffers, and the names of pools where there are
// several. Columns that say nothing (every alignment 1, no gaps) are left out.
// The id of a buffer without a name is its index. Fails with what |write|
// returns, or with INVALID_ARGUMENT before anything is written (a name with a
// control character, or of a pool with a space where a list names it;
// conflicts, aliases, blocks or branches, for which there are no columns).
GMEM_MUST_USE gmem_status_t gmem_csv_write(const gmem_problem_t *problem,
                                           const gmem_placement_t *plan,
                                           uint32_t pool, gmem_write_fn write,
                                           void *user, gmem_diag_t *diag);

// An array with one placement per buffer of |problem|, all zero, from the
// allocator of the problem. Fails with OUT_OF_MEMORY; *out_plan is then NULL.
GMEM_MUST_USE gmem_status_t gmem_plan_create(const gmem_problem_t *problem,
                                             gmem_placement_t **out_plan,
                                             gmem_diag_t *diag);

// Frees a plan that gmem_plan_create or gmem_csv_read returned for |problem|,
// to which no buffer was added since. NULL is allowed.
void gmem_plan_free(const gmem_problem_t *problem, gmem_placement_t *plan);

//===--- plan cache -------------------------------------------------------===//

// A plan cache is a text (docs/plan-cache.md) that remembers plans by the
// digests of their problems. The library does no file I/O: who keeps the text
// in a file reads it whole and replaces it whole. Two processes that do so at
// one time lose an entry at worst.

// The digest of all that matters to a plan: pools in their order, buffers in an
// order of their own, conflicts, aliases and blocks. Names do not matter, nor
// does the order in which buffers and relations were added (but where large
// groups of equal buffers conflict with each other, which may give another
// digest in another order). O(n log n). Fails with OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t gmem_problem_digest(const gmem_problem_t *problem,
                                                uint8_t out_digest[32],
                                                gmem_diag_t *diag);

#define GMEM_MAX_ALGORITHM_NAME 63

// What is remembered of a plan beside its placements.
typedef struct gmem_cached_plan_s {
  char algorithm[GMEM_MAX_ALGORITHM_NAME + 1]; // printable, without a space
  gmem_effort_t effort;
  gmem_plan_figures_t figures; // but for |cancelled|, which is always false
} gmem_cached_plan_t;

// Looks for a plan of |problem| in the text and puts it into |plan| (one
// placement per buffer). The plan has passed gmem_check, and its peak was
// counted; the rest of *out_about (may be NULL) is what the text says, which is
// right when gmem_plan_cache_add wrote it. Whoever wants another algorithm or
// more effort than that solves the problem again.
// Fails with NOT_FOUND; with CORRUPT when there is an entry that cannot be
// believed (line set): both are no reason to stop, but to solve; with
// OUT_OF_MEMORY. |plan| is unspecified on failure.
GMEM_MUST_USE gmem_status_t gmem_plan_cache_find(
    const gmem_problem_t *problem, const char *text, size_t length,
    gmem_placement_t *plan, gmem_cached_plan_t *out_about, gmem_diag_t *diag);

// Writes the text again, with |plan| in it unless there is one as good: with
// places that are worth as much, then as low a peak, then proved optimal. What
// is no sound entry is left out; a text of 0 bytes is an empty cache. The
// result depends on the set of entries alone, not on their order.
// Fails with what gmem_check says of |plan|, INVALID_ARGUMENT (a name or an
// effort that cannot be written, a lower bound above the peak) or OUT_OF_MEMORY
// before anything is written, or with what |write| returns.
GMEM_MUST_USE gmem_status_t gmem_plan_cache_add(const gmem_problem_t *problem,
                                                const gmem_placement_t *plan,
                                                const gmem_cached_plan_t *about,
                                                const char *text, size_t length,
                                                gmem_write_fn write, void *user,
                                                gmem_diag_t *diag);

#ifdef __cplusplus
}
#endif
#endif // GMEM_PLANNER_H_
