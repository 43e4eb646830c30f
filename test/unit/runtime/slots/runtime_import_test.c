// runtime_import_test.c - the caller's memory in place of buffers of a lease.
// RUN: %unit/runtime_import_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _DEFAULT_SOURCE // MAP_ANONYMOUS

#include <sys/mman.h>
#include <unistd.h>

#include "arena_tools.h"

// A row of the input is padded from 200 to 256 bytes. "half" and "view" are
// aliases of it; "half" is aligned better than it is.
enum { INPUT, HALF, VIEW, OUTPUT, SECRET, OWN, EMPTY, MIXED, BUFFERS };

static const gmem_op_range_t always = {0, 2};
static const gmem_region_info_t regions[] = {
    {"io", GMEM_SPACE_IO, 0x1000 + 64, 1024, 64},
    {"weights", GMEM_SPACE_WEIGHT, 0x8000, 64, 64},
};
static const gmem_buffer_t some[] = {INPUT, OWN};
static const gmem_group_info_t groups[] = {{"some", some, 2}};

static gmem_plan_desc_t import_desc(void) {
  static gmem_buffer_info_t b[BUFFERS];
  b[INPUT] = a_buffer("input", 0, GMEM_SPACE_IO, 256, &always);
  b[INPUT].payload = 200;
  b[HALF] = a_buffer("half", 0, GMEM_SPACE_IO, 128, &always);
  b[HALF].offset = 64;
  b[HALF].align = 128;
  b[VIEW] = a_buffer("view", 0, GMEM_SPACE_IO, 8, NULL);
  b[VIEW].offset = 200;
  b[VIEW].align = 8;
  b[HALF].parent = b[VIEW].parent = INPUT;
  b[OUTPUT] = a_buffer("output", 0, GMEM_SPACE_IO, 64, &always);
  b[OUTPUT].offset = 256;
  b[SECRET] = a_buffer("secret", 0, GMEM_SPACE_IO, 64, &always);
  b[SECRET].offset = 320;
  b[SECRET].flags = GMEM_BUFFER_SENSITIVE;
  b[OWN] = a_buffer("own", 0, GMEM_SPACE_ACTIVATION, 64, &always);
  b[OWN].offset = 384;
  b[EMPTY] = a_buffer("empty", 0, GMEM_SPACE_IO, 0, &always);
  b[MIXED] = a_buffer("weight", 1, GMEM_SPACE_WEIGHT, 64, NULL);
  for (int i = 0; i < BUFFERS; ++i)
    if (i != OWN && i != HALF)
      b[i].flags |= GMEM_BUFFER_IMPORTABLE;
  return (gmem_plan_desc_t){.regions = regions,
                            .region_count = 2,
                            .buffers = b,
                            .buffer_count = BUFFERS,
                            .op_count = 2,
                            .groups = groups,
                            .group_count = 1};
}

// The caller's memory. The planned address of the input is 64 modulo 128, and
// so is MEMORY.
static _Alignas(4096) uint8_t user_memory[8192];
#define MEMORY (user_memory + 64)

static gmem_status_t import(gmem_lease_t *lease, gmem_buffer_t id, void *host,
                            uint64_t size) {
  gmem_diag_t diag = {.text = ""};
  gmem_status_t status = gmem_lease_import(
      lease, id, host, (uint64_t)(uintptr_t)host, size, &diag);
  CHECK(status == GMEM_OK || (diag.status == status && diag.text[0] != '\0'));
  return status;
}

// No buffer of the plan can be imported.
static void test_nothing_to_import(void) {
  static gmem_buffer_info_t buffers[BUFFERS];
  gmem_plan_desc_t desc = import_desc();
  memcpy(buffers, desc.buffers, sizeof buffers);
  for (int i = 0; i < BUFFERS; ++i)
    buffers[i].flags &= ~(uint32_t)GMEM_BUFFER_IMPORTABLE;
  desc.buffers = buffers;
  arena_t arena = make_arena(&desc, NULL, 1, 0, NULL);
  gmem_lease_t *lease = lease_all(&arena);
  CHECK(import(lease, INPUT, MEMORY, 256) == GMEM_ERR_STATE);
  gmem_lease_release(lease);
  free_arena(&arena);
}

static arena_t import_arena(void) {
  gmem_plan_desc_t desc = import_desc();
  return make_arena(&desc, NULL, 1, 0, NULL);
}

//===--- what an import does ----------------------------------------------===//

