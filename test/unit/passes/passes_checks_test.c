// passes_checks_test.c - lists, maps and searches of the passes, and the checks
// of their invariants: each accepts what the analyses make and rejects one
// change of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/passes_checks_test

#include <stdlib.h>

#include "aliases.h"
#include "call_contexts.h"
#include "calls.h"
#include "candidate_pools.h"
#include "check.h"
#include "csr.h"
#include "live_ranges.h"
#include "op_models.h"
#include "partition_point.h"
#include "passes_program.h"
#include "pointer_map.h"
#include "program_build.h"
#include "program_facts.h"

static void test_csr(gmem_bump_t *arena) {
  gmem_csr_pairs_t pairs = {0};
  gmem_csr_t csr;
  GMEM_APPEND(arena, &pairs, (gmem_csr_pair_t){2, 10});
  GMEM_APPEND(arena, &pairs, (gmem_csr_pair_t){0, 11});
  GMEM_APPEND(arena, &pairs, (gmem_csr_pair_t){2, 9});
  CHECK(gmem_csr_build(&pairs, 4, arena, &csr, NULL) == GMEM_OK);
  CHECK(gmem_csr_count(&csr, 0) == 1 && gmem_csr_count(&csr, 1) == 0);
  CHECK(gmem_csr_count(&csr, 2) == 2 && gmem_csr_count(&csr, 3) == 0);
  uint32_t seen = 0;
  GMEM_CSR_EACH (item, &csr, 2)
    seen = seen * 100 + *item;
  CHECK(seen == 1009); // in the order of the pairs
  CHECK(gmem_csr_check(&csr, 4, 12));
  CHECK(!gmem_csr_check(&csr, 4, 11)); // an item out of bounds
  csr.first[1] = 4;
  CHECK(!gmem_csr_check(&csr, 4, 12)); // lists that overlap
}

static void test_pointer_map(gmem_bump_t *arena) {
  gmem_pointer_map_t map;
  int objects[100];
  CHECK(gmem_pointer_map_make(&map, 99, arena, NULL) == GMEM_OK);
  for (uint32_t i = 0; i < 99; ++i)
    gmem_pointer_map_add(&map, &objects[i], i);
  for (uint32_t i = 0; i < 99; ++i)
    CHECK(gmem_pointer_map_find(&map, &objects[i]) == i);
  CHECK(gmem_pointer_map_find(&map, &objects[99]) == GMEM_NO_INDEX);
  CHECK(gmem_pointer_map_find(&map, NULL) == GMEM_NO_INDEX);
}

static bool is_less(const void *element, const void *key) {
  return *(const int *)element < *(const int *)key;
}

static void test_partition_point(void) {
  const int numbers[] = {1, 3, 3, 7};
  for (int key = 0; key < 9; ++key) {
    size_t expected = 0;
    while (expected < 4 && numbers[expected] < key)
      ++expected;
    CHECK(gmem_partition_point(&key, numbers, 4, sizeof key, is_less) ==
          expected);
  }
  const uint32_t left[] = {1, 2, 3}, right[] = {1, 3, 0};
  CHECK(gmem_compare_numbers(left, right, 1) == 0);
  CHECK(gmem_compare_numbers(left, right, 3) < 0);
  CHECK(gmem_compare_numbers(right, left, 2) > 0);
  int key = 0;
  CHECK(gmem_partition_point(&key, NULL, 0, sizeof key, is_less) == 0);
}

static void test_ranges(void) {
  const gmem_live_range_t good[] = {{0, 2}, {3, 5}, {9, 10}};
  CHECK(gmem_ranges_check(good, 3) && gmem_ranges_check(NULL, 0));
  const gmem_live_range_t touching[] = {{0, 2}, {2, 3}};
  const gmem_live_range_t unsorted[] = {{4, 5}, {0, 2}};
  const gmem_live_range_t empty[] = {{4, 4}};
  CHECK(!gmem_ranges_check(touching, 2) && !gmem_ranges_check(unsorted, 2) &&
        !gmem_ranges_check(empty, 1));
  CHECK(gmem_ranges_contain(good, 3, 4) && !gmem_ranges_contain(good, 3, 2) &&
        !gmem_ranges_contain(good, 3, 10));
  const gmem_live_range_t between[] = {{2, 3}, {5, 9}};
  CHECK(!gmem_ranges_meet(good, 3, between, 2));
  CHECK(gmem_ranges_meet(good, 1, touching, 2));
}

