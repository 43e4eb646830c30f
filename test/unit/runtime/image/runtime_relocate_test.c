// runtime_relocate_test.c - addresses in command streams: those of the plan
// checked, those of a lease written.
// RUN: %unit/runtime_relocate_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "arena_tools.h"

// Weights one after the other at multiples of 4096; tensors by their lives.
enum { FILTER, BIAS, INPUT, CONV, SLICE, OUTPUT, BUFFERS };

static const gmem_op_range_t lives[] = {{0, 2}, {1, 3}, {2, 4}};
static const gmem_buffer_t some[] = {FILTER, INPUT};
static const gmem_group_info_t groups[] = {{"some", some, 2}};

// What the bases of the regions tell an accelerator.
typedef enum layout_e {
  BASIC,    // weights, then tensors: one space of addresses
  IO_ALONE, // inputs and outputs in a region of their own
  TAGGED,   // the number of the region in bits 40 to 42 of each address
  LAYOUTS
} layout_t;

static gmem_plan_desc_t desc_of(layout_t layout) {
  static gmem_region_info_t regions[3];
  static gmem_buffer_info_t b[BUFFERS];
  bool io = layout != BASIC;
  uint64_t tag = layout == TAGGED ? UINT64_C(1) << 40 : 0;
  regions[0] = (gmem_region_info_t){"weights", GMEM_SPACE_WEIGHT,
                                    UINT64_C(0x100000000) + tag, 8192, 4096};
  regions[1] =
      (gmem_region_info_t){"tensors", GMEM_SPACE_ACTIVATION,
                           UINT64_C(0x100002000) + 2 * tag, 8192, 4096};
  regions[2] = (gmem_region_info_t){
      "io", GMEM_SPACE_IO, UINT64_C(0x100004000) + 3 * tag, 8192, 4096};
  b[FILTER] = a_buffer("filter", 0, GMEM_SPACE_WEIGHT, 3000, NULL);
  b[BIAS] = a_buffer("bias", 0, GMEM_SPACE_WEIGHT, 64, NULL);
  b[BIAS].offset = 4096;
  b[INPUT] = a_buffer("input", io ? 2 : 1, GMEM_SPACE_IO, 4096, &lives[0]);
  b[INPUT].flags = GMEM_BUFFER_IMPORTABLE;
  b[CONV] = a_buffer("conv", 1, GMEM_SPACE_ACTIVATION, 4096, &lives[1]);
  b[CONV].offset = 4096;
  b[SLICE] = a_buffer("slice", 1, GMEM_SPACE_ACTIVATION, 64, NULL);
  b[SLICE].offset = 4096 + 1024;
  b[SLICE].parent = CONV;
  b[OUTPUT] = a_buffer("output", io ? 2 : 1, GMEM_SPACE_IO, 4096, &lives[2]);
  return (gmem_plan_desc_t){.regions = regions,
                            .region_count = io ? 3 : 2,
                            .buffers = b,
                            .buffer_count = BUFFERS,
                            .op_count = 4,
                            .groups = groups,
                            .group_count = 1};
}

// Places at any alignment, whole addresses and halves, one after the other.
static const gmem_reloc_t relocs[] = {
    {.where = 3, .buffer = FILTER, .kind = GMEM_RELOC_ABS64},
    {.where = 11, .buffer = CONV, .addend = 4096, .kind = GMEM_RELOC_HI32},
    {.where = 15, .buffer = CONV, .addend = 4096, .kind = GMEM_RELOC_LO32},
    {.where = 21, .buffer = SLICE, .addend = 5, .kind = GMEM_RELOC_ABS64},
    {.where = 30, .buffer = INPUT, .kind = GMEM_RELOC_LO32},
    {.where = 38, .buffer = INPUT, .kind = GMEM_RELOC_HI32},
    {.where = 42, .buffer = OUTPUT, .addend = 1, .kind = GMEM_RELOC_ABS64},
    {.where = 56, .buffer = BIAS, .kind = GMEM_RELOC_ABS64},
};
enum { COUNT = sizeof relocs / sizeof relocs[0], STREAM = 64 };

static uint64_t read_value(const uint8_t *stream, const gmem_reloc_t *reloc) {
  uint64_t value = 0;
  for (int i = reloc->kind == GMEM_RELOC_ABS64 ? 8 : 4; i-- > 0;)
    value = value << 8 | stream[reloc->where + i];
  return value;
}

static uint64_t part_of(uint64_t address, const gmem_reloc_t *reloc) {
  if (reloc->kind == GMEM_RELOC_ABS64)
    return address;
  return reloc->kind == GMEM_RELOC_HI32 ? address >> 32 : address & UINT32_MAX;
}