// The buffer and its aliases move, and nothing else; when the slot is leased
// again they are back.
static void test_import_moves_a_buffer_and_its_aliases(void) {
  arena_t arena = import_arena();
  gmem_lease_t *lease = lease_all(&arena);
  uint8_t *own[BUFFERS];
  void *host = NULL;
  for (gmem_buffer_t i = 0; i < BUFFERS; ++i)
    own[i] = host_of(lease, i);
  CHECK(import(lease, INPUT, MEMORY, 256) == GMEM_OK);
  CHECK(host_of(lease, INPUT) == MEMORY);
  CHECK(host_of(lease, HALF) == MEMORY + 64);
  CHECK((uintptr_t)host_of(lease, HALF) % 128 == 0);
  CHECK(host_of(lease, VIEW) == MEMORY + 200);
  CHECK(device_of(lease, VIEW) == (uint64_t)(uintptr_t)MEMORY + 200);
  for (gmem_buffer_t i = OUTPUT; i < BUFFERS; ++i)
    CHECK(host_of(lease, i) == own[i]);
  CHECK(gmem_lease_region(lease, 0, &host) == GMEM_ERR_UNSUPPORTED && !host);
  CHECK(gmem_lease_region(lease, 1, &host) == GMEM_OK && host == own[MIXED]);
  gmem_lease_release(lease);
  lease = lease_all(&arena);
  for (gmem_buffer_t i = 0; i < BUFFERS; ++i)
    CHECK(host_of(lease, i) == own[i]);
  CHECK(gmem_lease_region(lease, 0, &host) == GMEM_OK);
  gmem_lease_release(lease);
  free_arena(&arena);
}

// The caller's bytes are the caller's: written by nobody else, also where the
// buffer is sensitive, and there when the pool is gone.
static void test_imports_stay_the_callers(void) {
  arena_t arena = import_arena();
  gmem_lease_t *lease = lease_all(&arena);
  memset(user_memory, 'U', sizeof user_memory);
  CHECK(import(lease, SECRET, MEMORY, 64) == GMEM_OK);
  CHECK(host_of(lease, SECRET)[63] == 'U');
  gmem_lease_release(lease);
  lease = lease_all(&arena);
  CHECK(host_of(lease, SECRET) != MEMORY && host_of(lease, SECRET)[0] == 0);
  gmem_lease_release(lease);
  free_arena(&arena);
  for (size_t i = 0; i < sizeof user_memory; ++i)
    CHECK(user_memory[i] == 'U');
}

static void test_several_imports(void) {
  arena_t arena = import_arena();
  gmem_lease_t *lease = lease_all(&arena);
  CHECK(import(lease, OUTPUT, MEMORY + 256, 64) == GMEM_OK);
  CHECK(import(lease, INPUT, MEMORY, 256) == GMEM_OK); // they touch, no more
  CHECK(import(lease, SECRET, MEMORY + 4096, 4000) == GMEM_OK);
  CHECK(host_of(lease, INPUT) == MEMORY);
  CHECK(host_of(lease, OUTPUT) == MEMORY + 256);
  CHECK(host_of(lease, SECRET) == MEMORY + 4096);
  gmem_lease_release(lease);
  free_arena(&arena);
}

// An empty buffer needs no bytes; it shares none, wherever it is.
static void test_empty_import(void) {
  arena_t arena = import_arena();
  gmem_lease_t *lease = lease_all(&arena);
  CHECK(import(lease, INPUT, MEMORY, 256) == GMEM_OK);
  CHECK(import(lease, EMPTY, MEMORY + 64, 0) == GMEM_OK);
  CHECK(host_of(lease, EMPTY) == MEMORY + 64);
  CHECK(import(lease, OUTPUT, MEMORY + 64, 64) == GMEM_ERR_OVERLAP);
  gmem_lease_release(lease);
  free_arena(&arena);
}

// A file, mapped by the caller, takes an output without a copy.
static void test_import_of_a_mapped_file(void) {
  arena_t arena = import_arena();
  char path[] = "/tmp/gmem_import_XXXXXX";
  int file = mkstemp(path);
  CHECK(file >= 0 && unlink(path) == 0 && ftruncate(file, 4096) == 0);
  uint8_t *mapped =
      mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  CHECK(mapped != MAP_FAILED);
  gmem_lease_t *lease = lease_all(&arena);
  CHECK(import(lease, OUTPUT, mapped, 4096) == GMEM_OK);
  memset(host_of(lease, OUTPUT), 'O', 64);
  gmem_lease_release(lease);
  free_arena(&arena);
  munmap(mapped, 4096);
  uint8_t back[65] = {0};
  CHECK(pread(file, back, 65, 0) == 65);
  CHECK(back[0] == 'O' && back[63] == 'O' && back[64] == 0);
  close(file);
}

