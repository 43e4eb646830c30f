// passes_checks_test.c - lists, maps and searches of the passes, and the checks
// of their invariants: each accepts what the analyses make and rejects one
// change of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/passes_checks_test

#include "call_contexts.h"
#include "calls.h"
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

// The numbering with one change at a time, each undone.
static void test_program(gmem_bump_t *arena) {
  MlirContext context = program_context();
  MlirModule module = mlirModuleCreateParse(context, ref(text));
  gmem_model_options_t options = {.memrefs = true};
  const gmem_op_models_t *models;
  gmem_program_t program;
  gmem_program_facts_t facts;
  gmem_diag_t diag;
  CHECK(gmem_op_models_built_in(&models, &diag) == GMEM_OK);
  CHECK(gmem_program_build(mlirModuleGetOperation(module), models, &options,
                           arena, &program, &diag) == GMEM_OK);
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
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
}

int main(void) {
  gmem_bump_t arena;
  gmem_bump_init(&arena, NULL);
  test_csr(&arena);
  test_pointer_map(&arena);
  test_partition_point();
  test_ranges();
  test_out_of_memory();
  test_program(&arena);
  gmem_bump_destroy(&arena);
  return CHECK_RESULT();
}
