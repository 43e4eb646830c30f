// order.h - operator order: the least peak of live bytes over all orders of the
// operators of a graph. C11 and C++17. Independent of MLIR, files and networks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_order_graph_t *graph = NULL;
//   gmem_order_graph_create(NULL, &graph, &diag);
//   uint32_t a = 0, b = 0, id = 0;
//   gmem_order_add_op(graph, &(gmem_order_op_t){.name = "a"}, &a, &diag);
//   gmem_order_add_op(graph, &(gmem_order_op_t){.name = "b"}, &b, &diag);
//   gmem_order_add_tensor(graph, &(gmem_order_tensor_t){.name = "t",
//       .bytes = 64, .producer = a, .users = &b, .user_count = 1,
//       .view_of = GMEM_ORDER_NONE}, &id, &diag);
//   uint32_t *order = calloc(gmem_order_op_count(graph), sizeof *order);
//   gmem_order_solve(graph, NULL, order, &figures, &diag);
//
// The model. Tensors are hyperedges: one producer, any number of users. A
// *buffer* is a tensor with all its views. A buffer is live from its producer
// (or the begin) to the last use of any of its tensors in the order (or the
// end, when one of them is kept); an input that nothing uses and that is not
// kept is never live. While an op executes, memory holds the buffers that are
// live before it, those that it produces and its scratch bytes, minus the bytes
// of inputs that die there and that its outputs may overwrite (reuse). The peak
// of an order is the largest such sum. Placement (fragmentation, alignment) is
// not part of the model; gmem/planner.h places buffers.
//
// A graph is built once and only read afterwards. Distinct graphs may be used
// by distinct threads; a graph that is not modified may be read by any number
// of threads. Results are the same on every machine: searches count units of
// work instead of time.
//
// Related work: Liu, "An application of generalized tree pebbling to sparse
// matrix factorization" (SIAM J. Algebraic Discrete Methods, 1987); Kayaaslan,
// Lambert, Marchal, Ucar, "Scheduling series-parallel task graphs to minimize
// peak memory" (Theoretical Computer Science, 2018); Ahn et al., "Ordering
// chaos: memory-aware scheduling of irregularly wired neural networks for edge
// devices" (Serenity, MLSys 2020); Wang et al., "Hierarchical memory-
// constrained operator scheduling of neural architecture search networks"
// (HMCOS, DAC 2022).

#ifndef GMEM_ORDER_H_
#define GMEM_ORDER_H_

#include "gmem/planner/solve.h" // gmem_effort_t, gmem_progress_fn

GMEM_BEGIN_C

#define GMEM_ORDER_NONE UINT32_MAX

// The sum of all bytes of a graph (tensors and scratch) does not exceed this.
#define GMEM_ORDER_MAX_BYTES (UINT64_C(1) << 62)

typedef struct gmem_order_graph_s gmem_order_graph_t;

//===--- graphs -----------------------------------------------------------===//

// Names may be NULL and need not be unique. They are copied.
typedef struct gmem_order_op_s {
  const char *name;
  uint64_t scratch; // bytes that are live only while the op executes
} gmem_order_op_t;

typedef struct gmem_order_tensor_s {
  const char *name;
  uint64_t bytes;
  uint32_t producer;     // GMEM_ORDER_NONE: exists at the begin
  const uint32_t *users; // ops, in any order; repetitions are ignored
  uint32_t user_count;
  bool is_kept;     // exists at the end: an output, or an input that stays
  uint32_t view_of; // the tensor whose bytes it shares; GMEM_ORDER_NONE: none
} gmem_order_tensor_t;

// The producer of |output| may write |output| over |input| if no later op uses
// the buffer of |input|. Of several inputs that an output may overwrite, the
// largest that dies is taken; inputs that are parts (operands of a
// concatenation, which the result contains) are all taken. An output that has
// parts has only parts.
typedef struct gmem_order_reuse_s {
  uint32_t output, input; // tensors
  bool is_part;
} gmem_order_reuse_t;

// |allocator| NULL: libc. It is copied and also used by gmem_order_solve and
// gmem_order_verify. Fails with OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t
gmem_order_graph_create(const gmem_allocator_t *allocator,
                        gmem_order_graph_t **out_graph, gmem_diag_t *diag);
void gmem_order_graph_destroy(gmem_order_graph_t *graph); // NULL is allowed

