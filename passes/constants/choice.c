// choice.c - see choice.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "choice.h"

#include <assert.h>
#include <stdlib.h>

#include "derivation_graph.h"
#include "live_bytes.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "op_models.h"

typedef enum event_kind_e {
  EVENT_HOIST,   // the node was hoisted
  EVENT_INSIDE,  // the node, which was hoisted, only feeds the initialisation
  EVENT_LEAVE,   // the node left the request, because nothing reads it there
  EVENT_RELEASE, // one reader of the node left the request
} event_kind_t;

typedef struct event_s {
  event_kind_t kind;
  uint32_t node;
} event_t;

typedef struct chooser_s {
  const gmem_derivation_graph_t *graph;
  const gmem_analysis_t *analysis;
  const gmem_plan_options_t *options;
  gmem_hoisting_t *choice;
  uint32_t *readers;       // by node: uses by what remains in the request
  bool *at_request;        // by node: the request computes it
  int64_t *growth;         // by op: of the constants, if it alone is hoisted
  int64_t constants;       // bytes more than without hoisting
  uint64_t work;           // changes left for trying
  gmem_live_bytes_t *live; // or NULL: it is not kept up to date
  GMEM_LIST(event_t) events;
  GMEM_LIST(uint32_t) stack;
  gmem_bump_t *arena;
  gmem_diag_t *diag;
} chooser_t;

// Trying takes at most so many changes: it stays near-linear on long chains.
enum { WORK_PER_NODE = 64 };

//===--- sizes ------------------------------------------------------------===//

// The alias set of result |number| of |op|, if the result is its first value.
static uint32_t own_set(const gmem_analysis_t *analysis, uint32_t op,
                        intptr_t number) {
  const gmem_program_t *program = &analysis->program;
  uint32_t value = gmem_result_value(program, program->ops[op].op, number);
  uint32_t set =
      value == GMEM_NO_INDEX ? value : analysis->liveness.set_of[value];
  return set != GMEM_NO_INDEX && analysis->liveness.sets[set].root == value
             ? set
             : GMEM_NO_INDEX;
}

static uint64_t set_bytes(const gmem_analysis_t *analysis, uint32_t set) {
  return analysis->program.values[analysis->liveness.sets[set].root].size;
}

static uint64_t bytes_of(const gmem_analysis_t *analysis, uint32_t op,
                         uint64_t unit) {
  intptr_t count = mlirOperationGetNumResults(analysis->program.ops[op].op);
  uint64_t bytes = 0;
  for (intptr_t i = 0; i < count; ++i) {
    uint32_t set = own_set(analysis, op, i);
    if (set != GMEM_NO_INDEX)
      bytes += (set_bytes(analysis, set) + unit - 1) & ~(unit - 1);
  }
  return bytes;
}

uint64_t gmem_choice_bytes(const gmem_analysis_t *analysis, uint32_t op) {
  return bytes_of(analysis, op, 1);
}

// The bytes that the results of a derived op need as constants.
static int64_t made_bytes(const chooser_t *chooser, uint32_t op) {
  return (int64_t)bytes_of(chooser->analysis, op,
                           chooser->options->weight_alignment);
}

//===--- what may be hoisted ----------------------------------------------===//

static const char *const stay_texts[GMEM_STAY_COUNT] = {
    [GMEM_STAY_NO] = "it is hoisted",
    [GMEM_STAY_GENERATED] = "it is made from scalars",
    [GMEM_STAY_WRITTEN] = "an op writes over it",
    [GMEM_STAY_PASSED] = "control flow passes it on",
    [GMEM_STAY_TYPE] = "its type has no memref of the same bytes",
    [GMEM_STAY_SIZE] = "constants would grow by more than requests save",
};

const char *gmem_stay_text(gmem_stay_reason_t stay) { return stay_texts[stay]; }

