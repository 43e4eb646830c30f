// alias_bound.c - a lower bound that looks at which aliases are in place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The lower bound of a problem assumes of every optional alias what needs less:
// of the child, that it needs no alignment of its own, and of the child or the
// parent, that it is inside the other. But an alias is in place or it is not.
// In place, it ties two buffers, and others that it makes overlap are not in
// place; otherwise the child is aligned unless another alias is in place. So
// the least of the bounds of these two problems is a bound, too, and again so
// of each of the two: branch and bound (Land and Doig, "An automatic method of
// solving discrete programming problems", 1960), the problem with the least
// bound first. When it reaches the peak of a plan, that plan is optimal; when
// the work ends before, the least bound of those that are left counts.
//
// The next alias is the one that raises the bounds most, of those that have
// raised them most so far.

#include <string.h>

#include "loose_buffers.h"
#include "packing.h"
#include "problem_store.h"
#include "search.h"
#include "sub_problem.h"

enum {
  MOST_BUFFERS = 1 << 10,
  MOST_ALIASES = 1 << 7, // that matter
  MOST_NODES = 1 << 12,
  // Aliases that are compared for each step but the first.
  COMPARED = 6,
  // Work for the bound of one problem: this for each buffer and alias, and what
  // the finer bounds take.
  STEPS_PER_PART = 1 << 11,
  STEPS = 1 << 27,
};

// What is known of a problem: aliases in place or not.
typedef struct node_s {
  uint64_t bound;
  uint8_t *states; // by alias: gmem_alias_state_t
} node_t;

typedef struct brancher_s {
  const gmem_problem_t *problem;
  gmem_search_t *search;
  gmem_scratch_t *memory;
  gmem_loose_buffers_t loose;
  size_t alias_count;
  uint64_t peak;
  uint32_t *matters; // aliases that matter, the most important ones first
  uint32_t count;
  uint64_t *gains; // by alias: by how much both problems raised the bound
  node_t *heap;    // the least bound first
  uint32_t open;   // nodes in it
  uint32_t made;   // nodes so far
  int64_t *places; // scratch, by buffer: offset in its group
  uint32_t *group; // scratch, by buffer
  uint32_t *queue; // scratch, by buffer
  uint32_t *ids;   // scratch, by buffer
  uint8_t *trial;  // scratch, by alias
} brancher_t;

//===--- the bound of one problem -----------------------------------------===//

static const gmem_alias_spec_t *alias_of(const brancher_t *brancher, size_t i) {
  return gmem_problem_alias(brancher->problem, i);
}

// Gives each buffer that aliases in place tie to |root| its offset from there.
static void list_group(brancher_t *brancher, const uint8_t *states,
                       uint32_t root) {
  const gmem_loose_buffers_t *loose = &brancher->loose;
  uint32_t count = 1;
  brancher->queue[0] = root;
  brancher->group[root] = root;
  brancher->places[root] = 0;
  for (uint32_t next = 0; next < count; ++next) {
    uint32_t self = brancher->queue[next];
    for (size_t i = loose->first_tie[self]; i < loose->first_tie[self + 1];
         ++i) {
      const gmem_alias_spec_t *alias = alias_of(brancher, loose->ties[i]);
      uint32_t other = alias->child == self ? alias->parent : alias->child;
      int64_t apart = (int64_t)alias->offset;
      if (states[loose->ties[i]] != GMEM_ALIAS_IN_PLACE ||
          brancher->group[other] != UINT32_MAX)
        continue;
      brancher->group[other] = root;
      brancher->places[other] =
          brancher->places[self] + (alias->child == self ? -apart : apart);
      brancher->queue[count++] = other;
    }
  }
}

// Whether an alias of the two, at their places, may be in place.
static bool may_share(const brancher_t *brancher, const uint8_t *states,
                      uint32_t self, uint32_t other) {
  const gmem_loose_buffers_t *loose = &brancher->loose;
  int64_t apart = brancher->places[self] - brancher->places[other];
  for (size_t i = loose->first_tie[self]; i < loose->first_tie[self + 1]; ++i) {
    const gmem_alias_spec_t *alias = alias_of(brancher, loose->ties[i]);
    bool is_child = alias->child == self;
    int64_t distance = (int64_t)alias->offset;
    if ((is_child ? alias->parent : alias->child) == other &&
        apart == (is_child ? distance : -distance) &&
        states[loose->ties[i]] != GMEM_ALIAS_ELSEWHERE)
      return true;
  }
  return false;
}

