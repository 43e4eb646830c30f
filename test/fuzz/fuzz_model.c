// fuzz_model.c - takes any bytes for a plan image, and what loads as a plan
// that is served: model, pool, leases, all addresses, all steps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fuzz/fuzz_model_replay %S/corpus/fuzz_image
//
// What holds of every plan that loads: buffers are where their alignment says,
// and their bytes are there; who keeps to the lives of the plan is never said
// to have broken them; all memory comes back. Memory is a small bank, so that
// huge plans are refused, and time is bounded.

#include <stdio.h>
#include <stdlib.h>

#include "gmem/runtime.h"
#include "image_mutator.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room,
                               unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);

enum {
  BANK = 1 << 20,
  MOST_ALIGN = 1 << 16,
  MOST_STEPS = 64,
  MOST_BUFFERS = 4096,
  POOL_FLAGS = 64, // 2 to the number of GMEM_POOL_*
  MODEL_WAYS = 8,
};

// Says what does not hold: calls of abort are all alike.
static void require_that(bool condition, const char *text) {
  if (condition)
    return;
  fprintf(stderr, "does not hold: %s\n", text);
  abort();
}
#define require(condition) require_that(condition, #condition)

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room,
                               unsigned seed) {
  uint64_t state = seed;
  if (mutator_random(&state, 8) == 0)
    size = LLVMFuzzerMutate(data, size, room);
  for (uint32_t i = mutator_random(&state, 3) + 1; i > 0; --i)
    mutate_image(data, size, &state);
  return size;
}

//===--- a bank of memory -------------------------------------------------===//

// Each range is memory of its own, exact for the sanitizers.
typedef struct bank_s {
  uint64_t left; // bytes
  unsigned live; // ranges
} bank_t;

static gmem_status_t bank_acquire(void *user, uint64_t size, uint64_t align,
                                  uint64_t fixed, uint32_t flags,
                                  gmem_range_t *out_range, gmem_diag_t *diag) {
  bank_t *bank = user;
  void *memory = NULL;
  (void)flags, (void)diag;
  *out_range = (gmem_range_t){NULL, 0, 0, 0};
  require(size > 0 && align > 0 && (align & (align - 1)) == 0);
  if (size > bank->left || align > MOST_ALIGN)
    return GMEM_ERR_OUT_OF_MEMORY;
  if (align < sizeof(void *))
    align = sizeof(void *);
  if (posix_memalign(&memory, (size_t)align, (size_t)size) != 0)
    return GMEM_ERR_OUT_OF_MEMORY;
  memset(memory, 0, (size_t)size);
  bank->left -= size;
  ++bank->live;
  *out_range = (gmem_range_t){
      memory, fixed == GMEM_ANY_ADDRESS ? (uint64_t)(uintptr_t)memory : fixed,
      size, 0};
  return GMEM_OK;
}

static void bank_release(void *user, const gmem_range_t *range) {
  bank_t *bank = user;
  bank->left += range->size;
  --bank->live;
  free(range->host);
}

static gmem_provider_t bank_provider(bank_t *bank) {
  return (gmem_provider_t){.user = bank,
                           .granularity = 1,
                           .acquire = bank_acquire,
                           .release = bank_release};
}

//===--- one lease --------------------------------------------------------===//

static bool is_read_only(const gmem_buffer_info_t *info) {
  return info->space == GMEM_SPACE_WEIGHT ||
         info->space == GMEM_SPACE_SHARED_WORK;
}

// A view lies in the bytes of others, which need not be there.
static bool is_view(const gmem_buffer_info_t *info) {
  return info->range_count == 0 && !is_read_only(info) &&
         info->space != GMEM_SPACE_STATE;
}

// The first and last byte of |size| at |host|.
static void touch(volatile uint8_t *host, uint64_t size, bool may_write) {
  uint8_t first = host[0], last = host[size - 1];
  if (!may_write)
    return;
  host[0] = (uint8_t)(first + 1);
  host[size - 1] = (uint8_t)(last + 1);
}