MlirType gmem_constant_memref(MlirType type) {
  enum { MAX_RANK = 64 };
  int64_t shape[MAX_RANK];
  MlirType none = {NULL};
  if (!mlirTypeIsARankedTensor(type) ||
      !mlirAttributeIsNull(mlirRankedTensorTypeGetEncoding(type)) ||
      !mlirShapedTypeHasStaticShape(type) ||
      mlirShapedTypeGetRank(type) > MAX_RANK)
    return none;
  MlirType element = mlirShapedTypeGetElementType(type);
  if (!mlirTypeIsAInteger(element) && !mlirTypeIsAFloat(element) &&
      !mlirTypeIsAIndex(element) && !mlirTypeIsAComplex(element))
    return none;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    shape[i] = mlirShapedTypeGetDimSize(type, i);
  return mlirMemRefTypeContiguousGet(element, mlirShapedTypeGetRank(type),
                                     shape, mlirAttributeGetNull());
}

// Whether a memref can have the elements of |type|, in |size| bytes.
static bool has_memref(MlirType type, uint64_t size) {
  MlirType memref = gmem_constant_memref(type);
  uint64_t bytes;
  return !mlirTypeIsNull(memref) &&
         gmem_memref_size(memref, NULL, &bytes) == GMEM_TYPE_SIZED &&
         bytes == size;
}

// Why op |user|, which is not derived, keeps its operand |number| from being
// hoisted.
static gmem_stay_reason_t why_user(const chooser_t *chooser, MlirOperation user,
                                   intptr_t number) {
  uint32_t index =
      gmem_pointer_map_find(&chooser->graph->derivation->number, user.ptr);
  if (index == GMEM_NO_INDEX)
    return GMEM_STAY_NO; // it is in a body, and captures the value
  const gmem_program_op_t *op = &chooser->analysis->program.ops[index];
  if (gmem_op_model_is_destination(op->model, user, number) ||
      gmem_op_model_writes(op->model, user, number))
    return GMEM_STAY_WRITTEN;
  return gmem_ends_block(user) || mlirOperationGetNumSuccessors(user) ||
                 op->kind == GMEM_OP_FOR || op->kind == GMEM_OP_WHILE ||
                 op->kind == GMEM_OP_LOOP
             ? GMEM_STAY_PASSED
             : GMEM_STAY_NO;
}

// The same for all uses of a result, and of reshapes of it.
static gmem_stay_reason_t why_used(const chooser_t *chooser, MlirValue result) {
  const gmem_derivation_t *derivation = chooser->graph->derivation;
  gmem_stay_reason_t stays = GMEM_STAY_NO;
  for (MlirOpOperand use = mlirValueGetFirstUse(result);
       !mlirOpOperandIsNull(use) && stays == GMEM_STAY_NO;
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    uint32_t op = gmem_derivation_outermost(derivation, user);
    if (op == GMEM_NO_INDEX || !gmem_node_is_derived(chooser->graph, op))
      stays = why_user(chooser, user, mlirOpOperandGetOperandNumber(use));
    else if (chooser->at_request[op] &&
             chooser->analysis->program.ops[op].kind == GMEM_OP_RESHAPE)
      stays = chooser->choice->stays[op]; // known, as uses come later
    else if (chooser->at_request[op] && !chooser->choice->hoisted[op])
      stays =
          gmem_op_model_is_destination(chooser->analysis->program.ops[op].model,
                                       user, mlirOpOperandGetOperandNumber(use))
              ? GMEM_STAY_WRITTEN
              : GMEM_STAY_NO;
  }
  return stays;
}

// Whether the op moves no bytes and takes none.
static bool costs_nothing(const chooser_t *chooser, uint32_t op) {
  gmem_op_kind_t kind = chooser->analysis->program.ops[op].kind;
  return kind == GMEM_OP_RESHAPE || kind == GMEM_OP_EMPTY ||
         kind == GMEM_OP_NONE || gmem_choice_bytes(chooser->analysis, op) == 0;
}

// Why result |number| of op |index|, which has memory, cannot be a constant.
static gmem_stay_reason_t why_not_constant(const chooser_t *chooser,
                                           uint32_t index, intptr_t number) {
  const gmem_analysis_t *analysis = chooser->analysis;
  MlirValue result =
      mlirOperationGetResult(analysis->program.ops[index].op, number);
  uint32_t set = own_set(analysis, index, number);
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(result)))
    return GMEM_STAY_NO;
  if (set == GMEM_NO_INDEX ||
      !has_memref(mlirValueGetType(result), set_bytes(analysis, set)))
    return GMEM_STAY_TYPE;
  return analysis->liveness.live_values[analysis->liveness.sets[set].root]
                 .is_changed
             ? GMEM_STAY_WRITTEN
             : GMEM_STAY_NO;
}