// What a lease of another pool holds is the caller's, too: the output of one
// network is the input of the next without a copy.
static void test_import_from_another_lease(void) {
  arena_t one = import_arena(), two = import_arena();
  gmem_lease_t *first = lease_all(&one), *second = lease_all(&two);
  host_of(first, OUTPUT)[5] = 42;
  CHECK(import(second, SECRET, host_of(first, OUTPUT), 64) == GMEM_OK);
  CHECK(host_of(second, SECRET)[5] == 42);
  gmem_lease_release(second);
  gmem_lease_release(first);
  free_arena(&two);
  free_arena(&one);
}

// Memory that only one of CPU and device sees.
static void test_import_with_one_address(void) {
  arena_t arena = import_arena();
  gmem_lease_t *lease = lease_all(&arena);
  void *host = &host;
  uint64_t device = 1, far = UINT64_C(1) << 40;
  CHECK(gmem_lease_import(lease, INPUT, MEMORY, 0, 256, NULL) == GMEM_OK);
  CHECK(host_of(lease, VIEW) == MEMORY + 200);
  CHECK(gmem_lease_device(lease, INPUT, &device) == GMEM_ERR_UNSUPPORTED);
  CHECK(device == 0);
  CHECK(gmem_lease_device(lease, VIEW, &device) == GMEM_ERR_UNSUPPORTED);
  CHECK(gmem_lease_import(lease, OUTPUT, NULL, far, 64, NULL) == GMEM_OK);
  CHECK(device_of(lease, OUTPUT) == far);
  CHECK(gmem_lease_host(lease, OUTPUT, &host) == GMEM_ERR_UNSUPPORTED && !host);
  CHECK(gmem_lease_sync(lease, OUTPUT, true) == GMEM_OK);
  gmem_lease_release(lease);
  free_arena(&arena);
}

// Its owner synchronises it: the provider knows nothing of it.
static void test_imports_are_not_synchronised(void) {
  device_t device = {.shift = 1 << 20};
  gmem_provider_t provider = device_provider(&device);
  gmem_plan_desc_t desc = import_desc();
  arena_t arena = make_arena(&desc, &provider, 1, 0, NULL);
  gmem_lease_t *lease = lease_all(&arena);
  CHECK(import(lease, INPUT, MEMORY, 256) == GMEM_OK);
  unsigned before = device.syncs;
  CHECK(gmem_lease_sync(lease, INPUT, true) == GMEM_OK);
  CHECK(gmem_lease_sync(lease, VIEW, false) == GMEM_OK);
  CHECK(device.syncs == before);
  CHECK(gmem_lease_sync(lease, OUTPUT, true) == GMEM_OK);
  CHECK(device.syncs == before + 1);
  gmem_lease_release(lease);
  free_arena(&arena);
}

//===--- what is refused --------------------------------------------------===//

// Nothing that was refused has moved a buffer.
static void check_untouched(const gmem_lease_t *lease, uint8_t *const *own) {
  void *host = NULL;
  for (gmem_buffer_t i = 0; i < BUFFERS; ++i)
    CHECK(host_of(lease, i) == own[i]);
  CHECK(gmem_lease_region(lease, 0, &host) == GMEM_OK);
}