static void touch_scratch(const gmem_lease_t *lease, gmem_buffer_t id,
                          const gmem_buffer_info_t *info, bool may_write) {
  void *host = NULL;
  uint64_t size = 0;
  require(gmem_lease_thread_scratch(lease, id, info->threads, &host, &size) ==
          GMEM_ERR_OUT_OF_RANGE);
  require(gmem_lease_thread_scratch(lease, id, info->threads - 1, &host,
                                    &size) == GMEM_OK);
  if (size > 0)
    touch(host, size, may_write);
}

// Touches one buffer of the plan, which must be in the lease.
static void touch_buffer(const gmem_plan_t *plan, const gmem_lease_t *lease,
                         gmem_buffer_t id, bool may_write) {
  gmem_buffer_info_t info;
  void *host = NULL;
  require(gmem_plan_buffer(plan, id, &info) == GMEM_OK);
  require(gmem_lease_host(lease, id, &host) == GMEM_OK && host != NULL);
  require((uintptr_t)host % info.align == 0);
  if (info.size == 0 || is_view(&info))
    return;
  may_write = may_write && !is_read_only(&info);
  touch(host, info.size, may_write);
  touch_scratch(lease, id, &info, may_write);
}

static bool is_live(const gmem_plan_t *plan, gmem_buffer_t id, gmem_op_t step) {
  gmem_buffer_info_t info;
  require(gmem_plan_buffer(plan, id, &info) == GMEM_OK);
  if (info.space == GMEM_SPACE_STATE || is_read_only(&info))
    return true;
  for (uint32_t i = 0; i < info.range_count; ++i)
    if (info.ranges[i].begin <= step && step < info.ranges[i].end)
      return true;
  return false;
}

static void ask_workbuffers(const gmem_plan_t *plan, const gmem_lease_t *lease,
                            gmem_op_t step) {
  void *hosts[4];
  uint32_t count = 0, known = gmem_plan_workbuffers(plan, step, NULL);
  gmem_status_t status = gmem_lease_workbuffers(lease, step, 4, hosts, &count);
  require(count == known);
  require(status == (known > 4 ? GMEM_ERR_TOO_SMALL : GMEM_OK));
}

// A request that keeps to the lives of the plan.
static void keep_to_liveness(const gmem_plan_t *plan, gmem_lease_t *lease) {
  uint32_t buffers = gmem_plan_buffer_count(plan);
  gmem_diag_t diag;
  for (gmem_buffer_t id = 0; id < buffers; ++id)
    touch_buffer(plan, lease, id, is_live(plan, id, 0)); // may be read now
  for (gmem_op_t step = 0; step < gmem_plan_op_count(plan) && step < MOST_STEPS;
       ++step) {
    gmem_lease_begin_op(lease, step);
    for (gmem_buffer_t id = 0; id < buffers; ++id)
      if (is_live(plan, id, step))
        touch_buffer(plan, lease, id, true);
    ask_workbuffers(plan, lease, step);
  }
  require(gmem_lease_check(lease, &diag) == GMEM_OK);
}

//===--- a pool -----------------------------------------------------------===//

static void serve(const gmem_plan_t *plan, gmem_pool_t *pool) {
  gmem_pool_stats_t stats;
  for (int round = 0; round < 2; ++round) { // the second finds what it left
    gmem_lease_t *lease = NULL, *second = NULL;
    require(gmem_lease_acquire(pool, GMEM_NONE, NULL, 0, &lease) == GMEM_OK);
    require(gmem_lease_acquire(pool, GMEM_NONE, NULL, 0, &second) != GMEM_OK);
    keep_to_liveness(plan, lease);
    gmem_lease_release(lease);
  }
  for (gmem_group_t group = 0; group < gmem_plan_group_count(plan); ++group) {
    gmem_lease_t *lease = NULL;
    gmem_group_info_t info;
    require(gmem_plan_group(plan, group, &info) == GMEM_OK);
    require(gmem_lease_acquire(pool, group, NULL, 0, &lease) == GMEM_OK);
    for (uint32_t i = 0; i < info.member_count; ++i)
      touch_buffer(plan, lease, info.members[i], false);
    gmem_lease_release(lease);
  }
  gmem_pool_stats(pool, &stats);
  require(stats.slots == 1 && stats.free == 1 && stats.corruptions == 0);
}