static gmem_stay_reason_t why_stays(const chooser_t *chooser, uint32_t index) {
  MlirOperation op = chooser->analysis->program.ops[index].op;
  gmem_stay_reason_t stays = GMEM_STAY_NO;
  bool is_free = costs_nothing(chooser, index);
  if (!is_free && chooser->graph->derivation->generates[index])
    return GMEM_STAY_GENERATED;
  for (intptr_t i = 0;
       i < mlirOperationGetNumResults(op) && stays == GMEM_STAY_NO; ++i) {
    stays = why_used(chooser, mlirOperationGetResult(op, i));
    if (stays == GMEM_STAY_NO && !is_free)
      stays = why_not_constant(chooser, index, i);
  }
  return stays;
}

static bool may_hoist(const chooser_t *chooser, uint32_t op) {
  return gmem_node_is_derived(chooser->graph, op) && chooser->at_request[op] &&
         !chooser->choice->hoisted[op] && chooser->readers[op] &&
         chooser->choice->stays[op] == GMEM_STAY_NO &&
         !costs_nothing(chooser, op);
}

//===--- changes ----------------------------------------------------------===//

// Counts the alias sets of an op as live in requests, or not any more.
static void count_sets(chooser_t *chooser, uint32_t op, bool is_counted) {
  intptr_t count =
      mlirOperationGetNumResults(chooser->analysis->program.ops[op].op);
  for (intptr_t i = 0; chooser->live && i < count; ++i) {
    uint32_t set = own_set(chooser->analysis, op, i);
    if (set != GMEM_NO_INDEX)
      gmem_live_bytes_count(chooser->live, set, is_counted);
  }
}

static void apply(chooser_t *chooser, event_t event, bool is_undone) {
  uint32_t node = event.node;
  int64_t sign = is_undone ? -1 : 1;
  switch (event.kind) {
  case EVENT_HOIST:
    chooser->constants += sign * made_bytes(chooser, node);
    chooser->choice->hoisted[node] = !is_undone;
    count_sets(chooser, node, is_undone);
    break;
  case EVENT_INSIDE:
    chooser->constants -= sign * made_bytes(chooser, node);
    chooser->choice->hoisted[node] = is_undone;
    chooser->at_request[node] = is_undone;
    break;
  case EVENT_LEAVE:
    chooser->at_request[node] = is_undone;
    count_sets(chooser, node, is_undone);
    break;
  case EVENT_RELEASE:
    chooser->readers[node] -= is_undone ? UINT32_MAX : 1;
    if (chooser->readers[node] == (is_undone ? 1 : 0) &&
        gmem_node_is_constant(chooser->graph, node))
      chooser->constants -=
          sign * (int64_t)gmem_node_bytes(chooser->graph, node,
                                          chooser->options->weight_alignment);
    break;
  }
}

static void make(chooser_t *chooser, event_kind_t kind, uint32_t node) {
  event_t event = {kind, node};
  GMEM_APPEND(chooser->arena, &chooser->events, event);
  apply(chooser, event, false);
  if (chooser->work)
    --chooser->work;
}

// The request does not compute |op| any more, nor what only |op| uses.
static void release_uses(chooser_t *chooser, uint32_t op) {
  chooser->stack.count = 0;
  GMEM_APPEND(chooser->arena, &chooser->stack, op);
  while (chooser->stack.count) {
    uint32_t next = chooser->stack.at[--chooser->stack.count];
    GMEM_CSR_EACH (node, &chooser->graph->uses, next) {
      make(chooser, EVENT_RELEASE, *node);
      if (chooser->readers[*node] ||
          !gmem_node_is_derived(chooser->graph, *node))
        continue;
      if (chooser->choice->hoisted[*node]) {
        make(chooser, EVENT_INSIDE, *node);
        continue; // what it uses was released when it was hoisted
      }
      make(chooser, EVENT_LEAVE, *node);
      GMEM_APPEND(chooser->arena, &chooser->stack, *node);
    }
  }
}

static void hoist(chooser_t *chooser, uint32_t op) {
  assert(may_hoist(chooser, op));
  make(chooser, EVENT_HOIST, op);
  release_uses(chooser, op);
}

