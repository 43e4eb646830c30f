// runtime_zero_test.c - what a slot's bytes are between requests: secrets and
// state are gone, and with the ZERO flags everything else is.
// RUN: %unit/runtime_zero_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE // memmem

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena_tools.h"
#include "image_tools.h"
#include "poison_tools.h"

enum { INPUT = 3, SECRET = 4, RELU = 6, STATE = 8, REGION_SIZE = 1024 };

// All bytes of the slot, in the sample's layout.
static uint8_t *slot_of(const gmem_lease_t *lease) {
  return host_of(lease, INPUT);
}

static arena_t sample_arena(uint32_t flags) {
  gmem_plan_desc_t desc = sample_desc();
  return make_arena(&desc, NULL, 1, flags, NULL);
}

static size_t count_of(const uint8_t *bytes, size_t size, uint8_t value) {
  size_t count = 0;
  for (size_t i = 0; i < size; ++i)
    count += bytes[i] == value;
  return count;
}

// Fills the whole slot with |value|, gaps as well, and ends the lease.
static uint8_t *use(arena_t *arena, uint8_t value) {
  gmem_lease_t *lease = lease_all(arena);
  uint8_t *slot = slot_of(lease);
  memset(slot, value, REGION_SIZE);
  gmem_lease_release(lease);
  return slot;
}

// Of the sample conv1 is secret, [64, 320), and [384, 448) is state.
static void test_secrets_and_state(void) {
  arena_t arena = sample_arena(0);
  uint8_t *slot = use(&arena, 'S');
  CHECK(count_of(slot, REGION_SIZE, 'S') == REGION_SIZE - 256 - 64);
  CHECK(count_of(slot + 64, 256, 0) == 256 &&
        count_of(slot + 384, 64, 0) == 64);
  free_arena(&arena);
}

// With the flags: all that buffers have, [0, 448); the rest is nobody's.
static void test_zero_on_release(void) {
  arena_t arena = sample_arena(GMEM_POOL_ZERO_ON_RELEASE);
  uint8_t *slot = use(&arena, 'S');
  CHECK(count_of(slot, 448, 0) == 448);
  CHECK(count_of(slot + 448, REGION_SIZE - 448, 'S') == REGION_SIZE - 448);
  free_arena(&arena);
}

static void test_zero_on_acquire(void) {
  arena_t arena = sample_arena(GMEM_POOL_ZERO_ON_ACQUIRE);
  uint8_t *slot = use(&arena, 'S');
  CHECK(count_of(slot, 64, 'S') == 64); // not yet
  gmem_lease_t *lease = lease_all(&arena);
  CHECK(slot_of(lease) == slot && count_of(slot, 448, 0) == 448);
  gmem_lease_release(lease);
  free_arena(&arena);
}

// STATE is kept in a reservation whatever the flags, secrets are not.
static void test_reservations_keep_state(uint32_t flags) {
  arena_t arena = sample_arena(flags);
  gmem_reservation_t *reservation = NULL;
  gmem_lease_t *lease = NULL;
  CHECK(gmem_pool_reserve(arena.pool, 1, &reservation, NULL) == GMEM_OK);
  for (uint8_t i = 0; i < 3; ++i) {
    CHECK(gmem_lease_acquire(arena.pool, GMEM_NONE, reservation, 0, &lease) ==
          GMEM_OK);
    CHECK(count_of(host_of(lease, STATE), 64, i) == 64);
    CHECK(peek(host_of(lease, SECRET)) != 'S');
    memset(host_of(lease, STATE), i + 1, 64);
    memset(host_of(lease, SECRET), 'S', 256);
    gmem_lease_release(lease);
  }
  gmem_pool_unreserve(reservation);
  lease = lease_all(&arena);
  CHECK(count_of(host_of(lease, STATE), 64, 0) == 64);
  gmem_lease_release(lease);
  free_arena(&arena);
}

static void test_zero_unshared(void) {
  arena_t arena = sample_arena(GMEM_POOL_UNSHARED | GMEM_POOL_ZERO_ON_RELEASE);
  gmem_lease_t *lease = lease_all(&arena);
  uint8_t *at[SAMPLE_BUFFERS];
  for (gmem_buffer_t id = INPUT; id < SAMPLE_BUFFERS; ++id) {
    at[id] = host_of(lease, id);
    memset(at[id], 'S', sample_buffers[id].size);
  }
  gmem_lease_release(lease);
  for (gmem_buffer_t id = INPUT; id < SAMPLE_BUFFERS; ++id)
    CHECK(count_of(at[id], sample_buffers[id].size, 0) ==
          sample_buffers[id].size);
  free_arena(&arena);
}