// Memory that has run out stays out, also for requests that would fit.
static void test_out_of_memory(void) {
  gmem_bump_t arena;
  gmem_bump_init(&arena, NULL);
  CHECK(gmem_bump_alloc(&arena, 1, 8) != NULL);
  CHECK(gmem_bump_status(&arena, NULL) == GMEM_OK);
  CHECK(gmem_bump_alloc(&arena, SIZE_MAX, 8) == NULL);
  CHECK(gmem_bump_status(&arena, NULL) == GMEM_ERR_OUT_OF_MEMORY);
  CHECK(gmem_bump_alloc(&arena, 1, 8) == NULL);
  gmem_bump_destroy(&arena);
}

static const char text[] = "func.func @main(%a: tensor<4xf32>) {\n"
                           "  %0 = \"a.if\"(%a) ({\n"
                           "    %1 = \"a.op\"(%a) : (tensor<4xf32>) -> "
                           "tensor<4xf32>\n"
                           "    \"a.end\"(%1) : (tensor<4xf32>) -> ()\n"
                           "  }) : (tensor<4xf32>) -> tensor<4xf32>\n"
                           "  return\n"
                           "}\n"
                           "func.func private @other(%b: tensor<4xf32>) {\n"
                           "  return\n"
                           "}\n";

// The pools of a machine with two memories, one change at a time, each undone.
static void test_candidate_pools(void) {
  const gmem_memory_t slow = {.name = "slow", .speed = 1};
  const gmem_memory_t fast = {.name = "fast", .speed = 2};
  gmem_candidate_pool_t all[] = {{.name = "slow", .memory = &slow},
                                 {.name = "fast", .memory = &fast},
                                 {.name = "io"}};
  gmem_candidate_pools_t pools = {
      .all = all, .count = 3, .memory_count = 2, .order = {1, 0}};
  CHECK(gmem_candidate_pools_check(&pools));
  CHECK(gmem_candidate_pool_find(&pools, ref("io")) == 2);
  CHECK(gmem_pools_with_memory(&pools) == 3);
  pools.order[0] = 0; // twice
  CHECK(!gmem_candidate_pools_check(&pools));
  pools.order[1] = 1; // the slower one first
  CHECK(!gmem_candidate_pools_check(&pools));
  pools.order[0] = 1;
  pools.order[1] = 2; // has no memory
  CHECK(!gmem_candidate_pools_check(&pools));
  pools.order[1] = 0;
  pools.memory_count = 1; // a memory after the others
  CHECK(!gmem_candidate_pools_check(&pools));
  pools.memory_count = 2;
  CHECK(gmem_candidate_pools_check(&pools));
  uint32_t list[] = {2, 0};
  gmem_memory_candidates_t candidates = {list, 2};
  CHECK(gmem_candidates_check(&pools, candidates));
  CHECK(gmem_is_candidate(candidates, 0) && !gmem_is_candidate(candidates, 1));
  list[1] = 3; // no such pool
  CHECK(!gmem_candidates_check(&pools, candidates));
  list[1] = 2; // twice
  CHECK(!gmem_candidates_check(&pools, candidates));
}

// Live ranges, alias sets and aliases, one change at a time, each undone.
static void test_liveness(const gmem_program_facts_t *facts,
                          gmem_bump_t *arena) {
  gmem_model_options_t options = {.sharing = GMEM_SHARE_ALL,
                                  .view_alignment = 64};
  gmem_liveness_inputs_t inputs = {.facts = facts, .options = &options};
  gmem_liveness_t liveness;
  gmem_aliases_t aliases;
  gmem_diag_t diag;
  CHECK(gmem_liveness_analyse(&inputs, arena, &liveness, &diag) == GMEM_OK);
  CHECK(gmem_aliases_find(&liveness, &options, arena, &aliases, &diag) ==
        GMEM_OK);
  CHECK(liveness.set_count >= 2 && gmem_liveness_check(&liveness));
  CHECK(gmem_aliases_check(&aliases, &liveness));
  gmem_live_value_t *value = (gmem_live_value_t *)&liveness.live_values[0];
  gmem_alias_set_t *set = (gmem_alias_set_t *)&liveness.sets[1];
  gmem_live_range_t *range = (gmem_live_range_t *)&set->ranges[0];
  value->root = 1; // its set has another representative
  uint32_t other = liveness.live_values[1].root;
  ((gmem_live_value_t *)liveness.live_values)[1].root = 0;
  CHECK(!gmem_liveness_check(&liveness));
  ((gmem_live_value_t *)liveness.live_values)[1].root = other;
  value->root = 0;
  range->end = range->begin; // an empty range
  CHECK(!gmem_liveness_check(&liveness));
  ++range->end;
  CHECK(gmem_liveness_check(&liveness));
  set->range_count = 0; // a set that is never live
  CHECK(!gmem_liveness_check(&liveness));
  gmem_alias_t pair[] = {{.op = 2,
                          .child = liveness.sets[0].root,
                          .parent = liveness.sets[1].root},
                         {.op = 3,
                          .child = liveness.sets[1].root,
                          .parent = liveness.sets[0].root}};
  gmem_aliases_t made = {pair, 2, 2, .view_alignment = 64};
  CHECK(gmem_aliases_check(&made, &liveness));
  pair[1].offset = 8; // not aligned
  CHECK(!gmem_aliases_check(&made, &liveness));
  pair[1].offset = 64; // beyond the parent
  CHECK(!gmem_aliases_check(&made, &liveness));
  pair[1].offset = 0;
  pair[1].op = 1; // not ordered by op
  CHECK(!gmem_aliases_check(&made, &liveness));
  pair[1].op = 3;
  pair[1].parent = pair[1].child; // an alias of itself
  CHECK(!gmem_aliases_check(&made, &liveness));
}