// Whether the aliases in place can be in place together, as far as the buffers
// that they tie are concerned.
static bool is_possible(brancher_t *brancher, const uint8_t *states) {
  const gmem_loose_buffers_t *loose = &brancher->loose;
  memset(brancher->group, 0xff, loose->count * sizeof *brancher->group);
  for (uint32_t i = 0; i < loose->count; ++i)
    if (brancher->group[i] == UINT32_MAX)
      list_group(brancher, states, i);
  for (uint32_t i = 0; i < loose->count; ++i)
    for (size_t k = loose->first_rival[i]; k < loose->first_rival[i + 1]; ++k) {
      uint32_t other = loose->rivals[k].buffer;
      int64_t apart = brancher->places[i] - brancher->places[other];
      if (brancher->group[i] == brancher->group[other] &&
          apart <
              (int64_t)gmem_problem_buffer(brancher->problem, other)->size &&
          -apart < (int64_t)gmem_problem_buffer(brancher->problem, i)->size &&
          !may_share(brancher, states, i, other))
        return false;
    }
  return true;
}

// The bound of the only pool, without fixed buffers.
static gmem_status_t bound_of(brancher_t *brancher,
                              const gmem_problem_t *problem, uint64_t *bound) {
  gmem_packing_t packing;
  gmem_status_t status = gmem_packing_create_for_bound(
      problem, 0, NULL, &packing, brancher->memory->diag);
  *bound = packing.bound;
  gmem_search_spend(brancher->search, packing.bound_steps);
  gmem_packing_destroy(&packing);
  return status;
}

// Sets *bound, or the peak where |states| are impossible or reach it.
static gmem_status_t find_bound(brancher_t *brancher, const uint8_t *states,
                                uint64_t *bound) {
  gmem_problem_t *problem;
  gmem_diag_t *diag = brancher->memory->diag;
  *bound = brancher->peak;
  gmem_search_spend(brancher->search, STEPS_PER_PART * (brancher->loose.count +
                                                        brancher->alias_count));
  if (!is_possible(brancher, states))
    return GMEM_OK;
  GMEM_TRY(gmem_problem_create(brancher->memory->allocator, &problem, diag));
  gmem_status_t status = gmem_copy_decided(brancher->problem, states,
                                           brancher->ids, problem, diag);
  if (status == GMEM_OK)
    status = bound_of(brancher, problem, bound);
  gmem_problem_destroy(problem);
  // The aliases in place contradict each other, or nothing is known.
  if (status == GMEM_ERR_INVALID_ARGUMENT || *bound > brancher->peak)
    *bound = brancher->peak;
  else if (status != GMEM_OK)
    *bound = 0;
  return status == GMEM_ERR_OUT_OF_MEMORY ? status : GMEM_OK;
}

//===--- nodes ------------------------------------------------------------===//

static gmem_status_t push(brancher_t *brancher, const uint8_t *states,
                          uint64_t bound) {
  node_t node = {.bound = bound};
  GMEM_TRY_NEW(node.states, brancher->memory, brancher->alias_count);
  memcpy(node.states, states, brancher->alias_count);
  uint32_t at = brancher->open++;
  for (; at && brancher->heap[(at - 1) / 2].bound > bound; at = (at - 1) / 2)
    brancher->heap[at] = brancher->heap[(at - 1) / 2];
  brancher->heap[at] = node;
  ++brancher->made;
  return GMEM_OK;
}

static node_t pop(brancher_t *brancher) {
  node_t *heap = brancher->heap, first = heap[0];
  uint32_t count = --brancher->open, at = 0;
  node_t last = heap[count];
  for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
    child += child + 1 < count && heap[child + 1].bound < heap[child].bound;
    if (heap[child].bound >= last.bound)
      break;
    heap[at] = heap[child];
  }
  heap[at] = last;
  return first;
}

// The bounds of the problems with |alias| elsewhere and in place.
typedef struct branch_s {
  uint32_t alias;
  uint64_t elsewhere, in_place;
} branch_t;

static uint64_t least(const branch_t *branch) {
  return branch->elsewhere < branch->in_place ? branch->elsewhere
                                              : branch->in_place;
}

static gmem_status_t look_at(brancher_t *brancher, const node_t *node,
                             uint32_t alias, branch_t *branch) {
  memcpy(brancher->trial, node->states, brancher->alias_count);
  branch->alias = alias;
  brancher->trial[alias] = GMEM_ALIAS_ELSEWHERE;
  GMEM_TRY(find_bound(brancher, brancher->trial, &branch->elsewhere));
  brancher->trial[alias] = GMEM_ALIAS_IN_PLACE;
  GMEM_TRY(find_bound(brancher, brancher->trial, &branch->in_place));
  brancher->gains[alias] +=
      (branch->elsewhere > node->bound ? branch->elsewhere - node->bound : 0) +
      (branch->in_place > node->bound ? branch->in_place - node->bound : 0);
  return GMEM_OK;
}