// Bytes that belong to no address.
static bool gaps_are(const uint8_t *stream, uint8_t value) {
  bool patched[STREAM] = {false};
  for (int i = 0; i < COUNT; ++i)
    memset(patched + relocs[i].where, true,
           relocs[i].kind == GMEM_RELOC_ABS64 ? 8 : 4);
  for (int i = 0; i < STREAM; ++i)
    if (!patched[i] && stream[i] != value)
      return false;
  return true;
}

// The stream as a compiler makes it: with the planned addresses.
static void compile(const gmem_plan_t *plan, uint8_t *stream) {
  memset(stream, 0xEE, STREAM);
  for (int i = 0; i < COUNT; ++i) {
    gmem_buffer_info_t buffer;
    gmem_region_info_t region;
    CHECK(gmem_plan_buffer(plan, relocs[i].buffer, &buffer) == GMEM_OK);
    CHECK(gmem_plan_region(plan, buffer.region, &region) == GMEM_OK);
    uint64_t value =
        part_of(region.base + buffer.offset + relocs[i].addend, &relocs[i]);
    for (int k = 0; k < (relocs[i].kind == GMEM_RELOC_ABS64 ? 8 : 4); ++k)
      stream[relocs[i].where + k] = (uint8_t)(value >> 8 * k);
  }
}

// Planned addresses are found in the stream; then the lease's are written, and
// nothing else.
static void test_layouts(void) {
  for (layout_t layout = BASIC; layout < LAYOUTS; ++layout) {
    device_t device = {.shift = UINT64_C(0x7700000000)};
    gmem_provider_t provider = device_provider(&device);
    gmem_plan_desc_t desc = desc_of(layout);
    arena_t arena = make_arena(&desc, &provider, 2, 0, NULL);
    const gmem_plan_t *plan = gmem_model_plan(arena.model);
    uint8_t stream[STREAM];
    compile(plan, stream);
    CHECK(gmem_plan_check_stream(plan, relocs, COUNT, stream, STREAM, NULL) ==
          GMEM_OK);
    gmem_lease_t *leases[2] = {lease_all(&arena), lease_all(&arena)};
    for (int n = 0; n < 2; ++n) {
      CHECK(gmem_lease_relocate(leases[n], relocs, COUNT, stream, STREAM,
                                NULL) == GMEM_OK);
      for (int i = 0; i < COUNT; ++i) {
        uint64_t address = device_of(leases[n], relocs[i].buffer);
        CHECK(read_value(stream, &relocs[i]) ==
              part_of(address + relocs[i].addend, &relocs[i]));
      }
      CHECK(gaps_are(stream, 0xEE));
    }
    CHECK(gmem_plan_check_stream(plan, relocs, COUNT, stream, STREAM, NULL) ==
          GMEM_ERR_CORRUPT); // patched, it is no more what the plan says
    gmem_lease_release(leases[0]);
    gmem_lease_release(leases[1]);
    free_arena(&arena);
  }
}

// The table of an image is in the order that the calls want.
static void test_table_of_an_image(void) {
  gmem_plan_desc_t desc = desc_of(TAGGED);
  desc.relocs = relocs;
  desc.reloc_count = COUNT;
  gmem_plan_t *plan = plan_of(&desc);
  const gmem_reloc_t *first = NULL;
  uint8_t stream[STREAM];
  compile(plan, stream);
  CHECK(gmem_plan_relocs(plan, 0, &first) == COUNT);
  CHECK(gmem_plan_check_stream(plan, first, COUNT, stream, STREAM, NULL) ==
        GMEM_OK);
  gmem_plan_release(plan);
}

// Any wrong byte of any address is found, and only those.
static void test_other_addresses_are_found(void) {
  gmem_plan_desc_t desc = desc_of(BASIC);
  gmem_plan_t *plan = plan_of(&desc);
  uint8_t stream[STREAM];
  gmem_diag_t diag;
  compile(plan, stream);
  for (int at = 0; at < STREAM; ++at) {
    stream[at] ^= 0x10;
    gmem_status_t status =
        gmem_plan_check_stream(plan, relocs, COUNT, stream, STREAM, &diag);
    CHECK(status == (gaps_are(stream, 0xEE) ? GMEM_ERR_CORRUPT : GMEM_OK));
    if (status == GMEM_ERR_CORRUPT)
      CHECK(relocs[diag.object].where == diag.offset &&
            (uint64_t)at >= diag.offset && (uint64_t)at < diag.offset + 8);
    stream[at] ^= 0x10;
  }
  gmem_plan_release(plan);
}