static void test_refused_imports(void) {
  arena_t arena = import_arena();
  gmem_lease_t *lease = lease_all(&arena);
  uint8_t *own[BUFFERS];
  for (gmem_buffer_t i = 0; i < BUFFERS; ++i)
    own[i] = host_of(lease, i);
  CHECK(gmem_lease_import(NULL, INPUT, MEMORY, 0, 256, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(import(lease, INPUT, NULL, 256) == GMEM_ERR_INVALID_ARGUMENT);
  // No such buffer; aliases move with their parent only.
  CHECK(import(lease, BUFFERS, MEMORY, 256) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(import(lease, GMEM_NONE, MEMORY, 256) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(import(lease, VIEW, MEMORY, 256) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(import(lease, HALF, MEMORY, 256) == GMEM_ERR_OUT_OF_RANGE);
  // What the plan manages, and what is shared, are not importable.
  CHECK(import(lease, OWN, MEMORY, 64) == GMEM_ERR_STATE);
  CHECK(import(lease, MIXED, MEMORY, 64) == GMEM_ERR_STATE);
  // The payload is not enough.
  CHECK(import(lease, INPUT, MEMORY, 200) == GMEM_ERR_TOO_SMALL);
  CHECK(import(lease, INPUT, MEMORY, 255) == GMEM_ERR_TOO_SMALL);
  CHECK(import(lease, INPUT, MEMORY, 0) == GMEM_ERR_TOO_SMALL);
  check_untouched(lease, own);
  CHECK(import(lease, INPUT, MEMORY, 256) == GMEM_OK);
  CHECK(import(lease, INPUT, MEMORY, 256) == GMEM_ERR_STATE); // already
  CHECK(import(lease, INPUT, MEMORY + 1024, 256) == GMEM_ERR_STATE);
  CHECK(host_of(lease, INPUT) == MEMORY);
  gmem_lease_release(lease);
  free_arena(&arena);
}

static void test_import_outside_the_group(void) {
  arena_t arena = import_arena();
  gmem_lease_t *lease = lease_group(&arena, 0);
  CHECK(import(lease, OUTPUT, MEMORY, 64) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(import(lease, INPUT, MEMORY, 256) == GMEM_OK);
  CHECK(host_of(lease, INPUT) == MEMORY);
  gmem_lease_release(lease);
  free_arena(&arena);
}

// Both addresses must suit the buffer and all of its aliases.
static void test_misaligned_imports(void) {
  arena_t arena = import_arena();
  gmem_lease_t *lease = lease_all(&arena);
  uint64_t address = (uint64_t)(uintptr_t)MEMORY;
  for (int shift = 1; shift < 128; ++shift)
    CHECK(import(lease, INPUT, MEMORY + shift, 256) == GMEM_ERR_ALIGNMENT);
  CHECK(gmem_lease_import(lease, INPUT, MEMORY, address + 64, 256, NULL) ==
        GMEM_ERR_ALIGNMENT);
  CHECK(gmem_lease_import(lease, INPUT, MEMORY + 64, address, 256, NULL) ==
        GMEM_ERR_ALIGNMENT);
  CHECK(gmem_lease_import(lease, INPUT, NULL, 65, 256, NULL) ==
        GMEM_ERR_ALIGNMENT);
  for (int shift = 1; shift < 64; ++shift)
    CHECK(import(lease, OUTPUT, MEMORY + shift, 64) == GMEM_ERR_ALIGNMENT);
  CHECK(import(lease, OUTPUT, MEMORY + 64, 64) == GMEM_OK);
  CHECK(import(lease, INPUT, MEMORY + 128, 256) == GMEM_OK);
  gmem_lease_release(lease);
  free_arena(&arena);
}

static void test_imports_beyond_the_last_address(void) {
  arena_t arena = import_arena();
  gmem_lease_t *lease = lease_all(&arena);
  uint64_t last = UINT64_MAX - 63;
  CHECK(gmem_lease_import(lease, INPUT, NULL, last, 256, NULL) ==
        GMEM_ERR_OUT_OF_RANGE);
  CHECK(gmem_lease_import(lease, OUTPUT, NULL, last, 64, NULL) ==
        GMEM_ERR_OUT_OF_RANGE);
  CHECK(gmem_lease_import(lease, OUTPUT, NULL, last - 64, UINT64_MAX, NULL) ==
        GMEM_OK);
  CHECK(device_of(lease, OUTPUT) == last - 64);
  gmem_lease_release(lease);
  free_arena(&arena);
}

// Each multiple of 64 around another import: those that share a byte with it
// are refused.
static void test_overlapping_imports(void) {
  arena_t arena = import_arena();
  uint8_t *middle = MEMORY + 1024;
  for (int at = -256; at <= 512; at += 64) {
    gmem_lease_t *lease = lease_all(&arena);
    bool apart = at <= -64 || at >= 256;
    CHECK(import(lease, INPUT, middle, 256) == GMEM_OK);
    CHECK(import(lease, OUTPUT, middle + at, 64) ==
          (apart ? GMEM_OK : GMEM_ERR_OVERLAP));
    gmem_lease_release(lease);
    // The other way round; the input has not so many places.
    lease = lease_all(&arena);
    CHECK(import(lease, OUTPUT, middle + 64 + at, 64) == GMEM_OK);
    CHECK(import(lease, INPUT, middle, 256) ==
          (at + 64 <= -64 || at + 64 >= 256 ? GMEM_OK : GMEM_ERR_OVERLAP));
    gmem_lease_release(lease);
  }
  // What the device sees counts, too, and by itself.
  gmem_lease_t *lease = lease_all(&arena);
  uint64_t far = (UINT64_C(1) << 40) + 64;
  CHECK(gmem_lease_import(lease, INPUT, MEMORY, far, 256, NULL) == GMEM_OK);
  CHECK(gmem_lease_import(lease, OUTPUT, MEMORY + 1024, far + 64, 64, NULL) ==
        GMEM_ERR_OVERLAP);
  CHECK(gmem_lease_import(lease, OUTPUT, NULL, far + 192, 64, NULL) ==
        GMEM_ERR_OVERLAP);
  CHECK(gmem_lease_import(lease, OUTPUT, MEMORY + 64, 0, 64, NULL) ==
        GMEM_ERR_OVERLAP);
  CHECK(gmem_lease_import(lease, OUTPUT, NULL, far + 256, 64, NULL) == GMEM_OK);
  CHECK(gmem_lease_import(lease, SECRET, MEMORY + 256, 0, 64, NULL) == GMEM_OK);
  gmem_lease_release(lease);
  free_arena(&arena);
}

// No byte of the slot, nor of what all slots share, can be imported: also not
// what lies before a region to bring it to its planned alignment.
static void test_imports_in_the_slot(void) {
  device_t device = {.shift = UINT64_C(1) << 40};
  gmem_provider_t provider = device_provider(&device);
  gmem_plan_desc_t desc = import_desc();
  arena_t arena = make_arena(&desc, &provider, 1, 0, NULL);
  gmem_lease_t *lease = lease_all(&arena);
  uint8_t *own = host_of(lease, OWN), *start = host_of(lease, INPUT);
  uint64_t seen = device_of(lease, OWN);
  CHECK(import(lease, OUTPUT, own, 64) == GMEM_ERR_OVERLAP);
  CHECK(import(lease, OUTPUT, host_of(lease, OUTPUT), 64) == GMEM_ERR_OVERLAP);
  CHECK(import(lease, OUTPUT, start - 64, 64) == GMEM_ERR_OVERLAP);
  CHECK(import(lease, OUTPUT, host_of(lease, MIXED), 64) == GMEM_ERR_OVERLAP);
  CHECK(gmem_lease_import(lease, OUTPUT, MEMORY, seen, 64, NULL) ==
        GMEM_ERR_OVERLAP);
  CHECK(gmem_lease_import(lease, OUTPUT, NULL, seen, 64, NULL) ==
        GMEM_ERR_OVERLAP);
  CHECK(gmem_lease_import(lease, OUTPUT, own, 0, 64, NULL) == GMEM_ERR_OVERLAP);
  CHECK(gmem_lease_import(lease, OUTPUT, NULL, device_of(lease, MIXED), 64,
                          NULL) == GMEM_ERR_OVERLAP);
  gmem_lease_release(lease);
  free_arena(&arena);
}

// Once a step has begun, somebody may have asked for the address.
static void test_no_imports_after_the_first_step(void) {
  arena_t arena = import_arena();
  gmem_lease_t *lease = lease_all(&arena);
  CHECK(import(lease, INPUT, MEMORY, 256) == GMEM_OK);
  gmem_lease_begin_op(lease, 0);
  CHECK(import(lease, OUTPUT, MEMORY + 1024, 64) == GMEM_ERR_STATE);
  CHECK(host_of(lease, INPUT) == MEMORY); // the others stay
  gmem_lease_release(lease);
  lease = lease_all(&arena);
  CHECK(import(lease, OUTPUT, MEMORY + 1024, 64) == GMEM_OK);
  gmem_lease_release(lease);
  free_arena(&arena);
}

int main(void) {
  test_import_moves_a_buffer_and_its_aliases();
  test_imports_stay_the_callers();
  test_several_imports();
  test_nothing_to_import();
  test_empty_import();
  test_import_of_a_mapped_file();
  test_import_from_another_lease();
  test_import_with_one_address();
  test_imports_are_not_synchronised();
  test_refused_imports();
  test_import_outside_the_group();
  test_misaligned_imports();
  test_imports_beyond_the_last_address();
  test_overlapping_imports();
  test_imports_in_the_slot();
  test_no_imports_after_the_first_step();
  return CHECK_RESULT();
}