// The numbering with one change at a time, each undone.
static void test_program(gmem_bump_t *arena) {
  MlirContext context = program_context();
  MlirModule module = mlirModuleCreateParse(context, ref(text));
  gmem_model_options_t options = {.memrefs = true};
  gmem_program_t program;
  gmem_program_facts_t facts;
  gmem_diag_t diag;
  CHECK(gmem_program_build(mlirModuleGetOperation(module),
                           &gmem_built_in_models, &options, arena, &program,
                           &diag) == GMEM_OK);
  CHECK(gmem_program_facts_find(&program, arena, &facts, &diag) == GMEM_OK);
  CHECK(program.function_count == 2 && program.op_count == 5);
  CHECK(gmem_program_check(&program));
  --program.ops[1].begin; // outside of its block
  CHECK(!gmem_program_check(&program));
  ++program.ops[1].begin;
  program.ops[2].parent = 4; // a parent that follows
  CHECK(!gmem_program_check(&program));
  program.ops[2].parent = 0;
  ++program.functions[1].begin; // a gap between functions
  CHECK(!gmem_program_check(&program));
  --program.functions[1].begin;
  program.values[0].block = 99;
  CHECK(!gmem_program_check(&program));
  program.values[0].block = 0;
  ++program.blocks[1].end; // beyond its region
  program.blocks[1].end += 9;
  CHECK(!gmem_program_check(&program));
  program.blocks[1].end -= 10;
  CHECK(gmem_program_check(&program));
  test_liveness(&facts, arena);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
}

static void *take(void *user, size_t size, size_t align) {
  (void)align;
  *(size_t *)user += size;
  return malloc(size);
}

static void give_back(void *user, void *memory, size_t size, size_t align) {
  (void)align;
  *(size_t *)user -= size;
  free(memory);
}

// A large array is freed at once, wherever it lies; a small one with the rest.
static void test_drop(void) {
  enum { LARGE = 1 << 20 };
  size_t taken = 0;
  const gmem_allocator_t counting = {
      .user = &taken, .alloc = take, .free = give_back};
  gmem_bump_t arena;
  gmem_bump_init(&arena, &counting);
  char *first = gmem_bump_alloc(&arena, LARGE, 1); // the newest block
  char *small = gmem_bump_alloc(&arena, 8, 1);
  char *second = gmem_bump_alloc(&arena, LARGE, 1);
  size_t all = taken;
  gmem_bump_drop(&arena, second);
  CHECK(taken <= all - LARGE);
  gmem_bump_drop(&arena, first);
  CHECK(taken <= all - 2 * (size_t)LARGE);
  all = taken;
  gmem_bump_drop(&arena, small);
  gmem_bump_drop(&arena, NULL);
  CHECK(taken == all);
  small[7] = 1;
  gmem_bump_destroy(&arena);
  first = gmem_bump_alloc(&arena, LARGE, 1);
  gmem_bump_drop(&arena, first);
  CHECK(taken == 0);
  CHECK(gmem_bump_alloc(&arena, 8, 1) != NULL);
  gmem_bump_destroy(&arena);
  CHECK(taken == 0);
}

int main(void) {
  gmem_bump_t arena;
  gmem_bump_init(&arena, NULL);
  test_csr(&arena);
  test_pointer_map(&arena);
  test_partition_point();
  test_ranges();
  test_out_of_memory();
  test_drop();
  test_candidate_pools();
  test_program(&arena);
  gmem_bump_destroy(&arena);
  return CHECK_RESULT();
}