//===--- hostile tables ---------------------------------------------------===//

// Both calls refuse the table that ends with |bad|, and no byte is written.
static void check_refused(const gmem_reloc_t *bad, uint64_t stream_size,
                          gmem_status_t status) {
  gmem_plan_desc_t desc = desc_of(BASIC);
  arena_t arena = make_arena(&desc, NULL, 1, 0, NULL);
  gmem_lease_t *lease = lease_all(&arena);
  gmem_diag_t diag = {.text = ""};
  gmem_reloc_t table[2] = {{.where = 4, .buffer = FILTER}, *bad};
  uint8_t stream[STREAM], before[STREAM];
  memset(stream, 0xEE, sizeof stream);
  memcpy(before, stream, sizeof stream);
  CHECK(gmem_lease_relocate(lease, table, 2, stream, stream_size, &diag) ==
        status);
  CHECK(diag.status == status && diag.object == 1);
  CHECK(memcmp(stream, before, sizeof stream) == 0);
  CHECK(gmem_plan_check_stream(gmem_model_plan(arena.model), table, 2, stream,
                               stream_size, NULL) == status);
  gmem_lease_release(lease);
  free_arena(&arena);
}

static void test_hostile_tables(void) {
  static const struct {
    gmem_reloc_t reloc;
    uint64_t size;
    gmem_status_t status;
  } cases[] = {
      {{.where = 20, .kind = 3}, 64, GMEM_ERR_INVALID_ARGUMENT},
      {{.where = 20, .kind = UINT16_MAX}, 64, GMEM_ERR_INVALID_ARGUMENT},
      {{.where = 57}, 64, GMEM_ERR_OUT_OF_RANGE},
      {{.where = 64}, 64, GMEM_ERR_OUT_OF_RANGE},
      {{.where = 61, .kind = GMEM_RELOC_LO32}, 64, GMEM_ERR_OUT_OF_RANGE},
      {{.where = UINT64_MAX}, 64, GMEM_ERR_OUT_OF_RANGE},
      {{.where = UINT64_MAX - 3, .kind = GMEM_RELOC_HI32},
       64,
       GMEM_ERR_OUT_OF_RANGE},
      {{.where = 20, .buffer = BUFFERS}, 64, GMEM_ERR_OUT_OF_RANGE},
      {{.where = 20, .buffer = GMEM_NONE}, 64, GMEM_ERR_OUT_OF_RANGE},
      {{.where = 20, .buffer = BIAS, .addend = 65}, 64, GMEM_ERR_OUT_OF_RANGE},
      {{.where = 20, .addend = UINT64_MAX}, 64, GMEM_ERR_OUT_OF_RANGE},
      {{.where = 4}, 64, GMEM_ERR_OVERLAP},
      {{.where = 11}, 64, GMEM_ERR_OVERLAP},
      {{.where = 0, .kind = GMEM_RELOC_LO32}, 64, GMEM_ERR_OVERLAP},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    check_refused(&cases[i].reloc, cases[i].size, cases[i].status);
}

static void test_small_and_empty_streams(void) {
  gmem_plan_desc_t desc = desc_of(BASIC);
  arena_t arena = make_arena(&desc, NULL, 1, 0, NULL);
  const gmem_plan_t *plan = gmem_model_plan(arena.model);
  gmem_lease_t *lease = lease_all(&arena);
  gmem_reloc_t one = {.where = 0, .buffer = BIAS, .addend = 64};
  uint8_t stream[8] = {0};
  CHECK(gmem_lease_relocate(lease, NULL, 0, NULL, 0, NULL) == GMEM_OK);
  CHECK(gmem_plan_check_stream(plan, NULL, 0, NULL, 0, NULL) == GMEM_OK);
  CHECK(gmem_lease_relocate(lease, NULL, 1, stream, 8, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_lease_relocate(lease, &one, 1, NULL, 8, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  for (uint64_t size = 0; size < 8; ++size)
    CHECK(gmem_lease_relocate(lease, &one, 1, stream, size, NULL) ==
          GMEM_ERR_OUT_OF_RANGE);
  // The end of a buffer is still an address of it.
  CHECK(gmem_lease_relocate(lease, &one, 1, stream, 8, NULL) == GMEM_OK);
  CHECK(read_value(stream, &one) == device_of(lease, BIAS) + 64);
  gmem_lease_release(lease);
  free_arena(&arena);
}

// An address that does not fit in 64 bits is no address; one that ends at the
// last byte is.
static void test_addresses_that_wrap(void) {
  device_t device = {.at = UINT64_MAX - 8191};
  gmem_provider_t provider = device_provider(&device);
  gmem_plan_desc_t desc = desc_of(IO_ALONE);
  arena_t arena = make_arena(&desc, &provider, 1, 0, NULL);
  gmem_lease_t *lease = lease_all(&arena);
  gmem_reloc_t reloc = {.buffer = CONV, .addend = 4095};
  uint8_t stream[8] = {0};
  CHECK(gmem_lease_relocate(lease, &reloc, 1, stream, 8, NULL) == GMEM_OK);
  CHECK(read_value(stream, &reloc) == UINT64_MAX);
  reloc.addend = 4096;
  CHECK(gmem_lease_relocate(lease, &reloc, 1, stream, 8, NULL) ==
        GMEM_ERR_OUT_OF_RANGE);
  CHECK(read_value(stream, &reloc) == UINT64_MAX);
  gmem_lease_release(lease);
  free_arena(&arena);
}

// The halves are of the sum: the addend carries into the upper one.
static void test_halves_carry(void) {
  device_t device = {.at = UINT64_C(0xABFFFFF000)};
  gmem_provider_t provider = device_provider(&device);
  gmem_plan_desc_t desc = desc_of(IO_ALONE);
  arena_t arena = make_arena(&desc, &provider, 1, 0, NULL);
  gmem_lease_t *lease = lease_all(&arena);
  gmem_reloc_t pair[] = {
      {.buffer = INPUT, .addend = 4096, .kind = GMEM_RELOC_LO32},
      {.where = 4, .buffer = INPUT, .addend = 4096, .kind = GMEM_RELOC_HI32}};
  uint8_t stream[8];
  memset(stream, 0xEE, 8);
  CHECK(gmem_lease_relocate(lease, pair, 2, stream, 8, NULL) == GMEM_OK);
  CHECK(read_value(stream, &pair[0]) == 0);
  CHECK(read_value(stream, &pair[1]) == 0xAC);
  gmem_lease_release(lease);
  free_arena(&arena);
}

// Groups and imports count here as they do for gmem_lease_device.
static void test_groups_and_imports(void) {
  static _Alignas(4096) uint8_t memory[4096];
  gmem_plan_desc_t desc = desc_of(BASIC);
  arena_t arena = make_arena(&desc, NULL, 1, 0, NULL);
  gmem_lease_t *lease = lease_group(&arena, 0);
  gmem_reloc_t reloc = {.buffer = INPUT, .addend = 7};
  uint64_t far = UINT64_C(0x123456789000);
  uint8_t stream[8] = {0};
  CHECK(gmem_lease_import(lease, INPUT, memory, far, 4096, NULL) == GMEM_OK);
  CHECK(gmem_lease_relocate(lease, &reloc, 1, stream, 8, NULL) == GMEM_OK);
  CHECK(read_value(stream, &reloc) == far + 7);
  reloc.buffer = CONV;
  CHECK(gmem_lease_relocate(lease, &reloc, 1, stream, 8, NULL) ==
        GMEM_ERR_OUT_OF_RANGE);
  gmem_lease_release(lease);
  lease = lease_all(&arena);
  reloc.buffer = INPUT;
  CHECK(gmem_lease_import(lease, INPUT, memory, 0, 4096, NULL) == GMEM_OK);
  CHECK(gmem_lease_relocate(lease, &reloc, 1, stream, 8, NULL) ==
        GMEM_ERR_UNSUPPORTED);
  CHECK(read_value(stream, &reloc) == far + 7);
  gmem_lease_release(lease);
  free_arena(&arena);
}

// Without a lease, or a plan, there was a crash instead of a status.
static void test_of_nothing(void) {
  uint8_t stream[STREAM] = {0}, before[STREAM] = {0};
  gmem_diag_t diag = {.status = GMEM_OK};
  CHECK(gmem_lease_relocate(NULL, relocs, COUNT, stream, STREAM, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(diag.status == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_plan_check_stream(NULL, relocs, COUNT, stream, STREAM, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_lease_relocate(NULL, NULL, 0, NULL, 0, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(memcmp(stream, before, STREAM) == 0);
}

int main(void) {
  test_layouts();
  test_table_of_an_image();
  test_other_addresses_are_found();
  test_hostile_tables();
  test_small_and_empty_streams();
  test_addresses_that_wrap();
  test_halves_carry();
  test_groups_and_imports();
  test_of_nothing();
  return CHECK_RESULT();
}