static void test_imports_are_not_zeroed(void) {
  static _Alignas(64) uint8_t own[64];
  arena_t arena =
      sample_arena(GMEM_POOL_ZERO_ON_ACQUIRE | GMEM_POOL_ZERO_ON_RELEASE);
  gmem_lease_t *lease = lease_all(&arena);
  memset(own, 'I', sizeof own);
  CHECK(gmem_lease_import(lease, INPUT, own, (uint64_t)(uintptr_t)own,
                          sizeof own, NULL) == GMEM_OK);
  gmem_lease_release(lease);
  CHECK(count_of(own, sizeof own, 'I') == sizeof own);
  free_arena(&arena);
}

// A secret that a request left, looked for in all memory the pool ever had.
static void test_marker_is_gone(void) {
  static _Alignas(4096) uint8_t window[64 << 10];
  static const char marker[] = "the quick brown fox";
  gmem_provider_t provider;
  gmem_plan_desc_t desc = sample_desc();
  CHECK(gmem_provider_static(window, (uint64_t)(uintptr_t)window, sizeof window,
                             NULL, &provider) == GMEM_OK);
  arena_t arena = make_arena(&desc, &provider, 3, 0, NULL);
  gmem_lease_t *leases[3];
  for (int i = 0; i < 3; ++i) {
    leases[i] = lease_all(&arena);
    memcpy(host_of(leases[i], SECRET) + 7 * i, marker, sizeof marker);
  }
  CHECK(memmem(window, sizeof window, marker, sizeof marker));
  for (int i = 0; i < 3; ++i)
    gmem_lease_release(leases[i]);
  CHECK(!memmem(window, sizeof window, marker, sizeof marker));
  free_arena(&arena); // and the provider
}

//===--- memory that cannot be zeroed, or is fixed ------------------------===//

static gmem_diag_t said; // by the last try_pool

static gmem_status_t try_pool(const gmem_plan_desc_t *desc,
                              const gmem_provider_t *provider, uint32_t slots,
                              uint32_t flags) {
  gmem_provider_t system;
  gmem_model_t *model = NULL;
  gmem_pool_t *pool = NULL;
  gmem_plan_t *plan = plan_of(desc);
  gmem_pool_options_t options = {
      .struct_size = sizeof options, .initial_slots = slots, .flags = flags};
  CHECK(gmem_provider_mmap(NULL, NULL, &system) == GMEM_OK);
  CHECK(gmem_model_create(plan, &system, NULL, NULL, &model, NULL) == GMEM_OK);
  gmem_plan_release(plan);
  gmem_status_t status =
      gmem_pool_create(model, provider, &options, NULL, &pool, &said);
  CHECK((status == GMEM_OK) == (pool != NULL));
  gmem_pool_release(pool);
  gmem_model_release(model);
  gmem_provider_destroy(&system);
  return status;
}

static void test_memory_that_the_cpu_cannot_see(void) {
  static const uint32_t refused[] = {
      GMEM_POOL_CHECK, GMEM_POOL_UNSHARED, GMEM_POOL_ZERO_ON_ACQUIRE,
      GMEM_POOL_ZERO_ON_RELEASE, GMEM_POOL_UNSHARED | GMEM_POOL_CHECK};
  gmem_plan_desc_t sample = sample_desc();
  device_t blind = {.shift = 1 << 30, .blind = true};
  gmem_provider_t provider = device_provider(&blind);
  gmem_op_range_t step = {0, 1};
  gmem_region_info_t region = {"r", GMEM_SPACE_ACTIVATION, 0, 64, 64};
  gmem_buffer_info_t buffer =
      a_buffer("b", 0, GMEM_SPACE_ACTIVATION, 64, &step);
  gmem_plan_desc_t plain = {.regions = &region,
                            .region_count = 1,
                            .buffers = &buffer,
                            .buffer_count = 1,
                            .op_count = 1};
  CHECK(try_pool(&plain, &provider, 1, 0) == GMEM_OK);
  CHECK(try_pool(&plain, &provider, 1, GMEM_POOL_PREFAULT) == GMEM_OK);
  CHECK(try_pool(&sample, &provider, 1, 0) == GMEM_ERR_UNSUPPORTED);
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i)
    CHECK(try_pool(&plain, &provider, 1, refused[i]) == GMEM_ERR_UNSUPPORTED);
}

