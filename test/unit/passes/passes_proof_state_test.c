// passes_proof_state_test.c - states of the check of contents, against the same
// sets as arrays. A join kept an old greatest end above nodes that it had
// changed in place: queries then missed values that it had just added.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/passes_proof_state_test

#include "check.h"
#include "proof_state.h"

enum { VALUES = 24, STATES = 5, STEPS = 20000 };

// The same state as a table.
typedef struct model_s {
  bool is_intact[VALUES], is_lost[VALUES];
} model_t;

typedef struct test_s {
  gmem_proof_store_t store;
  gmem_proof_state_t states[STATES];
  model_t models[STATES];
  gmem_proof_range_t bytes[VALUES];
  uint64_t random;
} test_t;

static uint32_t draw(test_t *test, uint32_t below) {
  test->random = test->random * UINT64_C(6364136223846793005) + 1442695040;
  return (uint32_t)(test->random >> 33) % below;
}

static bool overlap(gmem_proof_range_t left, gmem_proof_range_t right) {
  return left.begin < right.end && right.begin < left.end;
}

static void lose(test_t *test, uint32_t s, gmem_proof_range_t bytes) {
  gmem_proof_list(&test->store, &test->states[s], bytes);
  for (size_t i = 0; i < test->store.found.count; ++i) {
    gmem_proof_entry_t entry = test->store.found.at[i];
    gmem_proof_lose(&test->store, &test->states[s], &entry, bytes, 1);
  }
  for (uint32_t v = 0; v < VALUES; ++v)
    if (test->models[s].is_intact[v] && overlap(test->bytes[v], bytes)) {
      test->models[s].is_intact[v] = false;
      test->models[s].is_lost[v] = true;
    }
}

static void define(test_t *test, uint32_t s, uint32_t v) {
  gmem_proof_define(&test->store, &test->states[s], test->bytes[v], v, 2);
  test->models[s].is_intact[v] = true;
  test->models[s].is_lost[v] = false;
}

static void forget(test_t *test, uint32_t s, uint32_t v) {
  gmem_proof_forget(&test->store, &test->states[s], test->bytes[v], v);
  test->models[s].is_intact[v] = test->models[s].is_lost[v] = false;
}

static void copy(test_t *test, uint32_t to, uint32_t from) {
  gmem_proof_freeze(&test->store);
  test->states[to] = test->states[from];
  test->models[to] = test->models[from];
}

static void join(test_t *test, uint32_t to, uint32_t from) {
  model_t *one = &test->models[to];
  const model_t *other = &test->models[from];
  size_t before = gmem_proof_size(&test->states[to]);
  bool is_changed = false;
  for (uint32_t v = 0; v < VALUES; ++v) {
    bool is_lost = one->is_lost[v] || other->is_lost[v];
    bool is_intact = !is_lost && (one->is_intact[v] || other->is_intact[v]);
    is_changed |= is_lost != one->is_lost[v] || is_intact != one->is_intact[v];
    one->is_lost[v] = is_lost;
    one->is_intact[v] = is_intact;
  }
  gmem_proof_join(&test->store, &test->states[to], &test->states[from]);
  CHECK((gmem_proof_size(&test->states[to]) > before) == is_changed);
}

// The nodes of no state are used again, those of the others are not.
static void sweep(test_t *test) {
  size_t most = 0;
  for (uint32_t s = 0; s < STATES; ++s) {
    most += gmem_proof_size(&test->states[s]);
    gmem_proof_mark(&test->states[s]);
  }
  gmem_proof_sweep(&test->store);
  CHECK(test->store.kept <= most);
  CHECK(!gmem_proof_is_due(&test->store));
}

// All queries find what the table has.
static void check(test_t *test, uint32_t s) {
  const model_t *model = &test->models[s];
  uint64_t begin = draw(test, 300);
  gmem_proof_range_t bytes = {begin, begin + 1 + draw(test, 40)};
  size_t count = 0;
  for (uint32_t v = 0; v < VALUES; ++v) {
    CHECK(gmem_proof_is_intact(&test->states[s], test->bytes[v], v) ==
          model->is_intact[v]);
    CHECK((gmem_proof_loss(&test->states[s], v) != NULL) == model->is_lost[v]);
    count += model->is_intact[v] && overlap(test->bytes[v], bytes);
  }
  gmem_proof_list(&test->store, &test->states[s], bytes);
  CHECK(test->store.found.count == count);
}

static void step(test_t *test) {
  uint32_t s = draw(test, STATES), v = draw(test, VALUES);
  switch (draw(test, 7)) {
  case 0:
    lose(test, s, test->bytes[v]);
    break;
  case 1:
    forget(test, s, v);
    break;
  case 2:
    copy(test, s, draw(test, STATES));
    break;
  case 3:
    join(test, s, draw(test, STATES));
    break;
  case 4:
    sweep(test);
    break;
  default:
    define(test, s, v);
  }
  check(test, s);
}

int main(void) {
  gmem_bump_t arena;
  gmem_bump_init(&arena, NULL);
  test_t test = {.store = {.arena = &arena}, .random = 1};
  for (uint32_t s = 0; s < STATES; ++s)
    test.states[s].is_reached = true;
  for (uint32_t v = 0; v < VALUES; ++v) {
    test.bytes[v].begin = draw(&test, 256);
    test.bytes[v].end = test.bytes[v].begin + 1 + draw(&test, 64);
  }
  for (uint32_t i = 0; i < STEPS; ++i)
    step(&test);
  // As many at a time as states have, and those that are left until a sweep.
  CHECK(test.store.chunks.count < 64);
  gmem_bump_destroy(&arena);
  return CHECK_RESULT();
}
