// proof_reach.c - see proof_reach.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_reach.h"

// Rounds through all values, to and fro. In an order in which only loops lead
// back, loops in loops and chains of loops that overlap take few.
enum { MOST_ROUNDS = 16 };

// A value of which the links before |next| have been followed.
typedef struct visit_s {
  uint32_t value, next;
} visit_t;

typedef struct finder_s {
  const gmem_proof_program_t *program;
  gmem_proof_reach_t *reach;
  bool *is_marked, *is_target, *is_seen; // by value
  uint32_t *rows;
  visit_t *stack;
} finder_t;

// Gives rows to what |root| leads to, depth first: what a value leads to has
// rows above it, unless a loop leads back.
static void visit_from(finder_t *finder, uint32_t root) {
  gmem_proof_reach_t *reach = finder->reach;
  uint32_t depth = 0;
  finder->is_seen[root] = true;
  finder->stack[depth++] = (visit_t){root, reach->next.first[root]};
  while (depth) {
    visit_t *top = &finder->stack[depth - 1];
    if (top->next == reach->next.first[top->value + 1]) {
      finder->rows[reach->row_count] = top->value;
      reach->rank[top->value] = ++reach->row_count;
      --depth;
      continue;
    }
    uint32_t to = reach->next.items[top->next++];
    if (finder->is_seen[to])
      continue;
    finder->is_seen[to] = true;
    finder->stack[depth++] = (visit_t){to, reach->next.first[to]};
  }
}

// A value that |value| is passed on as and that is on no path yet.
static uint32_t find_free(const gmem_proof_reach_t *reach, uint32_t value) {
  GMEM_CSR_EACH (to, &reach->next, value)
    if (reach->path[*to] == GMEM_NO_INDEX)
      return *to;
  return GMEM_NO_INDEX;
}

// Covers the values by paths, last rows first. The rows of a function follow
// each other, and so do its paths.
static void make_paths(finder_t *finder) {
  gmem_proof_reach_t *reach = finder->reach;
  uint32_t paths = 0, function = GMEM_NO_INDEX;
  for (uint32_t i = reach->row_count; i-- > 0;) {
    uint32_t value = reach->rows[i], place = 0;
    uint32_t own = finder->program->values.at[value].function;
    paths = own == function ? paths : 0;
    function = own;
    if (reach->path[value] != GMEM_NO_INDEX)
      continue;
    if (paths == GMEM_PROOF_PATHS) {
      finder->is_marked[value] = true;
      continue;
    }
    for (; value != GMEM_NO_INDEX; value = find_free(reach, value)) {
      reach->path[value] = paths;
      reach->place[value] = place++;
    }
    ++paths;
  }
}

static void begin_row(finder_t *finder, uint32_t row) {
  gmem_proof_reach_t *reach = finder->reach;
  uint32_t value = reach->rows[row];
  for (uint32_t p = 0; p < GMEM_PROOF_PATHS; ++p)
    reach->first[row][p] =
        p == reach->path[value] ? reach->place[value] : GMEM_NO_INDEX;
}

// Takes what |value|, of |row|, leads to from those that it is passed on as.
// Returns whether that is more than before.
static bool take_next(finder_t *finder, uint32_t row) {
  gmem_proof_reach_t *reach = finder->reach;
  uint32_t value = reach->rows[row], *own = reach->first[row];
  bool is_more = false;
  GMEM_CSR_EACH (to, &reach->next, value) {
    const uint32_t *other = reach->first[reach->rank[*to] - 1];
    is_more |= finder->is_marked[*to] && !finder->is_marked[value];
    finder->is_marked[value] |= finder->is_marked[*to];
    for (uint32_t p = 0; p < GMEM_PROOF_PATHS; ++p) {
      is_more |= other[p] < own[p];
      own[p] = other[p] < own[p] ? other[p] : own[p];
    }
  }
  return is_more;
}

// Returns whether all has been found.
static bool find_firsts(finder_t *finder) {
  uint32_t count = finder->reach->row_count;
  bool is_more = true;
  for (uint32_t row = 0; row < count; ++row)
    begin_row(finder, row);
  for (int round = 0; is_more && round < MOST_ROUNDS; ++round) {
    is_more = false;
    for (uint32_t i = 0; i < count; ++i)
      is_more |= take_next(finder, round % 2 ? count - 1 - i : i);
  }
  return !is_more;
}

// What is passed on, but is no target itself, has no row.
static void mark_sources(finder_t *finder) {
  for (uint32_t v = 0; v < finder->program->values.count; ++v)
    GMEM_CSR_EACH (to, &finder->reach->next, v)
      finder->is_marked[v] |= finder->is_marked[*to];
}

gmem_status_t gmem_proof_reach_find(const gmem_proof_program_t *program,
                                    const gmem_csr_pairs_t *links,
                                    bool *is_marked, gmem_bump_t *arena,
                                    gmem_proof_reach_t *out_reach,
                                    bool *out_is_known, gmem_diag_t *diag) {
  size_t count = program->values.count;
  finder_t finder = {
      .program = program, .reach = out_reach, .is_marked = is_marked};
  *out_reach = (gmem_proof_reach_t){0};
  GMEM_TRY(gmem_csr_build(links, count, arena, &out_reach->next, diag));
  GMEM_TRY_ALLOC(out_reach->path, arena, count, diag);
  GMEM_TRY_ALLOC(out_reach->place, arena, count, diag);
  GMEM_TRY_ALLOC(out_reach->rank, arena, count, diag);
  GMEM_TRY_ALLOC(finder.is_target, arena, count, diag);
  GMEM_TRY_ALLOC(finder.is_seen, arena, count, diag);
  GMEM_TRY_ALLOC(finder.rows, arena, count, diag);
  GMEM_TRY_ALLOC(finder.stack, arena, count, diag);
  for (size_t i = 0; i < links->count; ++i)
    finder.is_target[links->at[i].item] = true;
  for (uint32_t v = 0; v < count; ++v) {
    out_reach->path[v] = GMEM_NO_INDEX;
    if (finder.is_target[v] && !finder.is_seen[v])
      visit_from(&finder, v);
  }
  out_reach->rows = finder.rows;
  GMEM_TRY_ALLOC(out_reach->first, arena, out_reach->row_count, diag);
  make_paths(&finder);
  *out_is_known = find_firsts(&finder);
  mark_sources(&finder);
  return GMEM_OK;
}