static bool is_better(const branch_t *branch, const branch_t *best) {
  uint64_t own = least(branch), other = least(best);
  return own != other ? own > other
                      : branch->elsewhere + branch->in_place >
                            best->elsewhere + best->in_place;
}

// Orders the aliases that matter by what they raised so far.
static void sort_gains(brancher_t *brancher) {
  for (uint32_t i = 1; i < brancher->count; ++i) {
    uint32_t alias = brancher->matters[i], at = i;
    for (; at &&
           brancher->gains[brancher->matters[at - 1]] < brancher->gains[alias];
         --at)
      brancher->matters[at] = brancher->matters[at - 1];
    brancher->matters[at] = alias;
  }
}

// Looks at up to |most| of the open aliases. *out_found: false when there is
// none.
static gmem_status_t find_branch(brancher_t *brancher, const node_t *node,
                                 uint32_t most, branch_t *best,
                                 bool *out_found) {
  uint32_t looks = 0;
  sort_gains(brancher);
  for (uint32_t i = 0; i < brancher->count && looks < most; ++i) {
    branch_t branch;
    if (node->states[brancher->matters[i]] != GMEM_ALIAS_OPEN)
      continue;
    GMEM_TRY(look_at(brancher, node, brancher->matters[i], &branch));
    if (looks++ == 0 || is_better(&branch, best))
      *best = branch;
  }
  *out_found = looks > 0;
  return GMEM_OK;
}

static gmem_status_t follow(brancher_t *brancher, node_t *node,
                            gmem_alias_state_t state, const branch_t *branch) {
  uint64_t bound =
      state == GMEM_ALIAS_IN_PLACE ? branch->in_place : branch->elsewhere;
  bound = bound > node->bound ? bound : node->bound;
  node->states[branch->alias] = (uint8_t)state;
  return bound < brancher->peak ? push(brancher, node->states, bound) : GMEM_OK;
}

// Raises *bound to the least of all open nodes, until the work ends.
static gmem_status_t search_nodes(brancher_t *brancher, uint64_t *bound) {
  uint32_t most = brancher->count;
  while (brancher->open && brancher->made + 2 < MOST_NODES &&
         gmem_search_spend(brancher->search, 1)) {
    node_t node = pop(brancher);
    branch_t best;
    bool is_found;
    *bound = node.bound > *bound ? node.bound : *bound;
    GMEM_TRY(find_branch(brancher, &node, most, &best, &is_found));
    if (!is_found) // its bound is all that is known
      return GMEM_OK;
    GMEM_TRY(follow(brancher, &node, GMEM_ALIAS_ELSEWHERE, &best));
    GMEM_TRY(follow(brancher, &node, GMEM_ALIAS_IN_PLACE, &best));
    gmem_scratch_drop(brancher->memory, node.states);
    most = COMPARED;
  }
  uint64_t left = brancher->open ? brancher->heap[0].bound : brancher->peak;
  *bound = left > *bound ? left : *bound;
  return GMEM_OK;
}

//===--- set-up -----------------------------------------------------------===//

// Marks the buffers that are live when more than |bytes| are without aliases,
// and counts their padding.
static gmem_status_t mark_hot(brancher_t *brancher, uint64_t bytes,
                              bool *is_hot) {
  const gmem_loose_buffers_t *loose = &brancher->loose;
  const gmem_alias_pressure_t *live = loose->live;
  gmem_wide_t *sums, sum = 0;
  GMEM_TRY_ZEROS(sums, brancher->memory, live->time_count + 1);
  for (uint32_t i = 0; i < loose->count; ++i)
    for (size_t k = live->first_span[i]; k < live->first_span[i + 1]; ++k) {
      uint64_t size = gmem_problem_buffer(brancher->problem, i)->size;
      uint64_t mask = loose->masks[i];
      sums[live->spans[k].begin] += (gmem_wide_t)((size + mask) & ~mask);
      sums[live->spans[k].end] -= (gmem_wide_t)((size + mask) & ~mask);
    }
  for (size_t i = 0; i < live->time_count; ++i)
    sums[i] = (sum += sums[i]);
  for (uint32_t i = 0; i < loose->count; ++i)
    for (size_t k = live->first_span[i]; k < live->first_span[i + 1]; ++k)
      for (size_t t = live->spans[k].begin; t < live->spans[k].end; ++t)
        is_hot[i] |= sums[t] > (gmem_wide_t)bytes;
  return GMEM_OK;
}

