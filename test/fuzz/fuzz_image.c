// fuzz_image.c - fuzzes the loader of plan images.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fuzz/fuzz_image_replay %S/corpus/fuzz_image
//
// Each input is loaded as it is, and again with its length and checksums made
// right, or nothing but the header would ever be tested.

#include <stdlib.h>

#include "../unit/image_mutator.h"
#include "../unit/plan_checker.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room,
                               unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);

// Half of the time one field of an image, with right checksums; else whatever
// the fuzzer likes.
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room,
                               unsigned seed) {
  uint64_t state = seed;
  if (mutator_random(&state, 2) == 0)
    return LLVMFuzzerMutate(data, size, room);
  for (uint32_t i = mutator_random(&state, 3) + 1; i > 0; --i)
    mutate_image(data, size, &state);
  return size;
}

// Asks a plan all there is to ask. Aborts when it contradicts itself or, unless
// that would take too long, is not true.
static void query_all(const gmem_plan_t *plan) {
  gmem_region_info_t region;
  gmem_buffer_info_t buffer;
  uint64_t total = 0;
  for (uint32_t i = 0; gmem_plan_region(plan, i, &region) == GMEM_OK; ++i)
    total += strlen(region.name);
  for (uint32_t i = 0; gmem_plan_buffer(plan, i, &buffer) == GMEM_OK; ++i)
    for (uint32_t k = 0; k < buffer.range_count; ++k)
      total += buffer.ranges[k].end;
  for (uint32_t i = 0; i < gmem_plan_op_count(plan); ++i)
    total += strlen(gmem_plan_op_name(plan, i));
  if (gmem_plan_buffer_count(plan) < 64 && gmem_plan_op_count(plan) < 1024 &&
      !plan_is_true(plan))
    abort();
  total += gmem_plan_slot_size(plan) + gmem_plan_shared_size(plan);
  if (total == UINT64_MAX || gmem_plan_find(plan, "\x01") != GMEM_NONE)
    abort(); // uses |total|, so that nothing above is optimised away
}

static void load(const uint8_t *data, size_t size, uint32_t flags) {
  gmem_plan_t *plan = NULL;
  gmem_diag_t diag = {0};
  if (gmem_plan_load_memory(data, size, flags, NULL, &plan, &diag) == GMEM_OK)
    query_all(plan);
  else if (plan || diag.text[0] == '\0')
    abort();
  gmem_plan_release(plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  load(data, size, 0);
  uint8_t *fixed = malloc(size ? size : 1);
  if (!fixed)
    return 0;
  memcpy(fixed, data, size);
  fix_header(fixed, size);
  load(fixed, size, GMEM_LOAD_BORROW);
  free(fixed);
  return 0;
}
