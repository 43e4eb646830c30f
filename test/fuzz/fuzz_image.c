// fuzz_image.c - fuzzes the loader of plan images, and requests to what loads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fuzz/fuzz_image_replay %S/corpus/fuzz_image
//
// Each input is loaded as it is, and again with its length and checksums made
// right, or nothing but the header would ever be tested. What is loaded, and
// small, is then put into a little memory and run.

#include <stdlib.h>

#include "gmem/runtime.h"

#include "image_mutator.h"
#include "plan_checker.h"

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

// What an image may have besides.
static void query_optional(const gmem_plan_t *plan) {
  const gmem_workbuffer_t *work = NULL;
  const gmem_plan_copy_t *copies = NULL;
  const gmem_reloc_t *relocs = NULL;
  gmem_weight_info_t weight;
  gmem_group_info_t group;
  for (uint32_t i = 0; gmem_plan_group(plan, i, &group) == GMEM_OK; ++i)
    for (uint32_t k = 0; k < group.member_count; ++k)
      if (group.members[k] >= gmem_plan_buffer_count(plan) ||
          gmem_plan_find_group(plan, group.name) != i)
        abort();
  for (gmem_op_t op = 0; op < gmem_plan_op_count(plan) && op < 1024; ++op)
    for (uint32_t k = gmem_plan_workbuffers(plan, op, &work); k-- > 0;)
      if (work[k].op != op || work[k].buffer >= gmem_plan_buffer_count(plan))
        abort();
  for (gmem_op_t op = 0; op < gmem_plan_op_count(plan) && op < 1024; ++op)
    for (uint32_t k = gmem_plan_copies(plan, op, &copies); k-- > 0;)
      if (copies[k].op != op || copies[k].size == 0 ||
          copies[k].from >= gmem_plan_buffer_count(plan) ||
          copies[k].to >= gmem_plan_buffer_count(plan))
        abort();
  for (gmem_buffer_t id = 0; id < gmem_plan_buffer_count(plan); ++id)
    if (gmem_plan_weight(plan, id, &weight) == GMEM_OK && weight.buffer != id)
      abort();
  for (uint16_t stream = 0; stream < 4; ++stream)
    for (uint32_t k = gmem_plan_relocs(plan, stream, &relocs); k-- > 0;)
      if (relocs[k].buffer >= gmem_plan_buffer_count(plan))
        abort();
}

//===--- requests ---------------------------------------------------------===//

enum { MEMORY = 1 << 18, MOST = 64 };

static gmem_status_t fill(void *user, gmem_buffer_t id, void *dst,
                          uint64_t size, gmem_diag_t *diag) {
  (void)user, (void)diag;
  memset(dst, (int)id, (size_t)size);
  return GMEM_OK;
}

static bool is_live(const gmem_buffer_info_t *buffer, gmem_op_t op) {
  bool live = buffer->space == GMEM_SPACE_STATE;
  for (uint32_t k = 0; k < buffer->range_count; ++k)
    live |= buffer->ranges[k].begin <= op && op < buffer->ranges[k].end;
  return live;
}

// Reads what is shared and writes all that is live, step by step: a plan that
// was taken has room for that.
static void run(const gmem_plan_t *plan, gmem_lease_t *lease) {
  gmem_buffer_info_t buffer;
  volatile uint8_t sum = 0;
  for (gmem_op_t op = 0; op < gmem_plan_op_count(plan); ++op) {
    gmem_lease_begin_op(lease, op);
    for (uint32_t i = 0; gmem_plan_buffer(plan, i, &buffer) == GMEM_OK; ++i) {
      void *host = NULL;
      if (gmem_lease_host(lease, i, &host) != GMEM_OK ||
          (uint64_t)(uintptr_t)host % buffer.align != 0)
        abort();
      if (buffer.space == GMEM_SPACE_WEIGHT ||
          buffer.space == GMEM_SPACE_SHARED_WORK)
        for (uint64_t k = 0; k < buffer.size; ++k)
          sum ^= ((uint8_t *)host)[k];
      else if (is_live(&buffer, op))
        memset(host, (int)i, (size_t)buffer.size);
    }
    if (gmem_lease_check(lease, NULL) != GMEM_OK)
      abort();
  }
}

static void serve(gmem_plan_t *plan, const gmem_provider_t *provider,
                  uint32_t flags, bool has_store) {
  gmem_weights_t *store = NULL;
  gmem_model_t *model = NULL;
  gmem_pool_t *pool = NULL;
  gmem_lease_t *lease = NULL;
  gmem_pool_options_t options = {
      .struct_size = sizeof options, .initial_slots = 1, .flags = flags};
  if (has_store &&
      gmem_weights_create(provider, 0, NULL, &store, NULL) != GMEM_OK)
    return;
  gmem_model_sources_t sources = {.struct_size = sizeof sources,
                                  .weight = fill,
                                  .work = fill,
                                  .weights = store,
                                  .flags = has_store ? GMEM_MODEL_SCATTER : 0};
  gmem_status_t status =
      gmem_model_create(plan, provider, &sources, NULL, &model, NULL);
  if (status == GMEM_OK)
    status = gmem_pool_create(model, provider, &options, NULL, &pool, NULL);
  if (status == GMEM_OK)
    status = gmem_lease_acquire(pool, GMEM_NONE, NULL, 0, &lease);
  if (status == GMEM_OK)
    run(plan, lease);
  gmem_lease_release(lease);
  gmem_pool_release(pool);
  gmem_model_release(model);
  gmem_weights_release(store);
}

// In so little memory that many a plan does not fit, which is no failure. All
// of it has come back in the end.
static void serve_in_all_ways(gmem_plan_t *plan) {
  static const uint32_t ways[] = {GMEM_POOL_ZERO_ON_RELEASE, GMEM_POOL_CHECK,
                                  GMEM_POOL_UNSHARED};
  static _Alignas(4096) uint8_t memory[MEMORY];
  if (gmem_plan_buffer_count(plan) > MOST || gmem_plan_op_count(plan) > MOST ||
      gmem_plan_slot_size(plan) + gmem_plan_shared_size(plan) > MEMORY)
    return;
  for (size_t i = 0; i < 2 * sizeof ways / sizeof *ways; ++i) {
    gmem_provider_t provider;
    gmem_range_t all;
    if (gmem_provider_static(memory, (uint64_t)(uintptr_t)memory, MEMORY, NULL,
                             &provider) != GMEM_OK)
      return;
    serve(plan, &provider, ways[i / 2], i % 2);
    if (provider.acquire(provider.user, MEMORY, 1, GMEM_ANY_ADDRESS, 0, &all,
                         NULL) != GMEM_OK)
      abort();
    provider.release(provider.user, &all);
    gmem_provider_destroy(&provider);
  }
}

static void load(const uint8_t *data, size_t size, uint32_t flags) {
  gmem_plan_t *plan = NULL;
  gmem_diag_t diag = {0};
  if (gmem_plan_load_memory(data, size, flags, NULL, &plan, &diag) == GMEM_OK) {
    query_all(plan);
    query_optional(plan);
    serve_in_all_ways(plan);
  } else if (plan || diag.text[0] == '\0') {
    abort();
  }
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