// Ops are numbered 0, 1, ... in the order of addition, which is the *given
// order*: an op only uses what ops before it produce. The functions below
// return INVALID_ARGUMENT (an unknown op or tensor, a user or an edge against
// the given order, a view of a tensor that its producer does not use, a reuse
// of a tensor that the op does not use or that is listed for another output),
// OUT_OF_RANGE (the sum of bytes exceeds GMEM_ORDER_MAX_BYTES, or there are
// 2^32 - 1 objects) or OUT_OF_MEMORY; the graph is then unchanged.
GMEM_MUST_USE gmem_status_t gmem_order_add_op(gmem_order_graph_t *graph,
                                              const gmem_order_op_t *op,
                                              uint32_t *out_op,
                                              gmem_diag_t *diag);

// The producer and the users must have been added before.
GMEM_MUST_USE gmem_status_t gmem_order_add_tensor(
    gmem_order_graph_t *graph, const gmem_order_tensor_t *tensor,
    uint32_t *out_tensor, gmem_diag_t *diag);

// |before| must execute before |after| in every order: effects, streams,
// fences. Data dependences need no edges.
GMEM_MUST_USE gmem_status_t gmem_order_add_edge(gmem_order_graph_t *graph,
                                                uint32_t before, uint32_t after,
                                                gmem_diag_t *diag);

// Reuses are added in the given order of their ops (else INVALID_ARGUMENT).
GMEM_MUST_USE gmem_status_t
gmem_order_add_reuse(gmem_order_graph_t *graph, const gmem_order_reuse_t *reuse,
                     gmem_diag_t *diag);

uint32_t gmem_order_op_count(const gmem_order_graph_t *graph);
uint32_t gmem_order_tensor_count(const gmem_order_graph_t *graph);
// Views owned by the graph, valid until the next addition or destruction. The
// index must be in range.
const gmem_order_op_t *gmem_order_op_at(const gmem_order_graph_t *graph,
                                        uint32_t op);
const gmem_order_tensor_t *gmem_order_tensor_at(const gmem_order_graph_t *graph,
                                                uint32_t tensor);

//===--- checking ---------------------------------------------------------===//

// Checks that |order| (one op per position) contains every op once, after all
// that it depends on, and sets *out_peak (may be NULL) to its peak in bytes.
// Shares no code with the search. Fails with INVALID_ARGUMENT (|object| is the
// first op that is out of place) or OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t gmem_order_verify(const gmem_order_graph_t *graph,
                                              const uint32_t *order,
                                              uint64_t *out_peak,
                                              gmem_diag_t *diag);

//===--- solving ----------------------------------------------------------===//

// A built-in algorithm.
typedef struct gmem_order_algorithm_s {
  const char *name;    // "auto"
  const char *summary; // one line for --help
} gmem_order_algorithm_t;

// The algorithms, in the order in which tools list them; the first is the
// default.
size_t gmem_order_algorithm_count(void);
const gmem_order_algorithm_t *gmem_order_algorithm_at(size_t index);
// The algorithm named |name|, or NULL.
const gmem_order_algorithm_t *gmem_order_algorithm_find(const char *name);

// All fields may be zero. New fields are appended.
typedef struct gmem_order_options_s {
  uint32_t struct_size; // sizeof(gmem_order_options_t); 0: the size in 0.1.0
  const gmem_order_algorithm_t *algorithm; // NULL: "auto"
  gmem_effort_t effort;
  uint64_t step_limit; // units of work; 0: the limit of the effort
  // Called periodically, on the calling thread. Returning false ends the
  // search: the best order so far is returned.
  gmem_progress_fn progress;
  void *progress_user;
} gmem_order_options_t;

typedef struct gmem_order_figures_s {
  uint64_t peak;        // bytes, of the order that is returned
  uint64_t given_peak;  // bytes, of the given order
  uint64_t lower_bound; // bytes: no order has a lower peak
  uint64_t steps;       // units of work done
  bool proved;          // peak == lower_bound
  bool cancelled;       // the progress callback returned false
  const char *gave_up;  // the first search that ended without a proof, or NULL
} gmem_order_figures_t;

// Sets |order| (room for all ops) to an order whose peak is at most that of the
// given order; if no lower peak is found, to the given order itself. The result
// has passed gmem_order_verify.
//
// |options| NULL: the defaults. |out_figures| may be NULL. Fails with
// INVALID_ARGUMENT (options), OUT_OF_RANGE (2^32 uses and edges) or
// OUT_OF_MEMORY; |order| is then unspecified.
GMEM_MUST_USE gmem_status_t gmem_order_solve(
    const gmem_order_graph_t *graph, const gmem_order_options_t *options,
    uint32_t *order, gmem_order_figures_t *out_figures, gmem_diag_t *diag);

GMEM_END_C
#endif // GMEM_ORDER_H_