// Lists the aliases of hot children, those of their parents, and so on.
static gmem_status_t list_aliases(brancher_t *brancher, uint64_t bytes) {
  bool *is_hot, *is_listed;
  GMEM_TRY_ZEROS(is_hot, brancher->memory, brancher->loose.count);
  GMEM_TRY_ZEROS(is_listed, brancher->memory, brancher->alias_count);
  GMEM_TRY(mark_hot(brancher, bytes, is_hot));
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (size_t i = 0; i < brancher->alias_count; ++i) {
      const gmem_alias_spec_t *alias = alias_of(brancher, i);
      if (is_listed[i] || !is_hot[alias->child] ||
          !brancher->loose.is_used[alias->child] ||
          !brancher->loose.is_used[alias->parent])
        continue;
      is_listed[i] = is_hot[alias->parent] = is_new = true;
      brancher->matters[brancher->count++] = (uint32_t)i;
    }
  }
  return GMEM_OK;
}

static gmem_status_t create(brancher_t *brancher, const gmem_choice_t *choice,
                            const gmem_alias_pressure_t *live, uint64_t bound,
                            bool *out_able) {
  gmem_scratch_t *memory = brancher->memory;
  size_t count = gmem_problem_buffer_count(brancher->problem);
  GMEM_TRY(gmem_loose_buffers_create(brancher->problem, choice, live, memory,
                                     &brancher->loose));
  GMEM_TRY(gmem_list_rivals(&brancher->loose, 1, memory, out_able));
  if (!*out_able)
    return GMEM_OK;
  GMEM_TRY_NEW(brancher->matters, memory, brancher->alias_count);
  GMEM_TRY(list_aliases(brancher, bound));
  *out_able = brancher->count > 0 && brancher->count <= MOST_ALIASES;
  GMEM_TRY_ZEROS(brancher->gains, memory, brancher->alias_count);
  GMEM_TRY_NEW(brancher->heap, memory, MOST_NODES);
  GMEM_TRY_NEW(brancher->places, memory, count);
  GMEM_TRY_NEW(brancher->group, memory, count);
  GMEM_TRY_NEW(brancher->queue, memory, count);
  GMEM_TRY_NEW(brancher->ids, memory, count);
  GMEM_TRY_ZEROS(brancher->trial, memory, brancher->alias_count);
  return GMEM_OK;
}

static gmem_status_t raise(brancher_t *brancher, const gmem_choice_t *choice,
                           uint64_t *bound) {
  gmem_alias_pressure_t live;
  bool is_able;
  GMEM_TRY(
      gmem_alias_pressure_create(brancher->problem, brancher->memory, &live));
  GMEM_TRY(create(brancher, choice, &live, *bound, &is_able));
  if (!is_able)
    return GMEM_OK;
  GMEM_TRY(push(brancher, brancher->trial, *bound));
  return search_nodes(brancher, bound);
}

static gmem_status_t raise_below(const gmem_problem_t *problem, uint64_t peak,
                                 uint64_t *bound, gmem_diag_t *diag) {
  gmem_choice_t choice;
  gmem_scratch_t memory = {.allocator = gmem_problem_allocator(problem),
                           .diag = diag};
  gmem_search_t search = {.stage_limit = STEPS, .step_limit = STEPS};
  brancher_t brancher = {.problem = problem,
                         .search = &search,
                         .memory = &memory,
                         .alias_count = gmem_problem_alias_count(problem),
                         .peak = peak};
  gmem_status_t status = gmem_choice_create(problem, &choice, diag);
  if (status == GMEM_OK)
    status = raise(&brancher, &choice, bound);
  gmem_choice_destroy(&choice);
  gmem_scratch_free(&memory);
  return status;
}

gmem_status_t gmem_lower_bound_below(const gmem_problem_t *problem,
                                     uint64_t peak, uint64_t *out_bytes,
                                     gmem_diag_t *diag) {
  GMEM_TRY(gmem_lower_bound(problem, out_bytes, diag));
  if (peak <= *out_bytes || peak - *out_bytes <= *out_bytes / 1024 ||
      peak > GMEM_MAX_ADDRESS / 8 || !gmem_can_be_loose(problem) ||
      gmem_problem_alias_count(problem) == 0 ||
      gmem_problem_buffer_count(problem) > MOST_BUFFERS)
    return GMEM_OK;
  return raise_below(problem, peak, out_bytes, diag);
}