// Undoes all changes but the first |count|.
static void undo(chooser_t *chooser, size_t count) {
  while (chooser->events.count > count)
    apply(chooser, chooser->events.at[--chooser->events.count], true);
}

//===--- values that make the constants no larger -------------------------===//

// From the last op to the first: what is hoisted later may make operands part
// of the initialisation.
static void hoist_each(chooser_t *chooser) {
  uint32_t op = (uint32_t)chooser->analysis->program.op_count;
  while (op-- > 0) {
    if (!gmem_node_is_derived(chooser->graph, op))
      continue;
    chooser->choice->stays[op] = why_stays(chooser, op);
    size_t mark = chooser->events.count;
    int64_t constants = chooser->constants;
    if (!chooser->work || !may_hoist(chooser, op))
      continue;
    hoist(chooser, op);
    chooser->growth[op] = chooser->constants - constants;
    if (chooser->growth[op] > 0)
      undo(chooser, mark);
  }
}

typedef GMEM_LIST(uint32_t) node_list_t;

// Hoists the first values behind |node| that may be. Returns false if the node
// cannot leave the request.
static bool hoist_behind(chooser_t *chooser, uint32_t node) {
  node_list_t open = {0};
  GMEM_APPEND(chooser->arena, &open, node);
  while (open.count) {
    uint32_t next = open.at[--open.count];
    if (chooser->graph->outside[next] || !chooser->work)
      return false;
    --chooser->work;
    GMEM_CSR_EACH (user, &chooser->graph->users, next) {
      if (may_hoist(chooser, *user))
        hoist(chooser, *user);
      else if (chooser->at_request[*user] && chooser->readers[*user] &&
               !chooser->choice->hoisted[*user])
        GMEM_APPEND(chooser->arena, &open, *user);
    }
  }
  return true;
}

// Several values that are computed from one constant, which then is not needed.
static void hoist_groups(chooser_t *chooser) {
  for (uint32_t node = 0; node < chooser->graph->count && chooser->work;
       ++node) {
    size_t mark = chooser->events.count;
    int64_t constants = chooser->constants;
    if (!gmem_node_is_constant(chooser->graph, node) ||
        chooser->graph->same[node] != node || !chooser->readers[node] ||
        chooser->graph->outside[node] ||
        gmem_csr_count(&chooser->graph->users, node) < 2)
      continue;
    if (!hoist_behind(chooser, node) || chooser->constants > constants)
      undo(chooser, mark);
  }
}

//===--- values at the peak -----------------------------------------------===//

typedef struct candidate_s {
  uint64_t growth; // of the constants, at least 1
  uint64_t bytes;
  uint32_t op;
} candidate_t;

typedef GMEM_LIST(candidate_t) candidate_list_t;

static int compare_candidates(const void *a, const void *b) {
  const candidate_t *left = a, *right = b;
  __extension__ typedef unsigned __int128 product_t;
  product_t one = (product_t)left->growth * right->bytes;
  product_t other = (product_t)right->growth * left->bytes;
  if (one != other)
    return one < other ? -1 : 1;
  if (left->bytes != right->bytes)
    return left->bytes > right->bytes ? -1 : 1;
  return (left->op > right->op) - (left->op < right->op);
}

static void list_candidates(chooser_t *chooser, candidate_list_t *out) {
  for (uint32_t op = 0; op < chooser->analysis->program.op_count; ++op) {
    if (!may_hoist(chooser, op) || chooser->growth[op] <= 0)
      continue;
    candidate_t candidate = {(uint64_t)chooser->growth[op],
                             gmem_choice_bytes(chooser->analysis, op), op};
    GMEM_APPEND(chooser->arena, out, candidate);
  }
  if (out->count)
    qsort(out->at, out->count, sizeof *out->at, compare_candidates);
}

// Where candidates are live, as nodes of the profile's tree.
typedef struct places_s {
  gmem_csr_pairs_t pairs;
  uint32_t candidate;
  gmem_bump_t *arena;
} places_t;

static void add_place(size_t node, void *user) {
  places_t *places = user;
  GMEM_APPEND(places->arena, &places->pairs,
              (gmem_csr_pair_t){(uint32_t)node, places->candidate});
}

