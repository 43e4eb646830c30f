// fuzz_reloc.c - takes any bytes for a table of relocations and its stream:
// what fails leaves the stream alone, what succeeds has written the addresses
// of the lease and nothing else.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fuzz/fuzz_reloc_replay %S/corpus/fuzz_reloc
//
// An input is the number of relocations, 8 bytes for each, and the stream. The
// relocations are those of a small plan, but for wild ones.

#include "arena_tools.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_COUNT = 255, ENTRY = 8, BUFFERS = 3 };

static void require(bool condition) {
  if (!condition)
    abort();
}

static gmem_plan_desc_t small_plan(void) {
  static const gmem_op_range_t step = {0, 1};
  static const gmem_region_info_t regions[] = {
      {"weights", GMEM_SPACE_WEIGHT, UINT64_C(0x1fffff000), 4096, 64},
      {"ddr", GMEM_SPACE_ACTIVATION, UINT64_C(0x2fffff040), 8192, 64}};
  static gmem_buffer_info_t b[BUFFERS];
  b[0] = a_buffer("weight", 0, GMEM_SPACE_WEIGHT, 4096, NULL);
  b[1] = a_buffer("input", 1, GMEM_SPACE_IO, 100, &step);
  b[2] = a_buffer("large", 1, GMEM_SPACE_ACTIVATION, 8000, &step);
  b[2].offset = 192;
  b[2].align = 256;
  return (gmem_plan_desc_t){.regions = regions,
                            .region_count = 2,
                            .buffers = b,
                            .buffer_count = BUFFERS,
                            .op_count = 1};
}

// The same lease for all inputs.
static gmem_lease_t *the_lease(const gmem_plan_t **out_plan) {
  static device_t device = {.shift = UINT64_C(0xfff0000000)};
  static arena_t arena;
  static gmem_lease_t *lease;
  if (!lease) {
    gmem_plan_desc_t desc = small_plan();
    gmem_provider_t provider = device_provider(&device);
    arena = make_arena(&desc, &provider, 1, 0, NULL);
    lease = lease_all(&arena);
  }
  *out_plan = gmem_model_plan(arena.model);
  return lease;
}

// A relocation of the fields at |bytes|; a wild one has all bits anywhere.
static gmem_reloc_t reloc_at(const uint8_t *bytes) {
  bool wild = bytes[7] >= 0xf0;
  uint64_t high = wild ? ~UINT64_C(0) << bytes[7] % 64 : 0;
  return (gmem_reloc_t){
      .where = (bytes[0] | (unsigned)bytes[1] << 8) | high,
      .addend = (bytes[2] | (unsigned)bytes[3] << 8) | (bytes[6] ? 0 : high),
      .buffer = wild ? bytes[4] * UINT32_C(0x1010101) : bytes[4] % BUFFERS,
      .kind = wild ? bytes[5] : bytes[5] % 3,
      .stream = bytes[6],
  };
}

static unsigned width_of(const gmem_reloc_t *reloc) {
  return reloc->kind == GMEM_RELOC_ABS64 ? 8 : 4;
}

static uint64_t value_in(const uint8_t *stream, const gmem_reloc_t *reloc) {
  uint64_t value = 0;
  for (unsigned i = width_of(reloc); i-- > 0;)
    value = value << 8 | stream[reloc->where + i];
  return value;
}

static uint64_t part_of(uint64_t address, const gmem_reloc_t *reloc) {
  address += reloc->addend;
  if (reloc->kind == GMEM_RELOC_HI32)
    return address >> 32;
  return reloc->kind == GMEM_RELOC_LO32 ? address & UINT32_MAX : address;
}

static uint64_t planned(const gmem_plan_t *plan, gmem_buffer_t id) {
  gmem_buffer_info_t buffer;
  gmem_region_info_t region;
  require(gmem_plan_buffer(plan, id, &buffer) == GMEM_OK &&
          gmem_plan_region(plan, buffer.region, &region) == GMEM_OK);
  return region.base + buffer.offset;
}

// All that can be said of a table that was taken.
static void check_patched(const gmem_lease_t *lease, const gmem_reloc_t *relocs,
                          size_t count, const uint8_t *before,
                          const uint8_t *after, size_t size) {
  uint64_t free_from = 0;
  for (size_t i = 0; i < count; ++i) {
    uint64_t address = 0, end = relocs[i].where + width_of(&relocs[i]);
    require(relocs[i].where >= free_from && end <= size);
    require(memcmp(before + free_from, after + free_from,
                   relocs[i].where - free_from) == 0);
    require(gmem_lease_device(lease, relocs[i].buffer, &address) == GMEM_OK);
    require(value_in(after, &relocs[i]) == part_of(address, &relocs[i]));
    free_from = end;
  }
  require(memcmp(before + free_from, after + free_from, size - free_from) == 0);
}

static void check_plan(const gmem_plan_t *plan, const gmem_reloc_t *relocs,
                       size_t count, const uint8_t *stream, size_t size,
                       gmem_status_t patched) {
  gmem_diag_t diag = {.status = GMEM_OK};
  gmem_status_t status =
      gmem_plan_check_stream(plan, relocs, count, stream, size, &diag);
  require(status == diag.status);
  if (status != GMEM_OK && status != GMEM_ERR_CORRUPT) {
    require(status == patched);
    return;
  }
  require(patched == GMEM_OK);
  size_t right = 0;
  while (right < count &&
         value_in(stream, &relocs[right]) ==
             part_of(planned(plan, relocs[right].buffer), &relocs[right]))
    ++right;
  require((right == count) == (status == GMEM_OK));
  require(status == GMEM_OK || diag.object == right);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  gmem_reloc_t relocs[MAX_COUNT];
  const gmem_plan_t *plan = NULL;
  const gmem_lease_t *lease = the_lease(&plan);
  gmem_diag_t diag = {.status = GMEM_OK};
  size_t count = size > 0 ? data[0] : 0;
  if (size < 1 + count * ENTRY)
    return 0;
  for (size_t i = 0; i < count; ++i)
    relocs[i] = reloc_at(data + 1 + i * ENTRY);
  const uint8_t *before = data + 1 + count * ENTRY;
  size -= 1 + count * ENTRY;
  uint8_t *stream = malloc(size ? size : 1); // exact, for the sanitizers
  require(stream != NULL);
  if (size > 0)
    memcpy(stream, before, size);
  gmem_status_t status =
      gmem_lease_relocate(lease, relocs, count, stream, size, &diag);
  if (status == GMEM_OK)
    check_patched(lease, relocs, count, before, stream, size);
  else
    require(diag.status == status && diag.text[0] != '\0' &&
            memcmp(before, stream, size) == 0);
  check_plan(plan, relocs, count, before, size, status);
  free(stream);
  return 0;
}