static void test_flags(void) {
  gmem_plan_desc_t desc = sample_desc();
  gmem_provider_t provider;
  CHECK(gmem_provider_mmap(NULL, NULL, &provider) == GMEM_OK);
  CHECK(try_pool(&desc, &provider, 1, 1u << 6) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(try_pool(&desc, &provider, 1,
                 GMEM_POOL_CHECK | GMEM_POOL_ZERO_ON_ACQUIRE) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(try_pool(&desc, &provider, 1,
                 GMEM_POOL_FIXED_DEVICE | GMEM_POOL_UNSHARED) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(try_pool(&desc, &provider, 2, GMEM_POOL_FIXED_DEVICE) ==
        GMEM_ERR_INVALID_ARGUMENT);
  gmem_provider_destroy(&provider);
}

// The planned base is not a multiple of anything; the place is just there.
static void test_fixed_device(void) {
  static _Alignas(4096) uint8_t window[16 << 10];
  gmem_plan_desc_t desc = sample_desc();
  gmem_provider_t provider, shifted;
  CHECK(gmem_provider_static(window, 0x20000, sizeof window, NULL, &provider) ==
        GMEM_OK);
  gmem_plan_t *plan = plan_of(&desc);
  gmem_model_t *model = NULL;
  gmem_pool_t *pool = NULL;
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = 1,
                                 .flags = GMEM_POOL_FIXED_DEVICE};
  CHECK(gmem_provider_mmap(NULL, NULL, &shifted) == GMEM_OK);
  CHECK(gmem_model_create(plan, &shifted, NULL, NULL, &model, NULL) == GMEM_OK);
  CHECK(gmem_pool_create(model, &provider, &options, NULL, &pool, NULL) ==
        GMEM_OK);
  arena_t arena = {.pool = pool};
  gmem_lease_t *lease = lease_all(&arena);
  for (gmem_buffer_t id = INPUT; id < SAMPLE_BUFFERS; ++id) {
    CHECK(device_of(lease, id) == 0x20040 + sample_buffers[id].offset);
    CHECK(host_of(lease, id) == window + 0x40 + sample_buffers[id].offset);
  }
  gmem_lease_release(lease);
  gmem_pool_release(pool);
  gmem_model_release(model);
  gmem_plan_release(plan);
  gmem_provider_destroy(&provider);
  // A provider that does as it likes is found out.
  device_t device = {.shift = 1 << 20};
  provider = device_provider(&device);
  CHECK(try_pool(&desc, &provider, 1, GMEM_POOL_FIXED_DEVICE) ==
        GMEM_ERR_UNSUPPORTED);
  CHECK(strstr(said.text, "region 'ddr' of ") &&
        strstr(said.text, "not at the planned device address"));
  gmem_provider_destroy(&shifted);
  // So is a window elsewhere, which was reported as too little memory.
  CHECK(gmem_provider_static(window, 0x40000, sizeof window, NULL, &provider) ==
        GMEM_OK);
  CHECK(try_pool(&desc, &provider, 1, GMEM_POOL_FIXED_DEVICE) ==
        GMEM_ERR_UNSUPPORTED);
  CHECK(strstr(said.text, "region 'ddr' of ") &&
        strstr(said.text, "not in the window of 16384 bytes at 0x40000"));
  gmem_provider_destroy(&provider);
}

// At a fixed address a slot may need more whole units than elsewhere: that was
// only noticed when it had been mapped.
static void test_budget_of_a_fixed_device(void) {
  gmem_plan_desc_t desc = sample_desc();
  gmem_region_info_t regions[2] = {sample_regions[0], sample_regions[1]};
  regions[1].base = 0x20000 + 4096 - 64;
  desc.regions = regions;
  device_t device = {.shift = 0};
  gmem_provider_t provider = device_provider(&device), system;
  provider.granularity = 4096;
  gmem_plan_t *plan = plan_of(&desc);
  gmem_model_t *model = NULL;
  gmem_pool_t *pool = NULL;
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = 1,
                                 .byte_budget = 4096,
                                 .flags = GMEM_POOL_FIXED_DEVICE};
  CHECK(gmem_provider_mmap(NULL, NULL, &system) == GMEM_OK);
  CHECK(gmem_model_create(plan, &system, NULL, NULL, &model, NULL) == GMEM_OK);
  CHECK(gmem_pool_create(model, &provider, &options, NULL, &pool, NULL) ==
        GMEM_ERR_OVER_BUDGET);
  CHECK(device.acquires == 0);
  options.flags = 0; // elsewhere it is one unit
  CHECK(gmem_pool_create(model, &provider, &options, NULL, &pool, NULL) ==
        GMEM_OK);
  gmem_pool_release(pool);
  gmem_model_release(model);
  gmem_plan_release(plan);
  gmem_provider_destroy(&system);
}

// What a slot asks the provider for.
typedef struct asked_s {
  gmem_provider_t base;
  uint32_t flags;
} asked_t;

static gmem_status_t ask(void *user, uint64_t size, uint64_t align,
                         uint64_t fixed_device, uint32_t flags,
                         gmem_range_t *out_range, gmem_diag_t *diag) {
  asked_t *asked = user;
  asked->flags = flags;
  return asked->base.acquire(asked->base.user, size, align, fixed_device, flags,
                             out_range, diag);
}

static void give_back(void *user, const gmem_range_t *range) {
  asked_t *asked = user;
  asked->base.release(asked->base.user, range);
}

static void test_wishes(void) {
  gmem_plan_desc_t desc = sample_desc();
  gmem_buffer_info_t own[SAMPLE_BUFFERS];
  asked_t asked = {.flags = 0};
  CHECK(gmem_provider_mmap(NULL, NULL, &asked.base) == GMEM_OK);
  gmem_provider_t provider = {.user = &asked,
                              .granularity = asked.base.granularity,
                              .acquire = ask,
                              .release = give_back};
  CHECK(try_pool(&desc, &provider, 1, 0) == GMEM_OK);
  CHECK(asked.flags == GMEM_RANGE_NO_DUMP); // there are secrets
  CHECK(try_pool(&desc, &provider, 1, GMEM_POOL_PREFAULT) == GMEM_OK);
  CHECK(asked.flags == (GMEM_RANGE_NO_DUMP | GMEM_RANGE_PREFAULT));
  memcpy(own, sample_buffers, sizeof own);
  own[SECRET].flags = 0;
  desc.buffers = own;
  CHECK(try_pool(&desc, &provider, 1, 0) == GMEM_OK);
  CHECK(asked.flags == 0);
  gmem_provider_destroy(&asked.base);
}

//===--- core dumps -------------------------------------------------------===//

// Writes |base| backwards: so the marker is nowhere else in memory.
static void put_marker(uint8_t *at, const char *backwards) {
  for (size_t i = strlen(backwards); i-- > 0;)
    *at++ = (uint8_t)backwards[i];
}

// Whether the file has |backwards| written forwards in it.
static bool file_has(const char *path, const char *backwards) {
  enum { CHUNK = 1 << 16 };
  static uint8_t bytes[CHUNK + 64];
  uint8_t wanted[64];
  size_t length = strlen(backwards), kept = 0, got = 0;
  put_marker(wanted, backwards);
  FILE *file = fopen(path, "rb");
  if (!file)
    return false;
  bool found = false;
  while (!found && (got = fread(bytes + kept, 1, CHUNK, file)) > 0) {
    found = memmem(bytes, kept + got, wanted, length) != NULL;
    got += kept;
    kept = got < length ? got : length - 1;
    memmove(bytes, bytes + got - kept, kept);
  }
  fclose(file);
  memset(wanted, 0, sizeof wanted);
  return found;
}

static bool can_dump(void) {
  return system("command -v gcore >/dev/null 2>&1") == 0 && !HAS_SHADOW;
}

// The secret of a request that is going on is not in a core dump of it, what is
// no secret is.
static void test_core_dump(void) {
  static const char secret[] = "tesim-drow-terces-a", open[] = "drow-nepo-na";
  char folder[] = "/tmp/gmem-core-XXXXXX", command[160], path[80];
  if (!can_dump()) {
    printf("skipped: no gcore, or a sanitizer's memory to dump\n");
    return;
  }
  CHECK(mkdtemp(folder));
  arena_t secrets = sample_arena(0);
  gmem_plan_desc_t desc = sample_desc();
  gmem_buffer_info_t own[SAMPLE_BUFFERS];
  memcpy(own, sample_buffers, sizeof own);
  own[SECRET].flags = 0;
  desc.buffers = own;
  arena_t others = make_arena(&desc, NULL, 1, 0, NULL);
  gmem_lease_t *one = lease_all(&secrets), *two = lease_all(&others);
  put_marker(host_of(one, SECRET), secret);
  put_marker(host_of(two, SECRET), open);
  snprintf(command, sizeof command, "gcore -o %s/core %d >/dev/null 2>&1",
           folder, (int)getpid());
  int status = system(command);
  snprintf(path, sizeof path, "%s/core.%d", folder, (int)getpid());
  if (status == 0 && file_has(path, open))
    CHECK(!file_has(path, secret));
  else
    printf("skipped: gcore may not look at processes here\n");
  remove(path);
  rmdir(folder);
  gmem_lease_release(one);
  gmem_lease_release(two);
  free_arena(&secrets);
  free_arena(&others);
}

int main(void) {
  test_secrets_and_state();
  test_zero_on_release();
  test_zero_on_acquire();
  test_reservations_keep_state(0);
  test_reservations_keep_state(GMEM_POOL_ZERO_ON_ACQUIRE |
                               GMEM_POOL_ZERO_ON_RELEASE);
  test_reservations_keep_state(GMEM_POOL_CHECK);
  test_reservations_keep_state(GMEM_POOL_UNSHARED);
  test_zero_unshared();
  test_imports_are_not_zeroed();
  test_marker_is_gone();
  test_memory_that_the_cpu_cannot_see();
  test_flags();
  test_fixed_device();
  test_budget_of_a_fixed_device();
  test_wishes();
  test_core_dump();
  return CHECK_RESULT();
}