static gmem_status_t find_places(const chooser_t *chooser,
                                 const candidate_list_t *candidates,
                                 gmem_csr_t *out_at) {
  places_t places = {.arena = chooser->arena};
  const gmem_profile_t *profile = &chooser->live->profile;
  const gmem_program_t *program = &chooser->analysis->program;
  for (size_t i = 0; i < candidates->count; ++i) {
    uint32_t op = candidates->at[i].op;
    intptr_t count = mlirOperationGetNumResults(program->ops[op].op);
    places.candidate = (uint32_t)i;
    for (intptr_t k = 0; k < count; ++k) {
      uint32_t set = own_set(chooser->analysis, op, k);
      const gmem_alias_set_t *entry =
          set == GMEM_NO_INDEX ? NULL : &chooser->analysis->liveness.sets[set];
      for (size_t r = 0; entry && r < entry->range_count; ++r)
        gmem_profile_cover(profile, entry->ranges[r], add_place, &places);
    }
  }
  GMEM_TRY(gmem_bump_status(chooser->arena, chooser->diag));
  return gmem_csr_build(&places.pairs, 2 * profile->leaves, chooser->arena,
                        out_at, chooser->diag);
}

// The best candidate that is live at the peak, or GMEM_NO_INDEX. |next| is, by
// node of the tree, where its candidates that may still be hoisted begin.
static uint32_t best_at_peak(const chooser_t *chooser,
                             const candidate_list_t *candidates,
                             const gmem_csr_t *at, uint32_t *next) {
  uint32_t best = GMEM_NO_INDEX;
  size_t node = gmem_profile_peak_leaf(&chooser->live->profile);
  for (; node; node /= 2) {
    uint32_t end = at->first[node + 1];
    while (next[node] < end &&
           !may_hoist(chooser, candidates->at[at->items[next[node]]].op))
      ++next[node];
    if (next[node] < end && at->items[next[node]] < best)
      best = at->items[next[node]];
  }
  return best;
}

// Whether the constants grow by more than the budget for that.
static bool is_over_budget(const chooser_t *chooser) {
  uint64_t budget = chooser->options->constant_budget;
  return budget != GMEM_UNLIMITED && chooser->constants > 0 &&
         (uint64_t)chooser->constants > budget;
}

// Whether the state is better than the best one so far, |*best|: fewer resident
// bytes or, with a budget for the growth of the constants, a lower peak.
static bool is_better(const chooser_t *chooser, int64_t *best) {
  int64_t bytes = gmem_profile_peak(&chooser->live->profile);
  if (chooser->options->constant_budget == GMEM_UNLIMITED)
    bytes += chooser->constants;
  if (bytes >= *best)
    return false;
  *best = bytes;
  return true;
}

static gmem_status_t hoist_at_peak(chooser_t *chooser) {
  candidate_list_t candidates = {0};
  gmem_csr_t at;
  uint32_t *next, best;
  size_t nodes = 2 * chooser->live->profile.leaves;
  list_candidates(chooser, &candidates);
  GMEM_TRY(gmem_bump_status(chooser->arena, chooser->diag));
  GMEM_TRY(find_places(chooser, &candidates, &at));
  GMEM_TRY_ALLOC(next, chooser->arena, nodes, chooser->diag);
  for (size_t i = 0; i < nodes; ++i)
    next[i] = at.first[i];
  int64_t bytes = INT64_MAX;
  size_t mark = chooser->events.count;
  (void)is_better(chooser, &bytes);
  while ((best = best_at_peak(chooser, &candidates, &at, next)) !=
         GMEM_NO_INDEX) {
    size_t before = chooser->events.count;
    hoist(chooser, candidates.at[best].op);
    if (is_over_budget(chooser)) { // a smaller one may fit
      undo(chooser, before);
      chooser->choice->stays[candidates.at[best].op] = GMEM_STAY_SIZE;
    } else if (is_better(chooser, &bytes))
      mark = chooser->events.count;
  }
  undo(chooser, mark);
  for (size_t i = 0; i < candidates.count; ++i)
    if (may_hoist(chooser, candidates.at[i].op))
      chooser->choice->stays[candidates.at[i].op] = GMEM_STAY_SIZE;
  return gmem_bump_status(chooser->arena, chooser->diag);
}