// Pools with these flags; refusals are the rule when there is little memory.
static void try_pool(const gmem_plan_t *plan, gmem_model_t *model, bank_t *bank,
                     uint32_t flags) {
  gmem_provider_t provider = bank_provider(bank);
  gmem_pool_options_t options = {
      .struct_size = sizeof options, .initial_slots = 1, .flags = flags};
  gmem_pool_t *pool = NULL;
  gmem_diag_t diag = {.text = ""};
  unsigned live = bank->live;
  gmem_status_t status =
      gmem_pool_create(model, &provider, &options, NULL, &pool, &diag);
  require((status == GMEM_OK) == (pool != NULL));
  if (pool)
    serve(plan, pool);
  gmem_pool_release(pool);
  require(bank->live == live);
}

//===--- a model ----------------------------------------------------------===//

static gmem_status_t fill(void *user, gmem_buffer_t id, void *dst,
                          uint64_t size, gmem_diag_t *diag) {
  (void)user, (void)id, (void)diag;
  memset(dst, 0x5A, (size_t)size);
  return GMEM_OK;
}

// |way| is of MODEL_WAYS: with or without functions, digests and a store.
static void try_model(gmem_plan_t *plan, uint32_t way, uint32_t first_flags,
                      uint32_t pools) {
  bank_t bank = {.left = BANK};
  gmem_provider_t provider = bank_provider(&bank);
  gmem_diag_t diag = {.text = ""};
  gmem_model_sources_t sources = {.struct_size = sizeof sources};
  gmem_model_t *model = NULL;
  if (way & 1)
    sources.weight = sources.work = fill;
  if (way & 2)
    sources.flags = GMEM_MODEL_VERIFY | GMEM_MODEL_SCATTER;
  if (way & 4)
    require(gmem_weights_create(&provider, BANK / 2, NULL, &sources.weights,
                                &diag) == GMEM_OK);
  else
    sources.flags &= ~(uint32_t)GMEM_MODEL_SCATTER;
  gmem_status_t status =
      gmem_model_create(plan, &provider, &sources, NULL, &model, &diag);
  require((status == GMEM_OK) == (model != NULL));
  for (uint32_t i = 0; i < pools && model; ++i)
    try_pool(plan, model, &bank, (first_flags + i) % POOL_FLAGS);
  gmem_model_release(model);
  gmem_weights_release(sources.weights);
  require(bank.live == 0 && bank.left == BANK);
}

// Every way to make a model, and all pools of one of them; of plans with many
// buffers one only.
static void try_plan(gmem_plan_t *plan, uint32_t seed) {
  if (gmem_plan_buffer_count(plan) > MOST_BUFFERS)
    return;
  bool is_small =
      gmem_plan_buffer_count(plan) < 64 && gmem_plan_op_count(plan) < 1024;
  for (uint32_t way = 0; way < MODEL_WAYS; ++way)
    if (is_small || way == seed % MODEL_WAYS)
      try_model(plan, way, seed + way,
                is_small && way == seed % MODEL_WAYS ? POOL_FLAGS : 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  gmem_plan_t *plan = NULL;
  gmem_diag_t diag = {.text = ""};
  uint8_t *fixed = malloc(size ? size : 1); // exact, for the sanitizers
  require(fixed != NULL);
  memcpy(fixed, data, size);
  fix_header(fixed, size);
  uint32_t seed = 0;
  for (size_t i = 0; i < size; ++i)
    seed = 31 * seed + data[i];
  if (gmem_plan_load_memory(fixed, size, GMEM_LOAD_BORROW, NULL, &plan,
                            &diag) == GMEM_OK)
    try_plan(plan, seed);
  gmem_plan_release(plan);
  free(fixed);
  return 0;
}