//===--- the result -------------------------------------------------------===//

// The operands of the hoisted ops, and the figures.
static void find_result(chooser_t *chooser) {
  gmem_hoisting_t *choice = chooser->choice;
  const gmem_derivation_graph_t *graph = chooser->graph;
  uint64_t unit = chooser->options->weight_alignment, *bytes;
  for (uint32_t op = (uint32_t)chooser->analysis->program.op_count; op-- > 0;) {
    if (!gmem_node_is_derived(graph, op))
      continue;
    choice->leaves[op] = choice->hoisted[op] || !chooser->at_request[op];
    choice->initialises[op] |= choice->hoisted[op];
    choice->count += choice->hoisted[op];
    choice->made += choice->hoisted[op] ? (uint64_t)made_bytes(chooser, op) : 0;
    if (choice->initialises[op])
      GMEM_CSR_EACH (node, &graph->uses, op)
        choice->initialises[*node] = true;
  }
  for (uint32_t node = 0; node < graph->count; ++node) {
    if (!gmem_node_is_constant(graph, node))
      continue;
    bytes = chooser->readers[node]      ? &choice->after.constants
            : choice->initialises[node] ? &choice->dropped
                                        : NULL;
    if (bytes)
      *bytes += gmem_node_bytes(graph, node, unit);
  }
  choice->after.constants += choice->made;
  choice->after.peak = (uint64_t)gmem_profile_peak(&chooser->live->profile);
}

static gmem_status_t choose(chooser_t *chooser) {
  const gmem_derivation_graph_t *graph = chooser->graph;
  gmem_hoisting_t *choice = chooser->choice;
  gmem_live_bytes_t live;
  for (uint32_t i = 0; i < graph->count; ++i) {
    chooser->readers[i] =
        graph->outside[i] + (uint32_t)gmem_csr_count(&graph->users, i);
    chooser->at_request[i] = gmem_node_is_derived(graph, i);
    if (gmem_node_is_constant(graph, i) && chooser->readers[i])
      choice->before.constants +=
          gmem_node_bytes(graph, i, chooser->options->weight_alignment);
  }
  hoist_each(chooser);
  hoist_groups(chooser);
  GMEM_TRY(gmem_live_bytes_make(chooser->analysis, chooser->options->alignment,
                                chooser->arena, &live, chooser->diag));
  choice->before.peak = (uint64_t)gmem_profile_peak(&live.profile);
  chooser->live = &live;
  for (uint32_t i = 0; i < chooser->analysis->program.op_count; ++i)
    if (gmem_node_is_derived(graph, i) &&
        (choice->hoisted[i] || !chooser->at_request[i]))
      count_sets(chooser, i, false);
  GMEM_TRY(hoist_at_peak(chooser));
  find_result(chooser);
  chooser->live = NULL;
  return GMEM_OK;
}

gmem_status_t gmem_choice_make(const gmem_derivation_t *derivation,
                               const gmem_plan_options_t *options,
                               gmem_bump_t *arena, gmem_hoisting_t *out_choice,
                               gmem_diag_t *diag) {
  const gmem_analysis_t *analysis = derivation->analysis;
  gmem_derivation_graph_t graph;
  chooser_t chooser = {.graph = &graph,
                       .analysis = analysis,
                       .options = options,
                       .choice = out_choice,
                       .arena = arena,
                       .diag = diag};
  *out_choice = (gmem_hoisting_t){.derivation = derivation};
  GMEM_TRY(gmem_derivation_graph_make(derivation, &analysis->constants, arena,
                                      &graph, diag));
  size_t count = graph.count;
  chooser.work = (uint64_t)count * WORK_PER_NODE;
  GMEM_TRY_ALLOC(out_choice->hoisted, arena, count, diag);
  GMEM_TRY_ALLOC(out_choice->initialises, arena, count, diag);
  GMEM_TRY_ALLOC(out_choice->leaves, arena, count, diag);
  GMEM_TRY_ALLOC(out_choice->stays, arena, count, diag);
  GMEM_TRY_ALLOC(chooser.readers, arena, count, diag);
  GMEM_TRY_ALLOC(chooser.at_request, arena, count, diag);
  GMEM_TRY_ALLOC(chooser.growth, arena, count, diag);
  return choose(&chooser);
}
